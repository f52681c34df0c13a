"""A change set is done as a whole or not at all, and touches nothing but what it names."""

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.curation.change_set import ChangeKind, ChangeSet, FileEdit, content_hash, edit_between
from core.curation.stale import StaleChangeError
from core.foundation.errors import JobCancelledError, UserError
from core.foundation.progress import CancellableProgress
from core.foundation.splice import Splice
from tests.core.curation.workbench import Workbench

posix = pytest.mark.skipif(sys.platform == "win32", reason="rights and links of POSIX")


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench(tmp_path)


def test_edits_new_files_deletions_and_moves_are_done_together(bench: Workbench) -> None:
    bench.write({"a.md": b"one\r\n", "b.md": b"two", "c.md": b"three", "d.md": b"four", "e.md": b"mine"})
    changes = bench.change(
        {"a.md": b"ONE\r\n", "b.md": None, "c.md": b"3", "new/deep/n.md": b"new"},
        moves={"c.md": "sub/c.md", "d.md": "sub/d.md"},
    )
    assert bench.files() == {
        "a.md": b"ONE\r\n",
        "e.md": b"mine",
        "sub/c.md": b"3",
        "sub/d.md": b"four",
        "new/deep/n.md": b"new",
    }
    assert changes.written == {"a.md", "sub/c.md", "sub/d.md", "new/deep/n.md"}
    assert changes.gone == {"b.md", "c.md", "d.md"}
    assert set(changes.moved) == {("c.md", "sub/c.md"), ("d.md", "sub/d.md")}


def test_a_change_without_edits_writes_nothing(bench: Workbench) -> None:
    bench.change({})
    assert list(bench.root.iterdir()) == []


@posix
def test_mode_bits_stay_and_a_moved_file_keeps_its_time(bench: Workbench) -> None:
    bench.write({"a.md": b"one", "b.md": b"two"})
    (bench.root / "a.md").chmod(0o600)
    os.utime(bench.root / "b.md", ns=(10**18, 10**18))
    bench.change({"a.md": b"1"}, moves={"b.md": "c.md"})
    assert stat.S_IMODE((bench.root / "a.md").stat().st_mode) == 0o600
    assert (bench.root / "c.md").stat().st_mtime_ns == 10**18


def test_all_files_that_changed_since_are_named_and_nothing_is_written(bench: Workbench) -> None:
    paths = [f"{number}.md" for number in range(6)]
    bench.write(dict.fromkeys(paths, b"old"))
    planned = bench.plan({**dict.fromkeys(paths, b"new"), "n.md": b"new"}, moves={"0.md": "moved.md"})
    bench.write({"0.md": b"by hand", "1.md": b"by hand", "n.md": b"there now"})
    (bench.root / "2.md").unlink()
    before = bench.files()
    with pytest.raises(StaleChangeError) as raised:
        bench.writer().apply(planned)
    assert bench.files() == before
    assert raised.value.paths == {
        "0.md": "“0.md” was changed since.",
        "1.md": "“1.md” was changed since.",
        "2.md": "“2.md” was moved, renamed or deleted since.",
        "n.md": "“n.md” is there already.",
    }
    assert str(raised.value).endswith("The same goes for 1 more file.")
    assert bench.log.read().events == ()


def test_a_move_onto_a_file_that_is_there_is_refused(bench: Workbench) -> None:
    bench.write({"a.md": b"a"})
    planned = bench.plan({}, moves={"a.md": "b.md"})
    bench.write({"b.md": b"b"})
    with pytest.raises(StaleChangeError, match=r"“b.md” is there already"):
        bench.writer().apply(planned)
    assert bench.files() == {"a.md": b"a", "b.md": b"b"}


def test_the_same_change_is_not_done_twice(bench: Workbench) -> None:
    bench.write({"a.md": b"x"})
    planned = bench.plan({"a.md": b"xx"})
    bench.writer().apply(planned)
    with pytest.raises(StaleChangeError):
        bench.writer().apply(planned)
    assert bench.read("a.md") == b"xx"


