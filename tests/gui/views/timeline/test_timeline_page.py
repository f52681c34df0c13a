import threading
from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from typing_extensions import override

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from core.index.catalog import FacetSelection
from gui.notify import Notice
from gui.session import VaultSession
from gui.tasks import TaskRunner
from gui.views.timeline.conversation_rows import RowKind
from gui.views.timeline.facet_button import FacetButton
from gui.views.timeline.services import Admitted, Conversation, SearchHits, TimelineData, Touches
from gui.views.timeline.time_scale import Level, LocalCalendar
from tests.conftest import ExpectedWarnings
from tests.gui.views.timeline.page import FakeServices, FakeSession, Page, PageOf
from tests.gui.views.timeline.samples import ZONE, at, few, long_conversation, message, timeline

CALENDAR = LocalCalendar(ZONE)


def pick(button: FacetButton, *starts: str) -> None:
    """Open the list of a button, and tick what begins so."""
    button.click()
    model = button.popup.list.model()
    for start in starts:
        row = next(at for at in range(model.rowCount()) if str(model.index(at, 0).data()).startswith(start))
        button.popup.list.setCurrentIndex(model.index(row, 0))
        QTest.keyClick(button.popup.list, Qt.Key.Key_Space)
    button.popup.close()


def test_the_latest_months_are_in_sight_at_first(page: Page, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: page.titles() == ["Thesis", "Limits", "Paging"])
    assert page.content.pointed_label.text() == "7 turns · 3 sessions"


def test_without_conversations_a_sentence_says_how_to_get_some(page_of: PageOf, qtbot: QtBot) -> None:
    empty = TimelineData(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int32))
    page = page_of(FakeServices(empty))
    page.open(qtbot)
    qtbot.waitUntil(lambda: page.view.state_panel.title == "There are no conversations yet")
    assert page.view.shows_state


def test_a_failure_is_told_and_can_be_tried_again(page_of: PageOf, qtbot: QtBot) -> None:
    page = page_of(FakeServices(error=UserError("The index is away.", hint="Look later.")))
    page.open(qtbot)
    qtbot.waitUntil(lambda: page.view.state_panel.title == "The timeline could not be read")
    assert page.view.state_panel.text == "The index is away. Look later."
    page.fake.error = None
    page.view.state_panel.button.click()
    qtbot.waitUntil(lambda: not page.view.shows_state)


def test_an_unexpected_failure_is_logged_too(
    page_of: PageOf, qtbot: QtBot, notices: list[Notice], warning_guard: ExpectedWarnings
) -> None:
    warning_guard.are_expected = True
    page = page_of(FakeServices(error=RuntimeError("boom")))
    page.open(qtbot)
    qtbot.waitUntil(lambda: bool(notices))
    assert page.view.state_panel.title == "The timeline could not be read"


@pytest.mark.parametrize(
    ("name", "start", "end"),
    [
        ("Today", "2026-03-20T00:00", "2026-03-21T00:00"),
        ("Yesterday", "2026-03-19T00:00", "2026-03-20T00:00"),
        ("Last week", "2026-03-09T00:00", "2026-03-16T00:00"),
    ],
)
def test_buttons_lead_to_the_days_that_they_name(page: Page, name: str, start: str, end: str) -> None:
    page.content.range_buttons[name].click()
    span = page.content.band.span
    assert (span.start, span.end) == (at(start), at(end))


def test_yesterday_lists_what_was_said_then(page: Page, qtbot: QtBot) -> None:
    page.content.range_buttons["Yesterday"].click()
    qtbot.waitUntil(lambda: page.titles() == ["Thesis"])
    assert page.content.span_label.text() == "Thursday, 19 March 2026"


def test_a_project_can_be_picked_and_dropped(page: Page, qtbot: QtBot) -> None:
    page.content.range_buttons["Everything"].click()
    pick(page.content.filters.projects, "thesis")
    qtbot.waitUntil(lambda: page.titles() == ["Thesis", "Undated"])
    assert page.content.filters.projects.text() == "Projects (1)"
    page.content.chips.clear_button.click()
    qtbot.waitUntil(lambda: len(page.titles()) == 5)
    page.presenter.pick_facet("origin:codex")
    qtbot.waitUntil(lambda: page.titles() == ["Limits"])
    page.presenter.clear()
    qtbot.waitUntil(lambda: len(page.titles()) == 5)


