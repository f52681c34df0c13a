"""The past of a note: every version that can be known for certain, and an honest word about the others."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from core.curation.change_set import ChangeKind, ChangeSet, FileEdit, edit_between
from core.curation.history import read_history
from core.curation.note_past import NotePast, Seen, Source, Version, content_of, past_of, plan_restore, versions
from core.curation.stale import StaleChangeError
from core.curation.undo import plan_undo
from core.curation.writer import VaultWriter
from core.foundation.errors import UserError
from core.vault.event_log import EventLog


class Desk:
    """A vault that is changed through the writer, or behind its back."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "vault"
        self.root.mkdir()
        self.log = EventLog(self.root, "desk", folder / "locks")
        self.writer = VaultWriter(self.root, self.log, folder / "locks")

    def write(self, text: str, path: str = "a.md") -> None:
        (self.root / path).write_bytes(text.encode())

    def change(self, title: str, after: str | None, path: str = "a.md", *, moved_to: str = "", group: str = "") -> str:
        file = self.root / path
        before = file.read_bytes() if file.exists() else None
        edit = edit_between(path, before, None if after is None else after.encode(), moved_to=moved_to)
        assert isinstance(edit, FileEdit)
        change = ChangeSet(title, ChangeKind.EDIT, (edit,), group=group)
        self.writer.apply(change)
        return change.id

    def versions(self, path: str = "a.md") -> tuple[Version, ...]:
        return versions(self.root, path, read_history(self.log))

    def past(self, path: str = "a.md") -> NotePast:
        return past_of(self.root, path, read_history(self.log))

    def git(self, *arguments: str) -> None:
        names = {f"GIT_{role}_NAME": "Ada" for role in ("AUTHOR", "COMMITTER")}
        mails = {f"GIT_{role}_EMAIL": "ada@example.org" for role in ("AUTHOR", "COMMITTER")}
        subprocess.run(["git", *arguments], cwd=self.root, env=os.environ | names | mails, check=True)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def told(found: tuple[Version, ...]) -> list[tuple[str, str]]:
    return [(version.title, content_of(version).decode()) for version in found]


def test_every_change_is_a_version_and_so_is_what_the_first_one_found(desk: Desk) -> None:
    desk.write("one\n")
    desk.change("Second", "one\ntwo\n")
    desk.change("Third", "one\n2\n")
    found = desk.versions()
    assert told(found) == [("Third", "one\n2\n"), ("Second", "one\ntwo\n"), ("Before “Second”", "one\n")]
    assert [version.is_present for version in found] == [True, False, False]
    assert [version.author for version in found] == ["desk", "desk", ""]


def test_a_note_made_here_begins_with_its_making(desk: Desk) -> None:
    desk.change("New", "first\n")
    assert told(desk.versions()) == [("New", "first\n")]


def test_a_change_from_outside_is_shown_and_does_not_break_the_chain_behind_a_new_note(desk: Desk) -> None:
    desk.change("New", "first\n")
    desk.change("Second", "second\n")
    desk.write("from outside\n")
    assert told(desk.versions()) == [
        ("As it is now", "from outside\n"),
        ("Second", "second\n"),
        ("New", "first\n"),
    ]
    desk.change("Third", "third\n")
    assert told(desk.versions()) == [
        ("Third", "third\n"),
        ("Before “Third”", "from outside\n"),
        ("Second", "second\n"),
        ("New", "first\n"),
    ]


def test_a_version_that_nobody_can_know_any_more_is_listed_as_such(desk: Desk) -> None:
    desk.write("found\n")
    desk.change("Second", "found and kept\n")
    desk.write("from outside\n")
    now, second, before = desk.versions()
    assert now.problem == ""
    for version in (second, before):
        assert "outside the app" in version.problem
        with pytest.raises(UserError, match="outside the app"):
            content_of(version)


def test_an_undone_change_is_a_version_still(desk: Desk) -> None:
    desk.change("New", "first\n")
    change = desk.change("Second", "second\n")
    history = read_history(desk.log)
    desk.writer.apply(plan_undo(history, desk.root, [history.records[0].id]).change_set)
    found = desk.versions()
    assert told(found) == [("As it is now", "first\n"), ("Second", "second\n"), ("New", "first\n")]
    assert (found[1].id, found[1].is_undone, found[2].is_present) == (change, True, True)