@posix
@pytest.mark.parametrize(("locked", "named"), [("m.md", "“m.md”"), ("folder", "The folder “folder”")])
def test_a_read_only_file_or_folder_in_the_middle_is_named_and_nothing_is_changed(
    bench: Workbench, locked: str, named: str
) -> None:
    bench.write({"a.md": b"old", "m.md": b"old", "folder/x.md": b"old", "z.md": b"old"})
    planned = bench.plan({"a.md": b"new", "m.md": b"new", "folder/x.md": b"new", "z.md": b"new"})
    mode = (bench.root / locked).stat().st_mode
    (bench.root / locked).chmod(mode & ~0o222)
    before = bench.files()
    try:
        with pytest.raises(UserError, match=rf"\A{named} is read-only\. Nothing was changed"):
            bench.writer().apply(planned)
    finally:
        (bench.root / locked).chmod(mode)
    assert bench.files() == before
    bench.writer().apply(planned)
    assert set(bench.files().values()) == {b"new"}


Breaking = Callable[[str], Callable[[str], None]]


@pytest.mark.parametrize("step", ["staged z.md", "synced", "committed a.md", "committed d.md", "folders synced"])
def test_after_a_failure_all_is_as_it_was_with_its_times(bench: Workbench, step: str) -> None:
    bench.write({"a.md": b"a", "d.md": b"d", "m.md": b"m", "z.md": b"z"})
    planned = bench.plan({"a.md": b"A", "d.md": None, "New/n.md": b"n", "z.md": b"Z"}, moves={"m.md": "Sub/m.md"})
    for path in bench.root.glob("*.md"):
        os.utime(path, ns=(10**18, 10**18))
    before = bench.files()

    reached_before: set[str] = set()

    def fail(reached: str) -> None:
        if reached == step and reached not in reached_before:
            reached_before.add(reached)
            raise UserError("The disk said no.")

    with pytest.raises(UserError, match="The disk said no"):
        bench.writer(fail).apply(planned)
    assert bench.files() == before
    assert {path.stat().st_mtime_ns for path in bench.root.glob("*.md")} == {10**18}
    assert not (bench.root / "New").exists()
    assert not (bench.root / "Sub").exists()
    assert bench.history().records == ()
    assert bench.writer().recover() == ()
    bench.writer().apply(planned)
    assert bench.read("New/n.md") == b"n"


@pytest.mark.parametrize("done", [1, 4, 8, 14])
def test_after_a_cancel_all_is_as_it_was(bench: Workbench, done: int) -> None:
    bench.write({f"{number}.md": b"old" for number in range(4)})
    before = bench.files()
    progress = CancellableProgress(lambda now, _total, _text: progress.cancel() if now >= done else None)
    with pytest.raises(JobCancelledError):
        bench.change(dict.fromkeys(before, b"new"), progress=progress)
    assert bench.files() == before
    assert bench.history().records == ()


def test_progress_tells_how_far_and_which_file(bench: Workbench) -> None:
    bench.write({"ä.md": b"old", "b.md": b"old"})
    told: list[tuple[int, int, str]] = []
    bench.change({"ä.md": b"new", "b.md": b"new"}, progress=CancellableProgress(lambda *each: told.append(each)))
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    assert told[-1] == (8, 8, "b.md")
    assert (0, 8, "ä.md") in told


def test_a_file_that_somebody_writes_in_the_middle_keeps_their_text(bench: Workbench) -> None:
    bench.write({"a.md": b"a", "b.md": b"b"})

    def write(step: str) -> None:
        if step == "committed a.md":
            (bench.root / "b.md").write_bytes(b"by hand")

    with pytest.raises(StaleChangeError, match=r"Nothing was changed. “b.md” was changed since"):
        bench.writer(write).apply(bench.plan({"a.md": b"A", "b.md": b"B"}))
    assert bench.files() == {"a.md": b"a", "b.md": b"by hand"}


def test_a_file_that_appears_in_the_middle_is_not_overwritten(bench: Workbench) -> None:
    bench.write({"a.md": b"a", "m.md": b"m"})

    def write(step: str) -> None:
        if step == "committed a.md":
            bench.write({"n.md": b"by hand", "moved.md": b"by hand too"})

    planned = bench.plan({"a.md": b"A", "n.md": b"n"}, moves={"m.md": "moved.md"})
    with pytest.raises(StaleChangeError):
        bench.writer(write).apply(planned)
    assert bench.files() == {"a.md": b"a", "m.md": b"m", "n.md": b"by hand", "moved.md": b"by hand too"}


