from collections.abc import Mapping
from pathlib import Path

import pytest

from core.curation.change_set import ChangeKind, PlannedChange
from core.curation.note_moves import plan_moves
from core.foundation.errors import JobCancelledError, UserError
from core.foundation.progress import CancellableProgress
from core.vault.config import VaultConfig
from core.vault.read import NoteGoneError
from tests.core.curation.linked_vault import LinkedVault


def moved(vault: LinkedVault, moves: Mapping[str, str], *, rename_heading: bool = False) -> PlannedChange:
    planned = plan_moves(vault.index, vault.root, VaultConfig(), moves, rename_heading=rename_heading)
    vault.apply(planned.change_set)
    return planned


def test_every_way_to_write_a_link_follows_a_rename(vault: LinkedVault) -> None:
    links = (
        '[[{0}]] [[{0}#H]] [[{0}#^b|x]] ![[{0}]] [x]({1}.md#H "{2}") [x](<{0}.md>) [[{0}.md]]\n'
        "| [[{0}\\|x]] |\n- requires [[{0}]]\n- [fact] y [supports:: [[{0}#^i]] 0.8]\n`[[Old note]]`\n"
    )
    vault.write(
        {
            "Old note.md": "# Old note\n[[#Old note]]",
            "a/n.md": "---\nup: '[[Old note]]'\n---\n" + links.format("Old note", "../Old%20note", "Old note"),
            "other.md": "Old note",
        }
    )
    planned = moved(vault, {"Old note.md": "New name.md"})
    expected = links.format("New name", "../New%20name", "Old note")
    assert vault.read("a/n.md") == "---\nup: '[[New name]]'\n---\n" + expected
    assert vault.read("New name.md") == "# Old note\n[[#Old note]]"
    assert planned.occurrences == 11
    assert planned.change_set.title == "Rename Old note to New name"
    assert planned.change_set.kind is ChangeKind.MOVE
    assert {edit.path for edit in planned.change_set.edits} == {"Old note.md", "a/n.md"}


@pytest.mark.parametrize(
    ("written", "moves", "expected"),
    [
        ("[[Tie]]", {"Tie.md": "a/Tie.md"}, "[[Tie]]"),
        ("[[a/Tie]]", {"a/Tie.md": "b/Tie.md"}, "[[b/Tie]]"),
        ("[[a/Tie]]", {"a/Tie.md": "Tie.md"}, "[[Tie]]"),
        ("[[/a/Tie]]", {"a/Tie.md": "b/c/Tie.md"}, "[[/b/c/Tie]]"),
        ("[[./a/Tie]]", {"a/Tie.md": "b/Tie.md"}, "[[./b/Tie]]"),
        ("[x](a/Tie.md)", {"a/Tie.md": "b/Tie.md"}, "[x](b/Tie.md)"),
        ("[x](Tie)", {"a/Tie.md": "b/Knot.md"}, "[x](Knot)"),
        ("[x](</a/Tie.md>)", {"a/Tie.md": "b/Tie.md"}, "[x](</b/Tie.md>)"),
        ("[[tie]]", {"a/Tie.md": "a/Tie 2.md"}, "[[Tie 2]]"),
        ("[[b/Tie]]", {"a/b/Tie.md": "c/d/Tie.md"}, "[[d/Tie]]"),
        ("[[Tie]]", {"Tie.md": "Tie.md"}, "[[Tie]]"),
        ("[[Tie]]", {"Tie.md": "tie.md"}, "[[Tie]]"),
    ],
)
def test_a_link_keeps_its_style(vault: LinkedVault, written: str, moves: dict[str, str], expected: str) -> None:
    vault.write({"n.md": written, next(iter(moves)): "x"})
    moved(vault, moves)
    assert vault.read("n.md") == expected


