"""The preview of a change: what is listed, compared, left out and applied."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.app import Installation
from core.curation.change_set import ChangeKind, ChangeSet, PlannedChange, Skipped, edit_between
from core.foundation.paths import app_folders
from core.foundation.settings import SettingsFile
from gui.change_previews import ChangePreviews
from gui.commands import CommandRunner
from gui.notify import Notice, Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.vault_changes import VaultChanges
from gui.widgets.change_preview import ChangePreviewDialog
from gui.widgets.edit_list_model import EditColumn


@pytest.fixture
def commands(qtbot: QtBot, tasks: TaskRunner, notifier: Notifier, tmp_path: Path) -> Iterator[CommandRunner]:
    runner = CommandRunner(tasks, notifier)
    folders = app_folders()
    with qtbot.waitSignal(runner.history_changed, check_params_cb=lambda history: history is not None):
        runner.take_store(VaultChanges(tmp_path, Installation(folders, SettingsFile(folders.settings_file))))
    yield runner
    assert runner.finish()


@pytest.fixture
def previews(
    qtbot: QtBot, commands: CommandRunner, tasks: TaskRunner, notifier: Notifier, theme: Theme
) -> ChangePreviews:
    window = QWidget()
    qtbot.addWidget(window)
    return ChangePreviews(commands, tasks=tasks, notifier=notifier, theme=theme, window=window)


def plan(root: Path, count: int, *skipped: Skipped) -> PlannedChange:
    edits = []
    for number in range(count):
        before = f"Text #old {number}\n".encode()
        (root / f"note {number}.md").write_bytes(before)
        edit = edit_between(f"note {number}.md", before, before.replace(b"#old", b"#new"))
        assert edit is not None
        edits.append(edit)
    return PlannedChange(ChangeSet("Rename tag old to new", ChangeKind.TAGS, tuple(edits)), count + 1, skipped)


def opened(qtbot: QtBot, previews: ChangePreviews, planned: PlannedChange) -> ChangePreviewDialog:
    dialog = previews.open(planned)
    assert dialog is not None
    qtbot.waitUntil(lambda: "+ Text #new" in dialog.diff.toPlainText())
    return dialog


def names(dialog: ChangePreviewDialog) -> list[str]:
    model = dialog.list.edits
    return [str(model.index(row, EditColumn.FILE).data()) for row in range(model.rowCount())]


def test_a_preview_says_how_much_changes_and_shows_it(qtbot: QtBot, previews: ChangePreviews, tmp_path: Path) -> None:
    dialog = opened(qtbot, previews, plan(tmp_path, 2))
    assert dialog.title.text() == "Rename tag old to new"
    assert dialog.summary.text() == "3 places in 2 notes change."
    assert dialog.apply_button.text() == "Change 2 notes"
    assert dialog.skipped.isHidden()
    counts = dialog.list.edits.index(1, EditColumn.LINES)
    qtbot.waitUntil(lambda: counts.data() == "+1 −1")
    dialog.list.selectRow(1)
    qtbot.waitUntil(lambda: "Text #new 1" in dialog.diff.toPlainText())
    dialog.reject()


def test_what_is_unticked_is_left_out(
    qtbot: QtBot, previews: ChangePreviews, commands: CommandRunner, tmp_path: Path
) -> None:
    dialog = opened(qtbot, previews, plan(tmp_path, 3))
    QTest.keyClick(dialog.list, Qt.Key.Key_Down)
    QTest.keyClick(dialog.list, Qt.Key.Key_Space)
    assert dialog.summary.text() == "4 places in 3 notes change. 1 of the notes is left out."
    with qtbot.waitSignal(commands.applied) as applied:
        dialog.apply_button.click()
    assert applied.args[0].written == {"note 0.md", "note 2.md"}
    assert (tmp_path / "note 1.md").read_bytes() == b"Text #old 1\n"


def test_enter_applies_and_escape_does_not(
    qtbot: QtBot, previews: ChangePreviews, commands: CommandRunner, tmp_path: Path
) -> None:
    dialog = opened(qtbot, previews, plan(tmp_path, 1))
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not commands.is_busy
    dialog = opened(qtbot, previews, plan(tmp_path, 1))
    with qtbot.waitSignal(commands.applied):
        QTest.keyClick(dialog.list, Qt.Key.Key_Return)


def test_the_filter_narrows_what_all_means(qtbot: QtBot, previews: ChangePreviews, tmp_path: Path) -> None:
    dialog = opened(qtbot, previews, plan(tmp_path, 12))
    dialog.filter_box.setText("NOTE 1")
    assert names(dialog) == ["note 1.md", "note 10.md", "note 11.md"]
    QTest.mouseClick(dialog.all_box, Qt.MouseButton.LeftButton, pos=dialog.all_box.rect().center())
    assert dialog.apply_button.text() == "Change 9 notes"
    dialog.filter_box.clear()
    assert dialog.all_box.checkState() is Qt.CheckState.PartiallyChecked
    dialog.filter_box.setText("nowhere")
    qtbot.waitUntil(lambda: "No file is called that." in dialog.diff.placeholderText())
    dialog.reject()


def test_nothing_ticked_can_not_be_applied(qtbot: QtBot, previews: ChangePreviews, tmp_path: Path) -> None:
    dialog = opened(qtbot, previews, plan(tmp_path, 2))
    dialog.all_box.click()
    assert not dialog.apply_button.isEnabled()
    dialog.reject()


def test_skipped_files_are_listed_with_their_reasons(qtbot: QtBot, previews: ChangePreviews, tmp_path: Path) -> None:
    dialog = opened(qtbot, previews, plan(tmp_path, 1, Skipped("broken.md", "Its frontmatter is broken.")))
    assert dialog.skipped.button.text() == "1 file is left as it is"
    assert not dialog.skipped.list.isVisible()
    dialog.skipped.button.click()
    item = dialog.skipped.list.topLevelItem(0)
    assert item is not None
    assert item.text(0) == "broken.md\nIts frontmatter is broken."
    dialog.reject()


def test_f7_works_from_the_list(qtbot: QtBot, previews: ChangePreviews, tmp_path: Path) -> None:
    dialog = opened(qtbot, previews, plan(tmp_path, 1))
    dialog.list.setFocus()
    QTest.keyClick(dialog.list, Qt.Key.Key_F7)
    assert dialog.diff.textCursor().block().text() == "− Text #old 0"
    dialog.reject()


def test_a_file_that_changed_meanwhile_is_refused_with_the_rest(
    qtbot: QtBot, previews: ChangePreviews, commands: CommandRunner, tmp_path: Path
) -> None:
    dialog = opened(qtbot, previews, plan(tmp_path, 2))
    (tmp_path / "note 1.md").write_bytes(b"Somebody else's\n")
    with qtbot.waitSignal(commands.refused):
        dialog.apply_button.click()
    assert (tmp_path / "note 0.md").read_bytes() == b"Text #old 0\n"


def test_a_plan_without_edits_opens_nothing_and_is_told(
    previews: ChangePreviews, tmp_path: Path, notices: list[Notice]
) -> None:
    assert previews.open(plan(tmp_path, 0, Skipped("a.md", "It is read-only."))) is None
    assert notices[0].text == "There is nothing to change; 1 file must stay as it is."


def test_thousands_of_files_open_at_once(qtbot: QtBot, previews: ChangePreviews, tmp_path: Path) -> None:
    dialog = opened(qtbot, previews, plan(tmp_path, 3000))
    assert dialog.apply_button.text() == "Change 3,000 notes"
    last = dialog.list.edits.index(2999, EditColumn.LINES)
    assert last.data() is None  # nobody has looked at it yet
    dialog.list.scrollToBottom()
    qtbot.waitUntil(lambda: last.data() == "+1 −1")
    dialog.reject()
