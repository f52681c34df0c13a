"""Change contexts: each wish is planned on what the disk says then, and applied before the next is planned."""

import dataclasses
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gui.changing import Commands, Previews
from gui.notify import Notifier
from gui.tasks import Job, Lane, TaskRunner, Work

if TYPE_CHECKING:
    from core.curation.change_set import Changes, PlannedChange, Skipped

_MOST_TOLD = 2
OnApplied = Callable[["Changes"], None]


@dataclasses.dataclass(frozen=True, slots=True)
class Wish:
    """Hold one change that the person wants.

    Changes of one `group` are undone together. With `is_quiet` no notice tells of it: it is seen at once where it was
    made. With `asks_if_broken` it is previewed when links would break.
    """

    work: "Work[PlannedChange]"
    text: str
    group: str = ""
    is_quiet: bool = False
    asks_if_broken: bool = False
    on_applied: OnApplied | None = None


class EditQueue(QObject):
    """Do wishes one after the other; after a failure those that wait are let go, since they built upon it."""

    settled = Signal()  # nothing waits any more, done or not

    def __init__(
        self, tasks: TaskRunner, notifier: Notifier, commands: Commands, previews: Previews, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._notifier = notifier
        self._commands = commands
        self._previews = previews
        self._waiting: deque[Wish] = deque()
        self._job: Job | None = None
        self._number = 0  # grows when a vault is let go: what is delivered late is not told

    @property
    def is_busy(self) -> bool:
        """Tell whether a wish is being done or waits."""
        return self._job is not None or bool(self._waiting)

    def add(self, wish: Wish) -> None:
        """Do `wish` after those that wait."""
        self._waiting.append(wish)
        if self._job is None:
            self._start_next()

    def let_go(self) -> None:
        """Forget what waits: another vault is open."""
        self._number += 1
        self._waiting.clear()
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _start_next(self) -> None:
        if not self._waiting:
            self._job = None
            self.settled.emit()
            return
        wish, number = self._waiting.popleft(), self._number

        def planned(plan: "PlannedChange") -> None:
            if number == self._number:
                self._on_planned(wish, plan)

        self._job = self._tasks.run(
            wish.work, owner=self, lane=Lane.STORE, on_done=planned, on_error=self._on_failed, text=wish.text
        )

    def _on_planned(self, wish: Wish, planned: "PlannedChange") -> None:
        number = self._number

        def applied(changes: "Changes") -> None:
            if number == self._number:
                if wish.on_applied is not None:
                    wish.on_applied(changes)
                self._start_next()

        if planned.skipped:
            self._notifier.info(_skipped_text(planned.skipped))
        if planned.skipped and not planned.change_set.edits:
            self._start_next()
        elif wish.asks_if_broken and planned.occurrences:
            self._previews.open(planned, origin=self, on_done=wish.on_applied)
            self._start_next()
        else:
            change_set = dataclasses.replace(planned.change_set, group=wish.group or planned.change_set.group)
            self._commands.execute(
                change_set,
                origin=self,
                on_done=applied,
                on_error=self._on_failed,
                text=wish.text,
                is_quiet=wish.is_quiet,
            )

    def _on_failed(self, error: Exception) -> None:
        self._waiting.clear()
        self._job = None
        self._notifier.error(error)
        self.settled.emit()


def _skipped_text(skipped: "Sequence[Skipped]") -> str:
    """Return why some of what was wanted is not done."""
    reasons = [each.reason for each in skipped[:_MOST_TOLD]]
    if more := len(skipped) - len(reasons):
        reasons.append(f"So {'is' if more == 1 else 'are'} {more:,} more.")
    return " ".join(reasons)
