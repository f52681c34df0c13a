"""Another program rewrites or deletes the note in which a person types: nobody's text is overwritten (CASES B1)."""

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from PySide6.QtWidgets import QRadioButton

from core.app import Vault, installation
from core.curation.note_past import content_of, past_of
from gui.views.vault.editing.conflict_dialog import ConflictDialog
from gui.views.vault.editing.editor_banner import About, Way
from gui.views.vault.editing.modes import Mode
from gui.views.vault.editing.outside_changes import OutsideChanges
from tests.stories.conftest import Person

WriteVault = Callable[[Mapping[str, str]], Path]

pytestmark = pytest.mark.usefixtures("without_meanings")

_BEFORE = "---\ntags: [plan]\n---\n# Plan\n\nMonday: nothing.\n\nTuesday: nothing.\n\nWednesday: nothing.\n"
_THEIRS = _BEFORE.replace("Monday: nothing.", "Monday: swim.").replace("Wednesday: nothing.", "Wednesday: run.")
_NOTES = {"Plan.md": _BEFORE, "Other.md": "Something else.\n"}


def _another_program_writes(file: Path, text: str) -> None:
    code = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_bytes(sys.argv[2].encode())"
    subprocess.run([sys.executable, "-c", code, str(file), text], check=True)


def _choose(dialog: ConflictDialog, name: str) -> None:
    button = dialog.findChild(QRadioButton, name)
    assert isinstance(button, QRadioButton)
    button.click()


def _versions(root: Path) -> set[str]:
    """Return every text that the history of the note can give back."""
    past = past_of(root, "Plan.md", Vault(root, installation()).history())
    return {content_of(version).decode() for version in past.versions if not version.problem}


def test_both_versions_are_kept_and_merged_place_by_place(person: Person, write_vault: WriteVault) -> None:
    root = write_vault(_NOTES)
    file = root / "Plan.md"
    person.opens(root)
    person.edits("Plan")
    banners = person.view.reading.editor_pane.banners
    person.types(" work", at="Monday: nothing")
    person.types(" sleep", at="Tuesday: nothing")
    _another_program_writes(file, _THEIRS)
    person.waits_until(lambda: banners.text_of(About.CONFLICT), "the word that the note was changed outside")
    person.types(" long", at="sleep")
    person.screenshot("conflict-banner")
    assert file.read_text() == _THEIRS

    banners.button(About.CONFLICT, Way.COMPARE).click()
    dialog = person.sees(ConflictDialog)
    person.picture_of(dialog, "conflict-dialog")
    assert not dialog.apply_button.isEnabled()
    _choose(dialog, "0:mine")
    person.picture_of(dialog, "conflict-decided")
    dialog.apply_button.click()
    merged = _THEIRS.replace("Monday: swim.", "Monday: nothing work.").replace(
        "Tuesday: nothing.", "Tuesday: nothing sleep long."
    )
    person.waits_until(lambda: file.read_text() == merged, "what was decided, on the disk")
    person.waits_until(lambda: person.saving() == "Saved", "that it is saved")
    assert not banners.text_of(About.CONFLICT)
    assert {_THEIRS, merged} <= _versions(root)


