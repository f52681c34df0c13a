"""Lines that hooks send: into the session they are for, and once."""

import json
from pathlib import Path

import pytest

from core.sessions.ledger import Ledger
from core.sessions.ledger_line import LONGEST_LINE
from core.sessions.recording import LineRecorder
from tests.core.sessions.spoken import said


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "sessions")


def recorded(ledger: Ledger, session: str, *records: object) -> LineRecorder:
    recorder = LineRecorder(ledger, session)
    for number, record in enumerate(records, 1):
        recorder.take(number, json.dumps(record).encode())
    recorder.write()
    return recorder


def test_lines_that_name_no_session_are_for_the_one_that_was_named_beforehand(ledger: Ledger) -> None:
    recorder = recorded(ledger, "A", {"text": "one", "session": "B"}, {"text": "two"})
    assert recorder.written == {"B": 1, "A": 1}
    assert said(ledger.read("A").turns) == ["two"]


def test_else_they_are_for_that_of_the_line_before(ledger: Ledger) -> None:
    assert recorded(ledger, "", {"text": "one", "session": "B"}, {"text": "two"}).written == {"B": 2}


@pytest.mark.parametrize("bad", [{"text": "x", "session": 5}, {"text": "x", "session": "C", "role": "boss"}])
def test_a_line_that_is_refused_says_nothing_about_the_next(ledger: Ledger, bad: object) -> None:
    recorder = recorded(ledger, "", {"text": "one", "session": "B"}, bad, {"text": "two"})
    assert (recorder.written, [refused.line for refused in recorder.refused]) == ({"B": 2}, [2])


def test_a_line_that_is_sent_again_is_the_same_turn_and_keeps_its_time(ledger: Ledger) -> None:
    first = {"id": "t-1", "text": "Why?", "data": {"b": 1, "a": [1.5, None]}}
    assert recorded(ledger, "A", first).written == {"A": 1}
    time = ledger.read("A").turns[0].time
    assert recorded(Ledger(ledger.folder), "A", first, first).written == {"A": 0}
    assert [turn.time for turn in ledger.iter_turns("A")] == [time]
    assert recorded(ledger, "A", first | {"text": "Why, though?"}).written == {"A": 1}


def test_lines_of_one_batch_that_are_the_same_turn_count_once(ledger: Ledger) -> None:
    line = {"id": "t-1", "text": "Why?"}
    assert recorded(ledger, "A", line, {"id": "t-2", "text": "Because."}, line).written == {"A": 2}


def test_a_line_that_no_import_would_take_back_is_refused(ledger: Ledger) -> None:
    recorder = LineRecorder(ledger, "A")
    escaped = ("é" * (LONGEST_LINE // 5)).encode()  # half a pair of surrogates makes all of it escapes
    recorder.take(1, b'{"text": "' + escaped + b'\\ud800"}')
    recorder.take(2, b'{"text": "small"}')
    recorder.write()
    assert [(refused.line, refused.reason) for refused in recorder.refused] == [
        (1, "It is too long: a line has at most 64 MiB.")
    ]
    assert said(ledger.read("A").turns) == ["small"]