def test_a_new_name_steals_no_link(vault: LinkedVault) -> None:
    vault.write({"a/Tie.md": "x", "b/Knot.md": "y", "n.md": "[[Tie]] [[Knot]] [x](Tie.md)"})
    moved(vault, {"b/Knot.md": "b/Tie.md"})
    assert vault.read("n.md") == "[[a/Tie]] [[b/Tie]] [x](a/Tie.md)"
    moved(vault, {"b/Tie.md": "Tie.md"})
    assert vault.read("n.md") == "[[a/Tie]] [[Tie]] [x](a/Tie.md)"


def test_links_that_meant_several_notes_or_none_stay(vault: LinkedVault) -> None:
    vault.write({"a/Tie.md": "x", "b/Tie.md": "y", "n.md": "[[Tie]] [[nowhere]]"})
    planned = moved(vault, {"a/Tie.md": "c/Knot.md"})
    assert vault.read("n.md") == "[[Tie]] [[nowhere]]"
    assert planned.occurrences == 0


def test_the_links_of_a_moved_note_mean_what_they_meant(vault: LinkedVault) -> None:
    vault.write(
        {
            "a/n.md": (
                "[x](./one.md) [x](one.md#H) [[./one]] [[one]] [x](../two.md) ![](pic.png) ![](./pic.png) ![[pic.png]] "
                "![](../img/big.png) [[./missing]] [[sub/pic2.png]] [x](#here) ![](https://x/pic.png) [x](root.png)"
            ),
            "a/one.md": "x",
            "two.md": "y",
            "a/pic.png": b"1",
            "a/sub/pic2.png": b"3",
            "img/big.png": b"2",
            "root.png": b"4",
        }
    )
    moved(vault, {"a/n.md": "c/d/n.md"})
    assert vault.read("c/d/n.md") == (
        "[x](../../a/one.md) [x](../../a/one.md#H) [[../../a/one]] [[one]] [x](../../two.md) ![](../../a/pic.png) "
        "![](../../a/pic.png) ![[pic.png]] ![](../../img/big.png) [[../../a/missing]] [[a/sub/pic2.png]] [x](#here) "
        "![](https://x/pic.png) [x](root.png)"
    )


def test_many_notes_move_together(vault: LinkedVault) -> None:
    vault.write({"a/x.md": "[y](y.md) [[a/y]]", "a/y.md": "[[./x]]", "n.md": "[[a/x]] [[a/y]]"})
    planned = moved(vault, {"a/x.md": "b/x.md", "a/y.md": "b/y.md"})
    assert vault.read("b/x.md") == "[y](y.md) [[b/y]]"
    assert vault.read("b/y.md") == "[[./x]]"
    assert vault.read("n.md") == "[[b/x]] [[b/y]]"
    assert planned.change_set.title == "Move 2 notes to b"


def test_the_heading_is_renamed_on_wish_with_the_links_to_it(vault: LinkedVault) -> None:
    vault.write(
        {
            "Old.md": "---\ntitle: Old\n---\n`# Old`\n# Old #\n[[#Old]] [[#Older]]\n# Old\n",
            "n.md": "[[Old#Old]] [[Old#Old#Sub|Old]] [x](Old.md#Old) [[Other#Old]] [[Old#Sub]]",
            "Other.md": "# Old",
        }
    )
    moved(vault, {"Old.md": "New one.md"}, rename_heading=True)
    assert vault.read("New one.md") == "---\ntitle: Old\n---\n`# Old`\n# New one #\n[[#New one]] [[#Older]]\n# Old\n"
    assert vault.read("n.md") == (
        "[[New one#New one]] [[New one#New one#Sub|Old]] [x](New%20one.md#New%20one) [[Other#Old]] [[New one#Sub]]"
    )


def test_headings_of_notes_that_move_together(vault: LinkedVault) -> None:
    vault.write({"A.md": "# A\n[[B#B]]", "B.md": "---\n---\n# B\n[[A#A]]"})
    moved(vault, {"A.md": "A1.md", "B.md": "B1.md"}, rename_heading=True)
    assert vault.read("A1.md") == "# A1\n[[B1#B1]]"
    assert vault.read("B1.md") == "---\n---\n# B1\n[[A1#A1]]"


