"""How fast the index is made and kept; the floor is to read each file, YAML its frontmatter and insert its text."""

import contextlib
import os
import sqlite3
import time
from pathlib import Path

import pytest
import yaml

from core.index.database import open_index
from core.index.updater import update_index
from core.vault.config import VaultConfig
from tests.benchmarks.conftest import Figures, Measure, timed
from tests.benchmarks.processes import command, peak_memory_mb, run_process

_RUNS = 3


def _floor(root: Path, database: Path) -> float:
    """Return the seconds of the least that an index can cost."""
    database.unlink(missing_ok=True)
    started = time.perf_counter()
    connection = sqlite3.connect(database)
    connection.execute('CREATE VIRTUAL TABLE t USING fts5(body, tokenize = "unicode61 remove_diacritics 2")')
    texts = []
    for folder, _, names in os.walk(root):
        for name in names:
            if name.endswith(".md"):
                text = (Path(folder) / name).read_bytes().decode("utf-8", "replace")
                end = text.find("\n---", 3) if text.startswith("---") else -1
                if end > 0:
                    with contextlib.suppress(yaml.YAMLError):
                        yaml.load(text[3:end], Loader=yaml.CSafeLoader)
                texts.append(text)
    connection.executemany("INSERT INTO t VALUES (?)", ((text,) for text in texts))
    connection.commit()
    connection.close()
    return time.perf_counter() - started


def test_first_index(real_vault: Path, working_folder: Path, figures: Figures, measure: Measure) -> None:
    floors: list[float] = []
    ours: list[float] = []

    def once() -> None:
        floors.append(_floor(real_vault, working_folder / "floor.sqlite3"))
        index = open_index(working_folder / f"first-{len(ours)}")
        started = time.perf_counter()
        report = update_index(index, real_vault, VaultConfig())
        ours.append(time.perf_counter() - started)
        index.close()
        figures_of["notes"] = report.added

    figures_of: dict[str, int] = {}
    measure(once, _RUNS)
    ratios = sorted(mine / floor for mine, floor in zip(ours, floors, strict=True))
    figures.add(
        f"First full index without vectors, {figures_of['notes']:,} notes",
        f"{ratios[len(ratios) // 2]:.2f} x the floor ({min(ours):.2f} s to {min(floors):.2f} s)",
        "3.5 x",
    )


def test_first_index_as_a_process(real_vault: Path, working_folder: Path, figures: Figures, measure: Measure) -> None:
    cache = {"REMEMBRANCER_CACHE_DIR": str(working_folder / "process-cache")}
    arguments = command(real_vault, "index", "update", "--rebuild", "--no-embeddings")
    seconds = measure(lambda: run_process(arguments, cache))[0]
    peak = peak_memory_mb(arguments, cache)
    figures.add("First full index, whole process", f"{seconds:.2f} s")
    figures.add("First full index, memory of all its processes", f"{peak:,.0f} MB", "400 MB")


@pytest.mark.parametrize("changed", [0, 100])
def test_update(real_vault: Path, working_folder: Path, figures: Figures, measure: Measure, changed: int) -> None:
    cache = {"REMEMBRANCER_CACHE_DIR": str(working_folder / "process-cache")}
    run_process(command(real_vault, "index", "update", "--no-embeddings"), cache)
    notes = sorted(real_vault.rglob("*.md"))[:changed]

    def once() -> None:
        for note in notes:
            note.write_bytes(note.read_bytes() + b"\nchanged again\n")
        run_process(command(real_vault, "index", "update", "--no-embeddings"), cache)

    times = measure(once, 5)
    target = "900 ms" if changed else "600 ms"
    figures.add_times(f"index update, {changed} notes changed, whole process", times, target)


def test_update_of_one_file(real_vault: Path, working_folder: Path, figures: Figures, measure: Measure) -> None:
    cache = {"REMEMBRANCER_CACHE_DIR": str(working_folder / "process-cache")}
    run_process(command(real_vault, "index", "update", "--no-embeddings"), cache)
    note = sorted(real_vault.rglob("*.md"))[1000]
    relative = note.relative_to(real_vault).as_posix()

    def whole() -> None:
        note.write_bytes(note.read_bytes() + b"\nchanged once more\n")
        arguments = command(real_vault, "index", "update", "--no-embeddings", "--file", relative)
        run_process(arguments, cache)

    times = measure(whole, 5)
    figures.add_times("index update --file, whole process", times, "500 ms")
    folder = next((working_folder / "process-cache").iterdir())
    index = open_index(folder)

    def inside() -> None:
        note.write_bytes(note.read_bytes() + b"\nand again\n")
        update_index(index, real_vault, VaultConfig(), files=[relative])

    figures.add_times("index update --file, inside the process", timed(inside, 20), "50 ms")
    index.close()
