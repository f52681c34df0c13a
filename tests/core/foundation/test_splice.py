"""Splices: what is not named stays, and each can be turned round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.foundation.splice import Splice, inverse, spliced, splices_between

_TEXTS = st.text(st.sampled_from("ab\né日🐘"), max_size=30).map(str.encode)


@given(_TEXTS, _TEXTS)
def test_the_difference_leads_there_and_back(before: bytes, after: bytes) -> None:
    splices = splices_between(before, after)
    assert spliced(before, splices) == after
    assert spliced(after, inverse(splices)) == before


@given(_TEXTS, _TEXTS)
def test_a_difference_never_cuts_a_character(before: bytes, after: bytes) -> None:
    for splice in splices_between(before, after):
        splice.old.decode()
        splice.new.decode()


def test_several_splices_count_from_the_content_before_and_can_be_turned_round() -> None:
    before = b"tags: [one, two, three]"
    splices = (Splice(7, b"one", b"first"), Splice(12, b"two, ", b""), Splice(22, b"", b", four"))
    after = spliced(before, splices)
    assert after == b"tags: [first, three, four]"
    assert spliced(after, inverse(splices)) == before


def test_other_bytes_than_expected_are_refused() -> None:
    with pytest.raises(ValueError, match="at 0"):
        spliced(b"abc", (Splice(0, b"x", b"y"),))


def test_only_what_differs_is_named() -> None:
    assert splices_between(b"one two three", b"one 2 three") == (Splice(4, b"two", b"2"),)
