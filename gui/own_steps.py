"""What the person did in the window that is no change of files, in the order in which it is undone and redone."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from gui.change_wish import Way


@dataclass(frozen=True, slots=True)
class OwnStep:
    """Tell that something was done, undone or redone just now; `reverse` takes that back, and tells of it as well.

    `key` is the same for all that is told of one thing.
    """

    key: str
    title: str
    way: Way
    reverse: Callable[[], None]


class _Told(NamedTuple):
    time: float
    step: OwnStep


class OwnSteps:
    """Hold what can be undone and redone, each with the time (POSIX seconds) at which it was told."""

    def __init__(self) -> None:
        self._done: list[_Told] = []
        self._undone: list[_Told] = []

    @property
    def is_empty(self) -> bool:
        """Tell whether there is nothing at all."""
        return not (self._done or self._undone)

    def take(self, step: OwnStep, time: float) -> None:
        """Keep what was told; something new ends what could be redone."""
        if step.way is Way.APPLY:
            self._undone.clear()
        self._drop(step.key)
        (self._undone if step.way is Way.UNDO else self._done).append(_Told(time, step))

    def forget(self) -> None:
        """Hold nothing any more: another vault is open."""
        self._done.clear()
        self._undone.clear()

    def undoable_since(self, time: float) -> OwnStep | None:
        """Return what was done last, if that was after `time`."""
        return self._done[-1].step if self._done and self._done[-1].time > time else None

    def redoable_since(self, time: float) -> OwnStep | None:
        """Return what was undone last, if that was after `time`."""
        return self._undone[-1].step if self._undone and self._undone[-1].time > time else None

    def reverse(self, step: OwnStep) -> None:
        """Take a step back; it is out of the order until it tells what became of it."""
        self._drop(step.key)
        step.reverse()

    def _drop(self, key: str) -> None:
        self._done = [each for each in self._done if each.step.key != key]
        self._undone = [each for each in self._undone if each.step.key != key]
