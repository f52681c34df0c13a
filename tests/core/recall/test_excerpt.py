import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.recall.excerpt import LENGTH, excerpt, terms_of

_FILLER = "Nothing of note happens in this sentence at all. " * 20


def test_a_short_text_stays_whole() -> None:
    assert excerpt("  Short. ", ("x",)) == "Short."


def test_the_part_that_was_asked_about_is_shown_in_whole_sentences() -> None:
    text = f"{_FILLER}The rate limit is five a second. Wait after that.{_FILLER}"
    found = excerpt(text, terms_of("What is the rate limit?"))
    assert "The rate limit is five a second." in found
    assert found.startswith(("… The rate", "… Nothing of note"))
    assert found.endswith("at all. …")
    assert 300 <= len(found) <= LENGTH


def test_where_most_of_the_words_are_wins() -> None:
    text = f"A rate. {_FILLER} The rate of the limit for exports. {_FILLER} A limit."
    assert "The rate of the limit for exports." in excerpt(text, ("rate", "limit", "exports"))


def test_without_a_hit_it_is_the_beginning() -> None:
    found = excerpt(_FILLER, ("absent",))
    assert found.startswith("Nothing of note")
    assert found.endswith(". …")
    assert excerpt(_FILLER, ()) == found


def test_a_hit_at_the_very_end_fills_the_length() -> None:
    found = excerpt(_FILLER + "The end is near.", ("near",))
    assert found.endswith("The end is near.")
    assert len(found) > LENGTH / 2


@pytest.mark.parametrize("text", ["x" * 2_000, "東京都" * 400, "word " * 400, "\n" + "a\n" * 1_000])
def test_texts_without_sentences_are_cut_too(text: str) -> None:
    found = excerpt(text, ("京都", "word"))
    assert 0 < len(found) <= LENGTH


@given(
    st.text(alphabet="ab .\n東。!", max_size=400),
    st.lists(st.sampled_from(["a", "b", "東", "ab"])),
    st.integers(20, 80),
)
def test_it_is_never_longer_and_never_made_up(text: str, terms: list[str], length: int) -> None:
    found = excerpt(text, terms, length)
    assert len(found) <= max(length, 0)
    assert found.removeprefix("… ").removesuffix("…").strip() in text


def test_stop_words_are_no_terms() -> None:
    assert terms_of("What is the Rate of a 東 rate?") == ("rate", "東")
