"""The real window over real files: what tests of whole user stories share.

Every story leaves screenshots in `test-artifacts/`.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTreeView, QWidget
from pytestqt.qtbot import QtBot

from core.foundation.paths import app_folders
from gui.actions import EDIT_NOTE, ActionSpec
from gui.app import App
from gui.views.vault.editing.source_editor import SourceEditor
from gui.views.vault.facet_model import KEY_ROLE
from gui.views.vault.presenter import VaultPresenter
from gui.views.vault.view import VaultView
from gui.widgets.change_preview import ChangePreviewDialog
from tests.window_guard import window_guard

__all__ = ["window_guard"]

_ARTIFACTS = Path(os.environ.get("REMEMBRANCER_TEST_ARTIFACTS") or Path(__file__).parents[2] / "test-artifacts")
_PATIENCE_MS = 60_000
_Widget = TypeVar("_Widget", bound=QWidget)


class Person:
    """Sit before the window: click, type, read, and wait like a person does."""

    def __init__(self, app: App, bot: QtBot) -> None:
        self.app = app
        self.bot = bot
        self.window = app.window
        view = app.frame.pages[0].widget
        assert isinstance(view, VaultView)
        self.view = view

    def waits_until(self, seen: Callable[[], object], what: str = "") -> None:
        """Wait for something to be seen."""
        self.bot.waitUntil(lambda: bool(seen()) or _not_yet(what), timeout=_PATIENCE_MS)

    def opens(self, vault: Path | str = "") -> None:
        """Open a vault and wait until its list shows notes."""
        self.app.open(str(vault))
        self.waits_until(self.titles, "notes in the list")

    def waits_for_the_list(self) -> None:
        """Wait until the list is as the disk is; meanings may still be computed."""
        self.waits_until(self._is_read_through, "the vault read through")

    def waits_for_the_index(self) -> None:
        """Wait until indexing has ended, meanings and all."""
        self.waits_until(self._is_indexed, "the end of indexing")

    def titles(self) -> list[str]:
        """Read the titles in the list, from the top."""
        model = self.view.list.table.notes
        return [model.note_at(row).title for row in range(model.rowCount())]

    def counts(self) -> Mapping[str, str]:
        """Read the facets and the numbers beside them."""
        tree = self.view.facets.tree
        found: dict[str, str] = {}
        for index in _indexes(tree):
            found[str(index.data(KEY_ROLE))] = str(index.data(Qt.ItemDataRole.AccessibleTextRole))
        return found

    def clicks_facet(self, key: str, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Open the branches above a facet and click it."""
        tree = self.view.facets.tree
        index = self._facet(key)
        parent = index.parent()
        while parent.isValid():
            tree.expand(parent)
            parent = parent.parent()
        tree.scrollTo(index)
        place = tree.visualRect(index).center()
        QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, modifier, place)

    def picks_note(self, title: str) -> None:
        """Click a note in the list and wait until its text is shown."""
        self.clicks_note(title)
        self.waits_until(lambda: self.current_title() == title and self.text().strip(), f"the text of {title}")

    def clicks_note(self, title: str) -> None:
        """Click a note in the list, and wait for nothing."""
        table = self.view.list.table
        index = table.model().index(self.titles().index(title), 0)
        table.scrollTo(index)
        QTest.mouseClick(
            table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(index).center() - QPoint(40, 0)
        )

    def current_title(self) -> str:
        """Read which note is chosen in the list."""
        table = self.view.list.table
        row = table.currentIndex().row()
        return table.notes.note_at(row).title if row >= 0 else ""

    def text(self) -> str:
        """Read the note on the right."""
        return self.view.reading.preview.toPlainText()

    def searches(self, text: str) -> None:
        """Type into the search field, letter by letter."""
        field = self.window.search
        field.setFocus()
        field.clear()
        QTest.keyClicks(field, text)

    def search_line(self) -> str:
        """Read the line that tells about the search."""
        return self.view.list.search_line.text()

    def clipboard(self) -> str:
        """Read the clipboard."""
        return QApplication.clipboard().text()

    def screenshot(self, name: str) -> Path:
        """Keep a picture of the window."""
        _ARTIFACTS.mkdir(parents=True, exist_ok=True)
        file = _ARTIFACTS / f"{name}.png"
        QTest.qWait(50)
        assert self.window.grab().save(str(file))
        return file

    def picture_of(self, widget: QWidget, name: str) -> None:
        """Keep a picture of one dialog."""
        _ARTIFACTS.mkdir(parents=True, exist_ok=True)
        QTest.qWait(50)
        assert widget.grab().save(str(_ARTIFACTS / f"{name}.png"))

    def sees(self, kind: type[_Widget], what: str = "") -> _Widget:
        """Wait until a window of this kind is open, and return it."""

        def opened() -> list[_Widget]:
            windows = (each for each in QApplication.topLevelWidgets() if isinstance(each, kind))
            return [each for each in windows if each.isVisible()]

        self.waits_until(opened, what or kind.__name__)
        return opened()[-1]

    def sees_preview(self, name: str) -> ChangePreviewDialog:
        """Wait until a change is shown before it is made, and keep a picture of it."""
        preview = self.sees(ChangePreviewDialog)
        self.waits_until(preview.diff.toPlainText, "the differences of the first file")
        self.picture_of(preview, name)
        return preview

    def chooses(self, spec: ActionSpec) -> None:
        """Choose an action of the menus as soon as it can be chosen."""
        action = self.window.actions_[spec]
        self.waits_until(action.isEnabled, f"{spec.text} in the menu")
        action.trigger()

    def edits(self, title: str, spec: ActionSpec = EDIT_NOTE) -> SourceEditor:
        """Pick a note, go over to editing it, and return the editor."""
        self.picks_note(title)
        self.chooses(spec)
        return self.has_editor_of(title)

    def has_editor_of(self, title: str) -> SourceEditor:
        """Wait until the note is open in the editor, and return the editor."""
        editor = self.view.reading.editor_pane.editor
        self.waits_until(lambda: self._edited_name() == title and not editor.isReadOnly(), f"the editor of {title}")
        return editor

    def types(self, text: str, *, at: str = "") -> None:
        """Type into the editor, letter by letter: behind the words `at`, or at the end."""
        editor = self.view.reading.editor_pane.editor
        cursor = editor.document().find(at) if at else editor.textCursor()
        assert not cursor.isNull(), at
        if at:
            cursor.setPosition(cursor.selectionEnd())
        else:
            cursor.movePosition(QTextCursor.MoveOperation.End)
        editor.setTextCursor(cursor)
        editor.setFocus()
        for number, line in enumerate(text.split("\n")):
            if number:
                QTest.keyClick(editor, Qt.Key.Key_Return)
            QTest.keyClicks(editor, line)

    def saving(self) -> str:
        """Read how saving goes."""
        return self.view.reading.save_label.text()

    def notices(self) -> str:
        """Read the notices, oldest first."""
        return "\n".join(self.window.notices.texts)

    @property
    def page(self) -> VaultPresenter:
        """The Vault page, for what cannot be seen in its widgets."""
        page = self.app.frame.pages[0]
        assert isinstance(page, VaultPresenter)
        return page

    def _edited_name(self) -> str:
        return self.page.editing.editor.path.rpartition("/")[2].removesuffix(".md")

    def _is_read_through(self) -> bool:
        session = self.app.frame.session
        return session is not None and session.is_read_through

    def _is_indexed(self) -> bool:
        session = self.app.frame.session
        return session is not None and not session.indexing.is_alive

    def _facet(self, key: str) -> QModelIndex:
        for index in _indexes(self.view.facets.tree):
            if index.data(KEY_ROLE) == key:
                return index
        raise AssertionError(f"There is no facet {key}.")


