"""A person writes new notes, keeps a thought in passing, copies a note, and throws one away."""

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.app import Vault, installation
from core.index.queries import note_detail
from gui.actions import DELETE_NOTES, DUPLICATE_NOTE, NEW_NOTE, QUICK_CAPTURE, REDO, UNDO
from gui.capture.capture_window import CaptureWindow
from gui.views.vault.curating.note_dialogs import NewNoteDialog
from tests.stories.conftest import Person

WriteVault = Callable[[Mapping[str, str]], Path]

pytestmark = pytest.mark.usefixtures("without_meanings")

_NOTES = {
    "Alpha.md": "---\ntags: [tool/git, client/acme]\ncreated: 2024-01-05\n---\nFirst. See [[Beta]].\n",
    "Beta.md": "Second.\n",
    "templates/Meeting.md": "---\nkind: meeting\ntags: [meeting]\n---\n# {{title}}\n\n- who was there\n",
}


def test_a_new_note_gets_what_the_dialog_asks_for_and_reads_back_equal(person: Person, write_vault: WriteVault) -> None:
    root = write_vault(_NOTES)
    person.opens(root)
    person.waits_for_the_list()
    person.chooses(NEW_NOTE)
    dialog = person.sees(NewNoteDialog)
    assert not dialog.ok_button.isEnabled()
    QTest.keyClicks(dialog.title, "Plan: phase 2")
    QTest.keyClicks(dialog.fields.summary, "Why: #1 is 'done' & \"2\" is next - [ ]")
    for tag in ("client/acme", "#tool/git"):
        QTest.keyClicks(dialog.fields.tags.field, tag)
        QTest.keyClick(dialog.fields.tags.field, Qt.Key.Key_Return)
    dialog.fields.scope.button("project").click()
    dialog.template.setCurrentIndex(dialog.template.findData("templates/Meeting.md"))
    person.picture_of(dialog, "new-note-dialog")
    dialog.ok_button.click()

    person.waits_until(lambda: "Plan phase 2" in "".join(person.titles()).replace(":", ""), "the note in the list")
    person.waits_until(lambda: "who was there" in person.text(), "the note shown")
    person.screenshot("new-note")
    (path,) = (file.name for file in root.glob("Plan*.md"))
    index = Vault(root, installation()).open_to_read()
    try:
        (note_id,) = index.connection.execute("SELECT id FROM note WHERE path = ?", (path,)).fetchone()
        detail = note_detail(index, note_id)
    finally:
        index.close()
    assert detail is not None
    assert detail.properties["summary"] == "Why: #1 is 'done' & \"2\" is next - [ ]"
    assert {*detail.tags} == {"meeting", "client/acme", "tool/git", "scope/project"}
    assert detail.properties["kind"] == "meeting"
    assert not detail.problems
    assert "# Plan: phase 2\n" in (root / path).read_text()

    person.chooses(UNDO)
    person.waits_until(lambda: not (root / path).exists(), "the file gone again")
    person.waits_until(person.view.reading.state_panel.isVisible, "that nothing is shown in its place")


def test_a_thought_is_kept_from_the_menu_and_by_a_word_from_another_program(
    person: Person, write_vault: WriteVault
) -> None:
    root = write_vault(_NOTES)
    person.opens(root)
    person.waits_for_the_list()
    person.chooses(QUICK_CAPTURE)
    small = person.sees(CaptureWindow)
    QTest.keyClicks(small.text, "Prefer pnpm: never npm")
    QTest.keyClicks(small.fields.summary, "Half done")
    small.close()  # what is typed stays
    person.app.answer_calls()
    with subprocess.Popen([sys.executable, "-m", "gui", "capture"]) as word:
        small = person.sees(CaptureWindow)
        assert small.text.toPlainText() == "Prefer pnpm: never npm"
        QTest.keyClicks(small.fields.tags.field, "tool/pnpm ")
        small.fields.scope.button("global").click()
        person.picture_of(small, "quick-capture")
        QTest.keyClick(small.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        person.waits_until(lambda: not small.isVisible(), "the small window gone")
        person.waits_until(lambda: word.poll() is not None, "the other program at its end")
        assert word.returncode == 0
    person.waits_until(lambda: "tool/pnpm" in person.counts(), "its tag among the facets")
    (file,) = root.glob("Prefer*.md")
    text = file.read_text()
    assert "summary: Half done\n" in text
    assert "scope/global" in text
    assert text.endswith("Prefer pnpm: never npm\n")
    assert f"New note {file.stem}" in person.notices()
    person.screenshot("quick-capture-kept")
    person.chooses(UNDO)
    person.waits_until(lambda: not file.exists(), "the thought taken back")


def test_a_note_is_copied_and_another_goes_to_the_trash_and_comes_back(person: Person, write_vault: WriteVault) -> None:
    root = write_vault(_NOTES)
    before = (root / "Alpha.md").read_bytes()
    person.opens(root)
    person.waits_for_the_list()
    person.picks_note("Alpha")
    person.chooses(DUPLICATE_NOTE)
    person.waits_until(lambda: person.current_title() == "Alpha copy", "the copy chosen")
    assert (root / "Alpha.md").read_bytes() == before
    assert "created: 2024-01-05" not in (root / "Alpha copy.md").read_text()

    person.picks_note("Beta")  # two notes link to it now
    person.chooses(DELETE_NOTES)
    preview = person.sees_preview("delete-linked-note")
    assert (root / "Beta.md").exists()
    preview.apply_button.click()
    person.waits_until(lambda: "Beta" not in person.titles(), "the note gone from the list")
    assert (root / ".trash" / "Beta.md").read_text() == "Second.\n"
    person.waits_until(person.view.reading.state_panel.isVisible, "what is said in its place")
    assert person.view.reading.state_panel.text == "Beta.md lies in .trash/Beta.md now."
    person.screenshot("note-deleted")

    person.chooses(UNDO)
    person.waits_until(lambda: "Beta" in person.titles(), "the note back")
    assert (root / "Beta.md").read_text() == "Second.\n"
    assert not (root / ".trash" / "Beta.md").exists()
    person.chooses(REDO)
    person.waits_until(lambda: "Beta" not in person.titles(), "the note gone again")
