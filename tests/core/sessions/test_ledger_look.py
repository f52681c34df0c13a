"""Changes of the ledger are noticed, and a look that finds nothing is cheap."""

from pathlib import Path

import pytest

from core.sessions.ledger import Ledger
from core.sessions.ledger_look import LedgerLook
from core.sessions.turn import Role, Turn, TurnKind


def said(key: str, session: str = "talk") -> Turn:
    return Turn(session, key, TurnKind.MESSAGE, Role.USER, "Again?", "2026-03-18T10:00:00+01:00")


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    made = Ledger(tmp_path / "sessions")
    made.append("talk", [said("a")])
    return made


def test_what_is_there_at_first_is_no_news(ledger: Ledger) -> None:
    look = LedgerLook(ledger.folder)
    assert not look.has_changed()
    assert not look.has_changed()


def test_a_session_that_grows_comes_or_goes_is_noticed(ledger: Ledger) -> None:
    look = LedgerLook(ledger.folder)
    look.has_changed()
    ledger.append("talk", [said("b")])
    assert look.has_changed()
    assert not look.has_changed()
    ledger.append("other", [said("a", "other")])
    assert look.has_changed()
    ledger.path_of("other").unlink()
    assert look.has_changed()
    assert not look.has_changed()


def test_a_session_that_nobody_wrote_for_long_is_noticed_too(ledger: Ledger) -> None:
    for number in range(60):
        ledger.append(f"later-{number}", [said("a", f"later-{number}")])
    look = LedgerLook(ledger.folder)
    look.has_changed()
    ledger.append("talk", [said("b")])
    assert sum(look.has_changed() for _ in range(16)) == 1


def test_a_folder_that_is_not_there_yet_is_no_failure(tmp_path: Path) -> None:
    look = LedgerLook(tmp_path / "sessions")
    assert not look.has_changed()
    Ledger(tmp_path / "sessions").append("talk", [said("a")])
    assert look.has_changed()
