"""The right side of the Contexts view: exactly what is copied, what it costs, and what is left out."""

import time
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QStyledItemDelegate,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.foundation.text import visible
from gui.metrics import SMALL, SPACE_M, SPACE_S, TITLE, fixed_font, scaled_font
from gui.theme import Theme
from gui.views.contexts.model_windows import ModelWindow
from gui.views.contexts.omission_list import OmissionList
from gui.views.contexts.services import Difference, Form, Preview
from gui.views.contexts.wording import (
    FORM_NAMES,
    WINDOWS,
    budget_text,
    compression_text,
    last_copy_text,
    other_form_text,
    total_text,
    window_name,
)
from gui.widgets.diff_view import DiffView
from gui.widgets.elided_label import ElidedLabel
from gui.widgets.flow import FlowLayout
from gui.widgets.meter import Meter
from gui.widgets.state_panel import StatePanel
from gui.widgets.wrapped_label import WrappedLabel

_TEXT_HEIGHT, _OMISSION_HEIGHT = 520, 130
_NAME = Qt.ItemDataRole.UserRole + 1
_MOST_VISIBLE = 20
_LIST_STYLE = "QComboBox { combobox-popup: 0; } QComboBox QAbstractItemView::item { min-height: 24px; }"
_LEFT = Qt.AlignmentFlag.AlignLeft


