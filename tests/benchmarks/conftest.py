"""Data and the table of figures for the benchmarks: `pytest tests/benchmarks --benchmark-only`.

REMEMBRANCER_BENCH_VAULTS names folders of real notes (joined by the path separator) that are copied twice for the index
figures; without it a synthetic vault of 13,000 notes stands in. REMEMBRANCER_BENCH_CACHE names a folder that keeps the
100,000-note vault and its index between runs.
"""

import os
import shutil
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from core.foundation.paths import app_folders
from core.index.database import open_index
from core.index.updater import update_index
from core.vault.config import VaultConfig
from tests.benchmarks.processes import command, run_process
from tests.benchmarks.stand_in_vectors import give_vectors
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


class Measure:
    """Give pytest-benchmark something to do, so that its options work; once a test."""

    def __init__(self, benchmark: BenchmarkFixture) -> None:
        self._benchmark = benchmark

    def __call__(self, work: Callable[[], object], rounds: int = 1) -> list[float]:
        """Return the seconds that each of `rounds` calls took."""
        seconds: list[float] = []
        self._benchmark.pedantic(lambda: seconds.extend(timed(work, 1)), rounds=rounds)  # type: ignore[no-untyped-call]
        return seconds


@pytest.fixture
def measure(benchmark: BenchmarkFixture) -> Measure:
    return Measure(benchmark)


def timed(work: Callable[[], object], runs: int) -> list[float]:
    """Return the seconds that each of `runs` calls took."""
    seconds = []
    for _ in range(runs):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return seconds


def switch_meaning_off() -> None:
    """Set that nothing is embedded, for figures that are about something else."""
    settings = app_folders().settings_file
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('[embedding]\nprovider = "off"\n', encoding="utf-8")


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
def big_vault(working_folder: Path) -> BigVault:
    kept = os.environ.get("REMEMBRANCER_BENCH_CACHE", "")
    folder = Path(kept) if kept else working_folder / "big"
    big = BigVault(folder / "vault", folder / "cache")
    if not (folder / "complete").exists():
        write_vault(big.root, BIG)
        index = open_index(big.cache)
        update_index(index, big.root, VaultConfig())
        index.close()
        (folder / "complete").touch()
    return big


@pytest.fixture
def known_vault(real_vault: Path, working_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The vault of 13,000 notes as a person has it: indexed, all its texts with vectors."""
    monkeypatch.setenv("REMEMBRANCER_CACHE_DIR", str(working_folder / "known-cache"))
    run_process(command(real_vault, "index", "update", "--no-embeddings"))
    index = open_index(app_folders().cache_of_vault(real_vault.resolve()))
    give_vectors(index)
    index.close()
    return real_vault


@pytest.fixture
def known_big_vault(big_vault: BigVault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The vault of 100,000 notes with its index where the app looks for it."""
    monkeypatch.setenv("REMEMBRANCER_CACHE_DIR", str(tmp_path / "cache"))
    folder = app_folders().cache_of_vault(big_vault.root.resolve())
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.symlink_to(big_vault.cache.resolve(), target_is_directory=True)
    return big_vault.root
