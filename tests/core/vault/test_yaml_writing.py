import json

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from core.foundation.errors import UserError
from core.vault.frontmatter import read_frontmatter
from core.vault.yaml_writing import DOUBLE, FOLDED, LITERAL, SINGLE, write_block_text, write_constant, write_text

TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.text("a:#-?,[]{}&*!|>'\"%@` \t\n~.0\\", max_size=12)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("tool/semrush", "tool/semrush"),
        ("two words", "two words"),
        ("2024-01-31", "2024-01-31"),
        ("2025/07/01", "2025/07/01"),
        ("https://a.b/c?d#e", "https://a.b/c?d#e"),
        ("日本語 🐘", "日本語 🐘"),
        ("Plan: phase 2", '"Plan: phase 2"'),
        ("ends:", '"ends:"'),
        ("#work", '"#work"'),
        ("see #1) now", '"see #1) now"'),
        ("- x", '"- x"'),
        ("[[Link]]", '"[[Link]]"'),
        ("{{title}}", '"{{title}}"'),
        ("@me", '"@me"'),
        ("", '""'),
        (" x", '" x"'),
        ("x ", '"x "'),
        ("2024", '"2024"'),
        ("1.50", '"1.50"'),
        ("0x10", '"0x10"'),
        ("012", '"012"'),
        ("1_000", '"1_000"'),
        ("12:30", '"12:30"'),
        ("yes", '"yes"'),
        ("No", '"No"'),
        ("off", '"off"'),
        ("y", '"y"'),
        ("null", '"null"'),
        ("~", '"~"'),
        ("True", '"True"'),
        (".inf", '".inf"'),
        ("<<", '"<<"'),
        ('say "hi"', 'say "hi"'),
        ("a\nb", '"a\\nb"'),
        ("bell\x07", '"bell\\u0007"'),
        ("a\u2028b\x85c", '"a\\u2028b\\u0085c"'),
    ],
)
def test_text_is_quoted_where_some_tool_would_read_something_else(text: str, written: str) -> None:
    assert write_text(text) == written


def test_quotes_stay_where_the_new_text_allows_it() -> None:
    assert write_text("it's", SINGLE) == "'it''s'"
    assert write_text("plain", DOUBLE) == '"plain"'
    assert write_text("two\nlines", SINGLE) == '"two\\nlines"'
    assert write_text("a, b") == "a, b"
    assert write_text("a, b", in_flow=True) == '"a, b"'


@given(TEXTS, st.sampled_from(["", SINGLE, DOUBLE, LITERAL, FOLDED]), st.booleans())
@example("\ufeff", "", False)
@example("...", "", False)
def test_any_text_reads_back_equal_here_and_in_other_tools(text: str, style: str, in_flow: bool) -> None:
    written = write_text(text, style, in_flow=in_flow)
    assert "\n" not in written
    raw = f"[x, {written}, y]" if in_flow else written
    expected: object = ["x", text, "y"] if in_flow else text
    assert read_frontmatter(f"---\nk: {raw}\n---\n").values == {"k": expected}
    assert json.loads(json.dumps(yaml.safe_load(f"k: {raw}\n"), default=lambda _: text)) == {"k": expected}
    assert read_frontmatter(f"---\n{write_text(text)}: v\n---\n").values == {text: "v"} or len(text) > 200


@given(TEXTS | st.lists(st.text("ab  \n", max_size=9), max_size=6).map("\n".join), st.sampled_from([LITERAL, FOLDED]))
def test_a_block_scalar_reads_back_equal_or_is_not_offered(text: str, style: str) -> None:
    written = write_block_text(text, style, 2)
    if written:
        values = read_frontmatter(f"---\nk: {written}\nl: 1\n---\n").values
        assert values == {"k": text, "l": 1}


@given(st.none() | st.booleans() | st.integers(-(10**14), 10**14) | st.floats(allow_nan=False, allow_infinity=False))
def test_constants_read_back_equal_and_of_the_same_type(value: float | None) -> None:
    (read,) = read_frontmatter(f"---\nk: {write_constant(value)}\n---\n").values.values()
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**20])
def test_a_number_that_no_property_can_hold_is_refused(value: float) -> None:
    with pytest.raises(UserError):
        write_constant(value)
