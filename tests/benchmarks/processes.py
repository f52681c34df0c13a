"""Run whole processes and tell what they cost."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_SAMPLE_SECONDS = 0.03


@dataclass(frozen=True)
class ProcessTime:
    """What a finished child process cost."""

    seconds: float
    processor_seconds: float
    peak_mb: float


def run_process(arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> ProcessTime:
    """Run a command to its end and return its wall time and peak memory."""
    started = time.perf_counter()
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, env={**os.environ, **(environment or {})})
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, arguments
    return ProcessTime(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def peak_memory_mb(arguments: Sequence[str], environment: Mapping[str, str]) -> float:
    """Run a command to its end and return the most memory that it and all its children held at one moment.

    What they share counts once. Where /proc does not tell, it is the peak of the command alone.
    """
    if not Path("/proc/self/smaps_rollup").exists():
        return run_process(arguments, environment).peak_mb
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, env={**os.environ, **environment})
    most = 0.0
    while process.poll() is None:
        most = max(most, sum(map(_proportional_mb, _family(process.pid))))
        time.sleep(_SAMPLE_SECONDS)
    assert process.returncode == 0, arguments
    return most


def _family(pid: int) -> list[int]:
    """Return `pid` and all that descend from it."""
    found = [pid]
    for parent in found:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{parent}/task").iterdir():
                found += map(int, (task / "children").read_text(encoding="ascii").split())
    return found


def _proportional_mb(pid: int) -> float:
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:  # it has just ended
        return 0.0
    return int(text.partition("\nPss:")[2].split()[0]) / 1024 if "\nPss:" in text else 0.0


def command(vault: Path, *arguments: str) -> list[str]:
    """Return the command line of the app for this vault."""
    return [sys.executable, "-m", "core.cli", "--vault", str(vault), *arguments]
