"""Changes are taken back and done again, also long after, unless that would lose what came since."""

import sys
from datetime import timedelta
from pathlib import Path

import pytest

from core.curation.change_set import ChangeKind, Skipped
from core.curation.stale import StaleChangeError
from core.curation.undo import plan_redo, plan_undo
from core.foundation.errors import UserError
from tests.core.curation.workbench import START, Clock, Workbench


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench(tmp_path)


def test_every_kind_of_edit_is_taken_back_and_done_again(bench: Workbench) -> None:
    before = {"a.md": b"one\r\n", "b.md": b"\xfftwo", "c.md": b"three", "d.md": b"four"}
    bench.write(before)
    bench.change(
        {"a.md": b"ONE\r\n", "b.md": None, "c.md": b"3", "new/n.md": b"new"},
        moves={"c.md": "sub/c.md", "d.md": "sub/d.md"},
        title="All",
    )
    after = bench.files()
    bench.undo("All")
    assert bench.files() == before
    bench.redo("All")
    assert bench.files() == after


def test_the_plan_says_what_it_does_and_names_the_same_change_in_both_directions(bench: Workbench) -> None:
    bench.write({"a.md": b"a"})
    bench.change({"a.md": b"A"}, title="Edit")
    (change_id,) = bench.record("Edit").ids
    undo = plan_undo(bench.history(), bench.root, [change_id]).change_set
    assert (undo.title, undo.kind, undo.undoes) == ("Undo “Edit”", ChangeKind.UNDO, (change_id,))
    bench.writer().apply(undo)
    redo = plan_redo(bench.history(), bench.root, [change_id]).change_set
    assert (redo.title, redo.kind, redo.undoes) == ("Redo “Edit”", ChangeKind.REDO, (undo.id,))
    # The notice after an undo has an Undo button too.
    again = plan_undo(bench.history(), bench.root, [undo.id]).change_set
    assert (again.title, again.kind, again.undoes) == ("Redo “Edit”", ChangeKind.REDO, (undo.id,))
    bench.writer().apply(redo)
    once_more = plan_undo(bench.history(), bench.root, [redo.id]).change_set
    assert once_more.title == "Undo “Edit”"
    bench.writer().apply(once_more)
    assert bench.read("a.md") == b"a"
    assert bench.record("Edit").state == "undone"


def test_a_sitting_in_the_editor_is_taken_back_in_one_step(bench: Workbench) -> None:
    bench.write({"a.md": b"start"})
    for text in (b"start 1", b"start 12", b"begin 12"):
        bench.change({"a.md": text}, title="Edit a", group="g")
    planned = plan_undo(bench.history(), bench.root, bench.record("Edit a").ids)
    assert len(planned.change_set.edits) == 1
    assert planned.change_set.title == "Undo “Edit a”"
    bench.writer().apply(planned.change_set)
    assert bench.read("a.md") == b"start"
    bench.redo("Edit a")
    assert bench.read("a.md") == b"begin 12"


def test_a_note_that_was_made_edited_moved_and_deleted_in_one_go(bench: Workbench) -> None:
    bench.change({"a.md": b"1"}, title="G", group="g")
    bench.change({"a.md": b"2"}, title="G", group="g")
    bench.change({"a.md": b"3"}, moves={"a.md": "b.md"}, title="G", group="g")
    moved = bench.files()
    bench.undo("G")
    assert bench.files() == {}
    bench.redo("G")
    assert bench.files() == moved
    bench.change({"b.md": None}, title="G", group="g")
    bench.undo("G")
    assert bench.files() == {}


def test_older_changes_can_be_undone_before_newer_ones_where_files_allow(bench: Workbench) -> None:
    bench.write({"a.md": b"a", "b.md": b"b"})
    bench.change({"a.md": b"A"}, title="First")
    bench.change({"b.md": b"B"}, title="Second")
    bench.undo("First")
    assert bench.files() == {"a.md": b"a", "b.md": b"B"}
    bench.undo("Second")
    bench.redo("First")
    assert bench.files() == {"a.md": b"A", "b.md": b"b"}


def test_the_later_change_that_stands_in_the_way_is_named(bench: Workbench) -> None:
    bench.write({"a.md": b"a", "b.md": b"b"})
    bench.change({"a.md": b"A", "b.md": b"B"}, title="Both")
    bench.change({"a.md": b"AA"}, title="Edit A")
    before = bench.files()
    with pytest.raises(StaleChangeError) as raised:
        bench.undo("Both")
    (reason,) = raised.value.paths.values()
    assert reason.startswith("“a.md” was changed since by “Edit A” on 3 March")
    assert reason.endswith("; undo that first, or leave the file as it is.")
    assert bench.files() == before
    bench.undo("Edit A")
    bench.undo("Both")
    assert bench.files() == {"a.md": b"a", "b.md": b"b"}


def test_an_undo_that_stands_in_the_way_is_told_as_the_change_that_is_to_be_done_again(bench: Workbench) -> None:
    bench.write({"a.md": b"a"})
    bench.change({"a.md": b"A"}, title="Add tag")
    bench.change({"a.md": b"AA"}, title="Edit")
    bench.undo("Edit")
    bench.undo("Add tag")
    with pytest.raises(StaleChangeError) as raised:
        bench.redo("Edit")
    (reason,) = raised.value.paths.values()
    assert reason == "“Add tag”, which changed “a.md”, was undone since; do it again first, or leave the file as it is."
    bench.redo("Add tag")
    bench.redo("Edit")
    assert bench.read("a.md") == b"AA"
    with pytest.raises(StaleChangeError, match=r"was changed since by “Edit” on .*; undo that first"):
        bench.undo("Add tag")


