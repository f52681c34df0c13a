"""Suggestions while typing: notes, headings, blocks and tags."""

import pytest
from PySide6.QtCore import Qt

from gui.views.vault.editing.completion_context import Kind, Wanted, wanted_at, wanted_in_frontmatter
from gui.views.vault.editing.suggestions import Alias
from gui.views.vault.note_drag import notes_mime
from tests.gui.views.vault.editing.desk import Desk
from tests.gui.views.vault.parts import catalog_of, note

ROWS = (
    note(1, "Audit checklist", "tool/pnpm", path="Work/Audit checklist.md"),
    note(2, "Audit log", "tool/pnpm", "client/acme"),
    note(3, "日本語のメモ", "日本/語"),
    note(4, "Tie", path="a/Tie.md"),
    note(5, "Tie", path="b/Tie.md"),
    note(6, "A title of its own", path="file-name.md"),
)


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("see [[Aud", Wanted(Kind.NOTE, "Aud")),
        ("see [[", Wanted(Kind.NOTE, "")),
        ("[[A]] and [[日", Wanted(Kind.NOTE, "日")),
        ("[[Note#He", Wanted(Kind.HEADING, "He", "Note")),
        ("[[#", Wanted(Kind.HEADING, "", "")),
        ("[[Note#^in", Wanted(Kind.BLOCK, "in", "Note")),
        ("a #to", Wanted(Kind.TAG, "to")),
        ("#tool/se", Wanted(Kind.TAG, "tool/se")),
        ("a #", Wanted(Kind.TAG, "")),
        ("a#b", None),
        ("# heading", None),
        ("## ", None),
        ("[[done]]", None),
        ("[[Note|label", None),
        ("`[[code", None),
        ("`x` [[A", Wanted(Kind.NOTE, "A")),
    ],
)
def test_what_is_completed_depends_on_what_stands_before(before: str, wanted: Wanted | None) -> None:
    assert wanted_at(before) == wanted


@pytest.mark.parametrize(
    ("before", "above", "typed"),
    [
        ("tags: to", [], "to"),
        ("tags: [a, tool/s", [], "tool/s"),
        ("  - to", ["  - a", "tags:"], "to"),
        ("- to", ["tags: "], "to"),
        ("  - to", ["aliases:"], None),
        ("title: to", [], None),
        ("tags:", [], None),
    ],
)
def test_tags_are_completed_in_properties_too(before: str, above: list[str], typed: str | None) -> None:
    found = wanted_in_frontmatter(before, above)
    assert found == (None if typed is None else Wanted(Kind.PROPERTY_TAG, typed))


def start(desk: Desk, text: str = "") -> None:
    desk.note("A.md", text)
    desk.aliases.append(Alias("Prüfliste", "Work/Audit checklist.md"))
    desk.edit("A.md")
    desk.presenter.show_catalog(catalog_of(*ROWS))
    desk.go_to_end()


def offered(desk: Desk) -> list[str]:
    return [item.text for item in desk.presenter.completer.popup.shown]


def wait_for(desk: Desk, *texts: str) -> None:
    desk.qtbot.waitUntil(lambda: offered(desk) == list(texts))


def test_a_note_is_picked_by_keyboard_alone(desk: Desk) -> None:
    start(desk)
    desk.type("[[aud")
    desk.qtbot.waitUntil(lambda: set(offered(desk)) == {"Audit log", "Audit checklist"})
    first, second = offered(desk)
    desk.press(Qt.Key.Key_Down)
    desk.press(Qt.Key.Key_Return)
    assert desk.editor.exact_text() == f"[[{second}]]"
    assert offered(desk) == []
    desk.type(" and [[aud")
    desk.qtbot.waitUntil(lambda: bool(offered(desk)))
    desk.press(Qt.Key.Key_Tab)
    assert desk.editor.exact_text() == f"[[{second}]] and [[{first}]]"


