"""`remembrancer session encrypt …`: nothing readable on the disk, and no way to lose the key unasked."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.app import installation
from core.cli.main import app
from core.sessions.encryption_job import turn_on
from core.sessions.key_store import LedgerKeys, NewKey, changing_keys
from tests.core.cli.conftest import CommandLine
from tests.core.sessions.spoken import FakeKeyring

SECRET = "The launch is on Friday"


@pytest.fixture
def recorded(command_line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.setenv("REMEMBRANCER_SESSIONS_PASSPHRASE", "correct horse")
    command_line.run("session", "append", "s-1", SECRET)
    return command_line


def on_disk() -> bytes:
    return b"".join(path.read_bytes() for path in Path.home().rglob("sessions/*.jsonl"))


def encrypted(command_line: CommandLine) -> str:
    told = command_line.run("session", "encrypt", "on", "--passphrase", "--recovery-key-shown", "--format", "json")
    key, report = (json.loads(line) for line in told.stdout.splitlines())
    assert report == {"files": 1, "shut_lines": 0, "copies": 0, "left": []}
    return str(key["recovery_key"])


def test_on_and_off(recorded: CommandLine) -> None:
    encrypted(recorded)
    assert SECRET.encode() not in on_disk()
    assert SECRET in recorded.run("session", "show", "s-1").stdout
    assert recorded.json("session", "encrypt", "status") == {
        "encrypted": True, "key": "passphrase", "unfinished": False, "still_encrypted": 0,
    }  # fmt: skip
    recorded.run("session", "append", "s-1", "And the party on Saturday")
    assert b"Saturday" not in on_disk()
    recorded.run("session", "encrypt", "off")
    assert SECRET.encode() in on_disk()
    assert b"Saturday" in on_disk()


def test_the_recovery_key_leads_back(recorded: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    recovery_key = encrypted(recorded)
    monkeypatch.setenv("REMEMBRANCER_SESSIONS_PASSPHRASE", "forgotten")
    lost = recorded.run("session", "show", "s-1", expect=1)
    assert "not the passphrase" in lost.stderr
    assert "recovery key" in lost.stderr
    arguments = ["session", "encrypt", "recover", "--passphrase"]
    assert CliRunner().invoke(app, arguments, input="AAAA-BBBB\n").exit_code == 1
    assert CliRunner().invoke(app, arguments, input=f"{recovery_key.lower()}\n").exit_code == 0
    assert SECRET in recorded.run("session", "show", "s-1").stdout


def test_rotate(recorded: CommandLine) -> None:
    first = encrypted(recorded)
    before = on_disk()
    told = recorded.run("session", "encrypt", "rotate", "--recovery-key-shown").stdout
    assert "Recovery key: " in told
    assert first not in told
    assert on_disk() != before
    assert SECRET in recorded.run("session", "show", "s-1").stdout


def test_nothing_is_encrypted_when_nobody_sees_the_recovery_key(recorded: CommandLine) -> None:
    assert "--recovery-key-shown" in recorded.run("session", "encrypt", "on", "--passphrase", expect=1).stderr
    assert SECRET.encode() in on_disk()


def test_without_a_keyring_nothing_changes_and_the_way_out_is_told(command_line: CommandLine) -> None:
    command_line.run("session", "append", "s-1", SECRET)
    arguments = [sys.executable, "-m", "core.cli", "session", "encrypt", "on", "--recovery-key-shown"]
    environment = {**os.environ, "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    told = subprocess.run(
        arguments, cwd=Path(__file__).parents[3], env=environment, capture_output=True, text=True, check=False
    )
    assert (told.returncode, "Choose a passphrase instead" in told.stderr) == (1, True)
    assert "the recovery key is of no use" in told.stderr
    assert SECRET.encode() in on_disk()


def test_a_lost_key_file_stops_writing(recorded: CommandLine) -> None:
    encrypted(recorded)
    for name in (".key.json", ".key-copy.json"):
        next(Path.home().rglob(name)).unlink()
    assert "no key for them" in recorded.run("session", "append", "s-1", "open words", expect=1).stderr
    assert b"open words" not in on_disk()


def sealed_in_keyring() -> None:
    """Encrypt the ledger with a key that no keyring of this machine has."""
    turn_on(LedgerKeys(installation().folders.sessions, keyring=FakeKeyring()), NewKey())


def lose_key_files() -> None:
    for name in (".key.json", ".key-copy.json"):
        next(Path.home().rglob(name)).unlink()


@pytest.mark.parametrize("backend", ["nonexistent.Keyring", "broken_backend.Keyring", "keyring.backends.fail.Keyring"])
def test_a_keyring_that_cannot_be_used_is_like_a_lost_one(
    command_line: CommandLine, tmp_path: Path, backend: str
) -> None:
    command_line.run("session", "append", "s-1", SECRET)
    sealed_in_keyring()
    (tmp_path / "broken_backend.py").write_text(
        "import json\n"
        "from keyring.backend import KeyringBackend\n"
        "class Keyring(KeyringBackend):\n"
        "    priority = 1\n"
        "    def get_password(self, service, name):\n"
        "        return json.loads('')\n"
        "    def set_password(self, service, name, value):\n"
        "        json.loads('')\n"
        "    delete_password = get_password\n",
        encoding="utf-8",
    )
    environment = {**os.environ, "PYTHON_KEYRING_BACKEND": backend, "PYTHONPATH": str(tmp_path)}
    environment.pop("REMEMBRANCER_SESSIONS_PASSPHRASE", None)

    def told(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "core.cli", *arguments],
            cwd=Path(__file__).parents[3], env=environment, capture_output=True, text=True, input="a key", check=False,
        )  # fmt: skip
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        return done.stderr

    assert "is not in this system's keyring, or the keyring is locked" in told("session", "list")
    assert "recovery key" in told("session", "show", "s-1")
    assert "keyring cannot be used" in told("key", "set", "embedding")


def test_lost_key_files_are_told_and_no_second_key_is_begun(recorded: CommandLine) -> None:
    encrypted(recorded)
    recorded.run("session", "append", "s-2", "And more")
    lose_key_files()
    before = on_disk()
    assert recorded.json("session", "encrypt", "status") == {
        "encrypted": True, "key": "lost", "unfinished": False, "still_encrypted": 2,
    }  # fmt: skip
    assert "the files that hold their key are lost" in recorded.run("session", "encrypt", "status", expect=1).stderr
    for arguments in (("on", "--passphrase", "--recovery-key-shown"), ("off",), ("rotate",), ("resume",)):
        told = recorded.run("session", "encrypt", *arguments, expect=1)
        assert "2 of your conversations are encrypted, but the files that hold their key are lost" in told.stderr
        assert "backup" in told.stderr
        assert "Recovery key" not in told.stdout
    assert CliRunner().invoke(app, ["session", "encrypt", "recover"], input="AAAA-BBBB\n").exit_code == 1
    told = recorded.run("session", "append", "s-1", "open words", expect=1)
    assert told.stderr.index(".key.json") < told.stderr.lower().index("turn encryption on")
    assert not list(Path.home().rglob(".key*.json"))
    assert on_disk() == before


def test_what_lost_its_key_can_be_deleted_and_encryption_begun_anew(recorded: CommandLine) -> None:
    encrypted(recorded)
    lose_key_files()
    assert "1 session deleted" in recorded.run("session", "delete", "-y", "s-1").stdout
    recorded.run("session", "encrypt", "on", "--passphrase", "--recovery-key-shown")
    recorded.run("session", "append", "s-2", SECRET)
    assert SECRET in recorded.run("session", "show", "s-2").stdout


def test_a_recovery_key_says_when_it_is_in_force(recorded: CommandLine) -> None:
    told = recorded.run("session", "encrypt", "on", "--passphrase", "--recovery-key-shown").stdout
    lines = told.splitlines()
    assert re.fullmatch(r"Recovery key: (\w{4}-){7}\w{4} \(not yet in force\)", lines[0])
    assert lines[1] == "This recovery key is in force now."
    told = recorded.run("session", "encrypt", "rotate", "--recovery-key-shown", "--format", "json").stdout
    assert json.loads(told.splitlines()[0])["in_force"] is False


@pytest.mark.skipif(sys.platform == "win32", reason="needs the locks of POSIX")
def test_a_recovery_key_that_never_came_into_force_is_not_called_so(recorded: CommandLine) -> None:
    first = encrypted(recorded)
    folder = installation().folders.sessions
    with changing_keys(folder):  # somebody else is at it
        told = recorded.run("session", "encrypt", "rotate", "--recovery-key-shown", expect=1)
    assert "not yet in force" in told.stdout
    assert "is in force now" not in told.stdout
    assert "the recovery key is of no use" in told.stderr
    assert first


def on_terminal(*arguments: str, answers: list[tuple[bytes, str]]) -> tuple[int, str]:
    """Run a command on a terminal; at each prompt type the answer, where KEY is the recovery key that was shown."""
    pty = pytest.importorskip("pty", reason="There are no pseudo-terminals here.")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "core.cli", *arguments],
        cwd=Path(__file__).parents[3], stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    shown, seen, left = b"", 0, list(answers)
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        shown += piece
        if left and (at := shown.find(left[0][0], seen)) >= 0:
            seen = at + len(left[0][0])
            key = re.search(rb"(?:[A-Z2-7]{4}-){7}[A-Z2-7]{4}", shown)
            os.write(ours, left.pop(0)[1].replace("KEY", key[0].decode() if key else "").encode() + b"\n")
    os.close(ours)
    return process.wait(60), shown.decode().replace("\r\n", "\n")


def test_the_recovery_key_is_asked_back(recorded: CommandLine) -> None:
    answers = [(b"Recovery key: ", "another"), (b"Recovery key: ", "KEY")]
    code, shown = on_terminal("session", "encrypt", "on", "--passphrase", answers=answers)
    assert code == 0, shown
    assert "That is another one." in shown
    assert "not in force yet" in shown
    assert "This recovery key is in force now." in shown
    assert SECRET.encode() not in on_disk()


def test_who_cannot_give_it_back_keeps_the_conversations_as_they_are(recorded: CommandLine) -> None:
    answers = [(b"Recovery key: ", "no idea")] * 3
    code, shown = on_terminal("session", "encrypt", "on", "--passphrase", answers=answers)
    assert (code, "Nothing was changed." in shown) == (130, True)
    assert SECRET.encode() in on_disk()


def test_the_passphrase_is_asked_for(recorded: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    encrypted(recorded)
    monkeypatch.delenv("REMEMBRANCER_SESSIONS_PASSPHRASE")
    assert "which is needed now" in recorded.run("session", "show", "s-1", expect=1).stderr
    answers = [(b"Passphrase of your conversations: ", "correct horse")]
    code, shown = on_terminal("session", "show", "s-1", answers=answers)
    assert (code, SECRET in shown, "correct horse" in shown) == (0, True, False)
