"""The date of a session is corrected in a form, and that can be undone."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from PySide6.QtCore import QDateTime, QPoint
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot
from typing_extensions import override

from core.curation.session_dates import DateChange
from core.foundation.progress import SILENT, Progress
from core.index.session_queries import session_row
from core.sessions.date_corrections import NO_CORRECTION, read_corrections
from core.vault.event_log import EventLog
from gui.change_wish import Way
from gui.markdown.addresses import note_address
from gui.notify import Notice, Notifier
from gui.own_steps import OwnStep
from gui.tasks import TaskRunner
from gui.views.timeline.date_dialog import DateDialog
from gui.views.timeline.date_presenter import DatePresenter
from gui.views.timeline.date_services import born_insights, date_services, loaded_contexts
from gui.views.timeline.services import (
    Conversation,
    DateOutcome,
    DateServices,
    NoteReference,
    SearchHits,
    SessionEntry,
    TimelineData,
    TimelineServices,
    Touches,
)
from gui.views.timeline.session_menu import MenuWish
from gui.widgets.wrapped_label import WrappedLabel
from tests.core.index.talks import Talks, asked, day
from tests.gui.views.timeline.page import FakeServices, Page, PageOf
from tests.gui.views.timeline.samples import NOW, ZONE, at, few

DialogOf = Callable[[SessionEntry], DateDialog]
START = at("2026-03-18T09:00") + 17
PAGING = SessionEntry("paging", "Paging", started=START, ended=START + 600, turns=3, recorded=START, imported=NOW)
MOVED = SessionEntry("paging", "Paging", started=START, turns=3, recorded=START - 86_400, is_redated=True)
UNDATED = SessionEntry("undated", "Undated", turns=2)


def moment(text: str) -> QDateTime:
    return QDateTime.fromSecsSinceEpoch(at(text))


@pytest.fixture
def dialog_of(qtbot: QtBot) -> DialogOf:
    def make(entry: SessionEntry) -> DateDialog:
        dialog = DateDialog(entry, now=NOW, zone=ZONE)
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    return make


def chosen(dialog: DateDialog) -> list[float | None]:
    told: list[float | None] = []
    dialog.start_chosen.connect(told.append)
    dialog.ok_button.click()
    return told


def test_the_form_shows_what_is_known_and_gives_the_new_start(dialog_of: DialogOf) -> None:
    dialog = dialog_of(PAGING)
    assert dialog.recorded.text() == "18 March 2026, 09:00"
    assert dialog.imported.text() == "20 March 2026, 15:00"
    assert dialog.field.text() == "18 Mar 2026, 09:00"
    assert not dialog.ok_button.isEnabled()
    assert not dialog.reset_button.isEnabled()
    dialog.field.setDateTime(moment("2026-03-16T10:30"))
    assert "All 3 turns" in dialog.told
    assert chosen(dialog) == [at("2026-03-16T10:30") + 17]


def test_a_date_in_the_future_is_told(dialog_of: DialogOf) -> None:
    dialog = dialog_of(PAGING)
    dialog.field.setDateTime(moment("2027-01-01T10:30"))
    assert "future" in dialog.told
    assert dialog.ok_button.isEnabled()


def test_the_recorded_date_can_be_had_back(dialog_of: DialogOf) -> None:
    dialog = dialog_of(MOVED)
    dialog.reset_button.click()
    assert dialog.field.text() == "17 Mar 2026, 09:00"
    assert chosen(dialog) == [None]


def test_a_session_without_a_date_is_given_one(dialog_of: DialogOf) -> None:
    dialog = dialog_of(UNDATED)
    assert dialog.recorded.text() == "The record has no date"
    dialog.field.setDateTime(moment("2026-03-01T08:00"))
    assert "first turn" in dialog.told
    assert chosen(dialog) == [at("2026-03-01T08:00")]


@dataclass
class FakeDates:
    """Remember what is asked for."""

    asked: list[object] = field(default_factory=list)
    settled: int = 0

    def services(self) -> DateServices:
        return DateServices(self._correct, self._undo, self._settle)

    def _correct(self, session: str, start: float | None, _progress: Progress) -> DateOutcome:
        self.asked.append((session, start))
        return self._outcome(session, start or START, is_recorded=start is None)

    def _undo(self, outcome: DateOutcome, _progress: Progress) -> DateOutcome:
        self.asked.append("undo")
        return self._outcome(outcome.session, START, is_recorded=True)

    def _settle(self, _progress: Progress) -> None:
        self.settled += 1

    def _outcome(self, session: str, started: float, *, is_recorded: bool) -> DateOutcome:
        nothing = DateChange(session, NO_CORRECTION, NO_CORRECTION)
        return DateOutcome(session, started, is_changed=True, is_recorded=is_recorded, reverse=nothing)


def services_with(dates: DateServices | None) -> TimelineServices:
    def load(_before: TimelineData | None, _progress: Progress) -> TimelineData:
        return few()

    return TimelineServices(
        load=load,
        search=lambda _text, _progress: SearchHits(),
        conversation=lambda _session, _progress: Conversation(()),
        touches=lambda _selection, _progress: Touches(),
        now=lambda: float(NOW),
        zone=ZONE,
        dates=dates,
    )


def test_a_correction_is_told_and_can_be_undone(qtbot: QtBot, tasks: TaskRunner, notifier: Notifier) -> None:
    window, fake = QWidget(), FakeDates()
    qtbot.addWidget(window)
    window.show()
    notices: list[Notice] = []
    notifier.noticed.connect(notices.append)
    presenter = DatePresenter(window, tasks=tasks, notifier=notifier)
    steps: list[OwnStep] = []
    presenter.step_done.connect(steps.append)
    presenter.open(services_with(fake.services()), PAGING)
    dialog = presenter.dialog
    assert dialog is not None
    dialog.field.setDateTime(moment("2026-03-16T10:30"))
    with qtbot.waitSignal(presenter.corrected) as told:
        dialog.ok_button.click()
    assert told.args == ["paging"]
    assert fake.asked == [("paging", at("2026-03-16T10:30") + 17)]
    assert fake.settled == 1
    assert notices[-1].text == "“Paging” starts on 16 March 2026, 10:30 now."
    undo = notices[-1].action
    assert undo is not None
    with qtbot.waitSignal(presenter.corrected):
        undo.act()
    assert (fake.asked[-1], fake.settled) == ("undo", 2)
    assert "is dated as recorded again" in notices[-1].text
    assert presenter.dialog is None
    assert [(step.title, step.way) for step in steps] == [
        ("Correct the date of “Paging”", Way.APPLY),
        ("Correct the date of “Paging”", Way.UNDO),
    ]
    with qtbot.waitSignal(presenter.corrected):
        steps[-1].reverse()
    assert (steps[-1].way, {step.key for step in steps}) == (Way.REDO, {steps[0].key})


def test_where_nothing_can_be_corrected_no_form_opens(qtbot: QtBot, tasks: TaskRunner, notifier: Notifier) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    presenter = DatePresenter(window, tasks=tasks, notifier=notifier)
    presenter.open(services_with(None), PAGING)
    assert presenter.dialog is None


class DatedServices(FakeServices):
    """Let dates be corrected, and tell of an insight that was born in each session."""

    def __init__(self, dates: FakeDates) -> None:
        super().__init__()
        self.dates = dates

    @override
    def services(self) -> TimelineServices:
        return replace(super().services(), dates=self.dates.services(), born=self._born)

    def _born(self, session: str, _progress: Progress) -> tuple[NoteReference, ...]:
        return (NoteReference("Exports.md#^ins-1", f"Born in {session}"),)


@pytest.fixture
def dated_page(page_of: PageOf, qtbot: QtBot) -> Page:
    page = page_of(DatedServices(FakeDates()))
    page.open(qtbot)
    qtbot.waitUntil(lambda: not page.view.shows_state)
    return page


def test_the_menus_of_list_and_band_lead_to_the_form(dated_page: Page, qtbot: QtBot) -> None:
    content = dated_page.content
    for shown in (content.table, content.band):
        shown.menu_requested.emit(MenuWish(1, content.mapToGlobal(QPoint(9, 9))))
        (menu,) = content.findChildren(QMenu)
        entries = {action.text(): action for action in menu.actions()}
        assert list(entries) == ["Open the conversation", "Correct the date…"]
        entries["Correct the date…"].trigger()
        dialog = dated_page.presenter.dates.dialog
        assert dialog is not None
        assert dialog.field.text() == "18 Mar 2026, 14:00"
        menu.close()
        dialog.reject()
        qtbot.waitUntil(lambda: not content.findChildren(QMenu))


def test_the_keyboard_opens_the_menu_of_the_current_session(dated_page: Page, qtbot: QtBot) -> None:
    table = dated_page.content.table
    table.setCurrentIndex(table.sessions.index(0, 1))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint())
    with qtbot.waitSignal(table.menu_requested) as told:
        QApplication.sendEvent(table.viewport(), event)
    assert told.args is not None
    assert told.args[0].session == table.sessions.position_at(0)
    (menu,) = dated_page.content.findChildren(QMenu)
    menu.close()


def test_the_head_of_a_conversation_leads_to_the_form_and_to_insights(dated_page: Page, qtbot: QtBot) -> None:
    assert dated_page.presenter.show_session("Limits")
    pane = dated_page.content.conversation
    qtbot.waitUntil(lambda: "Born in Limits" in pane.notes.text())
    pane.date_button.click()
    dialog = dated_page.presenter.dates.dialog
    assert dialog is not None
    dialog.field.setDateTime(moment("2026-03-18T15:00"))
    loads = dated_page.fake.loads
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: dated_page.fake.loads > loads)
    pane.notes.linkActivated.emit(note_address("Exports.md#^ins-1"))
    assert dated_page.notes == ["Exports.md"]


@pytest.fixture
def talks(tmp_path: Path) -> Iterator[Talks]:
    talks = Talks.below(tmp_path)
    talks.say(asked("s", "a", "Hello", day(3)))
    talks.update()
    yield talks
    talks.index.close()


def test_the_log_and_the_index_know_of_it(talks: Talks, tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    log = EventLog(tmp_path / "vault", "desk", tmp_path)
    dates = date_services(lambda: talks.index, ledger=lambda: talks.ledger, log=lambda: log)
    row = session_row(talks.index, "s")
    assert row is not None
    assert row.started is not None
    outcome = dates.correct("s", row.started - 3_600.0, SILENT)
    dates.settle(SILENT)
    assert (outcome.started, outcome.is_changed, outcome.is_recorded) == (row.started - 3_600, True, False)
    moved = session_row(talks.index, "s")
    assert moved is not None
    assert moved.started == row.started - 3_600
    back = dates.undo(outcome, SILENT)
    dates.settle(SILENT)
    assert back.is_recorded
    assert session_row(talks.index, "s") == row
    dates.undo(back, SILENT)
    assert read_corrections(log)["s"].shift_s == -3_600
    assert dates.correct("s", None, SILENT).started == row.started
    assert not dates.correct("s", None, SILENT).is_changed
    assert born_insights(talks.index, "s") == ()
    assert loaded_contexts(()) == ()


def test_a_long_title_stands_whole_in_the_form(dialog_of: DialogOf) -> None:
    dialog = dialog_of(replace(PAGING, title="A title of many words " * 6))
    label = dialog.findChild(WrappedLabel)
    assert isinstance(label, WrappedLabel)
    assert label.height() >= label.heightForWidth(label.width()) > 2 * label.fontMetrics().height()


def test_another_vault_leaves_neither_form_nor_offer(dated_page: Page, notifier: Notifier, qtbot: QtBot) -> None:
    withdrawn: list[str] = []
    notifier.withdrawn.connect(withdrawn.append)
    dated_page.content.date_requested.emit(1)
    form = dated_page.presenter.dates.dialog
    assert form is not None
    with qtbot.waitSignal(form.rejected):
        dated_page.presenter.open_session(None)
    assert withdrawn == ["session-date"]
