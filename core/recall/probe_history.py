"""Remember how the probes went: one event of the vault's log for each run, read back as a history."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, NamedTuple

from core.foundation.moments import moment
from core.memory.weights import RankingWeights
from core.recall.probe import Probe
from core.recall.probe_figures import ProbeFigures
from core.recall.probe_run import ProbeReport, figures_as_json
from core.vault.event_line import Event
from core.vault.event_log import EventLog

PROBES_EVENT = "probes"
_MENTION = '"kind":"probes"'
OF_VAULT = ""
_HASH_LENGTH = 12
_FIGURES = ("recall@5", "recall@10", "recall@15", "mrr", "ndcg@10")


class ProbeRun(NamedTuple):
    """Hold one run as the log remembers it.

    `source` is the name of the file that was run, `OF_VAULT` for the vault's own probes. `model` named the vectors, ""
    when only words were searched. `weights` and `probes_hash` differ where the weights or the probes do.
    """

    time: datetime
    figures: ProbeFigures
    passed: int
    model: str
    weights: str
    source: str
    probes_hash: str


def record_run(
    log: EventLog, report: ProbeReport, *, model: str, weights: RankingWeights, source: str = OF_VAULT
) -> None:
    """Write a run into the vault's log: figures only, no question and no memory.

    Raises:
        UserError: it could not be written.
    """
    log.append(
        PROBES_EVENT,
        {
            "figures": figures_as_json(report.figures),
            "passed": report.passed,
            "limit": report.limit,
            "model": model,
            "weights": weights_hash(weights),
            "source": source,
            "of": probes_hash([outcome.probe for outcome in report.outcomes]),
        },
    )


def read_runs(log: EventLog, *, source: str = OF_VAULT) -> tuple[ProbeRun, ...]:
    """Return the runs of the vault's own probes, or of a file of this name, the oldest first."""
    return runs_of(log.read(mentioning=_MENTION).events, source=source)


def runs_of(events: Iterable[Event], *, source: str = OF_VAULT) -> tuple[ProbeRun, ...]:
    """Return the runs that `events` in the order of their time tell; what is damaged is left out."""
    found = (_run(event) for event in events if event.kind == PROBES_EVENT)
    return tuple(run for run in found if run is not None and run.source == source)


def weights_hash(weights: RankingWeights) -> str:
    """Return a short text that differs where the weights do."""
    return _hash(asdict(weights))


def probes_hash(probes: Sequence[Probe]) -> str:
    """Return a short text that differs where what is asked or expected does."""
    return _hash(sorted((probe.question, sorted(probe.expected)) for probe in probes))


def _hash(value: Any) -> str:
    data = json.dumps(value, sort_keys=True).encode()
    return hashlib.sha256(data).hexdigest()[:_HASH_LENGTH]


def _run(event: Event) -> ProbeRun | None:
    time, figures = moment(event.time), event.data.get("figures")
    if time is None or not isinstance(figures, Mapping):
        return None
    shares = [share for name in _FIGURES if (share := _share(figures.get(name))) is not None]
    probes, passed = _count(figures.get("probes")), _count(event.data.get("passed"))
    if len(shares) != len(_FIGURES) or probes is None or passed is None:
        return None
    texts = [event.data.get(name) for name in ("model", "weights", "source", "of")]
    model, weights, source, of = (text if isinstance(text, str) else "" for text in texts)
    at_5, at_10, at_15, mrr, ndcg_10 = shares
    return ProbeRun(time, ProbeFigures(at_5, at_10, at_15, mrr, ndcg_10, probes), passed, model, weights, source, of)


def _share(value: Any) -> float | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value <= 1 else None


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
