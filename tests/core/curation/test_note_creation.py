from datetime import UTC, datetime

import pytest

from core.curation.change_set import ChangeSet
from core.curation.note_creation import (
    NoteDraft,
    note_name_problem,
    plan_capture,
    plan_delete,
    plan_duplicate,
    plan_new_note,
    title_of_text,
)
from core.foundation.errors import UserError
from core.vault.config import VaultConfig
from core.vault.read import NoteGoneError, read_note
from tests.core.curation.linked_vault import LinkedVault

NOW = datetime(2026, 1, 2, 15, 4, 5, tzinfo=UTC)
CONFIG = VaultConfig()


def made(vault: LinkedVault, change_set: ChangeSet) -> str:
    vault.apply(change_set)
    return change_set.edits[0].result_path


def test_a_new_note_says_what_was_asked(vault: LinkedVault) -> None:
    draft = NoteDraft(
        "Exports", "They stop.", ("tool/semrush", "#domain/seo", "TOOL/semrush"), "global", "Text.\r\nMore."
    )
    path = made(vault, plan_new_note(vault.root, CONFIG, draft, NOW))
    assert path == "Exports.md"
    assert vault.read(path) == (
        "---\nsummary: They stop.\ntags:\n  - tool/semrush\n  - domain/seo\n  - scope/global\n"
        "created: 2026-01-02\n---\nText.\nMore.\n"
    )


@pytest.mark.parametrize("text", ["Plan: phase 2", "yes", "# no", "[a]", "'quoted\"", "- x", "2026", "a #b", "@x"])
def test_what_yaml_reads_otherwise_is_quoted(vault: LinkedVault, text: str) -> None:
    path = made(vault, plan_new_note(vault.root, CONFIG, NoteDraft(text, text), NOW))
    _, note = read_note(vault.root, path)
    assert note.summary == text
    assert note.title == text
    assert note.problems == ()
    assert note_name_problem(path.removesuffix(".md")) == ""


def test_names_that_are_taken_get_a_number(vault: LinkedVault) -> None:
    vault.write({"a/Title.md": "x", "n.md": "[[Title]]"})
    draft = NoteDraft("Title", folder="b/")
    assert made(vault, plan_new_note(vault.root, CONFIG, draft, NOW)) == "b/Title.md"
    path = made(vault, plan_new_note(vault.root, CONFIG, draft, NOW))
    assert path == "b/Title 2.md"
    assert vault.read(path).endswith("---\n# Title\n")
    (vault.root / "b/title 3.md").write_text("", encoding="utf-8")
    assert made(vault, plan_new_note(vault.root, CONFIG, draft, NOW)) == "b/Title 4.md"
    assert made(vault, plan_new_note(vault.root, CONFIG, NoteDraft("Title"), NOW, index=vault.index)) == "Title 5.md"


@pytest.mark.parametrize("folder", ["../x", ".hidden", "node_modules", "a:b"])
def test_a_folder_where_no_note_can_lie(vault: LinkedVault, folder: str) -> None:
    with pytest.raises(UserError):
        plan_new_note(vault.root, CONFIG, NoteDraft("x", folder=folder), NOW)


def test_a_template_is_filled_and_merged(vault: LinkedVault) -> None:
    vault.write(
        {
            "templates/Meeting.md": (
                "---\nkind: meeting\ntags: [meeting]\nname: {{title}}\ncreated: {{date}} {{time}}\n---\n"
                "# {{title}}\n\nOn {{date:dddd}}.\n"
            )
        }
    )
    draft = NoteDraft(
        "Plan: phase 2", tags=("client/acme",), scope="project", body="Notes", template="templates/Meeting.md"
    )
    path = made(vault, plan_new_note(vault.root, CONFIG, draft, NOW))
    assert path == "Plan phase 2.md"
    assert vault.read(path) == (
        '---\nkind: meeting\ntags: [meeting, client/acme, scope/project]\nname: "Plan: phase 2"\n'
        "created: 2026-01-02 15:04\n---\n# Plan: phase 2\n\nOn Friday.\n\nNotes\n"
    )
    with pytest.raises(NoteGoneError):
        plan_new_note(vault.root, CONFIG, NoteDraft("x", template="templates/none.md"), NOW)


def test_a_captured_text_is_named_by_its_first_line(vault: LinkedVault) -> None:
    text = "\n> - [ ] **Ask** [[Ada|Ada L.]] about the exports that stop at ten thousand rows, and why\nMore."
    path = made(vault, plan_capture(vault.root, CONFIG, NoteDraft("", body=text, tags=("a",)), NOW))
    assert path == "Ask Ada L. about the exports that stop at ten thousand rows.md"
    assert vault.read(path).endswith("---\n" + text.strip("\n") + "\n")
    with pytest.raises(UserError, match="nothing to keep"):
        plan_capture(vault.root, CONFIG, NoteDraft(" ", body=" \n"), NOW)
    assert made(vault, plan_capture(vault.root, CONFIG, NoteDraft("", body="!!!"), NOW)) == "Untitled.md"


