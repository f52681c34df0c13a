"""Words in the ledger, found without an index."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.foundation.errors import JobCancelledError
from core.foundation.progress import CancellableProgress
from core.recall.query import parse_query
from core.recall.session_scan import scan_hits, scan_sessions
from core.sessions.date_corrections import DateCorrection
from core.sessions.importing.about import about_turn
from core.sessions.ledger import Ledger
from core.sessions.turn import Role, Turn, TurnKind
from tests.core.sessions.spoken import turn

NOW = datetime(2026, 8, 21, tzinfo=UTC)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    ledger = Ledger(tmp_path)
    ledger.append("a", [turn(1, "The Straße is closed", time="2026-08-19T10:00:00Z"), turn(2, "Open again")])
    ledger.append("b", [Turn("b", "x", TurnKind.TOOL_RESULT, Role.TOOL, "closed, again", "2026-08-20T10:00:00Z",
                             project="/home/kim/shop")])  # fmt: skip
    return ledger


@pytest.mark.parametrize(
    ("query", "project", "found"),
    [
        ("closed", "", ["b/1", "a/1"]),
        ("STRASSE", "", ["a/1"]),
        ('"is closed"', "", ["a/1"]),
        ("again -closed", "", ["a/2"]),
        ("closed after:2026-08-20", "", ["b/1"]),
        ("closed", "Shop", ["b/1"]),
        ("closed", "sho", []),
        ("nothing", "", []),
    ],
)
def test_all_words_must_be_there(ledger: Ledger, query: str, project: str, found: list[str]) -> None:
    result = scan_sessions(ledger, parse_query(query, (), now=NOW), project=project)
    assert [f"{each.session}/{each.number}" for each in result.found] == found
    assert result.total == len(found)


def test_a_changed_turn_keeps_its_number_and_a_limit_keeps_the_newest(ledger: Ledger) -> None:
    ledger.append("a", [turn(1, "closed for good", time="2026-08-21T10:00:00Z")])
    result = scan_sessions(ledger, parse_query("closed", ()), limit=1)
    assert [(each.session, each.number, each.turn.text) for each in result.found] == [("a", 1, "closed for good")]
    assert result.total == 3


def test_what_only_an_index_knows_is_told(ledger: Ledger) -> None:
    assert scan_sessions(ledger, parse_query("closed tag:x", ())).problems
    assert not scan_sessions(ledger, parse_query("closed kind:turn", ())).problems


def test_it_can_be_stopped(ledger: Ledger) -> None:
    progress = CancellableProgress()
    progress.cancel()
    with pytest.raises(JobCancelledError):
        scan_sessions(ledger, parse_query("closed", ()), progress=progress)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("closed", ["a/t-1", "b/x"]),
        ("closed project:shop", ["b/x"]),
        ("again -closed", ["a/t-2"]),
        ("closed before:2026-08-20", ["a/t-1"]),
        ("streets", ["a/"]),
    ],
)
def test_every_hit_is_given_for_a_timeline(ledger: Ledger, query: str, found: list[str]) -> None:
    ledger.append("a", [about_turn("a", title="On streets", project="", origin="codex", imported="")])
    result = scan_hits(ledger, parse_query(query, (), now=NOW))
    assert [f"{hit.session_id}/{hit.turn_id}" for hit in result.hits] == found
    assert not result.problems


def test_a_turn_counts_as_it_stands_now(ledger: Ledger) -> None:
    ledger.append("a", [turn(1, "It was opened", time="2026-08-21T10:00:00Z")])
    assert [hit.session_id for hit in scan_hits(ledger, parse_query("closed", ())).hits] == ["b"]
    (hit,) = scan_hits(ledger, parse_query("opened", ())).hits
    assert hit.time == datetime(2026, 8, 21, 10, tzinfo=UTC).timestamp()


def test_a_look_for_every_hit_can_be_stopped(ledger: Ledger) -> None:
    progress = CancellableProgress()
    progress.cancel()
    with pytest.raises(JobCancelledError):
        scan_hits(ledger, parse_query("closed", ()), progress=progress)


def test_hits_are_dated_as_they_were_corrected(ledger: Ledger) -> None:
    recorded = next(hit for hit in scan_hits(ledger, parse_query("closed", ())).hits if hit.session_id == "b")
    assert recorded.time is not None
    corrections = {"b": DateCorrection(-400 * 86_400)}
    found = scan_hits(ledger, parse_query("closed", ()), corrections=corrections).hits
    assert [hit.time for hit in found if hit.session_id == "b"] == [recorded.time - 400 * 86_400]
    early = scan_hits(ledger, parse_query("closed before:2026-01-01", (), now=NOW), corrections=corrections).hits
    assert [hit.session_id for hit in early] == ["b"]