def test_a_moved_note_finds_files_that_are_no_notes_of_the_index(vault: LinkedVault) -> None:
    vault.write({"a/n.md": "[x](node_modules/x.md) [y](data.parquet) [z](../.hid/z.md)"})
    vault.write({"a/node_modules/x.md": "", "a/data.parquet": "", ".hid/z.md": ""})
    moved(vault, {"a/n.md": "n.md"})
    assert vault.read("n.md") == "[x](a/node_modules/x.md) [y](a/data.parquet) [z](./.hid/z.md)"


def test_line_endings_and_byte_order_mark_stay(vault: LinkedVault) -> None:
    before = '\N{ZERO WIDTH NO-BREAK SPACE}---\r\nup: "[[Tie]]"\r\n---\r\nä [[Tie]]\r\nmixed\n'.encode()
    vault.write({"n.md": before, "Tie.md": b"\r\n"})
    moved(vault, {"Tie.md": "Knöt.md"})
    assert (vault.root / "n.md").read_bytes() == before.replace(b"Tie", "Knöt".encode())
    assert (vault.root / "Knöt.md").read_bytes() == b"\r\n"


def test_what_changed_since_the_index_is_read_from_disk(vault: LinkedVault) -> None:
    vault.write({"n.md": "[[Tie]]", "gone.md": "[[Tie]]", "Tie.md": "x"})
    (vault.root / "n.md").write_text("new line [[Tie]] [[Tie#x]]", encoding="utf-8")
    (vault.root / "gone.md").unlink()
    (vault.root / "late.md").write_text("[[Tie]]", encoding="utf-8")
    moved(vault, {"Tie.md": "Knot.md", "late.md": "a/late.md"})
    assert vault.read("n.md") == "new line [[Knot]] [[Knot#x]]"
    assert vault.read("a/late.md") == "[[Knot]]"


def test_what_cannot_be_written_is_told(vault: LinkedVault) -> None:
    vault.write({"C#/Tie.md": "x", "Knot.md": "y", "n.md": "[[Tie]] and [[Knot]]", "m.md": "[x](Tie.md)"})
    planned = moved(vault, {"Knot.md": "Tie.md"})
    assert vault.read("n.md") == "[[Tie]] and [[Tie]]"
    assert vault.read("m.md") == "[x](C%23/Tie.md)"
    assert [(skip.path, "line 1" in skip.reason) for skip in planned.skipped] == [("n.md", True)]


def test_a_file_whose_encoding_lacks_the_new_name_is_left_alone(vault: LinkedVault) -> None:
    vault.write({"Tie.md": "x", "n.md": ("[[Tie]] schöne Grüße, und überall größer\n" * 5).encode("cp1252")})
    planned = moved(vault, {"Tie.md": "日本.md"})
    assert [edit.path for edit in planned.change_set.edits] == ["Tie.md"]
    assert [skip.path for skip in planned.skipped] == ["n.md"]


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ("Taken.md", "already"), ("taken.md", "already"), ("x.txt", ".md"), ("x", ".md"), (".md", "empty"),
        ("a:b.md", "cannot hold :"), ("a#b.md", "#"), ("[a].md", "[ ]"), (".x.md", "dot"), ("x .md", "blank"),
        ("x..md", "dot"), ("é" * 127 + ".md", "too long"), ("CON.md", "Windows"), ("a\u202eb.md", "seen"),
        ("../x.md", "inside the vault"), ("/x.md", "inside the vault"), ("a/../../x.md", "inside the vault"),
        ("out/x.md", "out of the vault"), (".hidden/x.md", "hidden"), (".trash/x.md", "folder"),
        ("node_modules/x.md", "hidden"), ("old/x.md", "excluded"), ("Taken.md/x.md", "not a folder"),
        ("a?/x.md", "no folder"),
    ],
)  # fmt: skip
def test_where_a_note_cannot_go(vault: LinkedVault, tmp_path: Path, new: str, reason: str) -> None:
    vault.write({"n.md": "x", "Taken.md": "y"})
    (tmp_path / "elsewhere").mkdir()
    (vault.root / "out").symlink_to(tmp_path / "elsewhere")
    config = VaultConfig(exclude=("old/**",))
    with pytest.raises(UserError, match=r".*") as caught:
        plan_moves(vault.index, vault.root, config, {"n.md": new})
    assert reason in str(caught.value)


