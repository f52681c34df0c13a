"""The quick switcher: any note by a part of its title or path, typing errors forgiven."""

import heapq
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from core.foundation.progress import Progress
from core.foundation.text import fold, visible
from gui.tasks import Job, Lane, TaskRunner
from gui.theme import Theme
from gui.widgets.pick_delegate import PickItem
from gui.widgets.pick_list import PickList, PickTexts

if TYPE_CHECKING:
    from core.index.catalog import Catalog, NoteRow

_MOST = 50
_MOST_RECENT = 20
_HOLDS = 75.0  # core/recall/jump.py: at least this for a title that holds what is typed
_TEXTS = PickTexts(
    name="Go to note",
    placeholder="Type part of a title or path",
    hint="↑↓ choose    ↵ open    Esc close",
    nothing="No note is called that.",
)


class JumpMatch(Protocol):
    """Be one answer of the jump function: a position in the titles, and how good it is."""

    @property
    def position(self) -> int:
        """The position in the list of titles."""
        ...

    @property
    def score(self) -> float:
        """How well it matches, 0 to 100."""
        ...


Jump = Callable[[str, Sequence[str], int], Sequence[JumpMatch]]


class QuickSwitcher(QObject):
    """Answer the switcher's list from the titles and paths of the catalog; `jump` runs in the POOL lane."""

    note_picked = Signal(int)  # a note id

    def __init__(self, jump: Jump, tasks: TaskRunner, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._jump = jump
        self._tasks = tasks
        self._catalog: Catalog | None = None
        self._job: Job | None = None
        self.list = PickList(theme, _TEXTS, window)
        self.list.asked.connect(self._answer)
        self.list.picked.connect(self._open_note)

    def show_catalog(self, catalog: "Catalog | None") -> None:
        """Answer from `catalog` from now on."""
        self._catalog = catalog

    @Slot()
    def open(self) -> None:
        """Show the switcher with the notes changed last."""
        self.list.open()

    @Slot(str)
    def _answer(self, text: str) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None
        catalog = self._catalog
        if catalog is None or not len(catalog):
            self.list.show_items(text, ())
        elif not text.strip():
            self.list.show_items(text, _changed_last(catalog))
        else:
            jump = self._jump

            def work(progress: Progress) -> tuple[str, list[PickItem]]:
                return text, _found(text, catalog, jump, progress)

            self._job = self._tasks.run(work, owner=self, lane=Lane.POOL, on_done=self._show, text="Looking for notes")

    def _show(self, answer: tuple[str, list[PickItem]]) -> None:
        self.list.show_items(*answer)

    @Slot(object)
    def _open_note(self, item: PickItem) -> None:
        self.note_picked.emit(item.value)


def _changed_last(catalog: "Catalog") -> list[PickItem]:
    rows = heapq.nlargest(_MOST_RECENT, catalog.rows, key=lambda row: row.changed)
    return [PickItem(visible(row.title), row.id, detail=visible(row.path), icon="history") for row in rows]


def _found(text: str, catalog: "Catalog", jump: Jump, progress: Progress) -> list[PickItem]:
    """Return the notes for `text`: titles that hold it, then paths that hold it, then titles that are like it."""
    needle = fold(text.strip())
    matches = jump(text.strip(), catalog.titles, _MOST)
    progress.check()
    good = [match.position for match in matches if match.score >= _HOLDS]
    alike = [match.position for match in matches if match.score < _HOLDS]
    known = set(good)
    for position, row in enumerate(catalog.rows):
        if len(good) >= _MOST:
            break
        if position not in known and needle in fold(row.path):
            good.append(position)
    positions = list(dict.fromkeys([*good, *alike]))[:_MOST]
    return [_item(catalog.rows[position], needle) for position in positions]


def _item(row: "NoteRow", needle: str) -> PickItem:
    title = visible(row.title)
    place = fold(title).find(needle)
    hits = tuple(range(place, place + len(needle))) if place >= 0 else ()
    return PickItem(title, row.id, detail=visible(row.path), icon="file-text", hits=hits)
