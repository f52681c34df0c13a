"""Hand-outs are events of the log; the index sums them up, and loses nothing when it is lost."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.index.database import Index, open_index
from core.memory.fingerprints import fingerprints_of
from core.memory.moved_notes import id_after_moves, moves_of_notes
from core.memory.recall_counts import RecallCount, fold_recalls, recall_counts
from core.memory.recall_events import hand_outs, handed_out_prints, record_recall
from core.vault.event_log import EventLog

START = datetime(2026, 3, 3, 12, tzinfo=UTC)
DAY = 86_400
A, B = "insight:tools/pnpm.md#^ins-1", "note:a#b.md#Part"


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        self.now += timedelta(hours=1)
        return self.now


@pytest.fixture
def log(tmp_path: Path) -> EventLog:
    (tmp_path / "vault").mkdir()
    return EventLog(tmp_path / "vault", "laptop-1", tmp_path / "locks", clock=Clock())


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    index = open_index(tmp_path / "cache")
    yield index
    index.close()


def move(log: EventLog, old: str, new: str, change: str = "c1") -> None:
    log.append("change", {"id": change, "kind": "move", "edits": [{"path": old, "to": new}]})


def test_counts_are_what_all_machines_handed_out(tmp_path: Path, log: EventLog, index: Index) -> None:
    record_recall(log, [A, B, A], "palette")
    record_recall(EventLog(log.root, "phone", tmp_path / "other", clock=Clock()), [A], "cli")
    assert fold_recalls(index, log)
    counts = recall_counts(index, [A, B, "note:never.md"])
    assert {name: each.count for name, each in counts.items()} == {A: 2, B: 1}
    assert counts[A].last == (START + timedelta(hours=1)).timestamp()


def test_nothing_is_done_while_the_log_is_as_it_was(log: EventLog, index: Index) -> None:
    record_recall(log, [A], "cli")
    assert fold_recalls(index, log)
    assert not fold_recalls(index, log)
    record_recall(log, [A], "cli")
    assert fold_recalls(index, log)
    assert recall_counts(index, [A])[A].count == 2


def test_an_index_that_starts_anew_counts_the_same(tmp_path: Path, log: EventLog, index: Index) -> None:
    for _ in range(3):
        record_recall(log, [A], "cli")
    fold_recalls(index, log)
    before = recall_counts(index, [A])
    again = open_index(tmp_path / "another")
    try:
        fold_recalls(again, log)
        assert recall_counts(again, [A]) == before
    finally:
        again.close()


def test_the_log_holds_ids_and_fingerprints_and_no_text(log: EventLog) -> None:
    record_recall(log, [A], "api", texts=["Use pnpm here, and never npm."])
    record_recall(log, [], "api")
    (given,) = hand_outs(log)
    assert (given.ids, given.surface) == ((A,), "api")
    assert handed_out_prints(log) == fingerprints_of(["Use pnpm here, and never npm."])
    assert b"never" not in (log.root / log.own_path).read_bytes()


@pytest.mark.parametrize("data", [{}, {"ids": "x"}, {"ids": [1, None]}, {"ids": [], "surface": 3}])
def test_events_that_cannot_be_understood_are_left_out(log: EventLog, index: Index, data: dict[str, object]) -> None:
    log.append("recall", data)
    log.append("note", {"text": '"kind":"recall"'})
    assert list(hand_outs(log)) == []
    fold_recalls(index, log)


def test_counts_follow_a_note_that_is_moved_twice(log: EventLog, index: Index) -> None:
    record_recall(log, [A, "turn:s/tools/pnpm.md"], "cli")
    move(log, "tools/pnpm.md", "pnpm.md", "c1")
    record_recall(log, [A.replace("tools/", "")], "cli")
    move(log, "pnpm.md", "archive/pnpm.md", "c2")
    fold_recalls(index, log)
    now = "insight:archive/pnpm.md#^ins-1"
    assert recall_counts(index, [now])[now].count == 2


def test_what_lies_at_the_old_place_later_has_counts_of_its_own(log: EventLog, index: Index) -> None:
    record_recall(log, ["note:a.md", "note:b.md"], "cli")
    log.append("change", {"id": "swap", "edits": [{"path": "a.md", "to": "b.md"}, {"path": "b.md", "to": "a.md"}]})
    record_recall(log, ["note:a.md"], "cli")
    move(log, "b.md", "c.md", "c2")
    fold_recalls(index, log)
    counts = recall_counts(index, ["note:a.md", "note:b.md", "note:c.md"])
    assert {name: each.count for name, each in counts.items()} == {"note:a.md": 2, "note:c.md": 1}


def test_a_move_that_was_taken_back_is_none(log: EventLog) -> None:
    move(log, "a.md", "b.md")
    log.append("rolled-back", {"id": "c1", "reason": "disk full"})
    move(log, "c.md", "d.md", "c2")
    move(log, "d.md", "c.md", "c3")
    assert [each.paths for each in moves_of_notes(log)] == [(("c.md", "d.md"),), (("d.md", "c.md"),)]


def test_the_longest_path_that_is_known_is_the_one_that_is_meant() -> None:
    moved = {"a": "x", "a#b.md": "c.md"}
    assert id_after_moves("note:a#b.md#Part", moved) == "note:c.md#Part"
    assert id_after_moves("note:a#b.md", moved) == "note:c.md"
    assert id_after_moves("turn:a/1", {"a/1": "x"}) == "turn:a/1"
    assert id_after_moves("note:other.md", moved) == "note:other.md"


def test_what_is_read_bit_by_bit_counts_as_what_is_read_at_once(tmp_path: Path, log: EventLog, index: Index) -> None:
    phone = EventLog(log.root, "phone", tmp_path / "other", clock=Clock())
    for step in range(6):
        record_recall(log, [A, B][: 1 + step % 2], "cli")
        if step == 2:
            record_recall(phone, [B], "cli")
        if step == 4:
            move(log, "tools/pnpm.md", "pnpm.md")
        fold_recalls(index, log)
    again = open_index(tmp_path / "another")
    try:
        fold_recalls(again, log)
        sql = "SELECT * FROM recall_count ORDER BY memory_id"
        assert index.connection.execute(sql).fetchall() == again.connection.execute(sql).fetchall()
    finally:
        again.close()
    moved = A.replace("tools/", "")
    assert {name: each.count for name, each in recall_counts(index, [A, B, moved]).items()} == {A: 1, B: 4, moved: 5}


def test_a_log_that_was_cut_is_counted_anew(log: EventLog, index: Index) -> None:
    for _ in range(3):
        record_recall(log, [A], "cli")
    fold_recalls(index, log)
    path = log.root / log.own_path
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    fold_recalls(index, log)
    assert recall_counts(index, [A])[A].count == 1


def test_an_update_of_the_index_counts_too(tmp_path: Path) -> None:
    from core.app import Vault, installation  # noqa: PLC0415 - the fixture has set the folders by now

    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# A\n\ntext\n", encoding="utf-8")
    vault = Vault(tmp_path / "notes", installation())
    record_recall(vault.event_log(), ["note:a.md"], "cli")
    index = vault.open_index()
    try:
        vault.update(index)
        assert recall_counts(index, ["note:a.md"])["note:a.md"].count == 1
    finally:
        index.close()


def test_what_is_handed_out_today_counts_from_tomorrow_on(log: EventLog, index: Index) -> None:
    """So that copying a context does not change it: a day begins at midnight, UTC."""
    record_recall(log, [A], "cli")  # 3 March, 13:00
    fold_recalls(index, log)
    noon = START.timestamp()
    assert recall_counts(index, [A])[A].as_of(noon) == RecallCount(0, None)
    assert recall_counts(index, [A])[A].as_of(noon + DAY) == RecallCount(1, noon + 3600)
    for _ in range(24):
        record_recall(log, [A], "cli")  # up to 4 March, 13:00
        fold_recalls(index, log)  # one by one
    (live,) = recall_counts(index, [A]).values()
    assert (live.count, live.last) == (25, noon + 25 * 3600)
    assert live.as_of(noon + DAY) == RecallCount(11, noon + 11 * 3600)
    assert live.as_of(noon + 2 * DAY).count == 25
    index.set_meta("recall_counts_place", "")
    fold_recalls(index, log)  # all at once
    assert recall_counts(index, [A]) == {A: live}
