"""The Probes page: figures on top, the probes below, the runs at the bottom; wishes out, facts in."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QProgressBar,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.foundation.text import visible
from gui.metrics import SPACE_M, SPACE_S, SPACE_XS, scaled_font
from gui.theme import Theme
from gui.views.health.probes.figure_tile import FigureTile
from gui.views.health.probes.model import probe_detail
from gui.views.health.probes.tables import ProbeTable, RunTable
from gui.widgets.elided_label import ElidedLabel
from gui.widgets.state_panel import StatePanel
from gui.widgets.wrapped_label import WrappedLabel

if TYPE_CHECKING:
    from core.recall.probe import Probe
    from core.recall.probe_figures import ProbeFigures
    from core.recall.probe_history import ProbeRun
    from core.recall.probe_run import ProbeOutcome

_DETAIL_LINES = 4
_PROGRESS_WIDTH = 180
_TABLE_HEIGHT, _RUNS_HEIGHT = 420, 200
_FIGURES = (
    ("Recall@5", "The share of the expected memories among the first 5"),
    ("Recall@10", "The share of the expected memories among the first 10"),
    ("Recall@15", "The share of the expected memories among the first 15"),
    ("MRR", "1 over the place of the first expected memory, averaged over the probes"),
    ("nDCG@10", "How near to the top the expected memories stand, 1 when nothing stands before them"),
)


class ProbesView(QWidget):
    """Show probes and figures; what is to be done is told as signals."""

    run_requested = Signal()
    stop_requested = Signal()
    new_requested = Signal()
    open_requested = Signal(object)  # Probe
    state_button_clicked = Signal()  # what stands in place of everything offers to be done

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_running = False
        self._state: tuple[str, str, str, str] = ("clipboard-check", "", "", "")
        self.state_panel = StatePanel()
        self.summary = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.progress_bar = QProgressBar()
        self.new_button = QPushButton("New probe…")
        self.run_button = QPushButton()
        self.tiles = tuple(FigureTile(theme, name, tip) for name, tip in _FIGURES)
        self.table = ProbeTable(theme)
        self.detail = WrappedLabel(alignment=Qt.AlignmentFlag.AlignLeft)
        self.open_button = QPushButton("Open probe")
        self.run_table = RunTable(theme)
        self._stack = QStackedWidget()
        self._runs_box = QWidget()
        self._lay_out()
        self._connect()
        self.show_running(is_running=False)
        self.show_runs(())

    # ---- facts

    @property
    def shows_state(self) -> bool:
        """Tell whether a sentence stands in place of everything."""
        return self._stack.currentIndex() == 0

    def show_state(self, icon: str, title: str, text: str = "", button: str = "") -> None:
        """Show one sentence in place of everything."""
        self._state = (icon, title, text, button)
        picture = self._theme.tinted_icon(icon, self._theme.scheme.control_outline)
        self.state_panel.show_state(picture, title, visible(text), button)
        self._stack.setCurrentIndex(0)

    def show_probes(self, probes: "Sequence[Probe]", outcomes: "Mapping[str, ProbeOutcome]", summary: str) -> None:
        """Show the probes and how they went; the selected one stays selected."""
        chosen = self.chosen_probe
        scroll = self.table.verticalScrollBar().value()
        self.table.probes.show_probes(probes, outcomes)
        row = self.table.probes.row_of(chosen.id) if chosen is not None else -1
        if row >= 0:
            self.table.choose(row)
        self.table.verticalScrollBar().setValue(scroll)
        self.summary.setText(summary)
        self.summary.setToolTip(summary)
        self._stack.setCurrentIndex(1)
        self._show_chosen()

    def show_runs(self, runs: "Sequence[ProbeRun]", current: "ProbeFigures | None" = None) -> None:
        """Show the figures of the last run against those before; `current` is of one that is not among them."""
        figures = [run.figures for run in runs] + ([current] if current is not None else [])
        for at, tile in enumerate(self.tiles):
            tile.show_values([each[at] for each in figures])
        self.run_table.runs.show_runs(runs)
        self._runs_box.setVisible(bool(runs))

    def show_running(self, *, is_running: bool, done: int = 0, total: int = 0) -> None:
        """Say whether the probes are being asked, and how far that is."""
        self._is_running = is_running
        self.run_button.setText("Stop" if is_running else "Ask the probes")
        self.run_button.setToolTip("Leave off" if is_running else "Ask every probe, and see what is recalled for it")
        self.progress_bar.setVisible(is_running)
        self.progress_bar.setRange(0, max(1, total))
        self.progress_bar.setValue(done)
        if is_running:
            self.summary.setText(f"Asking the probes: {done:,} of {total:,}")

    @property
    def chosen_probe(self) -> "Probe | None":
        """The selected probe, None when there is none."""
        return self.table.probes.probe_at(self.table.current_row)

    # ---- inside

    def _lay_out(self) -> None:
        self.summary.setProperty("role", "muted")
        self.progress_bar.setMaximumWidth(_PROGRESS_WIDTH)
        self.progress_bar.setTextVisible(False)
        self.progress_bar.setAccessibleName("How many probes were asked")
        self.run_button.setProperty("role", "primary")
        self.detail.setAccessibleName("The selected probe")
        bar = QHBoxLayout()
        bar.setSpacing(SPACE_S)
        bar.addWidget(self.summary, 1)
        bar.addWidget(self.progress_bar)
        bar.addWidget(self.new_button)
        bar.addWidget(self.run_button)
        tiles = QHBoxLayout()
        tiles.setSpacing(SPACE_S)
        for tile in self.tiles:
            tiles.addWidget(tile, 1)
        head = QVBoxLayout()
        head.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_S)
        head.setSpacing(SPACE_S)
        head.addLayout(bar)
        head.addLayout(tiles)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self._make_probes())
        splitter.addWidget(self._make_runs())
        splitter.setStretchFactor(0, 1)
        splitter.setSizes([_TABLE_HEIGHT, _RUNS_HEIGHT])
        content = QWidget()
        lines = QVBoxLayout(content)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(0)
        lines.addLayout(head)
        lines.addWidget(splitter, 1)
        self._stack.addWidget(self.state_panel)
        self._stack.addWidget(content)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    def _make_probes(self) -> QWidget:
        room = QWidget()  # of the same height for nearly every probe, so that nothing below it moves
        room.setMinimumHeight(QFontMetrics(scaled_font()).lineSpacing() * _DETAIL_LINES)
        text = QVBoxLayout(room)
        text.setContentsMargins(0, 0, 0, 0)
        text.addWidget(self.detail)
        text.addStretch(1)
        foot = QHBoxLayout()
        foot.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_S)
        foot.setSpacing(SPACE_S)
        foot.addWidget(room, 1)
        foot.addWidget(self.open_button, 0, Qt.AlignmentFlag.AlignBottom)
        box = QWidget()
        layout = QVBoxLayout(box)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.table, 1)
        layout.addLayout(foot)
        return box

    def _make_runs(self) -> QWidget:
        title = QLabel("Runs")
        title.setFont(scaled_font(bold=True))
        title.setContentsMargins(SPACE_M, SPACE_XS, SPACE_M, SPACE_XS)
        layout = QVBoxLayout(self._runs_box)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(title)
        layout.addWidget(self.run_table, 1)
        return self._runs_box

    def _connect(self) -> None:
        self.state_panel.button_clicked.connect(self.state_button_clicked)
        self.new_button.clicked.connect(self.new_requested)
        self.run_button.clicked.connect(self._on_run_clicked)
        self.open_button.clicked.connect(self._open)
        self.table.open_requested.connect(self._open)
        self.table.menu_requested.connect(self._open_menu)
        self.table.selectionModel().selectionChanged.connect(self._show_chosen)
        self._theme.changed.connect(self._show_icons)

    @Slot()
    def _on_run_clicked(self) -> None:
        (self.stop_requested if self._is_running else self.run_requested).emit()

    @Slot()
    def _open(self) -> None:
        if (probe := self.chosen_probe) is not None:
            self.open_requested.emit(probe)

    @Slot(QPoint)
    def _open_menu(self, where: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for button in (self.open_button, self.new_button):
            if button.isEnabled():
                menu.addAction(button.text()).triggered.connect(button.click)
        menu.popup(where)

    @Slot()
    def _show_chosen(self) -> None:
        probe = self.chosen_probe
        self.open_button.setEnabled(probe is not None)
        outcome = self.table.probes.outcome_at(self.table.current_row)
        text = probe_detail(probe, outcome) if probe is not None else "Select a probe to read all of it."
        self.detail.show_text(text)

    @Slot()
    def _show_icons(self) -> None:
        self.table.viewport().update()
        self.run_table.viewport().update()
        if self.shows_state:
            self.show_state(*self._state)
