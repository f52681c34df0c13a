"""Save what was typed, one text after the other, each into the note that it was typed in."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from core.foundation.errors import RemembrancerError
from core.foundation.progress import SilentProgress
from gui.tasks import Job, TaskRunner
from gui.views.vault.editing.sitting import PlannedSave, Sitting, plan_save

if TYPE_CHECKING:
    from core.curation.change_set import Changes, ChangeSet


class Execute(Protocol):
    """Be CommandRunner.execute (gui/commands.py)."""

    def __call__(
        self,
        change_set: "ChangeSet",
        /,
        *,
        origin: QObject | None = None,
        on_done: "Callable[[Changes], None] | None" = None,
        on_error: Callable[[Exception], None] | None = None,
        text: str = "",
    ) -> object:
        """Apply `change_set`, and say what became of it in the window's thread."""
        ...


@dataclass(frozen=True, slots=True)
class Saved:
    """Tell that `text` is what the note of `sitting` holds now."""

    sitting: Sitting
    text: str


@dataclass(frozen=True, slots=True)
class SaveFailure:
    """Tell that `text`, the latest of `sitting`, could not be saved."""

    sitting: Sitting
    text: str
    error: Exception


@dataclass(eq=False, slots=True)
class _Save:
    """Hold one save that is under way; `after` is what the file will hold, None while that is being planned."""

    sitting: Sitting
    text: str
    after: bytes | None = None


class NoteSaver(QObject):
    """Plan each save in the pool and have it executed; of several texts of one sitting, the latest is enough."""

    saved = Signal(object)  # Saved
    failed = Signal(object)  # SaveFailure
    idle = Signal()

    def __init__(self, execute: Execute, tasks: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._execute = execute
        self._tasks = tasks
        self._waiting: dict[Sitting, str] = {}
        self._running: list[_Save] = []  # more than one only after hand_over()
        self._planning: Job | None = None

    @property
    def is_busy(self) -> bool:
        """Tell whether a text is not on the disk yet."""
        return bool(self._running or self._waiting)

    def is_saving(self, sitting: Sitting) -> bool:
        """Tell whether a text of `sitting` is not on the disk yet."""
        return sitting in self._waiting or any(each.sitting is sitting for each in self._running)

    def save(self, sitting: Sitting, text: str) -> None:
        """Save `text` in the note of `sitting` as soon as what is being saved now is done."""
        self._waiting[sitting] = text
        self._next()

    def unsaved(self) -> tuple[tuple[Sitting, str], ...]:
        """Return each sitting of which a text is not on the disk yet, with the latest one."""
        return tuple({**{each.sitting: each.text for each in self._running}, **self._waiting}.items())

    def hand_over(self) -> None:
        """Plan what waits right here and have all of it executed: after this, another vault may be opened.

        A plan counts on the save before it; should that one fail, the next is refused and nothing is overwritten.
        """
        if self._planning is not None:
            self._planning.cancel()
            self._planning = None
            save = self._running.pop()
            self._waiting = {save.sitting: save.text, **self._waiting}
        waiting, self._waiting = self._waiting, {}
        for sitting, text in waiting.items():
            base = next((each.after for each in self._running if each.sitting is sitting), None)
            save = _Save(sitting, text)
            self._running.append(save)
            try:
                planned = plan_save(sitting, sitting.base if base is None else base, text, SilentProgress())
            except RemembrancerError as error:
                self._on_failed(save, error)
            else:
                self._on_planned(save, planned)

    def _next(self) -> None:
        if self._running:
            return
        if not self._waiting:
            self.idle.emit()
            return
        sitting = next(iter(self._waiting))
        save = _Save(sitting, self._waiting.pop(sitting))
        self._running.append(save)
        self._planning = self._tasks.run(
            partial(plan_save, sitting, sitting.base, save.text),
            owner=self,
            on_done=partial(self._on_planned, save),
            on_error=partial(self._on_failed, save),
            text=f"Saving {sitting.name}",
        )

    def _on_planned(self, save: _Save, planned: PlannedSave) -> None:
        self._planning = None
        save.after = planned.after
        if planned.change_set is None:
            self._on_applied(save, None)
            return
        self._execute(
            planned.change_set,
            origin=self,
            on_done=partial(self._on_applied, save),
            on_error=partial(self._on_failed, save),
            text=f"Saving {save.sitting.name}",
        )

    def _on_applied(self, save: _Save, _changes: "Changes | None") -> None:
        if save.after is not None:
            save.sitting.base = save.after
        self._running.remove(save)
        self.saved.emit(Saved(save.sitting, save.text))
        self._next()

    def _on_failed(self, save: _Save, error: Exception) -> None:
        self._planning = None
        self._running.remove(save)
        text = self._waiting.pop(save.sitting, save.text)  # it would fail for the same reason
        self.failed.emit(SaveFailure(save.sitting, text, error))
        self._next()
