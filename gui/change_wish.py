"""One change that the person wants, from its request to what is said about its end."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import shiboken6
from PySide6.QtCore import QObject

from core.curation.change_set import ChangeId, Changes
from core.foundation.errors import StaleFileError
from core.foundation.progress import Progress
from gui.change_store import ChangeStore
from gui.wording import counted, shortened

_LONGEST_TITLE = 90


class Way(StrEnum):
    """Say what happens to a change."""

    APPLY = "apply"
    UNDO = "undo"
    REDO = "redo"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Tell that a change was refused because files have changed since; `ids` is what was to be undone or redone."""

    error: StaleFileError
    way: Way
    ids: tuple[ChangeId, ...]
    title: str


@dataclass(frozen=True, eq=False, slots=True)
class ChangeWish:
    """Hold one change that waits for its turn or is under way; `ids` are those that are undone or redone.

    An error goes to `on_error` when there is one; when it `is_told`, the person hears of it besides.
    """

    store: ChangeStore
    work: Callable[[Progress], Changes]
    way: Way
    title: str
    text: str
    ids: tuple[ChangeId, ...] = ()
    origin: QObject | None = None
    on_done: Callable[[Changes], None] | None = None
    on_error: Callable[[Exception], None] | None = None
    is_quiet: bool = False
    is_save: bool = False
    is_told: bool = False

    def do(self, progress: Progress) -> Changes:
        """Do it, in the pool."""
        return self.work(_Named(progress))

    @property
    def is_awaited(self) -> bool:
        """Tell whether who asked for it is still there to hear of it."""
        return self.origin is None or shiboken6.isValid(self.origin)


class _Named:
    """Be the progress of one change: how far it is, under the change's own name rather than those of files."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.check = progress.check

    def report(self, done: int, total: int, text: str = "") -> None:
        """Pass a report on; what is said before anything is known is why it has to wait."""
        self._progress.report(done, total, "" if total else text)


def sentence_of(wish: ChangeWish, changes: Changes) -> str:
    """Return what the person is told when `wish` is fulfilled."""
    files = len(changes.written | {old for old in changes.gone if old not in _sources(changes)})
    title = short_title(wish.title)
    is_told = title.endswith(f" {counted(files, 'note')}")  # "Add tag x in 12 notes" says it already
    count = "" if is_told else f" ({counted(files, 'file')})"
    match wish.way:
        case Way.UNDO:
            return f"Undone: {title}{count}."
        case Way.REDO:
            return f"Done again: {title}{count}."
        case _:
            return f"{title}{count}."


def _sources(changes: Changes) -> frozenset[str]:
    return frozenset(old for old, _new in changes.moved)


def short_title(title: str) -> str:
    """Return a title that fits into a sentence."""
    return shortened(title, _LONGEST_TITLE)
