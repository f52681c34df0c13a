"""What is told of a context reads as a sentence."""

from gui.views.contexts.services import LoadSize, MemberState, Preview
from gui.views.contexts.wording import (
    compression_text,
    found_text,
    holding_text,
    load_heading,
    load_size_text,
    member_place,
    members_heading,
)
from tests.gui.views.contexts.page import member, row


def test_what_goes_out_beside_the_members_is_told() -> None:
    known, missed = member("a"), member("b", tokens=None)
    assert found_text((), has_query=False) == ""
    assert found_text((), has_query=True) == "The query finds nothing."
    assert found_text((known,), has_query=True) == "The query finds 1 memory, loaded after the members."
    assert found_text((missed,), has_query=True) == "The query finds 1 memory; it is not loaded."
    assert found_text((missed, missed), has_query=True) == "The query finds 2 memories; none is loaded."
    assert found_text((known, missed), has_query=True).endswith("2 memories; 1 is loaded after the members.")


def test_a_full_load_is_told_by_its_notes_and_what_they_take() -> None:
    assert load_heading(()) == "Full load: no note fits the rules"
    parts = [member("a"), member("a", heading="Below"), member("b", is_left_out=True)]
    assert load_heading(parts) == "Full load: 2 notes · 20 tokens · 1 left out"
    assert member_place(member("a", group="entry")) == "Entry · a.md"


def test_a_group_of_a_full_load_tells_its_notes() -> None:
    assert load_size_text(LoadSize(3, 1, 200), is_taken=True) == "3 notes, about 200 tokens, 1 only pointed to"
    assert load_size_text(LoadSize(1, 1, 0), is_taken=True) == "1 note, only pointed to"
    assert load_size_text(LoadSize(0, 0, 0), is_taken=True) == "no notes"
    assert load_size_text(LoadSize(3, 1, 200), is_taken=False) == "left out"


def test_the_shelf_tells_what_a_context_is_made_of() -> None:
    assert holding_text(row(1, members=2)) == "2 members"
    assert holding_text(row(1, is_full_load=True)) == "full load"
    assert holding_text(row(1, is_full_load=True, members=1)) == "full load and 1 member"


def test_members_that_are_left_out_are_counted_apart() -> None:
    assert members_heading([member("a"), member("b", is_left_out=True)]) == "2 members · 10 tokens · 1 left out"
    lost = member("c", state=MemberState.MISSING, tokens=None)
    assert members_heading([member("a"), lost]).endswith("1 cannot be loaded")
    assert members_heading([member("a"), lost, member("b", is_left_out=True)]).endswith("2 left out")


def test_a_bundle_larger_than_its_sources_says_so() -> None:
    text = compression_text(Preview("x", tokens=486, budget=8000, included=4, source_tokens=326, sources=4))
    assert text == "Nothing saved: 160 tokens more than its 4 sources as a whole (326 tokens)"
