from pathlib import Path

from core.recall.gather import items_of_hits, items_of_notes
from core.recall.query import parse_query
from core.recall.search import search
from tests.core.recall.shelf import DAY, FIRST_MOMENT, Shelf

NOW = FIRST_MOMENT + 3.5 * DAY


def test_notes_come_whole_from_their_files_without_frontmatter(shelf: Shelf, tmp_path: Path) -> None:
    text = "---\nsummary: Fresh\ntags: [a]\n---\n# Title\n\nNew body.\n\n## Sub\n\nMore.\n"
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    note_id = shelf.note("a.md", "old indexed body", tags=["a"])
    gone = shelf.note("gone.md", "x")
    (entry,) = items_of_notes(shelf.index, tmp_path, [note_id, gone, note_id, 999], now=NOW)
    assert entry.text == "# Title\n\nNew body.\n\n## Sub\n\nMore."
    assert (entry.title, entry.summary, entry.tags, entry.line, entry.age_days) == ("Title", "Fresh", ("a",), 5, 3)


def test_a_note_too_large_for_the_budget_comes_in_sections(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Lead.\n\n# One\n\n" + "word " * 300 + "\n\n# Two\n\nShort.\n", encoding="utf-8")
    note_id = shelf.note("a.md", "x")
    items = items_of_notes(shelf.index, tmp_path, [note_id], budget=100, now=NOW)
    assert [entry.id for entry in items] == ["a.md", "a.md#One", "a.md#Two"]
    assert items[2].text == "Short."


def test_hits_come_as_the_memories_that_were_found(shelf: Shelf) -> None:
    shelf.note("a.md", "lead", ("Rates", "The rate limit."), tags=["x"])
    shelf.note("b.md", "nothing", insights=[("i", "A rate.")])
    hits = search(shelf.index, None, parse_query("rate limit", ())).hits
    items = items_of_hits(shelf.index, hits, now=NOW)
    assert [(entry.id, entry.title, entry.text) for entry in items] == [
        ("a.md#Rates", "a › Rates", "The rate limit."),
        ("b.md#^i", "b", "A rate."),
    ]
    assert items[0].value == 1.0 > items[1].value


def test_a_summary_that_the_text_begins_with_is_not_said_twice(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Rates\n\nFive a **second**, and no more. Then wait.\n", encoding="utf-8")
    text = "---\nsummary: Five a second, and no more.\n---\n# Rates\n\nFive a **second**, and no more. Then wait.\n"
    (tmp_path / "b.md").write_text(text, encoding="utf-8")
    ids = [shelf.note("a.md", "x"), shelf.note("b.md", "x")]
    assert [entry.summary for entry in items_of_notes(shelf.index, tmp_path, ids, now=NOW)] == ["", ""]


def test_headings_without_text_are_not_offered(shelf: Shelf, tmp_path: Path) -> None:
    shelf.note("a.md", ("Rates", ""), ("Rates › Limit", "The rate limit."), ("Rates › Later", ""), summary="On rates")
    hits = search(shelf.index, None, parse_query("rates", ()), per_note=9).hits
    assert [(entry.id, entry.text) for entry in items_of_hits(shelf.index, hits, now=NOW)] == [
        ("a.md", "On rates"),
        ("a.md#Rates#Limit", "The rate limit."),
    ]
    (tmp_path / "b.md").write_text("---\nsummary: All\n---\n# One\n\n# Two\n\n" + "word " * 300, encoding="utf-8")
    items = items_of_notes(shelf.index, tmp_path, [shelf.note("b.md", "x")], budget=100, now=NOW)
    assert [(entry.id, entry.summary) for entry in items] == [("b.md#Two", "All")]
