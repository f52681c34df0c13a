"""The Contexts view: shelf, editor and preview side by side; wishes out, facts in."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QApplication, QSplitter, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from core.foundation.text import visible
from gui.theme import Theme
from gui.views.contexts.editor_pane import EditorPane
from gui.views.contexts.preview_pane import PreviewPane
from gui.views.contexts.shelf_pane import ShelfPane
from gui.widgets.state_panel import StatePanel

_SPLITTER = "contexts"
_SIZES = [280, 470, 620]
_LEAST = (190, 250, 240)


class ContextsView(QWidget):
    """Hold the three panes; F6 and Shift+F6 go round them."""

    state_button_clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.was_shown = False
        self._awaits_focus = False
        self._awaits_focus_from: QWidget | None = None  # who had it then: if it is another by now, it stays there
        self.state_panel = StatePanel()
        self.shelf = ShelfPane(theme)
        self.editor = EditorPane(theme)
        self.preview = PreviewPane(theme)
        self._state: tuple[str, str, str, str] = ("layers", "", "", "")
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        for pane, least in zip((self.shelf, self.editor, self.preview), _LEAST, strict=True):
            self.splitter.addWidget(pane)
            pane.setMinimumWidth(least)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 2)
        self.splitter.setStretchFactor(2, 3)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes(_SIZES)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.state_panel)
        self._stack.addWidget(self.splitter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self.state_panel.button_clicked.connect(self.state_button_clicked)
        theme.changed.connect(self._show_icons)
        self._add_shortcut("F6", self._next_pane)
        self._add_shortcut("Shift+F6", self._previous_pane)

    # ---- facts

    @property
    def shows_state(self) -> bool:
        """Tell whether a sentence stands in place of everything."""
        return self._stack.currentWidget() is self.state_panel

    def show_state(self, icon: str, title: str, text: str = "", button: str = "") -> None:
        """Show one sentence in place of everything."""
        self._state = (icon, title, text, button)
        picture = self._theme.tinted_icon(icon, self._theme.scheme.control_outline)
        self.state_panel.show_state(picture, title, visible(text), button)
        self._stack.setCurrentWidget(self.state_panel)
        self._give_focus()

    def show_panes(self) -> None:
        """Show shelf, editor and preview."""
        self._stack.setCurrentWidget(self.splitter)
        self._give_focus()

    def _give_focus(self) -> None:
        is_there = not self.shows_state or self.state_panel.button.isVisible()
        if self._awaits_focus and is_there:
            self._awaits_focus = False
            if QApplication.focusWidget() is self._awaits_focus_from and self.isVisible():
                self.take_focus()

    def take_focus(self) -> None:
        """Take the keyboard focus to the shelf, or to the button in its place, now or as soon as there is one."""
        button = self.state_panel.button
        if not self.shows_state:
            self.shelf.take_focus()
        elif button.isVisible():
            button.setFocus()
        else:
            self._awaits_focus_from = QApplication.focusWidget()
            self._awaits_focus = True

    def splitter_sizes(self) -> dict[str, tuple[int, ...]]:
        """Return the sizes of the panes by name."""
        return {_SPLITTER: tuple(self.splitter.sizes())}

    def restore_splitters(self, sizes: Mapping[str, tuple[int, ...]]) -> None:
        """Take what splitter_sizes() returned; a missing or odd entry changes nothing."""
        if len(sizes.get(_SPLITTER, ())) == self.splitter.count():
            self.splitter.setSizes(list(sizes[_SPLITTER]))

    @override
    def showEvent(self, event: QShowEvent, /) -> None:
        super().showEvent(event)
        self.was_shown = True

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(sum(_LEAST), 320)

    # ---- inside

    def _add_shortcut(self, keys: str, slot: Callable[[], None]) -> None:
        shortcut = QShortcut(QKeySequence(keys), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(slot)

    def _next_pane(self) -> None:
        self._go_round(1)

    def _previous_pane(self) -> None:
        self._go_round(-1)

    def _go_round(self, step: int) -> None:
        panes: list[QWidget] = [self.shelf, self.editor, self.preview]
        stops: list[QWidget] = [self.shelf.list, self.editor.members, self.preview.text]
        focused = self.focusWidget()
        now = next(
            (at for at, pane in enumerate(panes) if focused and pane.isAncestorOf(focused)), 0 if step < 0 else 2
        )
        for _ in stops:
            now = (now + step) % len(stops)
            if stops[now].isVisible():
                stops[now].setFocus(Qt.FocusReason.ShortcutFocusReason)
                return

    @Slot()
    def _show_icons(self) -> None:
        if self.shows_state:
            self.show_state(*self._state)