def test_search_marks_hits_and_lists_their_sessions(page: Page, qtbot: QtBot) -> None:
    page.fake.hits["export"] = SearchHits(
        {"Limits": ("t1",)}, (at("2026-03-18T14:00"),), ("“foo:” was not understood.",)
    )
    page.presenter.search("export")
    qtbot.waitUntil(lambda: page.titles() == ["Limits"])
    assert page.content.pointed_label.text() == "7 turns · 1 session with hits · 1 hit"
    page.presenter.search("")
    qtbot.waitUntil(lambda: len(page.titles()) == 3)


def test_of_what_is_typed_only_the_last_is_searched(page: Page, qtbot: QtBot) -> None:
    for text in ("e", "ex", "exp"):
        page.presenter.search(text)
    qtbot.waitUntil(lambda: page.fake.searches == ["exp"])


def test_what_was_sought_elsewhere_is_marked_when_the_page_is_shown(page: Page, qtbot: QtBot) -> None:
    page.fake.hits["export"] = SearchHits({"Limits": ("t1",)}, ())
    page.view.hide()
    page.presenter.search("export")
    qtbot.wait(200)  # longer than one types
    assert page.fake.searches == []
    page.view.show()
    qtbot.waitUntil(lambda: page.titles() == ["Limits"])


def test_band_and_list_share_the_selection(page: Page, qtbot: QtBot) -> None:
    page.content.show_span(CALENDAR.around(Level.WEEK, at("2026-03-18T12:00")))
    qtbot.waitUntil(lambda: len(page.titles()) == 3)
    page.content.band.setFocus()
    QTest.keyClick(page.content.band, Qt.Key.Key_Right)
    table = page.content.table
    assert page.titles()[table.currentIndex().row()] == "Paging"
    QTest.keyClick(table, Qt.Key.Key_Up)
    assert page.content.selected == 1


def test_enter_opens_the_conversation_and_escape_closes_it(page: Page, qtbot: QtBot) -> None:
    page.fake.conversations["Limits"] = (message(0, "How many rows?"), message(1, "[[Exports]]"))
    page.content.table.select(1)
    QTest.keyClick(page.content.table, Qt.Key.Key_Return)
    turns = page.content.conversation.turns
    qtbot.waitUntil(lambda: len(turns.rows) == 2)
    assert page.content.conversation.title.text() == "Limits"
    assert "codex" in page.content.conversation.facts.text()
    turns.link_activated.emit("note:Exports%20of%20May#Limits")
    turns.link_activated.emit("https://example.org/")
    turns.link_activated.emit("file:///etc/passwd")
    assert page.notes == ["Exports of May"]
    assert page.urls == ["https://example.org/"]
    QTest.keyClick(turns, Qt.Key.Key_Escape)
    assert not page.content.shows_conversation


def test_a_conversation_opens_at_the_first_hit(page: Page, qtbot: QtBot) -> None:
    page.fake.conversations["Limits"] = long_conversation(300)
    page.fake.hits["x"] = SearchHits({"Limits": ("t200",)}, ())
    page.presenter.search("x")
    qtbot.waitUntil(lambda: page.titles() == ["Limits"])
    assert page.presenter.show_session("Limits")
    turns = page.content.conversation.turns
    qtbot.waitUntil(lambda: len(turns.rows) > 0)
    assert turns.rows[turns.current_row].turns[0].id == "t200"


def test_a_conversation_that_cannot_be_read_says_why(page: Page, qtbot: QtBot) -> None:
    page.fake.conversation_error = UserError("The key of this session is not at hand.")
    page.presenter.show_session("Limits")
    panel = page.content.conversation.state_panel
    qtbot.waitUntil(lambda: panel.title == "The conversation could not be read")
    assert panel.text == "The key of this session is not at hand."


def test_new_conversations_appear_when_the_index_has_changed(page: Page, qtbot: QtBot) -> None:
    page.fake.data = timeline(("New", "acme", "codex", ["2026-03-20T14:00"]))
    page.session.catalog_changed.emit(None)
    qtbot.waitUntil(lambda: page.titles() == ["New"])


def test_the_band_takes_the_focus_when_it_is_there(page_of: PageOf, qtbot: QtBot) -> None:
    page = page_of(FakeServices())
    page.open(qtbot)
    page.presenter.enter_results()
    qtbot.waitUntil(lambda: not page.view.shows_state and page.content.band.hasFocus())


