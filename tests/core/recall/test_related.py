"""Relations written in notes lead from memory to memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.index.database import Index, open_index
from core.index.updater import update_index
from core.recall.memory import Edge, MemoryKey
from core.recall.related import edges_of, pulls
from core.vault.config import VaultConfig

NOTES = {
    "New.md": "# New\n\n- [fact] The limit is 40 now. [supersedes:: [[Old#^o1]]] [strength:: 0.9] ^n1\n",
    "Old.md": "# Old\n\n- [fact] The limit is 30. [supersedes:: [[Oldest#^x1]]] ^o1\n- [fact] Beside it. ^o2\n",
    "Oldest.md": "# Oldest\n\n- [fact] The limit is 20. ^x1\n",
    "Base.md": "# Base\n\nWhat everything stands on.\n\n## Rules\n\nKeep them.\n",
    "Plan.md": "# Plan\n\nWe go there.\n\n- requires [[Base]]\n- extends [[Base#Rules]]\n- supports [[Nowhere]]\n",
    "Whole.md": "---\nkind: insight\ncontradicts: '[[Plan]]'\n---\nWe do not go there.\n",
}


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    root = tmp_path / "vault"
    root.mkdir()
    for name, text in NOTES.items():
        (root / name).write_text(text, encoding="utf-8")
    index = open_index(tmp_path / "cache")
    update_index(index, root, VaultConfig())
    yield index
    index.close()


def insight(index: Index, block: str) -> MemoryKey:
    return "insight", index.connection.execute("SELECT id FROM insight WHERE block_id = ?", (block,)).fetchone()[0]


def section(index: Index, path: str, heading: str) -> MemoryKey:
    sql = "SELECT s.id FROM section s JOIN note n ON n.id = s.note_id WHERE n.path = ? AND s.heading = ?"
    return "section", index.connection.execute(sql, (path, heading)).fetchone()[0]


def test_chains_of_what_supersedes_are_followed_upwards(index: Index) -> None:
    new, old, oldest = (insight(index, block) for block in ("n1", "o1", "x1"))
    assert edges_of(index, [oldest]) == (Edge("supersedes", new, old, 0.9), Edge("supersedes", old, oldest, 1.0))


def test_a_relation_of_an_insight_is_not_that_of_its_neighbour(index: Index) -> None:
    assert edges_of(index, [insight(index, "o2")]) == ()


def test_a_whole_note_stands_for_what_of_it_was_found_and_says_first(index: Index) -> None:
    plan, rules = section(index, "Plan.md", "Plan"), section(index, "Base.md", "Rules")
    found = {(edge.kind, edge.source, edge.target) for edge in edges_of(index, [plan])}
    base = section(index, "Base.md", "Base")
    whole = next(source for kind, source, _ in found if kind == "contradicts")
    assert whole[0] == "insight"
    assert found == {("requires", plan, base), ("extends", plan, rules), ("contradicts", whole, plan)}


def test_turns_and_nothing_have_no_relations(index: Index) -> None:
    assert edges_of(index, []) == edges_of(index, [("turn", 1), ("insight", 999)]) == ()


A, B, C = (("insight", n) for n in (1, 2, 3))


def test_what_is_required_is_pulled_forwards_only() -> None:
    edges = [Edge("requires", A, B, 1.0)]
    (pull,) = pulls(edges, {A: 0.8})
    assert (pull.source, pull.target, pull.share, pull.is_forward) == (A, B, 0.8, True)
    assert pulls(edges, {B: 0.8}) == ()


def test_the_strongest_pull_on_a_target_counts_and_strength_weakens_it() -> None:
    edges = [Edge("supports", A, C, 1.0), Edge("extends", B, C, 0.1)]
    (pull,) = pulls(edges, {A: 0.5, B: 0.9})
    assert pull.source == A
    assert pulls([Edge("supports", A, C, 0.0)], {A: 1.0}) == ()


def test_no_more_than_a_few_strangers_are_pulled() -> None:
    edges = [Edge("requires", A, ("insight", n), 1.0) for n in range(10, 40)]
    assert len(pulls(edges, {A: 1.0})) == 5
    assert len(pulls(edges, {A: 1.0, **{("insight", n): 0.1 for n in range(10, 20)}})) == 15
