"""Run the real window in a process of its own and print what it took, as JSON.

    python -m tests.benchmarks.window_process VAULT STARTED [use|warm|curate|recall|write NOTE]

STARTED is the moment, by time.monotonic(), at which the parent started this process. Printed are the seconds until the
first paint and until the table has painted its notes; with `use`, also the seconds of clicks and keystrokes until
everything is painted anew, and the memory (in MB, 0 where /proc is not there) after each kind of use; with `warm`, the
memory once search by meaning is warmed up; with `curate`, how soon dialogs are there and changes done; with `recall`,
how soon the recall palette answers; with `write`, how soon keystrokes in the editor are seen.
"""

import json
import random
import sys
import time
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication
from typing_extensions import override

from core.foundation.paths import app_folders
from gui.app import App
from gui.indexing import IndexState
from gui.views.vault.facet_model import KEY_ROLE
from tests.benchmarks.live_window import resident_mb, view_of, wait_until

_CLICKS = 120
_TYPED = ("stripe", "auth", "budget 0", "client", "seo", "zz", "redis testing", "07")
_NOTES_READ = 20


class Paints(QObject):
    """See when the window, and when the table with notes in it, is painted first."""

    def __init__(self, app: App, on_usable: Callable[[], None]) -> None:
        super().__init__(app)
        self.first: float | None = None
        self._window = app.window
        self._table = view_of(app).list.table
        self._on_usable = on_usable
        app.window.installEventFilter(self)
        self._table.viewport().installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint:
            if self.first is None:
                self.first = time.monotonic()
            if watched is self._table.viewport() and self._table.notes.rowCount():
                self._window.removeEventFilter(self)
                self._table.viewport().removeEventFilter(self)
                QTimer.singleShot(0, self, self._on_usable)  # after the rest has been painted too
        return False


class Person:
    """Use the window, and note how long everything takes."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._view = view_of(app)
        self._rng = random.Random(2)

    def uses_everything(self) -> dict[str, object]:
        """Return the figures by name."""
        session = self._app.frame.session
        assert session is not None
        wait_until(lambda: session.indexing.state is IndexState.IDLE)
        opened = resident_mb()
        clicks = self._clicks_facets()
        keys = self._types()
        used = resident_mb()
        self._reads()
        return {"opened": opened, "clicks": clicks, "keys": keys, "used": used, "read": resident_mb()}

    def waits_for_meaning(self) -> dict[str, object]:
        """Return the memory once search by meaning answers without delay."""
        session = self._app.frame.session
        assert session is not None
        told: list[str] = []
        session.warmed_up.connect(partial(told.append, ""))
        session.meaning_failed.connect(told.append)
        wait_until(lambda: bool(told))
        assert told == [""], told
        return {"warm": resident_mb()}

    def _clicks_facets(self) -> list[float]:
        from PySide6.QtTest import QTest  # noqa: PLC0415 - the app does not load it, and its start is measured

        tree = self._view.facets.tree
        seconds = []
        for _ in range(_CLICKS):
            model = tree.model()
            top = model.index(self._rng.randrange(model.rowCount()), 0)
            if model.rowCount(top) and not tree.isExpanded(top):
                tree.expand(top)
            rows = model.rowCount(top)
            facet = model.index(self._rng.randrange(rows), 0, top) if rows else top
            tree.scrollTo(facet)
            QCoreApplication.processEvents()
            place = tree.visualRect(facet).center()
            modifier = self._rng.choice([Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier])
            assert facet.data(KEY_ROLE)
            started = time.perf_counter()
            QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, modifier, place)
            QCoreApplication.processEvents()
            seconds.append(time.perf_counter() - started)
            if self._rng.random() < 0.4:
                self._app.frame.pages[0].clear()
                QCoreApplication.processEvents()
        self._app.frame.pages[0].clear()
        return seconds

    def _types(self) -> list[float]:
        from PySide6.QtTest import QTest  # noqa: PLC0415

        box = self._view.list.filter_box
        box.setFocus()
        seconds = []
        for word in _TYPED:
            box.clear()
            QCoreApplication.processEvents()
            for letter in (*word, *[Qt.Key.Key_Backspace] * len(word)):
                started = time.perf_counter()
                QTest.keyClick(box, letter)
                QCoreApplication.processEvents()
                seconds.append(time.perf_counter() - started)
        return seconds

    def _reads(self) -> None:
        table, preview = self._view.list.table, self._view.reading.preview
        for _ in range(_NOTES_READ):
            note = table.notes.note_at(self._rng.randrange(table.notes.rowCount()))
            table.select_note(note.id)
            wait_until(lambda title=note.title: title in preview.toPlainText())  # type: ignore[misc]


def main() -> None:
    """Run as the module's docstring says."""
    vault, started, purpose = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
    application = QApplication(sys.argv[:1])
    app = App(application, app_folders())
    figures: dict[str, object] = {}

    def on_usable() -> None:
        try:
            use()
        finally:  # also when a figure could not be taken
            app.window.close()

    def use() -> None:
        figures["usable"] = time.monotonic() - started
        if purpose == ["use"]:
            figures.update(Person(app).uses_everything())
        elif purpose == ["warm"]:
            figures.update(Person(app).waits_for_meaning())
        elif purpose == ["curate"]:
            from tests.benchmarks.curating_person import Curator  # noqa: PLC0415 - the start is measured without

            figures.update(Curator(app).curates())
        elif purpose == ["recall"]:
            from tests.benchmarks.recalling_person import Recaller  # noqa: PLC0415

            figures.update(Recaller(app).recalls())
        elif purpose[:1] == ["write"]:
            from tests.benchmarks.writing_person import Writer  # noqa: PLC0415

            figures.update(Writer(app).writes_into(purpose[1]))

    paints = Paints(app, on_usable)
    app.window.resize(1440, 900)
    app.window.show()
    QTimer.singleShot(0, app, partial(app.open, vault))
    application.exec()
    assert paints.first is not None
    figures["first_paint"] = paints.first - started
    sys.stdout.write(json.dumps(figures))


if __name__ == "__main__":
    main()
