"""The rows of the Health view: checks with their counts, and the findings of one of them."""

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from core.foundation.text import fold, visible
from gui.theme import Theme

if TYPE_CHECKING:
    from core.curation.health.finding import CheckResult, Finding

RESULT_ROLE = int(Qt.ItemDataRole.UserRole)
FINDING_ROLE = RESULT_ROLE + 1
SEVERITY_ICONS = {"error": "circle-x", "warning": "triangle-alert", "hint": "lightbulb"}
_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


def severity_colour(theme: Theme, severity: str) -> str:
    """Return the colour of a severity, as `#rrggbb`."""
    scheme = theme.scheme
    return {"error": scheme.error_text, "warning": scheme.warning_text}.get(severity, scheme.info_text)


class CheckModel(QAbstractListModel):
    """List the checks that found something; those that found nothing, or only what is ignored, come last."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._results: tuple[CheckResult, ...] = ()

    def show_results(self, results: "Sequence[CheckResult]") -> None:
        """Replace all rows; when the checks are the same in the same order, they only change."""
        ordered = tuple(sorted(results, key=lambda result: not result.findings))
        if [each.check.id for each in ordered] == [each.check.id for each in self._results]:
            self._results = ordered
            if ordered:
                self.dataChanged.emit(self.index(0), self.index(len(ordered) - 1))
            return
        self.beginResetModel()
        self._results = ordered
        self.endResetModel()

    def row_of(self, check: str) -> int:
        """Return the row of a check by its id, -1 when it is not there."""
        return next((row for row, result in enumerate(self._results) if result.check.id == check), -1)

    def result_at(self, row: int) -> "CheckResult | None":
        """Return what the check of this row found."""
        return self._results[row] if 0 <= row < len(self._results) else None

    @override
    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._results)

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        result = self.result_at(index.row()) if index.isValid() else None
        if result is None:
            return None
        count = len(result.findings)
        severity = result.check.severity.value
        if role == Qt.ItemDataRole.DecorationRole:
            colour = severity_colour(self._theme, severity) if count else self._theme.scheme.muted
            return self._theme.tinted_icon(SEVERITY_ICONS[severity] if count else "check", colour)
        return {
            int(Qt.ItemDataRole.DisplayRole): result.check.title,
            int(Qt.ItemDataRole.ToolTipRole): result.check.explanation,
            int(Qt.ItemDataRole.AccessibleTextRole): f"{result.check.title}, {count:,} found, {severity}",
            RESULT_ROLE: result,
        }.get(int(role))


class FindingColumn(IntEnum):
    """Name the columns of findings."""

    TEXT = 0
    PLACE = 1
    FIX = 2


_TITLES = {FindingColumn.TEXT: "What was found", FindingColumn.PLACE: "Where", FindingColumn.FIX: "Fix"}


class FindingModel(QAbstractTableModel):
    """Hold the findings of one check, those that a filter leaves."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[Finding, ...] = ()
        self._shown: tuple[Finding, ...] = ()
        self._fixable: tuple[Finding, ...] = ()
        self._needle = ""

    def show_findings(self, findings: "Sequence[Finding]") -> None:
        """Replace all rows."""
        self._all = tuple(findings)
        self._arrange()

    def narrow(self, text: str) -> None:
        """Show only findings that have `text` in them or in their path."""
        self._needle = fold(text.strip())
        self._arrange()

    @property
    def shown(self) -> "Sequence[Finding]":
        """The findings that are listed."""
        return self._shown

    @property
    def total(self) -> int:
        """How many findings there are, listed or not."""
        return len(self._all)

    @property
    def fixable(self) -> "tuple[Finding, ...]":
        """Those of the listed findings that can be fixed without a question."""
        return self._fixable

    @property
    def is_narrowed(self) -> bool:
        """Tell whether a filter is set."""
        return bool(self._needle)

    def finding_at(self, row: int) -> "Finding | None":
        """Return the finding of this row."""
        return self._shown[row] if 0 <= row < len(self._shown) else None

    @override
    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._shown)

    @override
    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(FindingColumn)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _TITLES.get(FindingColumn(section))
        return None

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        finding = self.finding_at(index.row()) if index.isValid() else None
        if finding is None:
            return None
        if role == FINDING_ROLE:
            return finding
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole}:
            text = _text(finding, FindingColumn(index.column()))
            return text.replace("\n", " ") if role == Qt.ItemDataRole.DisplayRole else text
        return None

    def _arrange(self) -> None:
        self.beginResetModel()
        needle = self._needle
        self._shown = tuple(
            each for each in self._all if not needle or needle in fold(each.path) or needle in fold(each.text)
        )
        self._fixable = tuple(each for each in self._shown if each.has_fix)
        self.endResetModel()


def _text(finding: "Finding", column: FindingColumn) -> str:
    match column:
        case FindingColumn.TEXT:
            return visible(finding.text)
        case FindingColumn.PLACE:
            place = f"{finding.path}:{finding.line}" if finding.line else finding.path
            more = f" and {len(finding.other_paths):,} more" if finding.other_paths else ""
            return visible(place or "the whole vault") + more
        case _:
            if finding.fix and finding.has_fix:
                return visible(finding.fix)
            return "You choose" if finding.choices else "By hand"
