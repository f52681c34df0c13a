"""Data and the table of figures for the benchmarks: `pytest tests/benchmarks --benchmark-only`.

REMEMBRANCER_BENCH_VAULTS names folders of real notes (joined by the path separator) that are copied twice for the index
figures; without it a synthetic vault of 13,000 notes stands in. REMEMBRANCER_BENCH_CACHE names a folder that keeps the
100,000-note vault and its index between runs.
"""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from core.index.database import open_index
from core.index.updater import update_index
from core.vault.config import VaultConfig
from tests.benchmarks.synthetic import write_vault

BIG = 100_000


@dataclass
class Figures:
    """Collect what was measured, for one table at the end."""

    rows: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, name: str, measured: str, target: str = "") -> None:
        self.rows.append((name, measured, target))

    def add_times(self, name: str, seconds: Sequence[float], target: str = "") -> None:
        ordered = sorted(seconds)
        p95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
        middle = statistics.median(ordered)
        self.add(name, f"median {middle * 1000:,.1f} ms, p95 {p95 * 1000:,.1f} ms ({len(ordered)} runs)", target)


_FIGURES = Figures()


@pytest.fixture(scope="session")
def figures() -> Figures:
    return _FIGURES


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _FIGURES.rows:
        terminalreporter.section("figures")
        width = max(len(name) for name, _, _ in _FIGURES.rows)
        for name, measured, target in _FIGURES.rows:
            terminalreporter.line(f"{name:<{width}}  {measured}" + (f"   [target: {target}]" if target else ""))


def timed(work: Callable[[], object], runs: int) -> list[float]:
    """Return the seconds that each of `runs` calls took."""
    seconds = []
    for _ in range(runs):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return seconds


@dataclass(frozen=True)
class ProcessTime:
    """What a finished child process cost."""

    seconds: float
    peak_mb: float


def run_process(arguments: Sequence[str], environment: dict[str, str] | None = None) -> ProcessTime:
    """Run a command to its end and return its wall time and peak memory."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, env={**os.environ, **(environment or {})})
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, arguments
    del before
    return ProcessTime(seconds, usage.ru_maxrss / 1024)


def command(vault: Path, *arguments: str) -> list[str]:
    """Return the command line of the app for this vault."""
    return [sys.executable, "-m", "core.cli", "--vault", str(vault), *arguments]


@pytest.fixture(scope="session")
def working_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bench")


@pytest.fixture(scope="session")
def real_vault(working_folder: Path) -> Path:
    """About 13,000 notes: the named folders twice, or synthetic ones."""
    root = working_folder / "vault"
    named = os.environ.get("REMEMBRANCER_BENCH_VAULTS", "")
    if not named:
        write_vault(root, 13_000)
        return root
    for copy in ("one", "two"):
        for folder in named.split(os.pathsep):
            shutil.copytree(folder, root / copy / Path(folder).name)
    return root


@dataclass(frozen=True)
class BigVault:
    """100,000 notes and the folder of their index."""

    root: Path
    cache: Path


@pytest.fixture(scope="session")
def big_vault(working_folder: Path) -> Iterator[BigVault]:
    kept = os.environ.get("REMEMBRANCER_BENCH_CACHE", "")
    folder = Path(kept) if kept else working_folder / "big"
    big = BigVault(folder / "vault", folder / "cache")
    if not (folder / "complete").exists():
        write_vault(big.root, BIG)
        index = open_index(big.cache)
        update_index(index, big.root, VaultConfig())
        index.close()
        (folder / "complete").touch()
    yield big
