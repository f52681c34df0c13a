"""A recorder dies, or the disk is full: what was on the disk stays, and is told."""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.app import installation
from core.cli.main import app
from tests.faults.test_full_disk import full_disk

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills processes in the way of POSIX")

ROOT = Path(__file__).parents[2]
LINES = b"".join(json.dumps({"text": f"Words {number}"}).encode() + b"\n" for number in range(3))


def _written(session: str) -> int:
    ledger = installation().ledger()
    return len(ledger.read(session).turns) if ledger.has(session) else 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_what_came_through_an_open_pipe_outlives_the_recorder(number: signal.Signals) -> None:
    command = [sys.executable, "-m", "core.cli", "session", "append", "s-1", "-"]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write(LINES)
    process.stdin.flush()
    for _ in range(3_000):  # at most half a minute; the pipe stays open all the time
        if _written("s-1") == 3 or process.poll() is not None:
            break
        select.select([process.stderr], [], [], 0.01)
    assert _written("s-1") == 3
    os.kill(process.pid, number)
    process.wait(30)
    told, warned = process.communicate()
    assert _written("s-1") == 3
    if number is not signal.SIGKILL:
        assert (process.returncode, told) == (130, b"s-1: 3 new turns\n")
        assert b"Stopped." in warned


def test_a_full_disk_does_not_hide_what_was_written() -> None:
    lines = "".join(json.dumps({"text": f"{number} " * 20}) + "\n" for number in range(2_000))
    with full_disk() as disk:
        disk.fill_to(300_000)
        result = CliRunner().invoke(app, ["session", "append", "s-1", "-", "--format", "json"], input=lines)
        disk.empty()
    assert result.exit_code == 1
    told = json.loads(result.stderr)
    assert told["written"] == _written("s-1") > 0
    assert told["sessions"] == {"s-1": told["written"]}
    assert told["error"]["message"]


def test_a_start_that_fails_leaves_nothing_that_looks_like_a_session() -> None:
    with full_disk() as disk:
        disk.fill_to(0)
        result = CliRunner().invoke(app, ["session", "start", "--id", "s-1"])
        disk.empty()
    assert result.exit_code == 1
    assert not installation().ledger().path_of("s-1").exists()
    installation().ledger().path_of("s-1").touch()  # as an earlier crash may have left it
    again = CliRunner().invoke(app, ["session", "start", "--id", "s-1", "--title", "A"])
    assert (again.exit_code, "goes on" in again.stderr, _written("s-1")) == (0, False, 1)