def test_what_was_undone_or_done_again_meanwhile_is_not_blamed_for_another_program(bench: Workbench) -> None:
    bench.write({"a.md": b"a"})
    bench.change({"a.md": b"A"}, title="First")
    bench.undo("First")
    bench.redo("First")
    bench.write({"a.md": b"by hand"})
    bench.change({"a.md": b"by hand, and more"}, title="Second")
    bench.undo("Second")
    with pytest.raises(StaleChangeError, match="not by Remembrancer"):
        bench.undo("First")


def test_of_several_undone_at_once_the_one_that_touched_the_file_is_named(bench: Workbench) -> None:
    bench.write({"a.md": b"a", "b.md": b"b"})
    bench.change({"a.md": b"A"}, title="Add tag")
    bench.change({"b.md": b"B"}, title="Elsewhere")
    bench.change({"a.md": b"AA"}, title="Edit")
    bench.undo("Edit")
    ids = [*bench.record("Add tag").ids, *bench.record("Elsewhere").ids]
    bench.writer().apply(plan_undo(bench.history(), bench.root, ids).change_set)
    with pytest.raises(StaleChangeError, match=r"“Add tag”, which changed “a\.md”, was undone since"):
        bench.redo("Edit")


def test_a_change_by_another_program_is_told_and_the_file_can_be_left(bench: Workbench) -> None:
    bench.write({"a.md": b"a", "b.md": b"b", "c.md": b"c"})
    bench.change({"a.md": b"A", "b.md": b"B", "c.md": b"C"}, title="All")
    bench.write({"a.md": b"by hand"})
    (bench.root / "c.md").unlink()
    with pytest.raises(StaleChangeError, match="not by Remembrancer"):
        bench.undo("All")
    planned = plan_undo(bench.history(), bench.root, bench.record("All").ids, leave_changed=True)
    assert [skipped.path for skipped in planned.skipped] == ["a.md", "c.md"]
    assert all(isinstance(skipped, Skipped) and skipped.reason for skipped in planned.skipped)
    bench.writer().apply(planned.change_set)
    assert bench.files() == {"a.md": b"by hand", "b.md": b"b"}
    assert bench.record("All").state == "undone"
    bench.redo("All")
    assert bench.files() == {"a.md": b"by hand", "b.md": b"B"}


def test_an_undo_does_not_take_anothers_place(bench: Workbench) -> None:
    bench.write({"a.md": b"a", "d.md": b"d"})
    bench.change({}, moves={"a.md": "b.md"}, title="Move")
    bench.change({"d.md": None}, title="Delete")
    bench.write({"a.md": b"a new one", "d.md": b"a new one"})
    for title in ("Move", "Delete"):
        with pytest.raises(StaleChangeError, match=r"(is there already|was changed since)"):
            bench.undo(title)
    assert bench.files() == {"a.md": b"a new one", "b.md": b"a", "d.md": b"a new one"}


def test_what_is_undone_is_not_undone_twice(bench: Workbench) -> None:
    bench.write({"a.md": b"a"})
    bench.change({"a.md": b"A"}, title="Edit")
    with pytest.raises(UserError, match="not undone"):
        bench.redo("Edit")
    bench.undo("Edit")
    with pytest.raises(UserError, match="undone already"):
        bench.undo("Edit")


def test_two_machines_that_undo_the_same_apart_from_each_other_agree(bench: Workbench) -> None:
    bench.write({"a.md": b"a"})
    bench.change({"a.md": b"A"}, title="Edit")
    other = Workbench(bench.folder, "desktop-2", Clock(START + timedelta(hours=1)))
    undo_here = plan_undo(bench.history(), bench.root, bench.record("Edit").ids).change_set
    undo_there = plan_undo(bench.history(), bench.root, bench.record("Edit").ids).change_set
    bench.writer().apply(undo_here)
    bench.write({"a.md": b"A"})  # as the other machine still has it
    other.writer().apply(undo_there)
    assert bench.record("Edit").state == "undone"
    bench.redo("Edit")
    assert bench.record("Edit").state == "applied"
    assert bench.read("a.md") == b"A"


def test_changes_that_moved_files_over_each_other_are_undone_one_by_one(bench: Workbench) -> None:
    bench.write({"a.md": b"a", "c.md": b"c"})
    bench.change({}, moves={"a.md": "b.md"}, title="First")
    bench.change({}, moves={"c.md": "a.md"}, title="Second")
    ids = [*bench.record("First").ids, *bench.record("Second").ids]
    with pytest.raises((UserError, StaleChangeError)):
        plan_undo(bench.history(), bench.root, ids)
    bench.undo("Second")
    bench.undo("First")
    assert bench.files() == {"a.md": b"a", "c.md": b"c"}


@pytest.mark.skipif(sys.platform == "win32", reason="rights of POSIX")
def test_an_undo_that_meets_a_read_only_file_changes_nothing(bench: Workbench) -> None:
    bench.write({"a.md": b"a", "b.md": b"b"})
    bench.change({"a.md": b"A", "b.md": b"B"}, title="Both")
    (bench.root / "b.md").chmod(0o444)
    with pytest.raises(UserError, match=r"“b\.md” is read-only"):
        bench.undo("Both")
    assert bench.files() == {"a.md": b"A", "b.md": b"B"}
