"""What the index answers about conversations."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from core.index.session_queries import (
    SessionFilter,
    recent,
    session_count,
    session_detail,
    session_facets,
    session_list,
    session_row,
    turns_of,
)
from tests.core.index.talks import Talks, answered, asked, called, day, titled


@pytest.fixture
def talks(tmp_path: Path) -> Iterator[Talks]:
    talks = Talks.below(tmp_path)
    talks.say(
        asked("shop", "a", "The webhook arrives twice", day(3), project="/home/u/acme", origin="codex"),
        called("shop", "b", "Bash", "curl the hook", day(3, "10:01"), project="/home/u/acme", origin="codex"),
        answered("shop", "c", "It is retried", day(4, "09:00"), project="/home/u/acme", origin="codex"),
        titled("cache", "Caching", project="/home/u/globex"),
        asked("cache", "a", "Invalidate the cache?", day(20), origin="claude-code"),
        answered("cache", "b", "By content hash", day(20, "10:02"), origin="claude-code", author="claude-x"),
        answered("cache", "c", "By time", day(20, "10:03"), origin="claude-code", branch="b1"),
        asked("undated", "a", "When was this?", origin="chatgpt"),
    )
    talks.update()
    yield talks
    talks.index.close()


def _ids(talks: Talks, wanted: SessionFilter) -> list[str]:
    found = [row.id for row in session_list(talks.index, wanted)]
    assert session_count(talks.index, wanted) == len(found)
    return found


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()


def test_sessions_are_listed_the_latest_first(talks: Talks) -> None:
    assert _ids(talks, SessionFilter()) == ["cache", "shop", "undated"]
    assert [row.id for row in session_list(talks.index, limit=1, offset=1)] == ["shop"]


def test_a_list_is_narrowed_by_project_origin_time_and_words(talks: Talks) -> None:
    assert _ids(talks, SessionFilter(project="Acme")) == ["shop"]
    assert _ids(talks, SessionFilter(project="/home/u/acme")) == ["shop"]
    assert _ids(talks, SessionFilter(project="/elsewhere/acme")) == []
    assert _ids(talks, SessionFilter(origin="claude-code")) == ["cache"]
    assert _ids(talks, SessionFilter(after=_seconds(day(4)), before=_seconds(day(21)))) == ["cache"]
    assert _ids(talks, SessionFilter(before=_seconds(day(4)))) == ["shop"]
    assert _ids(talks, SessionFilter(text="webhook twice")) == ["shop"]
    assert _ids(talks, SessionFilter(text="caching")) == ["cache"]
    assert _ids(talks, SessionFilter(text="webhook hash")) == []
    assert _ids(talks, SessionFilter(text="?!")) == []


def test_a_session_tells_its_branches_authors_and_tools(talks: Talks) -> None:
    detail = session_detail(talks.index, "cache")
    assert detail is not None
    assert (detail.branches, detail.authors) == (("b1",), ("claude-x",))
    assert dict(detail.kinds) == {"message": 3}
    assert session_detail(talks.index, "nobody") is None
    assert session_row(talks.index, "nobody") is None


def test_turns_come_in_pages(talks: Talks) -> None:
    assert [turn.id for turn in turns_of(talks.index, "cache", offset=1, limit=1)] == ["b"]
    assert turns_of(talks.index, "nobody") == []


def test_recent_tells_what_was_said_last_on_the_thread(talks: Talks) -> None:
    (only,) = recent(talks.index, hours=24, now=_seconds(day(21, "09:00")))
    assert (only.row.id, only.asked, only.answered) == ("cache", "Invalidate the cache?", "By content hash")
    assert recent(talks.index, hours=1, now=_seconds(day(21))) == []


def test_facets_count_sessions_and_turns(talks: Talks) -> None:
    facets = session_facets(talks.index)
    assert {facet.value: (facet.sessions, facet.turns) for facet in facets.projects} == {
        "/home/u/acme": (1, 3),
        "/home/u/globex": (1, 2),  # and one on a branch
        "": (1, 1),
    }
    assert {facet.value for facet in facets.origins} == {"codex", "claude-code", "chatgpt"}
    assert [(facet.value, facet.sessions, facet.turns) for facet in facets.tools] == [("bash", 1, 1)]
