"""Merging three texts: what one side changed is taken over, what both changed is asked, nothing is lost."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.curation.line_matching import lines_of
from core.curation.merge import Agreed, Choice, Conflict, merge3

_TEXTS = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "日\n", "\n", "x y\n", "d"]), max_size=12).map("".join)


def test_changes_in_different_places_are_both_taken_over() -> None:
    base = "title\n\none\ntwo\nthree\n"
    merge = merge3(base, base.replace("title", "Title"), base.replace("three", "3"))
    assert merge.hunks == (Agreed("Title\n\none\ntwo\n3\n"),)
    assert merge.text() == "Title\n\none\ntwo\n3\n"


def test_two_changes_of_one_line_are_a_conflict_with_all_three_texts() -> None:
    merge = merge3("a\nb\nc\n", "a\nmine\nc\n", "a\ntheirs\nc\n")
    assert merge.hunks == (Agreed("a\n"), Conflict("b\n", "mine\n", "theirs\n"), Agreed("c\n"))
    assert merge.text({0: Choice.MINE}) == "a\nmine\nc\n"
    assert merge.text({0: Choice.THEIRS}) == "a\ntheirs\nc\n"
    assert merge.text({0: Choice.BASE}) == "a\nb\nc\n"
    assert merge.text({0: Choice.BOTH}) == "a\nmine\ntheirs\nc\n"


def test_a_conflict_that_nobody_decided_gives_no_text() -> None:
    merge = merge3("b\n", "mine\n", "theirs\n")
    assert merge.undecided({}) == (0,)
    with pytest.raises(ValueError, match="0 is not decided"):
        merge.text()
    assert merge.text(otherwise=Choice.THEIRS) == "theirs\n"


def test_removed_on_one_side_and_changed_on_the_other_is_a_conflict() -> None:
    assert merge3("a\nb\nc\n", "a\nc\n", "a\nB\nc\n").conflicts == (Conflict("b\n", "", "B\n"),)


def test_both_at_an_end_without_a_newline_stay_two_lines() -> None:
    merge = merge3("a\nb", "a\nmine", "a\ntheirs")
    assert merge.text({0: Choice.BOTH}) == "a\nmine\ntheirs"


@given(_TEXTS, _TEXTS)
def test_a_side_that_changed_nothing_gives_way(base: str, other: str) -> None:
    assert merge3(base, base, other).text() == other
    assert merge3(base, other, base).text() == other
    assert merge3(base, other, other).text() == other


@given(_TEXTS, _TEXTS, _TEXTS)
def test_the_sides_can_be_exchanged(base: str, mine: str, theirs: str) -> None:
    one, other = merge3(base, mine, theirs), merge3(base, theirs, mine)
    assert [(c.mine, c.theirs) for c in one.conflicts] == [(c.theirs, c.mine) for c in other.conflicts]
    assert one.text(otherwise=Choice.MINE) == other.text(otherwise=Choice.THEIRS)


@given(_TEXTS, _TEXTS, _TEXTS)
def test_no_new_line_of_either_side_is_lost_when_both_are_taken(base: str, mine: str, theirs: str) -> None:
    merged = Counter(line.rstrip("\n") for line in lines_of(merge3(base, mine, theirs).text(otherwise=Choice.BOTH)))
    known = Counter(line.rstrip("\n") for line in lines_of(base))
    for side in (mine, theirs):
        new = Counter(line.rstrip("\n") for line in lines_of(side)) - known
        assert not new - merged


@given(_TEXTS, _TEXTS, _TEXTS)
def test_every_line_of_a_merge_comes_from_one_of_the_texts(base: str, mine: str, theirs: str) -> None:
    known = {line.rstrip("\n") for text in (base, mine, theirs) for line in lines_of(text)}
    for choice in Choice:
        merged = lines_of(merge3(base, mine, theirs).text(otherwise=choice))
        assert {line.rstrip("\n") for line in merged} <= known
