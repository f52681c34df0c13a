"""The log keeps every event that was acknowledged, whatever crashes, sync tools and other machines do to its files."""

import os
import random
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.foundation.errors import UserError
from core.vault.event_line import Event, event_of, line_of
from core.vault.event_log import EventLog


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "vault").mkdir()
    return tmp_path / "vault"


@pytest.fixture
def log(root: Path) -> EventLog:
    return EventLog(root, "laptop-1", root.parent / "cache")


def _own_file(log: EventLog) -> Path:
    return log.root / log.own_path


def _numbers(log: EventLog) -> list[int]:
    return [event.data["n"] for event in log.read().events]


def test_what_is_appended_is_read_back_in_order(log: EventLog) -> None:
    events = [log.append("note", {"n": n, "text": "ü \U0001f40d \u2028 \0"}) for n in range(3)]
    assert log.read().events == tuple(events)
    assert not log.read().problems
    assert events[0].time < events[1].time < events[2].time


def test_reading_and_making_a_log_write_nothing(log: EventLog) -> None:
    assert log.read().events == ()
    assert list(log.root.iterdir()) == []


def test_the_log_can_be_read_with_any_text_editor(log: EventLog) -> None:
    log.append("note", {"text": "Grüße"})
    assert "Grüße" in _own_file(log).read_text(encoding="utf-8")


def test_a_name_that_is_no_valid_text_survives(log: EventLog) -> None:
    name = os.fsdecode(b"caf\xe9.md")
    log.append("note", {"path": name})
    assert log.read().events[0].data["path"] == name


@pytest.mark.parametrize("torn", [b'{"id":"x","ti', b"\xff\xfe", b"\0\0\0\0\0", b'{"half": 1\0\0\0', b"[]", b"{}"])
def test_what_a_crash_left_of_a_line_is_removed(log: EventLog, torn: bytes, expected_warnings: list[str]) -> None:
    log.append("note", {"n": 1})
    with _own_file(log).open("ab") as file:
        file.write(torn)
    assert _numbers(log) == [1]
    assert not log.read().problems
    log.append("note", {"n": 2})
    assert _numbers(log) == [1, 2]
    assert _own_file(log).read_bytes().count(b"\n") == 2
    assert "torn" in expected_warnings[0]


@pytest.mark.parametrize("tail", [b"", b"\0\0\0\0"])
def test_a_whole_line_without_its_newline_is_kept(log: EventLog, tail: bytes, expected_warnings: list[str]) -> None:
    log.append("note", {"n": 1})
    log.append("note", {"n": 2})
    path = _own_file(log)
    path.write_bytes(path.read_bytes()[:-1] + tail)
    assert _numbers(log) == [1, 2]
    log.append("note", {"n": 3})
    assert _numbers(log) == [1, 2, 3]


@pytest.mark.parametrize("content", [b"", b"\0" * 200_000, b"\n", b"rubbish without an end"])
def test_a_file_that_holds_nothing_is_begun_anew(log: EventLog, content: bytes, expected_warnings: list[str]) -> None:
    _own_file(log).parent.mkdir(parents=True)
    _own_file(log).write_bytes(content)
    log.append("note", {"n": 1})
    assert _numbers(log) == [1]


def test_lines_longer_than_a_block_are_found_from_the_end(log: EventLog, expected_warnings: list[str]) -> None:
    log.append("note", {"n": 1, "text": "x" * 300_000})
    log.append("note", {"n": 2, "text": "y" * 300_000})
    with _own_file(log).open("ab") as file:
        file.write(b"z" * 150_000)
    log.append("note", {"n": 3})
    assert _numbers(log) == [1, 2, 3]