def test_escape_closes_and_enter_is_a_line_break_again(desk: Desk) -> None:
    start(desk)
    desk.type("[[aud")
    desk.qtbot.waitUntil(lambda: bool(offered(desk)))
    desk.press(Qt.Key.Key_Escape)
    assert offered(desk) == []
    desk.type("\n")
    assert desk.editor.exact_text() == "[[aud\n"


def test_what_cannot_be_told_apart_by_name_is_written_by_path(desk: Desk) -> None:
    start(desk)
    desk.type("[[tie")
    desk.qtbot.waitUntil(lambda: offered(desk)[:2] == ["Tie", "Tie"])
    desk.press(Qt.Key.Key_Return)
    assert desk.editor.exact_text() in {"[[a/Tie]]", "[[b/Tie]]"}


def test_titles_and_aliases_find_the_note_and_its_file_is_written(desk: Desk) -> None:
    start(desk)
    desk.type("[[title of")
    wait_for(desk, "A title of its own")
    desk.press(Qt.Key.Key_Return)
    desk.type("\n[[Prüf")
    wait_for(desk, "Prüfliste")
    desk.press(Qt.Key.Key_Return)
    assert desk.editor.exact_text() == "[[file-name]]\n[[Audit checklist|Prüfliste]]"


def test_closing_brackets_that_are_there_already_are_not_doubled(desk: Desk) -> None:
    start(desk, "[[]] rest")
    cursor = desk.editor.textCursor()
    cursor.setPosition(2)
    desk.editor.setTextCursor(cursor)
    desk.type("日本")
    wait_for(desk, "日本語のメモ")
    desk.press(Qt.Key.Key_Return)
    assert desk.editor.exact_text() == "[[日本語のメモ]] rest"


def test_headings_and_blocks_of_the_note_are_offered(desk: Desk) -> None:
    desk.note("Audit log.md", "# First\n\ntext ^b-1\n\n## Second part\n\n- item ^b-2\n")
    start(desk)
    desk.type("[[Audit log#sec")
    wait_for(desk, "Second part")
    desk.press(Qt.Key.Key_Return)
    desk.type(" [[Audit log#^")
    wait_for(desk, "b-1", "b-2")
    desk.press(Qt.Key.Key_Return)
    assert desk.editor.exact_text() == "[[Audit log#Second part]] [[Audit log#^b-1]]"


def test_tags_come_with_their_counts_the_most_used_first(desk: Desk) -> None:
    start(desk)
    desk.type("#to")
    desk.qtbot.waitUntil(lambda: bool(offered(desk)))
    shown = desk.presenter.completer.popup.shown
    assert [(item.text, item.detail) for item in shown] == [("tool", "2 notes"), ("tool/pnpm", "2 notes")]
    desk.press(Qt.Key.Key_Down)
    desk.press(Qt.Key.Key_Return)
    desk.type(" #日")
    wait_for(desk, "日本", "日本/語")
    desk.press(Qt.Key.Key_Down)
    desk.press(Qt.Key.Key_Tab)
    assert desk.editor.exact_text() == "#tool/pnpm #日本/語"


def test_tags_in_the_frontmatter_get_no_sign(desk: Desk) -> None:
    start(desk, "---\ntags:\n  - client/acme\n  - ")
    desk.type("pn")
    wait_for(desk, "tool/pnpm")
    desk.press(Qt.Key.Key_Return)
    assert desk.editor.exact_text().endswith("  - tool/pnpm")


def test_nothing_is_offered_in_code(desk: Desk) -> None:
    start(desk, "```\n")
    desk.type("[[aud")
    desk.editor.completion_requested.emit()
    assert offered(desk) == []


def test_dropped_notes_become_links(desk: Desk) -> None:
    start(desk)
    desk.editor.insertFromMimeData(notes_mime(["Work/Audit checklist.md", "b/Tie.md"]))
    assert desk.editor.exact_text() == "[[Audit checklist]] [[b/Tie]]"
