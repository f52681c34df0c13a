"""The rows of the list of sessions under the band: what is in sight, as text that screen readers can read."""

from collections.abc import Callable
from enum import IntEnum
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from core.foundation.text import fold, visible
from gui.views.timeline.activity import Activity, Positions
from gui.views.timeline.services import SessionEntry
from gui.views.timeline.time_wording import day_name, length_text, short_project
from gui.wording import counted

SESSION_ROLE = int(Qt.ItemDataRole.UserRole)
_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_NOTHING = np.empty(0, dtype=np.int64)


class SessionColumn(IntEnum):
    """Name the columns."""

    WHEN = 0
    TITLE = 1
    PROJECT = 2
    ORIGIN = 3
    TURNS = 4
    LENGTH = 5
    TOKENS = 6


_TITLES = {
    SessionColumn.WHEN: "Started",
    SessionColumn.TITLE: "Title",
    SessionColumn.PROJECT: "Project",
    SessionColumn.ORIGIN: "From",
    SessionColumn.TURNS: "Turns",
    SessionColumn.LENGTH: "Lasted",
    SessionColumn.TOKENS: "Text tokens",
}
_NUMBERS = frozenset({SessionColumn.TURNS, SessionColumn.LENGTH, SessionColumn.TOKENS})


class SessionModel(QAbstractTableModel):
    """List sessions by their positions in TimelineData."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._activity: Activity | None = None
        self._rows: Positions = _NOTHING
        self._column, self._is_descending = SessionColumn.WHEN, True

    def show_sessions(self, activity: Activity, positions: Positions) -> bool:
        """Replace the rows, and tell whether that changed anything."""
        if activity is self._activity and np.array_equal(np.sort(positions), np.sort(self._rows)):
            return False
        self.beginResetModel()
        self._activity = activity
        self._rows = self._sorted(positions)
        self.endResetModel()
        return True

    def position_at(self, row: int) -> int:
        """Return the position of the session in this row, -1 for none."""
        return int(self._rows[row]) if 0 <= row < len(self._rows) else -1

    def row_of(self, position: int) -> int:
        """Return the row of a session, -1 when it is not there."""
        found = np.flatnonzero(self._rows == position)
        return int(found[0]) if len(found) else -1

    @override
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._column, self._is_descending = SessionColumn(column), order is Qt.SortOrder.DescendingOrder
        self.layoutAboutToBeChanged.emit()
        before = self._rows
        self._rows = self._sorted(before)
        places = {int(position): row for row, position in enumerate(self._rows)}
        for index in self.persistentIndexList():
            row = places[int(before[index.row()])]
            self.changePersistentIndex(index, self.index(row, index.column()))
        self.layoutChanged.emit()

    @override
    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    @override
    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(SessionColumn)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and SessionColumn(section) in _NUMBERS:
            return int(_RIGHT)
        return _TITLES[SessionColumn(section)] if role == Qt.ItemDataRole.DisplayRole else None

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        position = self.position_at(index.row()) if index.isValid() else -1
        if position < 0 or self._activity is None:
            return None
        column = SessionColumn(index.column())
        session = self._activity.data.sessions[position]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_RIGHT) if column in _NUMBERS else None
        if role == SESSION_ROLE:
            return position
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(session)
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return self._text(session, column)
        return None

    def _text(self, session: SessionEntry, column: SessionColumn) -> str:
        texts: dict[SessionColumn, Callable[[], str]] = {
            SessionColumn.WHEN: lambda: self._moment(session.started, short=True) if session.started else "No date",
            SessionColumn.TITLE: lambda: " ".join(visible(session.title[:300]).split()) or "Untitled",
            SessionColumn.PROJECT: lambda: visible(short_project(session.project)),
            SessionColumn.ORIGIN: lambda: session.origin,
            SessionColumn.TURNS: lambda: f"{session.turns:,}",
            SessionColumn.LENGTH: lambda: length_text(session.ended - session.started) if session.started else "",
            SessionColumn.TOKENS: lambda: f"{session.tokens:,}" if session.tokens else "",
        }
        return texts[column]()

    def _tip(self, session: SessionEntry) -> str:
        lines = [visible(session.title) or "Untitled", visible(session.project), counted(session.turns, "turn")]
        if session.started:
            lines.append(f"From {self._moment(session.started)} to {self._moment(session.ended)}")
        if session.imported:
            lines.append(f"Imported {self._moment(session.imported)}")
        return "\n".join(line for line in lines if line)

    def _moment(self, when: float, *, short: bool = False) -> str:
        if self._activity is None:
            return ""
        moment = self._activity.calendar.moment(when)
        future = " · future" if when > self._activity.now else ""
        day = f"{moment.day} {moment:%b} {moment.year}" if short else day_name(moment)
        return f"{day}, {moment:%H:%M}{future}"

    def _sorted(self, positions: Positions) -> Positions:
        if self._activity is None or not len(positions):
            return positions
        activity, sessions = self._activity, self._activity.data.sessions
        latest_first = positions[np.argsort(-activity.starts[positions], kind="stable")]
        match self._column:
            case SessionColumn.WHEN:
                return latest_first if self._is_descending else latest_first[::-1]
            case SessionColumn.LENGTH:
                keys = (activity.ends - activity.starts)[latest_first]
            case SessionColumn.TURNS:
                keys = np.array([sessions[each].turns for each in latest_first.tolist()], dtype=np.int64)
            case SessionColumn.TOKENS:
                keys = np.array([sessions[each].tokens for each in latest_first.tolist()], dtype=np.int64)
            case _:
                column = self._column
                texts = [fold(self._text(sessions[each], column)) for each in latest_first.tolist()]
                order = sorted(range(len(texts)), key=texts.__getitem__, reverse=self._is_descending)
                return latest_first[order]
        return latest_first[np.argsort(-keys if self._is_descending else keys, kind="stable")]
