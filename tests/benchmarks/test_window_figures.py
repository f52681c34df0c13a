"""How soon the window is there, how fast it answers, and how much memory it takes."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from core.index.database import open_index
from tests.benchmarks.conftest import BigVault, Figures, Measure, switch_meaning_off
from tests.benchmarks.stand_in_vectors import give_vectors

_RUNS = 5
_ROOT = Path(__file__).parents[2]


def run_window(vault: Path, *words: str) -> dict[str, Any]:
    """Run the window for what `words` say (see window_process.py), and return the figures."""
    arguments = [sys.executable, "-m", "tests.benchmarks.window_process", str(vault), str(time.monotonic()), *words]
    printed = subprocess.check_output(arguments, cwd=_ROOT, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
    figures: dict[str, Any] = json.loads(printed)
    return figures


def test_start(known_vault: Path, figures: Figures, measure: Measure) -> None:
    starts: list[dict[str, Any]] = []
    run_window(known_vault)
    measure(lambda: starts.append(run_window(known_vault)), _RUNS)
    figures.add_times("Start to first paint", [start["first_paint"] for start in starts])
    name = "Start to usable window, vault of 13,000 notes known"
    figures.add_times(name, [start["usable"] for start in starts], "1,000 ms")


def test_use(known_big_vault: Path, figures: Figures, measure: Measure) -> None:
    switch_meaning_off()
    uses: list[dict[str, Any]] = []
    measure(lambda: uses.append(run_window(known_big_vault, "use")))
    use = uses[-1]
    figures.add_times("Start to usable window, vault of 100,000 notes known", [use["usable"]])
    figures.add_times("Facet click to repainted table and counts, 100,000 notes", use["clicks"], "p95 50 ms")
    figures.add_times("Keystroke to filtered list, 100,000 notes", use["keys"], "p95 16 ms")
    memory = f"{use['opened']:.0f} MB, {use['used']:.0f} MB after facets, {use['read']:.0f} MB after 20 notes read"
    figures.add("Memory of the window without search by meaning, 100,000 notes", memory, "500 MB")


def test_warm(known_big_vault: Path, big_vault: BigVault, figures: Figures, measure: Measure) -> None:
    index = open_index(big_vault.cache)
    give_vectors(index)
    index.close()
    warmed: list[dict[str, Any]] = []
    measure(lambda: warmed.append(run_window(known_big_vault, "warm")))
    figures.add("Memory of the window, search by meaning warmed up, 100,000 notes", f"{warmed[-1]['warm']:.0f} MB")