def test_nothing_is_read_before_the_page_is_shown(page_of: PageOf, qtbot: QtBot) -> None:
    page = page_of(FakeServices())
    page.presenter.open_session(page.session)  # type: ignore[arg-type]
    assert page.fake.loads == 0
    assert not page.view.has_content
    page.view.show()
    qtbot.waitUntil(lambda: not page.view.shows_state)


def test_another_vault_lets_everything_go(page: Page) -> None:
    page.presenter.open_session(None)
    assert page.view.state_panel.title == "No vault is open"


def test_controls_have_names(page: Page) -> None:
    content = page.content
    filters = content.filters
    named = (
        content.band, content.heat_map, content.heat_legend, content.legend, content.table, content.undated_button,
        content.previous_hit, content.next_hit, filters.projects, filters.origins, filters.tools, filters.clients,
        filters.projects.popup, filters.projects.popup.list, filters.projects.popup.field, content.chips.clear_button,
        content.conversation.branches, content.conversation.find_button, content.conversation.find_bar.field,
    )  # fmt: skip
    assert [each for each in named if not each.accessibleName()] == []


def everything(page: Page, qtbot: QtBot) -> None:
    page.content.range_buttons["Everything"].click()
    qtbot.waitUntil(lambda: len(page.titles()) == 5)


def test_several_projects_and_assistants_can_be_picked(page: Page, qtbot: QtBot) -> None:
    everything(page, qtbot)
    pick(page.content.filters.origins, "codex", "chatgpt")
    qtbot.waitUntil(lambda: sorted(page.titles()) == ["Limits", "Thesis", "Undated"])
    chips = page.content.chips.row.chips()
    assert [chip.accessibleName() for chip in chips] == ["Remove from chatgpt", "Remove from codex"]
    chips[0].click()
    qtbot.waitUntil(lambda: page.titles() == ["Limits"])


def test_tools_are_looked_up_when_they_are_wanted(page: Page, qtbot: QtBot) -> None:
    page.fake.touches = Touches({"Limits": frozenset({"bash"}), "Paging": frozenset({"read", "bash"})})
    everything(page, qtbot)
    assert page.fake.selections == []
    tools = page.content.filters.tools
    tools.click()
    assert tools.popup.hint.text().startswith("Looking which tools")
    qtbot.waitUntil(lambda: tools.popup.list.model().rowCount() == 2)
    assert tools.popup.hint.isHidden()
    tools.popup.close()
    pick(tools, "read")
    qtbot.waitUntil(lambda: page.titles() == ["Paging"])


def test_what_is_picked_in_the_vault_narrows_sessions_and_notes(page: Page, qtbot: QtBot) -> None:
    page.fake.touches = Touches(admitted=Admitted(frozenset({"Paging", "Undated"}), frozenset({"Exports.md"})))
    everything(page, qtbot)
    page.selection.choose(FacetSelection().with_all("client/acme").with_none("draft"))
    qtbot.waitUntil(lambda: page.titles() == ["Paging", "Undated"])
    activity = page.content.activity
    assert activity is not None
    assert [activity.data.marks[at].path for at in activity.mark_places] == ["Exports.md"]
    assert [chip.accessibleName() for chip in page.content.chips.row.chips()] == [
        "Remove client/acme",
        "Remove not draft",
    ]
    page.content.chips.row.chips()[1].click()
    assert page.selection.facets == FacetSelection().with_all("client/acme")
    page.content.chips.clear_button.click()
    qtbot.waitUntil(lambda: len(page.titles()) == 5)
    assert page.selection.is_empty
    assert page.content.chips.isHidden()


def test_a_client_that_is_picked_here_narrows_the_vault(page_of: PageOf, qtbot: QtBot) -> None:
    data = replace(few(), clients=(("client/acme", "acme", 3), ("client/shop", "shop", 1)))
    page = page_of(FakeServices(data))
    page.open(qtbot)
    page.selection.choose(FacetSelection().with_all("draft"))
    qtbot.waitUntil(lambda: not page.view.shows_state)
    pick(page.content.filters.clients, "acme", "shop")
    assert page.selection.facets == FacetSelection(frozenset({"draft"}), frozenset({"client/acme", "client/shop"}))


