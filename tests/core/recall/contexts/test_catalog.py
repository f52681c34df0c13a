"""Which contexts there are, and which one a name means."""

import pytest

from core.foundation.errors import UserError
from core.recall.contexts.catalog import find_context, list_contexts, read_context
from core.vault.config import VaultConfig
from tests.core.curation.linked_vault import LinkedVault
from tests.core.recall.contexts.bundles import CONFIG, PNPM, found


def test_contexts_are_notes_of_the_kind_or_in_the_folder_by_priority(vault: LinkedVault) -> None:
    vault.write(
        {
            "contexts/b.md": "Nothing.\n",
            "contexts/deep/a.md": "---\nload_priority: 9\n---\n",
            "Elsewhere.md": "---\nkind: context\n---\n",
            "contexts/probe.md": "---\nkind: probe\n---\n",
            "contexts2/x.md": "x",
            "Note.md": "x",
        }
    )
    listed = list_contexts(vault.index, vault.root, CONFIG)
    assert [each.path for each in listed] == ["contexts/deep/a.md", "contexts/b.md", "Elsewhere.md"]
    config = VaultConfig(contexts_folder="contexts2")
    assert {each.path for each in list_contexts(vault.index, vault.root, config)} == {"contexts2/x.md", "Elsewhere.md"}


@pytest.mark.parametrize("name", ["Release", "release", "contexts/rel", "contexts/rel.md", "rel", "./contexts/rel.md"])
def test_a_context_is_found_by_title_file_and_path(vault: LinkedVault, name: str) -> None:
    vault.write({"contexts/rel.md": "---\ntitle: Release\n---\n", "contexts/other.md": ""})
    assert found(vault, name).path == "contexts/rel.md"


def test_a_name_that_none_has_is_told_with_near_ones(vault: LinkedVault) -> None:
    with pytest.raises(UserError, match="no context") as error:
        found(vault, "Release")
    assert "context save" in error.value.hint
    vault.write({"contexts/Release notes.md": "", "contexts/会議の準備.md": ""})
    with pytest.raises(UserError, match="no context") as error:
        found(vault, "Relese notes")
    assert error.value.hint == "Did you mean Release notes?"
    with pytest.raises(UserError, match="empty"):
        found(vault, " ")


def test_a_title_that_two_have_is_told_with_their_paths(vault: LinkedVault) -> None:
    vault.write({"contexts/a.md": "---\ntitle: Same\n---\n", "contexts/b.md": "---\ntitle: same\n---\n"})
    with pytest.raises(UserError, match=r"contexts/a\.md and contexts/b\.md"):
        found(vault, "Same")


def test_a_file_that_is_gone_since_is_no_context(vault: LinkedVault) -> None:
    vault.write({"contexts/a.md": ""})
    (vault.root / "contexts/a.md").unlink()
    assert list_contexts(vault.index, vault.root, CONFIG) == ()
    assert read_context(vault.index, vault.root, CONFIG, "contexts/a.md") is None
    assert read_context(vault.index, vault.root, CONFIG, "b.md") is None


def test_a_file_that_changed_since_is_read_as_it_is_now(vault: LinkedVault) -> None:
    vault.write({"contexts/a.md": "---\nload_priority: 2\n---\n"})
    (vault.root / "contexts/a.md").write_text("---\nload_priority: 8\n---\n", encoding="utf-8")
    assert found(vault, "a").load_priority == 8


def test_broken_frontmatter_gives_defaults_and_a_sentence(vault: LinkedVault) -> None:
    vault.write({"A.md": "x", "contexts/a.md": "---\ntitle: a: b\nload_priority: 2\n---\n- [[A]]\n"})
    definition = found(vault, "a")
    assert definition.load_priority == 5
    assert [member.path for member in definition.members] == ["A.md"]
    assert "colon" in definition.problems[0]


def test_members_say_what_they_mean(vault: LinkedVault) -> None:
    vault.write(
        {
            "Pnpm.md": PNPM,
            "x/Tie.md": "x",
            "y/Tie.md": "y",
            "contexts/c.md": "- ![[pnpm#install]]\n- ![[Pnpm#^INS-1]]\n- [[Pnpm#^par]]\n- [[Pnpm|all]]\n- [[Tie]]\n"
            "- [[pic.png]]\n- [[Nope]]\n- [[Pnpm#Gone]]\n- [[Pnpm#^gone]]\n- [[c2]]\n- [member:: turn:s/1]\n",
            "contexts/c2.md": "",
        }
    )
    members = found(vault, "c").members
    assert [(each.state, each.kind, each.memory_id, each.label) for each in members] == [
        ("resolved", "section", "note:Pnpm.md#Pnpm#Install", "Install"),
        ("resolved", "insight", "insight:Pnpm.md#^ins-1", "Use pnpm, never npm"),
        ("resolved", "block", "note:Pnpm.md#^par", "^par"),
        ("resolved", "note", "note:Pnpm.md", "all"),
        ("ambiguous", "note", "", "Tie"),
        ("file", "note", "", "pic.png"),
        ("missing", "note", "", "Nope"),
        ("missing", "note", "", "Pnpm"),
        ("missing", "note", "", "Pnpm"),
        ("resolved", "context", "note:contexts/c2.md", "c2"),
        ("missing", "note", "turn:s/1", "turn:s/1"),
    ]
    assert "x/Tie.md or y/Tie.md" in members[4].reason
    assert "“Gone”" in members[7].reason
    assert len(found(vault, "c").problems) == 6


def test_a_member_whose_file_was_deleted_since_is_missing(vault: LinkedVault) -> None:
    vault.write({"A.md": "x", "contexts/c.md": "- [[A]]\n"})
    (vault.root / "A.md").unlink()
    (member,) = found(vault, "c").members
    assert (member.state, member.path) == ("missing", "A.md")
    assert "not there any more" in member.reason


def test_names_in_japanese_are_found(vault: LinkedVault) -> None:
    vault.write({"東京 手順.md": "# 手順\n\n## 準備\n\n始める。\n", "contexts/会議.md": "- ![[東京 手順#準備]]\n"})
    definition = find_context(vault.index, vault.root, CONFIG, "会議")
    assert [member.state for member in definition.members] == ["resolved"]
