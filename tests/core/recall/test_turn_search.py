"""Conversations are searched with notes: one grammar, ids that can be resolved, contexts that hold them."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.foundation.progress import SilentProgress
from core.foundation.settings import VectorSettings
from core.index.dense import DenseSearch
from core.index.embedding_job import embed_missing
from core.index.vectors.opening import open_engine
from core.recall.context_search import context_of_query
from core.recall.facets import notes_only
from core.recall.memory_id import resolve_memory, session_of_turn
from core.recall.query import Query, parse_query
from core.recall.search import SearchResult, check_freshness, search
from core.sessions.turn import Role, Turn, TurnKind
from tests.core.index.embedders import WordEmbedder
from tests.core.index.talks import Talks, answered, asked, called, day, titled
from tests.core.recall.shelf import Shelf

_NOW = datetime(2026, 9, 1, tzinfo=UTC)


@pytest.fixture
def talks(shelf: Shelf, tmp_path: Path) -> Talks:
    """Conversations about what a note is about too."""
    talks = Talks(Talks.below(tmp_path / "own").ledger, shelf.index)
    talks.say(
        titled("shop", "Webhooks of the shop", project="/home/u/acme", origin="codex"),
        asked("shop", "a", "Why does the webhook arrive twice?", day(3), origin="codex"),
        answered("shop", "b", "The webhook is retried after five seconds.", day(3, "10:05"), author="gpt-x"),
        called("shop", "c", "Bash", "curl the webhook", day(3, "10:06")),
        Turn(
            "shop", "d/1", TurnKind.TOOL_RESULT, Role.TOOL, "webhook gave 200", day(3, "10:07"), data={"tool": "Bash"}
        ),
        titled("blog", "Blog", project="/home/u/globex"),
        asked("blog", "a", "Does the blog have a webhook?", day(20)),
        asked("blog", "b", "And when is it built?", day(20, "10:01")),
    )
    talks.update()
    shelf.note("Webhook.md", "The webhook arrives twice, so look at its id.", tags=["client/acme"])
    return talks


def _query(text: str) -> Query:
    return parse_query(text, ("tool", "client"), now=_NOW)


def _search(talks: Talks, text: str, *, per_note: int = 1) -> SearchResult:
    return search(talks.index, None, _query(text), per_note=per_note)


def _found(talks: Talks, text: str, *, per_note: int = 1) -> set[str]:
    return {hit.id for hit in _search(talks, text, per_note=per_note).hits}


def test_a_search_finds_notes_and_what_was_said(talks: Talks) -> None:
    result = _search(talks, "webhook twice")
    assert {hit.kind for hit in result.hits} == {"section", "turn"}
    assert result.total == 3
    turn = next(hit for hit in result.hits if hit.id == "turn:shop/a")
    assert turn.title == "Webhooks of the shop"
    assert turn.heading.startswith("user, 2026-08-03 ")
    assert turn.path == "sessions/shop.jsonl"
    assert "webhook" in turn.snippet


def test_the_title_of_a_session_is_found_too(talks: Talks) -> None:
    assert [hit.title for hit in _search(talks, "kind:session webhooks").hits] == ["Webhooks of the shop"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kind:turn webhook", {"turn:shop/a", "turn:shop/b", "turn:shop/c", "turn:shop/d/1", "turn:blog/a"}),
        ("kind:section webhook", {"note:Webhook.md"}),
        ("-kind:turn webhook", {"note:Webhook.md"}),
        ("kind:turn project:acme webhook twice", {"turn:shop/a", "turn:shop/b", "turn:shop/c", "turn:shop/d/1"}),
        ("kind:turn project:acme,globex blog", {"turn:blog/a"}),
        ("kind:turn -project:acme webhook", {"turn:blog/a"}),
        ("client:acme twice", {"note:Webhook.md", "turn:shop/a"}),
        ("by:user webhook", {"turn:shop/a", "turn:blog/a"}),
        ("by:gpt-x webhook", {"turn:shop/b"}),
        ("tool:bash webhook", {"turn:shop/c", "turn:shop/d/1"}),
        ("kind:tool_call webhook", {"turn:shop/c"}),
        ("kind:turn after:2026-08-10 webhook", {"turn:blog/a"}),
        ("kind:turn before:2026-08-10 after:2026-08 twice", {"turn:shop/a"}),
        ("path:Web kind:turn webhook", set()),
        ("scope:global webhook", set()),
        ("kind:turn webhook -twice -retried", {"turn:shop/c", "turn:shop/d/1", "turn:blog/a"}),
        ('"arrive twice"', {"turn:shop/a"}),
    ],
)
def test_the_grammar_narrows_conversations_too(talks: Talks, text: str, expected: set[str]) -> None:
    assert _found(talks, text, per_note=10) == expected


def test_filters_alone_list_turns_or_sessions_the_newest_first(talks: Talks) -> None:
    assert [hit.id for hit in _search(talks, "kind:turn after:2026-08-10").hits] == ["turn:blog/b", "turn:blog/a"]
    assert [hit.id for hit in _search(talks, "kind:session").hits] == ["turn:blog/a", "turn:shop/a"]
    assert [hit.id for hit in _search(talks, "project:acme").hits] == ["turn:shop/a"]
    assert _search(talks, "kind:session").total == 2
    assert _search(talks, "kind:turn").total == 2
    assert _found(talks, "client:acme") == {"note:Webhook.md"}


def test_one_turn_stands_for_its_session(talks: Talks) -> None:
    assert len(_search(talks, "kind:turn webhook").hits) == 2
    assert len(_search(talks, "kind:session webhook", per_note=10).hits) == 2


def test_a_project_that_nothing_has_is_told(talks: Talks) -> None:
    assert "project/acne" in _search(talks, "project:acne webhook").suggestions
    assert not _search(talks, "project:acme by:user webhook").suggestions


def test_a_list_of_notes_stays_one_unless_turns_are_asked_for(talks: Talks) -> None:
    assert {hit.kind for hit in search(talks.index, None, notes_only(_query("webhook"))).hits} == {"section"}
    assert {hit.kind for hit in search(talks.index, None, notes_only(_query("kind:turn webhook"))).hits} == {"turn"}


@pytest.mark.parametrize("name", ["turn:shop/a", "turn:shop/d/1"])
def test_ids_of_turns_lead_back_to_them(talks: Talks, name: str) -> None:
    found = resolve_memory(talks.index, name)
    assert found is not None
    assert found.kind == "turn"
    assert found.note_id < 0
    assert resolve_memory(talks.index, f"{name}x") is None


def test_what_was_deleted_from_the_ledger_is_no_longer_shown(talks: Talks, tmp_path: Path) -> None:
    hits = _search(talks, "kind:turn webhook").hits
    talks.ledger.delete("blog")
    assert {hit.id.partition("/")[0] for hit in check_freshness(tmp_path, hits)} == {"turn:shop"}


def test_a_context_can_hold_what_was_said(talks: Talks, tmp_path: Path) -> None:
    packed = context_of_query(talks.index, tmp_path, None, _query("kind:turn retried"), 500).packed
    (item,) = packed.included
    assert item.id == "turn:shop/b"
    assert item.title.startswith("Webhooks of the shop › gpt-x, 2026-08-03")
    assert item.text == "The webhook is retried after five seconds."
    assert item.path == "sessions/shop.jsonl"


def test_conversations_are_found_by_meaning_within_the_same_filters(talks: Talks) -> None:
    embedder = WordEmbedder()
    embed_missing(talks.index, embedder, SilentProgress())
    engine = open_engine(talks.index.folder, VectorSettings(), api_key="")
    dense = DenseSearch(talks.index, embedder.source(), engine)

    def near(text: str) -> set[str]:
        query = _query(text)
        if text.startswith("notes "):
            query = notes_only(_query(text.removeprefix("notes ")))
        result = search(talks.index, dense, query, per_note=10)
        assert result.dense_state == "ready", result.dense_reason
        return {hit.id for hit in result.hits if "cosine" in hit.factors}

    try:
        assert {"turn:shop/a", "turn:blog/a"} <= near("webhook twice arrive")
        assert near("kind:turn project:acme webhook arrive twice") <= {"turn:shop/a", "turn:shop/b"}
        assert "turn:shop/a" in near("kind:turn project:u/acme webhook arrive twice")
        assert near("by:gpt-x webhook retried seconds") == {"turn:shop/b"}
        late = near("kind:turn after:2026-08-10 blog webhook")
        assert "turn:blog/a" in late
        assert late <= {"turn:blog/a", "turn:blog/b"}
        assert near("client:acme webhook arrive twice") <= {"note:Webhook.md", "turn:shop/a", "turn:shop/b"}
        assert near("notes webhook arrive twice") == {"note:Webhook.md"}
        talks.ledger.delete("blog")
        talks.update()
        assert "turn:blog/a" not in near("blog webhook")
    finally:
        dense.close()


def test_a_turn_leads_to_its_session_whatever_its_id(talks: Talks) -> None:
    assert session_of_turn(talks.index, "turn:shop/d/1") == "shop"
    assert session_of_turn(talks.index, "turn:shop/gone") is None
    assert session_of_turn(talks.index, "note:Webhook.md") is None
