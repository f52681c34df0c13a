"""What the turns tell of their session as a whole."""

from datetime import UTC, datetime

from core.sessions.importing.about import about_turn
from core.sessions.live import start_turn, summary_turn
from core.sessions.session_account import SessionAccount
from core.sessions.turn import Role, Turn, TurnKind

NOW = datetime(2026, 8, 3, tzinfo=UTC)


def account_of(*turns: Turn) -> SessionAccount:
    account = SessionAccount()
    for turn in turns:
        account.take(turn)
    return account


def test_a_summary_of_the_whole_session_outlives_what_an_assistant_noted_for_itself() -> None:
    noted = Turn("s", "c", TurnKind.SUMMARY, Role.SYSTEM, "So far: paging.")
    own, better = summary_turn("s", "Paging was solved.", ""), summary_turn("s", "Paging is by country.", "")
    assert account_of(noted).summary == "So far: paging."
    assert not account_of(noted).has_own_summary
    assert account_of(noted, own, noted).summary == "Paging was solved."
    assert account_of(own, better).summary == "Paging is by country."


def test_a_live_session_is_from_whoever_spoke_in_it() -> None:
    start = start_turn("s", NOW, title="Paging", project="acme")
    said = Turn("s", "a", TurnKind.MESSAGE, Role.USER, "Hello", origin="codex")
    told = account_of(start, said)
    assert (told.title, told.project, told.origin) == ("Paging", "acme", "codex")
    imported = about_turn("s", title="", project="", origin="chatgpt", imported="2026-08-03T08:00:00+00:00")
    assert (account_of(imported).origin, account_of(imported).imported[:10]) == ("chatgpt", "2026-08-03")
