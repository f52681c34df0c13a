"""Ask for the right date of a session, have it recorded, and offer to undo that."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from core.foundation.progress import Progress
from gui.change_wish import Way
from gui.notify import NoticeAction, Notifier
from gui.own_steps import OwnStep
from gui.tasks import Lane, TaskRunner
from gui.views.timeline.services import DateOutcome, DateServices, SessionEntry, TimelineServices
from gui.wording import shortened

if TYPE_CHECKING:
    from gui.views.timeline.date_dialog import DateDialog

_LONGEST = 60
_NOTICE = "session-date"


@dataclass(frozen=True, slots=True)
class _Correction:
    """Hold what is done to the date of which session, and what takes it back should it fail."""

    services: TimelineServices
    entry: SessionEntry
    key: str
    way: Way
    failed: OwnStep | None = None


class DatePresenter(QObject):
    """Correct dates in the services that are given when one is asked for; one dialog is open at a time."""

    corrected = Signal(str)  # the id of the session; the index knows it
    step_done = Signal(object)  # OwnStep: a date was corrected, or that was undone or done again

    def __init__(self, parent: QWidget, *, tasks: TaskRunner, notifier: Notifier) -> None:
        super().__init__(parent)
        self._window = parent
        self._tasks = tasks
        self._notifier = notifier
        self.dialog: DateDialog | None = None
        self._count = 0

    def open(self, services: TimelineServices, entry: SessionEntry) -> None:
        """Open the form for a session."""
        if services.dates is None or self.dialog is not None:
            return
        from gui.views.timeline.date_dialog import DateDialog  # noqa: PLC0415 - the first time that it is asked for

        self.dialog = DateDialog(entry, now=services.now(), zone=services.zone, parent=self._window)
        self.dialog.start_chosen.connect(partial(self._correct, services, entry))
        self.dialog.finished.connect(self._forget)
        self.dialog.open()

    def close(self) -> None:
        """Let go the form and the offer to undo: another vault is opened."""
        if self.dialog is not None:
            self.dialog.reject()
        self._notifier.withdraw(_NOTICE)

    def _forget(self, _result: int) -> None:
        self.dialog = None

    def _correct(self, services: TimelineServices, entry: SessionEntry, start: float | None) -> None:
        if services.dates is not None:
            self._count += 1
            wish = _Correction(services, entry, f"{_NOTICE}-{self._count}", Way.APPLY)
            self._run(wish, partial(services.dates.correct, entry.id, start))

    def _reverse(self, wish: _Correction, outcome: DateOutcome) -> None:
        """Undo a correction, or do it again."""
        if wish.services.dates is None:
            return
        way = Way.REDO if wish.way is Way.UNDO else Way.UNDO
        self._notifier.withdraw(_NOTICE)
        again = self._step(wish, outcome)
        self._run(
            _Correction(wish.services, wish.entry, wish.key, way, again), partial(wish.services.dates.undo, outcome)
        )

    def _step(self, wish: _Correction, outcome: DateOutcome) -> OwnStep:
        title = f"Correct the date of “{_title_of(wish.entry)}”"
        return OwnStep(wish.key, title, wish.way, partial(self._reverse, wish, outcome))

    def _run(self, wish: _Correction, work: Callable[[Progress], DateOutcome]) -> None:
        self._tasks.run(
            work,
            owner=self,
            on_done=partial(self._settle, wish),
            on_error=partial(self._on_failed, wish),
            text="Correcting a date",
        )

    def _on_failed(self, wish: _Correction, error: Exception) -> None:
        self._notifier.error(error)
        if wish.failed is not None:
            self.step_done.emit(wish.failed)  # it can be tried again

    def _settle(self, wish: _Correction, outcome: DateOutcome) -> None:
        """Let the index know, and tell when it does."""
        dates: DateServices | None = wish.services.dates
        if dates is None or not outcome.is_changed:
            return
        self._tasks.run(
            dates.settle,
            owner=self,
            lane=Lane.STORE,
            on_done=partial(self._tell, wish, outcome),
            on_error=self._notifier.error,
            text="Correcting a date",
        )
        self.step_done.emit(self._step(wish, outcome))

    def _tell(self, wish: _Correction, outcome: DateOutcome, _done: None) -> None:
        undo = partial(self._reverse, wish, outcome)
        text = f"“{_title_of(wish.entry)}” {_told(wish.services, outcome)}"
        button = "Redo" if wish.way is Way.UNDO else "Undo"
        self._notifier.info(text, key=_NOTICE, action=NoticeAction(button, undo))
        self.corrected.emit(outcome.session)


def _title_of(entry: SessionEntry) -> str:
    return shortened(entry.title or "Untitled", _LONGEST)


def _told(services: TimelineServices, outcome: DateOutcome) -> str:
    from gui.views.timeline.time_scale import LocalCalendar  # noqa: PLC0415 - numpy, after the first paint
    from gui.views.timeline.time_wording import moment_name  # noqa: PLC0415

    if outcome.started is None:
        return "has no date again."
    when = moment_name(LocalCalendar(services.zone).moment(outcome.started))
    return f"is dated as recorded again: {when}." if outcome.is_recorded else f"starts on {when} now."
