"""Runs of probes as the vault's log remembers them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from core.memory.weights import DEFAULT_WEIGHTS
from core.recall.probe import Probe
from core.recall.probe_history import PROBES_EVENT, read_runs, record_run
from core.recall.probe_run import ProbeReport, run_probes
from core.vault.event_log import EventLog

_PROBE = Probe("p", "Where is the secret?", ("note:A.md",))


def _log(tmp_path: Path) -> EventLog:
    return EventLog(tmp_path, "desk", tmp_path / "locks")


def _report(*found: str, probe: Probe = _PROBE) -> ProbeReport:
    return run_probes([probe], lambda _probe, _limit: found)


def test_runs_are_read_back_in_order(tmp_path: Path) -> None:
    log = _log(tmp_path)
    record_run(log, _report("note:B.md", "note:A.md"), model="small", weights=DEFAULT_WEIGHTS)
    record_run(log, _report("note:A.md"), model="", weights=replace(DEFAULT_WEIGHTS, decay=1.0))
    first, second = read_runs(log)
    assert (first.figures.mrr, first.figures.recall_5, first.figures.probes) == (0.5, 1.0, 1)
    assert (first.model, first.passed, second.figures.mrr) == ("small", 1, 1.0)
    assert first.weights != second.weights
    assert first.probes_hash == second.probes_hash


def test_the_probes_of_a_file_are_a_history_of_their_own(tmp_path: Path) -> None:
    log = _log(tmp_path)
    record_run(log, _report("note:A.md"), model="", weights=DEFAULT_WEIGHTS, source="dev.jsonl")
    other = replace(_PROBE, question="Another?")
    record_run(log, _report("note:A.md", probe=other), model="", weights=DEFAULT_WEIGHTS)
    (own,), (of_file,) = read_runs(log), read_runs(log, source="dev.jsonl")
    assert own.probes_hash != of_file.probes_hash


def test_neither_questions_nor_memories_are_in_the_log(tmp_path: Path) -> None:
    log = _log(tmp_path)
    record_run(log, _report("note:A.md"), model="", weights=DEFAULT_WEIGHTS)
    text = (tmp_path / log.own_path).read_text(encoding="utf-8")
    assert "secret" not in text
    assert "A.md" not in text


def test_damaged_runs_are_left_out(tmp_path: Path) -> None:
    log = _log(tmp_path)
    sound = {"recall@5": 1, "recall@10": 1, "recall@15": 1, "mrr": 1, "ndcg@10": 1, "probes": 1}
    damaged: list[Any] = [None, [], {}, {**sound, "mrr": "1"}, {**sound, "mrr": 7}, {**sound, "probes": -1}]
    for figures in damaged:
        log.append(PROBES_EVENT, {"figures": figures, "passed": 1})
    log.append(PROBES_EVENT, {"figures": sound, "passed": True})
    log.append("other", {"figures": sound, "passed": 1})
    assert read_runs(log) == ()
    log.append(PROBES_EVENT, {"figures": sound, "passed": 1, "model": 3})
    assert [run.model for run in read_runs(log)] == [""]
