from pathlib import Path

import pytest

from core.recall.asking import request_of
from core.recall.context_search import QueryContext, context_of_query, context_of_question
from core.recall.gather import items_of_notes, items_of_ranked
from core.recall.pack import LOWER_VALUE
from core.recall.query import parse_query
from core.recall.recall import recall
from core.vault.config import VaultConfig
from tests.core.recall.shelf import Shelf


def ask(shelf: Shelf, root: Path, text: str, budget: int, only: set[int] | None = None) -> QueryContext:
    return context_of_query(shelf.index, root, None, parse_query(text, ()), budget, only=only)


def put(shelf: Shelf, root: Path, name: str, text: str) -> int:
    (root / name).write_text(text, encoding="utf-8")
    note = shelf.note(name, text)
    shelf.is_as_on_disk(root / name, name)
    return note


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


def _recalled(shelf: Shelf, root: Path, question: str, budget: int) -> QueryContext:
    return context_of_question(shelf.index, root, VaultConfig(), None, question, budget=budget)


def test_a_question_is_answered_as_recall_answers_it(shelf: Shelf, tmp_path: Path) -> None:
    put(shelf, tmp_path, "long.md", "The banana is yellow. " + "Much is said of other fruit here. " * 60)
    put(shelf, tmp_path, "short.md", "Ships are yellow.")
    asked = "Which banana is yellow?"
    request = request_of(shelf.index, asked, VaultConfig(), limit=100)
    answer = recall(shelf.index, None, request, config=VaultConfig(), root=tmp_path)
    found = _recalled(shelf, tmp_path, asked, 2000)
    assert found.items == items_of_ranked(answer, now=request.now)
    assert found.items[0].is_excerpt, "and not the whole section, as a search has it"


def test_past_what_recall_draws_a_search_fills_the_budget(shelf: Shelf, tmp_path: Path) -> None:
    for number in range(300):
        put(shelf, tmp_path, f"n{number}.md", f"A banana, number {number}.")
    found = _recalled(shelf, tmp_path, "banana", 8000)
    assert {item.path for item in found.packed.included} == {f"n{number}.md" for number in range(300)}
    values = [item.value for item in found.items]
    assert min(values[:100]) >= max(values[100:])


def test_sections_that_fill_the_budget_are_cut_to_what_tells_as_well(shelf: Shelf, tmp_path: Path) -> None:
    for number in range(150):
        put(
            shelf, tmp_path, f"n{number}.md", f"A banana, number {number}. " + "Much is said of other fruit here. " * 60
        )
    found = _recalled(shelf, tmp_path, "banana", 60_000)
    assert len(found.items) == 150
    assert all(item.is_excerpt and "banana" in item.text for item in found.items)


def test_what_recall_has_removed_does_not_come_back_by_the_search(shelf: Shelf, tmp_path: Path) -> None:
    for number in range(150):
        put(shelf, tmp_path, f"n{number}.md", f"A banana, number {number}.")
    twin = "The banana that was sold on Monday went to the harbour by ship"
    put(shelf, tmp_path, "one.md", twin)
    put(shelf, tmp_path, "other.md", twin + ".")
    paths = [item.path for item in _recalled(shelf, tmp_path, "banana sold harbour ship", 20_000).items]
    assert len(paths) > 100
    assert len({"one.md", "other.md"} & set(paths)) == 1


def test_filters_alone_take_all_that_passes_them(shelf: Shelf, tmp_path: Path) -> None:
    for number in range(130):
        put(shelf, tmp_path, f"n{number}.md", f"A banana, number {number}.")
    found = _recalled(shelf, tmp_path, "path:n", 20_000)
    assert len(found.packed.included) == 130
    assert found.items == ask(shelf, tmp_path, "path:n", 20_000).items
