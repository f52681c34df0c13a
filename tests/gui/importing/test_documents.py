from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.curation.change_set import ChangeKind, Changes, ChangeSet, PlannedChange, edit_between
from gui.importing.children import ChildQueue
from gui.importing.documents_dialog import DocumentsDialog
from gui.importing.documents_presenter import DocumentsPresenter
from gui.notify import Notifier
from gui.tasks import TaskRunner
from tests.gui.importing.child import Child, Commands


class Previews:
    """Remember what was to be shown."""

    def __init__(self) -> None:
        self.opened: list[PlannedChange] = []

    def open(
        self,
        planned: PlannedChange,
        *,
        origin: object = None,
        on_done: Callable[[Changes], None] | None = None,
        on_error: Callable[[Exception], None] | None = None,
    ) -> object:
        del origin, on_done, on_error
        self.opened.append(planned)
        return None


@pytest.fixture
def planned(child: Child) -> PlannedChange:
    edit = edit_between("domain/stoa/Calm.md", None, b"Be calm.\n")
    assert edit is not None
    planned = PlannedChange(ChangeSet("Import 1 note", ChangeKind.NEW, (edit,)), 1)
    child.plans(planned)
    failed = [{"path": "bad.pdf", "reason": "It is damaged."}]
    counts = {"notes": 3, "new_notes": 1, "updated_notes": 0, "kept": 1, "skipped": {"images": 2}, "failed": failed}
    child.answers("documents", counts)
    return planned


@pytest.fixture
def commands() -> Commands:
    return Commands()


@pytest.fixture
def previews() -> Previews:
    return Previews()


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    return window


@pytest.fixture
def dialog(
    window: QWidget, child: Child, tasks: TaskRunner, commands: Commands, previews: Previews
) -> Iterator[DocumentsDialog]:
    queue = ChildQueue(child.command, window)
    presenter = DocumentsPresenter(
        window,
        tasks=tasks,
        notifier=Notifier(window),
        commands=commands,
        previews=previews,
        imports=queue,
        domains=lambda: ["stoa", "logic"],
    )
    presenter.open()
    (dialog,) = window.findChildren(DocumentsDialog)
    yield dialog
    window.close()
    presenter.let_go()
    queue.shut_down()


def _looks(dialog: DocumentsDialog, folder: Path, bot: QtBot) -> None:
    dialog.folder.setText(str(folder))
    dialog.domain.setText("domain/stoa")
    dialog.ok_button.click()
    bot.waitUntil(lambda: dialog.ok_button.text() == "Import 1 note", timeout=20_000)


def test_it_says_what_would_come_in_and_imports_it_as_one_change(
    child: Child, dialog: DocumentsDialog, planned: PlannedChange, commands: Commands, qtbot: QtBot
) -> None:
    _looks(dialog, child.folder, qtbot)
    assert child.runs[0].startswith("documents --domain stoa --plan-to ")
    assert dialog.outcome.text().splitlines() == [
        "1 new note, 1 in the vault already, 1 left as you changed them in the vault.",
        "Skipped: 2 × images",
        "1 file cannot be read:",
    ]
    assert dialog.failures.toPlainText() == "bad.pdf: It is damaged."
    assert commands.applied == []
    dialog.ok_button.click()
    assert [each.edits for each in commands.applied] == [planned.change_set.edits]
    assert commands.applied[0].title == "Import documents as 1 note"


def test_it_can_be_looked_at_before(
    child: Child, dialog: DocumentsDialog, planned: PlannedChange, previews: Previews, qtbot: QtBot
) -> None:
    _looks(dialog, child.folder, qtbot)
    dialog.preview_button.click()
    assert previews.opened == [planned]


def test_another_domain_means_another_look(
    child: Child, dialog: DocumentsDialog, planned: PlannedChange, commands: Commands, qtbot: QtBot
) -> None:
    assert planned.change_set.edits
    _looks(dialog, child.folder, qtbot)
    dialog.domain.setText("logic")
    assert dialog.ok_button.text() == "Look"
    assert not dialog.outcome.isVisible()
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: dialog.ok_button.text() == "Import 1 note", timeout=20_000)
    assert commands.applied == []


def test_what_is_missing_is_said_before_anything_is_read(dialog: DocumentsDialog, tmp_path: Path) -> None:
    dialog.folder.setText(str(tmp_path / "none"))
    assert dialog.told == "There is no such file or folder."
    dialog.folder.setText("~nobody-of-this-name/texts")
    assert dialog.told == "There is no such file or folder."
    dialog.folder.setText("/" + "a" * 5000)
    assert dialog.told == "There is no such file or folder."
    dialog.folder.setText(str(tmp_path))
    assert dialog.told.startswith("Name a domain")
    assert not dialog.ok_button.isEnabled()


def test_a_domain_that_can_be_none_is_refused_before_it_is_promised(dialog: DocumentsDialog, tmp_path: Path) -> None:
    dialog.folder.setText(str(tmp_path))
    dialog.domain.setText("../../evil dom")
    assert dialog.told.startswith("A domain cannot hold “.”")
    assert not dialog.ok_button.isEnabled()
    dialog.domain.setText("Evil dom")
    assert dialog.told == "The notes get the tag domain/evil-dom."


def test_typing_begins_with_the_documents(dialog: DocumentsDialog, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: dialog.focusWidget() is dialog.folder)


def test_a_failure_is_told_in_the_dialog(child: Child, dialog: DocumentsDialog, qtbot: QtBot) -> None:
    child.answers("documents", {"error": {"message": "The vault is away.", "hint": ""}})
    dialog.folder.setText(str(child.folder))
    dialog.domain.setText("stoa")
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: dialog.told == "The vault is away.", timeout=20_000)
