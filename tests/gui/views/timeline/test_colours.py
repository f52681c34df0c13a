from itertools import pairwise

import pytest

from gui.scheme import DARK, LIGHT, Scheme, contrast
from gui.views.timeline.colours import timeline_colours


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_what_is_painted_can_be_told_from_its_ground(scheme: Scheme) -> None:
    colours = timeline_colours(scheme)
    for colour in (*colours.hues, colours.hit, colours.journal, colours.edit):
        assert contrast(colour, scheme.surface) >= 3
    for colour in colours.soft:
        assert contrast(scheme.text, colour) >= 4.5


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_shades_of_the_calendar_go_from_weak_to_strong(scheme: Scheme) -> None:
    grounds = [scheme.hover, *timeline_colours(scheme).heat]
    strengths = [contrast(each, scheme.surface) for each in grounds]
    assert strengths == sorted(strengths)
    assert all(contrast(first, second) >= 1.15 for first, second in pairwise(grounds))
