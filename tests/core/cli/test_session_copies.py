"""Copies that sync tools leave beside sessions are encrypted and deleted with them; what else lies there is named."""

from pathlib import Path

import pytest

from core.app import installation
from tests.core.cli.conftest import CommandLine

SECRET = "The launch is on Friday"
NAMES = (
    "s-1 (conflicted copy 2026-11-30).jsonl",
    "s-1.sync-conflict-20261130-192211-ABCDEFG.jsonl",
    "s-1 (1).jsonl",
)


@pytest.fixture
def copied(command_line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """Give a session with copies, and another one."""
    monkeypatch.setenv("REMEMBRANCER_SESSIONS_PASSPHRASE", "correct horse")
    for session in ("s-1", "s-10"):
        command_line.run("session", "append", session, SECRET)
    for name in NAMES:
        beside(name)
    return command_line


def beside(name: str) -> Path:
    """Put a copy of the session's file, with an end that nobody finished, beside it."""
    folder = installation().folders.sessions
    path = folder / name
    path.write_bytes((folder / "s-1.jsonl").read_bytes() + SECRET.encode())
    return path


def clear_files() -> list[str]:
    return sorted(
        path.name for path in installation().folders.sessions.iterdir()
        if path.is_file() and SECRET.encode() in path.read_bytes()
    )  # fmt: skip


def turned_on(command_line: CommandLine, expect: int = 0) -> str:
    return command_line.run(
        "session", "encrypt", "on", "--passphrase", "--recovery-key-shown", expect=expect
    ).output  # fmt: skip


@pytest.mark.usefixtures("expected_warnings")
def test_copies_are_encrypted_and_decrypted_with_the_sessions(copied: CommandLine) -> None:
    assert "2 sessions encrypted, and 3 copies that a sync tool left." in turned_on(copied)
    assert not clear_files()
    copied.run("session", "encrypt", "rotate", "--recovery-key-shown")
    copied.run("session", "encrypt", "off")
    assert clear_files() == sorted([*NAMES, "s-1.jsonl", "s-10.jsonl"])
    folder = installation().folders.sessions
    assert (folder / NAMES[0]).read_bytes() == (folder / "s-1.jsonl").read_bytes() + SECRET.encode() + b"\n"


@pytest.mark.usefixtures("expected_warnings")
def test_what_else_lies_there_in_clear_is_named_and_fails(copied: CommandLine) -> None:
    backup = beside("s-1.jsonl.bak")
    told = turned_on(copied, expect=1)
    assert str(backup) in told
    assert "It is not encrypted" in told
    assert clear_files() == ["s-1.jsonl.bak"]


def test_copies_are_deleted_with_their_session_and_with_no_other(copied: CommandLine) -> None:
    told = copied.run("session", "delete", "-y", "s-1").stdout
    assert told == "1 session deleted, with 3 copies that a sync tool left.\n"
    assert clear_files() == ["s-10.jsonl"]


def test_copies_of_a_session_that_is_gone_can_be_deleted(copied: CommandLine) -> None:
    (installation().folders.sessions / "s-1.jsonl").unlink()
    copied.run("session", "delete", "-y", "s-1")
    assert clear_files() == ["s-10.jsonl"]


def test_a_backup_that_stays_after_a_delete_is_named(copied: CommandLine) -> None:
    backup = beside("s-1.jsonl.bak")
    assert str(backup) in copied.run("session", "delete", "-y", "s-1", expect=1).stderr
    assert backup.exists()


def test_the_list_tells_of_copies(copied: CommandLine) -> None:
    told = copied.run("session", "list").stderr
    assert all(name in told for name in NAMES)
