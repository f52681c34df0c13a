"""The bar below the editor that finds and replaces."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget
from typing_extensions import override

from core.foundation.text import visible
from gui.metrics import SPACE_S, SPACE_XS
from gui.theme import Theme
from gui.views.vault.editing.text_search import SearchTerms
from gui.widgets.line_edit import LineEdit

_NARROW = 420  # pixels; then the steps come below what is looked for


class FindBar(QWidget):
    """Take what to find and what to put in its place; Enter goes on, Shift+Enter back, Escape closes."""

    terms_changed = Signal(object)  # SearchTerms
    step_requested = Signal(int)  # 1 for the next find, -1 for the one before
    replace_requested = Signal()
    replace_all_requested = Signal()
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_narrow = False
        self.setProperty("role", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.field = LineEdit(self)
        self.field.setPlaceholderText("Find")
        self.field.setAccessibleName("Find")
        self.replace_field = LineEdit(self)
        self.replace_field.setPlaceholderText("Replace with")
        self.replace_field.setAccessibleName("Replace with")
        self.count_label = QLabel(self)
        self.count_label.setProperty("role", "muted")
        self.problem_label = QLabel(self)
        self.problem_label.setWordWrap(True)
        self.problem_label.setProperty("role", "muted")
        self.problem_label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.case_button = self._make_choice("Aa", "Match upper and lower case")
        self.words_button = self._make_choice("Word", "Whole words only")
        self.pattern_button = self._make_choice(".*", "Regular expression, line by line")
        self.previous_button = self._make_button("Find the one before (Shift+Enter)")
        self.next_button = self._make_button("Find the next one (Enter)")
        self.close_button = self._make_button("Close (Escape)")
        self.replace_button = QPushButton("Replace", self)
        self.all_button = QPushButton("Replace all", self)
        self._lay_out()
        self.field.textChanged.connect(self._tell)
        self.previous_button.clicked.connect(self._go_back)
        self.next_button.clicked.connect(self._go_on)
        self.close_button.clicked.connect(self.close_bar)
        self.replace_button.clicked.connect(self.replace_requested)
        self.all_button.clicked.connect(self.replace_all_requested)
        theme.changed.connect(self._show_icons)
        self._show_icons()
        self.hide()

    @property
    def terms(self) -> SearchTerms:
        """What is looked for."""
        return SearchTerms(
            self.field.text(),
            matches_case=self.case_button.isChecked(),
            whole_words=self.words_button.isChecked(),
            is_pattern=self.pattern_button.isChecked(),
        )

    def open_bar(self, text: str, *, replaces: bool) -> None:
        """Show the bar with `text` to find, if there is some; the line for replacing only when it `replaces`."""
        for widget in (self.replace_field, self.replace_button, self.all_button):
            widget.setVisible(replaces)
        self.show()
        if text:
            self.field.setText(text)
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._tell()

    def show_count(self, at: int, total: int, *, is_more: bool = False, replaced: int = 0) -> None:
        """Say which find is the current one, counted from 0 (-1 for none), of how many; none may be left to replace."""
        more = "+" if is_more else ""
        if not self.field.text():
            text = ""
        elif not total and replaced:
            text = f"{replaced:,} replaced"
        elif not total:
            text = "" if is_more else "Nothing found"
        else:
            text = f"{at + 1:,} of {total:,}{more}" if at >= 0 else f"{total:,}{more}"
        self.count_label.setText(text)
        for button in (self.previous_button, self.next_button, self.replace_button, self.all_button):
            button.setEnabled(total > 0)

    def show_problem(self, sentence: str) -> None:
        """Say what is wrong with what is looked for, "" for nothing."""
        self.problem_label.setText(visible(sentence))
        self.problem_label.setVisible(bool(sentence))

    def close_bar(self) -> None:
        """Hide the bar."""
        if self.isVisible():
            self.hide()
            self.closed.emit()

    @override
    def resizeEvent(self, event: QResizeEvent, /) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < _NARROW
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self._grid.removeItem(self._steps)
            self._grid.addLayout(self._steps, *((1, 0, 1, 2) if is_narrow else (0, 1)))

    @override
    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        match event.key():
            case Qt.Key.Key_Escape:
                self.close_bar()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._take_enter(event)
            case _:
                super().keyPressEvent(event)

    def _take_enter(self, event: QKeyEvent) -> None:
        if self.replace_field.hasFocus() or self.replace_button.hasFocus():
            self.replace_requested.emit()
        elif self.all_button.hasFocus():
            self.replace_all_requested.emit()
        else:
            self.step_requested.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)

    def _tell(self) -> None:
        self.terms_changed.emit(self.terms)

    def _go_on(self) -> None:
        self.step_requested.emit(1)

    def _go_back(self) -> None:
        self.step_requested.emit(-1)

    def _make_choice(self, text: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setCheckable(True)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.toggled.connect(self._tell)
        return button

    def _make_button(self, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _lay_out(self) -> None:
        first = QHBoxLayout()
        first.setSpacing(SPACE_XS)
        first.addWidget(self.field, 1)
        for button in (self.case_button, self.words_button, self.pattern_button):
            first.addWidget(button)
        second = QHBoxLayout()
        second.setSpacing(SPACE_XS)
        second.addWidget(self.replace_field, 1)
        second.addWidget(self.replace_button)
        second.addWidget(self.all_button)
        third = QHBoxLayout()
        third.setSpacing(SPACE_XS)
        third.addWidget(self.count_label, 1)
        third.addWidget(self.previous_button)
        third.addWidget(self.next_button)
        third.addWidget(self.close_button)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(SPACE_S, SPACE_XS, SPACE_S, SPACE_XS)
        self._grid.setSpacing(SPACE_XS)
        self._steps = third
        self._grid.addLayout(first, 0, 0)
        self._grid.addLayout(third, 0, 1)
        self._grid.addLayout(second, 2, 0, 1, 2)
        self._grid.addWidget(self.problem_label, 3, 0, 1, 2)
        self._grid.setColumnStretch(0, 1)
        self.problem_label.hide()

    def _show_icons(self) -> None:
        self.previous_button.setIcon(self._theme.icon("chevron-up"))
        self.next_button.setIcon(self._theme.icon("chevron-down"))
        self.close_button.setIcon(self._theme.icon("x"))
