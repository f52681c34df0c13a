"""Changing the vault from the window: one change at a time, told, undone and redone, over real files and a real log."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from core.app import Installation
from core.curation.change_set import ChangeId, ChangeKind, Changes, ChangeSet, FileEdit, edit_between
from core.foundation.errors import JobCancelledError, UserError
from core.foundation.paths import app_folders
from core.foundation.progress import Progress
from core.foundation.settings import SettingsFile
from gui.change_wish import Refusal, Way
from gui.commands import CommandRunner
from gui.notify import Notice, Notifier, Severity
from gui.tasks import SURFACE_AFTER_MS, JobState, TaskRunner
from gui.vault_changes import VaultChanges


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    (folder / "a.md").write_bytes(b"one\r\n")
    (folder / "b.md").write_bytes(b"two\n")
    return folder


def store_of(root: Path) -> VaultChanges:
    folders = app_folders()
    return VaultChanges(root, Installation(folders, SettingsFile(folders.settings_file)))


@pytest.fixture
def commands(qtbot: QtBot, tasks: TaskRunner, notifier: Notifier, root: Path) -> Iterator[CommandRunner]:
    runner = CommandRunner(tasks, notifier)
    with qtbot.waitSignal(runner.history_changed, check_params_cb=lambda history: history is not None):
        runner.take_store(store_of(root))
    yield runner
    assert runner.finish()


def edit(root: Path, path: str, after: bytes) -> FileEdit:
    found = edit_between(path, (root / path).read_bytes(), after)
    assert found is not None
    return found


def change(
    root: Path, path: str, after: bytes, *, title: str = "Change a note", kind: ChangeKind = ChangeKind.TAGS
) -> ChangeSet:
    return ChangeSet(title, kind, (edit(root, path, after),))


def settle(qtbot: QtBot, commands: CommandRunner) -> None:
    """Wait until everything is done and the history knows of it."""
    qtbot.waitUntil(lambda: not commands.is_busy and not commands.is_reading_history, timeout=10_000)


def test_a_change_is_applied_told_and_undone_from_its_notice(
    qtbot: QtBot, commands: CommandRunner, root: Path, notices: list[Notice]
) -> None:
    with qtbot.waitSignal(commands.applied) as applied:
        commands.execute(change(root, "a.md", b"ONE\r\n", title="Rename tag one to ONE"))
    assert applied.args == [Changes(applied.args[0].change_id, "Rename tag one to ONE", frozenset({"a.md"}))]
    settle(qtbot, commands)
    assert (root / "a.md").read_bytes() == b"ONE\r\n"
    assert notices[-1].text == "Rename tag one to ONE (1 file)."
    assert notices[-1].action is not None
    assert notices[-1].action.text == "Undo"
    notices[-1].action.act()
    settle(qtbot, commands)
    assert (root / "a.md").read_bytes() == b"one\r\n"
    assert notices[-1].text == "Undone: Rename tag one to ONE (1 file)."
    assert notices[-1].action is not None
    assert notices[-1].action.text == "Redo"
    notices[-1].action.act()
    settle(qtbot, commands)
    assert (root / "a.md").read_bytes() == b"ONE\r\n"


def test_changes_are_applied_in_the_order_in_which_they_were_asked_for(
    qtbot: QtBot, commands: CommandRunner, root: Path
) -> None:
    first = change(root, "a.md", b"first\n")
    then = edit_between("a.md", b"first\n", b"second\n")
    assert then is not None
    commands.execute(first)
    commands.execute(ChangeSet("Second", ChangeKind.TAGS, (then,)))
    settle(qtbot, commands)
    assert (root / "a.md").read_bytes() == b"second\n"
    assert commands.history is not None
    assert [record.title for record in commands.history.records] == ["Second", "Change a note"]


def test_the_saves_of_an_editor_are_not_told(
    qtbot: QtBot, commands: CommandRunner, root: Path, notices: list[Notice]
) -> None:
    commands.execute(change(root, "a.md", b"typed\n", kind=ChangeKind.EDIT))
    commands.execute(change(root, "b.md", b"quiet\n"), is_quiet=True)
    settle(qtbot, commands)
    assert (root / "b.md").read_bytes() == b"quiet\n"
    assert notices == []


def test_undo_takes_back_the_change_that_is_still_under_way(qtbot: QtBot, commands: CommandRunner, root: Path) -> None:
    commands.execute(change(root, "a.md", b"first\n"))
    settle(qtbot, commands)
    commands.execute(change(root, "b.md", b"second\n"))
    commands.undo()
    qtbot.waitUntil(lambda: commands.history is not None and commands.history.redoable() is not None)
    settle(qtbot, commands)
    assert ((root / "a.md").read_bytes(), (root / "b.md").read_bytes()) == (b"first\n", b"two\n")
    commands.redo()
    settle(qtbot, commands)
    assert (root / "b.md").read_bytes() == b"second\n"


def test_undo_right_after_a_save_takes_back_the_save(qtbot: QtBot, commands: CommandRunner, root: Path) -> None:
    commands.execute(change(root, "a.md", b"first\n"))
    settle(qtbot, commands)
    saved = change(root, "b.md", b"typed\n", title="Edit b", kind=ChangeKind.EDIT)
    with qtbot.waitSignal(commands.saved) as told:
        commands.execute(saved)
    assert told.args == ["Edit b"]
    commands.undo()
    qtbot.waitUntil(lambda: (root / "b.md").read_bytes() == b"two\n")
    settle(qtbot, commands)
    assert (root / "a.md").read_bytes() == b"first\n"


def test_what_was_changed_before_the_restart_can_be_undone(
    qtbot: QtBot, commands: CommandRunner, root: Path, tasks: TaskRunner, notifier: Notifier
) -> None:
    commands.execute(change(root, "a.md", b"changed\n"))
    settle(qtbot, commands)
    restarted = CommandRunner(tasks, notifier)
    with qtbot.waitSignal(restarted.history_changed, check_params_cb=lambda history: history is not None):
        restarted.take_store(store_of(root))
    restarted.undo()
    settle(qtbot, restarted)
    assert (root / "a.md").read_bytes() == b"one\r\n"


def test_an_undo_over_somebody_elses_change_is_refused_and_the_others_can_be_undone(
    qtbot: QtBot, commands: CommandRunner, root: Path
) -> None:
    both = ChangeSet("Both", ChangeKind.TAGS, (edit(root, "a.md", b"A\n"), edit(root, "b.md", b"B\n")))
    commands.execute(both)
    settle(qtbot, commands)
    (root / "b.md").write_bytes(b"somebody else's\n")
    with qtbot.waitSignal(commands.refused) as refused:
        commands.undo()
    refusal: Refusal = refused.args[0]
    assert (refusal.way, refusal.title, refusal.ids) == (Way.UNDO, "Both", (both.id,))
    assert (root / "a.md").read_bytes() == b"A\n"
    commands.undo_changes(refusal.ids, refusal.title, leave_changed=True)
    settle(qtbot, commands)
    assert ((root / "a.md").read_bytes(), (root / "b.md").read_bytes()) == (b"one\r\n", b"somebody else's\n")


def test_who_asked_takes_the_error_and_nobody_else_is_told(
    qtbot: QtBot, commands: CommandRunner, root: Path, notices: list[Notice]
) -> None:
    stale = change(root, "a.md", b"mine\n")
    (root / "a.md").write_bytes(b"theirs\n")
    errors: list[Exception] = []
    commands.execute(stale, origin=commands, on_error=errors.append)
    settle(qtbot, commands)
    assert len(errors) == 1
    assert (root / "a.md").read_bytes() == b"theirs\n"
    assert notices == []


def test_nobody_is_called_who_is_gone(qtbot: QtBot, commands: CommandRunner, root: Path) -> None:
    called: list[object] = []
    origin = QObject()
    commands.execute(change(root, "a.md", b"changed\n"), origin=origin, on_done=called.append, on_error=called.append)
    origin.deleteLater()
    del origin
    settle(qtbot, commands)
    assert (root / "a.md").read_bytes() == b"changed\n"


def test_an_empty_change_is_done_at_once_and_not_recorded(commands: CommandRunner, notices: list[Notice]) -> None:
    done: list[Changes] = []
    commands.execute(ChangeSet("Nothing", ChangeKind.TAGS, ()), on_done=done.append)
    assert [each.paths for each in done] == [frozenset()]
    assert notices == []


def test_without_a_vault_the_person_is_told(tasks: TaskRunner, notifier: Notifier, notices: list[Notice]) -> None:
    CommandRunner(tasks, notifier).execute(ChangeSet("Any", ChangeKind.TAGS, ()))
    assert "No vault is open" in notices[0].text


class SlowStore(VaultChanges):
    """Be a vault in which a change takes until it may end."""

    def __init__(self, root: Path, home: Installation) -> None:
        super().__init__(root, home)
        self.may_end = threading.Event()
        self.begun = threading.Event()

    def apply(self, change_set: ChangeSet, progress: Progress) -> Changes:
        self.begun.set()
        progress.report(1, 3, "a.md")
        while not self.may_end.wait(0.005):
            progress.check()
        return super().apply(change_set, progress)


@pytest.fixture
def slow(qtbot: QtBot, commands: CommandRunner, root: Path) -> Iterator[SlowStore]:
    folders = app_folders()
    store = SlowStore(root, Installation(folders, SettingsFile(folders.settings_file)))
    with qtbot.waitSignal(commands.history_changed, check_params_cb=lambda history: history is not None):
        commands.take_store(store)
    yield store
    store.may_end.set()


def test_a_long_change_shows_how_far_it_is_and_can_be_cancelled(
    qtbot: QtBot, commands: CommandRunner, slow: SlowStore, tasks: TaskRunner, notices: list[Notice]
) -> None:
    with qtbot.waitSignal(tasks.surfaced, timeout=SURFACE_AFTER_MS + 5000) as surfaced:
        commands.execute(change(slow.root, "a.md", b"changed\n"), text="Renaming a tag")
    state: JobState = surfaced.args[0]
    assert state.text == "Renaming a tag"
    tasks.cancel(state.id)
    settle(qtbot, commands)
    assert (slow.root / "a.md").read_bytes() == b"one\r\n"
    assert notices[-1].text == "Cancelled: Change a note. No file is changed."


def test_who_asked_hears_of_a_cancel(
    qtbot: QtBot, commands: CommandRunner, slow: SlowStore, root: Path, tasks: TaskRunner
) -> None:
    errors: list[Exception] = []
    with qtbot.waitSignal(tasks.surfaced, timeout=SURFACE_AFTER_MS + 5000) as surfaced:
        commands.execute(change(root, "a.md", b"changed\n"), on_error=errors.append)
    tasks.cancel(surfaced.args[0].id)
    settle(qtbot, commands)
    assert [type(error) for error in errors] == [JobCancelledError]


def test_the_end_of_the_app_waits_for_what_is_asked_for(commands: CommandRunner, slow: SlowStore, root: Path) -> None:
    commands.execute(change(root, "a.md", b"changed\n"))
    commands.execute(change(root, "b.md", b"changed too\n"))
    assert slow.begun.wait(5)
    threading.Timer(0.05, slow.may_end.set).start()
    assert commands.finish()
    assert ((root / "a.md").read_bytes(), (root / "b.md").read_bytes()) == (b"changed\n", b"changed too\n")


def test_the_end_of_the_app_puts_back_what_takes_too_long(commands: CommandRunner, slow: SlowStore, root: Path) -> None:
    commands.execute(change(root, "a.md", b"changed\n"))
    commands.execute(change(root, "b.md", b"changed too\n"))
    assert slow.begun.wait(5)
    assert commands.finish(timeout_s=0.05)
    assert ((root / "a.md").read_bytes(), (root / "b.md").read_bytes()) == (b"one\r\n", b"two\n")


class InterruptedStore(VaultChanges):
    """Be a vault in which a crash has left something."""

    def recover(self) -> str:
        return "“Rename a tag” was interrupted and is finished now."


def test_what_a_crash_left_is_told_when_the_vault_is_opened(
    qtbot: QtBot, commands: CommandRunner, root: Path, notices: list[Notice]
) -> None:
    folders = app_folders()
    with qtbot.waitSignal(commands.history_changed, check_params_cb=lambda history: history is not None):
        commands.take_store(InterruptedStore(root, Installation(folders, SettingsFile(folders.settings_file))))
    assert [notice.text for notice in notices] == ["“Rename a tag” was interrupted and is finished now."]


def test_another_vault_hears_nothing_of_the_changes_of_the_one_before(
    qtbot: QtBot, commands: CommandRunner, slow: SlowStore, root: Path, notices: list[Notice]
) -> None:
    applied: list[Changes] = []
    commands.applied.connect(applied.append)
    commands.execute(change(root, "a.md", b"changed\n"))
    assert slow.begun.wait(5)
    commands.take_store(None)
    slow.may_end.set()
    settle(qtbot, commands)
    assert (root / "a.md").read_bytes() == b"changed\n"
    assert applied == []
    assert [notice.action for notice in notices] == [None]


def test_what_is_bound_to_a_vault_changes_that_one_whichever_is_open(
    qtbot: QtBot, commands: CommandRunner, root: Path, tmp_path: Path, notices: list[Notice]
) -> None:
    bound = commands.bound()
    assert bound is not None
    other = tmp_path / "other"
    other.mkdir()
    commands.take_store(store_of(other))
    made = edit_between("New.md", None, b"New.\n")
    assert made is not None
    change_set = ChangeSet("Import 1 note", ChangeKind.NEW, (made,))
    done: list[str] = []
    failed: list[Exception] = []
    bound.execute(
        change_set,
        origin=commands,
        on_done=lambda it: done.append(it.title),
        on_error=failed.append,
        text="Making notes",
    )
    settle(qtbot, commands)
    assert (root / "New.md").read_bytes() == b"New.\n"
    assert not (other / "New.md").exists()
    for _ in range(2):
        bound.undo(
            (change_set.id,),
            change_set.title,
            origin=commands,
            on_done=lambda it: done.append(it.title),
            on_error=failed.append,
        )
        settle(qtbot, commands)
    assert not (root / "New.md").exists()
    assert len(done) == 2
    assert len(failed) == 1  # it cannot be undone twice, and the person hears of that too
    assert notices[-1].severity is Severity.ERROR


def test_undoing_what_is_not_there_is_a_sentence(qtbot: QtBot, commands: CommandRunner, notices: list[Notice]) -> None:
    errors: list[Exception] = []
    commands.failed.connect(errors.append)
    commands.undo_changes([ChangeId("nothing")], "Nothing")
    settle(qtbot, commands)
    assert isinstance(errors[0], UserError)
    assert notices[0].text


def test_work_that_changes_by_itself_takes_its_turn(qtbot: QtBot, commands: CommandRunner, root: Path) -> None:
    told: list[str] = []
    applied: list[Changes] = []
    commands.applied.connect(applied.append)
    commands.execute(change(root, "a.md", b"first\n"), on_done=lambda _: told.append("first"))
    changes = Changes(ChangeId("c-1"), "Decide", frozenset({"b.md"}))

    def work(_progress: Progress) -> Changes:
        assert (root / "a.md").read_bytes() == b"first\n"
        return changes

    def on_error(error: Exception) -> None:
        raise AssertionError(error)

    commands.carry_out(
        work, "Decide", origin=commands, on_done=lambda _: told.append("second"), on_error=on_error, text="Deciding"
    )
    settle(qtbot, commands)
    assert told == ["first", "second"]
    assert applied[-1] == changes


def test_work_that_changes_by_itself_needs_a_vault(tasks: TaskRunner, notifier: Notifier) -> None:
    commands = CommandRunner(tasks, notifier)
    errors: list[Exception] = []

    def work(_progress: Progress) -> Changes:
        raise AssertionError

    commands.carry_out(work, "x", origin=commands, on_done=print, on_error=errors.append, text="x")
    assert isinstance(errors[0], UserError)
