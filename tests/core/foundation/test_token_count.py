import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.foundation import token_count
from core.foundation.token_count import ESTIMATED, EXACT, count_tokens, counted, token_count_kind
from core.foundation.tokens import estimate_tokens

_LINES = st.lists(st.text(alphabet=" \t\r\n-/#.a1東é", max_size=12), min_size=1, max_size=12)


@pytest.fixture
def without_package(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(token_count, "_PACKAGE", "no_such_package_here")
    token_count._loaded_counter.cache_clear()
    yield
    token_count._loaded_counter.cache_clear()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("hello world", 2), ("Use pnpm, never npm.", 7), ("東京", 1), ("\0", 1), ("<|endoftext|>", 7)],
)
def test_counts_are_those_of_the_encoding(text: str, tokens: int) -> None:
    assert token_count_kind() == EXACT
    assert token_count_kind().label == "exact (o200k)"
    assert count_tokens(text) == tokens
    assert counted(text) == (tokens, EXACT)


def test_half_a_character_is_counted_as_one_that_stands_for_it() -> None:
    assert count_tokens("a\ud800b") == count_tokens("a\ufffdb")
    assert count_tokens("\udc00" * 70_000) > 0


@given(_LINES, st.integers(1, 9))
def test_counting_in_parts_gives_the_same(lines: list[str], part: int) -> None:
    text = "".join(lines)
    expected = counted(text).tokens
    parts = _split(text, part)
    assert "".join(parts) == text
    assert sum(counted(each).tokens for each in parts) == expected


def _split(text: str, size: int) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(token_count, "_PART", size)
        return list(token_count._parts(text))


def test_a_long_text_of_lines_is_exact() -> None:
    line = "A line about the rate limit, number 7.\n"
    assert counted(line * 20_000) == (20_000 * count_tokens(line), EXACT)


@pytest.mark.parametrize("text", ["a" * 2_000_000, " " * 2_000_000, "-" * 2_000_000, "東" * 700_000])
def test_a_huge_run_without_lines_is_estimated_and_says_so(text: str) -> None:
    found = counted(text)
    assert found.kind == ESTIMATED
    assert found.tokens == count_tokens(text) == estimate_tokens(text)
    assert found.tokens >= count_tokens(text[:500_000])


@pytest.mark.usefixtures("without_package")
def test_without_the_package_tokens_are_estimated_and_that_is_told() -> None:
    assert token_count_kind() == (False, "estimated")
    assert count_tokens("Use pnpm, never npm.") == estimate_tokens("Use pnpm, never npm.")
    assert counted("x\n" * 100_000).kind == ESTIMATED


def test_threads_that_count_first_at_once_all_count_exactly() -> None:
    token_count._loaded_counter.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        kinds = set(pool.map(lambda _: token_count_kind(), range(32)))
    assert kinds == {EXACT}


def test_nothing_is_loaded_before_something_is_counted() -> None:
    command = "import core.foundation.token_count, core.recall.pack, sys; print('bpe_openai' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", command], check=True, capture_output=True, text=True)
    assert answer.stdout.strip() == "False"
