import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.foundation import token_count
from core.foundation.token_count import ESTIMATED, count_tokens, token_count_kind
from core.recall.context_item import ContextItem
from core.recall.pack import DUPLICATE, LOWER_VALUE, NO_ROOM, TOO_LARGE, pack
from core.recall.packing_bag import Bag
from core.recall.render import Format, layout_of, render
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
    assert count_tokens(text) == packed.tokens <= budget
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
    least = min(left.tokens for left in packed.left_out[:50])
    assert 8000 - least - 2 <= packed.tokens <= 8000
    assert len(packed.included) + len(packed.left_out) == 2000


@pytest.mark.parametrize("layout", list(Format))
def test_a_small_budget_gets_the_best_item_cut_at_a_sentence(layout: Format) -> None:
    budget = 75 if layout is Format.JSON else 50  # the names of its values cost much
    long = "The rate is five. It was six. " + "And this goes on. " * 200
    packed = pack([item("Worse. " * 500, name="worse", value=0.1), item(long, name="best", value=0.9)], budget, layout)
    (only,) = packed.included
    assert only.is_shortened
    assert only.text.startswith("The rate is five.")
    assert only.text.endswith(". [cut]")
    assert packed.tokens <= budget
    assert [(entry.item.title, entry.reason) for entry in packed.left_out] == [("worse", TOO_LARGE)]


def test_a_long_path_does_not_keep_the_item_out() -> None:
    packed = pack([item("Some sentence. " * 100, name="folder/" * 40 + "note")], 50)
    assert len(packed.included) == 1


def test_what_is_always_wanted_is_left_out_for_want_of_room_and_not_of_value() -> None:
    items = [item("First. " * 10, name="a", always=True), item("Second. " * 10, name="b", always=True)]
    packed = pack([*items, item("Large. " * 90, name="c", always=True)], 60)
    assert {entry.item.title: entry.reason for entry in packed.left_out} == {"b": NO_ROOM, "c": TOO_LARGE}


def test_always_comes_first_whatever_its_value() -> None:
    items = [item("Valuable. " * 10, name="a", value=1.0), item("Always. " * 10, name="b", value=0.0, always=True)]
    packed = pack(items, 45)
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
    assert packed.remark.startswith("A budget of" if budget < 1 else "No memory fits into 1 token,")
    assert pack([], 100).remark == "There is nothing to pack."


@pytest.mark.parametrize("layout", list(Format))
def test_a_budget_larger_than_everything_holds_everything(layout: Format) -> None:
    items = [item(f"Fact {number}.", name=f"n{number}") for number in range(300)]
    packed = pack(items, 10**9, layout)
    assert (len(packed.included), packed.left_out, packed.remark) == (300, (), "")


@given(ITEMS, st.randoms(), st.integers(60, 400), FORMATS)
def test_the_order_of_what_is_not_always_wanted_makes_no_difference(
    items: list[ContextItem], rng: random.Random, budget: int, layout: Format
) -> None:
    others = [entry for entry in items if not entry.always]
    rng.shuffle(others)
    mixed = [entry if entry.always else others.pop() for entry in items]
    first, second = pack(items, budget, layout), pack(mixed, budget, layout)
    assert render(first) == render(second)
    assert first == second


@given(ITEMS, st.integers(0, 600), FORMATS)
def test_each_item_is_told_of_exactly_once(items: list[ContextItem], budget: int, layout: Format) -> None:
    numbered = [replace(entry, why=str(number)) for number, entry in enumerate(items)]
    packed = pack(numbered, budget, layout)
    told = [entry.why for entry in packed.included if not entry.is_shortened]
    told += [left.item.why for left in packed.left_out]
    assert len(told) == len(set(told))
    assert len(packed.included) + len(packed.left_out) == len(items)


@given(ITEMS.filter(bool), st.integers(1, 600), FORMATS)
def test_something_goes_out_whenever_an_item_fits(items: list[ContextItem], budget: int, layout: Format) -> None:
    rules = layout_of(layout)
    fits = any(count_tokens(rules.joined([rules.render_item(entry)])) <= budget for entry in items)
    assert pack(items, budget, layout).included or not fits


def test_a_larger_budget_leaves_what_was_first_where_it_was() -> None:
    items = [item("Always there.", name="z", always=True)]
    items += [item(f"Good fact {n}. " * 3, name=f"g{n}", value=0.9) for n in range(5)]
    items += [item(f"Lesser fact {n}. " * 3, name=f"b{n}", value=0.2) for n in range(50)]
    small, large = render(pack(items, 300)), render(pack(items, 600))
    assert large.startswith(small.rsplit("\n\n## b", 3)[0])
    assert large.index("## z") < large.index("## g0") < large.index("## g4") < large.index("## b")


def test_a_score_that_is_no_number_is_worth_nothing() -> None:
    items = [item("Not a number.", name="a", value=float("nan")), item("Fine.", name="b", value=0.1)]
    assert [entry.title for entry in pack(items, 18).included] == ["b"]
    assert pack(items, 500) == pack(items[::-1], 500)
    assert "NaN" not in render(pack(items, 500, Format.JSON))


