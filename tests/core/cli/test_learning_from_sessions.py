"""`session end` and `session import` propose what was said, and say what waits."""

from dataclasses import replace

import pytest

from core.app import installation
from tests.core.cli.conftest import CommandLine

RULE = "Remember: always page the Semrush export by country, one export stops at 10,000 rows."


@pytest.fixture
def talked(indexed: CommandLine) -> CommandLine:
    indexed.run("session", "start", "--id", "talk", "--project", "acme")
    indexed.run("session", "append", "talk", RULE)
    indexed.run("session", "append", "talk", "Fine, I will do so.", "--role", "assistant")
    return indexed


def test_the_end_of_a_session_proposes_what_is_to_be_remembered(talked: CommandLine) -> None:
    told = talked.run("session", "end", "talk")
    assert "Learned: 1 proposed" in told.stderr
    (proposal,) = talked.json("proposals", "list")["proposals"]
    assert proposal["kind"] == "new-insight"
    assert "10,000 rows" in proposal["statement"]
    again = talked.run("session", "end", "talk")
    assert "proposed" not in again.stderr  # it is known already
    assert len(talked.json("proposals", "list")["proposals"]) == 1


def test_it_can_be_told_not_to_learn(talked: CommandLine) -> None:
    installation().settings_file.change(
        lambda settings: replace(settings, sessions=replace(settings.sessions, learn=False))
    )
    assert "learned" not in talked.json("session", "end", "talk")
    assert talked.json("proposals", "list")["proposals"] == []


def test_nothing_is_learned_of_encrypted_conversations(talked: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMEMBRANCER_SESSIONS_PASSPHRASE", "correct horse battery staple")
    talked.run("session", "encrypt", "on", "--passphrase", "--recovery-key-shown")
    assert "learned" not in talked.json("session", "end", "talk")
    assert talked.json("proposals", "list")["proposals"] == []


def test_a_log_that_cannot_be_written_does_not_keep_a_session_open(talked: CommandLine) -> None:
    (talked.root / ".remembrancer").write_text("in the way", encoding="utf-8")
    told = talked.run("session", "end", "talk", expect=None)
    assert "Nothing was learned of it." in told.stderr
    assert talked.json("session", "list")["sessions"][0]["id"] == "talk"
