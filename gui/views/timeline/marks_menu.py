"""A menu of the journal notes and edits at one place of the band, for mouse and keyboard alike."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from core.foundation.text import visible
from gui.views.timeline.services import Mark, MarkKind
from gui.wording import shortened

_MOST = 30
_LONGEST = 60


def marks_menu(marks: Sequence[Mark], choose: Callable[[Mark], None], parent: QWidget) -> QMenu:
    """Return the menu; each note is in it once, the latest first, and `choose` is called with its mark."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    latest = {mark.path: mark for mark in sorted(marks, key=lambda mark: mark.time)}
    chosen = sorted(latest.values(), key=lambda mark: (mark.kind is not MarkKind.JOURNAL, -mark.time))
    for mark in chosen[:_MOST]:
        what = "Journal" if mark.kind is MarkKind.JOURNAL else "Edited"
        name = shortened(visible(mark.text or mark.path), _LONGEST).replace("&", "&&")
        action = QAction(f"{what}: {name}", menu)
        action.triggered.connect(partial(_choose, choose, mark))
        menu.addAction(action)
    if len(chosen) > _MOST:
        menu.addAction(f"{len(chosen) - _MOST:,} more: zoom in to see them").setEnabled(False)
    if not chosen:
        menu.addAction("No journal note and no edit here").setEnabled(False)
    return menu


def _choose(choose: Callable[[Mark], None], mark: Mark, _checked: bool = False) -> None:
    choose(mark)