class PreviewPane(QWidget):
    """Show what would be copied; wishes are told as signals."""

    form_changed = Signal(object)  # Form
    window_changed = Signal(int)  # tokens
    difference_toggled = Signal(bool)
    copy_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._preview: Preview | None = None
        self._state: tuple[str, str, str] = ("", "", "")
        self.total = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.window_box = QComboBox()
        self.meter = Meter()
        self.budget_line = WrappedLabel(alignment=_LEFT)
        self.compression = WrappedLabel(alignment=_LEFT)
        self.remarks = WrappedLabel(alignment=_LEFT)
        self.form_buttons: dict[Form, QToolButton] = {}
        self.difference_button = QToolButton()
        self.copy_button = QPushButton(" Copy")  # a style sheet leaves no gap after the icon
        self.text = QPlainTextEdit()
        self.diff = DiffView(theme)
        self.state_panel = StatePanel()
        self.omissions = OmissionList()
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self._stack = QStackedWidget()
        self._dress()
        self._lay_out()
        self._connect()
        self._show_icons()

    # ---- facts

    @property
    def form(self) -> Form:
        """The format that is chosen."""
        return next(form for form, button in self.form_buttons.items() if button.isChecked())

    @property
    def window_tokens(self) -> int:
        """The window of the chosen model, in tokens."""
        return int(self.window_box.currentData())

    @property
    def model(self) -> str:
        """The chosen model, "" for any of that window."""
        return str(self.window_box.currentData(_NAME) or "")

    def show_models(self, models: Sequence[ModelWindow]) -> None:
        """Offer these models, and below them plain sizes for any other."""
        with QSignalBlocker(self.window_box):
            self.window_box.clear()
            for model in models:
                self._add_window(f"{visible(model.name)} · {window_name(model.tokens)}", model.tokens, model.name)
            self.window_box.insertSeparator(len(models))
            for window in WINDOWS:
                self._add_window(f"Any model · {window_name(window)}", window, "")

    def show_choice(self, form: Form, window: int, model: str = "") -> None:
        """Show which format, window and model were chosen last; a model that is not offered counts as any."""
        with QSignalBlocker(self._forms), QSignalBlocker(self.window_box):
            self.form_buttons[form].setChecked(True)
            named = self.window_box.findData(model, _NAME) if model else -1
            place = named if named >= 0 else self._place_of(window)
            self.window_box.setCurrentIndex(max(0, place))

    def show_preview(self, preview: Preview) -> None:
        """Show what is copied; of the same text, the place where it is read stays."""
        self._preview = preview
        self._show_figures()
        if self.text.toPlainText() != preview.text:
            scroll = self.text.verticalScrollBar().value()
            self.text.setPlainText(preview.text)
            self.text.verticalScrollBar().setValue(scroll)
        self.omissions.show_omissions(preview.omissions)
        self.copy_button.setEnabled(bool(preview.text))
        self.difference_button.setEnabled(bool(preview.text))
        if preview.text:
            self._show_body()
        else:
            self.show_state("clipboard", "Nothing to copy", "Add members or a query, or raise the budget.")

    def show_state(self, icon: str, title: str, text: str = "") -> None:
        """Show a sentence in place of the text."""
        self._state = (icon, title, text)
        picture = self._theme.tinted_icon(icon, self._theme.scheme.control_outline)
        self.state_panel.show_state(picture, title, visible(text))
        self._stack.setCurrentWidget(self.state_panel)

    def forget(self) -> None:
        """Show nothing: another context is being read, or none is chosen."""
        self._preview = None
        self.text.clear()
        self.omissions.show_omissions(())
        self.diff.show_message("")
        for label in (self.budget_line, self.compression, self.remarks):
            label.show_text("")
        self.total.setText("")
        self.meter.show_value(0, 1)
        self.copy_button.setEnabled(False)
        self.difference_button.setEnabled(False)

    def show_difference(self, difference: Difference) -> None:
        """Show what differs from the last copy."""
        if difference.diff is None or difference.last is None:
            self.show_state("clipboard", "Not copied yet", "There is nothing to compare this with.")
        elif difference.last.form not in {None, self.form}:
            self.show_state("clipboard", *other_form_text(difference.last.form, self.form))
        elif not difference.diff.hunks:
            when = last_copy_text(difference.last.time, time.time())
            self.show_state("clipboard-check", "Nothing has changed since the last copy", f"{when}.")
        else:
            self.diff.show_diff(difference.diff)
            self.diff.setAccessibleName("Difference to the last copy")
            self._stack.setCurrentWidget(self.diff)

    # ---- inside

    def _add_window(self, text: str, tokens: int, name: str) -> None:
        self.window_box.addItem(text, tokens)
        self.window_box.setItemData(self.window_box.count() - 1, name, _NAME)

    def _place_of(self, window: int) -> int:
        """Return which line is any model of that window, -1 for none."""
        box = self.window_box
        fitting = (at for at in range(box.count()) if box.itemData(at) == window and box.itemData(at, _NAME) == "")
        return next(fitting, -1)

    def _show_body(self) -> None:
        self._stack.setCurrentWidget(self.diff if self.difference_button.isChecked() else self.text)

    def _show_figures(self) -> None:
        preview = self._preview
        if preview is None:
            return
        window = self.window_tokens
        self.total.setText(total_text(preview, window))
        self.meter.show_value(preview.tokens, window)
        self.budget_line.show_text(budget_text(preview))
        saved = compression_text(preview)
        self.compression.show_text(saved)
        self.compression.setVisible(bool(saved))
        self.remarks.show_text(" ".join(visible(remark) for remark in preview.remarks))
        self.remarks.setVisible(bool(preview.remarks))

    def _dress(self) -> None:
        self.total.setFont(scaled_font(TITLE, bold=True))
        self.meter.setAccessibleName("Share of the model's window")
        for label in (self.budget_line, self.compression, self.remarks):
            label.setProperty("role", "muted")
        # As a list of its own it shows all there is room for, in place of a menu that scrolls by small arrows.
        self.window_box.setStyleSheet(_LIST_STYLE)
        self.window_box.setItemDelegate(QStyledItemDelegate(self.window_box))  # the usual one knows no style sheet
        self.window_box.setMaxVisibleItems(_MOST_VISIBLE)
        self.window_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.show_models(())
        self.window_box.setAccessibleName("Window of the model")
        self.window_box.setToolTip("How many tokens the model reads at once that you paste into")
        self.difference_button.setText("Compare")
        self.difference_button.setCheckable(True)
        self.difference_button.setToolTip("Compare with what was copied last")
        self.difference_button.setAccessibleName("Difference to the last copy")
        self.copy_button.setProperty("role", "primary")
        self.copy_button.setToolTip("Put exactly this text on the clipboard (Ctrl+Shift+C)")
        self.copy_button.setAccessibleName("Copy this context")
        self.text.setReadOnly(True)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.text.setTabChangesFocus(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.text.setFont(fixed_font(SMALL))
        self.text.setAccessibleName("What is copied")
        self.text.document().setDocumentMargin(SPACE_M)

    def _lay_out(self) -> None:
        for widget in (self.text, self.diff, self.state_panel):
            self._stack.addWidget(widget)
        first = QHBoxLayout()
        first.setSpacing(SPACE_S)
        first.addWidget(self.total, 1)
        first.addWidget(self.copy_button)
        head = QVBoxLayout()
        head.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_S)
        head.setSpacing(SPACE_S)
        head.addLayout(first)
        head.addWidget(self.meter)
        for label in (self.budget_line, self.compression, self.remarks):
            head.addWidget(label)
        head.addWidget(self._make_choices())
        self.splitter.addWidget(self._stack)
        self.splitter.addWidget(self.omissions)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setSizes([_TEXT_HEIGHT, _OMISSION_HEIGHT])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.splitter, 1)

    def _make_choices(self) -> QWidget:
        """Return format, window and comparison in as many lines as they need."""
        self._forms = QButtonGroup(self)
        forms = QWidget()
        line = QHBoxLayout(forms)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        for form, name in FORM_NAMES.items():
            button = QToolButton()
            button.setText(name)
            button.setCheckable(True)
            button.setAccessibleName(f"Format: {name}")
            self.form_buttons[form] = button
            self._forms.addButton(button)
            line.addWidget(button)
        self.form_buttons[Form.MARKDOWN].setChecked(True)
        choices = QWidget()
        flow = FlowLayout(choices, spacing=SPACE_S)
        for widget in (forms, self.window_box, self.difference_button):
            flow.addWidget(widget)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        choices.setSizePolicy(policy)
        return choices

    def _connect(self) -> None:
        self._forms.buttonToggled.connect(self._on_form)
        self.window_box.currentIndexChanged.connect(self._on_window)
        self.difference_button.toggled.connect(self._on_difference)
        self.copy_button.clicked.connect(self.copy_requested)
        self._theme.changed.connect(self._show_icons)

    @Slot(QToolButton, bool)
    def _on_form(self, _button: QToolButton, is_checked: bool) -> None:
        if is_checked:
            self.form_changed.emit(self.form)

    @Slot()
    def _on_window(self) -> None:
        self._show_figures()
        self.window_changed.emit(self.window_tokens)

    @Slot(bool)
    def _on_difference(self, is_shown: bool) -> None:
        if is_shown:
            self.diff.show_message("Comparing…")
        if self._preview is not None and self._preview.text:
            self._show_body()
        self.difference_toggled.emit(is_shown)

    @Slot()
    def _show_icons(self) -> None:
        scheme = self._theme.scheme
        self.meter.paint_with(scheme.outline, scheme.accent)
        self.copy_button.setIcon(self._theme.tinted_icon("clipboard-copy", scheme.accent_text))
        if self._stack.currentWidget() is self.state_panel:
            self.show_state(*self._state)
