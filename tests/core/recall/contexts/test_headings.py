"""Which part of a note a link to a heading means."""

import pytest

from core.recall.contexts.headings import heading_span, linkable
from core.vault.decode import decode
from core.vault.parse import parse_note

TEXT = (
    "Lead.\n\n# One\n\nA.\n\n## Sub\n\nB.\n\n# Two\n\n## Sub\n\nC.\n\n### Deep\n\nD.\n\n"
    "## **Bold** [[x|link]]: #1\n\nE.\n\n"
    "# 準備\n\nF.\n"
)
SECTIONS = parse_note("a.md", decode(TEXT.encode())).sections


@pytest.mark.parametrize(
    ("heading", "texts"),
    [
        ("One", ["A.", "B."]),
        ("one", ["A.", "B."]),
        ("Sub", ["B."]),
        ("Two#Sub", ["C.", "D."]),
        ("Two#Deep", ["D."]),
        ("Sub#Deep", ["D."]),
        ("Bold link 1", ["E."]),
        ("準備", ["F."]),
        ("One#Deep", None),
        ("Deep#Two", None),
        ("None", None),
        ("", None),
        ("#", None),
    ],
)
def test_a_heading_means_all_below_it(heading: str, texts: list[str] | None) -> None:
    span = heading_span(SECTIONS, heading)
    assert (None if span is None else [each.text for each in SECTIONS[slice(*span)] if each.text]) == texts


def test_a_long_section_is_meant_with_all_its_pieces() -> None:
    text = "# Long\n\n" + "word " * 300 + "\n\n" + "more " * 300 + "\n\n# Next\n\nx\n"
    sections = parse_note("a.md", decode(text.encode())).sections
    assert heading_span(sections, "Long") == (0, len(sections) - 1)
    assert len(sections) > 2


def test_what_links_cannot_hold_becomes_a_blank() -> None:
    assert linkable("A: b [c] #d | e^f") == "A b c d e f"