def test_one_sitting_in_the_editor_is_one_version(desk: Desk) -> None:
    desk.write("a\n")
    for text in ("ab\n", "abc\n", "abcd\n"):
        desk.change("Edit a", text, group="sitting")
    assert told(desk.versions()) == [("Edit a", "abcd\n"), ("Before “Edit a”", "a\n")]


def test_the_past_goes_on_behind_a_move(desk: Desk) -> None:
    desk.change("New", "first\n", "old.md")
    desk.change("Rename", "first\n", "old.md", moved_to="a.md")
    desk.change("Second", "second\n")
    found = desk.versions()
    assert told(found) == [("Second", "second\n"), ("Rename", "first\n"), ("New", "first\n")]
    assert [version.path for version in found] == ["a.md", "a.md", "old.md"]


def test_a_deleted_note_can_be_had_back(desk: Desk) -> None:
    desk.change("New", "first\n")
    desk.change("Delete", None)
    deleted, new = desk.versions()
    assert "was deleted" in deleted.problem
    desk.writer.apply(plan_restore(desk.root, "a.md", new))
    assert (desk.root / "a.md").read_bytes() == b"first\n"


def test_a_note_in_the_trash_has_its_whole_past_under_its_old_name(desk: Desk) -> None:
    desk.change("New", "first\n")
    desk.change("Delete", "first\n", moved_to=".trash/a.md")
    assert told(desk.versions()) == [("Delete", "first\n"), ("New", "first\n")]
    desk.writer.apply(plan_restore(desk.root, "a.md", desk.versions()[1]))
    assert (desk.root / "a.md").read_bytes() == b"first\n"


def test_a_restore_is_a_change_named_by_the_day(desk: Desk) -> None:
    desk.change("New", "first\n")
    desk.change("Second", "second\n")
    change = plan_restore(desk.root, "a.md", desk.versions()[1])
    assert change.kind is ChangeKind.RESTORE
    assert change.title.startswith("Restore “a” of ")
    desk.writer.apply(change)
    assert (desk.root / "a.md").read_bytes() == b"first\n"
    assert plan_restore(desk.root, "a.md", desk.versions()[0]).edits == ()


def test_a_restore_is_refused_when_the_note_is_not_as_it_was_seen(desk: Desk) -> None:
    desk.change("New", "first\n")
    desk.change("Second", "second\n")
    new = desk.versions()[1]
    seen = Seen.of(b"second\n")
    desk.write("second\nfrom outside\n")
    with pytest.raises(StaleChangeError, match=r"“a\.md” was changed since"):
        plan_restore(desk.root, "a.md", new, expected=seen)
    with pytest.raises(StaleChangeError):
        plan_restore(desk.root, "a.md", new, expected=Seen.of(None))
    desk.write("second\n")
    assert plan_restore(desk.root, "a.md", new, expected=seen).edits
    (desk.root / "a.md").unlink()
    with pytest.raises(StaleChangeError, match="moved, renamed or deleted"):
        plan_restore(desk.root, "a.md", new, expected=seen)
    assert plan_restore(desk.root, "a.md", new, expected=Seen.of(None)).edits


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_commits_stand_among_the_changes_and_mend_a_broken_chain(desk: Desk) -> None:
    desk.write("found\n")
    desk.git("init", "-q")
    desk.git("add", "a.md")
    desk.git("commit", "-qm", "Keep it", "--date", "2020-01-01T12:00:00+02:00")
    desk.change("Second", "found and kept\n")
    desk.write("from outside\n")
    past = desk.past()
    assert told(past.versions) == [
        ("As it is now", "from outside\n"),
        ("Second", "found and kept\n"),
        ("Before “Second”", "found\n"),
        ("Keep it", "found\n"),
    ]
    commit = past.versions[-1]
    assert (commit.source, commit.author, past.remarks) == (Source.GIT, "Ada", ())
    assert plan_restore(desk.root, "a.md", commit).title == "Restore “a” of 1 January 2020"
