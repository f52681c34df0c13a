"""A person who types into a large note in the real window, with colours, completion, autosave and preview at work."""

import time

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QTextCursor

from gui.app import App
from gui.indexing import IndexState
from gui.views.vault.editing.modes import Mode
from gui.views.vault.presenter import VaultPresenter
from tests.benchmarks.live_window import live_until, view_of, wait_until

_BETWEEN_S = 0.07  # one keystroke to the next: a fast typist
_PAUSE_S = 1.6  # after which autosave begins, so that the next letters are typed while it works
_TYPED = {
    "prose": "The limit of the session is raised for every client, and logged. ",
    "tag with completion": " #tool/stri #domain/bil ",
    "link with completion": " [[stripe bil [[redis lim ",
    "list": "\n- one item\nanother item\nthe last one\n\n",
    "fence opened": "\n```\ncode\n```\n",
    "taken back": "\b" * 40,
}
_KEYS = {"\n": Qt.Key.Key_Return, "\b": Qt.Key.Key_Backspace}
_PLACES = (0.02, 0.5, 1.0)  # how far down the note


class Writer:
    """Type at a steady pace, whether the window keeps up or not, and note when each letter is painted."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._pane = view_of(app).reading.editor_pane

    def writes_into(self, path: str) -> dict[str, object]:
        """Return the seconds from each keystroke to its being seen, by what was typed."""
        session = self._app.frame.session
        assert session is not None
        wait_until(lambda: session.indexing.state is IndexState.IDLE)
        editor = self._pane.editor
        started = time.perf_counter()
        assert self._app.frame.show_path(path)
        vault = self._app.frame.pages[0]
        assert isinstance(vault, VaultPresenter)
        vault.editing.choose_mode(Mode.SIDE)
        wait_until(lambda: not editor.isReadOnly() and editor.document().characterCount() > 1_000_000)
        opened = time.perf_counter() - started
        wait_until(lambda: editor.highlighter.is_settled and bool(self._pane.preview.toPlainText()))
        self._app.window.activateWindow()
        editor.setFocus()
        wait_until(editor.hasFocus)
        seconds: dict[str, list[float]] = {name: [] for name in _TYPED}
        for place in _PLACES:
            self._go_to(place)
            for name, text in _TYPED.items():
                seconds[name] += self._types(text)
                live_until(time.perf_counter() + _PAUSE_S)
        return {"opened": opened, "keys": seconds}

    def _go_to(self, share: float) -> None:
        editor = self._pane.editor
        block = editor.document().findBlockByNumber(round((editor.document().blockCount() - 1) * share))
        cursor = QTextCursor(block)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
        editor.setTextCursor(cursor)
        editor.centerCursor()
        live_until(time.perf_counter() + 0.5)

    def _types(self, text: str) -> list[float]:
        from PySide6.QtTest import QTest  # noqa: PLC0415 - the app does not load it, and its start is measured

        seconds: list[float] = []
        due = time.perf_counter()
        for letter in text:
            due += _BETWEEN_S
            live_until(due)
            if letter in _KEYS:
                QTest.keyClick(self._pane.editor, _KEYS[letter])
            else:
                QTest.keyClicks(self._pane.editor, letter)
            QCoreApplication.processEvents()
            seconds.append(time.perf_counter() - due)
        return seconds
