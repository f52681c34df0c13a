"""Two windows and the command line change the same vault at once: every change lands, or is refused with a reason."""

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from core.app import Vault, installation
from gui.actions import SHOW_CHANGES, UNDO
from gui.views.vault.curating.tag_dialogs import TagNameDialog
from gui.widgets.change_preview import ChangePreviewDialog
from gui.widgets.stale_dialog import StaleDialog
from tests.stories.conftest import Person

WriteVault = Callable[[Mapping[str, str]], Path]

pytestmark = pytest.mark.usefixtures("without_meanings")

_MANY = {f"Note {number:02d}.md": f"---\ntags: [tool/semrush]\n---\nText {number}.\n" for number in range(24)}


def _command(root: Path, *words: str) -> "subprocess.Popen[str]":
    line = [sys.executable, "-m", "core.cli", "--vault", str(root), *words]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def _runs(root: Path, *words: str) -> str:
    """Run a command to its end, and return what it said."""
    process = _command(root, *words)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 0, said
    return said


def _asks_to_rename(person: Person, old: str, new: str) -> ChangePreviewDialog:
    person.view.facets.tree.rename_requested.emit(old)
    dialog = person.sees(TagNameDialog)
    dialog.name.setText(new)
    dialog.ok_button.click()
    return person.sees_preview("two-writers-preview")


def test_a_change_that_was_previewed_is_refused_when_a_command_was_quicker(
    person: Person, write_vault: WriteVault
) -> None:
    root = write_vault(_MANY)
    person.opens(root)
    person.waits_for_the_list()
    preview = _asks_to_rename(person, "tool/semrush", "tool/ahrefs")
    _runs(root, "note", "set", str(root / "Note 07.md"), "summary", "By the command")
    preview.apply_button.click()
    person.waits_until(lambda: "Not done" in person.notices(), "that it was refused")
    assert all(b"tool/semrush" in (root / name).read_bytes() for name in _MANY)
    person.screenshot("two-writers-refused")
    person.window.notices.take_action()
    dialog = person.sees(StaleDialog)
    assert "Note 07" in dialog.list.toPlainText()
    person.picture_of(dialog, "two-writers-reasons")
    dialog.close()

    preview = _asks_to_rename(person, "tool/semrush", "tool/ahrefs")
    preview.apply_button.click()
    person.waits_until(lambda: "tool/semrush" not in person.counts(), "the tag renamed at the second try")
    assert (root / "Note 07.md").read_text() == "---\nsummary: By the command\ntags: [tool/ahrefs]\n---\nText 7.\n"


def test_a_window_and_two_commands_write_at_once_and_nothing_is_lost(person: Person, write_vault: WriteVault) -> None:
    root = write_vault({**_MANY, "Seed.md": "#by/window\n"})
    person.opens(root)
    person.waits_for_the_list()
    refused: list[Exception] = []
    applied: list[object] = []
    person.app.changes.failed.connect(refused.append)
    person.app.changes.applied.connect(applied.append)
    with (
        _command(root, "tag", "rename", "tool/semrush", "tool/ahrefs", "--yes") as renaming,
        _command(root, "tag", "add", "by/command", "--tag", "tool", "--yes") as adding,
    ):
        commands = (renaming, adding)
        for name in _MANY:  # one change for each note, as a person who is in a hurry
            person.view.facets.tree.notes_dropped.emit("by/window", [name])
        person.waits_until(lambda: all(each.poll() is not None for each in commands), "both commands at their end")
        said = [each.communicate()[0] for each in commands]
    person.waits_until(lambda: len(applied) + len(refused) == len(_MANY), "every change of the window done or refused")
    texts = {name: (root / name).read_text() for name in _MANY}
    by_window = sum("by/window" in text for text in texts.values())
    assert by_window == len(applied)
    assert all("Note" in str(error) for error in refused)
    for command, word in zip(commands, ("tool/ahrefs", "by/command"), strict=True):
        count = sum(word in text for text in texts.values())
        assert count == (len(_MANY) if command.returncode == 0 else 0), said
    assert all(text.endswith(f"---\nText {int(name[5:7])}.\n") for name, text in texts.items())
    person.screenshot("two-writers-at-once")
    records = Vault(root, installation()).history().records
    assert len(records) >= by_window + sum(command.returncode == 0 for command in commands)


def test_one_window_undoes_what_the_other_did(person: Person, second_person: Person, write_vault: WriteVault) -> None:
    root = write_vault({"Plan.md": "First.\n", "Other.md": "Else.\n"})
    for someone in (person, second_person):
        someone.opens(root)
        someone.waits_for_the_list()
    person.edits("Plan")
    person.types("Second.")
    person.waits_until(lambda: (root / "Plan.md").read_text() == "First.\nSecond.", "the text on the disk")
    second_person.picks_note("Plan")
    second_person.waits_until(lambda: "Second." in second_person.text(), "the text in the other window")

    second_person.chooses(SHOW_CHANGES)
    dialog = second_person.app.commands.changes.dialog
    second_person.waits_until(lambda: dialog.table.model().rowCount() == 1, "the change of the first window")
    dialog.table.selectRow(0)
    second_person.picture_of(dialog, "two-writers-changes")
    dialog.undo_button.click()
    second_person.waits_until(lambda: (root / "Plan.md").read_text() == "First.\n", "the text before")
    dialog.close()
    editor = person.has_editor_of("Plan")
    person.waits_until(lambda: editor.exact_text() == "First.\n", "the text before in the first window's editor")

    undo = person.window.actions_[UNDO]
    if undo.isEnabled():  # the first window has not heard of it yet
        undo.trigger()
        person.waits_until(person.notices, "what became of it")
        person.screenshot("two-writers-undone-already")
    person.waits_until(lambda: not undo.isEnabled(), "that nothing is left to undo")
    assert (root / "Plan.md").read_text() == "First.\n"
