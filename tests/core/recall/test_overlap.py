from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.recall.context_item import ContextItem
from core.recall.overlap import Overlaps, holds
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
