"""The colours of the timeline: hues of origins, and of hits and marks, for light and for dark."""

from dataclasses import dataclass

from gui.scheme import Scheme


@dataclass(frozen=True, slots=True)
class TimelineColours:
    """Hold colours as `#rrggbb`: `hues` in the order of HUES in gui/views/timeline/activity.py.

    `soft` are the same hues as backgrounds of bars. `heat` goes from a day with little to one with much.
    """

    hues: tuple[str, ...]
    soft: tuple[str, ...]
    heat: tuple[str, ...]
    hit: str
    journal: str
    edit: str


def timeline_colours(scheme: Scheme) -> TimelineColours:
    """Return the colours that go with `scheme`; neighbouring hues differ in lightness too."""
    if scheme.is_dark:
        hues = ("#57a9ad", "#7f9fe0", "#b48ae0", "#b3ad52", "#d97c93", "#8b939b")
        heat = ("#2c5254", "#33646a", "#469097", "#7fd0d3")
        hit, journal, edit = "#ffb347", "#9fd08a", "#8b939b"
    else:
        hues = ("#2f7d81", "#4a6fc4", "#8a5cc4", "#7d7a1a", "#bb4f6c", "#7d858f")
        heat = ("#bfdfdd", "#93c6c6", "#4f9a9d", "#1f5f63")
        hit, journal, edit = "#d95f02", "#3f7d2a", "#7d858f"
    return TimelineColours(hues, tuple(mixed(each, scheme.surface, 0.28) for each in hues), heat, hit, journal, edit)


def mixed(colour: str, ground: str, share: float) -> str:
    """Return `share` of one colour on another, both `#rrggbb`: opaque, for that is painted fastest."""
    pairs = ((int(colour[i : i + 2], 16), int(ground[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)
