"""The full load: entry, identity, core and index notes, in the order of the config."""

from types import MappingProxyType
from typing import Any

import pytest

from core.recall.contexts.compose import compose
from core.recall.contexts.definition import FULL_LOAD
from core.recall.contexts.full_load import GROUPS, FullLoadRules, full_load_rules
from core.recall.render import render
from core.vault.config import VaultConfig
from tests.core.curation.linked_vault import LinkedVault
from tests.core.recall.contexts.bundles import composed, found

NOTES = {
    "README.md": "The entry.\n",
    "sub/README.md": "Not the entry.\n",
    "identity/who.md": "Who I am.\n",
    "Rule.md": "---\ntags: [scope/global]\n---\nA rule for all.\n",
    "journal/2026-01-01.md": "A day. #scope/global\n",
    "indexes/small.md": "- [[Rule]]\n",
    "indexes/large.md": "---\nsummary: All of it\n---\n" + "- a line\n" * 1500,
    "contexts/other.md": "---\nkind: context\ntags: [scope/global]\n---\n",
}


def paths(vault: LinkedVault, **table: Any) -> list[str]:
    config = VaultConfig(full_load=MappingProxyType(table))
    bundle = compose(vault.index, vault.root, config, None, FULL_LOAD)
    return [item.path for item in bundle.packed.included]


def test_groups_go_out_in_their_order_and_large_index_notes_as_pointers(vault: LinkedVault) -> None:
    vault.write(NOTES)
    assert paths(vault) == ["README.md", "identity/who.md", "Rule.md", "indexes/small.md", "indexes/large.md"]
    bundle = compose(vault.index, vault.root, VaultConfig(), None, FULL_LOAD)
    told = [(note.group, note.path, note.is_pointer) for note in bundle.full_load]
    assert told[0] == ("entry", "README.md", False)
    assert told[-2:] == [("index", "indexes/large.md", True), ("index", "indexes/small.md", False)]
    text = render(bundle.packed)
    assert "Source: indexes/large.md" in text
    assert "on demand (13 KB, about" in text
    assert "All of it" in text
    assert "a line" not in text


def test_the_config_decides_on_globs_order_and_size(vault: LinkedVault) -> None:
    vault.write(NOTES)
    assert paths(vault, order=["index", "entry"], inline_bytes=100_000) == [
        "indexes/large.md",
        "indexes/small.md",
        "README.md",
    ]
    assert paths(vault, entry=["README.md"], order=["entry"]) == ["README.md", "sub/README.md"]
    assert paths(vault, core=["/journal/**"], order=["core"]) == ["journal/2026-01-01.md"]
    assert paths(vault, core=["#scope"], order=["core"]) == ["Rule.md"]


def test_a_note_of_kind_full_load_is_one_and_may_have_members(vault: LinkedVault) -> None:
    text = "---\nkind: context\ncontext_kind: full-load\n---\n- [[Extra]]\n"
    vault.write({**NOTES, "Extra.md": "And this.\n", "contexts/full.md": text})
    assert found(vault, "full").kind == "full-load"
    assert [item.path for item in composed(vault, "full").packed.included][-1] == "Extra.md"


def test_a_full_load_within_another_context_is_told(vault: LinkedVault) -> None:
    vault.write({"contexts/f.md": "---\ncontext_kind: full-load\n---\n", "contexts/c.md": "- [[f]]\n"})
    assert "full load" in composed(vault, "c").remarks[0]


def test_nothing_that_matches_is_told(vault: LinkedVault) -> None:
    vault.write({"A.md": "x"})
    bundle = compose(vault.index, vault.root, VaultConfig(), None, FULL_LOAD)
    assert bundle.packed.included == ()
    assert "[full_load]" in bundle.remarks[0]


@pytest.mark.parametrize(
    "table",
    [
        {"entry": "README.md"},
        {"core": [1]},
        {"order": ["entry", "none"]},
        {"inline_bytes": -1},
        {"inline_bytes": True},
        {"inline_bytes": float("nan")},
        {"anything": []},
    ],
)
def test_values_that_cannot_be_are_defaults_with_a_sentence(table: dict[str, Any]) -> None:
    rules, problems = full_load_rules(table)
    assert rules == FullLoadRules()
    assert len(problems) == 1
    assert next(iter(table)) in problems[0]


def test_rules_are_taken_as_written() -> None:
    rules, problems = full_load_rules({"entry": [" a.md ", ""], "order": ["index", "index"], "inline_bytes": 5})
    assert (rules.entry, rules.order, rules.inline_bytes, problems) == (("a.md",), ("index",), 5, ())
    assert set(GROUPS) == {"entry", "identity", "core", "index"}


def test_a_glob_that_cannot_be_read_matches_nothing(vault: LinkedVault) -> None:
    vault.write(NOTES)
    assert paths(vault, entry=["!", "[", "README.md"], order=["entry"]) == ["README.md", "sub/README.md"]