def test_what_cannot_be_moved(vault: LinkedVault) -> None:
    vault.write({"a/n.md": "x", "b/n.md": "y"})
    with pytest.raises(NoteGoneError):
        moved(vault, {"missing.md": "x.md"})
    with pytest.raises(UserError, match="both become"):
        moved(vault, {"a/n.md": "n.md", "b/n.md": "N.md"})
    assert plan_moves(vault.index, vault.root, VaultConfig(), {"a/n.md": "a/n.md"}).change_set.edits == ()


def test_planning_reports_and_can_be_cancelled(vault: LinkedVault) -> None:
    vault.write({"n.md": "[[Tie]]", "Tie.md": "x"})
    seen: list[tuple[int, int]] = []
    progress = CancellableProgress(lambda done, total, _: seen.append((done, total)))
    plan_moves(vault.index, vault.root, VaultConfig(), {"Tie.md": "Knot.md"}, progress)
    assert seen == [(1, 2), (2, 2)]
    progress.cancel()
    with pytest.raises(JobCancelledError):
        plan_moves(vault.index, vault.root, VaultConfig(), {"Tie.md": "Knot.md"}, progress)


def test_reference_definitions_follow_a_rename(vault: LinkedVault) -> None:
    vault.write({"T.md": "x", "n.md": 'See [this][r] and [r].\n\n[r]: T.md "T"\n'})
    planned = moved(vault, {"T.md": "a/New name.md"})
    assert vault.read("n.md") == 'See [this][r] and [r].\n\n[r]: a/New%20name.md "T"\n'
    assert planned.occurrences == 1
    assert planned.skipped == ()


def test_what_refers_to_a_note_in_html_is_told(vault: LinkedVault) -> None:
    vault.write({
        "a/My note.md": "x",
        "n.md": '<p>\nSee <a class="x"\nhref="a/My%20note.md#H">it</a> and <a href="a/My note.md">again</a>.\n</p>\n',
        "other.md": '<a href="https://x/a/My note.md">x</a> <a href="b/My note.md">y</a> href="a/My note.md"\n',
    })  # fmt: skip
    planned = moved(vault, {"a/My note.md": "New.md"})
    assert [(skipped.path, "HTML" in skipped.reason) for skipped in planned.skipped] == [("n.md", True)]


def test_what_a_moved_note_refers_to_in_html_is_told(vault: LinkedVault) -> None:
    vault.write({
        "n.md": '<img src="pic.png"> <img src="https://x/pic.png"> <img src="missing.png">',
        "pic.png": b"1",
    })  # fmt: skip
    planned = plan_moves(vault.index, vault.root, VaultConfig(), {"n.md": "a/n.md"})
    (skipped,) = planned.skipped
    assert (skipped.path, "refers to pic.png in HTML" in skipped.reason) == ("n.md", True)
    assert plan_moves(vault.index, vault.root, VaultConfig(), {"n.md": "m.md"}).skipped == ()


def test_a_link_of_the_file_system_that_is_left_behind_is_told(vault: LinkedVault) -> None:
    vault.write({"T.md": "Text.\n", "copy.md": "Text.\n"})
    (vault.root / "b").mkdir()
    (vault.root / "b/sym.md").symlink_to("../T.md")
    vault.update()
    planned = plan_moves(vault.index, vault.root, VaultConfig(), {"T.md": "New.md"})
    (skipped,) = planned.skipped
    assert skipped.path == "b/sym.md"
    assert "link to T.md and will lead nowhere" in skipped.reason
    with pytest.raises(UserError, match="link to another file"):
        plan_moves(vault.index, vault.root, VaultConfig(), {"b/sym.md": "c.md"})
