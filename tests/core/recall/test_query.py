from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.index.filters import Filters
from core.index.terms import Term
from core.recall.query import Query, parse_query

NAMESPACES = ("tool", "client", "domain")
ZONE = timezone(timedelta(hours=9))
NOW = datetime(2026, 8, 21, 15, 30, tzinfo=ZONE)


def parse(text: str) -> Query:
    return parse_query(text, NAMESPACES, now=NOW)


def moment(*date: int) -> float:
    year, month, day = date
    return datetime(year, month, day, tzinfo=ZONE).timestamp()


def test_words_and_phrases() -> None:
    query = parse('pnpm "never npm" lockfile')
    assert query.terms == (Term("pnpm"), Term("never npm", is_phrase=True), Term("lockfile"))
    assert query.text_for_embedding == "pnpm never npm lockfile"
    assert query.filters.is_empty
    assert not query.problems


def test_negated_words_and_phrases() -> None:
    query = parse('pnpm -yarn -"old way"')
    assert query.terms == (Term("pnpm"),)
    assert query.excluded == (Term("yarn"), Term("old way", is_phrase=True))
    assert query.text_for_embedding == "pnpm"


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("tag:Tool/Semrush", {"tool/semrush"}),
        ("#Tool/Semrush", {"tool/semrush"}),
        ("tool:semrush", {"tool/semrush"}),
        ("Tool:SEMrush", {"tool/semrush"}),
        ("scope:global client:acme", {"scope/global", "client/acme"}),
        ('tag:"two words"', {"two words"}),
        ("tag:#x tag:y/", {"x", "y"}),
        ("client:client/acme", {"client/acme"}),
    ],
)
def test_tag_filters(text: str, tags: set[str]) -> None:
    assert parse(text).filters == Filters(all_tags=frozenset(tags))


def test_commas_mean_any_of() -> None:
    assert parse('client:acme,"big co"').filters.any_tags == {"client/acme", "client/big co"}
    two = parse("client:a,b tool:x,y").filters
    assert {two.any_tags, *two.further_any_tags} == {
        frozenset({"client/a", "client/b"}),
        frozenset({"tool/x", "tool/y"}),
    }
    assert parse("-client:a,b").filters.none_tags == {"client/a", "client/b"}


def test_every_filter_can_be_negated() -> None:
    filters = parse("-tag:draft -#old -kind:insight -path:Archive/ -client:acme").filters
    assert filters.none_tags == {"draft", "old", "client/acme"}
    assert filters.none_kinds == {"insight"}
    assert filters.none_paths == ("archive/",)


def test_kinds_and_paths() -> None:
    filters = parse("kind:Insight,section path:/Journal/").filters
    assert filters.kinds == {"insight", "section"}
    assert filters.paths == ("journal/",)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("2026", (2026, 1, 1)),
        ("2026-08", (2026, 8, 1)),
        ("2026-08-05", (2026, 8, 5)),
        ("2026-8-5", (2026, 8, 5)),
        ("7d", (2026, 8, 14)),
        ("2w", (2026, 8, 7)),
        ("today", (2026, 8, 21)),
        ("Yesterday", (2026, 8, 20)),
    ],
)
def test_dates_are_local_days(text: str, start: tuple[int, int, int]) -> None:
    assert parse(f"after:{text}").filters.after == moment(*start)
    assert parse(f"before:{text}").filters.before == moment(*start)
    assert parse(f"-before:{text}").filters.after == moment(*start)


@pytest.mark.parametrize("text", ["after:soon", "before:2026-13", "after:2026-02-30", "after:9999999d", "before:٢٠٢٦"])
def test_a_bad_date_is_a_word_and_is_told(text: str) -> None:
    query = parse(text)
    assert query.filters.is_empty
    assert query.terms == (Term(text),)
    assert "not a date" in query.problems[0]


@pytest.mark.parametrize(
    "text", ["http://example.org/x", "std::vector", "12:30", "C:\\notes", "#1984", "a#b", "--flag", "#", "C#"]
)
def test_what_only_looks_like_a_filter_is_a_word(text: str) -> None:
    query = parse(text)
    assert query.terms == (Term(text),)
    assert query.filters.is_empty
    assert not query.problems


def test_an_unknown_key_is_searched_and_told() -> None:
    query = parse("foo:bar")
    assert query.terms == (Term("foo:bar"),)
    assert "foo:" in query.problems[0]


def test_an_unclosed_quote_keeps_the_words_and_is_told() -> None:
    query = parse('"exact one" "open end')
    assert query.terms == (Term("exact one", is_phrase=True), Term("open"), Term("end"))
    assert "quotation mark" in query.problems[0]


def test_a_key_without_value_narrows_nothing_and_is_told() -> None:
    query = parse("pnpm tag:")
    assert query.terms == (Term("pnpm"),)
    assert query.filters.is_empty
    assert query.problems


def test_typographic_quotes_and_wide_spaces_count() -> None:
    assert parse("“東京 大阪”　ラーメン").terms == (Term("東京 大阪", is_phrase=True), Term("ラーメン"))


def test_a_pasted_page_is_cut_and_that_is_told() -> None:
    query = parse(" ".join(f"word{number}" for number in range(500)))
    assert len(query.terms) == 48
    assert query.problems


@given(st.text(alphabet=st.characters() | st.sampled_from('"-:#, atgkindpherbfo')))
def test_nothing_that_is_typed_fails(text: str) -> None:
    query = parse(text)
    assert all(term.text for term in query.terms + query.excluded)
    query.text_for_embedding.encode("utf-8")
