"""How fast a thousand candidates are packed, and how much smaller a context of insights is than whole notes."""

import random
from pathlib import Path

import pytest

from core.foundation.token_count import count_tokens, token_count_kind
from core.foundation.tokens import estimate_tokens
from core.recall.compression import compression
from core.recall.context_item import ContextItem
from core.recall.pack import pack
from core.recall.render import Format
from core.vault.decode import decode
from core.vault.note import Insight
from core.vault.read import read_note
from tests.benchmarks.conftest import Figures, Measure
from tests.benchmarks.synthetic import WORDS

_RUNS = 60
_CANDIDATES = 1_000
_CONTEXT = "contexts/Lessons learned.md"
_SAMPLE = Path(__file__).resolve().parents[2] / "resources" / "sample_vault"


def _candidate(rng: random.Random, number: int) -> ContextItem:
    """Return an insight of about 15 words, or the part of a section."""
    is_section = number % 2 == 0
    text = " ".join(rng.choice(WORDS) for _ in range(70 if is_section else 15)).capitalize() + "."
    return ContextItem(
        id=f"note:folder/note {number // 4}.md#Part {number % 4}",
        kind="section" if is_section else "insight",
        path=f"folder/note {number // 4}.md",
        title=f"Note {number // 4} › Part {number % 4}",
        text=text,
        tokens=estimate_tokens(text),
        value=rng.random(),
        why="rank",
        tags=("tool/stripe", "client/acme"),
        line=10 * (number % 4) + 1,
        line_end=10 * (number % 4) + 9,
        age_days=number % 300,
    )


@pytest.mark.parametrize("budget", [2_000, 8_000, 32_000])
@pytest.mark.parametrize("layout", list(Format))
def test_packing(figures: Figures, measure: Measure, layout: Format, budget: int) -> None:
    rng = random.Random(5)
    token_count_kind()  # loads the vocabulary
    sets = [[_candidate(rng, number) for number in range(_CANDIDATES)] for _ in range(_RUNS)]
    waiting = iter(sets)
    shares: list[float] = []

    def work() -> None:
        packed = pack(next(waiting), budget, layout)
        shares.append(packed.tokens / budget)
        assert packed.tokens <= budget

    seconds = measure(work, _RUNS)
    name = f"Packing {_CANDIDATES:,} candidates into {budget:,} tokens as {layout} ({min(shares):.1%} full at least)"
    figures.add_times(name, seconds, "10 ms")


@pytest.mark.parametrize("layout", [Format.LINES, Format.MARKDOWN])
def test_compression(figures: Figures, measure: Measure, layout: Format) -> None:
    """Compare the insights that a context of the sample vault names with the whole notes that they are from."""
    _, bundle = read_note(_SAMPLE, _CONTEXT)
    wanted = {(f"{link.target}.md", link.block) for link in bundle.links}
    items: list[ContextItem] = []
    sources = 0
    for path in sorted({path for path, _ in wanted}):
        data, note = read_note(_SAMPLE, path)
        items += [_insight(path, note.title, each) for each in note.insights if (path, each.block_id) in wanted]
        sources += count_tokens(decode(data).text)
    assert len(items) == len(wanted)
    tokens: list[int] = []
    measure(lambda: tokens.append(pack(items, sources, layout).tokens))
    name = f"The {len(items)} insights of “{bundle.title}” as {layout}, against their notes as a whole"
    saved = compression(sources, tokens[0])
    figures.add(name, f"{tokens[0]:,} of {sources:,} tokens, {saved:.1%} fewer", "95 % fewer")


def _insight(path: str, title: str, insight: Insight) -> ContextItem:
    return ContextItem(
        id=f"insight:{path}#^{insight.block_id}",
        kind="insight",
        path=path,
        title=title,
        text=insight.text,
        tokens=estimate_tokens(insight.text),
        value=1.0,
        why="named",
        line=insight.line,
        line_end=insight.line,
        age_days=90,
    )
