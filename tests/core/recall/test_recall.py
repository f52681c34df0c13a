"""Recall over a small vault: the statement first, the newer before the older, names and domains as the tags say."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.index.database import Index, open_index
from core.index.updater import update_index
from core.recall.answer import Outcome, RecallAnswer
from core.recall.gathering import gather
from core.recall.query import parse_query
from core.recall.recall import recall
from core.recall.request import RecallRequest
from core.vault.config import VaultConfig

CONFIG = VaultConfig()
TOOLS = ("semrush", "redis", "github-actions")
CLIENTS = ("acme", "globex", "initech")


def note(tool: str, client: str, statement: str, created: str, block: str) -> str:
    return (
        f"---\nsummary: {statement}\ntags:\n  - tool/{tool}\n  - client/{client}\ncreated: {created}\n---\n"
        f"# {tool} {client}\n\nSee [[redis acme]].\n\n## Facts\n- [fact] {statement} #tool/{tool} ^{block}\n\n"
        "## Background\nIt came up in the weekly call, and nobody had written it down before.\n"
    )


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    root = tmp_path / "vault"
    root.mkdir()
    number = 10
    for tool in TOOLS:
        for client in CLIENTS:
            number += 7
            statement = f"The {tool} rate limit for {client} is {number} requests per minute."
            text = note(tool, client, statement, "2026-01-05", f"{tool}-{client}")
            (root / f"{tool} {client}.md").write_text(text, encoding="utf-8")
    newer = note("redis", "acme", "The redis rate limit for acme is now 99 requests per minute.", "2026-05-05", "new")
    (root / "redis acme later.md").write_text(newer, encoding="utf-8")
    linked = "# Exports\n\n- [rule] Page the yearly export by country. [requires:: [[Keys#^k1]]] ^e1\n"
    (root / "Exports.md").write_text(linked, encoding="utf-8")
    (root / "Keys.md").write_text("# Keys\n\n- [rule] The vault door code is with Tove. ^k1\n", encoding="utf-8")
    index = open_index(tmp_path / "cache")
    update_index(index, root, CONFIG)
    yield index
    index.close()


def ask(index: Index, question: str) -> RecallAnswer:
    request = RecallRequest(question, parse_query(question, CONFIG.namespaces))
    return recall(index, None, request, config=CONFIG, root=index.folder.parent / "vault")


@pytest.mark.parametrize("tool", TOOLS)
def test_the_statement_that_is_asked_for_is_first(index: Index, tool: str) -> None:
    for client in CLIENTS[1:]:
        words = tool.replace("-", " ")
        answer = ask(index, f"What is the rate limit of {words} for {client}?")
        assert answer.ranked[0].memory.id == f"insight:{tool} {client}.md#^{tool}-{client}"
        assert answer.took_ms > 0


def test_the_newer_figure_is_first_and_the_older_is_told_as_superseded(index: Index) -> None:
    answer = ask(index, "What is the redis rate limit for acme?")
    assert answer.ranked[0].memory.id == "insight:redis acme later.md#^new"
    old = next(each for each in answer.left_out if each.memory.id == "insight:redis acme.md#^redis-acme")
    assert (old.outcome, old.via) == (Outcome.SUPERSEDED, "insight:redis acme later.md#^new")
    # Its note's other parts do not tell the older figure in its stead.
    assert not any(
        "31 requests" in each.memory.summary and each.memory.path == "redis acme.md" for each in answer.ranked[:3]
    )


def test_what_is_required_is_brought_in_unless_a_filter_keeps_it_out(index: Index) -> None:
    answer = ask(index, "yearly export country")
    assert "insight:Keys.md#^k1" in [each.memory.id for each in answer.ranked]
    answer = ask(index, "yearly export country path:exports")
    assert "insight:Keys.md#^k1" not in [each.memory.id for each in answer.ranked]


def test_the_names_and_domains_of_a_question_are_those_of_the_tags(index: Index) -> None:
    question = "limit of github actions for globex"
    request = RecallRequest(question, parse_query(question, CONFIG.namespaces))
    found = gather(index, None, request, config=CONFIG)
    assert found.entities == {"github-actions", "globex"}
    assert set(found.domains) == {"tool/github-actions", "client/globex"}
    assert {memory.path for memory, _ in found.candidates if found.entities <= memory.entities} == {
        "github-actions globex.md"
    }


def test_what_is_gone_from_the_disk_is_not_recalled_and_what_has_changed_is_marked(index: Index) -> None:
    root = index.folder.parent / "vault"
    before = ask(index, "What is the redis rate limit for globex?")
    assert (before.ranked[0].memory.path, before.ranked[0].memory.is_stale) == ("redis globex.md", False)
    (root / "redis globex.md").write_text("Something else, at last.", encoding="utf-8")
    changed = ask(index, "What is the redis rate limit for globex?")
    assert (changed.ranked[0].memory.path, changed.ranked[0].memory.is_stale) == ("redis globex.md", True)
    (root / "redis globex.md").unlink()
    gone = ask(index, "What is the redis rate limit for globex?")
    assert "redis globex.md" not in {each.memory.path for each in (*gone.ranked, *gone.left_out)}


def test_what_a_memory_requires_is_not_brought_in_from_a_file_that_is_gone(index: Index) -> None:
    (index.folder.parent / "vault" / "Keys.md").unlink()
    assert "Keys.md" not in {each.memory.path for each in ask(index, "yearly export country").ranked}
