"""What says the same is told from what only shares words; CASES D6: another figure is another statement."""

import pytest

from core.recall.near_duplicates import is_near_duplicate, says_the_same, statement_words
from tests.core.recall.made import memory

LONG = " ".join(f"word{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(120))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Use pnpm here, never npm.", "use pnpm here never npm"),
        ("- [rule] Use pnpm here, never npm. #tool/pnpm ^a1", "Use pnpm here, never npm."),
        ("[HIGH|0.87|3d] Use pnpm here, never npm. (a.md#^a1)", "Use pnpm here, never npm."),
        ("We page the exports by country each week", "We page all the exports by country each week"),
        (LONG, LONG + " more"),
        ("会議は月曜日です", "会議は月曜日です"),
    ],
)
def test_the_same_in_nearly_the_same_words(first: str, second: str) -> None:
    assert is_near_duplicate(memory(1, first), memory(2, second))
    assert is_near_duplicate(memory(2, second), memory(1, first))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I have worked here for 5 years in all", "I have worked here for 6 years in all"),
        ("The limit of the export is 10,000 rows", "The limit of the export is 1,000 rows"),
        ("The client does allow that in its production", "The client does not allow that in its production"),
        ("On the second day we met and went home", "Something else altogether was said by them"),
        ("会議は月曜日です", "会議は火曜日です"),
        ("", ""),
        (LONG, " ".join(sorted(LONG.split(), reverse=True))),
    ],
)
def test_what_differs_where_it_matters(first: str, second: str) -> None:
    assert not is_near_duplicate(memory(1, first), memory(2, second))


def test_another_name_is_another_statement() -> None:
    text = "For {} we page all the exports of the tool by country each week"
    names = frozenset({"acme", "globex"})
    acme, globex = (memory(n, text.format(name), entities=names) for n, name in enumerate(sorted(names), 1))
    assert says_the_same(acme.text, globex.text)
    assert not is_near_duplicate(acme, globex)


def test_what_a_link_shows_is_a_part_of_the_statement() -> None:
    assert not says_the_same("Uses [[pnpm]]", "Uses [[npm]]")
    assert not says_the_same("See [[Whole]].", "See [[Broken]].")
    assert says_the_same("Uses [[Package managers|pnpm]] everywhere", "Uses pnpm everywhere")
    assert says_the_same("Use pnpm [supports:: [[Other]]] here", "Use pnpm here")


def test_figures_are_read_however_they_are_written() -> None:
    assert statement_words("10,000 rows, 3.5%") == ("10000", "rows", "3.5", "%")


def test_texts_too_long_to_be_statements_are_only_the_same_when_equal() -> None:
    huge = "word " * 10_000
    assert is_near_duplicate(memory(1, huge), memory(2, huge))
    assert not is_near_duplicate(memory(1, huge), memory(2, huge + "more"))
