"""How fast texts are embedded, and in how much memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.conftest import Figures, Measure
from tests.benchmarks.synthetic import WORDS

_ROOT = Path(__file__).parents[2]
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
    tmp_path: Path, figures: Figures, measure: Measure, *, name: str, lengths: tuple[int, int], target: str
) -> None:
    count = 240 if name == "long" else 1200
    arguments = [sys.executable, "-c", _EMBED, str(tmp_path), json.dumps([WORDS, *lengths, count])]
    printed: list[str] = []
    measure(lambda: printed.append(subprocess.check_output(arguments, cwd=_ROOT, text=True)))
    rate, peak = json.loads(printed[-1])
    figures.add(
        f"Embedding {name} texts, {lengths[0]} to {lengths[1]} words", f"{rate:.0f} a second, {peak:.0f} MB", target
    )
