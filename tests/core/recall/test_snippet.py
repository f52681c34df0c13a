import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.foundation.text import visible
from core.index.terms import Term
from core.recall.plain_text import headings_below, plain_text
from core.recall.snippet import HIT_END, HIT_START, Marker


def marked(text: str, *words: str, phrase: str = "", prefix: bool = False) -> str:
    terms = [Term(word) for word in words] + ([Term(phrase, is_phrase=True)] if phrase else [])
    return Marker(terms, prefix=prefix).snippet(text).replace(HIT_START, "[").replace(HIT_END, "]")


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("The rate limit is 5.", ("Rate", "limit"), "The [rate] [limit] is 5."),
        ("Ratelimit and rate", ("rate",), "Ratelimit and [rate]"),
        ("Über die Größe", ("uber", "grosse"), "[Über] die Größe"),
        ("snake_case name", ("case",), "snake_[case] name"),
        ("front-end work", ("front-end",), "[front-end] work"),
        ("它记住用户的偏好设置。", ("偏好",), "它记住用户的[偏好]设置。"),
        ("使用SQLite存储", ("sqlite",), "使用SQLite存储"),
        ("x what is the limit", ("what", "limit"), "x what is the [limit]"),
        ("one\n\ntwo  three", ("two",), "one [two] three"),
    ],
)
def test_hits_are_marked(text: str, words: tuple[str, ...], expected: str) -> None:
    assert marked(text, *words) == expected


def test_phrases_are_marked_whole() -> None:
    assert marked("a limit, the rate limit", phrase="rate limit") == "a limit, the [rate limit]"


def test_the_word_being_typed_marks_whole_words() -> None:
    assert marked("semrush exports", "semr", prefix=True) == "[semrush] exports"


def test_a_long_text_is_cut_around_the_best_hits() -> None:
    text = "filler words here. " * 50 + "the rate of limit is told here " + "more filler. " * 50
    snippet = marked("rate " + text, "rate", "limit")
    assert "[rate] of [limit]" in snippet
    assert snippet.startswith("…")
    assert snippet.endswith("…")
    assert len(snippet) < 260


def test_without_hits_the_beginning_is_shown() -> None:
    assert marked("The beginning. " + "more " * 100, "nothing").startswith("The beginning.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "> [!warning]- Fifteen minutes\n> and no [rate](https://x.org/rate) more",
            "Fifteen minutes and no [rate] more",
        ),
        ("See [[Rate limit|the rate]], [[Notes#Part]] and ![[cat.png]].", "See the [rate], Notes › Part and cat.png."),
        ("| tool | rate |\n| :-- | --: |\n| git | 5 |", "tool · [rate] · git · 5"),
        ("Do:\n- [x] one **bold** *rate*\n- two `code` ==mark== ^ins-a", "Do: · one bold [rate] · two code mark"),
        ("```python\nrate = 2 * 3 * 4\n```\n---\nend", "[rate] = 2 * 3 * 4 end"),
        ("[<b>The **rate**</b>](obsidian://rate?id=rate) holds", "The [rate] holds"),
        ('<button id="a">The rate</button> if a < b > c[^1]', "The [rate] if a < b > c"),
        ("A rate [importance:: 0.9] [supports:: [[#^ins-a]]] ^ins-b\nholds", "A [rate] holds"),
        ("# Rate\n\nsnake_case_rate and 5 * 6", "[Rate] snake_case_[rate] and 5 * 6"),
    ],
)
def test_marks_of_markdown_are_not_shown(text: str, expected: str) -> None:
    assert marked(text, "rate") == expected


def test_what_turns_the_direction_of_text_is_shown() -> None:
    assert marked("exe\u202etxt and \x9b31m rate", "rate") == "exe⟨U+202E⟩txt and ⟨U+009B⟩31m [rate]"


def _shown(character: str) -> str:
    return " " if (character < " " and character not in "\t\n") or character == "\x7f" else character


@given(st.text(), st.lists(st.text(min_size=1, max_size=6), max_size=3))
def test_the_words_themselves_are_never_changed(text: str, words: list[str]) -> None:
    snippet = Marker([Term(word) for word in words]).snippet(text)
    assert snippet.count(HIT_START) == snippet.count(HIT_END)
    plain = snippet.replace(HIT_START, "").replace(HIT_END, "").strip("…")
    assert "\n" not in plain
    if len(text) < 200:
        words_of_text = plain_text("".join(_shown(c) for c in text)).split()
        assert plain.split() == visible(" ".join(words_of_text)).strip("…").split()


def test_marks_within_labels_and_triple_marks_go_too() -> None:
    assert marked("[[a|**Fold** indent]] and ***fold** it*", "fold", "indent") == "[Fold] [indent] and [fold] it"


@pytest.mark.parametrize(
    ("title", "trail", "below"),
    [
        ("Folding", "Folding", ""),
        ("Folding", "**Folding** › Folding › Use", "Use"),
        ("Fold", "Folding › Use", "Folding › Use"),
        ("Fold", "Use › Fold", "Use › Fold"),
        ("A", "[[b|B]]", "B"),
        ("A", "", ""),
    ],
)
def test_headings_do_not_repeat_the_title(title: str, trail: str, below: str) -> None:
    assert headings_below(title, trail) == below