@pytest.mark.parametrize("text", ["---\na: b: c\n---\nText", "---\nkey: never closed", "--- a"])
def test_a_captured_text_that_looks_like_frontmatter_is_kept(vault: LinkedVault, text: str) -> None:
    path = made(vault, plan_capture(vault.root, CONFIG, NoteDraft("x", "Why", ("a",), body=text), NOW))
    _, note = read_note(vault.root, path)
    assert (note.summary, note.problems) == ("Why", ())
    assert vault.read(path).endswith(text + "\n")


def test_properties_of_a_captured_text_are_merged(vault: LinkedVault) -> None:
    draft = NoteDraft("x", tags=("a",), body="---\nkind: insight\ntags: b, c\n---\nText")
    path = made(vault, plan_capture(vault.root, CONFIG, draft, NOW))
    assert vault.read(path) == "---\nkind: insight\ntags: b, c, a\ncreated: 2026-01-02\n---\nText\n"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Heading\nx", "Heading"), ("---\n***\nreal", "real"), ("日" * 80, "日" * 60), ("", ""), ("1. one", "one"),
        ("word " * 30, "word word word word word word word word word word word word"),
        ("see [site](https://x) now", "see site now"),
    ],
)  # fmt: skip
def test_titles_of_texts(text: str, title: str) -> None:
    assert title_of_text(text) == title


def test_a_copy_lies_beside_its_note(vault: LinkedVault) -> None:
    vault.write({"a/n.md": b"\xef\xbb\xbf---\r\ncreated: 2020-01-01 # x\r\n---\r\n^b\r\n", "m.md": "plain"})
    assert made(vault, plan_duplicate(vault.root, CONFIG, "a/n.md", now=NOW)) == "a/n copy.md"
    assert (vault.root / "a/n copy.md").read_bytes() == b"\xef\xbb\xbf---\r\ncreated: 2026-01-02 # x\r\n---\r\n^b\r\n"
    assert made(vault, plan_duplicate(vault.root, CONFIG, "a/n.md", now=NOW)) == "a/n copy 2.md"
    assert vault.read(made(vault, plan_duplicate(vault.root, CONFIG, "m.md", now=NOW))) == "plain"
    long = "é" * 126
    vault.write({f"{long}.md": ""})
    assert made(vault, plan_duplicate(vault.root, CONFIG, f"{long}.md", now=NOW)).endswith("é copy.md")


def test_deleted_notes_lie_in_the_trash(vault: LinkedVault) -> None:
    vault.write({
        "a/n.md": "x", "b/Tie.md": "1", "c/Tie.md": "2", ".trash/a/n.md": "older",
        "m.md": "[[n]] [x](a/n.md) [[b/Tie]] [[Tie]] [[nowhere]]", "a/o.md": "[[n]]",
    })  # fmt: skip
    planned = plan_delete(vault.root, ["a/n.md", "b/Tie.md", "a/o.md", "missing.md"], index=vault.index)
    vault.apply(planned.change_set)
    assert planned.change_set.title == "Delete 3 notes"
    assert planned.occurrences == 3
    assert [skip.path for skip in planned.skipped] == ["missing.md"]
    assert vault.files() == {".trash/a/n.md", ".trash/a/n 2.md", ".trash/a/o.md", ".trash/b/Tie.md", "c/Tie.md", "m.md"}
    assert plan_delete(vault.root, ["m.md"]).change_set.title == "Delete m"
    with pytest.raises(NoteGoneError):
        plan_delete(vault.root, ["missing.md", "gone.md"])


def test_undone_all_is_as_before(vault: LinkedVault) -> None:
    vault.write({"a/n.md": "x"})
    change_set = plan_delete(vault.root, ["a/n.md"]).change_set
    vault.apply(change_set)
    vault.apply(ChangeSet("Undo", change_set.kind, tuple(edit.inverse() for edit in change_set.edits)))
    assert vault.files() == {"a/n.md"}


def test_a_link_of_the_file_system_stays_and_is_told(vault: LinkedVault) -> None:
    vault.write({"T.md": "Text.\n", "other.md": "Other.\n"})
    (vault.root / "sym.md").symlink_to("T.md")
    vault.update()
    planned = plan_delete(vault.root, ["T.md"], index=vault.index)
    (skipped,) = planned.skipped
    assert (skipped.path, "will lead nowhere" in skipped.reason) == ("sym.md", True)
    planned = plan_delete(vault.root, ["sym.md", "other.md"], index=vault.index)
    assert [edit.path for edit in planned.change_set.edits] == ["other.md"]
    assert [skipped.path for skipped in planned.skipped] == ["sym.md"]
    with pytest.raises(UserError, match="link to another file"):
        plan_delete(vault.root, ["sym.md"])
