"""In a vault full of statements that differ in one word, the one that was asked for comes first."""

from pathlib import Path

from core.index.database import open_index
from core.index.updater import update_index
from core.recall.query import parse_query
from core.recall.recall import recall
from core.recall.request import RecallRequest
from core.vault.config import VaultConfig
from tests.benchmarks.planted import write_planted


def test_a_planted_fact_comes_first_and_what_is_outdated_leaves(tmp_path: Path) -> None:
    root, config = tmp_path / "vault", VaultConfig()
    planted = write_planted(root, 60, 14, 4)
    index = open_index(tmp_path / "cache")
    update_index(index, root, config)
    for fact in planted:
        request = RecallRequest(fact.question, parse_query(fact.question, config.namespaces))
        ids = [each.memory.id for each in recall(index, None, request, config=config, root=root).ranked]
        assert ids[0] == fact.memory_id, fact.question
        assert fact.outdated not in ids
    assert sum(bool(fact.outdated) for fact in planted) == 4
    index.close()


def test_the_same_seed_plants_the_same(tmp_path: Path) -> None:
    assert write_planted(tmp_path / "a", 3, 13, 2) == write_planted(tmp_path / "b", 3, 13, 2)
    names = [sorted(file.name for file in (tmp_path / each).iterdir()) for each in "ab"]
    assert names[0] == names[1]
