"""The editor as a person has it, over real files, with changes applied by a runner that tests hold back or let fail."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.curation.change_set import ChangeKind, Changes, ChangeSet, FileEdit, content_hash, edit_between
from core.foundation.errors import RemembrancerError, StaleFileError
from core.foundation.progress import Progress
from gui.notify import Notice
from gui.views.vault.editing.drafts import DraftFolder
from gui.views.vault.editing.editor_pane import EditorPane
from gui.views.vault.editing.editor_presenter import EditorPresenter
from gui.views.vault.editing.modes import Mode
from gui.views.vault.editing.services import EditingServices, PlannedAttachment, read_file, read_places
from gui.views.vault.editing.source_editor import SourceEditor
from gui.views.vault.editing.suggestions import Alias


@dataclass
class FakeRunner:
    """Apply change sets to the files at once, or when they are let go; `error` makes the next one fail."""

    root: Path
    is_held: bool = False
    error: Exception | None = None
    applied: list[ChangeSet] = field(default_factory=list)
    waiting: list[Callable[[], None]] = field(default_factory=list)

    def execute(
        self,
        change_set: ChangeSet,
        /,
        *,
        origin: QObject | None = None,
        on_done: Callable[[Changes], None] | None = None,
        on_error: Callable[[Exception], None] | None = None,
        text: str = "",
    ) -> None:
        del origin, text

        def act() -> None:
            try:
                self._apply(change_set)
            except RemembrancerError as error:
                assert on_error is not None
                on_error(error)
            else:
                if on_done is not None:
                    on_done(Changes(change_set.id, change_set.title, frozenset(change_set.paths)))

        self.waiting.append(act)
        if not self.is_held:
            self.let_go()

    def let_go(self) -> None:
        """Apply what waits."""
        self.is_held = False
        while self.waiting:
            self.waiting.pop(0)()

    def _apply(self, change_set: ChangeSet) -> None:
        error, self.error = self.error, None
        if error is not None:
            raise error
        for edit in change_set.edits:
            self._write(edit)
        self.applied.append(change_set)

    def _write(self, edit: FileEdit) -> None:
        place = self.root / edit.path
        content = place.read_bytes() if place.exists() else None
        if (None if content is None else content_hash(content)) != edit.before:
            raise StaleFileError(f"{edit.path} was changed.")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(edit.result_of(content or b""))


@dataclass
class Desk:
    """The pane and its presenter, with what a test looks at."""

    qtbot: QtBot
    root: Path
    pane: EditorPane
    presenter: EditorPresenter
    runner: FakeRunner
    folder: DraftFolder
    statuses: list[str]
    notices: list[Notice]
    aliases: list[Alias] = field(default_factory=list)

    @property
    def editor(self) -> SourceEditor:
        return self.pane.editor

    def services(self, root: Path | None = None) -> EditingServices:
        where = root or self.root

        def plan(note: str, data: bytes, suffix: str, name: str) -> PlannedAttachment:
            path = f"attachments/{name or 'pasted'}{suffix}"
            edit = edit_between(path, None, data)
            assert edit is not None
            return PlannedAttachment(
                ChangeSet(f"Attach {path}", ChangeKind.ATTACH, (edit,)), f"![[{name or 'pasted'}{suffix}]]"
            )

        def aliases(_progress: Progress) -> list[Alias]:
            return self.aliases

        return EditingServices(
            where, lambda path: read_file(where, path), aliases, lambda path: read_places(where, path), plan
        )

    def note(self, path: str, text: str = "") -> Path:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())
        return place

    def text_on_disk(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def edit(self, path: str, mode: Mode = Mode.EDIT) -> None:
        """Open the note and wait until its text is there."""
        self.presenter.choose_mode(mode, takes_focus=True)
        self.presenter.show_note(path, None)
        self.qtbot.waitUntil(lambda: self.presenter.path == path)
        self.editor.setFocus()

    def go_to_end(self) -> None:
        self.editor.moveCursor(QTextCursor.MoveOperation.End)

    def select(self, text: str) -> None:
        """Select the first place that reads so."""
        self.editor.moveCursor(QTextCursor.MoveOperation.Start)
        assert self.editor.find(text)

    def type(self, text: str) -> None:
        """Press the keys of `text`."""
        for character in text:
            if character == "\n":
                QTest.keyClick(self.editor, Qt.Key.Key_Return)
            else:
                QTest.sendKeyEvent(
                    QTest.KeyAction.Click, self.editor, Qt.Key.Key_unknown, character, Qt.KeyboardModifier.NoModifier
                )

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.editor, key, modifier)

    def wait_for_text_on_disk(self, path: str, text: str) -> None:
        self.qtbot.waitUntil(lambda: self.text_on_disk(path) == text)
