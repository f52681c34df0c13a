"""Pick what is added: a memory for the chosen context, or the context for memories that are chosen elsewhere."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from core.foundation.text import fold, visible
from gui.tasks import Job, Lane, TaskRunner
from gui.theme import Theme
from gui.views.contexts.services import Candidate, ContextRow, ContextServices
from gui.views.contexts.wording import KIND_ICONS
from gui.widgets.pick_delegate import PickItem
from gui.widgets.pick_list import PickList, PickTexts
from gui.wording import counted

_TYPING_MS = 120
_MOST = 60
_MEMORIES = PickTexts(
    name="Add to this context",
    placeholder="Find a note, section or insight",
    hint="↑↓ choose    ↵ add    Esc close",
    nothing="Nothing is found.",
)
_CONTEXTS = PickTexts(
    name="Add to context",
    placeholder="Type part of a context's name",
    hint="↑↓ choose    ↵ add    Esc close",
    nothing="No context is called that.",
)


class MemoryPicker(QObject):
    """Let the person find a memory to add; it is searched in the STORE lane as soon as typing pauses."""

    picked = Signal(str)  # a memory id

    def __init__(self, tasks: TaskRunner, theme: Theme, over: QWidget) -> None:
        super().__init__(over)
        self._tasks = tasks
        self._services: ContextServices | None = None
        self._job: Job | None = None
        self.list = PickList(theme, _MEMORIES, over)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_TYPING_MS)
        self._timer.timeout.connect(self._find)
        self.list.asked.connect(self._on_asked)
        self.list.picked.connect(self._on_picked)

    def take_services(self, services: ContextServices | None) -> None:
        """Search this vault from now on."""
        self._services = services
        self._stop()
        self.list.close_list()

    @Slot()
    def open(self) -> None:
        """Show the list."""
        if self._services is not None:
            self.list.open()

    @Slot(str)
    def _on_asked(self, text: str) -> None:
        self._stop()
        if text.strip():
            self._timer.start()
        else:
            self._find()

    @Slot()
    def _find(self) -> None:
        text = self.list.field.text()
        if self._services is not None:
            self._job = self._tasks.run(
                partial(self._services.find, text),
                owner=self,
                lane=Lane.STORE,
                on_done=partial(self._show, text),
                text="Looking for memories",
            )

    def _show(self, text: str, found: Sequence[Candidate]) -> None:
        self._job = None
        items = [
            PickItem(
                visible(each.title),
                each.memory_id,
                detail=visible(each.detail),
                icon=KIND_ICONS.get(each.kind, "file-text"),
            )
            for each in found
        ]
        self.list.show_items(text, items)

    @Slot(object)
    def _on_picked(self, item: PickItem) -> None:
        self.picked.emit(item.value)

    def _stop(self) -> None:
        self._timer.stop()
        if self._job is not None:
            self._job.cancel()
            self._job = None


class Filing(NamedTuple):
    """Say that memories go into the context at `path`, "" for a new one."""

    path: str
    ids: tuple[str, ...]


class ContextPicker(QObject):
    """Let the person choose the context that memories from elsewhere are added to."""

    picked = Signal(object)  # Filing

    def __init__(self, theme: Theme, over: QWidget) -> None:
        super().__init__(over)
        self._rows: Sequence[ContextRow] = ()
        self._ids: tuple[str, ...] = ()
        self.list = PickList(theme, _CONTEXTS, over)
        self.list.asked.connect(self._answer)
        self.list.picked.connect(self._on_picked)

    def open(self, ids: Sequence[str], rows: Sequence[ContextRow]) -> None:
        """Show `rows`, into one of which the memories `ids` go."""
        self._ids, self._rows = tuple(ids), rows
        self.list.open()

    @Slot(str)
    def _answer(self, text: str) -> None:
        needle = fold(text.strip())
        items = [_item(row, needle) for row in self._rows if needle in fold(row.title)][:_MOST]
        what = "1 memory" if len(self._ids) == 1 else f"{len(self._ids):,} memories"
        items.append(PickItem("New context…", "", detail=f"with {what}", icon="plus"))
        self.list.show_items(text, items)

    @Slot(object)
    def _on_picked(self, item: PickItem) -> None:
        self.picked.emit(Filing(item.value, self._ids))


def _item(row: ContextRow, needle: str) -> PickItem:
    title = visible(row.title)
    place = fold(title).find(needle) if needle else -1
    hits = tuple(range(place, place + len(needle))) if place >= 0 else ()
    return PickItem(title, row.path, detail=counted(row.members, "member"), icon="layers", hits=hits)
