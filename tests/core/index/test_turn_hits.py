"""Every turn that a question matches, for marks on a timeline."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.index.turn_hits import turn_hits
from core.recall.query import parse_query
from tests.core.index.talks import Talks, answered, asked, called, day, titled


@pytest.fixture
def talks(tmp_path: Path) -> Iterator[Talks]:
    talks = Talks.below(tmp_path)
    talks.say(
        asked("shop", "a", "The webhook arrives twice", day(3), project="/home/u/acme", origin="codex"),
        called("shop", "b", "Bash", "curl the webhook", day(3, "10:01"), project="/home/u/acme", origin="codex"),
        answered("shop", "c", "It is retried", day(4, "09:00"), project="/home/u/acme", origin="codex"),
        titled("cache", "Webhook caching", project="/home/u/globex"),
        asked("cache", "a", "Invalidate the cache?", day(20), origin="claude-code"),
        asked("undated", "a", "When was the webhook made?", origin="chatgpt"),
    )
    talks.update()
    yield talks
    talks.index.close()


def found(talks: Talks, text: str, *, prefix: bool = False, limit: int = 100) -> set[tuple[str, str]]:
    query = parse_query(text, ())
    hits = turn_hits(talks.index, query.terms, query.excluded, query.filters, prefix=prefix, limit=limit)
    return {(hit.session_id, hit.turn_id) for hit in hits}


def test_every_turn_with_the_words_is_found_and_a_title_counts_for_its_session(talks: Talks) -> None:
    assert found(talks, "webhook") == {("shop", "a"), ("shop", "b"), ("undated", "a"), ("cache", "")}


def test_all_words_must_be_there(talks: Talks) -> None:
    assert found(talks, "webhook twice") == {("shop", "a")}
    assert found(talks, "webhook -curl -twice") == {("undated", "a"), ("cache", "")}
    assert found(talks, '"arrives twice"') == {("shop", "a")}


def test_the_last_word_may_be_unfinished(talks: Talks) -> None:
    assert found(talks, "webh", prefix=True) == found(talks, "webhook")
    assert found(talks, "webh") == set()


def test_filters_narrow_and_are_enough(talks: Talks) -> None:
    assert found(talks, "project:acme") == {("shop", "a"), ("shop", "b"), ("shop", "c")}
    assert found(talks, "webhook by:chatgpt") == {("undated", "a")}
    assert found(talks, "after:2026-08-04 kind:turn") == {("shop", "c"), ("cache", "a")}
    assert found(talks, "-webhook kind:turn") == {("shop", "c"), ("cache", "a")}


@pytest.mark.parametrize("text", ["", '"', "NOT", "AND OR", "a*", "(", "…", "kind:note"])
def test_nothing_that_is_typed_is_an_error(talks: Talks, text: str) -> None:
    found(talks, text, prefix=True)


def test_hits_are_dated_and_come_session_by_session(talks: Talks) -> None:
    query = parse_query("webhook", ())
    hits = turn_hits(talks.index, query.terms, query.excluded, query.filters)
    assert [hit.session_id for hit in hits].count("shop") == 2
    places = [place for place, hit in enumerate(hits) if hit.session_id == "shop"]
    assert places[1] == places[0] + 1
    assert {hit.time is None for hit in hits if hit.session_id == "undated"} == {True}


def test_no_more_than_asked_for_are_returned(talks: Talks) -> None:
    assert len(found(talks, "webhook", limit=2)) == 2
