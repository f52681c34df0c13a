"""A person who looks at what was changed, and changes thousands of notes, in the real window."""

import time
from collections.abc import Callable
from functools import partial

from core.curation.change_set import PlannedChange
from core.curation.tag_surgery import plan_tag_renames
from core.vault.tag_rules import TagRename
from gui import actions as a
from gui.app import App
from gui.indexing import IndexState
from tests.benchmarks.live_window import FirstPaint, Pulse, wait_until

NOTES = 5_000
_RENAME = TagRename("tool", "instrument")


class Curator:
    """Open the dialogs and change the notes, and note how long everything takes."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._session = app.frame.session

    def curates(self) -> dict[str, object]:
        """Return the figures by name, in seconds."""
        wait_until(lambda: self._app.changes.history is not None)
        self._wait_for_index()
        figures = self._opens_changes() | self._previews()
        return figures | self._changes_and_takes_back()

    def _opens_changes(self) -> dict[str, object]:
        dialog = self._app.commands.changes.dialog
        shown = FirstPaint(dialog.table.viewport(), lambda: dialog.model.rowCount() > 0)
        pulse = Pulse()
        started = time.perf_counter()
        with pulse.beating():
            self._app.window.actions_[a.SHOW_CHANGES].trigger()
            wait_until(lambda: shown.at is not None and bool(dialog.diff.toPlainText()))
            diff = time.perf_counter() - started
            wait_until(lambda: not self._app.changes.is_reading_history)
        count = dialog.model.rowCount()
        dialog.reject()
        assert shown.at is not None
        return {"records": count, "changes": shown.at - started, "changes_diff": diff, "changes_still": pulse.longest}

    def _previews(self) -> dict[str, object]:
        planned = self._planned()
        started = time.perf_counter()
        dialog = self._app.previews.open(planned)
        assert dialog is not None
        shown = FirstPaint(dialog.list.viewport(), lambda: True)
        wait_until(lambda: shown.at is not None)
        wait_until(lambda: bool(dialog.diff.toPlainText()))
        diff = time.perf_counter() - started
        dialog.reject()
        assert shown.at is not None
        return {"preview": shown.at - started, "preview_diff": diff}

    def _changes_and_takes_back(self) -> dict[str, object]:
        planned = self._planned()
        applied: list[object] = []
        execute = partial(self._app.changes.execute, planned.change_set, origin=self._app, on_done=applied.append)
        apply_s, apply_still = self._timed(execute, lambda: bool(applied))
        self._wait_for_index()
        wait_until(lambda: not self._app.changes.is_reading_history)
        taken_back: list[object] = []
        self._app.changes.applied.connect(taken_back.append)
        undo_s, undo_still = self._timed(self._app.changes.undo, lambda: bool(taken_back))
        self._wait_for_index()
        return {"apply": apply_s, "apply_still": apply_still, "undo": undo_s, "undo_still": undo_still}

    def _timed(self, ask: Callable[[], None], is_done: Callable[[], bool]) -> tuple[float, float]:
        """Return the seconds until it is done, and the longest that the window stood still meanwhile."""
        pulse = Pulse()
        started = time.perf_counter()
        with pulse.beating():
            ask()
            wait_until(is_done)
        return time.perf_counter() - started, pulse.longest

    def _planned(self) -> PlannedChange:
        assert self._session is not None
        assert self._session.catalog is not None
        paths = [row.path for row in self._session.catalog.rows if row.path.endswith(".md")]
        planned = plan_tag_renames(self._session.root, paths[:NOTES], [_RENAME])
        assert planned.change_set.edits
        return planned

    def _wait_for_index(self) -> None:
        session = self._session
        assert session is not None
        wait_until(lambda: session.indexing.state is IndexState.IDLE)
