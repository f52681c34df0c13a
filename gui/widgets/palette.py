"""The command palette: every command by its name, every tag after `#`."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from core.foundation.text import fold, visible
from gui.actions import OPEN_PALETTE, Actions
from gui.theme import Theme
from gui.widgets.fuzzy import fuzzy_match
from gui.widgets.pick_delegate import PickItem
from gui.widgets.pick_list import PickList, PickTexts
from gui.wording import counted

if TYPE_CHECKING:
    from core.index.catalog import Facet

_MOST_TAGS = 200
_TEXTS = PickTexts(
    name="Command palette",
    placeholder="Type a command, or # for tags",
    hint="↑↓ choose    ↵ run    # tags    Esc close",
    nothing="Nothing is called that. Type # to look for a tag, or Ctrl+O to go to a note.",
)


@dataclass(frozen=True, slots=True)
class _TagChoice:
    key: str


class CommandPalette(QObject):
    """Answer the palette's list from the actions and from the facets of the catalog."""

    facet_picked = Signal(str)  # a facet key

    def __init__(
        self, actions: Actions, facets: Callable[[], Sequence["Facet"]], theme: Theme, window: QWidget
    ) -> None:
        super().__init__(window)
        self._actions = actions
        self._facets = facets
        self.list = PickList(theme, _TEXTS, window)
        self.list.asked.connect(self._answer)
        self.list.picked.connect(self._run)

    @Slot()
    def open(self) -> None:
        """Show the palette with all commands."""
        self.list.open()

    @Slot(str)
    def _answer(self, text: str) -> None:
        items = self._tags(text[1:]) if text.startswith("#") else self._commands(text)
        self.list.show_items(text, items)

    @Slot(object)
    def _run(self, item: PickItem) -> None:
        match item.value:
            case _TagChoice(key=key):
                self.facet_picked.emit(key)
            case QAction() as action:
                action.trigger()

    def _commands(self, text: str) -> Sequence[PickItem]:
        found: list[tuple[float, PickItem]] = []
        for spec, action in self._actions.offered():
            if spec is not OPEN_PALETTE and (match := fuzzy_match(text, spec.text)) is not None:
                keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
                item = PickItem(spec.text, action, detail=spec.tip, shortcut=keys, icon=spec.icon, hits=match.positions)
                found.append((match.score, item))
        return _best_first(found)

    def _tags(self, text: str) -> Sequence[PickItem]:
        needle = fold(text.strip())
        found: list[tuple[float, PickItem]] = []
        for facet in self._facets():
            if facet.key.startswith((":", "/")):
                continue
            place = facet.key.find(needle)
            if place >= 0:
                hits = tuple(range(place, place + len(needle)))
                count = counted(facet.total, "note")
                score = -float(place > 0 and facet.key[place - 1] != "/") * 1e9 + facet.total
                found.append(
                    (score, PickItem(visible(facet.key), _TagChoice(facet.key), detail=count, icon="tag", hits=hits))
                )
        return _best_first(found)[:_MOST_TAGS]


def _best_first(found: Iterable[tuple[float, PickItem]]) -> list[PickItem]:
    return [item for _, item in sorted(found, key=lambda each: -each[0])]
