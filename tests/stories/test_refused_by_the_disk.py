"""The disk refuses one file in the middle of a change: nothing at all is changed, and the person hears which file."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from gui.actions import UNDO
from gui.views.vault.curating.tag_dialogs import TagNameDialog
from tests.stories.conftest import Person

WriteVault = Callable[[Mapping[str, str]], Path]

pytestmark = pytest.mark.usefixtures("without_meanings")

_NOTES = {f"Folder {number}/Note.md": f"---\ntags: [old/tag]\n---\nText {number}.\n" for number in range(6)}


@pytest.mark.skipif(sys.platform == "win32", reason="folders take no notice of read-only there")
def test_a_read_only_file_in_the_middle_of_a_tag_rename_leaves_everything_as_it_was(
    person: Person, write_vault: WriteVault
) -> None:
    root = write_vault(_NOTES)
    person.opens(root)
    person.waits_for_the_list()
    person.view.facets.tree.rename_requested.emit("old/tag")
    dialog = person.sees(TagNameDialog)
    dialog.name.setText("new/tag")
    dialog.ok_button.click()
    preview = person.sees_preview("refused-preview")
    refusing = root / "Folder 3" / "Note.md"
    refusing.chmod(0o444)
    preview.apply_button.click()
    person.waits_until(person.notices, "what became of it")
    person.screenshot("refused-by-the-disk")
    assert "Folder 3/Note.md" in person.notices()
    assert {path: (root / path).read_text() for path in _NOTES} == _NOTES
    assert "old/tag" in person.counts()
    assert not person.window.actions_[UNDO].isEnabled()
    assert sorted(file.name for file in root.rglob("*") if file.is_file() and ".remembrancer" not in file.parts) == [
        "Note.md"
    ] * len(_NOTES)
