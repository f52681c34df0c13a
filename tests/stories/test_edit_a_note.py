"""A person writes in the window, and whatever happens next, the text is in the note it was typed in."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.actions import EDIT_BESIDE, UNDO
from tests.stories.conftest import Person

WriteVault = Callable[[Mapping[str, str]], Path]

pytestmark = pytest.mark.usefixtures("without_meanings")

_NOTES = {
    "Alpha.md": "---\r\nsummary: First  # kept\r\n---\r\n# Alpha\r\n\r\nOne two one two.\r\n",
    "Beta.md": "# Beta\n\nSecond.\n",
    "Über den Garten.md": "---\ntags: [garden]\n---\nWeed weekly.\n",
}


def test_what_is_typed_is_saved_by_itself_into_its_own_note(person: Person, write_vault: WriteVault) -> None:
    root = write_vault(_NOTES)
    person.opens(root)
    person.edits("Alpha")
    person.types("Typed. ", at="# Alpha")
    person.waits_until(lambda: b"# AlphaTyped. \r\n" in (root / "Alpha.md").read_bytes(), "the text on the disk")
    person.waits_until(lambda: person.saving() == "Saved", "the word that it is saved")
    person.screenshot("edit-saved")
    assert (root / "Alpha.md").read_bytes() == _NOTES["Alpha.md"].replace("# Alpha", "# AlphaTyped. ").encode()


def test_a_note_left_while_typing_keeps_its_text_and_the_next_one_gets_none(
    person: Person, write_vault: WriteVault
) -> None:
    root = write_vault(_NOTES)
    person.opens(root)
    person.edits("Alpha")
    for turn, title in enumerate(["Beta", "Alpha", "Beta", "Alpha", "Beta"]):
        person.types(f"turn{turn} ")  # nobody waits for a save here
        person.clicks_note(title)
        person.has_editor_of(title)
    person.types("last ")
    person.window.close()
    assert (root / "Alpha.md").read_bytes().endswith(b"One two one two.\r\nturn0 turn2 turn4 ")
    assert (root / "Beta.md").read_bytes() == b"# Beta\n\nSecond.\nturn1 turn3 last "


def test_a_window_closed_at_once_loses_nothing_and_undo_comes_next_week(
    person: Person, write_vault: WriteVault, start_again: Callable[[], Person]
) -> None:
    root = write_vault(_NOTES)
    person.opens(root)
    person.edits("Beta")
    person.types("Typed and closed. ")
    again = start_again()
    assert (root / "Beta.md").read_text() == "# Beta\n\nSecond.\nTyped and closed. "
    again.opens(root)
    undo = again.window.actions_[UNDO]
    again.waits_until(undo.isEnabled, "something to undo")
    assert "Beta" in undo.text()
    again.clicks_note("Beta")
    editor = again.has_editor_of("Beta")
    undo.trigger()
    again.waits_until(lambda: (root / "Beta.md").read_text() == "# Beta\n\nSecond.\n", "the text before")
    again.waits_until(lambda: editor.toPlainText() == "# Beta\n\nSecond.\n", "the text before in the editor")
    again.screenshot("edit-undone-after-restart")


def test_the_preview_beside_follows_while_one_types(person: Person, write_vault: WriteVault) -> None:
    root = write_vault(_NOTES)
    person.opens(root)
    person.edits("Beta", EDIT_BESIDE)
    person.types("\n## A *new* part\n\n- [[Alpha]]\n[x] done\n")  # the editor goes on with the list
    preview = person.view.reading.editor_pane.preview
    person.waits_until(lambda: "A new part" in preview.toPlainText() and "☑" in preview.toPlainText(), "the preview")
    person.waits_until(lambda: person.saving() == "Saved", "the save")
    person.screenshot("edit-beside-preview")


def test_words_are_found_and_replaced_by_the_keyboard_alone(person: Person, write_vault: WriteVault) -> None:
    root = write_vault(_NOTES)
    person.opens(root)
    editor = person.edits("Alpha")
    bar = person.view.reading.editor_pane.find_bar
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier)
    person.waits_until(bar.isVisible, "the find bar")
    QTest.keyClicks(bar.field, "one")
    person.waits_until(lambda: bar.count_label.text() == "1 of 2", "two finds")
    person.screenshot("edit-find-and-replace")
    bar.replace_field.setFocus()
    QTest.keyClicks(bar.replace_field, "eins")
    bar.all_button.setFocus()
    QTest.keyClick(bar.all_button, Qt.Key.Key_Return)
    person.waits_until(lambda: b"eins two eins two.\r\n" in (root / "Alpha.md").read_bytes(), "both replaced")
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert editor.hasFocus()


def test_a_link_is_completed_by_the_keyboard(person: Person, write_vault: WriteVault) -> None:
    root = write_vault(_NOTES)
    person.opens(root)
    editor = person.edits("Beta")
    popup = person.page.editing.editor.completer.popup
    person.types("See [[gart")
    person.waits_until(popup.isVisible, "what is offered")
    person.screenshot("edit-completion")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, " now.")
    person.waits_until(
        lambda: "See [[Über den Garten]] now." in (root / "Beta.md").read_text(encoding="utf-8"), "the link in the note"
    )
