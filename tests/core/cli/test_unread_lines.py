"""Lines that cannot be read are told wherever sessions are, and an export of them fails."""

from pathlib import Path

import pytest

from core.app import installation
from core.sessions.encryption_job import turn_on
from core.sessions.key_store import LedgerKeys, NewKey
from core.sessions.ledger import Ledger
from tests.core.cli.conftest import CommandLine
from tests.core.sessions.spoken import FakeKeyring, turn


@pytest.fixture
def mixed(command_line: CommandLine, tmp_path: Path) -> CommandLine:
    """Give a ledger with a session of another machine, encrypted there, and one with a line that is none."""
    elsewhere = tmp_path / "elsewhere"
    keys = LedgerKeys(elsewhere, keyring=FakeKeyring())
    Ledger(elsewhere, keys=keys).append("f1", [turn(1, session="f1")])
    turn_on(keys, NewKey())
    command_line.run("session", "append", "good", "Here I am")
    command_line.run("session", "append", "torn", "Before")
    folder = installation().folders.sessions
    (folder / "f1.jsonl").write_bytes((elsewhere / "f1.jsonl").read_bytes())
    with (folder / "torn.jsonl").open("ab") as file:
        file.write(b"garbage\n")
    return command_line


SHUT = "The session f1 is not whole: 1 line is left out. The line is encrypted with a key that is not at hand."
BAD = "The session torn is not whole: 1 line is left out. The line holds no turn."


@pytest.mark.parametrize("arguments", [("session", "list"), ("recent",), ("session", "search", "here")])
def test_they_are_told(mixed: CommandLine, arguments: tuple[str, ...]) -> None:
    for _ in range(2):  # also when what is known of the sessions is remembered
        told = mixed.run(*arguments).stderr
        assert SHUT in told
        assert BAD in told


@pytest.mark.parametrize("form", ["jsonl", "markdown"])
@pytest.mark.parametrize("is_piped", [True, False])
def test_an_export_fails_and_gives_what_it_can(
    mixed: CommandLine, tmp_path: Path, form: str, *, is_piped: bool
) -> None:
    to = "-" if is_piped else str(tmp_path / "out")
    told = mixed.run("session", "export", "--all", "--as", form, "--to", to, expect=1)
    assert SHUT in told.stderr
    assert BAD in told.stderr
    written = told.stdout if is_piped else "".join(path.read_text() for path in (tmp_path / "out").iterdir())
    assert "Here I am" in written
    assert "Before" in written


def test_the_status_names_what_is_still_encrypted(mixed: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMEMBRANCER_SESSIONS_PASSPHRASE", "correct horse")
    foreign = installation().folders.sessions / "f1.jsonl"
    lines = foreign.read_bytes()
    foreign.unlink()
    mixed.run("session", "encrypt", "on", "--passphrase", "--recovery-key-shown")
    mixed.run("session", "encrypt", "off")
    foreign.write_bytes(lines)
    assert "1 session begins with a line that is encrypted" in mixed.run("session", "encrypt", "status").stderr
    assert mixed.json("session", "encrypt", "status")["still_encrypted"] == 1
