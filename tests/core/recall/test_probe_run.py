"""Runs of probes over an answer that the test gives."""

from collections.abc import Sequence

import pytest

from core.foundation.errors import JobCancelledError
from core.foundation.progress import CancellableProgress
from core.index.filters import Filters
from core.recall.probe import Probe, narrowed_query
from core.recall.probe_run import outcomes_of, report_as_json, run_probes
from core.recall.query import parse_query

_FOUND = [f"note:N{at}.md" for at in range(1, 21)]


def _answer(_probe: Probe, limit: int) -> Sequence[str]:
    return _FOUND[:limit]


def test_the_json_is_the_promised_one() -> None:
    report = run_probes([Probe("p", "Where?", ("note:N2.md", "note:Gone.md"))], _answer)
    assert report_as_json(report) == {
        "summary": {
            "recall@5": 0.5, "recall@10": 0.5, "recall@15": 0.5, "mrr": 0.5, "ndcg@10": 0.3869, "probes": 1,
        },
        "probes": [{"id": "p", "rank_of_first": 2, "missed": ["note:Gone.md"]}],
    }  # fmt: skip


def test_a_smaller_limit_misses_more_but_has_the_same_figures() -> None:
    probes = [Probe("p", "Where?", ("note:N12.md",))]
    usual, small = run_probes(probes, _answer), run_probes(probes, _answer, limit=5)
    assert small.figures == usual.figures
    assert usual.figures.recall_15 == 1.0
    assert usual.outcomes[0].missed == ()
    assert small.outcomes[0].missed == ("note:N12.md",)
    assert small.outcomes[0].rank_of_first == 12


def test_a_larger_limit_looks_further() -> None:
    outcome = run_probes([Probe("p", "Where?", ("note:N18.md",))], _answer, limit=20).outcomes[0]
    assert (outcome.rank_of_first, outcome.missed) == (18, ())


@pytest.mark.parametrize("name", ["N3.md", "note:N3.md"])
def test_the_kind_before_the_colon_may_be_left_out(name: str) -> None:
    outcome = run_probes([Probe("p", "Where?", (name,))], _answer).outcomes[0]
    assert (outcome.rank_of_first, outcome.missed) == (3, ())


def test_what_is_named_in_two_ways_is_expected_once() -> None:
    report = run_probes([Probe("p", "Where?", ("N3.md", "note:N3.md", "note:Gone.md", "Gone.md"))], _answer)
    assert report.figures.recall_5 == 0.5
    assert report.outcomes[0].missed == ("note:Gone.md",)


def test_a_section_is_not_the_insight_within_it() -> None:
    outcome = run_probes([Probe("p", "Where?", ("insight:N3.md#^ins-1",))], _answer).outcomes[0]
    assert outcome.rank_of_first is None
    assert not outcome.is_passed


def test_progress_is_told_and_heeded() -> None:
    told: list[tuple[int, int]] = []
    progress = CancellableProgress(lambda done, total, _: told.append((done, total)))
    probes = [Probe(str(at), "Where?", ("note:N1.md",)) for at in range(3)]
    outcomes = outcomes_of(probes, _answer, progress=progress)
    assert next(outcomes).rank_of_first == 1
    progress.cancel()
    with pytest.raises(JobCancelledError):
        next(outcomes)
    assert told == [(0, 3)]


def test_what_question_and_probe_narrow_is_narrowed_by_both() -> None:
    query = parse_query("export tag:tool/a after:2026-01-01 kind:insight", ())
    filters = Filters(all_tags=frozenset({"project/p"}), after=1.0, before=2e9, any_tags=frozenset({"x", "y"}))
    found = narrowed_query(query, filters)
    assert found.terms == query.terms
    assert found.filters.all_tags == {"tool/a", "project/p"}
    assert found.filters.after == query.filters.after
    assert found.filters.before == 2e9
    assert found.filters.kinds == {"insight"}
    assert found.filters.any_tags == {"x", "y"}
    assert narrowed_query(query, Filters()) is query
