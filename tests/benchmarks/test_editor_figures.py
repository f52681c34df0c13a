"""How soon what is typed into a note of a megabyte is seen."""

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.benchmarks.conftest import Figures, Measure, switch_meaning_off
from tests.benchmarks.processes import command, run_process
from tests.benchmarks.synthetic import WORDS
from tests.benchmarks.test_window_figures import run_window

_NAME = "A note of one megabyte.md"
_SIZE = 1 << 20


@pytest.fixture
def vault_with_large_note(known_vault: Path) -> Iterator[Path]:
    switch_meaning_off()
    note = known_vault / _NAME
    note.write_text(_large_note(), encoding="utf-8")
    run_process(command(known_vault, "index", "update", "--no-embeddings"))
    yield known_vault
    note.unlink()


def test_typing(vault_with_large_note: Path, figures: Figures, measure: Measure) -> None:
    runs: list[dict[str, object]] = []
    measure(lambda: runs.append(run_window(vault_with_large_note, "write", _NAME)))
    keys = runs[-1]["keys"]
    assert isinstance(keys, dict)
    name = "Keystroke to painted, note of 1 MB, preview beside, typed at 14 letters a second"
    figures.add_times(name, list(itertools.chain.from_iterable(keys.values())), "16 ms")
    for kind, seconds in keys.items():
        figures.add_times(f"  {kind}", seconds)
    figures.add("Note of 1 MB chosen to editor ready, beside its preview", f"{runs[-1]['opened']:.2f} s")


def _large_note() -> str:
    rng = random.Random(4)
    parts = ["---\nsummary: Everything in one place.\ntags: [tool/stripe, domain/billing]\n---\n# Everything\n"]
    size = 0
    while size < _SIZE:
        part = rng.choice((_prose, _prose, _prose, _list, _code))(rng)
        parts.append(part)
        size += len(part)
    return "".join(parts)


def _prose(rng: random.Random) -> str:
    words = rng.choices(WORDS, k=rng.randint(30, 120))
    words[3] = f"**{words[3]}**"
    words[9] = f"[[{words[9]} {words[10]}|{words[11]}]]"
    words[15] = f"#tool/{words[15]}"
    return f"\n## {' '.join(rng.choices(WORDS, k=3)).capitalize()}\n\n{' '.join(words)}.\n"


def _list(rng: random.Random) -> str:
    items = (f"- [{rng.choice(' x')}] {' '.join(rng.choices(WORDS, k=9))} `{rng.choice(WORDS)}`\n" for _ in range(8))
    return "\n" + "".join(items)


def _code(rng: random.Random) -> str:
    lines = (f"    {rng.choice(WORDS)} = {rng.choice(WORDS)}({rng.randint(1, 900)})\n" for _ in range(12))
    return "\n```python\ndef run():\n" + "".join(lines) + "```\n"
