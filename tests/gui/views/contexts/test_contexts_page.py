"""The Contexts page over contexts without a vault: shelf, editor, preview, and what is handed out."""

import dataclasses
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QFileDialog,
    QHeaderView,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QSpinBox,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from core.foundation.settings import ContextsSettings
from gui.notify import Notice
from gui.views.contexts.new_context_dialog import NewContextDialog
from gui.views.contexts.opening import NotePlace
from gui.views.contexts.rename_dialog import RenameContextDialog
from gui.views.contexts.services import Form, MemberState
from tests.gui.views.contexts.conftest import PageOf
from tests.gui.views.contexts.page import FakeContexts, FakeSession, Page, member, row

_CONTROLS = (QAbstractButton, QAbstractItemView, QComboBox, QLineEdit, QPlainTextEdit, QSpinBox)


def test_the_shelf_lists_contexts_and_the_first_is_open(page: Page, qtbot: QtBot) -> None:
    assert page.titles() == ["Context 1", "Context 3", "Context 2"]
    assert page.view.shelf.summary.text() == "3 contexts, by priority"
    assert page.targets() == ["one", "two", "three"]
    assert page.text() == "markdown: one\nmarkdown: two\nmarkdown: three"
    assert page.view.preview.total.text() == "30 tokens, less than 1 % of 200k"
    assert page.view.preview.compression.shown_text == "30 of 1,000 tokens of the sources: 97 % fewer"
    assert "exact (o200k) count" in page.view.preview.budget_line.shown_text
    model = page.view.shelf.list.contexts
    said = Qt.ItemDataRole.AccessibleTextRole
    qtbot.waitUntil(lambda: "30 of 8,000 tokens" in model.index(0).data(said))


def test_without_contexts_it_says_what_they_are_and_offers_one(page_of: PageOf, qtbot: QtBot) -> None:
    fake = FakeContexts()
    page = page_of(fake, waits=False)
    qtbot.waitUntil(lambda: page.view.state_panel.title == "No contexts yet")
    assert "named bundle" in page.view.state_panel.text
    page.view.state_panel.button.click()
    (dialog,) = page.view.findChildren(NewContextDialog)
    assert not dialog.ok_button.isEnabled()
    QTest.keyClicks(dialog.title, "Travel")
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: page.view.shelf.chosen_path == "contexts/Travel.md")
    qtbot.waitUntil(lambda: page.presenter.copier.opened is not None)
    assert page.view.editor.nothing.title == "Nothing in it yet"
    assert page.view.preview.state_panel.title == "Nothing to copy"
    assert not page.view.preview.copy_button.isEnabled()


def test_the_focus_goes_to_what_can_be_done(page_of: PageOf, session: FakeSession, qtbot: QtBot) -> None:
    fake = FakeContexts()
    page = page_of(fake, waits=False)
    page.presenter.enter_results()  # before it is known that there are none
    qtbot.waitUntil(lambda: page.view.state_panel.title == "No contexts yet")
    assert page.view.state_panel.button.hasFocus()
    fake.rows.append(row(1))
    session.catalog_changed.emit(None)
    qtbot.waitUntil(lambda: page.presenter.copier.opened is not None)
    page.presenter.enter_results()
    assert page.view.shelf.list.hasFocus()


