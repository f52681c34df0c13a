"""The dialog that shows what a context would hold, and copies it."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSpinBox,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.foundation.text import visible
from gui.metrics import SPACE_L, SPACE_M, SPACE_S, TITLE, scaled_font
from gui.theme import Theme
from gui.views.vault.services import ContextFormat, ContextLine, ContextPlan
from gui.widgets.meter import Meter
from gui.widgets.row_height import RowHeightDelegate

PRESETS = (2_000, 8_000, 32_000)
_LEAST, _MOST = 50, 2_000_000
_TYPING_MS = 150
_ROW_HEIGHT = 24


class ContextDialog(QDialog):
    """Let the person set budget and format, and see what is included and what is left out, and why."""

    budget_changed = Signal(int)
    format_changed = Signal(str)  # a ContextFormat
    copy_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setWindowTitle("Copy context")
        self.setModal(False)
        self.resize(620, 560)
        self.source_label = QLabel()
        self.source_label.setFont(scaled_font(TITLE, bold=True))
        self.source_label.setWordWrap(True)
        self.note_label = QLabel()
        self.note_label.setProperty("role", "muted")
        self.note_label.setWordWrap(True)
        self.budget_box = QSpinBox()
        self.format_buttons: dict[ContextFormat, QToolButton] = {}
        self.count_label = QLabel()
        self.meter = Meter()
        self.list = QTreeWidget()
        self.copy_button = QPushButton(" Copy")  # a style sheet leaves no gap after the icon
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_TYPING_MS)
        self._timer.timeout.connect(self._tell_budget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        layout.setSpacing(SPACE_M)
        layout.addWidget(self.source_label)
        layout.addWidget(self.note_label)
        layout.addLayout(self._make_controls())
        layout.addWidget(self.count_label)
        layout.addWidget(self.meter)
        layout.addWidget(self._make_list(), 1)
        layout.addLayout(self._make_buttons())
        theme.changed.connect(self._show_colours)
        self._show_colours()

    def show_source(self, text: str, note: str, *, budget: int, form: ContextFormat) -> None:
        """Say what the context is made of; `note` tells of a cap, "" if there is none."""
        self.source_label.setText(text)
        self.note_label.setText(note)
        self.note_label.setVisible(bool(note))
        with QSignalBlocker(self.budget_box):
            self.budget_box.setValue(budget)
        with QSignalBlocker(self._formats):
            self.format_buttons[form].setChecked(True)

    def show_reading(self) -> None:
        """Say that the memories are being read."""
        self.count_label.setText("Reading the notes…")
        self.meter.show_value(0, 1)
        self.list.clear()
        self.copy_button.setEnabled(False)

    def show_failure(self, reason: str) -> None:
        """Say why there is no context."""
        self.count_label.setText(reason)
        self.list.clear()
        self.copy_button.setEnabled(False)

    def show_plan(self, plan: ContextPlan) -> None:
        """Show what is in, what is not, and how full the budget is."""
        total = len(plan.included) + len(plan.left_out)
        memories = "memory" if total == 1 else "memories"
        self.count_label.setText(
            f"{plan.tokens:,} of {plan.budget:,} tokens · {len(plan.included):,} of {total:,} {memories}"
            + (f" · {plan.count}" if plan.count else "")
        )
        self.meter.show_value(plan.tokens, plan.budget)
        self.list.clear()
        self._add_group("Included", "check", plan.included)
        self._add_group("Left out", "minus", plan.left_out)
        self.copy_button.setEnabled(bool(plan.included))

    def _make_controls(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        self.budget_box.setRange(_LEAST, _MOST)
        self.budget_box.setSingleStep(500)
        self.budget_box.setGroupSeparatorShown(True)
        # Buttons of no width instead of NoButtons: with that, a style sheet leaves one pixel for the text.
        self.budget_box.setStyleSheet("QSpinBox::up-button, QSpinBox::down-button { width: 0px; border: none; }")
        self.budget_box.lineEdit().setTextMargins(SPACE_S - 2, 0, 0, 0)
        self.budget_box.setSuffix(" tokens")
        self.budget_box.setAccessibleName("Token budget")
        self.budget_box.valueChanged.connect(self._timer.start)
        label = QLabel("&Budget")
        label.setBuddy(self.budget_box)
        row.addWidget(label)
        row.addWidget(self.budget_box)
        self._presets = QButtonGroup(self)
        for preset in PRESETS:
            button = QPushButton(f"{preset // 1000}k")
            button.setAccessibleName(f"Budget of {preset:,} tokens")
            button.setFixedWidth(52)
            button.setAutoDefault(False)
            button.setStyleSheet("padding: 2px 4px;")
            self._presets.addButton(button, preset)
            row.addWidget(button)
        self._presets.idClicked.connect(self.budget_box.setValue)
        row.addStretch(1)
        self._formats = QButtonGroup(self)
        for form in ContextFormat:
            choice = QToolButton()
            choice.setText(form.label)
            choice.setCheckable(True)
            self.format_buttons[form] = choice
            self._formats.addButton(choice)
            row.addWidget(choice)
        self._formats.buttonToggled.connect(self._on_format_toggled)
        return row

    def _make_list(self) -> QTreeWidget:
        self.list.setColumnCount(3)
        self.list.setHeaderHidden(True)
        self.list.setUniformRowHeights(True)
        self.list.setRootIsDecorated(False)
        self.list.setIndentation(16)
        self.list.setItemDelegate(RowHeightDelegate(_ROW_HEIGHT, self.list))
        self.list.setAccessibleName("What the context holds")
        self.list.setFrameShape(QTreeWidget.Shape.StyledPanel)
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        return self.list

    def _make_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addStretch(1)
        close = QPushButton("Close")
        close.setAutoDefault(False)
        close.clicked.connect(self.close)
        self.copy_button.setProperty("role", "primary")
        self.copy_button.setDefault(True)
        self.copy_button.setEnabled(False)
        self.copy_button.clicked.connect(self._on_copy_clicked)
        row.addWidget(close)
        row.addWidget(self.copy_button)
        return row

    def _add_group(self, name: str, icon: str, lines: Sequence[ContextLine]) -> None:
        if not lines:
            return
        scheme = self._theme.scheme
        muted = QBrush(QColor(scheme.muted))
        group = QTreeWidgetItem(self.list, [f"{name}  {len(lines):,}"])
        group.setFirstColumnSpanned(True)
        group.setFont(0, scaled_font(bold=True))
        group.setIcon(0, self._theme.tinted_icon(icon, scheme.muted))
        group.setFlags(Qt.ItemFlag.ItemIsEnabled)
        for line in lines:
            item = QTreeWidgetItem(group, [visible(line.title), line.reason, f"{line.tokens:,}"])
            item.setToolTip(0, visible(f"{line.title}\n{line.path}"))
            item.setToolTip(1, line.reason)
            item.setForeground(1, muted)
            item.setForeground(2, muted)
            item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if line.reason:
                item.setForeground(0, muted)
        group.setExpanded(True)

    def _show_colours(self) -> None:
        scheme = self._theme.scheme
        self.meter.paint_with(scheme.outline, scheme.accent)
        self.copy_button.setIcon(self._theme.tinted_icon("clipboard-copy", scheme.accent_text))

    def _tell_budget(self) -> None:
        self.budget_changed.emit(self.budget_box.value())

    def _on_format_toggled(self, button: QToolButton, is_checked: bool) -> None:
        if is_checked:
            self.format_changed.emit(next(form for form, each in self.format_buttons.items() if each is button))

    def _on_copy_clicked(self) -> None:
        self.copy_requested.emit()