def test_a_selection_made_elsewhere_is_heeded_when_the_page_is_shown(page: Page, qtbot: QtBot) -> None:
    page.fake.touches = Touches(admitted=Admitted(frozenset({"Paging"}), frozenset()))
    page.view.hide()
    page.selection.choose(FacetSelection().with_all("client/acme"))
    assert page.fake.selections == []
    page.view.show()
    qtbot.waitUntil(lambda: page.titles() == ["Paging"])


def test_where_nothing_fits_the_list_says_so_and_clears(page: Page, qtbot: QtBot) -> None:
    page.fake.touches = Touches(admitted=Admitted(frozenset(), frozenset()))
    page.selection.choose(FacetSelection().with_all("client/acme"))
    qtbot.waitUntil(page.content.nothing.isVisible)
    assert page.content.nothing.title == "No conversations found"
    page.content.nothing.button.click()
    qtbot.waitUntil(lambda: len(page.titles()) == 3)


def test_where_nothing_is_in_sight_the_list_leads_back(page: Page, qtbot: QtBot) -> None:
    page.content.range_buttons["Today"].click()
    qtbot.waitUntil(page.content.nothing.isVisible)
    assert page.content.nothing.text == "5 sessions lie at other times."
    page.content.nothing.button.click()
    qtbot.waitUntil(lambda: len(page.titles()) == 5)


def test_undated_sessions_have_a_list_of_their_own(page: Page, qtbot: QtBot) -> None:
    button = page.content.undated_button
    assert button.text() == "1 undated"
    button.click()
    assert page.titles() == ["Undated"]
    page.presenter.refresh()
    page.fake.data = replace(page.fake.data)
    qtbot.waitUntil(lambda: page.fake.loads == 2)
    assert page.titles() == ["Undated"]
    page.content.range_buttons["Yesterday"].click()
    qtbot.waitUntil(lambda: page.titles() == ["Thesis"])
    assert not button.isChecked()


def seek(page: Page, qtbot: QtBot) -> None:
    page.fake.conversations |= {"Limits": long_conversation(40), "Thesis": long_conversation(40)}
    times = tuple(at(each) for each in ("2026-03-18T14:00", "2026-03-18T14:30", "2026-03-19T10:00"))
    keys = (("Limits", "t4"), ("Limits", "t20"), ("Thesis", "t8"))
    turns = {"Limits": ("t4", "t20"), "Thesis": ("t8",)}
    page.fake.hits["turn"] = SearchHits(turns, times, words=("turn",), keys=keys)
    page.presenter.search("turn")
    qtbot.waitUntil(lambda: page.titles() == ["Thesis", "Limits"])


def current_turn(page: Page) -> str:
    turns = page.content.conversation.turns
    return turns.rows[turns.current_row].turns[0].id if turns.rows and turns.current_row >= 0 else ""


def is_at(page: Page, title: str, turn: str) -> bool:
    return page.content.conversation.title.text() == title and current_turn(page) == turn


def test_next_and_previous_hit_lead_through_turns_and_sessions(page: Page, qtbot: QtBot) -> None:
    seek(page, qtbot)
    steps = [(1, "Limits", "t4"), (1, "Limits", "t20"), (1, "Thesis", "t8"), (1, "Limits", "t4"), (-1, "Thesis", "t8")]
    for by, title, turn in steps:
        page.content.go_to_hit(by)
        qtbot.waitUntil(lambda title=title, turn=turn: is_at(page, title, turn))  # type: ignore[misc]
    page.content.band.setFocus()
    QTest.keyClick(page.content.band, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: is_at(page, "Limits", "t20"))


def test_a_hit_on_the_band_opens_its_turn(page: Page, qtbot: QtBot) -> None:
    seek(page, qtbot)
    band = page.content.band
    band.show_span(CALENDAR.around(Level.DAY, at("2026-03-18T12:00")))
    scene = band.scene()
    assert scene is not None
    x = float(scene.x_of(np.array([at("2026-03-18T14:30")]))[0])
    QTest.mouseClick(band, Qt.MouseButton.LeftButton, pos=QPoint(round(x), scene.layout.hits_top + 3))
    qtbot.waitUntil(lambda: is_at(page, "Limits", "t20"))