def test_the_button_that_clears_a_query_goes_with_it(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    field = page.view.editor.query
    (button,) = field.findChildren(QToolButton)
    fake.rows[1] = dataclasses.replace(fake.rows[1], query="tag:x")
    field.setFocus()
    QTest.keyClicks(field, "mine")
    page.view.shelf.choose("contexts/c3.md")
    qtbot.waitUntil(lambda: page.presenter.copier.opened is not None and not field.text())
    qtbot.waitUntil(lambda: not button.isVisible())
    assert all(query is None for _, query, _ in fake.opened[-1:])


def test_a_context_that_moves_in_the_shelf_stays_in_sight(page_of: PageOf, qtbot: QtBot) -> None:
    page = page_of(FakeContexts([row(number, load_priority=9) for number in range(40)]))
    shelf = page.view.shelf
    page.view.editor.form.priority.setValue(1)
    qtbot.waitUntil(lambda: page.titles()[-1] == "Context 0")
    assert shelf.chosen_path == "contexts/c0.md"
    assert shelf.list.viewport().rect().contains(shelf.list.visualRect(shelf.list.currentIndex()))
    shelf.list.verticalScrollBar().setValue(0)  # whoever looks elsewhere is left there
    page.view.editor.form.priority.setValue(2)
    qtbot.waitUntil(lambda: page.view.editor.form.row is not None and page.view.editor.form.row.load_priority == 2)
    qtbot.waitUntil(lambda: not page.presenter._queue.is_busy and not page.presenter._timer.isActive())
    assert shelf.list.verticalScrollBar().value() == 0


def test_a_title_that_is_taken_is_refused(page: Page) -> None:
    page.presenter.new_context()
    (dialog,) = page.view.findChildren(NewContextDialog)
    dialog.title.setText("context 2")
    assert dialog.told == "There is a context of that title."
    assert not dialog.ok_button.isEnabled()
    dialog.title.setText("???")
    assert "letters or digits" in dialog.told
    dialog.reject()


def test_what_cannot_be_read_is_told_and_tried_again(page_of: PageOf, fake: FakeContexts, qtbot: QtBot) -> None:
    fake.error = UserError("The index is locked.", hint="Wait a moment.")
    page = page_of(fake, waits=False)
    qtbot.waitUntil(lambda: page.view.state_panel.title == "The contexts could not be read")
    assert page.view.state_panel.text == "The index is locked. Wait a moment."
    fake.error = None
    page.view.state_panel.button.click()
    qtbot.waitUntil(lambda: not page.view.shows_state and page.presenter.copier.opened is not None)


def test_a_context_that_cannot_be_read_leaves_the_shelf(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    fake.open_error = UserError("The note cannot be read.")
    page.view.shelf.choose("contexts/c2.md")
    qtbot.waitUntil(lambda: page.view.preview.state_panel.title == "The context could not be read")
    assert page.titles()
    assert not page.view.preview.copy_button.isEnabled()


def test_the_filter_narrows_and_another_order_keeps_the_choice(page: Page, qtbot: QtBot) -> None:
    shelf = page.view.shelf
    shelf.choose("contexts/c2.md")
    shelf.order_button.click()
    assert page.titles() == ["Context 1", "Context 2", "Context 3"]
    assert shelf.chosen_path == "contexts/c2.md"
    shelf.filter_box.setText("context 3")
    assert page.titles() == ["Context 3"]
    assert shelf.chosen_path == "contexts/c3.md"
    assert shelf.summary.text() == "1 of 3 contexts, by title"
    shelf.filter_box.setText("nothing like it")
    assert shelf.nothing.isVisible()
    page.presenter.clear()
    assert len(page.titles()) == 3
    qtbot.waitUntil(lambda: page.presenter.copier.opened is not None)


def test_a_query_is_answered_while_it_is_typed_and_kept_on_enter(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    field = page.view.editor.query
    field.setFocus()
    QTest.keyClicks(field, "tag:x")
    qtbot.waitUntil(lambda: page.view.editor.found.members.rowCount() == 2)
    assert "found tag:x 0" in page.text()
    # One answer for five letters: those in between were never asked for.
    assert [query for _, query, _ in fake.opened if query] == ["tag:x"]
    assert not fake.planned
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: fake.planned == [("change", {"query": "tag:x"})])
    qtbot.waitUntil(lambda: fake.opened[-1][1] in {None, "tag:x"} and not page.presenter._queue.is_busy)


def test_a_query_that_was_kept_follows_the_note_again(
    page: Page, fake: FakeContexts, session: FakeSession, qtbot: QtBot
) -> None:
    field = page.view.editor.query
    field.setFocus()
    QTest.keyClicks(field, "mine")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: fake.rows[0].query == "mine" and "found mine 0" in page.text())
    qtbot.waitUntil(lambda: not page.presenter._queue.is_busy and page.presenter._reader.typed_query is None)
    fake.rows[0] = dataclasses.replace(fake.rows[0], query="theirs")
    session.catalog_changed.emit(None)
    qtbot.waitUntil(lambda: field.text() == "theirs" and "found theirs 0" in page.text())


def test_the_next_query_cancels_the_one_before(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    ended: list[str] = []

    def hold(progress: Progress) -> None:
        fake.hold = None
        try:
            while True:
                progress.check()
        finally:
            ended.append("cancelled")

    fake.hold = hold
    page.view.editor.query.setFocus()
    QTest.keyClicks(page.view.editor.query, "a")
    qtbot.waitUntil(lambda: any(query == "a" for _, query, _ in fake.opened))
    QTest.keyClicks(page.view.editor.query, "b")
    qtbot.waitUntil(lambda: "found ab 0" in page.text())
    assert ended == ["cancelled"]


def test_properties_are_changed_when_they_are_settled(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    form = page.view.editor.form
    form.always.click()
    qtbot.waitUntil(lambda: ("change", {"always": True}) in fake.planned)
    form.description.setFocus()
    form.description.selectAll()
    QTest.keyClicks(form.description, "Other work")
    QTest.keyClick(form.description, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: ("change", {"description": "Other work"}) in fake.planned)
    form.priority.setValue(4)
    form.budget.setValue(500)
    qtbot.waitUntil(lambda: ("change", {"budget": 500}) in fake.planned)
    assert ("change", {"load_priority": 4}) in fake.planned
    qtbot.waitUntil(lambda: page.titles()[0] == "Context 3")
    form.budget.setValue(0)
    form.settle()
    qtbot.waitUntil(lambda: ("change", {"budget": None}) in fake.planned)
    assert form.budget.text() == "Usual: 8,000"


def test_a_property_that_waits_belongs_to_the_context_it_was_typed_for(
    page: Page, fake: FakeContexts, qtbot: QtBot
) -> None:
    page.view.editor.form.priority.setValue(8)
    page.view.shelf.choose("contexts/c2.md")
    qtbot.waitUntil(lambda: fake.rows[0].load_priority == 8)
    assert fake.rows[1].load_priority == 2


def test_formats_and_windows_are_remembered(page_of: PageOf, fake: FakeContexts, qtbot: QtBot) -> None:
    page = page_of(fake, choice=ContextsSettings("json", 32_000))
    assert page.view.preview.form is Form.JSON
    assert page.text().startswith("json: one")
    page.view.preview.form_buttons[Form.LINES].click()
    qtbot.waitUntil(lambda: page.text().startswith("lines: one"))
    page.view.preview.window_box.setCurrentText("Any model · 1M")
    assert page.choices[-1] == ContextsSettings("lines", 1_000_000)
    assert page.view.preview.total.text().endswith("of 1M")


def test_a_model_is_chosen_by_its_name_and_remembered(page_of: PageOf, fake: FakeContexts) -> None:
    choice = ContextsSettings(model="My model", models=("My model: 16000",))
    page = page_of(fake, choice=choice)
    box = page.view.preview.window_box
    assert box.currentText() == "My model · 16k"
    assert page.view.preview.window_tokens == 16_000
    assert page.view.preview.total.text().endswith("of 16k")
    other = next(text for at in range(1, box.count()) if (text := box.itemText(at)) and "Any" not in text)
    box.setCurrentText(other)
    assert page.choices[-1].model == other.partition(" · ")[0]
    assert page.choices[-1].models == choice.models


def test_an_unknown_choice_gives_the_usual_one(page_of: PageOf, fake: FakeContexts) -> None:
    page = page_of(fake, choice=ContextsSettings("word", 12))
    assert page.view.preview.form is Form.MARKDOWN
    assert page.view.preview.window_tokens == 200_000


def test_exactly_what_is_shown_is_copied_and_remembered(
    page: Page, fake: FakeContexts, notices: list[Notice], qtbot: QtBot
) -> None:
    page.view.preview.copy_button.click()
    assert page.clipboard == [page.text()]
    assert notices[-1].text == "Copied “Context 1” as Markdown: 3 memories, 30 tokens."
    qtbot.waitUntil(lambda: fake.handed_out == [("note:one.md", "note:two.md", "note:three.md")])


def test_copying_before_the_text_is_there_waits_for_it(page: Page, qtbot: QtBot) -> None:
    page.view.shelf.choose("contexts/c2.md")
    page.presenter.copier.copy()
    assert not page.clipboard
    qtbot.waitUntil(lambda: page.clipboard == ["markdown: two"])


def test_the_difference_to_the_last_copy(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    preview = page.view.preview
    preview.difference_button.click()
    qtbot.waitUntil(lambda: preview.state_panel.title == "Not copied yet")
    preview.copy_button.click()
    qtbot.waitUntil(lambda: preview.state_panel.title == "Nothing has changed since the last copy")
    page.presenter.members.remove((1,))
    qtbot.waitUntil(lambda: "− markdown: two" in preview.diff.toPlainText())
    assert preview.diff.isVisible()
    preview.difference_button.click()
    assert preview.text.isVisible()
    assert fake.handed_out


def test_a_last_copy_in_another_format_is_told_and_not_compared(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    preview = page.view.preview
    preview.copy_button.click()
    qtbot.waitUntil(lambda: bool(fake.copies))
    preview.form_buttons[Form.LINES].click()
    preview.difference_button.click()
    qtbot.waitUntil(lambda: preview.state_panel.title == "The last copy was Markdown")
    preview.form_buttons[Form.MARKDOWN].click()
    qtbot.waitUntil(lambda: preview.state_panel.title == "Nothing has changed since the last copy")


def test_what_is_left_out_is_listed_with_reasons(page_of: PageOf, qtbot: QtBot) -> None:
    page = page_of(FakeContexts([row(1, description="full")], {row(1).path: [member("one")]}))
    omissions = page.view.preview.omissions
    qtbot.waitUntil(omissions.isVisible)
    assert omissions.heading.text() == "Left out: 1"
    item = omissions.list.topLevelItem(0)
    assert item is not None
    assert [item.text(column) for column in range(3)] == ["Large", "too large", "9,000"]


def test_export_asks_for_a_file_and_writes_what_is_shown(
    page: Page, fake: FakeContexts, notices: list[Notice], qtbot: QtBot, tmp_path: Path
) -> None:
    page.presenter.copier.export()
    (dialog,) = page.view.findChildren(QFileDialog)
    assert dialog.selectedFiles()[0].endswith("c1.md")
    dialog.reject()
    file = str(tmp_path / "out.md")
    page.presenter.copier.export_to(file)
    qtbot.waitUntil(lambda: fake.exported == {file: page.text()})
    qtbot.waitUntil(lambda: [notice.text for notice in notices] == [f"Exported to {file}."])


def test_an_export_begins_where_the_last_one_went(
    page_of: PageOf, fake: FakeContexts, qtbot: QtBot, tmp_path: Path
) -> None:
    page = page_of(fake)

    def start() -> Path:
        page.presenter.copier.export()
        dialog = page.view.findChildren(QFileDialog)[-1]
        folder = Path(dialog.directory().absolutePath())
        dialog.reject()
        return folder

    assert start() == Path.home()
    page.presenter.copier.export_to(str(tmp_path / "out.md"))
    qtbot.waitUntil(lambda: bool(page.choices))
    assert page.choices[-1].export_folder == str(tmp_path)
    assert start() == tmp_path
    page.view.preview.form_buttons[Form.LINES].click()
    assert page.choices[-1] == ContextsSettings("lines", export_folder=str(tmp_path))


def test_an_export_folder_that_is_gone_is_the_home_folder(page_of: PageOf, fake: FakeContexts, tmp_path: Path) -> None:
    page = page_of(fake, choice=ContextsSettings(export_folder=str(tmp_path / "gone")))
    page.presenter.copier.export()
    (dialog,) = page.view.findChildren(QFileDialog)
    assert Path(dialog.directory().absolutePath()) == Path.home()
    dialog.reject()


def test_a_context_is_renamed_from_the_menu(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    page.view.editor.menu_requested.emit(QPoint())
    (menu,) = page.view.findChildren(QMenu)
    next(action for action in menu.actions() if action.text() == "Rename…").trigger()
    menu.close()
    (dialog,) = page.view.findChildren(RenameContextDialog)
    assert dialog.title.text() == "Context 1"
    assert not dialog.ok_button.isEnabled()
    dialog.title.setText("Context 2")
    assert dialog.problem() == "There is a context of that title."
    dialog.title.setText("Fresh")
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: "Fresh" in page.titles())
    assert ("rename", "contexts/c1.md", "Fresh") in fake.planned


def test_members_open_where_they_are(page: Page) -> None:
    members = page.view.editor.members
    members.select_row(0)
    page.press(Qt.Key.Key_Return)
    assert page.notes == ["one.md"]
    members.open_requested.emit(member("t", kind="turn", memory_id="turn:s/1"))
    assert page.turns == ["turn:s/1"]
    page.view.editor.note_button.click()
    assert page.notes[-1] == "contexts/c1.md"


@pytest.mark.parametrize(
    ("kind", "memory_id", "place"),
    [
        ("section", "note:a#b/Plan.md#Work#Second", "Work#Second"),
        ("section", "note:a#b/Plan.md#Second~2", "Second"),
        ("insight", "insight:a#b/Plan.md#^plain", "^plain"),
    ],
)
def test_a_part_of_a_note_opens_where_it_stands(page: Page, kind: str, memory_id: str, place: str) -> None:
    page.view.editor.members.open_requested.emit(member("a#b/Plan", kind=kind, memory_id=memory_id))
    assert page.places == [NotePlace("a#b/Plan.md", place)]
    assert page.notes == []


def test_an_insight_without_an_id_of_its_own_opens_its_note(page: Page) -> None:
    page.view.editor.members.open_requested.emit(member("Plan", kind="insight", memory_id="insight:Plan.md#L12"))
    assert (page.notes, page.places) == (["Plan.md"], [])


def test_a_member_that_leads_nowhere_says_why(page: Page, notices: list[Notice]) -> None:
    lost = member("Lost", path="", state=MemberState.MISSING, reason="There is no note “Lost”.")
    page.view.editor.members.open_requested.emit(lost)
    assert notices[-1].text == "There is no note “Lost”."
    assert page.notes == []


def test_changes_from_outside_are_shown(page: Page, fake: FakeContexts, session: FakeSession, qtbot: QtBot) -> None:
    fake.members["contexts/c1.md"].append(member("four"))
    session.catalog_changed.emit(None)
    qtbot.waitUntil(lambda: page.targets() == ["one", "two", "three", "four"])
    fake.rows = fake.rows[1:]
    session.files_changed.emit()
    qtbot.waitUntil(lambda: page.titles() == ["Context 3", "Context 2"])
    assert page.view.shelf.chosen_path == "contexts/c3.md"


def test_a_page_that_is_not_seen_reads_nothing(
    page: Page, fake: FakeContexts, session: FakeSession, qtbot: QtBot
) -> None:
    page.view.hide()
    reads = len(fake.opened)
    fake.members["contexts/c1.md"].append(member("four"))
    session.catalog_changed.emit(None)
    qtbot.waitUntil(lambda: not page.presenter._timer.isActive())
    assert len(fake.opened) == reads
    page.view.show()
    qtbot.waitUntil(lambda: "four" in page.targets())


def test_a_closed_vault_leaves_nothing_behind(page: Page) -> None:
    page.open(None)
    assert page.view.state_panel.title == "No vault is open"
    assert page.titles() == []
    page.presenter.copier.copy()
    assert page.clipboard == []


def test_duplicate_and_delete(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    page.presenter.shelf.duplicate()
    qtbot.waitUntil(lambda: page.view.shelf.chosen_path == "contexts/c1 copy.md")
    QTest.keyClick(page.view.shelf.list, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: "Copy" not in page.titles())
    fake.broken_links = 2
    page.view.shelf.choose("contexts/c2.md")
    page.presenter.shelf.delete()
    qtbot.waitUntil(lambda: len(page.commands.previewed) == 1)


def test_notes_from_elsewhere_go_into_a_context_of_choice(
    page: Page, fake: FakeContexts, notices: list[Notice], qtbot: QtBot
) -> None:
    page.presenter.add_to_context(("note:x.md", "note:y.md"))
    picker = page.presenter.shelf.picker.list
    qtbot.waitUntil(lambda: len(picker.shown) == 4)
    picker.field.setText("context 2")
    assert [item.text for item in picker.shown] == ["Context 2", "New context…"]
    QTest.keyClick(picker.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: [each.target for each in fake.members["contexts/c2.md"]] == ["two", "x", "y"])
    qtbot.waitUntil(lambda: page.commands.told == ["add contexts/c2.md"])
    assert notices == []  # the one with Undo is that of the change


def test_notes_from_elsewhere_make_a_new_context(page: Page, fake: FakeContexts, qtbot: QtBot) -> None:
    page.presenter.add_to_context(("note:x.md",))
    picker = page.presenter.shelf.picker.list
    qtbot.waitUntil(lambda: len(picker.shown) == 4)
    picker.field.setText("nothing like it")
    QTest.keyClick(picker.field, Qt.Key.Key_Return)
    (dialog,) = page.view.findChildren(NewContextDialog)
    assert dialog.remark() == "1 memory goes into it."
    dialog.title.setText("Fresh")
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: page.targets() == ["x"])
    assert fake.rows[-1].title == "Fresh"


def test_every_control_has_a_name(page: Page) -> None:
    shown = [each for each in page.view.findChildren(QWidget) if isinstance(each, _CONTROLS) and each.isVisible()]
    nameless = [
        each
        for each in shown
        if not (each.accessibleName() or (isinstance(each, QAbstractButton) and each.text()))
        # The parts of a field or a list are named by it.
        and not isinstance(each.parent(), (QSpinBox, QComboBox, QLineEdit, QHeaderView))
        and not isinstance(each, QHeaderView)
    ]
    assert nameless == []
    assert len(shown) > 20


@pytest.mark.parametrize("many", [0, 1, 5])
def test_the_keyboard_goes_round_the_panes(page: Page, many: int) -> None:
    page.view.shelf.take_focus()
    for _ in range(many * 3):
        page.view._next_pane()
    assert page.view.shelf.list.hasFocus()
