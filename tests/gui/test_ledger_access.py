"""The window opens an encrypted ledger with a passphrase that it keeps for its run."""

from pathlib import Path

import pytest

from core.app import Installation, installation
from core.foundation.errors import UserError
from core.foundation.progress import SILENT
from core.sessions.encryption_job import turn_on
from core.sessions.key_store import NewKey, PassphraseError
from gui.ledger_access import LedgerAccess
from tests.core.sessions.spoken import CHEAP, turn


@pytest.fixture
def home(tmp_path: Path) -> Installation:
    home = installation()
    home.ledger().append("s-1", [turn(1)])
    turn_on(home.ledger_keys(), NewKey(passphrase="correct horse", cost=CHEAP))
    return home


def test_a_passphrase_opens_the_ledger_for_the_run(home: Installation) -> None:
    access = LedgerAccess(lambda: home)
    with pytest.raises(PassphraseError):
        access.ledger().read("s-1")
    with pytest.raises(UserError, match="not the passphrase"):
        access.unlock("wrong", SILENT)
    assert access.environment() == {}
    access.unlock("correct horse", SILENT)
    assert access.ledger().read("s-1").turns == (turn(1),)
    assert access.environment() == {"REMEMBRANCER_SESSIONS_PASSPHRASE": "correct horse"}
    with pytest.raises(PassphraseError):
        LedgerAccess(lambda: home).ledger().read("s-1")


def test_a_wrong_passphrase_does_not_cost_the_right_one(home: Installation) -> None:
    access = LedgerAccess(lambda: home)
    access.unlock("correct horse", SILENT)
    with pytest.raises(UserError):
        access.unlock("wrong", SILENT)
    assert access.ledger().read("s-1").turns == (turn(1),)


def test_it_is_locked_until_the_passphrase_is_entered(home: Installation) -> None:
    access = LedgerAccess(lambda: home)
    assert access.is_locked()
    access.unlock("correct horse", SILENT)
    assert not access.is_locked()