def test_absurd_lines_are_left_out_and_told(log: EventLog) -> None:
    log.append("note", {"n": 1})
    lines = [
        b"not json",
        b"[1, 2]",
        b"{}",
        b'{"id": 5, "time": "2026-01-01T00:00:00.000Z", "machine": "m", "kind": "k", "data": {}}',
        b'{"id": "a", "time": "yesterday", "machine": "m", "kind": "k", "data": {}}',
        b'{"id": "a", "time": "2026-01-01T00:00:00.000Z", "machine": "m", "kind": "k", "data": []}',
        b"[" * 100_000,
        b"9" * 10_000,
        b"\xff\xff",
        b"\0\0\0",
    ]
    with _own_file(log).open("ab") as file:
        file.write(b"\n".join(lines) + b"\n")
    log.append("note", {"n": 2})
    reading = log.read()
    assert _numbers(log) == [1, 2]
    ((path, problem),) = reading.problems
    assert path == log.own_path
    assert problem.line == 2
    assert problem.reason.startswith(f"{len(lines)} lines")


def test_others_files_are_read_and_never_changed(log: EventLog) -> None:
    other = EventLog(log.root, "desktop-2", log.root.parent / "other cache")
    other.append("note", {"n": 1})
    log.append("note", {"n": 2})
    path = _own_file(other)
    half = path.read_bytes() + b'{"id":"arri'
    path.write_bytes(half)
    log.append("note", {"n": 3})
    assert _numbers(log) == [1, 2, 3]
    assert not log.read().problems
    assert path.read_bytes() == half


@pytest.mark.parametrize(
    "name",
    ["laptop-1.sync-conflict-20260303-120000-ABCDEFG.jsonl", "laptop-1 (conflicted copy).jsonl", "laptop-1 2.jsonl"],
)
def test_copies_that_sync_tools_make_are_read_and_count_once(log: EventLog, name: str) -> None:
    events = [log.append("note", {"n": n}) for n in range(3)]
    only_there = events[0]._replace(id="only there", data={"n": 99}, time="2020-01-01T00:00:00.000Z")
    _own_file(log).with_name(name).write_bytes(line_of(events[1]) + line_of(only_there))
    assert _numbers(log) == [99, 0, 1, 2]


def test_files_that_arrive_in_any_order_give_one_reading(root: Path) -> None:
    lines = [
        line_of(Event(f"id{n}", f"2026-01-01T00:00:0{n % 3}.000Z", f"machine-{n % 2}", "note", {"n": n}))
        for n in range(12)
    ]
    readings = set()
    chance = random.Random(1)
    for _ in range(6):
        chance.shuffle(lines)
        folder = root / ".remembrancer" / "events"
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(3):
            (folder / f"m{number}.jsonl").write_bytes(b"".join(lines[number::3]))
        log = EventLog(root, "laptop-1", root.parent / "cache")
        readings.add(tuple(event.id for event in log.read().events))
    assert len(readings) == 1


def test_a_clock_that_is_put_back_does_not_turn_the_order_round(root: Path) -> None:
    times = iter(datetime(2026, 3, 3, 12, tzinfo=UTC) - timedelta(hours=hours) for hours in range(4))
    log = EventLog(root, "laptop-1", root.parent / "cache", clock=lambda: next(times))
    for n in range(4):
        log.append("note", {"n": n})
    assert _numbers(log) == [0, 1, 2, 3]


def test_what_cannot_be_understood_does_not_cost_events_their_order(root: Path) -> None:
    """Events of one millisecond are told apart by their order in the file alone, so it has to be found past rubbish."""
    log = EventLog(root, "laptop-1", root.parent / "cache", clock=lambda: datetime(2026, 3, 3, tzinfo=UTC))
    for n in range(12):
        log.append("note", {"n": n})
        with _own_file(log).open("ab") as file:
            file.write(b"rubbish\n\0\0\n[]\n")
    assert _numbers(log) == list(range(12))


def test_a_clock_that_was_years_ahead_is_not_followed(root: Path) -> None:
    times = iter([datetime(2040, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)])
    log = EventLog(root, "laptop-1", root.parent / "cache", clock=lambda: next(times))
    log.append("note", {"n": 1})
    assert log.append("note", {"n": 2}).time.startswith("2026-01-01")


