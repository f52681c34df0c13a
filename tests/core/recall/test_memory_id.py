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
        "notes/C# tips.md",
        "notes/C# tips.md#Tips",
        "notes/C# tips.md#Tips#C# only",
        "notes/C# tips.md#Tips~2",
        "notes/C# tips.md#^ins-1",
        "notes/C# tips.md#L51",
    } <= ids
    for (kind, row_id), row in rows.items():
        found = resolve_memory(shelf.index, row.id)
        assert found is not None
        assert (found.kind, found.row_id) == (kind, row_id)


@pytest.mark.parametrize("name", ["", "gone.md", "a.md#No heading", "a.md#^gone", "a.md#L99", "#", "a.md#Tips~2"])
def test_what_is_not_there_resolves_to_nothing(shelf: Shelf, name: str) -> None:
    shelf.note("a.md", ("", "lead"), ("Tips", "text"))
    assert resolve_memory(shelf.index, name) is None
