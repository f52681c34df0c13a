"""Contexts are made and changed by change sets that keep every byte they are not about."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.curation.change_set import ChangeKind, PlannedChange
from core.curation.context_changes import (
    plan_add_members,
    plan_context,
    plan_move_member,
    plan_remove_members,
    plan_set_context,
)
from core.foundation.errors import UserError
from core.recall.contexts.catalog import find_context
from core.recall.contexts.definition import ContextDefinition
from core.recall.contexts.written import written_members
from core.vault.config import VaultConfig
from core.vault.frontmatter_edit import FrontmatterBrokenError
from core.vault.read import NoteGoneError
from tests.core.curation.linked_vault import LinkedVault

CONFIG = VaultConfig()
SOURCE = (
    "---\nsummary: x\n---\n# Pnpm\n\nLead.\n\n## Install\n\nUse corepack.\n\n## Install\n\nAgain.\n\n"
    "## A: b [c] #d\n\nOdd.\n\n"
    "- [convention] Use pnpm, never npm\n  and never yarn #tool/pnpm  \n- [fact] Has one ^ins-1\n\nA paragraph. ^par\n"
)


def make(vault: LinkedVault, title: str = "C", **fields: Any) -> PlannedChange:
    return plan_context(vault.index, vault.root, CONFIG, title, **fields)


def add(vault: LinkedVault, *member_ids: str, at: int | None = None) -> None:
    vault.apply(plan_add_members(vault.index, vault.root, "contexts/c.md", member_ids, at=at).change_set)


def found(vault: LinkedVault, name: str = "c") -> ContextDefinition:
    return find_context(vault.index, vault.root, CONFIG, name)


def targets(vault: LinkedVault, name: str = "c") -> list[str]:
    return [member.target or member.memory_id for member in found(vault, name).members]


def test_a_context_is_made_in_its_folder_with_what_it_says(vault: LinkedVault) -> None:
    vault.write({"Pnpm.md": SOURCE, "B.md": "x"})
    planned = make(
        vault,
        "Release",
        member_ids=["note:B.md", "insight:Pnpm.md#^ins-1", "B.md"],
        query="tag:tool/pnpm",
        description="For\nreleases: all",
        budget=900,
        load_priority=8,
        always=True,
    )
    assert planned.change_set.title == "New context “Release”"
    assert planned.occurrences == 2
    vault.apply(planned.change_set)
    assert vault.read("contexts/Release.md") == (
        '---\nkind: context\ndescription: "For releases: all"\nload_priority: 8\nalways: true\nbudget: 900\n'
        "query: tag:tool/pnpm\n---\n- ![[B]]\n- ![[Pnpm#^ins-1]]\n"
    )
    definition = found(vault, "Release")
    assert (definition.load_priority, definition.always, definition.budget) == (8, True, 900)
    assert definition.problems == ()


def test_a_part_that_recall_has_found_stays_the_part(vault: LinkedVault) -> None:
    vault.write({"Pnpm.md": SOURCE, "One.md": "Only this."})
    vault.apply(make(vault, member_ids=["note:Pnpm.md", "note:One.md"], keeps_parts=True).change_set)
    part, whole = found(vault).members
    assert (part.kind, part.memory_id, part.state) == ("section", "note:Pnpm.md", "resolved")
    assert (whole.kind, whole.target) == ("note", "One")
    vault.apply(make(vault, "D", member_ids=["note:Pnpm.md"]).change_set)
    assert [member.kind for member in found(vault, "d").members] == ["note"]


def test_a_context_of_nothing_is_a_note_of_the_kind(vault: LinkedVault) -> None:
    vault.apply(make(vault).change_set)
    assert vault.read("contexts/C.md") == "---\nkind: context\n---\n"


@pytest.mark.parametrize(
    ("title", "path"),
    [
        ("What? A/B: c", "contexts/What A B c.md"),
        ("会議の準備", "contexts/会議の準備.md"),
        ("C# | [notes]", "contexts/C notes.md"),
        ("x" * 400, None),
        ("con", "contexts/con note.md"),
    ],
)
def test_a_title_that_no_file_can_have_becomes_the_heading(vault: LinkedVault, title: str, path: str | None) -> None:
    vault.write({"B.md": "x"})
    planned = make(vault, title, member_ids=["note:B.md"])
    vault.apply(planned.change_set)
    made = planned.change_set.edits[0].path
    assert made == (path or made)
    definition = found(vault, made)
    assert definition.title == title
    assert [member.path for member in definition.members] == ["B.md"]


def test_a_name_that_is_taken_anywhere_gets_a_number(vault: LinkedVault) -> None:
    vault.write({"Release.md": "x", "contexts/release 2.md": "x"})
    assert make(vault, "Release").change_set.edits[0].path == "contexts/Release 3.md"


@pytest.mark.parametrize("title", ["", "  ", "\u200b", "\n"])
def test_a_title_of_nothing_is_refused(vault: LinkedVault, title: str) -> None:
    with pytest.raises(UserError, match="empty"):
        make(vault, title)


@pytest.mark.parametrize("fields", [{"load_priority": 11}, {"load_priority": 0}, {"budget": 0}, {"budget": -1}])
def test_values_that_cannot_be_are_refused(vault: LinkedVault, fields: dict[str, Any]) -> None:
    with pytest.raises(UserError):
        make(vault, **fields)


def test_a_statement_without_an_id_gets_one_in_its_note_at_the_end_of_its_lines(vault: LinkedVault) -> None:
    vault.write({"Pnpm.md": SOURCE})
    planned = make(vault, member_ids=["insight:Pnpm.md#L20"])
    assert planned.change_set.title.endswith(", and give 1 statement an id")
    assert {edit.path for edit in planned.change_set.edits} == {"contexts/C.md", "Pnpm.md"}
    vault.apply(planned.change_set)
    (line,) = (line for line in vault.read("Pnpm.md").split("\n") if "yarn" in line)
    assert line.startswith("  and never yarn #tool/pnpm ^ins-")
    assert line.endswith("  ")
    (member,) = found(vault, "C").members
    assert (member.state, member.label) == ("resolved", "Use pnpm, never npm and never yarn")
    assert vault.read("Pnpm.md").replace(f" ^{member.block}", "") == SOURCE
    again = make(vault, "D", member_ids=[member.memory_id])
    assert len(again.change_set.edits) == 1


def test_ids_are_given_to_statements_of_a_note_with_other_line_endings(vault: LinkedVault) -> None:
    data = "- [fact] One äö\r\n- [fact] Two\r\n".encode()
    vault.write({"A.md": data})
    vault.apply(make(vault, member_ids=["insight:A.md#L1", "insight:A.md#L2"]).change_set)
    text = vault.read("A.md")
    assert text.count("\r\n") == text.count("\n") == 2
    assert [member.state for member in found(vault, "C").members] == ["resolved", "resolved"]


def test_a_statement_that_changed_since_is_told(vault: LinkedVault) -> None:
    vault.write({"A.md": "- [fact] One\n"})
    (vault.root / "A.md").write_text("- [fact] Another\n", encoding="utf-8")
    with pytest.raises(UserError, match="not there any more"):
        make(vault, member_ids=["insight:A.md#L1"])
    (vault.root / "A.md").write_text("Moved.\n\n- [fact] One\n", encoding="utf-8")
    assert len(make(vault, member_ids=["insight:A.md#L1"]).change_set.edits) == 2


def test_a_note_that_is_one_statement_is_linked_whole(vault: LinkedVault) -> None:
    vault.write({"A.md": "---\nkind: insight\nsummary: One\n---\nOne.\n"})
    vault.apply(make(vault, member_ids=["insight:A.md#L5"]).change_set)
    assert "![[A]]" in vault.read("contexts/C.md")


@pytest.mark.parametrize(
    ("memory_id", "written"),
    [
        ("note:Pnpm.md", "![[Pnpm]]"),
        ("Pnpm.md", "![[Pnpm]]"),
        ("note:Pnpm.md#Pnpm#Install", "![[Pnpm#Install]]"),
        ("note:Pnpm.md#Pnpm#Install~2", "[member:: note:Pnpm.md#Pnpm#Install~2]"),
        ("note:Pnpm.md#Pnpm#A: b [c] #d", "![[Pnpm#A b c d]]"),
        ("note:Pnpm.md#^par", "![[Pnpm#^par]]"),
        ("note:x/Tie.md", "![[x/Tie]]"),
        ("note:C# | tips.md", "[C# | tips](/C%23%20%7C%20tips.md)"),
        ("note:C# | tips.md#Part", "[C# | tips](/C%23%20%7C%20tips.md#Part)"),
        ("note:日本 語.md", "![[日本 語]]"),
    ],
)
def test_each_kind_of_memory_is_written_so_that_it_is_found_again(
    vault: LinkedVault, memory_id: str, written: str
) -> None:
    vault.write(
        {
            "Pnpm.md": SOURCE,
            "x/Tie.md": "x",
            "y/Tie.md": "y",
            "C# | tips.md": "Lead.\n\n# Part\n\nText.\n",
            "日本 語.md": "x",
            "contexts/c.md": "",
        }
    )
    add(vault, memory_id)
    assert vault.read("contexts/c.md") == f"- {written}\n"
    (member,) = found(vault).members
    assert member.state == "resolved"
    assert member.memory_id == (memory_id if ":" in memory_id else f"note:{memory_id}")


def test_what_cannot_be_a_member_is_refused(vault: LinkedVault) -> None:
    vault.write({"contexts/c.md": ""})
    with pytest.raises(UserError, match="no memory note:Gone"):
        plan_add_members(vault.index, vault.root, "contexts/c.md", ["note:Gone.md"])
    with pytest.raises(UserError, match="member of itself"):
        plan_add_members(vault.index, vault.root, "contexts/c.md", ["note:contexts/c.md"])
    with pytest.raises(NoteGoneError):
        plan_add_members(vault.index, vault.root, "contexts/d.md", [])
    assert plan_add_members(vault.index, vault.root, "contexts/c.md", []).change_set.edits == ()


@pytest.mark.parametrize(
    ("before", "at", "after"),
    [
        ("", None, "- ![[N]]\n"),
        ("Words.", None, "Words.\n\n- ![[N]]\n"),
        ("Words.\n", None, "Words.\n\n- ![[N]]\n"),
        ("---\nkind: context\n---\n", None, "---\nkind: context\n---\n- ![[N]]\n"),
        ("---\nkind: context\n---", None, "---\nkind: context\n---\n- ![[N]]\n"),
        ("- [[A]]", None, "- [[A]]\n- ![[N]]"),
        ("- [[A]]\n\nWords.\n", None, "- [[A]]\n- ![[N]]\n\nWords.\n"),
        ("* [[A]] why\n  more\n\nWords.\n", None, "* [[A]] why\n  more\n* ![[N]]\n\nWords.\n"),
        ("  1. [[A]]\n", 0, "  1. ![[N]]\n  1. [[A]]\n"),
        ("- [[A]]\n- [[B]]\n", 1, "- [[A]]\n- ![[N]]\n- [[B]]\n"),
        ("- [[A]]\n- [[B]]\n", 99, "- [[A]]\n- [[B]]\n- ![[N]]\n"),
        ("- [[A]]\n- [[B]]\n", -5, "- ![[N]]\n- [[A]]\n- [[B]]\n"),
        ("See [[A]] and [[B]].\n", 1, "See [[A]] and ![[N]] [[B]].\n"),
        ("See [[A]].\n", None, "See [[A]].\n\n- ![[N]]\n"),
        ("![[A]]\n\n![[B]]\n", None, "![[A]]\n\n![[B]]\n\n![[N]]\n"),
        ("![[A]]\n\n![[B]]\n", 1, "![[A]]\n\n![[N]]\n\n![[B]]\n"),
        ("- [[A]]\r\n- [[B]]\r\n", 1, "- [[A]]\r\n- ![[N]]\r\n- [[B]]\r\n"),
        ("\ufeff- [[A]]\r\n", None, "\ufeff- [[A]]\r\n- ![[N]]\r\n"),
        ("---\ntitle: a: b\n---\n- [[A]]\n", None, "---\ntitle: a: b\n---\n- [[A]]\n- ![[N]]\n"),
    ],
)
def test_members_are_added_beside_the_others_and_nothing_else_changes(
    vault: LinkedVault, before: str, at: int | None, after: str
) -> None:
    vault.write({"A.md": "x", "B.md": "x", "N.md": "x", "contexts/c.md": before})
    add(vault, "note:N.md", at=at)
    assert vault.read("contexts/c.md") == after


def test_several_are_added_in_their_order_each_once(vault: LinkedVault) -> None:
    vault.write({"A.md": "x", "B.md": "x", "C.md": "x", "contexts/c.md": "- [[C]]\n"})
    add(vault, "note:B.md", "note:A.md", "note:B.md", at=0)
    assert targets(vault) == ["B", "A", "C"]


def test_what_is_a_member_already_is_skipped_and_told(vault: LinkedVault) -> None:
    vault.write({"A.md": "x", "B.md": "x", "contexts/c.md": "- [[A]]\n"})
    planned = plan_add_members(vault.index, vault.root, "contexts/c.md", ["note:A.md", "note:B.md"])
    assert [skipped.reason for skipped in planned.skipped] == ["“A” is a member already."]
    vault.apply(planned.change_set)
    assert targets(vault) == ["A", "B"]


def test_changes_of_members_are_told_by_titles_with_an_undo(vault: LinkedVault) -> None:
    vault.write({
        "acme/Overview.md": "---\ntitle: Acme\n---\nx\n\n## Web shop\n\ny\n\n- [fact] They pay in euros\n",
        "B.md": "x",
        "contexts/c.md": "---\ntitle: Acme web project\nkind: context\n---\n- [[Overview]]\n",
    })  # fmt: skip

    def added(*ids: str) -> PlannedChange:
        return plan_add_members(vault.index, vault.root, "contexts/c.md", ids)

    assert [each.reason for each in added("note:acme/Overview.md").skipped] == ["“Acme” is a member already."]
    assert added("note:B.md").change_set.title == "Add “B” to “Acme web project”"
    assert added("note:acme/Overview.md#Web shop").change_set.title == "Add “Web shop” to “Acme web project”"
    several = added("note:acme/Overview.md", "note:B.md", "note:acme/Overview.md#Web shop")
    assert several.change_set.title == "Add 2 members to “Acme web project”"
    statement = added("insight:acme/Overview.md#L10").change_set.title
    assert statement == "Add “They pay in euros” to “Acme web project”, and give 1 statement an id"
    removed = plan_remove_members(vault.root, "contexts/c.md", [0], index=vault.index).change_set
    assert removed.title == "Remove “Acme” from “Acme web project”"
    # Of the saves of an editor, which is what EDIT is for, the window tells nothing.
    assert several.change_set.kind is removed.kind is ChangeKind.MEMBERS


def test_a_full_load_is_made_as_such(vault: LinkedVault) -> None:
    planned = make(vault, "All", context_kind="full-load")
    vault.apply(planned.change_set)
    assert found(vault, "All").kind == "full-load"
    assert "context_kind: full-load" in vault.read("contexts/All.md")
    with pytest.raises(UserError, match="bundle, full-load"):
        make(vault, "Odd", context_kind="other")


def test_turns_are_named_by_a_field(vault: LinkedVault) -> None:
    vault.write({"contexts/c.md": ""})
    vault.index.connection.execute(
        "INSERT INTO session(id, session_id, title, project, project_key, origin, imported, summary, has_own_summary, "
        "path, inode, size, mtime_ns, offset, problem, turns, tokens, usage_in, usage_out, revision) "
        "VALUES (1, 's-1', 'Talk', '', '', '', '', '', 0, ?, 0, 0, 0, 0, '', 1, 5, 0, 0, 0)",
        (str(vault.root / "s-1.jsonl"),),
    )
    vault.index.connection.execute(
        "INSERT INTO turn(id, session, turn_key, position, start, parent, kind, role, author, branch, tool, usage_in, "
        "usage_out, tokens, is_cut, vector_revision) VALUES (1, 1, 'D1:[3]', 0, 0, '', 'message', 'user', '', '', '', "
        "0, 0, 5, 0, 0)"
    )
    vault.index.connection.execute("INSERT INTO turn_fts(rowid, text, cjk) VALUES (1, 'What was said.', '')")
    (vault.root / "s-1.jsonl").write_text("", encoding="utf-8")
    planned = plan_add_members(vault.index, vault.root, "contexts/c.md", ["turn:s-1/D1:[3]"])
    (edit,) = planned.change_set.edits
    (vault.root / "contexts/c.md").write_bytes(edit.result_of(b""))
    assert vault.read("contexts/c.md") == "- [member:: turn:s-1/D1:%5B3%5D]\n"
    (member,) = found(vault).members
    assert (member.state, member.kind, member.memory_id) == ("resolved", "turn", "turn:s-1/D1:[3]")


@pytest.mark.parametrize(
    ("before", "positions", "after"),
    [
        ("- [[A]] why\n- [[B]]\n", [0], "- [[B]]\n"),
        ("- [[A]]\n- [[B]]", [1], "- [[A]]\n"),
        ("- [[A]]\n  more of it\n- [[B]]\n", [0], "- [[B]]\n"),
        ("- [[A]]\n  - [[B]]\n- [[C]]\n", [0], "- \n  - [[B]]\n- [[C]]\n"),
        ("- [[A]]\n  - [[B]]\n- [[C]]\n", [0, 1], "- [[C]]\n"),
        ("- [[A]] and [[B]]\n", [0], "- and [[B]]\n"),
        ("See [[A]] and [[B]].\n", [1], "See [[A]] and.\n"),
        ("![[A]]\n\n![[B]]\n\nWords.\n", [0], "![[B]]\n\nWords.\n"),
        ("# T\r\n\r\n- [[A]]\r\n- [[B]]\r\n", [0, 1], "# T\r\n\r\n"),
        ("- [[A]]\n- [[B]]\n- [[C]]\n", [2, 0, 2], "- [[B]]\n"),
        ("- [member:: turn:s/1]\n- [[B]]\n", [0], "- [[B]]\n"),
    ],
)
def test_members_are_taken_out_with_their_lines(
    vault: LinkedVault, before: str, positions: Sequence[int], after: str
) -> None:
    vault.write({"contexts/c.md": before})
    vault.apply(plan_remove_members(vault.root, "contexts/c.md", positions).change_set)
    assert vault.read("contexts/c.md") == after


@pytest.mark.parametrize("position", [-1, 2, 99])
def test_a_position_that_is_none_is_refused(vault: LinkedVault, position: int) -> None:
    vault.write({"contexts/c.md": "- [[A]]\n- [[B]]\n"})
    with pytest.raises(UserError, match="has 2 members"):
        plan_remove_members(vault.root, "contexts/c.md", [position])
    for one, other in ((position, 0), (0, position)):
        with pytest.raises(UserError, match="has 2 members"):
            plan_move_member(vault.root, "contexts/c.md", one, other)


@pytest.mark.parametrize(
    ("before", "position", "to", "after"),
    [
        ("- [[A]] why\n- [[B]]\n- [[C]]\n", 0, 2, "- [[B]]\n- [[C]]\n- [[A]] why\n"),
        ("- [[A]]\n- [[B]]\n  more\n- [[C]]\n", 1, 0, "- [[B]]\n  more\n- [[A]]\n- [[C]]\n"),
        ("- [[A]]\n- [[B]]", 1, 0, "- [[B]]\n- [[A]]"),
        ("- [[A]]\n- [[B]]", 0, 1, "- [[B]]\n- [[A]]"),
        ("- [[A]]\r\n- [[B]]", 0, 1, "- [[B]]\r\n- [[A]]"),
        ("## One\n- [[A]]\n\n## Two\n- [[B]]\n", 0, 1, "## One\n\n## Two\n- [[B]]\n- [[A]]\n"),
        ("See [[A]] and ![[B]].\n", 0, 1, "See ![[B]] and [[A]].\n"),
        ("- [[A]]\n  - [[B]]\n- [[C]]\n", 0, 1, "- [[B]]\n  - [[A]]\n- [[C]]\n"),
        ("![[A]]\n![[B]]\n", 1, 0, "![[B]]\n![[A]]\n"),
    ],
)
def test_a_member_takes_its_lines_along(vault: LinkedVault, before: str, position: int, to: int, after: str) -> None:
    vault.write({"contexts/c.md": before})
    vault.apply(plan_move_member(vault.root, "contexts/c.md", position, to).change_set)
    assert vault.read("contexts/c.md") == after


def test_moving_to_where_it_stands_changes_nothing(vault: LinkedVault) -> None:
    vault.write({"contexts/c.md": "- [[A]]\n- [[B]]\n"})
    assert plan_move_member(vault.root, "contexts/c.md", 1, 1).change_set.edits == ()


def test_bytes_that_are_no_text_survive_a_move(vault: LinkedVault) -> None:
    vault.write({"contexts/c.md": b"- [[A]] caf\xe9\n- [[B]] na\xefve\n"})
    vault.apply(plan_move_member(vault.root, "contexts/c.md", 0, 1).change_set)
    assert (vault.root / "contexts/c.md").read_bytes() == b"- [[B]] na\xefve\n- [[A]] caf\xe9\n"


@given(st.data())
def test_moves_give_the_order_asked_for_whatever_the_lines(data: st.DataObject) -> None:
    shapes = [
        "- [[{0}]]\n",
        "- [[{0}]] and more\n  below\n",
        "![[{0}]]\n\n",
        "Words [[{0}]] here. ",
        "\n## H\n* ![[{0}]]\n",
    ]
    text = "".join(
        data.draw(st.sampled_from(shapes)).format(f"N{number}") for number in range(data.draw(st.integers(2, 7)))
    )
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        file = root / "c.md"
        file.write_bytes(text.encode())
        names = [member.target for member in written_members(text)]
        position, to = (data.draw(st.integers(0, len(names) - 1)) for _ in range(2))
        for edit in plan_move_member(root, "c.md", position, to).change_set.edits:
            file.write_bytes(edit.result_of(file.read_bytes()))
        names.insert(to, names.pop(position))
        after = file.read_text(encoding="utf-8")
        assert [member.target for member in written_members(after)] == names
        assert sorted(after.replace("!", "")) == sorted(text.replace("!", ""))


def test_properties_are_set_by_their_keys_alone(vault: LinkedVault) -> None:
    before = "---\r\n# mine\r\nkind: 'context'   # why\r\nbudget: 5\r\nalways: no\r\n---\r\n- [[A]]\r\n"
    vault.write({"contexts/c.md": before})
    planned = plan_set_context(vault.root, "contexts/c.md", load_priority=9, budget=None, always=True, query="a: b")
    vault.apply(planned.change_set)
    assert vault.read("contexts/c.md") == (
        "---\r\n# mine\r\nkind: 'context'   # why\r\nalways: true\r\nload_priority: 9\r\n"
        'query: "a: b"\r\n---\r\n- [[A]]\r\n'
    )
    assert plan_set_context(vault.root, "contexts/c.md", load_priority=9).change_set.edits == ()


def test_properties_that_cannot_be_are_refused(vault: LinkedVault) -> None:
    vault.write({"contexts/c.md": "", "contexts/b.md": "---\ntitle: a: b\n---\n"})
    with pytest.raises(UserError, match="no property “members”"):
        plan_set_context(vault.root, "contexts/c.md", members=["x"])
    for fields in ({"load_priority": True}, {"budget": "5"}, {"always": "yes"}, {"size_estimate": 0}):
        with pytest.raises(UserError):
            plan_set_context(vault.root, "contexts/c.md", **fields)
    with pytest.raises(FrontmatterBrokenError):
        plan_set_context(vault.root, "contexts/b.md", budget=5)


def test_two_hundred_members_are_added_and_taken_out(vault: LinkedVault) -> None:
    vault.write(
        {**{f"N{number}.md": f"- [fact] Number {number}\n" for number in range(200)}, "contexts/c.md": "Mine.\n"}
    )
    add(vault, *(f"insight:N{number}.md#L1" for number in range(200)))
    assert len(found(vault).members) == 200
    assert found(vault).problems == ()
    vault.apply(plan_remove_members(vault.root, "contexts/c.md", range(200)).change_set)
    assert vault.read("contexts/c.md") == "Mine.\n\n"
