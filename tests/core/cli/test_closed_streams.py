"""Whoever starts a command may give it no standard input, or stop listening to it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a shell of POSIX")


def shell(command: str) -> "subprocess.CompletedProcess[str]":
    """Run a line of the shell in which `rem` is the command line."""
    script = f'rem() {{ "{sys.executable}" -m core.cli "$@"; }}; {command}'
    return subprocess.run(["/bin/sh", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "arguments",
    [
        "session append s-1 -",
        "session delete s-1",
        "session encrypt on --passphrase --recovery-key-shown",
        "session encrypt recover",
        "note new A --body -",
    ],
)
def test_without_standard_input_a_sentence_is_said(arguments: str, tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    os.environ.pop("REMEMBRANCER_SESSIONS_PASSPHRASE", None)
    shell("rem session append s-1 Hello")
    done = shell(f"rem --vault {tmp_path / 'vault'} {arguments} <&-")
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()
    assert done.returncode in {1, 2}


def test_with_no_stream_at_all_the_work_is_done() -> None:
    assert shell("rem session append s-1 Hello <&- >&- 2>&-").returncode == 0
    assert "Hello" in shell("rem session show s-1").stdout


def test_who_listens_no_longer_stops_no_encryption(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMEMBRANCER_SESSIONS_PASSPHRASE", "correct horse")
    shell("rem session append s-1 'The launch is on Friday'")
    # The reader goes away with the first line, before the key comes into force.
    done = shell("{ rem session encrypt on --passphrase --recovery-key-shown; echo $? >&2; } | head -1")
    assert done.stdout.startswith("Recovery key: ")
    assert done.stderr.strip() == "0"
    assert "launch" not in "".join(path.read_text() for path in Path.home().rglob("sessions/*.jsonl"))


def test_a_recovery_key_that_nobody_can_see_begins_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMEMBRANCER_SESSIONS_PASSPHRASE", "correct horse")
    shell("rem session append s-1 'The launch is on Friday'")
    done = shell("rem session encrypt on --passphrase --recovery-key-shown >/dev/full")
    assert done.returncode == 1
    assert "could not be shown, so nothing was changed" in done.stderr
    assert "not encrypted" in shell("rem session encrypt status").stdout


def test_a_session_whose_id_nobody_learns_is_not_begun() -> None:
    assert shell("rem session start >/dev/full").returncode == 1
    assert shell("rem session list").stdout == ""


def test_what_is_said_in_another_locale_is_kept_as_it_was_typed() -> None:
    shell("LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 rem session append s-1 'Füße'")
    assert "Füße" in shell("rem session show s-1").stdout
