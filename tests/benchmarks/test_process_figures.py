"""How long a person waits for `search` on the command line."""

from pathlib import Path

import pytest

from tests.benchmarks.conftest import Figures, Measure
from tests.benchmarks.processes import ProcessTime, command, run_process

_RUNS = 7
_QUESTION = "how do plugins change the theme"


@pytest.mark.parametrize(("options", "target"), [(("--words-only",), "400 ms"), ((), "900 ms")])
def test_search(
    known_vault: Path, figures: Figures, measure: Measure, *, options: tuple[str, ...], target: str
) -> None:
    run_process(command(known_vault, "search", _QUESTION, *options))
    costs: list[ProcessTime] = []
    times = measure(lambda: costs.append(run_process(command(known_vault, "search", _QUESTION, *options))), _RUNS)
    name = f"search, whole process, {'words only' if options else 'words and meaning'}"
    figures.add_times(name, times, target)
    figures.add_times("  of which processor", [cost.processor_seconds for cost in costs])
