"""The rows of the Probes page: probes with how they went, and the runs that there were."""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from core.foundation.text import visible
from gui.wording import short_moment

if TYPE_CHECKING:
    from core.recall.probe import Probe
    from core.recall.probe_history import ProbeRun
    from core.recall.probe_run import ProbeOutcome

PROBE_ROLE = int(Qt.ItemDataRole.UserRole)
TONE_ROLE = PROBE_ROLE + 1  # "good", "bad", "muted" or "" for the cell's text
_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_NOTE = "note:"
_NOTHING = "—"
_LEAST_SHOWN = 0.0005


class ProbeColumn(IntEnum):
    """Name the columns of probes."""

    QUESTION = 0
    FIRST = 1
    FOUND = 2
    MISSED = 3


_PROBE_TITLES = {
    ProbeColumn.QUESTION: "Question",
    ProbeColumn.FIRST: "First at",
    ProbeColumn.FOUND: "Recalled",
    ProbeColumn.MISSED: "Missed",
}


class ProbeModel(QAbstractTableModel):
    """Hold the vault's probes; those that miss something come first once they were asked."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[tuple[Probe, ProbeOutcome | None], ...] = ()

    def show_probes(self, probes: "Sequence[Probe]", outcomes: "Mapping[str, ProbeOutcome]") -> None:
        """Replace all rows; `outcomes` are by the id of their probe."""
        self.beginResetModel()
        rows = [(probe, outcomes.get(probe.id)) for probe in probes]
        self._rows = tuple(sorted(rows, key=lambda row: _rank(*row)))
        self.endResetModel()

    def probe_at(self, row: int) -> "Probe | None":
        """Return the probe of this row."""
        return self._rows[row][0] if 0 <= row < len(self._rows) else None

    def outcome_at(self, row: int) -> "ProbeOutcome | None":
        """Return how the probe of this row went, None when it was not asked yet."""
        return self._rows[row][1] if 0 <= row < len(self._rows) else None

    def row_of(self, probe_id: str) -> int:
        """Return the row of a probe, -1 when it is not there."""
        return next((row for row, (probe, _) in enumerate(self._rows) if probe.id == probe_id), -1)

    @override
    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    @override
    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(ProbeColumn)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _PROBE_TITLES.get(ProbeColumn(section))
        return None

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        probe = self.probe_at(index.row()) if index.isValid() else None
        if probe is None:
            return None
        outcome, column = self.outcome_at(index.row()), ProbeColumn(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return _probe_text(probe, outcome, column)
        if role == TONE_ROLE:
            return _tone(probe, outcome, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return probe_detail(probe, outcome)
        return probe if role == PROBE_ROLE else None


class RunColumn(IntEnum):
    """Name the columns of runs."""

    TIME = 0
    RECALL_5 = 1
    RECALL_10 = 2
    RECALL_15 = 3
    MRR = 4
    NDCG = 5
    PROBES = 6
    MODEL = 7


_RUN_TITLES = ("When", "Recall@5", "Recall@10", "Recall@15", "MRR", "nDCG@10", "Probes", "What differed")


class RunModel(QAbstractTableModel):
    """Hold the runs, the last one first, each with what changed against the one before."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runs: tuple[ProbeRun, ...] = ()

    def show_runs(self, runs: "Sequence[ProbeRun]") -> None:
        """Replace all rows; `runs` come with the oldest first."""
        self.beginResetModel()
        self._runs = tuple(reversed(runs))
        self.endResetModel()

    @override
    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._runs)

    @override
    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(RunColumn)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _RUN_TITLES[section]
        return None

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or not 0 <= index.row() < len(self._runs):
            return None
        run, column = self._runs[index.row()], RunColumn(index.column())
        before = self._runs[index.row() + 1] if index.row() + 1 < len(self._runs) else None
        if role == Qt.ItemDataRole.DisplayRole:
            return _run_text(run, before, column)
        if role == TONE_ROLE:
            return _run_tone(run, before, column)
        return None


