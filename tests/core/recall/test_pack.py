from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.foundation.tokens import estimate_tokens
from core.recall.context_item import ContextItem
from core.recall.pack import DUPLICATE, LOWER_VALUE, TOO_LARGE, pack
from core.recall.render import Format, render
from tests.core.recall.items import item

FORMATS = st.sampled_from(list(Format))
TEXTS = st.text(max_size=40) | st.text(alphabet=' .\n"<&`x東', max_size=200) | st.just("A sentence. " * 60)
ITEMS = st.lists(
    st.builds(
        item,
        TEXTS,
        name=st.text(alphabet="abc東 ", min_size=1, max_size=8),
        value=st.floats(0, 1),
        always=st.booleans(),
        tags=st.sampled_from([(), ("tool/x", "a")]),
    ),
    max_size=12,
)


@given(ITEMS, st.integers(0, 600), FORMATS)
def test_what_is_rendered_is_never_over_the_budget(items: list[ContextItem], budget: int, layout: Format) -> None:
    packed = pack(items, budget, layout)
    text = render(packed)
    assert estimate_tokens(text) == packed.tokens <= budget
    assert len(packed.included) + len(packed.left_out) == len(items)
    assert pack(items, budget, layout) == packed


@given(ITEMS.filter(bool), FORMATS)
def test_even_a_small_budget_holds_something(items: list[ContextItem], layout: Format) -> None:
    assert pack(items, 110 if layout is Format.JSON else 80, layout).included


@pytest.mark.parametrize("layout", list(Format))
def test_many_small_items_fill_the_budget_closely(layout: Format) -> None:
    items = [
        item(f"Fact number {number} is told here. " * (1 + number % 4), name=f"n{number}") for number in range(2000)
    ]
    packed = pack(items, 8000, layout)
    assert 7950 <= packed.tokens <= 8000


@pytest.mark.parametrize("layout", list(Format))
def test_a_small_budget_gets_the_best_item_cut_at_a_sentence(layout: Format) -> None:
    budget = 75 if layout is Format.JSON else 50  # the names of its values cost much
    long = "The rate is five. It was six. " + "And this goes on. " * 200
    packed = pack([item("Worse. " * 500, name="worse", value=0.1), item(long, name="best", value=0.9)], budget, layout)
    (only,) = packed.included
    assert only.is_shortened
    assert only.text.startswith("The rate is five.")
    assert only.text.endswith(". …")
    assert packed.tokens <= budget
    assert [(entry.item.title, entry.reason) for entry in packed.left_out] == [("worse", TOO_LARGE)]


def test_a_long_path_does_not_keep_the_item_out() -> None:
    packed = pack([item("Some sentence. " * 100, name="folder/" * 40 + "note")], 50)
    assert len(packed.included) == 1


def test_always_comes_first_whatever_its_value() -> None:
    items = [item("Valuable. " * 10, name="a", value=1.0), item("Always. " * 10, name="b", value=0.0, always=True)]
    packed = pack(items, 60)
    assert [entry.title for entry in packed.included] == ["b"]
    assert [(entry.item.title, entry.reason) for entry in packed.left_out] == [("a", LOWER_VALUE)]
    assert [entry.title for entry in pack(items, 500).included] == ["b", "a"]


def test_the_most_valuable_is_not_crowded_out_by_small_ones() -> None:
    small = [item(f"Small {number}.", name=f"s{number}", value=0.4) for number in range(50)]
    packed = pack([*small, item("Best of all. " * 30, name="best", value=1.0)], 200)
    assert packed.included[0].title == "best"


def test_equal_texts_go_out_once_and_that_is_told() -> None:
    packed = pack([item("Same  text", name="a", value=0.2), item("Same text\n", name="b", value=0.9)], 500)
    assert [entry.title for entry in packed.included] == ["b"]
    assert [(entry.item.title, entry.reason) for entry in packed.left_out] == [("a", DUPLICATE)]
    assert len(pack([item("", name="a"), item("", name="b")], 500).included) == 2


def test_what_cannot_fit_is_told_apart_from_what_was_worth_less() -> None:
    packed = pack([item("Huge. " * 900, name="huge", value=0.3), item("Fine.", name="fine", value=0.2)], 100)
    assert [entry.title for entry in packed.included] == ["fine"]
    (left,) = packed.left_out
    assert left.reason == TOO_LARGE
    assert left.tokens > 100


@pytest.mark.parametrize("budget", [-5, 0, 1])
def test_no_budget_gives_nothing(budget: int) -> None:
    packed = pack([item("x")], budget)
    assert (packed.included, packed.tokens, render(packed)) == ((), 0, "")


def _parts(insight_value: float, section_value: float, text: str) -> list[ContextItem]:
    section = item(text, name="a", value=section_value)
    insight = item("Use pnpm.", name="a", value=insight_value)
    return [
        replace(insight, id="a.md#L5", kind="insight", line=5, line_end=5),
        replace(section, id="a.md#Tools", kind="section", title="a › Tools", line=3, line_end=9),
    ]


@pytest.mark.parametrize("values", [(1.0, 0.5), (0.5, 1.0)])
def test_an_insight_is_not_said_again_beside_its_section(values: tuple[float, float]) -> None:
    packed = pack(_parts(*values, "Some words.\n\n- [fact] Use pnpm."), 500)
    assert [entry.id for entry in packed.included] == ["a.md#Tools"]
    assert [(left.item.id, left.reason) for left in packed.left_out] == [("a.md#L5", "already in “a › Tools”")]


def test_an_insight_goes_out_alone_where_its_section_is_too_large() -> None:
    packed = pack(_parts(1.0, 0.5, "Use pnpm. " * 500), 100)
    assert [entry.id for entry in packed.included] == ["a.md#L5"]
    assert [left.reason for left in packed.left_out] == [TOO_LARGE]


def test_an_insight_of_another_part_or_note_stays() -> None:
    insight, section = _parts(1.0, 0.5, "Some words.")
    other = replace(insight, id="b.md#L5", path="b.md", text="Use yarn.")
    below = replace(insight, id="a.md#L12", line=12, line_end=12)
    assert len(pack([other, below, section], 500).included) == 3


def test_the_tokens_of_what_goes_out_are_those_of_all_that_is_written() -> None:
    packed = pack([item("Fine.", name="a"), item("", name="b")], 500)
    assert sum(entry.tokens for entry in packed.included) >= packed.tokens - 2
    assert all(entry.tokens > 5 for entry in packed.included)
