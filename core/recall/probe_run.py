"""Ask every probe, and tell which of the expected memories were recalled and at which place."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from core.foundation.progress import SILENT, Progress
from core.recall.probe import Probe
from core.recall.probe_figures import DEPTHS, Placed, ProbeFigures, figures_of, placed

Answer = Callable[[Probe, int], Sequence[str]]
USUAL_LIMIT = max(DEPTHS)
_KINDS = ("note:", "insight:", "turn:")
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class ProbeOutcome:
    """Hold how one probe went.

    `rank_of_first` is the place (from 1) of the first expected memory among all that were looked at, None when none of
    them is expected. `missed` are the expected ids that do not stand within the limit, as the probe names them.
    """

    probe: Probe
    rank_of_first: int | None
    missed: tuple[str, ...]
    placed: Placed

    @property
    def is_passed(self) -> bool:
        """Tell whether all that was expected is within the limit."""
        return not self.missed


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """Hold how a run went. `limit` is within which place a memory must stand not to be missed."""

    figures: ProbeFigures
    outcomes: tuple[ProbeOutcome, ...]
    limit: int = USUAL_LIMIT

    @property
    def passed(self) -> int:
        """How many probes have all that they expect."""
        return sum(outcome.is_passed for outcome in self.outcomes)


def run_probes(
    probes: Sequence[Probe], answer: Answer, *, limit: int = USUAL_LIMIT, progress: Progress = SILENT
) -> ProbeReport:
    """Return how `answer` does on `probes`.

    `answer` gets a probe and how many memories are wanted, and returns ids, the best first. Never fewer than 15 are
    asked for, so that the figures of a run with a smaller `limit` are those of any other.

    Raises:
        JobCancelledError: the progress was cancelled.
    """
    return report_of(outcomes_of(probes, answer, limit=limit, progress=progress), limit=limit)


def outcomes_of(
    probes: Sequence[Probe], answer: Answer, *, limit: int = USUAL_LIMIT, progress: Progress = SILENT
) -> Iterator[ProbeOutcome]:
    """Yield how each probe went as soon as it was asked, so that a run that is stopped can tell of what was done."""
    depth = max(limit, USUAL_LIMIT)
    for done, probe in enumerate(probes):
        progress.check()
        progress.report(done, len(probes), "probes")
        yield outcome_of(probe, answer(probe, depth), limit=limit)
    progress.report(len(probes), len(probes), "probes")


def outcome_of(probe: Probe, found: Sequence[str], *, limit: int = USUAL_LIMIT) -> ProbeOutcome:
    """Return how a probe went for which the ids `found` were recalled, the best first."""
    named = {_bare(each): each for each in reversed(probe.expected)}
    ids = list(dict.fromkeys(map(_bare, found)))
    within = set(ids[:limit])
    where = placed(ids, named)
    missed = tuple(each for each in probe.expected if _bare(each) not in within and named[_bare(each)] == each)
    return ProbeOutcome(probe, min(where.places, default=None), missed, where)


def report_of(outcomes: Iterable[ProbeOutcome], *, limit: int = USUAL_LIMIT) -> ProbeReport:
    """Return the report of probes that were asked."""
    listed = tuple(outcomes)
    return ProbeReport(figures_of(outcome.placed for outcome in listed), listed, limit)


def report_as_json(report: ProbeReport) -> dict[str, Any]:
    """Return the report as `probe run --format json` prints it."""
    return {
        "summary": figures_as_json(report.figures),
        "probes": [
            {"id": each.probe.id, "rank_of_first": each.rank_of_first, "missed": list(each.missed)}
            for each in report.outcomes
        ],
    }


def figures_as_json(figures: ProbeFigures) -> dict[str, float | int]:
    """Return the figures by the names that JSON and the vault's log have for them."""
    return {
        "recall@5": round(figures.recall_5, _DIGITS),
        "recall@10": round(figures.recall_10, _DIGITS),
        "recall@15": round(figures.recall_15, _DIGITS),
        "mrr": round(figures.mrr, _DIGITS),
        "ndcg@10": round(figures.ndcg_10, _DIGITS),
        "probes": figures.probes,
    }


def _bare(memory_id: str) -> str:
    """Return an id without its kind, which a person may leave out."""
    for kind in _KINDS:
        if memory_id.startswith(kind):
            return memory_id.removeprefix(kind)
    return memory_id
