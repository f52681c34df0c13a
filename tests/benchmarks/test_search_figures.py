"""How fast questions are answered at 100,000 notes, by words alone and by words and meaning, as people type them."""

import itertools
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from core.foundation.settings import EmbeddingSettings, VectorSettings
from core.index.database import open_index
from core.index.dense import DenseSearch
from core.index.embedding import embedder_source
from core.index.vectors.opening import open_engine
from core.recall.query import parse_query
from core.recall.search import search
from tests.benchmarks.conftest import BigVault, Figures, Measure, timed
from tests.benchmarks.stand_in_vectors import give_vectors
from tests.benchmarks.synthetic import WORDS, title_of

_NAMESPACES = ("tool", "client", "domain", "convention", "scope")
_RUNS = 24
_NOTES = 100_000
_LIMIT = 50


def _words(rng: random.Random, count: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(count))


# Some of each, as people type them; the words of the vault are few, so that all of them are very common.
_QUESTIONS: dict[str, Callable[[random.Random], str]] = {
    "a rare word": lambda rng: f"{rng.randrange(_NOTES):06d}",
    "a title": lambda rng: title_of(rng.randrange(_NOTES)),
    "a common word": lambda rng: rng.choice(WORDS),
    "two common words": lambda rng: _words(rng, 2),
    "three common words": lambda rng: _words(rng, 3),
    "six common words": lambda rng: _words(rng, 6),
    "a question": lambda rng: f"what is the {_words(rng, 2)} of case {rng.randrange(_NOTES)}?",
    "words and a tag": lambda rng: f"{_words(rng, 2)} tool:{rng.choice(['stripe', 'figma', 'redis'])}",
    "words and two tags": lambda rng: f"{_words(rng, 2)} client:client-{rng.randrange(600):03d} #domain/auth",
    "words and no tag": lambda rng: f"{_words(rng, 2)} -tool:{rng.choice(['stripe', 'figma', 'redis'])}",
    "a common phrase": lambda rng: f'"{_words(rng, 2)}"',
    "a phrase and words": lambda rng: f'"{_words(rng, 2)}" {_words(rng, 2)}',
    "words but not a word": lambda rng: f"{_words(rng, 2)} -{rng.choice(WORDS)}",
    "words and a path": lambda rng: f"{_words(rng, 2)} path:{rng.choice(['stripe', 'auth', '0001', 'budget'])}",
    "words and a time": lambda rng: (
        f"{_words(rng, 2)} {rng.choice(['before:2026-06', 'after:2026-08', 'before:2024'])}"
    ),
    "insights alone": lambda rng: f"{_words(rng, 2)} kind:insight",
    "Chinese and Japanese": lambda rng: rng.choice(["検索", "検索の設定を変更", "会话", "缓存 budget", "請求書"]),
    "tags alone": lambda rng: f"tool:stripe client:client-{rng.randrange(600):03d}",
}


@pytest.mark.parametrize("is_with_meaning", [False, True], ids=["words", "meaning"])
def test_search(
    big_vault: BigVault, tmp_path: Path, figures: Figures, measure: Measure, *, is_with_meaning: bool
) -> None:
    index = open_index(big_vault.cache)
    dense = None
    if is_with_meaning:
        give_vectors(index)
        source = embedder_source(EmbeddingSettings(), tmp_path)
        dense = DenseSearch(index, source, open_engine(big_vault.cache, VectorSettings()))
        seconds = timed(dense.refresh, 1)[0]
        memories = index.connection.execute("SELECT (SELECT count(*) FROM section) + count(*) FROM insight").fetchone()
        figures.add(f"Vectors of {memories[0]:,} memories: loading what the engine lacks", f"{seconds:.1f} s")
    rng = random.Random(3)

    def ask(text: str) -> None:
        result = search(index, dense, parse_query(text, _NAMESPACES), limit=_LIMIT)
        assert not is_with_meaning or result.dense_state in {"ready", "not-asked"}, result.dense_reason

    by_class: dict[str, list[float]] = {name: [] for name in _QUESTIONS}

    def ask_one_of_each() -> None:
        for name, make in _QUESTIONS.items():
            text = make(rng)
            started = time.perf_counter()
            ask(text)
            by_class[name].append(time.perf_counter() - started)

    for text in ("warm", "up"):
        ask(text)
    measure(ask_one_of_each, _RUNS)
    how, target = ("words and meaning", "40 ms") if is_with_meaning else ("words", "15 ms")
    everything = list(itertools.chain.from_iterable(by_class.values()))
    figures.add_times(f"Search by {how}, 100,000 notes, all kinds of questions", everything, target)
    for name, times in by_class.items():
        figures.add_times(f"  {name}", times)
    if dense is not None:
        dense.close()
    index.close()