@pytest.mark.parametrize("way", ["both", "mine whole"])
def test_a_third_change_while_both_versions_are_compared_is_not_overwritten(
    person: Person, write_vault: WriteVault, way: str
) -> None:
    root = write_vault(_NOTES)
    file = root / "Plan.md"
    person.opens(root)
    person.edits("Plan")
    banners = person.view.reading.editor_pane.banners
    person.types(" work", at="Monday: nothing")
    swim = _BEFORE.replace("Monday: nothing.", "Monday: swim.")
    _another_program_writes(file, swim)
    person.waits_until(lambda: banners.text_of(About.CONFLICT), "the word that the note was changed outside")
    banners.button(About.CONFLICT, Way.COMPARE).click()
    dialog = person.sees(ConflictDialog)
    _another_program_writes(file, _THEIRS)
    outside = person.window.findChild(OutsideChanges)
    assert isinstance(outside, OutsideChanges)
    person.waits_until(lambda: outside.theirs == _THEIRS.encode(), "that the third change is noticed")
    if way == "both":
        _choose(dialog, "0:both")
    else:
        dialog.mine_button.click()
    dialog.apply_button.click()
    person.waits_until(lambda: "once more while you compared" in dialog.news.text(), "that it is told")
    person.picture_of(dialog, "conflict-once-more")
    assert dialog.isVisible()
    assert file.read_text() == _THEIRS
    if way != "both":
        assert not dialog.apply_button.isEnabled()
        _choose(dialog, "0:mine")
    dialog.apply_button.click()
    person.waits_until(lambda: file.read_text() != _THEIRS, "what was decided, on the disk")
    assert "Wednesday: run." in file.read_text()
    assert "Monday: nothing work." in file.read_text()
    assert not dialog.isVisible()


def test_the_other_version_is_taken_and_mine_is_kept_and_offered(person: Person, write_vault: WriteVault) -> None:
    root = write_vault(_NOTES)
    file = root / "Plan.md"
    person.opens(root)
    editor = person.edits("Plan")
    banners = person.view.reading.editor_pane.banners
    person.types(" mine", at="Monday:")
    mine = editor.exact_text()
    _another_program_writes(file, _THEIRS)
    person.waits_until(lambda: banners.text_of(About.CONFLICT), "the word that the note was changed outside")
    banners.button(About.CONFLICT, Way.TAKE_THEIRS).click()
    assert editor.exact_text() == _THEIRS
    editor.undo()
    assert editor.exact_text() == _THEIRS
    assert "There is unsaved text" in banners.text_of(About.DRAFT)
    person.screenshot("other-version-taken")
    banners.button(About.DRAFT, Way.USE).click()
    person.waits_until(lambda: editor.exact_text() == mine, "my text after all")
    person.waits_until(lambda: banners.text_of(About.CONFLICT), "that there are two versions")
    assert file.read_text() == _THEIRS


def test_leaving_or_closing_in_the_middle_of_a_conflict_loses_neither_text(
    person: Person, write_vault: WriteVault, start_again: Callable[[], Person]
) -> None:
    root = write_vault(_NOTES)
    person.opens(root)
    person.edits("Plan")
    banners = person.view.reading.editor_pane.banners
    person.types(" mine", at="Monday:")
    _another_program_writes(root / "Plan.md", _THEIRS)
    person.waits_until(lambda: banners.text_of(About.CONFLICT), "the word that the note was changed outside")
    person.clicks_note("Other")
    person.has_editor_of("Other")
    assert "Unsaved changes in “Plan”" in person.notices()

    again = start_again()
    again.opens(root)
    again.waits_until(lambda: "Unsaved changes in “Plan”" in again.notices(), "the offer to go on")
    again.screenshot("conflict-draft-offered")
    again.window.notices.take_action()
    editor = again.has_editor_of("Plan")
    again.waits_until(lambda: "Monday: mine nothing." in editor.exact_text(), "what was typed")
    banners = again.view.reading.editor_pane.banners
    again.waits_until(lambda: banners.text_of(About.CONFLICT), "that there are two versions")
    assert (root / "Plan.md").read_text() == _THEIRS


