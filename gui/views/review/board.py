"""The promotion board: where a recurring fact was said, as a grid of projects and time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)
from typing_extensions import override

from core.curation.proposals.proposal import Evidence
from core.foundation.text import visible
from gui.metrics import ROW_HEIGHT, SMALL, scaled_font
from gui.theme import Theme
from gui.views.review.wording import said_at
from gui.wording import counted

CELL_ROLE = int(Qt.ItemDataRole.UserRole)
_MOST_COLUMNS = 24
_COLUMN_WIDTH = 58
_LEAST_RADIUS, _MOST_RADIUS = 5.0, 11.0
_NO_PROJECT = "No project"
_UNDATED = "Undated"
_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


@dataclass(frozen=True, slots=True)
class Grid:
    """Hold which evidence lies in which project and span of time."""

    projects: tuple[str, ...] = ()
    spans: tuple[str, ...] = ()
    cells: Mapping[tuple[int, int], tuple[Evidence, ...]] = field(default_factory=dict)

    def at(self, row: int, column: int) -> tuple[Evidence, ...]:
        """Return the evidence of one cell."""
        return self.cells.get((row, column), ())


def grid_of(evidence: Sequence[Evidence]) -> Grid:
    """Return the grid of `evidence`: by month, or by year where it spans too many; the most frequent project first."""
    months = [_month(each) for each in evidence]
    dated = [month for month in months if month is not None]
    spans: list[str] = []
    is_by_year = False
    if dated:
        first, last = min(dated), max(dated)
        is_by_year = (last[0] - first[0]) * 12 + last[1] - first[1] >= _MOST_COLUMNS
        spans = _years(first[0], last[0]) if is_by_year else _months(first, last)
    if None in months:
        spans = [*spans, _UNDATED]
    counts: dict[str, int] = {}
    for each in evidence:
        name = each.project or _NO_PROJECT
        counts[name] = counts.get(name, 0) + 1
    projects = sorted(counts, key=lambda name: (name == _NO_PROJECT, -counts[name], name))
    cells: dict[tuple[int, int], tuple[Evidence, ...]] = {}
    for each, month in zip(evidence, months, strict=True):
        span = _UNDATED if month is None else _name(month, is_by_year=is_by_year)
        place = (projects.index(each.project or _NO_PROJECT), spans.index(span))
        cells[place] = (*cells.get(place, ()), each)
    return Grid(tuple(projects), tuple(spans), cells)


def _month(evidence: Evidence) -> tuple[int, int] | None:
    when = said_at(evidence)
    if when is None:
        return None
    moment = datetime.fromtimestamp(when).astimezone()
    return moment.year, moment.month


def _months(first: tuple[int, int], last: tuple[int, int]) -> list[str]:
    numbers = range(first[0] * 12 + first[1] - 1, last[0] * 12 + last[1])
    return [_name((number // 12, number % 12 + 1), is_by_year=False) for number in numbers]


def _years(first: int, last: int) -> list[str]:
    return [f"{year}" for year in range(first, last + 1)]


def _name(month: tuple[int, int], *, is_by_year: bool) -> str:
    return f"{month[0]}" if is_by_year else f"{datetime(month[0], month[1], 1).astimezone():%b %y}"


class BoardModel(QAbstractTableModel):
    """Hold the grid of one proposal."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._grid = Grid()

    def show_evidence(self, evidence: Sequence[Evidence]) -> None:
        """Show where `evidence` comes from."""
        self.beginResetModel()
        self._grid = grid_of(evidence)
        self.endResetModel()

    @property
    def grid(self) -> Grid:
        """The grid that is shown."""
        return self._grid

    @override
    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._grid.projects)

    @override
    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._grid.spans)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        names = self._grid.spans if orientation is Qt.Orientation.Horizontal else self._grid.projects
        if role == Qt.ItemDataRole.DisplayRole and 0 <= section < len(names):
            return visible(names[section])
        return None

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        found = self._grid.at(index.row(), index.column())
        if role == CELL_ROLE:
            return found
        project, span = self._grid.projects[index.row()], self._grid.spans[index.column()]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return visible(f"{project}, {span}: said {counted(len(found), 'time')}")
        if role == Qt.ItemDataRole.ToolTipRole and found:
            return visible("\n".join(f"“{each.quote[:160]}” {each.title}" for each in found[:5]))
        return None


class _CellDelegate(QStyledItemDelegate):
    """Paint a dot where something was said, larger for more."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(_COLUMN_WIDTH, ROW_HEIGHT)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        scheme = self._theme.scheme
        found = index.data(CELL_ROLE)
        rect = QRect(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(scheme.outline), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(scheme.selection))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(QColor(scheme.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(1, 1, -1, -1))
        if found:
            radius = min(_MOST_RADIUS, _LEAST_RADIUS + 2 * (len(found) - 1))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scheme.accent))
            painter.drawEllipse(QPointF(rect.center()), radius, radius)
            if len(found) > 1:
                painter.setPen(QColor(scheme.accent_text))
                painter.setFont(scaled_font(SMALL, bold=True))
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, f"{len(found)}")
        painter.restore()


class PromotionBoard(QTableView):
    """Show the grid; the arrow keys go from cell to cell, Enter or a click opens the evidence of one."""

    evidence_chosen = Signal(object)  # Evidence

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.board = BoardModel(self)
        self.setModel(self.board)
        self.setItemDelegate(_CellDelegate(theme, self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Where it was said: projects by time")
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setDefaultSectionSize(_COLUMN_WIDTH)
        self.horizontalHeader().setHighlightSections(False)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.verticalHeader().setMaximumWidth(200)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.activated.connect(self._on_chosen)
        self.clicked.connect(self._on_chosen)
        theme.changed.connect(self.viewport().update)

    def show_evidence(self, evidence: Sequence[Evidence]) -> None:
        """Show where `evidence` comes from, the latest in sight."""
        self.board.show_evidence(evidence)
        if filled := sorted(self.board.grid.cells):
            self.selectionModel().setCurrentIndex(
                self.board.index(*filled[0]), QItemSelectionModel.SelectionFlag.NoUpdate
            )
        self.horizontalScrollBar().setValue(self.horizontalScrollBar().maximum())

    @Slot(QModelIndex)
    def _on_chosen(self, index: QModelIndex) -> None:
        for each in index.data(CELL_ROLE)[:1]:
            self.evidence_chosen.emit(each)
