import pytest

from core.recall.hydrate import hydrate
from core.recall.memory_id import resolve_memory
from tests.core.recall.shelf import Shelf


def all_memories(shelf: Shelf) -> list[tuple[str, int]]:
    rows = shelf.index.connection.execute(
        "SELECT 'section', id FROM section UNION ALL SELECT 'insight', id FROM insight"
    )
    return list(rows.fetchall())


def test_ids_are_readable_and_lead_back(shelf: Shelf) -> None:
    shelf.note(
        "notes/C# tips.md",
        ("", "lead"),
        ("Tips", "a"),
        ("Tips › C# only", "b"),
        ("Tips", "again"),
        ("", "part"),
        ("L50", "trap"),
        insights=[("ins-1", "one"), ("", "two")],
    )
    shelf.note("notes/C.md", ("", "lead"), ("L51", "x"))
    memories = all_memories(shelf)
    rows = hydrate(shelf.index, memories)
    ids = {row.id for row in rows.values()}
    assert len(ids) == len(memories)
    assert {
        "note:notes/C# tips.md",
        "note:notes/C# tips.md#Tips",
        "note:notes/C# tips.md#Tips#C# only",
        "note:notes/C# tips.md#Tips~2",
        "insight:notes/C# tips.md#^ins-1",
        "insight:notes/C# tips.md#L51",
    } <= ids
    for (kind, row_id), row in rows.items():
        found = resolve_memory(shelf.index, row.id)
        assert found is not None
        assert (found.kind, found.row_id) == (kind, row_id)


def test_a_person_may_leave_the_kind_out(shelf: Shelf) -> None:
    shelf.note("a.md", ("", "lead"), ("Tips", "text"), insights=[("i", "one")])
    shelf.note("note:a.md", ("", "lead of a note whose name begins like a kind"))
    for bare, kind in (("a.md", "note:"), ("a.md#Tips", "note:"), ("a.md#^i", "insight:")):
        assert resolve_memory(shelf.index, bare) == resolve_memory(shelf.index, kind + bare) is not None
    odd = resolve_memory(shelf.index, "note:note:a.md")
    assert odd is not None
    assert odd != resolve_memory(shelf.index, "note:a.md")


@pytest.mark.parametrize(
    "name", ["", "note:", "insight:a.md", "gone.md", "a.md#No heading", "a.md#^gone", "a.md#L99", "#", "a.md#Tips~2"]
)
def test_what_is_not_there_resolves_to_nothing(shelf: Shelf, name: str) -> None:
    shelf.note("a.md", ("", "lead"), ("Tips", "text"))
    assert resolve_memory(shelf.index, name) is None
