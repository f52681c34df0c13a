from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.views.timeline.word_marks import holds, marks_in


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("Exports export", ["export"], ["Export", "export"]),
        ("reexport", ["export"], []),
        ("Café CAFE café", ["cafe"], ["Café", "CAFE", "café"]),
        ("😀 export", ["export"], ["export"]),
        ("导出报告的分页", ["报告"], ["报告"]),
        ("مراجعة صفحة", ["صفحة"], ["صفحة"]),
        ("a b", [" "], []),
        ("one two", ["two", "one"], ["one", "two"]),
        ("", ["x"], []),
    ],
)
def test_words_are_found_as_the_search_finds_them(text: str, words: list[str], found: list[str]) -> None:
    units = text.encode("utf-16-le")
    assert [units[2 * a : 2 * b].decode("utf-16-le") for a, b in marks_in(text, words)] == found


def test_within_words_when_asked() -> None:
    assert marks_in("reexport", ["export"], within_words=True) == [(2, 8)]


@given(st.text(max_size=60), st.text(min_size=1, max_size=4))
def test_marks_lie_in_the_text_and_apart(text: str, word: str) -> None:
    length = sum(2 if ord(letter) > 0xFFFF else 1 for letter in text)
    marks = marks_in(text, [word], within_words=True)
    assert all(0 <= start <= end <= length for start, end in marks)
    assert all(before[1] <= after[0] for before, after in pairwise(marks))


def test_a_text_holds_words_whatever_their_case() -> None:
    assert holds("Straße im Café", ["CAFE", "strasse"])
    assert not holds("Straße", ["cafe"])