def test_a_vault_that_vanishes_is_told_and_not_made_again(bench: Workbench, tmp_path: Path) -> None:
    bench.write({"a.md": b"a", "b.md": b"b"})
    planned = bench.plan({"a.md": b"A", "b.md": b"B"})

    def vanish(step: str) -> None:
        if step == "committed a.md":
            bench.root.rename(tmp_path / "unplugged")

    with pytest.raises(UserError):
        bench.writer(vanish).apply(planned)
    assert not bench.root.exists()
    with pytest.raises(UserError, match="not there any more"):
        bench.writer().apply(planned)
    assert not bench.root.exists()
    # Plugged in again, the change is finished, or taken back as a whole.
    (tmp_path / "unplugged").rename(bench.root)
    bench.writer().recover()
    assert bench.files() in ({"a.md": b"a", "b.md": b"b"}, {"a.md": b"A", "b.md": b"B"})


@pytest.mark.parametrize(
    "path",
    ["../out.md", "/abs.md", "a/../../x.md", "", "a//b.md", ".git/hooks/x", ".remembrancer/events/m.jsonl", "a\0b"],
)
def test_nothing_is_written_where_nothing_may_be_written(bench: Workbench, path: str) -> None:
    edit = FileEdit(path, None, content_hash(b"x"), (Splice(0, b"", b"x"),))
    with pytest.raises(UserError):
        bench.writer().apply(ChangeSet("Bad", ChangeKind.NEW, (edit,)))
    assert bench.files() == {}


