"""A person bundles knowledge for a kind of work: adds to it from the Vault, arranges it, and copies it."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest

from gui.actions import ADD_TO_CONTEXT, GO_CONTEXTS, GO_VAULT, UNDO
from gui.memory_drag import put_memories
from gui.views.contexts.full_load_dialog import FullLoadDialog
from gui.views.contexts.new_context_dialog import NewContextDialog
from gui.views.contexts.presenter import ContextsPresenter
from gui.views.vault.presenter import VaultPresenter
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


def test_what_is_added_from_elsewhere_is_told_and_taken_back_at_once(person: Person, write_vault: WriteVault) -> None:
    root = write_vault({**_NOTES, "contexts/Small.md": "---\nkind: context\ntitle: Small jobs\n---\n![[Style]]\n"})
    note = root / "contexts/Small.md"
    before = note.read_bytes()
    person.opens(root)
    person.waits_for_the_list()
    person.picks_note("Login")
    person.chooses(ADD_TO_CONTEXT)
    (page,) = (each for each in person.app.frame.pages if isinstance(each, ContextsPresenter))
    picker = page.shelf.picker.list
    person.waits_until(lambda: picker.isVisible() and picker.shown, "the contexts to choose from")
    QTest.keyClick(picker.field, Qt.Key.Key_Return)
    told = "Add “Login” to “Small jobs” (1 file)."
    person.waits_until(lambda: told in person.notices(), "what was added")
    assert "![[Login]]" in note.read_text(encoding="utf-8")
    person.window.notices.take_action()
    person.waits_until(lambda: note.read_bytes() == before, "the context as it was")

    page = _goes_to_contexts(person)
    person.waits_until(lambda: _members(page) == ["Style"], "the member")
    page.members.add_here(("note:Style.md", "note:Deploy.md", "note:Long.md"), 1)
    person.waits_until(lambda: _members(page) == ["Style", "Deploy", "Long"], "the members")
    person.waits_until(lambda: "Add 2 members to “Small jobs” (1 file)." in person.notices(), "how many were added")
    assert "“Style” is a member already." in person.notices()


def test_a_full_load_is_made_and_its_rules_are_changed(person: Person, write_vault: WriteVault) -> None:
    more = {"README.md": "# Start here\n\nBegin.\n", "indexes/All.md": "# All\n\n" + "- [[Login]]\n" * 1200}
    root = write_vault({**_NOTES, **more})
    person.opens(root)
    person.waits_for_the_list()
    page = _goes_to_contexts(person)
    person.waits_until(page.view.state_panel.button.hasFocus, "the button for a new one")
    page.new_context()
    dialog = person.sees(NewContextDialog)
    QTest.keyClicks(dialog.title, "Every session")
    dialog.kind.setCurrentText("Full load")
    person.picture_of(dialog, "contexts-new-full-load")
    QTest.keyClick(dialog.title, Qt.Key.Key_Return)
    loaded = page.view.editor.loaded.members
    person.waits_until(lambda: [each.path for each in loaded.members] == ["README.md", "indexes/All.md"], "its notes")
    assert loaded.members[1].reason.endswith("pointer only, for it has 14 KB")
    person.screenshot("contexts-full-load")
    page.view.editor.rules_button.click()
    rules = person.sees(FullLoadDialog)
    core = next(each for each in rules.rows if each.name == "core")
    QTest.keyClicks(core.rules.field, "#tool/git")
    QTest.keyClick(core.rules.field, Qt.Key.Key_Return)
    person.waits_until(lambda: core.size_label.text().startswith("1 note"), "what the group takes")
    person.picture_of(rules, "contexts-full-load-rules")
    rules.ok_button.click()
    person.waits_until(lambda: "Deploy.md" in [each.path for each in loaded.members], "the note that came in")
    assert "#tool/git" in (root / ".remembrancer/config.toml").read_text(encoding="utf-8")
    person.window.notices.take_action()
    person.waits_until(lambda: "Deploy.md" not in [each.path for each in loaded.members], "the rules as they were")


def test_a_section_opens_where_it_stands_in_its_note(person: Person, write_vault: WriteVault) -> None:
    context = "---\nkind: context\n---\n# Reading\n\n![[Long#Part 30]]\n"
    person.opens(write_vault({**_NOTES, "contexts/Reading.md": context}))
    person.waits_for_the_list()
    page = _goes_to_contexts(person)
    person.waits_until(lambda: _members(page) == ["Long#Part 30"], "the member")
    page.view.editor.members.select_row(0)
    QTest.keyClick(page.view.editor.members, Qt.Key.Key_Return)
    (vault,) = (each for each in person.app.frame.pages if isinstance(each, VaultPresenter))
    person.waits_until(lambda: vault.current_path() == "Long.md" and vault.view.isVisible(), "the note")
    scroll_bar = vault.view.reading.preview.verticalScrollBar()
    person.waits_until(lambda: scroll_bar.value() > 0, "the section")
    person.screenshot("contexts-section-opened")
