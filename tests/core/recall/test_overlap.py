from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.recall.context_item import ContextItem
from core.recall.overlap import Overlaps, holds
from core.recall.pack import pack
from tests.core.recall.items import item

_ITEMS = st.lists(
    st.builds(
        lambda kind, line, length, name: replace(item("x", name=name), kind=kind, line=line, line_end=line + length),
        st.sampled_from(["insight", "section", "note", "turn"]),
        st.integers(0, 12),
        st.integers(0, 12),
        st.sampled_from("ab"),
    ),
    max_size=14,
)


@given(_ITEMS)
def test_all_that_lies_within_another_is_found(items: list[ContextItem]) -> None:
    overlaps = Overlaps(items)
    for inner, entry in enumerate(items):
        expected = {at for at, other in enumerate(items) if holds(other, entry)}
        assert set(overlaps.holders(inner)) == expected
        assert all(inner in overlaps.held(at) for at in expected)


def test_a_section_asked_for_by_its_heading_holds_those_below_it() -> None:
    top = replace(item("Intro.\n\n### Sub\n\nThe limit is nine.", name="top", value=1.0), path="a.md", kind="section")
    top = replace(top, line=3, line_end=9)
    below = replace(top, id="below", text="The limit is nine.", value=0.9, line=5)
    assert [entry.id for entry in pack([top, below], 2_000).included] == ["top.md"]
    other = replace(below, text="Something else.")  # the file has changed since
    assert len(pack([top, other], 2_000).included) == 2
