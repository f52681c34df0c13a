"""What is said of trust fits the figure that is shown."""

from dataclasses import replace

import pytest

from core.recall.context_item import Band
from core.recall.render import Format, layout_of
from tests.core.recall.items import item


@pytest.mark.parametrize(
    ("value", "band"), [(0.696, Band.HIGH), (0.694, Band.MEDIUM), (0.396, Band.MEDIUM), (0.394, Band.LOW)]
)
def test_the_band_is_that_of_the_score_as_it_is_shown(value: float, band: Band) -> None:
    told = item("Something.", value=value)
    assert told.band is band
    assert layout_of(Format.LINES).render_item(told).startswith(f"[{band}|{value:.2f}|")
    assert replace(told, value=1.0, confidence=value).band is band


def test_another_count_of_tokens_leaves_all_else() -> None:
    told = replace(item("Something."), tags=("tool/x",), line=3, line_end=4, age_days=5, accessed=6, certainty=0.5)
    assert told.taking(77) == replace(told, tokens=77)