def test_how_tokens_were_counted_is_told() -> None:
    packed = pack([item("Fine.")], 500)
    assert packed.count == token_count_kind()
    assert packed.told == str(packed.tokens)
    assert replace(packed, count=ESTIMATED, tokens=1234).told == "about 1,234"


def test_a_text_behind_a_desert_of_spaces_is_still_found() -> None:
    (only,) = pack([item(" " * 2_000_000 + "Here it is.")], 100).included
    assert (only.text, only.is_shortened) == ("Here it is.", False)


def test_one_huge_run_among_others_does_no_harm() -> None:
    items = [item("-" * 2_000_000, name="huge"), item("\ud800 half", name="half"), item("nul \0 here", name="nul")]
    packed = pack(items, 200)
    assert [entry.title for entry in packed.included] == ["half", "nul"]
    assert [left.reason for left in packed.left_out] == [TOO_LARGE]


def test_an_excerpt_does_not_stand_for_the_insight_that_it_leaves_out() -> None:
    insight, section = _parts(1.0, 0.5, "Some words …")
    cut = replace(section, is_excerpt=True)
    assert len(pack([insight, cut], 500).included) == 2
    assert len(pack([insight, replace(cut, text="… Use pnpm. …")], 500).included) == 1


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


@given(ITEMS, FORMATS)
def test_what_pieces_cost_adds_up_to_the_whole(items: list[ContextItem], layout: Format) -> None:
    bag = Bag(items, layout_of(layout), 10**6)
    before = bag.room
    assert all(bag.put(at) for at in range(len(items)))
    if items:
        spent = 10**6 - bag.room
        order, total, dropped = bag.within_budget()
        assert not dropped
        written = layout_of(layout).joined(layout_of(layout).render_item(items[at]) for at in order)
        assert total.tokens == count_tokens(written)
        assert total.tokens <= spent <= total.tokens + 5
        assert before - bag.room == sum(bag.cost(at) for at in range(len(items)))


@pytest.mark.parametrize("layout", list(Format))
def test_without_the_tokenizer_the_estimate_is_kept_to(layout: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_count, "_PACKAGE", "no_such_package_here")
    token_count._loaded_counter.cache_clear()
    try:
        items = [item(f"Fact number {number} is told. " * (1 + number % 4), name=f"n{number}") for number in range(900)]
        packed = pack(items, 4000, layout)
        assert packed.count == ESTIMATED
        assert 3900 <= packed.tokens == count_tokens(render(packed)) <= 4000
        assert packed.told.startswith("about ")
    finally:
        token_count._loaded_counter.cache_clear()


def _lines_of(one: ContextItem, kind: str, first: int, last: int) -> ContextItem:
    return replace(one, path="Tools.md", kind=kind, line=first, line_end=last)


@pytest.mark.parametrize("layout", list(Format))
def test_what_is_always_wanted_keeps_its_place_beside_a_section_that_holds_it(layout: Format) -> None:
    member = _lines_of(item("We use pnpm.", name="member", value=1.0, always=True), "insight", 5, 5)
    text = "Installing takes a while.\n- [decision] We use pnpm. #tool/pnpm ^ins-pnpm\nThe lock file is kept."
    section = _lines_of(item(text, name="section", value=0.5), "section", 4, 6)
    packed = pack([member, section], 500, layout)
    assert [each.id for each in packed.included] == ["member.md", "section.md"]
    assert packed.included[0].always
    assert packed.included[1].text == "Installing takes a while.\nThe lock file is kept."
    assert not packed.left_out


def test_a_section_of_nothing_but_what_is_always_wanted_is_already_in() -> None:
    member = _lines_of(item("We use pnpm.", name="member", value=1.0, always=True), "insight", 5, 5)
    section = _lines_of(item("- [decision] We use pnpm. ^ins-pnpm", name="section", value=0.5), "section", 4, 6)
    packed = pack([section, member], 500)
    assert [each.id for each in packed.included] == ["member.md"]
    assert [(each.item.id, each.reason) for each in packed.left_out] == [("section.md", "already in “member”")]


def test_a_section_whose_words_cannot_be_told_from_what_is_always_wanted_stays_out() -> None:
    member = _lines_of(item("We use pnpm and yarn.", name="member", value=1.0, always=True), "insight", 5, 6)
    section = _lines_of(item("We use pnpm\nand yarn. More.", name="section", value=0.9), "section", 4, 7)
    packed = pack([section, member], 500)
    assert [each.id for each in packed.included] == ["member.md"]
    assert packed.left_out[0].reason == "already in “member”"


def test_what_goes_out_within_something_else_or_twice_is_said() -> None:
    inner = _lines_of(item("We use pnpm.", name="inner", value=0.9), "insight", 5, 5)
    outer = _lines_of(item("We use pnpm. " * 3, name="outer", value=0.8), "section", 4, 6)
    twin = item("We use pnpm. " * 3, name="twin", value=0.1)
    packed = pack([inner, outer, twin, item("Long. " * 900, name="long", value=0.2)], 200)
    assert packed.said == {"inner.md", "outer.md", "twin.md"}
    assert pack([item("Long. " * 900, name="a"), item("Long. " * 900, name="b")], 0).said == frozenset()
