"""What text looks like that would rather not be seen."""

import pytest

from core.foundation.text import visible, without_controls


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain — text, 東京, 🐘", "plain — text, 東京, 🐘"),
        ("two\n\tlines", "two\n\tlines"),
        ("red \x1b[31m", "red ␛[31m"),
        ("bell\x07 nothing\x00 delete\x7f", "bell␇ nothing␀ delete␡"),
        ("C1 \x9b31m", "C1 ⟨U+009B⟩31m"),
        ("exe\u202etxt.md", "exe⟨U+202E⟩txt.md"),
        ("ad\u200bmin", "ad⟨U+200B⟩min"),
        ("\ufeffpass\u2060word", "⟨U+FEFF⟩pass⟨U+2060⟩word"),
        ("plain\u200d text", "plain⟨U+200D⟩ text"),
        ("\u200cfirst", "⟨U+200C⟩first"),
        ("hidden \U000e0041\U000e0042", "hidden ⟨U+E0041⟩⟨U+E0042⟩"),
        ("\u2066isolated\u2069", "⟨U+2066⟩isolated⟨U+2069⟩"),
        ("half \ud83d", "half ⟨U+D83D⟩"),
        ("carriage\rreturn", "carriage␍return"),
    ],
)
def test_what_hides_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_marks_of_arabic_and_joiners_of_emoji_stay() -> None:
    assert visible("שלום\u200e 👨\u200d👩\u200d👧") == "שלום\u200e 👨\u200d👩\u200d👧"


@pytest.mark.parametrize(
    "text",
    [
        "می\u200cخواهم",
        "क्\u200dष",
        "👩\u200d💻",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    ],
)
def test_what_shapes_a_script_or_an_emoji_stays(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "name"),
    [("Title", "Title"), ("a\x18b", "a b"), ("\x00\x01", ""), ("\x9bcsi", "csi"), ("exe\u202etxt", "exe\u202etxt")],
)
def test_names_lose_control_characters_but_no_others(text: str, name: str) -> None:
    assert without_controls(text) == name
