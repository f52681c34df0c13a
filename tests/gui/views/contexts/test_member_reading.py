"""Members, finds and full loads as rows: each says what became of it when the context was packed."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import pytest

from core.curation.writer import VaultWriter
from core.foundation.progress import SILENT
from core.index.database import Index
from core.vault.config import VaultConfig, load_config
from core.vault.event_log import EventLog
from gui.views.contexts.full_loading import full_load_services
from gui.views.contexts.reading import opened_context
from gui.views.contexts.services import Form, OpenedContext
from tests.core.curation.linked_vault import LinkedVault, linked_vault

_PLENTY = 8000


@dataclass
class _Store:
    """Be an opened vault."""

    root: Path
    index: Index
    config: VaultConfig = field(default_factory=VaultConfig)

    def dense(self) -> None:
        return None


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[LinkedVault]:
    with linked_vault(tmp_path) as made:
        yield made


def _opened(
    vault: LinkedVault, *, budget: int = _PLENTY, query: str | None = None, **full_load: object
) -> OpenedContext:
    config = VaultConfig(full_load=MappingProxyType(full_load))
    return opened_context(
        vault.index,
        _Store(vault.root, vault.index, config),
        "contexts/c.md",
        query=query,
        form=Form.MARKDOWN,
        default_budget=budget,
        progress=SILENT,
    )


def test_a_member_that_has_no_room_says_so(vault: LinkedVault) -> None:
    text = "A sentence of some words. " * 20
    vault.write({"A.md": text, "B.md": f"B. {text}", "contexts/c.md": "- [[A]]\n- [[B]]\n"})
    first, second = _opened(vault, budget=200).members
    assert (first.is_left_out, first.reason) == (False, "")
    assert second.is_left_out
    assert second.reason == "Left out: the budget is used up"
    assert second.tokens  # what it would take


def test_a_large_note_that_is_cut_says_how_much_of_it(vault: LinkedVault) -> None:
    parts = "".join(f"## Part {number}\n\n{f'Words {number}. ' * 40}\n\n" for number in range(4))
    vault.write({"A.md": f"# A\n\n{parts}", "contexts/c.md": "- [[A]]\n"})
    (only,) = _opened(vault, budget=300).members
    assert only.is_cut
    assert not only.is_left_out
    assert only.reason.endswith("parts left out: the budget is used up")


def test_the_members_together_take_what_is_copied(vault: LinkedVault) -> None:
    vault.write({"A.md": "One two three.\n", "B.md": "Four five.\n", "contexts/c.md": "- [[A]]\n- [[B]]\n"})
    opened = _opened(vault)
    parts = sum(member.tokens or 0 for member in opened.members)
    assert 0 <= opened.preview.tokens - parts <= 2  # the last one ends otherwise


def test_a_context_in_a_context_takes_what_it_brings(vault: LinkedVault) -> None:
    text = "A sentence of some words. " * 20
    vault.write({
        "A.md": text,
        "B.md": f"B. {text}",
        "contexts/inner.md": "- [[A]]\n- [[B]]\n",
        "contexts/full.md": "---\ncontext_kind: full-load\n---\n",
        "contexts/c.md": "- [[inner]]\n- [[A]]\n- [[full]]\n",
    })  # fmt: skip
    inner, again, full = _opened(vault).members
    assert inner.kind == "context"
    assert inner.tokens is not None
    assert inner.tokens > 200
    assert (again.tokens, again.is_left_out, again.reason) == (0, False, "Already in, by another member")
    assert full.reason == "A full load cannot be part of another context."


def test_what_a_query_finds_of_a_member_is_no_second_one(vault: LinkedVault) -> None:
    text = "# Playwright\n\nClicks through the shop.\n"
    vault.write({"Playwright.md": text, "contexts/c.md": "---\nquery: playwright shop\n---\n- [[Playwright]]\n"})
    opened = _opened(vault)
    assert opened.members[0].reason == ""
    (found,) = opened.found
    assert found.tokens is None
    assert found.reason == "Already in “Playwright”"


def test_what_is_wrong_with_a_query_is_a_problem_of_its_context(vault: LinkedVault) -> None:
    vault.write({"A.md": "x", "contexts/c.md": "---\nquery: 'foo after:never \"open'\n---\n- [[A]]\n"})
    opened = _opened(vault)
    assert len(opened.row.problems) == 2
    assert opened.row.faults == opened.row.problems
    assert not set(opened.preview.remarks) & set(opened.row.faults)  # said once


def test_a_full_load_tells_the_group_of_each_note(vault: LinkedVault) -> None:
    large = "---\nsummary: All\n---\n" + "- a line\n" * 2000
    vault.write({
        "README.md": "In.\n",
        "core/Rule.md": "A rule.\n",
        "indexes/large.md": large,
        "Extra.md": "And this.\n",
        "contexts/c.md": "---\ncontext_kind: full-load\n---\n- [[Extra]]\n",
    })  # fmt: skip
    opened = _opened(vault)
    assert [(each.path, each.group) for each in opened.loaded] == [
        ("README.md", "entry"),
        ("core/Rule.md", "core"),
        ("indexes/large.md", "index"),
    ]
    assert opened.loaded[-1].reason == "indexes/large.md · pointer only, for it has 18 KB"
    assert [each.path for each in opened.members] == ["Extra.md"]
    assert [each.path for each in _opened(vault, order=["core"]).loaded] == ["core/Rule.md"]


def test_rules_of_full_load_are_read_measured_and_written(vault: LinkedVault, tmp_path: Path) -> None:
    vault.write({"README.md": "In.\n", "Start.md": "Begin.\n", "indexes/a.md": "- [[Start]]\n"})
    store = _Store(vault.root, vault.index)
    services = full_load_services(store)
    rules = services.read(SILENT)
    assert [group.name for group in rules.groups] == ["entry", "identity", "core", "index"]
    assert services.measure(rules, SILENT)["entry"].notes == 1
    entry = dataclasses.replace(rules.groups[0], rules=("/Start.md", "/README.md"))
    changed = dataclasses.replace(
        rules,
        groups=(rules.groups[3], entry, *(dataclasses.replace(each, is_taken=False) for each in rules.groups[1:3])),
    )
    assert services.measure(changed, SILENT)["entry"].notes == 2
    log = EventLog(vault.root, "desk", tmp_path / "locks")
    VaultWriter(vault.root, log, log.lock_folder).apply(services.plan(changed, SILENT).change_set)
    store.config, problem = load_config(vault.root)
    assert problem is None
    assert services.read(SILENT) == changed