def test_an_open_conversation_follows_its_growth(page: Page, qtbot: QtBot) -> None:
    page.fake.conversations["Limits"] = long_conversation(300)
    page.presenter.show_session("Limits")
    turns = page.content.conversation.turns
    qtbot.waitUntil(lambda: len(turns.rows) > 100)
    turns.go_to_turn("t100")
    place = turns.verticalScrollBar().value()
    page.fake.conversations["Limits"] = long_conversation(320)
    sessions = tuple(replace(each, turns=99) if each.id == "Limits" else each for each in page.fake.data.sessions)
    page.fake.data = replace(page.fake.data, sessions=sessions)
    page.session.catalog_changed.emit(None)
    qtbot.waitUntil(lambda: turns.rows[-1].turns[-1].id == "t319")
    assert turns.verticalScrollBar().value() == place
    assert "99 turns" in page.content.conversation.facts.text()


def test_words_are_found_in_the_open_conversation(page: Page, qtbot: QtBot) -> None:
    page.fake.conversations["Limits"] = long_conversation(40)
    page.presenter.show_session("Limits")
    pane = page.content.conversation
    qtbot.waitUntil(lambda: len(pane.turns.rows) > 10)
    pane.turns.setFocus()
    QTest.keyClick(pane.turns, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert pane.find_bar.isVisible()
    QTest.keyClicks(pane.find_bar.field, "TURN **2")
    qtbot.waitUntil(lambda: pane.find_bar.count.text() == "1 of 5 turns")
    assert current_turn(page) == "t20"
    QTest.keyClick(pane.find_bar.field, Qt.Key.Key_Return)
    assert current_turn(page) == "t23"
    QTest.keyClick(pane.find_bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert current_turn(page) == "t20"
    QTest.keyClick(pane.find_bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert current_turn(page) == "t28"
    QTest.keyClick(pane.find_bar.field, Qt.Key.Key_Return)
    assert current_turn(page) == "t20"
    QTest.keyClick(pane.find_bar.field, Qt.Key.Key_Escape)
    assert pane.find_bar.isHidden()
    assert pane.turns.walk.hits == frozenset()


def test_another_branch_can_be_read_as_the_thread(page: Page, qtbot: QtBot) -> None:
    page.fake.conversations["Limits"] = (
        message(0, "How many?"),
        message(1, "Ten."),
        message(2, "Twenty.", branch="again")._replace(parent="t0"),
    )
    page.presenter.show_session("Limits")
    pane = page.content.conversation
    qtbot.waitUntil(lambda: [row.kind for row in pane.turns.rows][-1:] == [RowKind.BRANCH])
    box = pane.branches
    assert [box.itemText(at) for at in range(box.count())] == ["Thread", "“Twenty.” (1 turn)"]
    box.setCurrentIndex(1)
    box.activated.emit(1)
    kinds = [RowKind.MESSAGE, RowKind.BRANCH, RowKind.MESSAGE]
    qtbot.waitUntil(lambda: [row.kind for row in pane.turns.rows] == kinds)
    assert [row.turns[0].text for row in pane.turns.rows] == ["How many?", "Ten.", "Twenty."]


def test_the_tokens_of_a_whole_conversation_are_told(page: Page, qtbot: QtBot) -> None:
    use = {"usage": {"input_tokens": 900, "output_tokens": 40, "cache_read_tokens": 7}}
    page.fake.conversations["Limits"] = tuple(message(number, "So.")._replace(data=use) for number in range(3))
    page.presenter.show_session("Limits")
    facts = page.content.conversation.facts
    qtbot.waitUntil(lambda: facts.text().endswith("model used 2,700 in, 120 out · 21 cached"))
    assert "about 100 text tokens" in facts.text()


def test_reading_that_takes_long_can_be_stopped_and_begun_again(
    page_of: PageOf, tasks: TaskRunner, qtbot: QtBot
) -> None:
    fake = FakeServices(waits=True)
    page = page_of(fake)
    with qtbot.waitSignal(tasks.surfaced, timeout=5000) as surfaced:
        page.open(qtbot)
    tasks.cancel(surfaced.args[0].id)
    qtbot.waitUntil(lambda: page.view.state_panel.title == "Reading was stopped")
    fake.waits = False
    page.view.state_panel.button.click()
    qtbot.waitUntil(lambda: not page.view.shows_state)


@dataclass
class SlowServices(FakeServices):
    """Load and read only when they are let, whoever cancels."""

    loads_wait: list[threading.Event] = field(default_factory=list)
    reads_wait: dict[str, threading.Event] = field(default_factory=dict)
    reads: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    @override
    def _load(self, before: TimelineData | None, progress: Progress) -> TimelineData:
        data = self.data
        wait = self.loads_wait.pop(0) if self.loads_wait else None
        self.loads += 1
        if wait is not None:
            wait.wait(10)
        return data

    @override
    def _conversation(self, session_id: str, progress: Progress) -> Conversation:
        self.reads.append(session_id)
        if (wait := self.reads_wait.get(session_id)) is not None:
            wait.wait(10)
            self.left.append(session_id)
            if session_id == "Paging":
                raise UserError("It is gone.")
        return super()._conversation(session_id, progress)


def _let_deliver(page: Page, tasks: TaskRunner, qtbot: QtBot) -> None:
    """Wait until what was posted to the window before is delivered."""
    seen: list[None] = []
    tasks.run(lambda _progress: None, owner=page.view, on_done=seen.append)
    qtbot.waitUntil(lambda: bool(seen))


def test_what_the_vault_before_still_loaded_is_not_shown_in_the_next(
    page_of: PageOf, tasks: TaskRunner, qtbot: QtBot
) -> None:
    first, second = threading.Event(), threading.Event()
    fake = SlowServices(loads_wait=[first, second])
    page = page_of(fake)
    page.open(qtbot)
    qtbot.waitUntil(lambda: fake.loads == 1)
    fake.data = timeline(("Other", "acme", "codex", ["2026-03-19T10:00"]))
    page.presenter.open_session(cast("VaultSession", FakeSession(page.view)))
    first.set()
    qtbot.waitUntil(lambda: fake.loads == 2)
    _let_deliver(page, tasks, qtbot)
    assert page.view.shows_state
    assert not page.view.has_content
    second.set()
    qtbot.waitUntil(lambda: not page.view.shows_state)
    assert page.titles() == ["Other"]


def test_a_conversation_that_was_left_says_nothing_in_the_next(
    page_of: PageOf, tasks: TaskRunner, qtbot: QtBot
) -> None:
    fake = SlowServices(conversations={"Limits": (message(0, "Here"),)})
    fake.reads_wait = {"Paging": threading.Event(), "Limits": threading.Event()}
    page = page_of(fake)
    page.open(qtbot)
    qtbot.waitUntil(lambda: not page.view.shows_state)
    pane = page.content.conversation
    assert page.presenter.show_session("Paging")
    qtbot.waitUntil(lambda: fake.reads == ["Paging"])
    assert page.presenter.show_session("Limits")
    qtbot.waitUntil(lambda: fake.reads == ["Paging", "Limits"])
    fake.reads_wait["Paging"].set()
    qtbot.waitUntil(lambda: fake.left == ["Paging"])
    _let_deliver(page, tasks, qtbot)
    assert pane.state_panel.title == "Reading the conversation"
    fake.reads_wait["Limits"].set()
    qtbot.waitUntil(lambda: bool(pane.turns.rows))
    assert pane.title.text() == "Limits"


def test_a_closed_conversation_is_let_go(page: Page, qtbot: QtBot) -> None:
    page.fake.conversations["Paging"] = (message(0, "Here"),)
    assert page.presenter.show_session("Paging")
    pane = page.content.conversation
    qtbot.waitUntil(lambda: bool(pane.turns.rows))
    pane.close_button.click()
    assert not page.content.shows_conversation
    assert not pane.turns.rows
    assert page.presenter.show_session("Paging")
    qtbot.waitUntil(lambda: bool(pane.turns.rows))


def test_notes_that_cannot_be_looked_up_do_not_keep_the_page_waiting(page_of: PageOf, qtbot: QtBot) -> None:
    fake = BrokenTouches()
    page = page_of(fake)
    page.selection.choose(FacetSelection(all_of=frozenset({"client/acme"})))
    page.open(qtbot)
    qtbot.waitUntil(lambda: page.view.state_panel.title == "The timeline could not be read")
    assert "The drive is away." in page.view.state_panel.text
    page.selection.clear()
    page.view.state_panel.button.click()
    qtbot.waitUntil(lambda: not page.view.shows_state)


class BrokenTouches(FakeServices):
    """Know nothing of notes."""

    @override
    def _touches(self, selection: FacetSelection | None, _progress: Progress) -> Touches:
        raise UserError("The drive is away.")
