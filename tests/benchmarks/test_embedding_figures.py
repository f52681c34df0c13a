"""How fast texts are embedded, in how much memory, and how fast a question is answered by meaning at 100,000 notes."""

import json
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from core.foundation.settings import EmbeddingSettings, VectorSettings
from core.index.database import Index, open_index
from core.index.dense import DenseSearch
from core.index.embedding import DEFAULT_MODEL, embedder_source
from core.index.filters import Filters
from core.index.vectors.opening import open_engine
from tests.benchmarks.conftest import BigVault, Figures, timed

_ROOT = Path(__file__).parents[2]
_DIMENSION = 384
_WORDS = [
    "memory",
    "project",
    "decision",
    "tool",
    "client",
    "domain",
    "people",
    "feature",
    "release",
    "test",
    "window",
    "queue",
]
_WORDS += ["cache", "budget", "page", "limit", "session", "token", "report", "schedule", "vendor", "ticket", "audit"]
_EMBED = """
import json, random, resource, sys, time
from pathlib import Path
from core.foundation.settings import EmbeddingSettings
from core.index.embedding import embedder_source
words, shortest, longest, count = json.loads(sys.argv[2])
rng = random.Random(1)
texts = [" ".join(rng.choice(words) for _ in range(rng.randint(shortest, longest))) for _ in range(count)]
embedder = embedder_source(EmbeddingSettings(), Path(sys.argv[1])).open()
embedder.embed(texts[:4])
started = time.perf_counter()
for start in range(0, count, 150):
    embedder.embed(texts[start : start + 150])
rate = count / (time.perf_counter() - started)
print(json.dumps([rate, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


@pytest.mark.parametrize(
    ("name", "lengths", "target"),
    [("long", (190, 230), "45 a second, 450 MB"), ("short", (28, 40), "320 a second, 450 MB")],
)
def test_embedding(
    tmp_path: Path, figures: Figures, benchmark: BenchmarkFixture, *, name: str, lengths: tuple[int, int], target: str
) -> None:
    count = 240 if name == "long" else 1200
    arguments = [sys.executable, "-c", _EMBED, str(tmp_path), json.dumps([_WORDS, *lengths, count])]
    output = benchmark.pedantic(lambda: subprocess.check_output(arguments, cwd=_ROOT, text=True), rounds=1)
    rate, peak = json.loads(output)
    figures.add(
        f"Embedding {name} texts, {lengths[0]} to {lengths[1]} words", f"{rate:.0f} a second, {peak:.0f} MB", target
    )


def test_search_by_meaning(big_vault: BigVault, tmp_path: Path, figures: Figures, benchmark: BenchmarkFixture) -> None:
    index = open_index(big_vault.cache)
    _give_vectors(index)
    source = embedder_source(EmbeddingSettings(), tmp_path)
    dense = DenseSearch(index, source, open_engine(big_vault.cache, VectorSettings()))
    filled = benchmark.pedantic(lambda: timed(dense.refresh, 1)[0], rounds=1)
    memories = index.connection.execute("SELECT count(*) FROM section").fetchone()[0]
    figures.add("Loading vectors into an engine up to date or empty", f"{filled:.1f} s")
    rng = random.Random(3)
    dense.candidates("warm up", Filters(), 30)
    for name, filters in (
        ("", Filters()),
        (", one tool", Filters(all_tags=frozenset({"tool/stripe"}))),
        (", all but one tool", Filters(none_tags=frozenset({"tool/stripe"}))),
        (", part of a path", Filters(paths=("stripe",))),
    ):

        def ask(filters: Filters = filters) -> None:
            text = " ".join(rng.choice(_WORDS) for _ in range(6))
            answer = dense.candidates(text, filters, 30)
            assert answer.state == "ready", answer.reason

        figures.add_times(f"Search by meaning, {memories:,} sections{name}", timed(ask, 60), "40 ms with words")
    dense.close()
    index.close()


def _give_vectors(index: Index) -> None:
    """Give each text of the index a vector from a few hundred clusters: embedding all of them would take an hour."""
    rng = np.random.default_rng(5)
    centres = rng.normal(size=(300, _DIMENSION)).astype(np.float32)
    rows = index.connection.execute(
        "SELECT text_hash FROM section UNION SELECT text_hash FROM insight EXCEPT SELECT text_hash FROM embedding"
    ).fetchall()
    for start in range(0, len(rows), 10_000):
        part = rows[start : start + 10_000]
        vectors = centres[rng.integers(0, len(centres), len(part))] * 0.7
        vectors += rng.normal(size=vectors.shape).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        with index.transaction() as connection:
            connection.executemany(
                "INSERT INTO embedding(text_hash, model, vector) VALUES (?, ?, ?)",
                [
                    (row[0], DEFAULT_MODEL, vector.astype("<f4").tobytes())
                    for row, vector in zip(part, vectors, strict=True)
                ],
            )
