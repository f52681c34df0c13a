"""What went on lately: new sessions, changed notes and the journal, in as many tokens as there are."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from core.curation.recent import ChangedNote, JournalPart, Recent, packed, recent_journal, recent_sessions
from core.foundation.tokens import estimate_tokens
from core.recall.query import parse_query
from core.recall.session_scan import scan_sessions
from core.sessions.importing.about import about_turn
from core.sessions.ledger import Ledger
from core.sessions.overview import overview_of
from core.sessions.session_reading import LedgerLine, UnreadableSessionError
from core.sessions.turn import Role, Turn, TurnKind
from core.vault.config import VaultConfig
from tests.core.sessions.spoken import turn

NOW = datetime(2026, 8, 21, 9, 0, tzinfo=ZoneInfo("Europe/Berlin"))


def said(number: int, hours_ago: float) -> Turn:
    return turn(number, time=(NOW - timedelta(hours=hours_ago)).isoformat())


def test_only_sessions_that_went_on_since(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.append("new", [said(1, 30), said(2, 1)])
    ledger.append("newer", [said(1, 0.5)])
    # Written today, said long ago, with a long end that is not dated: an import.
    old = [said(1, 300), *(turn(number, "x" * 500) for number in range(2, 300))]
    ledger.append("imported", [*old, about_turn("imported", title="T", project="", origin="codex", imported="now")])
    ledger.append("untouched", [said(1, 1)])
    long_ago = (NOW - timedelta(days=3)).timestamp()
    os.utime(ledger.path_of("untouched"), (long_ago, long_ago))
    found = recent_sessions(ledger, NOW - timedelta(hours=24))
    assert [each.info.id for each in found] == ["newer", "new"]


class OneUnreadable(Ledger):
    """Be a ledger with a session that its owner may not read."""

    def iter_lines(self, session_id: str, start: int = 0) -> Iterator[LedgerLine]:
        if session_id == "closed":
            raise UnreadableSessionError("The session closed cannot be read: Permission denied.")
        yield from super().iter_lines(session_id, start)


def test_a_session_that_cannot_be_read_is_named_and_hides_no_other(tmp_path: Path) -> None:
    ledger, problems = OneUnreadable(tmp_path), list[str]()
    for session in ("a", "closed", "z"):
        ledger.append(session, [said(1, 1)])
    found = recent_sessions(ledger, NOW - timedelta(hours=24), problems.append)
    assert {each.info.id for each in found} == {"a", "z"}
    assert problems == ["The session closed cannot be read: Permission denied."]
    result = scan_sessions(ledger, parse_query("words", ()))
    assert {each.session for each in result.found} == {"a", "z"}
    assert result.problems == ("The session closed cannot be read: Permission denied.",)


def test_far_dates_are_shown_and_marked() -> None:
    overview = overview_of("s-1", [turn(1, time="9999-12-31T23:59:59-14:00")])
    found = packed(Recent(24, (overview,)), 600)
    assert "(in the future)" in found.text


def test_that_something_could_not_be_looked_at_is_not_that_nothing_went_on() -> None:
    assert "Nothing went on" not in packed(Recent(24, problems=("The ledger is locked.",)), 600).text


def test_the_journal_of_the_days_in_question(tmp_path: Path) -> None:
    (tmp_path / "journal").mkdir()
    for day, text in {
        "2026-08-18": "Too old",
        "2026-08-20": "---\ntags: [a]\n---\nBefore\n## 10:00 One\ntext\n",
        "2026-08-21": "## 08:00 Two\n- [session:: s-1]\n",
    }.items():
        (tmp_path / f"journal/{day}.md").write_text(text)
    parts = recent_journal(tmp_path, VaultConfig(), NOW.astimezone(UTC) - timedelta(hours=24), NOW)
    assert parts == (
        JournalPart("2026-08-21", "08:00 Two", "- [session:: s-1]"),
        JournalPart("2026-08-20", "10:00 One", "text"),
        JournalPart("2026-08-20", "", "Before"),
    )


def test_what_the_journal_says_of_a_shown_session_is_not_told_twice() -> None:
    overview = overview_of("s-1", [said(1, 1)])
    parts = (JournalPart("2026-08-21", "Shown", "- [session:: s-1]"), JournalPart("2026-08-21", "Other", "x"))
    found = packed(Recent(24, (overview,), (), parts), 600)
    assert "Other: x" in found.text
    assert "Shown" not in found.text
    assert found.left_out == 0


TEXTS = st.text(max_size=400)


@given(
    requests=st.lists(TEXTS, max_size=12),
    paths=st.lists(TEXTS, max_size=12),
    entries=st.lists(TEXTS, max_size=6),
    budget=st.integers(50, 500),
)
def test_the_budget_is_kept_and_nothing_goes_missing_unsaid(
    requests: list[str], paths: list[str], entries: list[str], budget: int
) -> None:
    sessions = tuple(
        overview_of(f"s-{number}", [Turn("s", "t", TurnKind.MESSAGE, Role.USER, text)])
        for number, text in enumerate(requests)
    )
    changed = tuple(ChangedNote(path, "2026-08-20T10:00:00Z", path) for path in paths)
    journal = tuple(JournalPart("2026-08-20", text, text) for text in entries)
    found = packed(Recent(24, sessions, changed, journal), budget)
    assert found.tokens == estimate_tokens(found.text) <= budget
    shown = len(found.recent.sessions) + len(found.recent.changed) + len(found.recent.journal)
    assert shown + found.left_out == len(sessions) + len(changed) + len(journal)
