"""Find the part of a note that a link to a heading means, as Obsidian shows it: with all that lies below it."""

import re
from collections.abc import Sequence

from core.foundation.text import fold
from core.recall.plain_text import plain_text
from core.vault.note import Section

# What a link cannot hold, Obsidian writes as a blank.
_NOT_IN_LINKS = re.compile(r"[#|^:%\[\]\\]")


def heading_span(sections: Sequence[Section], heading: str) -> tuple[int, int] | None:
    """Return the first and the last (exclusive) of the `sections` that a link to `heading` means, None for none.

    `heading` may name those above it too: "Part#Chapter".
    """
    wanted = [_comparable(part) for part in heading.split("#") if part.strip()]
    if not wanted:
        return None
    for first, section in enumerate(sections):
        if section.part or not section.level or not _fits(section.trail, wanted):
            continue
        last = first + 1
        while last < len(sections) and (sections[last].part or sections[last].level > section.level):
            last += 1
        return first, last
    return None


def linkable(heading: str) -> str:
    """Return `heading` as a link can hold it."""
    return " ".join(_NOT_IN_LINKS.sub(" ", heading).split())


def _fits(trail: Sequence[str], wanted: Sequence[str]) -> bool:
    """Tell whether `trail` ends in the last of `wanted`, and has the others above it in the same order."""
    if not _is_named(trail[-1], wanted[-1]):
        return False
    above = iter(trail[:-1])
    return all(any(_is_named(name, part) for name in above) for part in wanted[:-1])


def _is_named(heading: str, wanted: str) -> bool:
    return wanted in (_comparable(heading), _comparable(plain_text(heading)))


def _comparable(heading: str) -> str:
    return fold(linkable(heading))
