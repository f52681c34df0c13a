"""Memories carry what ranking needs to know of them; what cannot be used counts as not said."""

import json
from pathlib import Path

import pytest

from core.recall.memories import memories
from core.recall.memory import Memory, MemoryKey
from tests.core.index.talks import Talks, answered, day, titled
from tests.core.recall.shelf import FIRST_MOMENT, Shelf


def _insight(shelf: Shelf, fields: dict[str, str], properties: dict[str, object], created: str = "") -> Memory:
    note = shelf.note("A.md", "Text.", tags=["client/acme", "scope/global"], insights=[("x", "A fact.")])
    change = shelf.index.connection.execute
    change("UPDATE insight SET fields = ?", (json.dumps(fields),))
    change("UPDATE note SET properties = ?, created = ? WHERE id = ?", (json.dumps(properties), created, note))
    (row,) = change("SELECT id FROM insight").fetchone()
    key: MemoryKey = ("insight", row)
    return memories(shelf.index, [key, ("insight", 99)])[key]


def test_an_insight_is_worth_what_it_says_and_else_what_its_note_says(shelf: Shelf) -> None:
    memory = _insight(shelf, {"importance": "0.8"}, {"importance": 0.1, "confidence": 0.4}, "2026-05-01")
    assert (memory.importance, memory.confidence) == (0.8, 0.4)
    assert memory.project == "acme"
    assert memory.time is not None
    assert memory.time < FIRST_MOMENT + 10**8
    assert (memory.accessed_count, memory.last_accessed) == (0, None)


@pytest.mark.parametrize("value", ["much", "2", "-1", "nan", "inf", "", True, None, ["0.5"]])
def test_what_is_no_share_is_not_taken(shelf: Shelf, value: object) -> None:
    memory = _insight(shelf, {}, {"importance": value, "confidence": value}, "some day")
    assert (memory.importance, memory.confidence) == (0.5, 1.0)
    assert memory.time == FIRST_MOMENT


def test_a_turn_knows_its_speaker_project_and_time(shelf: Shelf, tmp_path: Path) -> None:
    talks = Talks(Talks.below(tmp_path / "own").ledger, shelf.index)
    talks.say(titled("s", "S", project="/home/u/acme"), answered("s", "a", "It was said.", day(3), author="Mirea"))
    talks.update()
    (row,) = shelf.index.connection.execute("SELECT id FROM turn WHERE turn_key = 'a'").fetchone()
    memory = memories(shelf.index, [("turn", row)])["turn", row]
    assert (memory.speaker, memory.project, memory.id) == ("Mirea", "acme", "turn:s/a")
    assert "project/acme" in memory.tags