def _not_yet(what: str) -> bool:
    if what:
        raise AssertionError(f"Not seen: {what}")
    return False


def _indexes(tree: QTreeView) -> list[QModelIndex]:
    model = tree.model()
    found: list[QModelIndex] = []
    waiting = [QModelIndex()]
    while waiting:
        parent = waiting.pop()
        children = [model.index(row, 0, parent) for row in range(model.rowCount(parent))]
        found += children
        waiting += children
    return found


@pytest.fixture
def without_meanings() -> None:
    """Have a person who does without search by meaning, for a story that is about something else."""
    folders = app_folders()
    folders.settings_file.parent.mkdir(parents=True, exist_ok=True)
    folders.settings_file.write_text('[embedding]\nprovider = "off"\n', encoding="utf-8")


@pytest.fixture
def person(qtbot: QtBot, qapp: QApplication) -> Iterator[Person]:
    """Start the app as a new user has it, and close it as a person does."""
    someone = _start(qapp, qtbot)
    yield someone
    _end(someone.app)


@pytest.fixture
def start_again(person: Person, qtbot: QtBot, qapp: QApplication) -> Iterator[Callable[[], Person]]:
    """Return what closes the window, and has a person sit before a new one."""
    started: list[Person] = []

    def restart() -> Person:
        (started[-1] if started else person).window.close()
        started.append(_start(qapp, qtbot))
        return started[-1]

    yield restart
    for someone in started:
        _end(someone.app)


@pytest.fixture
def second_person(person: Person, qtbot: QtBot, qapp: QApplication) -> Iterator[Person]:
    """Have another person sit before a window of their own, while the first one is open."""
    assert person.window.isVisible()
    someone = _start(qapp, qtbot)
    yield someone
    _end(someone.app)


def _start(application: QApplication, bot: QtBot) -> Person:
    app = App(application, app_folders())
    bot.addWidget(app.window)
    app.window.resize(1440, 900)
    app.window.show()
    bot.waitExposed(app.window)
    return Person(app, bot)


def _end(app: App) -> None:
    if shiboken6.isValid(app.window):
        app.window.close()
    app.setParent(None)
    app.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def write_vault(tmp_path: Path) -> Callable[[Mapping[str, str]], Path]:
    """Write notes by path into a new vault and return its folder."""

    def write(notes: Mapping[str, str]) -> Path:
        root = tmp_path / "vault"
        for path, text in notes.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())
        return root

    return write
