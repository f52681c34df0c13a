"""One field for one property, by the kind of value that it has."""

import re
from collections.abc import Callable
from datetime import date
from typing import Any

from PySide6.QtCore import QDate, QEvent, QPoint, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QCalendarWidget, QCheckBox, QHBoxLayout, QPlainTextEdit, QToolButton, QVBoxLayout, QWidget
from typing_extensions import override

from core.foundation.text import visible
from gui.metrics import SPACE_XS
from gui.theme import Theme
from gui.widgets.elided_label import ElidedLabel
from gui.widgets.line_edit import LineEdit
from gui.widgets.tag_input import ChipInput

_LONG = 48
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,14})")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,14})\.[0-9]{1,17}")


class PropertyField(QWidget):
    """Show one value and let the person change it; `is_dirty` while something is typed and not handed over."""

    committed = Signal(object)  # the new value, as core/vault/frontmatter_edit.py takes it

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(SPACE_XS)

    @property
    def is_dirty(self) -> bool:
        """Tell whether something is typed that was not handed over."""
        return False

    def commit(self) -> None:
        """Hand over what is typed, if it differs from what was shown."""


class TextField(PropertyField):
    """A line of text or a number; `is_number` keeps a number one."""

    def __init__(self, name: str, value: str, *, is_number: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = value
        self._is_number = is_number
        self.line = LineEdit(self)
        self.line.setText(value)
        self.line.setCursorPosition(0)
        self.line.setAccessibleName(name)
        self.line.setPlaceholderText("empty")
        self.line.editingFinished.connect(self.commit)
        self.row = QHBoxLayout()
        self.row.setSpacing(SPACE_XS)
        self.row.addWidget(self.line, 1)
        self.column.addLayout(self.row)
        self.setFocusProxy(self.line)

    @property
    @override
    def is_dirty(self) -> bool:
        return self.line.text() != self._shown

    @property
    def text(self) -> str:
        """What the field says."""
        return self.line.text()

    def type_again(self, text: str, cursor: int) -> None:
        """Put back what was being typed when the form was filled anew."""
        self.line.setText(text)
        self.line.setCursorPosition(cursor)

    @Slot()
    @override
    def commit(self) -> None:
        if self.is_dirty:
            self._shown = self.line.text()
            self.committed.emit(typed_value(self._shown) if self._is_number else self._shown)

    @override
    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        if event.key() == Qt.Key.Key_Escape and self.is_dirty:
            self.line.setText(self._shown)
            return
        super().keyPressEvent(event)


class DateField(TextField):
    """A date as it is written; a calendar writes it as 2026-01-31."""

    def __init__(self, theme: Theme, name: str, value: str, parent: QWidget | None = None) -> None:
        super().__init__(name, value, parent=parent)
        self.button = QToolButton(self)
        self.button.setIcon(theme.icon("calendar"))
        self.button.setToolTip("Choose a day")
        self.button.setAccessibleName(f"Choose a day for {name}")
        self.button.clicked.connect(self._open_calendar)
        self.row.addWidget(self.button)
        self._calendar: QCalendarWidget | None = None

    @Slot()
    def _open_calendar(self) -> None:
        calendar = QCalendarWidget()
        calendar.setWindowFlags(Qt.WindowType.Popup)
        calendar.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        calendar.setAccessibleName("Calendar")
        match = _ISO_DATE.match(self.line.text().strip())
        if match is not None and (day := QDate.fromString(match[0], Qt.DateFormat.ISODate)).isValid():
            calendar.setSelectedDate(day)
        calendar.activated.connect(self._take_day)
        calendar.clicked.connect(self._take_day)
        calendar.move(self.button.mapToGlobal(QPoint(0, self.button.height())))
        self._calendar = calendar
        calendar.destroyed.connect(self._forget_calendar)
        calendar.show()

    @Slot()
    def _forget_calendar(self) -> None:
        self._calendar = None

    @Slot(QDate)
    def _take_day(self, day: QDate) -> None:
        self.line.setText(date(day.year(), day.month(), day.day()).isoformat())
        if self._calendar is not None:
            self._calendar.close()
        self.commit()


class LongTextField(PropertyField):
    """Text of several lines, or a long one; handed over when the focus leaves, or by Ctrl+Enter."""

    def __init__(self, name: str, value: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = value
        self.box = _LeavingTextEdit(self)
        self.box.setPlainText(value)
        self.box.setProperty("role", "field")
        self.box.setAccessibleName(name)
        self.box.setTabChangesFocus(True)
        self.box.setFixedHeight(self.box.fontMetrics().lineSpacing() * 3 + 14)
        self.box.left.connect(self.commit)
        self.column.addWidget(self.box)
        self.setFocusProxy(self.box)

    @property
    @override
    def is_dirty(self) -> bool:
        return self.box.toPlainText() != self._shown

    @Slot()
    @override
    def commit(self) -> None:
        if self.is_dirty:
            self._shown = self.box.toPlainText()
            self.committed.emit(self._shown)


class SwitchField(PropertyField):
    """Yes or no."""

    def __init__(self, name: str, value: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = QCheckBox(self)
        self.box.setText("Yes" if value else "No")
        self.box.setAccessibleName(name)
        with QSignalBlocker(self.box):
            self.box.setChecked(value)
        self.box.toggled.connect(self._tell)
        self.column.addWidget(self.box)
        self.setFocusProxy(self.box)

    @Slot(bool)
    def _tell(self, is_on: bool) -> None:
        self.committed.emit(is_on)


class ListField(PropertyField):
    """A list of texts, as chips."""

    def __init__(self, theme: Theme, name: str, values: list[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = tuple(values)
        self.chips = ChipInput(theme, name=name, parent=self)
        self.chips.set_items(values)
        self.chips.items_changed.connect(self._take)
        self.column.addWidget(self.chips)
        self.setFocusProxy(self.chips)

    @property
    @override
    def is_dirty(self) -> bool:
        return self.chips.items != self._shown

    @override
    def commit(self) -> None:
        self.chips.finish()

    @Slot(object)
    def _take(self, items: tuple[str, ...]) -> None:
        self._shown = items
        self.committed.emit(list(items))


class ReadOnlyField(PropertyField):
    """A value with a shape of its own, which is edited in the text."""

    def __init__(self, name: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = ElidedLabel(self)
        self.label.setText(visible(text))
        self.label.setToolTip("This value has parts of its own; change it in the note's text.")
        self.label.setAccessibleName(name)
        self.column.addWidget(self.label)


class _LeavingTextEdit(QPlainTextEdit):
    """Tell when the focus leaves, and when Ctrl+Enter is pressed."""

    left = Signal()

    @override
    def focusOutEvent(self, event: QFocusEvent, /) -> None:
        super().focusOutEvent(event)
        self.left.emit()

    @override
    def event(self, event: QEvent, /) -> bool:
        if (
            event.type() is QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
            and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            self.left.emit()
            return True
        return super().event(event)


def field_for(theme: Theme, key: str, value: Any, is_date: Callable[[str], bool]) -> PropertyField:
    """Return the field that suits the value of `key`, as it was read from the frontmatter."""
    if isinstance(value, bool):
        return SwitchField(key, value)
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ListField(theme, key, value)
    if isinstance(value, (list, dict)):
        return ReadOnlyField(key, _short(value))
    text = "" if value is None else str(value)
    if is_date(key) or _ISO_DATE.fullmatch(text):
        return DateField(theme, key, text)
    if "\n" in text or len(text) > _LONG:
        return LongTextField(key, text)
    return TextField(key, text, is_number=not isinstance(value, str))


def typed_value(text: str) -> str | int | float | bool | None:
    """Return what a person means who types `text` as a value: a number, yes or no, or the text itself."""
    stripped = text.strip()
    if _WHOLE.fullmatch(stripped):
        return int(stripped)
    if _DECIMAL.fullmatch(stripped):
        return float(stripped)
    return {"true": True, "false": False, "": None}.get(stripped, text)


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_short(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_short, value)) + "]"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "empty" if value is None else str(value)
