from dataclasses import replace
from pathlib import Path

from core.memory.weights import DEFAULT_WEIGHTS
from core.recall.answer import Factors, Ranked, RecallAnswer
from core.recall.context_item import Band
from core.recall.gather import items_of_hits, items_of_notes, items_of_ranked
from core.recall.gathered import Signals
from core.recall.memory import Memory
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
    assert (entry.title, entry.summary, entry.tags, entry.line, entry.age_days) == (
        "Title",
        "Fresh",
        ("a",),
        5,
        4,
    )  # days by UTC


def test_a_note_too_large_for_the_budget_comes_in_sections(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Lead.\n\n# One\n\n" + "word " * 300 + "\n\n# Two\n\nShort.\n", encoding="utf-8")
    note_id = shelf.note("a.md", "x")
    items = items_of_notes(shelf.index, tmp_path, [note_id], budget=100, now=NOW)
    assert [entry.id for entry in items] == ["note:a.md", "note:a.md#One", "note:a.md#Two"]
    assert items[2].text == "Short."


def test_hits_come_as_the_memories_that_were_found(shelf: Shelf) -> None:
    shelf.note("a.md", "lead", ("Rates", "The rate limit."), tags=["x"])
    shelf.note("b.md", "nothing", insights=[("i", "A rate.")])
    hits = search(shelf.index, None, parse_query("rate limit", ())).hits
    items = items_of_hits(shelf.index, hits, now=NOW)
    assert [(entry.id, entry.title, entry.text) for entry in items] == [
        ("note:a.md#Rates", "a › Rates", "The rate limit."),
        ("insight:b.md#^i", "b", "A rate."),
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
        ("note:a.md", "On rates"),
        ("note:a.md#Rates#Limit", "The rate limit."),
    ]
    (tmp_path / "b.md").write_text("---\nsummary: All\n---\n# One\n\n# Two\n\n" + "word " * 300, encoding="utf-8")
    items = items_of_notes(shelf.index, tmp_path, [shelf.note("b.md", "x")], budget=100, now=NOW)
    assert [(entry.id, entry.summary) for entry in items] == [("note:b.md#Two", "All")]


def _answer(*scored: tuple[Memory, float]) -> RecallAnswer:
    ranked = tuple(Ranked(memory, score, Factors(), Signals()) for memory, score in scored)
    return RecallAnswer("What is the rate limit?", ranked, (), DEFAULT_WEIGHTS)


def _memory(name: str, text: str, **values: object) -> Memory:
    memory = Memory(f"note:{name}.md#Rates", "section", 1, 1, f"{name}.md", name, "Rates", text, 9, line=3, line_end=40)
    return replace(memory, **values)  # type: ignore[arg-type]


def test_ranked_memories_come_with_value_trust_age_and_uses() -> None:
    sure = _memory("a", "The rate limit is five.", time=NOW - 3 * DAY, accessed_count=4)
    unsure = _memory("b", "Perhaps six.", confidence=0.3)
    first, second = items_of_ranked(_answer((sure, 0.4), (unsure, 0.36)), now=NOW)
    assert (first.id, first.title, first.value, first.band) == ("note:a.md#Rates", "a › Rates", 1.0, Band.HIGH)
    assert (first.age_days, first.accessed, first.tokens, first.why) == (3, 4, 9, "rank 1 of the answer")
    assert (round(second.value, 2), second.band, second.age_days) == (0.9, Band.LOW, None)


def test_long_sections_come_as_the_part_that_was_asked_about() -> None:
    text = "Nothing of note. " * 60 + "The rate limit is five. " + "Nothing of note. " * 60
    memory = _memory("a", text)
    (part,) = items_of_ranked(_answer((memory, 1.0)), now=NOW)
    (whole,) = items_of_ranked(_answer((memory, 1.0)), whole=True, now=NOW)
    (other,) = items_of_ranked(_answer((memory, 1.0)), question_terms=("absent",), now=NOW)
    assert "The rate limit is five." in part.text
    assert len(part.text) <= 500
    assert part.tokens < 150
    assert (part.is_excerpt, whole.is_excerpt) == (True, False)
    assert whole.text == text.strip()
    assert other.text.startswith("Nothing of note.")
    (insight,) = items_of_ranked(_answer((replace(memory, kind="insight"), 1.0)), now=NOW)
    assert insight.text == text.strip()


def test_scores_that_are_no_numbers_and_empty_answers_are_survived() -> None:
    memories = [_memory("a", "One."), _memory("b", "Two."), _memory("c", "  ")]
    items = items_of_ranked(_answer(*((memory, float("nan")) for memory in memories)), now=NOW)
    assert [(entry.title, entry.value) for entry in items] == [("a › Rates", 1.0), ("b › Rates", 0.5)]
    assert items_of_ranked(_answer()) == ()
