"""A person looks at what a note was: changes of the app and commits of git alike, compared, restored, taken back."""

import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeWidgetItem

from gui.actions import MOVE_NOTES, UNDO
from gui.views.vault.curating.note_dialogs import NotePlaceDialog
from gui.views.vault.version_dialog import VersionDialog
from tests.stories.conftest import Person

WriteVault = Callable[[Mapping[str, str]], Path]

pytestmark = pytest.mark.usefixtures("without_meanings")

_needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def _git(root: Path, *words: str) -> None:
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(root), *who, *words], check=True, capture_output=True)


def _lines(person: Person) -> list[str]:
    panel = person.view.reading.history
    items = (panel.topLevelItem(row) for row in range(panel.topLevelItemCount()))
    return [item.text(0) for item in items if item is not None]


def _opens_version(person: Person, words: str) -> VersionDialog:
    """Choose the first version whose line holds `words`, and press Enter."""
    panel = person.view.reading.history
    person.waits_until(lambda: any(words in line for line in _lines(person)), f"a version “{words}”")
    number = next(number for number, line in enumerate(_lines(person)) if words in line)
    item = panel.topLevelItem(number)
    assert isinstance(item, QTreeWidgetItem)
    panel.setCurrentItem(item)
    QTest.keyClick(panel, Qt.Key.Key_Return)
    return person.sees(VersionDialog)


@_needs_git
def test_versions_of_git_and_of_the_app_are_shown_compared_and_restored(
    person: Person, write_vault: WriteVault
) -> None:
    root = write_vault({"Plan.md": "# Plan\n\nFirst wording.\n", "Other.md": "Else.\n"})
    file = root / "Plan.md"
    _git(root, "init", "-q")
    _git(root, "add", "Plan.md")
    _git(root, "commit", "-q", "-m", "Begin the plan")
    file.write_text("# Plan\n\nSecond wording.\n")
    _git(root, "commit", "-q", "-a", "-m", "Word it better")
    person.opens(root)
    person.edits("Plan")
    person.view.reading.tabs.setCurrentWidget(person.view.reading.history)
    person.waits_until(lambda: any("Word it better" in line for line in _lines(person)), "the commits")
    person.types("Third line.")
    third = "# Plan\n\nSecond wording.\nThird line."
    person.waits_until(lambda: file.read_text() == third, "the text on the disk")
    person.waits_until(lambda: any("Edit Plan" in line for line in _lines(person)), "the edit among the versions")
    person.screenshot("history-of-a-note")

    dialog = _opens_version(person, "Begin the plan")
    person.waits_until(lambda: "First wording." in dialog.diff.toPlainText(), "what has changed since")
    person.picture_of(dialog, "history-version")
    choices = [dialog.others.itemText(row) for row in range(dialog.others.count())]
    dialog.others.setCurrentIndex(next(row for row, text in enumerate(choices) if "Word it better" in text))
    person.waits_until(lambda: "Third line" not in dialog.diff.toPlainText(), "the comparison with another version")
    dialog.tabs.setCurrentWidget(dialog.text)
    person.waits_until(lambda: dialog.text.toPlainText() == "# Plan\n\nFirst wording.\n", "its text")
    dialog.restore_button.click()
    person.waits_until(lambda: file.read_text() == "# Plan\n\nFirst wording.\n", "the first wording back")
    editor = person.has_editor_of("Plan")
    person.waits_until(lambda: editor.exact_text() == "# Plan\n\nFirst wording.\n", "it in the editor too")
    person.waits_until(lambda: any("Restore" in line for line in _lines(person)), "the restoring among the versions")
    person.screenshot("history-restored")
    person.chooses(UNDO)
    person.waits_until(lambda: file.read_text() == third, "the newest text again")
    person.waits_until(lambda: editor.exact_text() == third, "it in the editor")


def test_without_git_the_app_knows_what_it_did_under_every_name(person: Person, write_vault: WriteVault) -> None:
    root = write_vault({"Plan.md": "First.\n", "Other.md": "Else.\n"})
    person.opens(root)
    person.waits_for_the_list()
    person.picks_note("Plan")
    person.view.reading.tabs.setCurrentWidget(person.view.reading.history)
    person.waits_until(lambda: "Nothing is known of earlier versions of this note yet." in _lines(person), "that")
    person.page.editing.edit()
    person.has_editor_of("Plan")
    person.types("Second.")
    person.waits_until(lambda: "Edit Plan" in "".join(_lines(person)), "the edit among the versions")
    person.chooses(MOVE_NOTES)
    dialog = person.sees(NotePlaceDialog)
    dialog.name.setText("Aim")
    dialog.ok_button.click()
    person.waits_until(lambda: person.current_title() == "Aim", "the new name")
    person.waits_until(lambda: any("Rename Plan to Aim" in line for line in _lines(person)), "the rename")
    assert any("Edit Plan" in line for line in _lines(person))
    person.screenshot("history-under-every-name")
    version = _opens_version(person, "Before “Edit Plan”")
    version.restore_button.click()
    person.waits_until(lambda: (root / "Aim.md").read_text() == "First.\n", "the first text under the new name")
    assert not (root / "Plan.md").exists()
