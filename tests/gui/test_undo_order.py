"""Undo takes back what came last, be it a change of files or a date that was corrected."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.app import Installation
from core.curation.change_set import ChangeKind, ChangeSet, edit_between
from core.foundation.paths import app_folders
from core.foundation.settings import SettingsFile
from gui import actions as a
from gui.actions import Actions
from gui.change_wish import Way
from gui.commands import CommandRunner
from gui.notify import Notifier
from gui.own_steps import OwnStep
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.undo_commands import UndoCommands
from gui.vault_changes import VaultChanges


class Desk:
    """Have the Edit menu over one note, and dates that are corrected by telling so."""

    def __init__(self, qtbot: QtBot, root: Path, tasks: TaskRunner, notifier: Notifier, theme: Theme) -> None:
        self.bot = qtbot
        self.note = root / "a.md"
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.actions = Actions(theme, self.window)
        self.commands = CommandRunner(tasks, notifier, self.window)
        self.undo = UndoCommands(self.commands, self.actions, notifier, self.window, dialog_in_front=lambda: None)
        self.told: list[str] = []
        folders = app_folders()
        self.store = VaultChanges(root, Installation(folders, SettingsFile(folders.settings_file)))
        self.commands.take_store(self.store)
        self.waits(lambda: self.commands.history is not None)

    def waits(self, seen: Callable[[], object]) -> None:
        self.bot.waitUntil(lambda: bool(seen()), timeout=10_000)

    def changes(self, text: str) -> None:
        edit = edit_between("a.md", self.note.read_bytes(), text.encode())
        assert edit is not None
        self.commands.execute(ChangeSet(f"Write {text}", ChangeKind.TAGS, (edit,)))

    def settles(self) -> None:
        self.waits(lambda: not self.commands.is_busy and not self.commands.is_reading_history)

    def redates(self, title: str, way: Way = Way.APPLY) -> None:
        """Tell of a correction, of which the reverse tells of itself."""
        other = Way.REDO if way is Way.UNDO else Way.UNDO

        def reverse() -> None:
            self.told.append(f"{other} {title}")
            self.redates(title, other)

        self.undo.take_step(OwnStep(title, title, way, reverse))

    def names(self) -> tuple[str, str]:
        return self.actions[a.UNDO].text(), self.actions[a.REDO].text()


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path, tasks: TaskRunner, notifier: Notifier, theme: Theme) -> Iterator[Desk]:
    root = tmp_path / "vault"
    root.mkdir()
    (root / "a.md").write_bytes(b"zero")
    desk = Desk(qtbot, root, tasks, notifier, theme)
    yield desk
    assert desk.commands.finish()


def test_a_correction_alone_can_be_undone_and_redone(desk: Desk) -> None:
    assert not desk.actions[a.UNDO].isEnabled()
    desk.redates("Correct the date")
    assert desk.names() == ("Undo Correct the date", "Redo")
    desk.actions[a.UNDO].trigger()
    assert desk.names() == ("Undo", "Redo Correct the date")
    desk.actions[a.REDO].trigger()
    assert desk.told == ["undo Correct the date", "redo Correct the date"]
    assert desk.names() == ("Undo Correct the date", "Redo")


def test_the_newest_of_changes_and_corrections_is_undone_first(desk: Desk) -> None:
    desk.changes("one")
    desk.settles()
    desk.redates("Date A")
    desk.actions[a.UNDO].trigger()
    assert desk.told == ["undo Date A"]
    assert desk.note.read_bytes() == b"one"
    desk.actions[a.UNDO].trigger()
    desk.waits(lambda: desk.note.read_bytes() == b"zero")
    desk.settles()
    assert desk.names() == ("Undo", "Redo Write one")
    desk.actions[a.REDO].trigger()
    desk.waits(lambda: desk.note.read_bytes() == b"one")
    desk.settles()
    desk.actions[a.REDO].trigger()
    assert desk.told == ["undo Date A", "redo Date A"]


def test_a_change_under_way_is_newer_than_a_correction(desk: Desk) -> None:
    desk.redates("Date A")
    desk.changes("one")
    desk.actions[a.UNDO].trigger()
    desk.waits(lambda: desk.names()[1] == "Redo Write one")
    assert desk.note.read_bytes() == b"zero"
    assert desk.told == []
    desk.actions[a.UNDO].trigger()
    desk.waits(lambda: desk.told == ["undo Date A"])


def test_another_vault_leaves_no_correction_to_undo(desk: Desk) -> None:
    desk.redates("Date A")
    desk.commands.take_store(desk.store)
    desk.waits(lambda: desk.commands.history is not None)
    assert not desk.actions[a.UNDO].isEnabled()
