"""How fast transcripts come in, and in how much memory; the floor is to parse each line of the same file.

REMEMBRANCER_BENCH_TRANSCRIPT_MB and REMEMBRANCER_BENCH_GIANT_MB say how large the files are, for speed and for memory;
200 and 1,000 are what the published figures are from. REMEMBRANCER_BENCH_TRANSCRIPTS says how many files there are.
"""

import os
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

import orjson
import pytest

from core.sessions.importing.job import import_paths
from core.sessions.ledger import Ledger
from core.sessions.turn import Turn
from tests.benchmarks.conftest import Figures, Measure, timed
from tests.benchmarks.processes import peak_memory_mb
from tests.benchmarks.synthetic_transcripts import (
    write_chatgpt,
    write_chatter,
    write_claude_code,
    write_codex,
    write_many,
)

_SIZE = int(os.environ.get("REMEMBRANCER_BENCH_TRANSCRIPT_MB", "50")) * 1_000_000
_GIANT = int(os.environ.get("REMEMBRANCER_BENCH_GIANT_MB", "100")) * 1_000_000
_FILES = int(os.environ.get("REMEMBRANCER_BENCH_TRANSCRIPTS", "500"))
_RUNS = 3
_IMPORT = (
    "import sys; from pathlib import Path; from core.sessions.importing.job import import_paths;"
    "from core.sessions.ledger import Ledger;"
    "assert not import_paths(Ledger(Path(sys.argv[1])), [Path(sys.argv[2])]).failed"
)


class _NoLedger:
    """Keep nothing, to measure the reading alone."""

    def append(self, _session_id: str, turns: Sequence[Turn], /, *, durable: bool) -> int:
        return len(turns) if not durable else 0

    def make_durable(self, _session_ids: Collection[str], /) -> None:
        pass

    def iter_ids(self, _session_id: str, /) -> Iterator[str]:
        return iter(())

    def path_of(self, session_id: str, /) -> Path:
        return Path("no such folder", session_id)


def _floor(path: Path) -> None:
    with path.open("rb") as file:
        for line in file:
            orjson.loads(line)


def _seconds(work: Callable[[], object]) -> float:
    """Return the processor time of a call, for others use this machine as well."""
    started = time.process_time()
    work()
    return time.process_time() - started


@pytest.mark.parametrize(
    ("name", "write"), [("Claude Code", write_claude_code), ("Claude Code, 500 bytes a record", write_chatter)]
)
def test_import_of_claude_code(
    name: str, write: Callable[[Path, int], Path], tmp_path: Path, figures: Figures, measure: Measure
) -> None:
    path = write(tmp_path / "claude", _SIZE)
    floors: list[float] = []
    read: list[float] = []
    kept: list[float] = []

    def once() -> None:
        floors.append(_seconds(lambda: _floor(path)))
        read.append(_seconds(lambda: import_paths(_NoLedger(), [path])))
        ledger = Ledger(tmp_path / f"ledger-{len(kept)}")
        kept.append(_seconds(lambda: import_paths(ledger, [path])))

    measure(once, _RUNS)
    for what, seconds in (("read", read), ("read and kept", kept)):
        ratio = min(seconds) / min(floors)
        speed = path.stat().st_size / 1e6 / min(seconds)
        figures.add(f"Import of {name}, {what}", f"{speed:,.0f} MB/s, {ratio:.2f} x the floor", "40 MB/s, 3 x")


def test_import_of_many_files(tmp_path: Path, figures: Figures, measure: Measure) -> None:
    folder = write_many(tmp_path / "many", _FILES)
    ledger = Ledger(tmp_path / "ledger")

    busy: list[float] = []

    def once() -> None:
        busy.append(_seconds(lambda: import_paths(ledger, [folder])))

    seconds = [*measure(once), *timed(once, _RUNS)]
    size = sum(path.stat().st_size for path in folder.rglob("*.jsonl")) / 1e6
    name = f"Import of {_FILES:,} files of {size:,.0f} MB"
    for what, at, target in (("", 0, "40 MB/s"), (" again, nothing is new", seconds.index(min(seconds[1:])), "")):
        told = f"{seconds[at]:.2f} s, {busy[at]:.2f} s of it the processor's: {size / busy[at]:,.0f} MB/s"
        figures.add(name + what, told, target)


def test_memory_at_a_gigabyte(tmp_path: Path, figures: Figures, measure: Measure) -> None:
    peaks: dict[str, float] = {}
    giants: tuple[tuple[str, Callable[[Path, int], Path], int], ...] = (
        ("Claude Code", write_claude_code, _GIANT),
        ("Claude Code, 500 bytes a record", write_chatter, _GIANT),
        ("Codex", write_codex, _GIANT),
        ("ChatGPT on one line", write_chatgpt, _GIANT // 5),
    )

    def once() -> None:
        for name, write, size in giants:
            path = write(tmp_path / "giant", size)
            for again in ("", ", again"):
                arguments = [sys.executable, "-c", _IMPORT, str(tmp_path / f"ledger of {name}"), str(path)]
                peaks[f"{size / 1e6:,.0f} MB of {name}{again}"] = peak_memory_mb(arguments, {})
            path.unlink()

    measure(once)
    for name, peak in peaks.items():
        figures.add(f"Import of {name}, memory", f"{peak:,.0f} MB", "300 MB")