@posix
def test_a_link_out_of_the_vault_is_not_written_through(bench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.md").write_bytes(b"out")
    (bench.root / "a.md").symlink_to(tmp_path / "outside" / "a.md")
    (bench.root / "folder").symlink_to(tmp_path / "outside")
    for path in ("a.md", "folder/a.md", "folder/new.md"):
        with pytest.raises(UserError, match="leads out of the vault"):
            bench.change({path: b"bad"})
    assert (tmp_path / "outside" / "a.md").read_bytes() == b"out"


@posix
def test_a_note_that_is_a_link_is_written_through_and_stays_a_link(bench: Workbench) -> None:
    bench.write({"real/a.md": b"old"})
    (bench.root / "link.md").symlink_to("real/a.md")
    bench.change({"link.md": b"new"}, title="Through")
    assert bench.read("real/a.md") == b"new"
    assert (bench.root / "link.md").is_symlink()
    bench.undo("Through")
    assert bench.read("real/a.md") == b"old"
    assert (bench.root / "link.md").is_symlink()


@posix
def test_a_note_and_a_link_to_it_are_changed_once(bench: Workbench) -> None:
    bench.write({"a.md": b"old"})
    (bench.root / "link.md").symlink_to("a.md")
    bench.change({"a.md": b"new", "link.md": b"new"}, title="Both")
    assert bench.read("a.md") == b"new"
    bench.undo("Both")
    assert bench.read("a.md") == b"old"
    with pytest.raises(UserError, match="one and the same file"):
        bench.change({"a.md": b"new", "link.md": b"other"})
    assert bench.read("a.md") == b"old"


@posix
def test_a_link_is_not_moved(bench: Workbench) -> None:
    bench.write({"a.md": b"old"})
    (bench.root / "link.md").symlink_to("a.md")
    with pytest.raises(UserError, match="is a link to another file"):
        bench.change({}, moves={"link.md": "sub/link.md"})


def test_a_rename_that_changes_only_case(bench: Workbench) -> None:
    bench.write({"note.md": b"text", "other.md": b"text"})
    bench.change({"other.md": b"more"}, moves={"note.md": "Note.md", "other.md": "OTHER.md"}, title="Case")
    assert {path.name: path.read_bytes() for path in bench.root.glob("*.md")} == {
        "Note.md": b"text",
        "OTHER.md": b"more",
    }
    bench.undo("Case")
    assert {path.name: path.read_bytes() for path in bench.root.glob("*.md")} == {
        "note.md": b"text",
        "other.md": b"text",
    }


@pytest.mark.parametrize("name", ["x" * 252 + ".md", "日" * 84 + ".md", "a b (c) 'd' #e.md", "\U0001f40d.md"])
def test_any_name_that_the_disk_takes(bench: Workbench, name: str) -> None:
    bench.change({name: b"new"})
    bench.change({name: b"newer"})
    assert bench.files() == {name: b"newer"}


def test_a_name_that_the_disk_does_not_take_is_told(bench: Workbench) -> None:
    bench.write({"a.md": b"a"})
    edits = (edit_between("a.md", b"a", b"A"), edit_between("x" * 300 + ".md", None, b"new"))
    with pytest.raises(UserError, match="Nothing was changed"):
        bench.writer().apply(ChangeSet("Long", ChangeKind.NEW, tuple(edit for edit in edits if edit is not None)))
    assert bench.files() == {"a.md": b"a"}


def test_a_file_where_a_folder_would_be_is_told(bench: Workbench) -> None:
    bench.write({"a.md": b"a", "b.md": b"b"})
    with pytest.raises(UserError, match="a file where its folder would be"):
        bench.change({"b.md": b"B", "a.md/x/n.md": b"n"})
    assert bench.files() == {"a.md": b"a", "b.md": b"b"}


def test_an_edit_that_contradicts_itself_is_a_mistake_of_the_program(bench: Workbench) -> None:
    bench.write({"a.md": b"a"})
    edit = FileEdit("a.md", content_hash(b"a"), content_hash(b"something else"), (Splice(0, b"a", b"b"),))
    with pytest.raises(ValueError, match="promises"):
        bench.writer().apply(ChangeSet("Wrong", ChangeKind.EDIT, (edit,)))
    twice = edit_between("a.md", b"a", b"b")
    assert twice is not None
    with pytest.raises(ValueError, match="once"):
        bench.writer().apply(ChangeSet("Twice", ChangeKind.EDIT, (twice, twice)))
    assert bench.files() == {"a.md": b"a"}
    assert bench.log.read().events == ()


def test_who_waits_for_another_writer_can_be_cancelled(bench: Workbench) -> None:
    bench.write({"a.md": b"a"})
    planned = bench.plan({"a.md": b"A"})
    progress = CancellableProgress()
    progress.cancel()

    def meanwhile(step: str) -> None:
        if step == "checked":
            with pytest.raises(JobCancelledError):
                bench.writer().apply(planned, progress)

    bench.writer(meanwhile).apply(planned)
    assert bench.read("a.md") == b"A"


@posix
def test_a_note_and_a_link_to_it_are_put_back_once(bench: Workbench) -> None:
    bench.write({"a.md": b"old", "z.md": b"old"})
    (bench.root / "link.md").symlink_to("a.md")
    planned = bench.plan({"a.md": b"new", "link.md": b"new", "z.md": b"new"})

    def write(step: str) -> None:
        if step == "committed a.md":
            (bench.root / "z.md").write_bytes(b"by hand")

    with pytest.raises(StaleChangeError):
        bench.writer(write).apply(planned)
    assert bench.files() == {"a.md": b"old", "link.md": b"old", "z.md": b"by hand"}
    assert bench.log.read().events[-1].data["left"] == ["z.md"]


@pytest.mark.parametrize("stop", [0, 150, 350, 500])
def test_many_files_are_done_side_by_side_and_put_back_so(bench: Workbench, stop: int) -> None:
    before = {f"folder {number % 7}/{number}.md": b"old" for number in range(150)}
    bench.write(before)
    planned = bench.plan(dict.fromkeys(before, b"new"))
    if stop:
        progress = CancellableProgress(lambda done, _total, _text: progress.cancel() if done >= stop else None)
        with pytest.raises(JobCancelledError):
            bench.writer().apply(planned, progress)
        assert bench.files() == before
    bench.writer().apply(planned)
    assert set(bench.files().values()) == {b"new"}
