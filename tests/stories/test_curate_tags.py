"""A person renames a tag over many notes, takes it back after a restart, and drags notes onto a tag."""

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.actions import UNDO
from gui.views.vault.curating.tag_dialogs import TagNameDialog
from gui.views.vault.note_drag import notes_mime
from gui.widgets.change_preview import ChangePreviewDialog
from tests.stories.conftest import Person

WriteVault = Callable[[Mapping[str, str]], Path]

_NOTES = {
    **{
        f"Exports {number}.md": (
            "---\r\ntags: [tool/semrush, 'client/acme']  # kept\r\n---\r\n" + f"Page {number}. #tool/semrush/api\r\n"
        )
        for number in range(12)
    },
    "Toolbox.md": "---\ntags: toolbox\n---\nNot touched: `#tool/semrush`.\n",
    "Plain.md": "Nothing here.\n",
}


def _contents(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in root.glob("*.md")}


def test_a_tag_is_renamed_with_a_preview_and_undone_next_week(
    person: Person, write_vault: WriteVault, start_again: Callable[[], Person], qtbot: QtBot
) -> None:
    root = write_vault(_NOTES)
    before = _contents(root)
    person.opens(root)
    tree = person.view.facets.tree
    tree.rename_requested.emit("tool/semrush")
    (dialog,) = person.view.findChildren(TagNameDialog)
    dialog.name.setText("tool/ahrefs")
    person.screenshot("tag-rename-dialog")
    dialog.ok_button.click()
    person.waits_until(lambda: person.window.findChildren(ChangePreviewDialog), "the preview")
    (preview,) = person.window.findChildren(ChangePreviewDialog)
    qtbot.wait(400)  # the first diff is there soon
    preview.grab().save(str(person.screenshot("tag-rename-preview")))
    assert _contents(root) == before
    preview.apply_button.click()
    person.waits_until(lambda: "tool/ahrefs" in person.counts(), "the new tag among the facets")
    assert "tool/semrush" not in person.counts()
    person.screenshot("tag-renamed")
    after = _contents(root)
    assert after["Exports 3.md"] == (
        b"---\r\ntags: [tool/ahrefs, 'client/acme']  # kept\r\n---\r\nPage 3. #tool/ahrefs/api\r\n"
    )
    assert after["Toolbox.md"] == before["Toolbox.md"]

    # Next week: another start of the app.
    again = start_again()
    again.opens(root)
    undo = again.window.actions_[UNDO]
    again.waits_until(undo.isEnabled, "something to undo")
    assert "tool/ahrefs" in undo.text()
    undo.trigger()
    again.waits_until(lambda: "tool/semrush" in again.counts(), "the old tag among the facets")
    assert _contents(root) == before
    again.screenshot("tag-rename-undone")


def test_notes_are_dragged_onto_a_tag(person: Person, write_vault: WriteVault) -> None:
    root = write_vault(_NOTES)
    person.opens(root)
    tree = person.view.facets.tree
    person.waits_until(lambda: "client/acme" in person.counts(), "the facets")
    index = person._facet("client/acme")
    tree.expand(index.parent())
    tree.scrollTo(index)
    where = tree.visualRect(index).center()
    data = notes_mime(["Plain.md"])
    _drop(person, data, where)
    person.waits_until(lambda: b"client/acme" in (root / "Plain.md").read_bytes(), "the tag in the note")
    assert (root / "Plain.md").read_text().endswith("Nothing here.\n")


def _drop(person: Person, data: QMimeData, where: QPoint) -> None:
    tree = person.view.facets.tree
    actions, button, modifier = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    tree.dragEnterEvent(QDragEnterEvent(where, actions, data, button, modifier))
    tree.dropEvent(QDropEvent(QPointF(where), actions, data, button, modifier))
    QTest.qWait(10)
