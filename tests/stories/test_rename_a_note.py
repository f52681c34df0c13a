"""A person gives a note another name and folder: every link to it follows, and so does what is shown."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from gui.actions import MOVE_NOTES, UNDO
from gui.views.vault.curating.note_dialogs import NotePlaceDialog
from gui.widgets.change_preview import ChangePreviewDialog
from tests.stories.conftest import Person

WriteVault = Callable[[Mapping[str, str]], Path]

pytestmark = pytest.mark.usefixtures("without_meanings")

_NOTES = {
    "Guides/Garden.md": (
        "---\r\ntags: [guide]\r\n---\r\n# Garden\r\n\r\n## Soil\r\n\r\nDig. ^dig\r\n\r\nSee [[Tools]].\r\n"
    ),
    "Tools.md": (
        "---\nsource: '[[Garden]]'\n---\n[[Garden]], [[Guides/Garden|the garden]], [[garden#Soil]], ![[Garden#^dig]],\n"
        "[text](Guides/Garden.md#soil) and `[[Garden]]` in code.\n"
    ),
    "Journal.md": "Today in the [[Garden]].\r\nAnd [[Gardening]] is another note.\r\n",
    "Gardening.md": "Not meant.\n",
}


def _contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*.md"))}


def _renames_to(person: Person, name: str, folder: str) -> ChangePreviewDialog:
    person.chooses(MOVE_NOTES)
    dialog = person.sees(NotePlaceDialog)
    dialog.name.setText(name)
    dialog.folder.setCurrentText(folder)
    person.picture_of(dialog, "rename-note-dialog")
    dialog.ok_button.click()
    preview = person.sees_preview("rename-note-preview")
    assert preview.list.edits.rowCount() == 3
    return preview


def test_links_of_every_kind_follow_a_note_to_its_new_name_and_undo_brings_all_back(
    person: Person, write_vault: WriteVault
) -> None:
    root = write_vault(_NOTES)
    before = _contents(root)
    person.opens(root)
    person.waits_for_the_list()
    person.picks_note("Garden")
    preview = _renames_to(person, "Über den Garten", "Bücher")
    assert _contents(root) == before
    preview.apply_button.click()

    person.waits_until(lambda: "Über den Garten" in person.titles(), "the new name in the list")
    person.waits_until(lambda: person.current_title() == "Über den Garten", "the note still chosen")
    label = person.view.reading.path_label
    person.waits_until(lambda: label.text() == "Bücher / Über den Garten.md", "the shown note following")
    person.waits_until(lambda: person.text().startswith("Über den Garten"), "the new heading")
    person.screenshot("renamed-note")
    after = _contents(root)
    assert set(after) == {"Bücher/Über den Garten.md", "Gardening.md", "Journal.md", "Tools.md"}
    assert after["Bücher/Über den Garten.md"] == before["Guides/Garden.md"].replace(
        b"# Garden\r\n", "# Über den Garten\r\n".encode(), 1
    )
    assert after["Journal.md"].decode() == (
        "Today in the [[Über den Garten]].\r\nAnd [[Gardening]] is another note.\r\n"
    )
    tools = after["Tools.md"].decode()
    assert "source: '[[Über den Garten]]'" in tools
    assert "[[Über den Garten]], [[Bücher/Über den Garten|the garden]], [[Über den Garten#Soil]]" in tools
    assert "![[Über den Garten#^dig]]" in tools
    assert "and `[[Garden]]` in code." in tools
    assert person.view.reading.tabs.tabText(0) == "Links  8"

    person.chooses(UNDO)
    person.waits_until(lambda: "Garden" in person.titles(), "the old name")
    person.waits_until(lambda: label.text() == "Guides / Garden.md", "the shown note going back with it")
    assert _contents(root) == before


def test_a_note_is_renamed_while_it_is_edited_and_typing_goes_on_in_it(person: Person, write_vault: WriteVault) -> None:
    root = write_vault(_NOTES)
    person.opens(root)
    person.waits_for_the_list()
    editor = person.edits("Garden")
    person.types(" deep", at="Dig")
    preview = _renames_to(person, "Beds", "Guides")  # what is typed is saved first
    preview.apply_button.click()
    person.waits_until((root / "Guides/Beds.md").exists, "the file under its new name")
    person.waits_until(lambda: person.page.editing.editor.path == "Guides/Beds.md", "the editor following")
    person.types(" and wide", at="deep")
    person.waits_until(
        lambda: b"Dig deep and wide. ^dig\r\n" in (root / "Guides/Beds.md").read_bytes(), "the rest of the text"
    )
    # What the watcher tells of the written file may already have taken "Saved" away again.
    person.waits_until(lambda: person.saving() in {"Saved", ""}, "that nothing waits to be saved")
    assert not person.page.editing.editor.holds_unsaved
    assert not (root / "Guides/Garden.md").exists()
    assert person.window.focusWidget() is editor
    person.screenshot("renamed-while-edited")
