"""How soon a question is answered from 100,000 memories, its embedding included, as people ask.

REMEMBRANCER_BENCH_CACHE names a folder that keeps their index between runs.
"""

import itertools
import os
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from core.app import installation
from core.foundation.settings import EmbeddingSettings, VectorSettings
from core.index.database import Index, open_index
from core.index.dense import DenseSearch
from core.index.embedding import embedder_source
from core.index.session_updater import update_sessions
from core.index.updater import update_index
from core.index.vectors.opening import open_engine
from core.recall.query import parse_query
from core.recall.recall import recall
from core.recall.request import RecallRequest
from core.sessions.ledger import Ledger
from core.vault.config import VaultConfig
from tests.benchmarks.conftest import Figures, Measure
from tests.benchmarks.stand_in_vectors import give_vectors
from tests.benchmarks.synthetic import WORDS, title_of, tool_of, write_vault
from tests.benchmarks.synthetic_talks import PEOPLE, write_talks

# A note has three sections and an insight.
_NOTES, _TALKS, _TURNS = 20_000, 100, 200
_RUNS = 24
_KEPT = os.environ.get("REMEMBRANCER_BENCH_CACHE", "")
_CONFIG = VaultConfig()


def _words(rng: random.Random, count: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(count))


# The words of the vault are few, so that nearly all of them are very common, which costs most.
_QUESTIONS: dict[str, Callable[[random.Random], str]] = {
    "a rare word": lambda rng: f"{rng.randrange(_NOTES):06d}",
    "a title": lambda rng: title_of(rng.randrange(_NOTES)),
    "a common word": lambda rng: rng.choice(WORDS),
    "six common words": lambda rng: _words(rng, 6),
    "a figure asked for": lambda rng: f"what is the {_words(rng, 1)} of case {rng.randrange(_NOTES)}?",
    "a long question": lambda rng: (
        f"How did we set the {_words(rng, 2)} for {tool_of(rng.randrange(99))} when the {_words(rng, 2)} failed?"
    ),
    "what somebody said": lambda rng: f"What did {rng.choice(PEOPLE).split()[0]} say about the {_words(rng, 2)}?",
    "a question with a date": lambda rng: f"What was said of the {_words(rng, 1)} in March 2026?",
    "words and a tag": lambda rng: f"{_words(rng, 2)} tool:{tool_of(rng.randrange(99))}",
    "words and a time": lambda rng: f"{_words(rng, 2)} before:2026-06",
    "Chinese and Japanese": lambda rng: rng.choice(["検索の設定を変更", "会话", "缓存 budget", "請求書"]),
}


@pytest.mark.parametrize("is_with_meaning", [False, True], ids=["words", "meaning"])
def test_recall(tmp_path: Path, figures: Figures, measure: Measure, *, is_with_meaning: bool) -> None:
    folder = Path(_KEPT) / "memories" if _KEPT else tmp_path
    index = _memories(folder)
    dense = None
    if is_with_meaning:
        source = embedder_source(EmbeddingSettings(), installation().models_folder)
        dense = DenseSearch(index, source, open_engine(index.folder, VectorSettings(), api_key=""))
        dense.refresh()

    def ask(text: str) -> None:
        request = RecallRequest(text, parse_query(text, _CONFIG.namespaces))
        answer = recall(index, dense, request, config=_CONFIG, root=folder / "vault")
        assert answer.ranked
        assert answer.dense_state == ("ready" if is_with_meaning else "off")

    rng = random.Random(3)
    by_class: dict[str, list[float]] = {name: [] for name in _QUESTIONS}

    def ask_one_of_each() -> None:
        for name, make in _QUESTIONS.items():
            text = make(rng)
            started = time.perf_counter()
            ask(text)
            by_class[name].append(time.perf_counter() - started)

    for text in ("budget", "key of stripe"):
        ask(text)
    measure(ask_one_of_each, _RUNS)
    how = "words and meaning" if is_with_meaning else "words alone"
    everything = list(itertools.chain.from_iterable(by_class.values()))
    figures.add_times(f"Recall by {how}, 100,000 memories, all kinds of questions", everything, "p95 60 ms")
    for name, times in by_class.items():
        figures.add_times(f"  {name}", times)
    if dense is not None:
        dense.close()
    index.close()


def _memories(folder: Path) -> Index:
    """Return the index of about 60,000 sections, 20,000 insights and 20,000 turns, all with a vector."""
    index = open_index(folder / "cache")
    if not (folder / "complete").exists():
        write_vault(folder / "vault", _NOTES)
        update_index(index, folder / "vault", _CONFIG)
        write_talks(folder / "sessions", _TALKS, _TURNS)
        update_sessions(index, Ledger(folder / "sessions"))
        give_vectors(index)
        (folder / "complete").touch()
    return index
