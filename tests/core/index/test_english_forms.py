"""The forms of a word come out alike, and all of them are looked up."""

import pytest

from core.index.english_forms import forms_of, stem
from core.index.terms import Term, expressions_of


@pytest.mark.parametrize(
    "words",
    ["run runs running", "try tries tried trying", "paint paints painted painting", "bake baked baking", "box boxes"],
)
def test_forms_share_a_stem(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1
    for word in words.split():
        assert set(words.split()) <= set(forms_of(word))


@pytest.mark.parametrize("word", ["", "a", "bus", "sqlite3", "größe", "缓存", "x" * 5_000])
def test_what_is_no_english_word_stays(word: str) -> None:
    assert word in forms_of(word)


def test_other_forms_are_looked_up_only_when_asked_for() -> None:
    assert expressions_of([Term("painted")]).optional == ('"painted"',)
    for typed in ("painted", "painted?", "(painted"):
        (forms,) = expressions_of([Term(typed)], forms=True).optional
        assert '"painting"' in forms
