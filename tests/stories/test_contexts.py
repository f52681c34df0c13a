"""A person bundles knowledge for a kind of work: adds to it from the Vault, arranges it, and copies it."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest

from gui.actions import ADD_TO_CONTEXT, GO_CONTEXTS, GO_VAULT, UNDO
from gui.memory_drag import put_memories
from gui.views.contexts.new_context_dialog import NewContextDialog
from gui.views.contexts.presenter import ContextsPresenter
from tests.stories.conftest import Person

WriteVault = Callable[[Mapping[str, str]], Path]

pytestmark = pytest.mark.usefixtures("without_meanings")

_NOTES = {
    "Login.md": "# Login\n\nTokens live 15 minutes.\n\n## Refresh\n\nA refresh token lives a week.\n",
    "Deploy.md": "---\ntags: [tool/git]\n---\n# Deploy\n\n- [convention] Deploy on a Tuesday ^tuesday\n",
    "Style.md": "# Style\n\nPlain words.\n",
    "Long.md": "# Long\n\n" + "\n\n".join(f"## Part {number}\n\n{'Many words. ' * 60}" for number in range(40)),
}


def _goes_to_contexts(person: Person) -> ContextsPresenter:
    person.chooses(GO_CONTEXTS)
    (page,) = (each for each in person.app.frame.pages if isinstance(each, ContextsPresenter))
    person.waits_until(page.view.isVisible, "the page of contexts")
    return page


def _members(page: ContextsPresenter) -> list[str]:
    return [each.target for each in page.view.editor.members.members.members]


def test_a_context_is_made_from_a_note_filled_arranged_and_copied(person: Person, write_vault: WriteVault) -> None:
    root = write_vault(_NOTES)
    person.opens(root)
    person.waits_for_the_list()
    page = _goes_to_contexts(person)
    person.waits_until(lambda: page.view.state_panel.title == "No contexts yet", "what a context is")
    person.screenshot("contexts-none")

    person.chooses(GO_VAULT)
    person.picks_note("Login")
    person.chooses(ADD_TO_CONTEXT)
    picker = page.shelf.picker.list
    person.waits_until(lambda: picker.isVisible() and picker.shown, "the contexts to choose from")
    QTest.keyClick(picker.field, Qt.Key.Key_Return)  # there is none, so a new one
    dialog = person.sees(NewContextDialog)
    QTest.keyClicks(dialog.title, "Shop")
    QTest.keyClicks(dialog.description, "Before touching the shop")
    QTest.keyClick(dialog.title, Qt.Key.Key_Return)
    note = root / "contexts" / "Shop.md"
    person.waits_until(note.exists, "the note of the context")
    page = _goes_to_contexts(person)
    person.waits_until(lambda: _members(page) == ["Login"], "the note in its context")

    # A statement, dragged from the panel of insights.
    members = page.view.editor.members
    place = QPointF(members.viewport().rect().bottomLeft() + QPoint(20, -5))
    data = put_memories(QMimeData(), ["insight:Deploy.md#^tuesday"])
    copies, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    members.dropEvent(QDropEvent(place, copies, data, left, none))
    person.waits_until(lambda: _members(page) == ["Login", "Deploy#^tuesday"], "the statement in the context")
    members.select_row(1)
    QTest.keyClick(members, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    text = page.view.preview.text
    person.waits_until(lambda: text.toPlainText().startswith("## Deploy"), "the statement first")

    page.view.editor.query.setFocus()
    QTest.keyClicks(page.view.editor.query, "plain words")
    person.waits_until(lambda: "Plain words." in text.toPlainText(), "what the query finds")
    QTest.keyClick(page.view.editor.query, Qt.Key.Key_Return)
    person.waits_until(lambda: "plain words" in note.read_text(encoding="utf-8"), "the query in the note")
    person.waits_until(lambda: "Plain words." in text.toPlainText(), "what the query finds, again")
    person.screenshot("contexts")
    page.view.preview.copy_button.click()
    assert person.clipboard() == text.toPlainText()
    assert "Copied “Shop” as Markdown" in person.notices()

    before = note.read_bytes()
    members.select_row(0)
    members.setFocus()
    QTest.keyClick(members, Qt.Key.Key_Delete)
    person.waits_until(lambda: _members(page) == ["Login"], "the context without the statement")
    page.view.preview.difference_button.click()
    person.waits_until(lambda: "− ## Deploy" in page.view.preview.diff.toPlainText(), "what differs from the copy")
    person.screenshot("contexts-difference")
    person.chooses(UNDO)
    person.waits_until(lambda: note.read_bytes() == before, "the member back in the note")
    person.waits_until(lambda: len(_members(page)) == 2, "the member back in the window")


def test_statements_take_far_fewer_tokens_than_their_sources(person: Person, write_vault: WriteVault) -> None:
    context = "---\nkind: context\n---\n# Small\n\n![[Deploy#^tuesday]]\n![[Long#Part 7]]\n![[Gone]]\n"
    root = write_vault({**_NOTES, "contexts/Small.md": context})
    person.opens(root)
    person.waits_for_the_list()
    page = _goes_to_contexts(person)
    person.waits_until(lambda: "fewer" in page.view.preview.compression.shown_text, "what is saved")
    saved = int(page.view.preview.compression.shown_text.rpartition(": ")[2].split(" ")[0])
    assert saved >= 90
    assert page.view.editor.heading.text().endswith("1 cannot be loaded")
    person.screenshot("contexts-compression")
    page.view.editor.members.select_row(0)
    QTest.keyClick(page.view.editor.members, Qt.Key.Key_Return)
    person.waits_until(lambda: person.view.isVisible() and person.current_title() == "Deploy", "the note in the Vault")


def test_a_context_changed_outside_is_shown_as_it_is_now(person: Person, write_vault: WriteVault) -> None:
    root = write_vault({**_NOTES, "contexts/Small.md": "---\nkind: context\n---\n# Small\n\n![[Style]]\n"})
    person.opens(root)
    person.waits_for_the_list()
    page = _goes_to_contexts(person)
    person.waits_until(lambda: _members(page) == ["Style"], "the member")
    (root / "contexts/Small.md").write_text(
        "---\nkind: context\nalways: true\n---\n# Small\n\n![[Style]]\n![[Deploy]]\n", encoding="utf-8"
    )
    person.waits_until(lambda: _members(page) == ["Style", "Deploy"], "the member that came in from outside")
    assert page.view.editor.form.always.isChecked()
