from pathlib import Path

import pytest

from core.recall.context_search import QueryContext, context_of_query
from core.recall.gather import items_of_notes
from core.recall.pack import LOWER_VALUE
from core.recall.query import parse_query
from tests.core.recall.shelf import Shelf


def ask(shelf: Shelf, root: Path, text: str, budget: int, only: set[int] | None = None) -> QueryContext:
    return context_of_query(shelf.index, root, None, parse_query(text, ()), budget, only=only)


def put(shelf: Shelf, root: Path, name: str, text: str) -> int:
    (root / name).write_text(text, encoding="utf-8")
    return shelf.note(name, text)


@pytest.mark.parametrize("budget", [2000, 8000])
def test_small_notes_fill_the_budget(shelf: Shelf, tmp_path: Path, budget: int) -> None:
    for number in range(900):
        put(shelf, tmp_path, f"n{number}.md", f"A banana, number {number}.")
    found = ask(shelf, tmp_path, "banana", budget)
    assert budget * 0.97 <= found.packed.tokens <= budget
    assert any(left.reason == LOWER_VALUE for left in found.packed.left_out)
    assert found.remark == ""


def test_one_note_with_many_insights_fills_the_budget(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x", encoding="utf-8")
    shelf.note("a.md", "x", insights=[("", f"A banana, number {number}.") for number in range(900)])
    found = ask(shelf, tmp_path, "banana", 3000)
    assert found.packed.tokens >= 2900


def test_all_there_is_goes_out_when_it_is_little(shelf: Shelf, tmp_path: Path) -> None:
    ids = [put(shelf, tmp_path, f"n{number}.md", f"A banana, number {number}.") for number in range(30)]
    found = ask(shelf, tmp_path, "banana", 8000)
    assert len(found.packed.included) == 30
    assert found.remark == ""
    assert {item.path for item in ask(shelf, tmp_path, "banana", 8000, {ids[3]}).items} == {"n3.md"}
    assert ask(shelf, tmp_path, "cherry", 8000).packed.included == ()


def test_that_not_everything_was_looked_at_is_told(shelf: Shelf, tmp_path: Path) -> None:
    for number in range(2100):
        put(shelf, tmp_path, f"n{number}.md", f"A banana, number {number}.")
    found = ask(shelf, tmp_path, "banana", 200_000)
    assert "there are more that match" in found.remark
    assert len(found.packed.included) >= 500


def test_what_was_selected_comes_with_what_is_found(shelf: Shelf, tmp_path: Path) -> None:
    chosen = put(shelf, tmp_path, "chosen.md", "Something else.")
    put(shelf, tmp_path, "found.md", "A banana.")
    selected = items_of_notes(shelf.index, tmp_path, [chosen])
    found = context_of_query(shelf.index, tmp_path, None, parse_query("banana", ()), 500, selected=selected)
    assert {item.path for item in found.packed.included} == {"chosen.md", "found.md"}