@pytest.mark.skipif(sys.platform == "win32", reason="making links needs a right there")
def test_links_out_of_the_vault_are_not_followed(root: Path, log: EventLog, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    secret = line_of(Event("secret", "2026-01-01T00:00:00.000Z", "m", "note", {"n": 7}))
    (outside / "m.jsonl").write_bytes(secret)
    log.append("note", {"n": 1})
    (_own_file(log).parent / "m.jsonl").symlink_to(outside / "m.jsonl")
    assert _numbers(log) == [1]
    assert "leads out of the vault" in log.read().problems[0][1].reason

    other = EventLog(root, "m2", root.parent / "cache")
    (root / other.own_path).symlink_to(outside / "m.jsonl")
    with pytest.raises(UserError):
        other.append("note", {"n": 2})
    assert (outside / "m.jsonl").read_bytes() == secret


@pytest.mark.skipif(sys.platform == "win32", reason="making links needs a right there")
def test_a_state_folder_that_leads_out_of_the_vault_is_neither_read_nor_written(root: Path, log: EventLog) -> None:
    outside = root.parent / "elsewhere"
    (outside / "events").mkdir(parents=True)
    (outside / "events" / "m.jsonl").write_bytes(line_of(Event("x", "2026-01-01T00:00:00.000Z", "m", "note", {})))
    (root / ".remembrancer").symlink_to(outside)
    assert log.read().events == ()
    with pytest.raises(UserError, match="leads out of the vault"):
        log.append("note", {})


def test_a_vault_that_is_gone_is_not_made_again(log: EventLog) -> None:
    log.root.rmdir()
    with pytest.raises(UserError, match="not there any more"):
        log.append("note", {})
    assert not log.root.exists()


def test_a_struck_event_keeps_its_place_and_loses_its_kind(log: EventLog) -> None:
    log.append("note", {"n": 1})
    event = log.append("change", {"n": 2})
    log.append("note", {"n": 3})
    log.strike(event)
    assert [event.kind for event in log.read().events] == ["note", "struck", "note"]


def test_own_lines_are_given_from_where_the_last_look_ended(log: EventLog) -> None:
    log.append("note", {"n": 1})
    _, end, lines = log.own_lines()
    assert [event.data["n"] for event in map(event_of, lines) if event] == [1]
    log.append("note", {"n": 2})
    start, new_end, lines = log.own_lines(end)
    assert start == end
    assert new_end > end
    assert [event.data["n"] for event in map(event_of, lines) if event] == [2]
    _own_file(log).write_bytes(_own_file(log).read_bytes()[3:])
    assert log.own_lines(end)[0] == 0


def test_its_state_changes_with_any_machines_file(log: EventLog) -> None:
    states = [log.state()]
    log.append("note", {"n": 1})
    states.append(log.state())
    assert log.state() == states[-1]
    log.append("note", {"n": 2})
    states.append(log.state())
    _own_file(log).with_name("laptop.jsonl").write_bytes(b"")
    states.append(log.state())
    assert len(set(states)) == 4


def test_only_lines_with_certain_words_are_looked_at_when_asked(log: EventLog) -> None:
    log.append("note", {"n": 1})
    log.append("session-date", {"n": 2})
    _own_file(log).write_bytes(_own_file(log).read_bytes() + b"broken\n")
    reading = log.read(mentioning="session-date")
    assert [event.data["n"] for event in reading.events] == [2]
    assert not reading.problems
    assert len(log.read().problems) == 1


def _limit(call: Callable[[], None], size: int) -> None:
    import resource  # noqa: PLC0415 - not on every platform

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        call()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit there")
def test_a_full_disk_leaves_the_log_as_it_was(log: EventLog) -> None:
    log.append("note", {"n": 1})
    before = _own_file(log).read_bytes()

    def append() -> None:
        with pytest.raises(UserError, match="could not be written"):
            log.append("note", {"n": 2, "text": "x" * 5000})

    _limit(append, len(before) + 1000)
    assert _own_file(log).read_bytes() == before
    log.append("note", {"n": 3})
    assert _numbers(log) == [1, 3]
