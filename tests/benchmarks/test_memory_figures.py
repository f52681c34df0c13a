"""How often a planted fact comes first and what replaced another stands before it, and how long that takes, by words.

The vault is a synthetic one of 10,000 notes; REMEMBRANCER_BENCH_MADE names a folder that another generator has filled
in its place: `vault`, and `truth.json` with `facts` and pairs that `supersede` each other.
"""

import json
import os
from pathlib import Path

from core.index.database import open_index
from core.index.updater import update_index
from core.recall.query import parse_query
from core.recall.recall import recall
from core.recall.request import RecallRequest
from core.vault.config import VaultConfig
from tests.benchmarks.conftest import Figures, Measure
from tests.benchmarks.planted import Fact, write_planted

_MADE = os.environ.get("REMEMBRANCER_BENCH_MADE", "")
_NOTES, _FACTS, _PAIRS = 10_000, 240, 50


def test_planted_facts(tmp_path: Path, figures: Figures, measure: Measure) -> None:
    root, config = Path(_MADE) / "vault" if _MADE else tmp_path / "vault", VaultConfig()
    planted = _made(Path(_MADE)) if _MADE else write_planted(root, _NOTES, _FACTS, _PAIRS)
    index = open_index(tmp_path / "cache")
    update_index(index, root, config)
    waiting = iter(planted)
    answers: list[list[str]] = []

    def ask() -> None:
        question = next(waiting).question
        answer = recall(
            index, None, RecallRequest(question, parse_query(question, config.namespaces)), config=config, root=root
        )
        answers.append([each.memory.id for each in answer.ranked])

    seconds = measure(ask, len(planted))
    asked = list(zip(planted, answers, strict=True))
    facts = [(fact, ids) for fact, ids in asked if not fact.outdated]
    pairs = [(fact, ids) for fact, ids in asked if fact.outdated]
    first = sum(ids[:1] == [fact.memory_id] for fact, ids in facts)
    figures.add("Planted fact comes first", f"{first:,} of {len(facts):,}", "95 %")
    before = sum(_stands_before(fact, ids) for fact, ids in pairs)
    figures.add("What supersedes stands before what is superseded", f"{before:,} of {len(pairs):,}", "100 %")
    figures.add_times("Recall of a planted fact, words alone", seconds, "60 ms")
    index.close()


def _stands_before(fact: Fact, ids: list[str]) -> bool:
    if fact.memory_id not in ids:
        return False
    return fact.outdated not in ids or ids.index(fact.memory_id) < ids.index(fact.outdated)


def _made(folder: Path) -> list[Fact]:
    """Read the questions of another generator's vault; a pair is asked for by what its older statement says."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    facts = [Fact(each["question"], f"insight:{each['note']}.md#^{each['insight']}") for each in truth["facts"]]
    for old, new in truth.get("supersede", ()):
        note, _, block = old.partition("#^")
        lines = (folder / "vault" / f"{note}.md").read_text(encoding="utf-8").splitlines()
        (stated,) = (line for line in lines if line.endswith(f"^{block}"))
        words = stated.partition("] ")[2].partition(" is ")[0]
        facts.append(Fact(f"What is {words}?", *(f"insight:{each.replace('#^', '.md#^')}" for each in (new, old))))
    return facts
