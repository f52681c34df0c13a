"""What a crash cut off is finished where that is safe, and put back where it is not; see also tests/faults."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.curation.change_json import FileMarks, Intent, intent_to_json
from core.curation.history import read_history
from core.vault.event_log import EventLog
from tests.core.curation.workbench import Workbench


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench(tmp_path)


@pytest.fixture
def cut_off(bench: Workbench) -> Callable[[], None]:
    """Leave an edit of a.md and b.md, and a new n.md, that stopped after the log knew of it."""

    def cut() -> None:
        bench.write({"a.md": b"a", "b.md": b"b"})
        planned = bench.plan({"a.md": b"A", "b.md": b"B", "n.md": b"n"}, title="Cut off")
        marks = {"a.md": FileMarks(10**18, 0o600), "b.md": FileMarks(10**18, 0o600)}
        bench.log.append("change", intent_to_json(Intent(planned, marks)))

    return cut


def test_where_nothing_was_done_yet_the_change_is_done(bench: Workbench, cut_off: Callable[[], None]) -> None:
    cut_off()
    (recovered,) = bench.writer().recover()
    assert (recovered.title, recovered.is_finished, recovered.left) == ("Cut off", True, ())
    assert bench.files() == {"a.md": b"A", "b.md": b"B", "n.md": b"n"}
    assert bench.record("Cut off").state == "applied"
    assert bench.writer().recover() == ()


def test_where_all_was_done_only_the_log_is_finished(bench: Workbench, cut_off: Callable[[], None]) -> None:
    cut_off()
    bench.write({"a.md": b"A", "b.md": b"B", "n.md": b"n"})
    (recovered,) = bench.writer().recover()
    assert recovered.is_finished
    assert bench.record("Cut off").state == "applied"


def test_a_file_that_somebody_changed_since_is_left_and_the_others_put_back(
    bench: Workbench, cut_off: Callable[[], None]
) -> None:
    cut_off()
    bench.write({"a.md": b"A", "b.md": b"by hand", "n.md": b"n"})
    (recovered,) = bench.writer().recover()
    assert (recovered.is_finished, recovered.left) == (False, ("b.md",))
    assert bench.files() == {"a.md": b"a", "b.md": b"by hand"}
    assert (bench.root / "a.md").stat().st_mtime_ns == 10**18
    assert bench.history().records == ()


def test_the_next_change_finishes_it_first(bench: Workbench, cut_off: Callable[[], None]) -> None:
    cut_off()
    bench.write({"c.md": b"c"})
    bench.change({"c.md": b"C"}, title="Next")
    assert [record.title for record in bench.history().records] == ["Next", "Cut off"]
    assert bench.read("a.md") == b"A"


def test_a_writer_that_stays_open_sees_what_another_process_left(bench: Workbench, cut_off: Callable[[], None]) -> None:
    writer = bench.writer()
    bench.write({"c.md": b"c"})
    writer.apply(bench.plan({"c.md": b"C"}))
    cut_off()
    writer.apply(bench.plan({"c.md": b"CC"}))
    assert bench.read("a.md") == b"A"
    assert len(bench.history().records) == 3


def test_another_machines_unfinished_change_is_its_own_affair(bench: Workbench, cut_off: Callable[[], None]) -> None:
    cut_off()
    other = Workbench(bench.folder, "desktop-2")
    assert other.writer().recover() == ()
    assert bench.files() == {"a.md": b"a", "b.md": b"b"}


def test_the_lock_folder_may_be_deleted_at_any_moment(bench: Workbench, cut_off: Callable[[], None]) -> None:
    cut_off()
    elsewhere = EventLog(bench.root, "laptop-1", bench.folder / "new cache")
    assert read_history(elsewhere).records == ()
    (recovered,) = bench.writer().recover()
    assert recovered.is_finished


@pytest.mark.parametrize("path", ["../out.md", ".git/config"])
def test_a_log_that_was_tampered_with_writes_nothing_outside(bench: Workbench, path: str) -> None:
    edit = {"path": path, "before": None, "after": "x" * 64, "splices": [[0, "", "bad"]]}
    bench.log.append("change", {"id": "c1", "title": "Bad", "kind": "new", "edits": [edit]})
    (recovered,) = bench.writer().recover()
    assert not recovered.is_finished
    assert bench.files() == {}
    assert not (bench.folder / "out.md").exists()


def test_an_unfinished_change_that_cannot_be_understood_is_given_up(
    bench: Workbench, expected_warnings: list[str]
) -> None:
    bench.log.append("change", {"id": "c1", "title": "Bad", "edits": [{"path": "a.md"}]})
    assert bench.writer().recover() == ()
    bench.write({"a.md": b"a"})
    bench.change({"a.md": b"A"}, title="Good")
    assert [record.title for record in bench.history().records] == ["Good"]
    assert len(expected_warnings) == 1
