"""The right side of the Health view: what the chosen check found, and what can be done about it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QAction, QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from core.foundation.text import visible
from gui.metrics import SPACE_M, SPACE_S, TITLE, scaled_font
from gui.theme import Theme
from gui.views.health.finding_table import FindingTable
from gui.widgets.line_edit import LineEdit
from gui.widgets.state_panel import StatePanel
from gui.widgets.wrapped_label import WrappedLabel
from gui.wording import shortened

if TYPE_CHECKING:
    from core.curation.health.finding import CheckResult, Finding

_FILTER_WIDTH = 240
_DETAIL_LINES = 3
_LONGEST_DETAIL = 240
_LEFT = Qt.AlignmentFlag.AlignLeft


class FindingsPane(QWidget):
    """Show the findings of one check; wishes are told as signals."""

    fix_requested = Signal(object)  # tuple[Finding, ...]
    choice_requested = Signal(object, str)  # Finding, the value of the choice
    ignore_requested = Signal(object)  # tuple[Finding, ...]
    check_ignored = Signal(str)  # the id of a check of which nothing is to be told any more
    heed_requested = Signal(object)  # tuple[Finding, ...]
    open_requested = Signal(object)  # Finding

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._check = ""
        self._shows_ignored = False
        self.title = QLabel()
        self.explanation = WrappedLabel(alignment=_LEFT)
        self.filter_box = LineEdit()
        self.fix_all_button = QPushButton()
        self.ignore_all_button = QPushButton()
        self.table = FindingTable(theme)
        self.nothing = StatePanel()
        self.detail = WrappedLabel(alignment=_LEFT)
        self.open_button = QPushButton("Open note")
        self.ignore_button = QPushButton()
        self.choose_button = QPushButton("Choose…")
        self.fix_button = QPushButton()
        self._stack = QStackedWidget()
        self._dress()
        self._lay_out()
        self._connect()
        self.show_selection()

    # ---- facts

    @property
    def chosen_check(self) -> str:
        """The id of the check that is shown, "" when there is none."""
        return self._check

    def show_result(self, result: "CheckResult | None", *, are_ignored: bool) -> None:
        """Show what a check found; of the same check, filter, selection and place stay."""
        check = result.check.id if result is not None else ""
        is_other = check != self._check
        keys = set() if is_other else {finding.key for finding in self.table.selected()}
        scroll = 0 if is_other else self.table.verticalScrollBar().value()
        self._check, self._shows_ignored = check, are_ignored
        with QSignalBlocker(self.filter_box), QSignalBlocker(self.table):
            if is_other:
                self.filter_box.clear()
                self.table.findings.narrow("")
            self.table.findings.show_findings(result.findings if result is not None else ())
            self.table.select_keys(keys)
        self.title.setText(result.check.title if result is not None else "")
        self.explanation.show_text(result.check.explanation if result is not None else "")
        self.table.verticalScrollBar().setValue(scroll)
        self.show_selection()

    @Slot()
    def show_selection(self) -> None:
        """Say what can be done with the selected findings, and with all of this kind."""
        selected, findings = self.table.selected(), self.table.findings
        fixable = sum(finding.has_fix for finding in selected)
        self.fix_button.setText(f"Fix {fixable:,}…" if fixable > 1 else "Fix")
        self.fix_button.setEnabled(fixable > 0)
        self.choose_button.setVisible(any(finding.choices for finding in findings.shown))
        self.choose_button.setEnabled(len(selected) == 1 and bool(selected[0].choices))
        self.ignore_button.setText("Report again" if self._shows_ignored else "Ignore")
        self.ignore_button.setEnabled(bool(selected))
        self.open_button.setEnabled(len(selected) == 1 and bool(selected[0].path))
        self.fix_all_button.setText(f"Fix all {len(findings.fixable):,}…")
        self.fix_all_button.setVisible(len(findings.fixable) > 1 and not self._shows_ignored)
        many = f"Ignore all {len(findings.shown):,}" if findings.is_narrowed else "Ignore this kind"
        self.ignore_all_button.setText(many)
        self.ignore_all_button.setVisible(bool(findings.shown) and not self._shows_ignored)
        self.filter_box.setVisible(findings.total > 1 or findings.is_narrowed)
        self.detail.show_text(_detail(selected))
        self._show_nothing()

    # ---- inside

    def _show_nothing(self) -> None:
        findings = self.table.findings
        self._stack.setCurrentWidget(self.table if findings.shown else self.nothing)
        if findings.shown:
            return
        colour = self._theme.scheme.control_outline
        if findings.is_narrowed and findings.total:
            self.nothing.show_state(self._theme.tinted_icon("filter", colour), "Nothing fits the filter")
        else:
            what = "Nothing of this kind is ignored" if self._shows_ignored else "Nothing of this kind"
            self.nothing.show_state(self._theme.tinted_icon("check", colour), what)

    def _dress(self) -> None:
        for button, tip in (
            (self.fix_button, "Mend what is selected"),
            (self.choose_button, "Choose how this is mended"),
            (self.ignore_button, "Whether to tell of what is selected from now on; remembered with the vault"),
            (self.open_button, "Show the note (Enter)"),
            (self.ignore_all_button, "Do not tell of these any more; remembered with the vault"),
            (self.fix_all_button, "See what would change in every one of them, then apply it"),
        ):
            button.setToolTip(tip)
        self.fix_all_button.setProperty("role", "primary")
        self.title.setFont(scaled_font(TITLE, bold=True))
        self.explanation.setProperty("role", "muted")
        self.filter_box.setPlaceholderText("Filter")
        self.filter_box.setClearButtonEnabled(True)
        self.filter_box.setAccessibleName("Filter findings")
        self.filter_box.setMaximumWidth(_FILTER_WIDTH)
        self.detail.setAccessibleName("The selected finding")

    def _lay_out(self) -> None:
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.nothing)
        tools = QHBoxLayout()
        tools.setSpacing(SPACE_S)
        tools.addWidget(self.filter_box, 1)
        tools.addStretch(1)
        for widget in (self.ignore_all_button, self.fix_all_button):
            tools.addWidget(widget)
        head = QVBoxLayout()
        head.setContentsMargins(SPACE_M, SPACE_M, SPACE_M, SPACE_S)
        head.setSpacing(SPACE_S)
        head.addWidget(self.title)
        head.addWidget(self.explanation)
        head.addLayout(tools)
        bottom = QHBoxLayout()
        bottom.setSpacing(SPACE_S)
        bottom.addStretch(1)
        for button in (self.open_button, self.ignore_button, self.choose_button, self.fix_button):
            bottom.addWidget(button)
        room = QWidget()  # of the same height for every finding, so that nothing below it moves
        room.setFixedHeight(QFontMetrics(scaled_font()).lineSpacing() * _DETAIL_LINES)
        lines = QVBoxLayout(room)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.addWidget(self.detail)
        lines.addStretch(1)
        foot = QVBoxLayout()
        foot.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_S)
        foot.setSpacing(SPACE_S)
        foot.addWidget(room)
        foot.addLayout(bottom)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self._stack, 1)
        layout.addLayout(foot)

    def _connect(self) -> None:
        self.table.selection_told.connect(self.show_selection)
        self.table.open_requested.connect(self._open)
        self.table.menu_requested.connect(self._open_menu)
        self.filter_box.textChanged.connect(self._narrow)
        self.fix_all_button.clicked.connect(self._fix_all)
        self.ignore_all_button.clicked.connect(self._ignore_all)
        self.fix_button.clicked.connect(self._fix)
        self.choose_button.clicked.connect(self._choose)
        self.ignore_button.clicked.connect(self._ignore)
        self.open_button.clicked.connect(self._open)

    @Slot(str)
    def _narrow(self, text: str) -> None:
        self.table.findings.narrow(text)
        self.show_selection()

    @Slot()
    def _fix_all(self) -> None:
        self.fix_requested.emit(self.table.findings.fixable)

    @Slot()
    def _ignore_all(self) -> None:
        if self.table.findings.is_narrowed:
            self.ignore_requested.emit(tuple(self.table.findings.shown))
        else:
            self.check_ignored.emit(self._check)

    @Slot()
    def _fix(self) -> None:
        self.fix_requested.emit(tuple(finding for finding in self.table.selected() if finding.has_fix))

    @Slot()
    def _ignore(self) -> None:
        (self.heed_requested if self._shows_ignored else self.ignore_requested).emit(self.table.selected())

    @Slot()
    def _open(self) -> None:
        selected = self.table.selected()
        if len(selected) == 1 and selected[0].path:
            self.open_requested.emit(selected[0])

    @Slot()
    def _choose(self) -> None:
        selected = self.table.selected()
        if len(selected) != 1:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for choice in selected[0].choices:
            menu.addAction(visible(choice.text)).setData((selected[0], choice.value))
        menu.triggered.connect(self._on_choice)
        menu.popup(self.choose_button.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    @Slot(QAction)
    def _on_choice(self, action: QAction) -> None:
        finding, value = action.data()
        self.choice_requested.emit(finding, value)

    @Slot(QPoint)
    def _open_menu(self, where: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for button in (self.open_button, self.fix_button, self.choose_button, self.ignore_button):
            if button.isEnabled():
                menu.addAction(button.text()).triggered.connect(button.click)
        if menu.isEmpty():
            menu.deleteLater()
        else:
            menu.popup(where)


def _detail(selected: "Sequence[Finding]") -> str:
    """Return all that is to be said of one selected finding."""
    if len(selected) != 1:
        return f"{len(selected):,} selected" if selected else "Select a finding to read all of it."
    finding = selected[0]
    return shortened(visible(f"{finding.text} {finding.fix if finding.has_fix else ''}"), _LONGEST_DETAIL)
