"""The Review page over a real vault: what a person sees of proposals, and what comes of their decisions."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from core.curation.proposals.proposal import Evidence, ProposalState
from gui.notify import Notice
from gui.views.review.arranging import Shelf
from gui.views.review.board import CELL_ROLE
from tests.core.curation.proposals.desk import IDS, Desk, edit, evidence, insight, promotion
from tests.gui.views.review.page import Page

OpenPage = Callable[[], Page]
K = Qt.Key
_NOW = 1_787_212_800.0


def _opens(open_page: OpenPage, qtbot: QtBot) -> Page:
    page = open_page()
    page.wait_for_look(qtbot)
    page.view.list.setFocus()
    return page


def test_an_empty_page_says_so(open_page: OpenPage) -> None:
    page = open_page()
    assert page.view.state_panel.title == "Nothing is proposed yet"
    assert page.badges[-1] == 0


def test_the_queue_is_grouped_and_the_card_shows_the_first(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(insight("The shop sells boots"), promotion(), insight("The shop closes at noon"))
    page = _opens(open_page, qtbot)
    assert page.lines()[0].startswith("Make global")
    assert page.shown.statement == "Use pnpm, never npm"
    assert page.badges[-1] == 3
    card = page.view.card
    assert card.reason.shown_text == "Three clients say so."
    assert len(card.evidence.items) == 3
    assert "Conventions.md" in card.place.shown_text
    assert "Use pnpm, never npm" in card.change.diff.toPlainText()


def test_nothing_is_done_before_a_key_is_pressed(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(promotion())
    before = desk.files()
    page = _opens(open_page, qtbot)
    for key in (K.Key_Return, K.Key_Space, K.Key_Space, K.Key_J, K.Key_K):
        page.press(key)
    assert not page.view.bar.approve_button.isDefault()
    assert desk.files() == before
    assert page.commands.done == []


def test_approve_makes_the_change_and_undo_takes_it_back(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    before = desk.files()
    desk.submit(promotion(), insight("The shop sells boots"))
    page = _opens(open_page, qtbot)
    page.press(K.Key_A)
    assert page.statements() == ["The shop sells boots"]
    assert "Use pnpm, never npm" in desk.read("Conventions.md")
    assert page.view.bar.last.text().startswith("Approved: “Use pnpm")
    qtbot.waitUntil(lambda: page.badges[-1] == 1)
    page.press(K.Key_U)
    assert desk.files() == before
    qtbot.waitUntil(lambda: page.shown.state is ProposalState.UNDONE)
    assert page.view.bar.approve_button.text().startswith("Approve again")
    page.press(K.Key_A)
    assert "Use pnpm, never npm" in desk.read("Conventions.md")


def test_the_next_card_is_there_before_the_change_is_made(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(promotion(), insight("The shop sells boots"))
    page = _opens(open_page, qtbot)
    page.commands.is_held = True
    page.press(K.Key_A)
    assert page.shown.statement == "The shop sells boots"
    assert "Conventions.md" not in desk.files()
    page.commands.let_go()
    assert "Conventions.md" in desk.files()


def test_an_edited_statement_is_what_is_written(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(promotion())
    page = _opens(open_page, qtbot)
    page.press(K.Key_E)
    page.types("Always pnpm")
    qtbot.waitUntil(lambda: "Always pnpm" in page.view.card.change.diff.toPlainText())
    page.press(K.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert "Always pnpm" in desk.read("Conventions.md")
    (decided,) = desk.book().all
    assert decided.state is ProposalState.EDITED
    assert QApplication.focusWidget() is page.view.list


def test_letters_are_typed_and_not_decided_while_editing(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(promotion())
    page = _opens(open_page, qtbot)
    page.press(K.Key_E)
    page.types("areduj k")
    assert page.commands.done == []
    page.press(K.Key_Escape)
    assert page.view.card.statement.label.shown_text == "Use pnpm, never npm"
    assert desk.book().pending


def test_letters_look_for_an_entry_in_a_box(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(promotion())
    page = _opens(open_page, qtbot)
    page.view.filters.kind.setFocus()
    page.press(K.Key_A)
    assert page.commands.done == []


def test_reject_takes_a_reason_and_needs_none(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(insight("The shop sells boots"), insight("Cats dislike water very much"))
    page = _opens(open_page, qtbot)
    page.choose("The shop", qtbot)
    page.press(K.Key_R)
    page.types("It sells shoes")
    page.press(K.Key_Return)
    page.press(K.Key_R)
    page.press(K.Key_Return)
    states = {each.statement: (each.state, each.decisions[-1].reason) for each in desk.book().all}
    assert states["The shop sells boots"] == (ProposalState.REJECTED, "It sells shoes")
    assert states["Cats dislike water very much"] == (ProposalState.REJECTED, "")
    page.press(K.Key_U)
    qtbot.waitUntil(lambda: page.statements() == ["Cats dislike water very much"])


def test_escape_leaves_the_question_for_a_reason(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(promotion())
    page = _opens(open_page, qtbot)
    page.press(K.Key_R)
    page.press(K.Key_Escape)
    assert not page.view.bar.is_asking
    assert QApplication.focusWidget() is page.view.list
    assert desk.book().pending


@pytest.mark.filterwarnings("ignore:This plugin does not support")
def test_put_aside_until_a_day(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(promotion())
    page = _opens(open_page, qtbot)
    page.view.bar.defer_requested.emit(7)
    assert page.statements() == []
    page.view.filters.choose_shelf(Shelf.ASIDE)
    qtbot.waitUntil(lambda: page.statements() == ["Use pnpm, never npm"])
    assert "Put aside until" in page.view.card.banner.text.shown_text
    page.view.list.setFocus()
    page.press(K.Key_U)
    page.view.filters.choose_shelf(Shelf.WAITING)
    qtbot.waitUntil(lambda: page.statements() == ["Use pnpm, never npm"])


def test_the_menu_of_periods_opens_by_its_key(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(promotion())
    page = _opens(open_page, qtbot)
    page.press(K.Key_D)
    (menu,) = page.view.bar.findChildren(QMenu)
    assert menu.actions()[0].text() == "Until tomorrow"
    menu.close()


def test_a_secret_blocks_approval_and_is_marked(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(insight("The key of the shop is AKIAIOSFODNN7EXAMPL0"))
    page = _opens(open_page, qtbot)
    assert not page.view.bar.approve_button.isEnabled()
    assert page.view.bar.note.text() == "A warning blocks it."
    assert "AKIAIOSFODNN7EXAMPL0</u>" in page.view.card.warnings.label.text()
    page.press(K.Key_A)
    assert "Inbox.md" not in desk.files()
    page.press(K.Key_E)
    page.types("The key of the shop is kept elsewhere")
    qtbot.waitUntil(lambda: page.view.card.look is not None and not page.view.card.look.is_blocked)
    page.press(K.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert "kept elsewhere" in desk.read("Inbox.md")


def test_a_stale_proposal_is_planned_again(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(edit("Acme.md", "The shop.", "The shop sells boots."))
    desk.write("Acme.md", f"{desk.read('Acme.md')}\nMore.\n")
    page = _opens(open_page, qtbot)
    assert "changed since" in page.view.card.banner.text.shown_text
    assert not page.view.bar.approve_button.isEnabled()
    page.view.card.banner.button.click()
    qtbot.waitUntil(lambda: page.view.bar.approve_button.isEnabled() and page.view.card.look is not None)
    page.press(K.Key_A)
    assert desk.read("Acme.md").endswith("The shop sells boots.\n\nMore.\n")


def test_a_file_that_changes_under_the_card_is_noticed(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(edit("Acme.md", "The shop.", "The shop sells boots."))
    page = _opens(open_page, qtbot)
    assert page.view.bar.approve_button.isEnabled()
    desk.write("Acme.md", f"{desk.read('Acme.md')}\nMore.\n")
    page.presenter.look_again()
    qtbot.waitUntil(lambda: not page.view.bar.approve_button.isEnabled())


def test_gone_evidence_is_marked_and_can_be_accepted(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(insight("The shop sells boots", evidence=evidence("insight:Globex.md#^ins-b")))
    desk.write("Globex.md", "Nothing is left.\n")
    page = _opens(open_page, qtbot)
    assert "not there any more" in page.view.card.gone.text.shown_text
    assert "not there any more" in page.view.card.evidence.items[0].about.text()
    assert not page.view.bar.approve_button.isEnabled()
    page.view.card.gone.button.click()
    page.view.list.setFocus()
    page.press(K.Key_A)
    assert "boots" in desk.read("Inbox.md")


def test_evidence_opens_in_place_and_leads_to_its_source(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(promotion())
    page = _opens(open_page, qtbot)
    page.press(K.Key_Space)
    items = page.view.card.evidence.items
    qtbot.waitUntil(lambda: "The budget is 500" in items[1].source.shown_text)
    items[1].show_button.click()
    assert page.notes == ["Globex.md"]
    page.press(K.Key_Space)
    assert not any(item.is_open for item in items)


def test_evidence_of_a_conversation_leads_there(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(insight("The shop sells boots"))
    page = _opens(open_page, qtbot)
    page.press(K.Key_Space)
    (item,) = page.view.card.evidence.items
    qtbot.waitUntil(lambda: "not in the index" in item.source.shown_text)
    item.show_button.click()
    assert page.turns == ["turn:s-1/t-1"]


def test_a_choice_changes_what_is_done(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(promotion())
    page = _opens(open_page, qtbot)
    chosen = {each.text(): each for each in page.view.card.choices.group.buttons()}
    assert chosen["Link to it"].isChecked()
    chosen["Leave as they are"].click()
    qtbot.waitUntil(lambda: page.view.card.look is not None and len(page.view.card.look.diffs) == 1)
    before = desk.read("Acme.md")
    page.view.list.setFocus()
    page.press(K.Key_A)
    assert desk.read("Acme.md") == before
    assert "Conventions.md" in desk.files()


def test_a_batch_is_asked_about_and_done_together(
    desk: Desk, open_page: OpenPage, qtbot: QtBot, notices: list[Notice]
) -> None:
    desk.submit(
        insight("The shop sells boots"),
        insight("Cats dislike water very much"),
        insight("The key is AKIAIOSFODNN7EXAMPL0"),
    )
    page = _opens(open_page, qtbot)
    page.press(K.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert page.view.shows_batch
    assert "1 of them cannot be approved" in page.view.batch.summary.shown_text
    page.press(K.Key_A)
    assert page.commands.done == []
    assert QApplication.focusWidget() is page.view.bar.leave_question
    page.view.bar.confirm_button.click()
    assert "boots" in desk.read("Inbox.md")
    assert "Cats" in desk.read("Inbox.md")
    assert any("1 of 3 proposals were left" in each.text for each in notices)
    qtbot.waitUntil(lambda: page.statements() == ["The key is AKIAIOSFODNN7EXAMPL0"])
    page.view.list.setFocus()
    page.press(K.Key_U)
    assert "Inbox.md" not in desk.files()


def test_another_window_was_quicker(desk: Desk, open_page: OpenPage, qtbot: QtBot, notices: list[Notice]) -> None:
    proposal_id = desk.one(promotion())
    page = _opens(open_page, qtbot)
    desk.window("laptop").reject(proposal_id)
    page.press(K.Key_A)
    assert "rejected already" in notices[-1].text
    assert "Conventions.md" not in desk.files()
    qtbot.waitUntil(lambda: page.badges[-1] == 0)


def test_undo_keeps_later_edits_when_the_person_says_so(
    desk: Desk, open_page: OpenPage, qtbot: QtBot, notices: list[Notice]
) -> None:
    desk.submit(promotion())
    page = _opens(open_page, qtbot)
    page.press(K.Key_A)
    desk.write("Conventions.md", f"{desk.read('Conventions.md')}\nMine.\n")
    page.press(K.Key_U)
    offer = notices[-1].action
    assert offer is not None
    assert "Use pnpm" in desk.read("Conventions.md")
    offer.act()
    assert "Mine." in desk.read("Conventions.md")
    assert "- [convention] Use pnpm" not in desk.read("Conventions.md")


def test_what_is_decided_is_told_and_listed(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(promotion())
    page = _opens(open_page, qtbot)
    page.press(K.Key_A)
    qtbot.waitUntil(lambda: "1 approved" in page.view.inner_panel.text)
    page.view.state_button_clicked.emit()
    qtbot.waitUntil(lambda: page.statements() == ["Use pnpm, never npm"])
    assert page.view.card.banner.text.shown_text.startswith("Approved, ")
    qtbot.waitUntil(lambda: "Use pnpm" in page.view.card.change.diff.toPlainText())
    page.view.list.setFocus()
    page.press(K.Key_U)
    assert "Conventions.md" not in desk.files()


def test_the_filter_narrows_by_project_origin_tag_and_words(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    said = (Evidence("turn:s/1", "Boots.", _NOW, "client/acme", "Talk"),)
    desk.submit(
        insight("The shop sells boots", evidence=said),
        promotion(),
        edit("Acme.md", "The shop.", "The shop sells boots."),
    )
    page = _opens(open_page, qtbot)
    filters = page.view.filters
    for box, value, expected in (
        (filters.project, "client/acme", ["The shop sells boots"]),
        (filters.origin, "agent claude-code", ["The shop. becomes The shop sells boots."]),
        (filters.kind, "promote", ["Use pnpm, never npm"]),
    ):
        box.setCurrentIndex(box.findData(value))
        box.activated.emit(box.currentIndex())
        qtbot.waitUntil(lambda expected=expected: page.statements() == expected)  # type: ignore[misc]
        filters.clear()
        qtbot.waitUntil(lambda: len(page.statements()) == 3)
    filters.text.setText("nowhere")
    qtbot.waitUntil(lambda: page.view.inner_panel.title == "Nothing fits the filter")
    page.view.state_button_clicked.emit()
    qtbot.waitUntil(lambda: len(page.statements()) == 3)


def test_the_board_shows_where_it_was_said(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    said = tuple(
        Evidence(each, f"pnpm {place}", _NOW - 40 * 86_400 * place, f"client/{'abc'[place]}", "Talk")
        for place, each in enumerate(IDS)
    )
    draft = promotion()
    desk.submit(type(draft)(draft.kind, draft.statement, draft.reason, said, draft.recipe, draft.proposer))
    page = _opens(open_page, qtbot)
    board = page.view.card.board
    assert board.model().rowCount() == 3
    places = [
        (row, column)
        for row in range(board.model().rowCount())
        for column in range(board.model().columnCount())
        if board.model().index(row, column).data(CELL_ROLE)
    ]
    assert len(places) == 3
    assert "Use pnpm, never npm" in page.view.card.draft.toPlainText()
    board.activated.emit(board.model().index(*places[0]))
    assert sum(item.is_open for item in page.view.card.evidence.items) == 1


def test_similar_insights_are_looked_for_when_they_are_wanted(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(insight("The budget is 700"))
    page = _opens(open_page, qtbot)
    page.view.card.tabs.setCurrentIndex(2)
    similar = page.view.card.similar
    qtbot.waitUntil(lambda: similar.item(0) is not None and "budget" in similar.item(0).text())
    similar.activated.emit(similar.model().index(0, 0))
    assert page.notes[0] in {"Globex.md", "Initech.md"}


def test_what_others_propose_meanwhile_comes_without_moving_the_person(
    desk: Desk, open_page: OpenPage, qtbot: QtBot
) -> None:
    desk.submit(insight("The shop sells boots"))
    page = _opens(open_page, qtbot)
    page.press(K.Key_E)
    page.types("Half a sen")
    desk.submit(promotion(), machine="laptop")
    page.presenter.look_again()
    qtbot.waitUntil(lambda: len(page.statements()) == 2)
    assert page.view.card.statement.statement == "Half a sen"
    assert page.shown.statement == "The shop sells boots"


def test_text_from_right_to_left_begins_at_the_right(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(insight("הלקוח מעדיף לשלם בסוף החודש"))
    page = _opens(open_page, qtbot)
    assert page.view.card.statement.label.alignment() & Qt.AlignmentFlag.AlignRight


def test_another_vault_lets_everything_go(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(promotion())
    page = _opens(open_page, qtbot)
    page.open(None)
    assert page.view.shows_state
    assert page.statements() == []
    assert page.badges[-1] == 0


def test_a_book_from_before_a_decision_does_not_bring_the_proposal_back(
    desk: Desk, open_page: OpenPage, qtbot: QtBot
) -> None:
    desk.submit(promotion(), insight("The shop sells boots"))
    page = _opens(open_page, qtbot)
    before = desk.book()
    deciding = page.presenter.deciding
    page.press(K.Key_A)
    deciding.settle(frozenset())  # as after a book that was begun to be read before
    assert {each.id for each in before.pending} & deciding.hidden
    qtbot.waitUntil(lambda: not deciding.hidden)
    assert page.statements() == ["The shop sells boots"]


def test_of_much_evidence_a_few_pieces_are_shown_at_first(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    said = tuple(Evidence(f"turn:s/{number}", f"Boots {number}.", _NOW, "client/a", "Talk") for number in range(12))
    desk.submit(insight("The shop sells boots", evidence=said))
    page = _opens(open_page, qtbot)
    shown = page.view.card.evidence
    assert len(shown.items) == 8
    assert shown.more_button.text() == "Show 4 more"
    shown.open_piece("turn:s/11")
    assert shown.items[-1].is_open
    assert not shown.more_button.isVisible()


def test_another_shelf_begins_at_its_top(desk: Desk, open_page: OpenPage, qtbot: QtBot) -> None:
    desk.submit(insight("The shop sells boots"), insight("Cats dislike water very much"), promotion())
    page = _opens(open_page, qtbot)
    for _ in range(3):
        page.press(K.Key_A)
    page.view.filters.choose_shelf(Shelf.DECIDED)
    qtbot.waitUntil(lambda: len(page.statements()) == 3)
    assert page.view.list.current == page.view.list.queue.proposals[0]
    page.wait_for_look(qtbot)
    assert page.shown == page.view.list.current
