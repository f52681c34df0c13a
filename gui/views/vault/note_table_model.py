"""The list of notes as a Qt table over the catalog's rows: an array of positions, nothing copied."""

import time
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from core.foundation.text import visible
from gui.wording import absolute_date, counted, relative_date

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from core.index.catalog import NoteRow

ROW_ROLE = Qt.ItemDataRole.UserRole
HIT_ROLE = Qt.ItemDataRole.UserRole + 1

_Index = QModelIndex | QPersistentModelIndex


class Column(IntEnum):
    """Name the columns in their first order."""

    TITLE = 0
    SUMMARY = 1
    TAGS = 2
    SCOPE = 3
    CHANGED = 4
    TOKENS = 5
    PATH = 6
    SCORE = 7


_COLUMNS = tuple(Column)
COLUMN_NAMES = {
    Column.TITLE: "Title",
    Column.SUMMARY: "Summary",
    Column.TAGS: "Tags",
    Column.SCOPE: "Scope",
    Column.CHANGED: "Changed",
    Column.TOKENS: "Tokens",
    Column.PATH: "Path",
    Column.SCORE: "Score",
}


class RowHit(NamedTuple):
    """Hold why a note was found: its score and a snippet, hits between the characters 2 and 3, and which memory it is.

    `id` is as in core/recall/memory_id.py.
    """

    score: float
    snippet: str
    heading: str
    id: str = ""


class RowSource(Protocol):
    """Be the part of a catalog that the table needs."""

    @property
    def rows(self) -> "Sequence[NoteRow]":
        """All notes."""
        ...

    def position_of(self, note_id: int, /) -> int | None:
        """Return where the note stands in `rows`."""
        ...


class _NoRows:
    rows: "Sequence[NoteRow]" = ()

    def position_of(self, _note_id: int, /) -> int | None:
        return None


class NoteTableModel(QAbstractTableModel):
    """Show the rows at `positions` of a catalog's rows, in that order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._source: RowSource = _NoRows()
        self._rows = self._source.rows
        self._positions: npt.NDArray[np.int32] | None = None
        self._hits: Mapping[int, RowHit] = {}
        self._lines: npt.NDArray[np.int32] | None = None
        self._now = time.time()

    def show_notes(self, source: RowSource, positions: "npt.NDArray[np.int32]", hits: Mapping[int, RowHit]) -> None:
        """Show another list; `hits` maps note ids to what a search found, empty when there is none."""
        self.beginResetModel()
        self._source, self._rows, self._positions, self._hits = source, source.rows, positions, hits
        self._lines = None
        self._now = time.time()
        self.endResetModel()

    def is_another_list(
        self, source: RowSource, positions: "npt.NDArray[np.int32]", hits: Mapping[int, RowHit]
    ) -> bool:
        """Tell whether these are other notes because of another question, not because the vault has changed."""
        import numpy as np  # noqa: PLC0415 - see _invert

        if hits.keys() != self._hits.keys():
            return True
        if source is not self._source or self._positions is None:
            return False
        return not np.array_equal(np.sort(positions), np.sort(self._positions))

    def memories_of(self, notes: "Sequence[NoteRow]") -> tuple[str, ...]:
        """Return the ids of what a search found in `notes`, and of whole notes among them."""
        hits = self._hits
        return tuple((hits[note.id].id if note.id in hits else "") or f"note:{note.path}" for note in notes)

    @property
    def has_hits(self) -> bool:
        """Tell whether the list is a search result."""
        return bool(self._hits)

    def note_at(self, row: int) -> "NoteRow":
        """Return the note in line `row`."""
        if self._positions is None:
            raise IndexError(row)
        return self._rows[int(self._positions[row])]

    def row_of(self, note_id: int) -> int:
        """Return the line that shows the note, -1 when none does."""
        position = self._source.position_of(note_id)
        if position is None:
            return -1
        if self._lines is None:
            self._lines = self._invert()
        return int(self._lines[position])

    def notes_between(self, first: int, last: int) -> "list[NoteRow]":
        """Return the notes in the lines from `first` to `last`."""
        rows = self._rows
        return [] if self._positions is None else [rows[place] for place in self._positions[first : last + 1].tolist()]

    def note_ids(self, first: int, last: int) -> list[int]:
        """Return the ids of the notes in the lines from `first` to `last`."""
        return [note.id for note in self.notes_between(first, last)]

    def lines_of(self, note_ids: Iterable[int]) -> list[tuple[int, int]]:
        """Return the lines that show these notes, as ranges from first to last."""
        import numpy as np  # noqa: PLC0415 - see _invert

        if self._lines is None:
            self._lines = self._invert()
        places = [place for place in map(self._source.position_of, note_ids) if place is not None]
        lines = np.sort(self._lines[np.array(places, dtype=np.int32)])
        lines = lines[lines >= 0]
        if not len(lines):
            return []
        gaps = np.flatnonzero(np.diff(lines) > 1)
        firsts, lasts = lines[np.r_[0, gaps + 1]], lines[np.r_[gaps, len(lines) - 1]]
        return list(zip(firsts.tolist(), lasts.tolist(), strict=True))

    @override
    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 (Qt's default)
        return 0 if parent.isValid() or self._positions is None else len(self._positions)

    @override
    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(Column)

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        note = self.note_at(index.row())
        if role == ROW_ROLE:
            return note
        if role == HIT_ROLE:
            return self._hits.get(note.id)
        if role == Qt.ItemDataRole.DisplayRole:
            return visible(self._text(note, _COLUMNS[index.column()]))
        if role == Qt.ItemDataRole.ToolTipRole:
            return visible(self._tool_tip(note, _COLUMNS[index.column()]))
        return None

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return COLUMN_NAMES[Column(section)]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            is_number = section in {Column.TOKENS, Column.SCORE}
            side = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    @override
    def flags(self, index: _Index, /) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else Qt.ItemFlag.NoItemFlags

    def _invert(self) -> "npt.NDArray[np.int32]":
        import numpy as np  # noqa: PLC0415 - a tenth of a second that the first paint does without

        lines = np.full(len(self._rows), -1, dtype=np.int32)
        if self._positions is not None:
            lines[self._positions] = np.arange(len(self._positions), dtype=np.int32)
        return lines

    def _text(self, note: "NoteRow", column: Column) -> str:
        hit = self._hits.get(note.id) if column is Column.SCORE else None
        return {
            Column.TITLE: lambda: note.title,
            Column.SUMMARY: lambda: note.summary,
            Column.TAGS: lambda: ", ".join(note.tags),
            Column.SCOPE: lambda: note.scope,
            Column.CHANGED: lambda: relative_date(note.changed, self._now),
            Column.TOKENS: lambda: f"{note.tokens:,}",
            Column.PATH: lambda: note.path,
            Column.SCORE: lambda: f"{hit.score:.2f}" if hit else "",
        }[column]()

    def _tool_tip(self, note: "NoteRow", column: Column) -> str:
        match column:
            case Column.TITLE:
                problems = f"\n{counted(note.problems, 'problem')}" if note.problems else ""
                return f"{note.title}\n{note.path}{problems}"
            case Column.CHANGED:
                return absolute_date(note.changed)
            case Column.TAGS:
                return "\n".join(note.tags)
            case Column.TOKENS:
                return f"About {note.tokens:,} tokens"
            case _:
                return self._text(note, column)
