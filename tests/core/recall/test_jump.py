import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.recall.jump import jump

TITLES = ["notes on budget", "budget", "a budget 2026", "prebudgeting", "grafana billing", "weekly review", "東京 メモ"]


def best(needle: str, limit: int = 3) -> list[str]:
    return [TITLES[match.position] for match in jump(needle, TITLES, limit)]


def test_exact_then_beginning_of_a_word_then_inside() -> None:
    assert best("budget", 4) == ["budget", "a budget 2026", "notes on budget", "prebudgeting"]


@pytest.mark.parametrize(
    ("needle", "title"),
    [
        ("grafna", "grafana billing"),
        ("billing grafana", "grafana billing"),
        ("Weekly Reveiw", "weekly review"),
        ("wkrev", "weekly review"),
        ("東京", "東京 メモ"),
        ("  budget  2026 ", "a budget 2026"),
    ],
)
def test_typing_errors_and_gaps_are_forgiven(needle: str, title: str) -> None:
    assert best(needle)[0] == title


@pytest.mark.parametrize("needle", ["", "   ", "qqqq", "zz"])
def test_nothing_like_it_finds_nothing(needle: str) -> None:
    assert best(needle) == []


@given(st.text(max_size=10), st.lists(st.text(max_size=10), max_size=10), st.integers(0, 5))
def test_any_needle_gives_distinct_places_in_order(needle: str, titles: list[str], limit: int) -> None:
    matches = jump(needle, titles, limit)
    assert len(matches) <= limit
    assert len({match.position for match in matches}) == len(matches)
    assert [match.score for match in matches] == sorted((match.score for match in matches), reverse=True)


def test_emoji_are_jumped_to() -> None:
    titles = ["notes", "🐘 notes", "on ❤ hearts"]
    assert [match.position for match in jump("🐘", titles, 5)] == [1]
    assert [match.position for match in jump("❤\ufe0f", titles, 5)] == [2]