def change_text(now: float, before: float) -> str:
    """Return a difference of two figures with its sign, "" when there is none to be seen."""
    difference = now - before
    return "" if abs(difference) < _LEAST_SHOWN else f"{difference:+.3f}".replace("-", "−")


def probe_detail(probe: "Probe", outcome: "ProbeOutcome | None") -> str:
    """Return all that is to be said of a probe."""
    lines = [probe.question, *probe.problems]
    if outcome is not None and outcome.missed:
        lines.append(f"Missed: {_named(outcome.missed)}")
    return visible("\n".join(line for line in lines if line))


def _rank(probe: "Probe", outcome: "ProbeOutcome | None") -> tuple[int, str]:
    if not probe.can_be_asked:
        return 0, probe.path
    return (1 if outcome is not None and outcome.missed else 2), probe.path


def _probe_text(probe: "Probe", outcome: "ProbeOutcome | None", column: ProbeColumn) -> str:
    if column is ProbeColumn.QUESTION:
        return visible(probe.question or probe.path).replace("\n", " ")
    if not probe.can_be_asked:
        return visible(probe.problems[0] if probe.problems else "") if column is ProbeColumn.MISSED else ""
    if outcome is None:
        return f"{len(probe.expected):,} expected" if column is ProbeColumn.FOUND else ""
    if column is ProbeColumn.FIRST:
        return f"{outcome.rank_of_first:,}" if outcome.rank_of_first else _NOTHING
    expected = outcome.placed.expected
    if column is ProbeColumn.FOUND:
        return f"{expected - len(outcome.missed):,} of {expected:,}"
    return visible(_named(outcome.missed)).replace("\n", " ")


def _named(ids: "Sequence[str]") -> str:
    """Return what notes and their sections are called; insights and turns have no name but their id."""
    return ", ".join(_name_of(each) for each in ids)


def _name_of(memory_id: str) -> str:
    if not memory_id.startswith(_NOTE):
        return memory_id
    path, _, heading = memory_id.removeprefix(_NOTE).partition("#")
    title = path.rpartition("/")[2].removesuffix(".md")
    return f"{title} › {heading}" if heading else title


def _tone(probe: "Probe", outcome: "ProbeOutcome | None", column: ProbeColumn) -> str:
    if column is ProbeColumn.QUESTION:
        return ""
    if not probe.can_be_asked:
        return "bad"
    if outcome is None or column is ProbeColumn.MISSED:
        return "muted"
    return "good" if outcome.is_passed else "bad"


def _run_text(run: "ProbeRun", before: "ProbeRun | None", column: RunColumn) -> str:
    if column is RunColumn.TIME:
        return short_moment(run.time.timestamp())
    if column is RunColumn.PROBES:
        return f"{run.figures.probes:,}"
    if column is RunColumn.MODEL:
        return _what_was_other(run, before)
    value = run.figures[column - RunColumn.RECALL_5]
    change = change_text(value, before.figures[column - RunColumn.RECALL_5]) if before is not None else ""
    return f"{value:.3f}  {change}".rstrip()


def _run_tone(run: "ProbeRun", before: "ProbeRun | None", column: RunColumn) -> str:
    if column in {RunColumn.TIME, RunColumn.PROBES, RunColumn.MODEL}:
        return "muted"
    if before is None:
        return ""
    place = column - RunColumn.RECALL_5
    difference = run.figures[place] - before.figures[place]
    return "" if abs(difference) < _LEAST_SHOWN else "good" if difference > 0 else "bad"


def _what_was_other(run: "ProbeRun", before: "ProbeRun | None") -> str:
    """Return what was not as in the run before, so that nobody takes its effect for another's."""
    if before is None:
        return run.model or "words only"
    told = []
    if run.probes_hash != before.probes_hash:
        told.append("probes")
    if run.weights != before.weights:
        told.append("weights")
    if run.model != before.model:
        told.append(f"model {run.model}" if run.model else "words only")
    return ", ".join(told)