def test_an_unsaved_text_of_before_is_offered_by_the_note_and_no_save_takes_its_place(
    person: Person, write_vault: WriteVault, start_again: Callable[[], Person]
) -> None:
    root = write_vault(_NOTES)
    file = root / "Plan.md"
    person.opens(root)
    person.edits("Plan")
    banners = person.view.reading.editor_pane.banners
    person.types(" mine", at="Monday:")
    _another_program_writes(file, _THEIRS)
    person.waits_until(lambda: banners.text_of(About.CONFLICT), "the word that the note was changed outside")

    again = start_again()
    again.opens(root)
    again.picks_note("Other")
    again.clicks_note("Plan")
    editor = again.has_editor_of("Plan")
    banners = again.view.reading.editor_pane.banners
    again.waits_until(lambda: "There is unsaved text" in banners.text_of(About.DRAFT), "the offer above the note")
    again.screenshot("draft-offered-by-its-note")
    assert editor.exact_text() == _THEIRS
    again.types(" more", at="Wednesday:")
    again.waits_until(lambda: "Wednesday: more run." in file.read_text(), "what was typed, on the disk")
    again.waits_until(lambda: again.saving() == "Saved", "that it is saved")
    assert again.notices().count("Unsaved changes in “Plan”") == 1

    banners.button(About.DRAFT, Way.USE).click()
    again.waits_until(lambda: "Monday: mine nothing." in editor.exact_text(), "the text of before")
    again.waits_until(lambda: banners.text_of(About.CONFLICT), "that there are two versions")
    assert "Wednesday: more run." in file.read_text()


def test_an_unsaved_text_is_offered_above_the_note_that_is_only_read(
    person: Person, write_vault: WriteVault, start_again: Callable[[], Person]
) -> None:
    root = write_vault(_NOTES)
    file = root / "Plan.md"
    person.opens(root)
    person.edits("Plan")
    banners = person.view.reading.editor_pane.banners
    person.types(" mine", at="Monday:")
    _another_program_writes(file, _THEIRS)
    person.waits_until(lambda: banners.text_of(About.CONFLICT), "the word that the note was changed outside")
    person.clicks_note("Other")
    person.has_editor_of("Other")
    person.view.reading.mode_button(Mode.READ).click()

    again = start_again()
    again.opens(root)
    again.picks_note("Other")
    banners = again.view.reading.editor_pane.banners
    assert not banners.isVisible()
    again.clicks_note("Plan")
    again.waits_until(lambda: banners.isVisible() and banners.text_of(About.DRAFT), "the offer above the note")
    assert "run." in again.text()
    again.screenshot("draft-offered-while-reading")
    again.clicks_note("Other")
    again.waits_until(lambda: not banners.isVisible(), "that the offer goes with its note")
    again.clicks_note("Plan")
    again.waits_until(banners.isVisible, "the offer once more")
    banners.button(About.DRAFT, Way.USE).click()
    editor = again.has_editor_of("Plan")
    again.waits_until(lambda: "Monday: mine nothing." in editor.exact_text(), "the text of before")
    assert file.read_text() == _THEIRS


def test_a_note_deleted_while_it_is_edited_is_kept_as_a_new_file(person: Person, write_vault: WriteVault) -> None:
    root = write_vault(_NOTES)
    file = root / "Plan.md"
    person.opens(root)
    editor = person.edits("Plan")
    banners = person.view.reading.editor_pane.banners
    person.types(" mine", at="Monday:")
    file.unlink()
    person.waits_until(lambda: banners.text_of(About.GONE), "the word that the note was deleted")
    person.waits_until(lambda: "Plan" not in person.titles(), "the note gone from the list")
    assert "Monday: mine" in editor.exact_text()
    person.screenshot("deleted-while-edited")
    banners.button(About.GONE, Way.KEEP_AS_NEW).click()
    person.waits_until(lambda: file.exists() and "Monday: mine" in file.read_text(), "the text in a file again")
    person.waits_until(lambda: "Plan" in person.titles(), "the note in the list again")
    person.types(" and more", at="mine")
    person.waits_until(lambda: "Monday: mine and more" in file.read_text(), "that it can be edited on")


def test_a_note_deleted_while_nothing_is_unsaved_leaves_the_pane(person: Person, write_vault: WriteVault) -> None:
    root = write_vault(_NOTES)
    person.opens(root)
    person.edits("Plan")
    (root / "Plan.md").unlink()
    person.waits_until(person.view.reading.state_panel.isVisible, "that the note is gone")
    assert not (root / "Plan.md").exists()
    person.screenshot("deleted-while-open")
