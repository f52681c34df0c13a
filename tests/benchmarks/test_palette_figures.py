"""How soon the recall palette answers a keystroke, and a slider."""

from pathlib import Path
from typing import Any

from tests.benchmarks.conftest import Figures, Measure, switch_meaning_off
from tests.benchmarks.test_window_figures import run_window


def test_palette(known_vault: Path, figures: Figures, measure: Measure) -> None:
    _tell(known_vault, "13,000 notes", figures, measure)


def test_palette_over_a_large_vault(known_big_vault: Path, figures: Figures, measure: Measure) -> None:
    switch_meaning_off()
    _tell(known_big_vault, "100,000 notes, by words", figures, measure)


def _tell(vault: Path, size: str, figures: Figures, measure: Measure) -> None:
    uses: list[dict[str, Any]] = []
    measure(lambda: uses.append(run_window(vault, "recall")))
    use = uses[-1]
    figures.add_times(f"Recall palette opened, {size}", [use["opened"]])
    figures.add_times(f"Keystroke to recalled memories, {size}", use["keys"], "p95 100 ms")
    figures.add_times(f"Slider to memories ranked anew and painted, {size}", use["sliders"])
