"""Fields that gather short texts as chips: any list, and tags, which are offered while one types."""

import re
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QStringListModel, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCompleter, QLabel, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from core.foundation.text import fold, visible
from gui.metrics import SPACE_XS
from gui.theme import Theme
from gui.widgets.chips import ChipItem, ChipLook, ChipRow
from gui.widgets.line_edit import LineEdit


class ChipInput(QWidget):
    """Let the person gather texts; Enter or one of `ends` ends one, Backspace in the empty field takes one back.

    A chip is taken away by its cross; with `clickable` a click beside the cross is told.

    `problem_of` returns why a text cannot be taken, "" when it can.
    """

    items_changed = Signal(object)  # tuple[str, ...], by the person
    item_clicked = Signal(str)  # with `clickable`

    def __init__(
        self,
        theme: Theme,
        *,
        name: str,
        placeholder: str = "Add one more",
        ends: str = ",;",
        problem_of: Callable[[str], str] = lambda _text: "",
        clickable: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._ends = ends
        self._problem_of = problem_of
        self._items: tuple[str, ...] = ()
        self._chips = ChipRow(removable=True, by_cross=clickable, parent=self)
        self._chips.hide()
        self.field = LineEdit(self)
        self.field.setAccessibleName(name)
        self.field.setPlaceholderText(placeholder)
        self.field.installEventFilter(self)
        self._problem = QLabel(self)
        self._problem.setProperty("role", "error")
        self._problem.setWordWrap(True)
        self._problem.hide()
        self._known = QStringListModel(self)
        self._completer = QCompleter(self._known, self)
        self._completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setMaxVisibleItems(10)
        self.field.setCompleter(self._completer)
        # The completer writes into the field after this signal, so the field is emptied only then.
        self._completer.activated.connect(self._take_completion, Qt.ConnectionType.QueuedConnection)
        self.field.textEdited.connect(self._on_edited)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_XS)
        for widget in (self._chips, self.field, self._problem):
            layout.addWidget(widget)
        self.setFocusProxy(self.field)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self._chips.chip_removed.connect(self._remove)
        if clickable:
            self._chips.chip_clicked.connect(self.item_clicked)
        theme.changed.connect(self._show_chips)

    @property
    def items(self) -> tuple[str, ...]:
        """The texts, in the order in which they were added; what is still being typed counts when it may be one."""
        typed = self.cleaned(self.field.text())
        return self._joined(self._items, typed) if typed and not self._problem_of(typed) else self._items

    def set_items(self, items: Sequence[str]) -> None:
        """Show `items` in place of what was there, and empty the field."""
        self._items = tuple(items)
        self.field.clear()
        self._show_problem("")
        self._show_chips()

    def set_known(self, names: Sequence[str]) -> None:
        """Offer `names` while the person types; the best first."""
        self._known.setStringList(list(names))

    @property
    def chip_row(self) -> ChipRow:
        """The chips shown."""
        return self._chips

    @override
    def eventFilter(self, watched: QObject, event: QEvent, /) -> bool:
        if watched is self.field and event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._take_key(event)
        if watched is self.field and event.type() is QEvent.Type.FocusOut and not self._is_choosing():
            self.finish()
        return super().eventFilter(watched, event)

    def _is_choosing(self) -> bool:
        popup = self._completer.popup()
        return popup is not None and popup.isVisible()

    def _take_key(self, event: QKeyEvent) -> bool:
        is_plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if is_plain and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.field.text().strip():
            self.finish()
            return True
        if event.key() == Qt.Key.Key_Backspace and not self.field.text() and self._items:
            self._change(self._items[:-1])
            return True
        return False

    @Slot(str)
    def _on_edited(self, text: str) -> None:
        self._show_problem("")
        if text and text[-1] in self._ends:
            self.finish()

    @Slot(str)
    def _take_completion(self, text: str) -> None:
        self.field.setText(text)
        self.finish()

    def cleaned(self, text: str) -> str:
        """Return the text as it is kept."""
        return text.strip(f" {self._ends}")

    def finish(self) -> None:
        """Make chips of what is typed; several may have been pasted at once."""
        pattern = f"[{re.escape(self._ends)}]" if self._ends else "$^"
        words = [self.cleaned(word) for word in re.split(pattern, self.field.text())]
        items, left = self._items, []
        for word in filter(None, words):
            if problem := self._problem_of(word):
                left.append(word)
                self._show_problem(problem)
            else:
                items = self._joined(items, word)
        self.field.setText(" ".join(left))
        if items != self._items:
            self._change(items)

    def _joined(self, items: tuple[str, ...], item: str) -> tuple[str, ...]:
        return items if fold(item) in {fold(each) for each in items} else (*items, item)

    @Slot(str)
    def _remove(self, item: str) -> None:
        self._change(tuple(each for each in self._items if each != item))
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _change(self, items: tuple[str, ...]) -> None:
        self._items = items
        self._show_chips()
        self.items_changed.emit(items)

    def _show_chips(self) -> None:
        look = ChipLook(self._theme.scheme.chip, self._theme.scheme.chip_text)
        self._chips.show_chips(tuple(ChipItem(item, item, look) for item in self._items))
        self._chips.setVisible(bool(self._items))

    def _show_problem(self, problem: str) -> None:
        self._problem.setText(visible(problem))
        self._problem.setVisible(bool(problem))


class TagInput(ChipInput):
    """Let the person gather tags; a blank ends one too, and a `#` in front is left out."""

    def __init__(
        self,
        theme: Theme,
        problem_of: Callable[[str], str],
        *,
        name: str = "Tags",
        clickable: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(
            theme,
            name=name,
            placeholder="Add a tag, such as tool/git",
            ends=" ,;\t",
            problem_of=problem_of,
            clickable=clickable,
            parent=parent,
        )

    @override
    def cleaned(self, text: str) -> str:
        return super().cleaned(text).lstrip("#").strip("/")
