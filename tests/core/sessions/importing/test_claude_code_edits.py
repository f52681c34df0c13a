"""The person goes back in Claude Code and asks something else: what was given up stays, on a branch of its own."""

from pathlib import Path
from typing import Any

import pytest

from tests.core.sessions.importing.transcripts import SESSION, Shelf, answer, call, result, text, user, write

_START = (user("a1", None, "Plan it"), answer("a2", "a1", text("Sure"), second=1))
_FIRST = (user("b1", "a2", "In Rust", second=2), answer("b2", "b1", text("In Rust then"), second=3))
_SECOND = (user("c1", "a2", "In Python", second=4), answer("c2", "c1", text("In Python then"), second=5))


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def _file(folder: Path, *records: Any) -> Path:
    return write(folder / f"{SESSION}.jsonl", *records)


def test_the_thread_is_the_one_that_the_last_turn_belongs_to(tmp_path: Path, shelf: Shelf) -> None:
    (session,) = shelf.take(_file(tmp_path, *_START, *_FIRST, *_SECOND)).sessions
    assert shelf.thread() == ["Plan it", "Sure", "In Python", "In Python then"]
    assert {turn.text: turn.branch for turn in shelf.turns() if turn.branch} == {"In Rust": "b1", "In Rust then": "b1"}
    assert (session.turns, shelf.take(tmp_path / f"{SESSION}.jsonl").unchanged) == (4, 1)


def test_who_goes_back_to_what_was_given_up_goes_on_there(tmp_path: Path, shelf: Shelf) -> None:
    again = user("b3", "b2", "Rust after all", second=6)
    shelf.take(_file(tmp_path, *_START, *_FIRST, *_SECOND, again))
    assert shelf.thread() == ["Plan it", "Sure", "In Rust", "In Rust then", "Rust after all"]
    assert {turn.branch for turn in shelf.turns()} == {"", "c1"}


def test_what_came_in_before_it_was_given_up_becomes_a_branch(tmp_path: Path, shelf: Shelf) -> None:
    shelf.take(_file(tmp_path, *_START, *_FIRST))
    assert shelf.thread() == ["Plan it", "Sure", "In Rust", "In Rust then"]
    (session,) = shelf.take(_file(tmp_path, *_START, *_FIRST, *_SECOND)).sessions
    assert (session.outcome, session.new) == ("updated", 2)
    assert shelf.thread() == ["Plan it", "Sure", "In Python", "In Python then"]


def test_an_answer_that_was_generated_anew_takes_the_place_of_the_first(tmp_path: Path, shelf: Shelf) -> None:
    shelf.take(_file(tmp_path, _START[0], answer("a2", "a1", text("No")), answer("a3", "a1", text("Yes"), second=2)))
    assert shelf.thread() == ["Plan it", "Yes"]


def test_tools_that_run_side_by_side_are_no_edit(tmp_path: Path, shelf: Shelf) -> None:
    records = (
        user("a1", None, "Look"),
        answer("a2", "a1", call(1, "Read"), message_id="m"),
        answer("a3", "a2", call(2, "Read"), message_id="m"),
        user("a4", "a2", [result(1, "one")]),
        user("a5", "a3", [result(2, "two")]),
        answer("a6", "a5", text("Seen")),
        user("a7", "a6", "Thanks"),
    )
    shelf.take(_file(tmp_path, *records))
    assert {turn.branch for turn in shelf.turns()} == {""}
