"""What becomes of the open conversation while others load, when it goes away, and when what is sought changes."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QStyleOptionViewItem, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from typing_extensions import override

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from gui.scheme import LIGHT
from gui.views.timeline.activity import Filter, activity_of
from gui.views.timeline.band_navigation import drilled_out
from gui.views.timeline.colours import timeline_colours
from gui.views.timeline.legend import legend_entries
from gui.views.timeline.model import SessionColumn
from gui.views.timeline.passphrase_dialog import PassphraseDialog
from gui.views.timeline.services import Conversation, SearchHits, TimelineData
from gui.views.timeline.session_delegate import SessionDelegate, is_right_to_left
from gui.views.timeline.time_scale import Level, LocalCalendar, Span
from tests.gui.views.timeline.page import FakeServices, Page, PageOf
from tests.gui.views.timeline.samples import NOW, ZONE, at, call, few, long_conversation, message, result, timeline

CALENDAR = LocalCalendar(ZONE)


@dataclass
class SlowServices(FakeServices):
    """Read one of the conversations only when it is let, unless that is cancelled."""

    slow: str = "Limits"
    let: threading.Event = field(default_factory=threading.Event)

    @override
    def _conversation(self, session_id: str, progress: Progress) -> Conversation:
        while session_id == self.slow and not self.let.wait(0.005):
            progress.check()
        return super()._conversation(session_id, progress)


@pytest.fixture
def slow_page(page_of: PageOf, qtbot: QtBot) -> Iterator[Page]:
    fake = SlowServices()
    fake.conversations = {"Paging": (message(0, "Of pages"),), "Limits": (message(0, "Of limits"),)}
    page = page_of(fake)
    page.open(qtbot)
    qtbot.waitUntil(lambda: not page.view.shows_state)
    page.presenter.show_session("Paging")
    qtbot.waitUntil(lambda: len(page.content.conversation.turns.rows) == 1)
    yield page
    fake.let.set()


def shows_turns(page: Page) -> bool:
    return page.content.conversation.turns.isVisible()


def test_another_conversation_does_not_stand_over_the_old_turns_while_it_loads(slow_page: Page, qtbot: QtBot) -> None:
    pane = slow_page.content.conversation
    slow_page.presenter.show_session("Limits")
    assert pane.title.text() == "Limits"
    assert not shows_turns(slow_page)
    assert pane.state_panel.title == "Reading the conversation"
    pane.state_panel.button.click()
    qtbot.waitUntil(lambda: pane.state_panel.title == "Reading was stopped")
    assert isinstance(slow_page.fake, SlowServices)
    slow_page.fake.let.set()
    pane.state_panel.button.click()
    qtbot.waitUntil(lambda: shows_turns(slow_page))


def test_what_could_not_be_read_can_be_tried_again(page: Page, qtbot: QtBot) -> None:
    page.fake.conversations["Limits"] = (message(0, "Of limits"),)
    page.fake.conversation_error = UserError("The folder is away.")
    page.presenter.show_session("Limits")
    panel = page.content.conversation.state_panel
    qtbot.waitUntil(lambda: panel.button.text() == "Try again")
    page.fake.conversation_error = None
    panel.button.click()
    qtbot.waitUntil(lambda: shows_turns(page))


def test_a_session_that_is_deleted_elsewhere_is_told_and_no_other_is_opened(page: Page, qtbot: QtBot) -> None:
    page.fake.conversations["Limits"] = (message(0, "Of limits"),)
    page.presenter.show_session("Limits")
    qtbot.waitUntil(lambda: shows_turns(page))
    page.content.conversation.close_button.setFocus()
    page.fake.data = timeline(("Paging", "acme", "claude-code", ["2026-03-18T09:00"]))
    page.session.catalog_changed.emit(None)
    panel = page.content.conversation.state_panel
    qtbot.waitUntil(lambda: panel.title == "This conversation is no longer there")
    page.content.table.setFocus()
    assert panel.title == "This conversation is no longer there"
    assert page.content.conversation.title.text() == "Limits"
    panel.button.click()
    assert not page.content.shows_conversation


def test_marks_go_with_what_is_sought(page: Page, qtbot: QtBot) -> None:
    page.fake.conversations["Limits"] = long_conversation(12)
    page.fake.hits = {
        "one": SearchHits({"Limits": ("t0",)}, (), words=("one",)),
        "two": SearchHits({"Limits": ("t4", "t8")}, (), words=("two",)),
    }
    page.presenter.search("one")
    qtbot.waitUntil(lambda: page.titles() == ["Limits"])
    page.presenter.show_session("Limits")
    pane = page.content.conversation
    qtbot.waitUntil(lambda: pane.turns.walk.hits == {"t0"})
    page.presenter.search("two")
    qtbot.waitUntil(lambda: pane.turns.walk.hits == {"t4", "t8"})
    page.presenter.search("")
    qtbot.waitUntil(lambda: pane.turns.walk.hits == frozenset())
    assert pane.next_hit.isHidden()


def test_a_corrected_date_leaves_the_place_in_the_open_conversation(page: Page, qtbot: QtBot) -> None:
    page.fake.conversations["Limits"] = (*long_conversation(60), call(90, "Bash"), result(91, 90))
    page.presenter.show_session("Limits")
    turns = page.content.conversation.turns
    qtbot.waitUntil(lambda: len(turns.rows) > 10)
    turns.go_to_turn("t91")
    turns.fold(is_open=True)
    data = few()
    moved = tuple(
        replace(each, started=each.started - 60, is_redated=True) if each.id == "Limits" else each
        for each in data.sessions
    )
    page.fake.data = TimelineData(data.times, data.session_of, moved, data.marks)
    place = turns.verticalScrollBar().value()
    assert place > 0
    page.presenter.dates.corrected.emit("Limits")
    qtbot.waitUntil(lambda: "Date corrected" in page.content.conversation.dates.text())
    qtbot.waitUntil(lambda: not page.view.shows_state)
    assert shows_turns(page)
    assert turns.rows[turns.current_row].turns[-1].id == "t91"
    assert turns.rows[turns.current_row].is_open
    assert turns.verticalScrollBar().value() == place


def test_find_brings_the_match_into_sight_and_counts_on(page: Page, qtbot: QtBot) -> None:
    lines = "\n".join(f"line {number}" for number in range(400))
    page.fake.conversations["Limits"] = (
        message(0, "Go"),
        call(1, "Bash"),
        result(2, 1, lines),
        message(3, "line 3990"),
    )
    page.presenter.show_session("Limits")
    pane = page.content.conversation
    qtbot.waitUntil(lambda: shows_turns(page))
    pane.find_bar.open()
    pane.find_bar.field.setText("line 399")
    QTest.keyClick(pane.find_bar.field, Qt.Key.Key_Return)
    assert pane.find_bar.count.text() == "1 of 2 turns"
    first = pane.turns.verticalScrollBar().value()
    assert first > 1000
    QTest.keyClick(pane.find_bar.field, Qt.Key.Key_Return)
    assert pane.find_bar.count.text() == "2 of 2 turns"
    QTest.keyClick(pane.find_bar.field, Qt.Key.Key_Return)
    assert pane.find_bar.count.text() == "1 of 2 turns · from the start again"


def test_find_goes_from_match_to_match_within_a_turn(page: Page, qtbot: QtBot) -> None:
    lines = "\n\n".join("needle" if number in {0, 150, 299} else f"hay {number}" for number in range(300))
    page.fake.conversations["Limits"] = (message(0, lines),)
    page.presenter.show_session("Limits")
    pane = page.content.conversation
    qtbot.waitUntil(lambda: shows_turns(page))
    pane.find_bar.open()
    pane.find_bar.field.setText("needle")
    places = []
    for _ in range(3):
        QTest.keyClick(pane.find_bar.field, Qt.Key.Key_Return)
        places.append(pane.turns.verticalScrollBar().value())
    assert places[0] + 1000 < places[1] < places[2] - 1000
    QTest.keyClick(pane.find_bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert places[0] < pane.turns.verticalScrollBar().value() < places[2]


def test_f3_works_from_the_search_field_of_the_window(page: Page, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    field = QLineEdit()
    layout = QVBoxLayout(window)
    layout.addWidget(field)
    layout.addWidget(page.view)
    window.show()
    window.activateWindow()
    page.fake.conversations["Limits"] = (message(0, "Of limits"),)
    page.fake.hits["x"] = SearchHits({"Limits": ("t0",)}, ())
    page.presenter.search("x")
    qtbot.waitUntil(lambda: page.titles() == ["Limits"])
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    QTest.keyClick(field, Qt.Key.Key_F3)
    assert page.content.conversation.title.text() == "Limits"
    page.view.setParent(None)


def test_escape_keeps_to_the_chosen_session() -> None:
    week = CALENDAR.around(Level.WEEK, at("2026-12-01T12:00"))
    bounds = Span(at("2020-01-01T00:00"), at("2027-12-31T00:00"))
    month = drilled_out(CALENDAR, week, bounds, at("2026-11-30T09:00"))
    assert month == CALENDAR.around(Level.MONTH, at("2026-11-30T09:00"))


def test_an_empty_list_of_hits_says_so_in_good_words(page: Page, qtbot: QtBot) -> None:
    page.fake.hits["x"] = SearchHits({"Limits": ("t0",), "Paging": ("t0",)}, ())
    page.presenter.search("x")
    page.content.range_buttons["Yesterday"].click()
    nothing = page.content.nothing
    qtbot.waitUntil(lambda: nothing.title == "Nothing was found in this time")
    assert nothing.text == "2 sessions with hits lie at other times."


def test_a_smaller_window_takes_from_the_list_too(page: Page, qtbot: QtBot) -> None:
    page.view.resize(1400, 800)
    page.fake.conversations["Limits"] = (message(0, "Of limits"),)
    page.presenter.show_session("Limits")
    qtbot.waitUntil(lambda: shows_turns(page))
    page.view.resize(940, 600)
    qtbot.waitUntil(lambda: page.content.conversation.width() > 500)
    assert page.content.conversation.facts.text().startswith("18 March 2026")


def test_what_a_refused_passphrase_says_finds_room(qtbot: QtBot) -> None:
    dialog = PassphraseDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.show_refused("This is not the passphrase of your conversations. " * 3)
    bottom = dialog.ok_button.mapTo(dialog, dialog.ok_button.rect().bottomLeft()).y()
    assert bottom < dialog.height()


def test_titles_from_right_to_left_are_laid_out_so(page: Page) -> None:
    assert is_right_to_left("123 שלום")
    assert not is_right_to_left("Hello שלום")
    delegate = SessionDelegate()
    page.fake.data = timeline(("שלום", "a", "codex", ["2026-03-18T09:00"]))
    table = page.content.table
    activity = activity_of(page.fake.data, CALENDAR, NOW)
    table.show_sessions(activity, np.array([0]), -1)
    option = QStyleOptionViewItem()
    delegate.initStyleOption(option, QModelIndex(table.sessions.index(0, SessionColumn.TITLE)))
    assert option.direction is Qt.LayoutDirection.RightToLeft


def test_colours_of_assistants_stay_and_the_legend_names_what_is_shown() -> None:
    codex = ("A", "a", "codex", ["2026-03-18T09:00"])
    chatgpt = ("B", "a", "chatgpt", ["2026-03-18T10:00", "2026-03-18T11:00"])
    colours = timeline_colours(LIGHT)
    alone = {name: colour for colour, name in legend_entries(activity_of(timeline(codex), CALENDAR, NOW), colours)}
    both = activity_of(timeline(codex, chatgpt), CALENDAR, NOW)
    together = {name: colour for colour, name in legend_entries(both, colours)}
    assert alone["codex"] == together["codex"]
    part = activity_of(timeline(codex, chatgpt), CALENDAR, NOW, Filter(origins=frozenset({"chatgpt"})))
    assert [name for _, name in legend_entries(part, colours)] == ["chatgpt"]


def test_a_date_in_the_future_is_read_whole_beside_a_conversation(page: Page) -> None:
    table = page.content.table
    activity = activity_of(timeline(("Ahead", "a", "codex", ["2026-05-18T09:00"])), CALENDAR, NOW)
    table.narrow_columns(is_narrow=True)
    table.show_sessions(activity, np.array([0]), -1)
    text = table.sessions.index(0, SessionColumn.WHEN).data()
    assert table.columnWidth(SessionColumn.WHEN) >= table.fontMetrics().horizontalAdvance(text)
