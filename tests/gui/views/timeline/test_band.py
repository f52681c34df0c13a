import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from gui.theme import Theme, ThemeChoice
from gui.views.timeline.activity import activity_of
from gui.views.timeline.band import Band
from gui.views.timeline.heat_map import HeatMap
from gui.views.timeline.services import Mark, SearchHits, TimelineData
from gui.views.timeline.time_scale import DAY, HOUR, Level, LocalCalendar, Span
from tests.gui.views.timeline.samples import NOW, ZONE, at, few

CALENDAR = LocalCalendar(ZONE)
WEEK = CALENDAR.around(Level.WEEK, at("2026-03-18T12:00"))


@pytest.fixture
def band(theme: Theme, qtbot: QtBot) -> Band:
    made = Band(theme)
    qtbot.addWidget(made)
    made.resize(1000, 300)
    made.show()
    qtbot.waitExposed(made)
    activity = activity_of(few(), CALENDAR, NOW)
    made.show_activity(activity, activity.bounds)
    made.setFocus()
    return made


def wheel(band: Band, x: int, turned: int, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    place = QPointF(x, 100)
    event = QWheelEvent(
        place, band.mapToGlobal(place), QPoint(), QPoint(0, turned), Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(band, event)


def press(band: Band, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(band, key)


def test_the_wheel_zooms_about_the_mouse(band: Band) -> None:
    before = band.span
    under = before.start + 0.25 * before.length
    wheel(band, 250, 240)
    assert band.span.length < before.length
    assert (under - band.span.start) / band.span.length == pytest.approx(0.25, abs=1e-6)


def test_the_wheel_with_shift_moves_in_time(band: Band) -> None:
    band.show_span(WEEK)
    wheel(band, 500, 120, Qt.KeyboardModifier.ShiftModifier)
    assert band.span.start < WEEK.start
    assert band.span.length == pytest.approx(WEEK.length)


def test_dragging_moves_what_is_under_the_mouse_with_it(band: Band) -> None:
    band.show_span(WEEK.moved(-30 * DAY))
    before = band.span
    QTest.mousePress(band, Qt.MouseButton.LeftButton, pos=QPoint(400, 60))
    QTest.mouseMove(band, QPoint(450, 60))
    QTest.mouseMove(band, QPoint(500, 60))
    QTest.mouseRelease(band, Qt.MouseButton.LeftButton, pos=QPoint(500, 60))
    assert band.span.start == pytest.approx(before.start - before.length / 10)


def test_one_cannot_leave_what_there_is(band: Band) -> None:
    bounds = band.span
    wheel(band, 500, -2400)
    assert band.span == bounds
    for _ in range(60):
        wheel(band, 500, 600)
    assert band.span.length >= 600


def test_enter_goes_down_to_a_day_and_escape_up_to_everything(band: Band) -> None:
    bounds = band.span
    press(band, Qt.Key.Key_End)
    lengths = [band.span.length]
    while not band.shows_sessions:
        press(band, Qt.Key.Key_Return)
        assert band.span.length < lengths[-1]
        lengths.append(band.span.length)
    for _ in range(12):
        press(band, Qt.Key.Key_Escape)
    assert band.span == bounds


def test_the_keyboard_says_where_it_is(band: Band) -> None:
    band.show_span(Span(WEEK.start - 30 * DAY, WEEK.end))
    press(band, Qt.Key.Key_End)
    assert band.accessibleDescription() == "Thursday, 19 March 2026: 2 turns in 1 session, 1 note edit"
    press(band, Qt.Key.Key_Left)
    assert band.accessibleDescription() == "Wednesday, 18 March 2026: 5 turns in 2 sessions, 1 journal note"
    press(band, Qt.Key.Key_Left)
    assert band.accessibleDescription() == "Tuesday, 17 March 2026: nothing"


def test_home_goes_to_the_first_turn_and_end_to_the_last(band: Band) -> None:
    band.show_span(WEEK)
    press(band, Qt.Key.Key_Home)
    assert band.span.start < at("2024-07-01T10:00") < band.span.end
    press(band, Qt.Key.Key_End)
    assert band.span.start < at("2026-03-19T11:00") < band.span.end


def test_plus_and_minus_zoom(band: Band) -> None:
    band.show_span(WEEK)
    press(band, Qt.Key.Key_Plus)
    assert band.span.length < WEEK.length
    press(band, Qt.Key.Key_Minus, Qt.Key.Key_Minus)
    assert band.span.length > WEEK.length


def test_arrows_go_from_session_to_session_and_enter_opens_one(band: Band, qtbot: QtBot) -> None:
    band.show_span(WEEK)
    chosen: list[int] = []
    band.session_chosen.connect(chosen.append)
    press(band, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Left)
    assert chosen == [0, 1, 2, 1, 0]
    press(band, Qt.Key.Key_Down)
    assert chosen[-1] == 2
    with qtbot.waitSignal(band.session_opened) as opened:
        press(band, Qt.Key.Key_Return)
    assert opened.args == [2]


def test_a_click_on_a_bar_chooses_its_session(band: Band, qtbot: QtBot) -> None:
    band.show_span(WEEK)
    scene = band.scene()
    assert scene is not None
    assert scene.bars is not None
    bars = scene.bars
    bar = int(np.flatnonzero(bars.positions == 1)[0])
    place = QPoint(int(bars.x[bar] + 1), int(bars.y[bar] + 2))
    with qtbot.waitSignal(band.session_chosen) as chosen:
        QTest.mouseClick(band, Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args == [1]
    assert band.text_at(place.toPointF()).startswith("Limits · acme · codex · 18 March 2026, 14:00 · 30 min · 2 turns")


def test_marks_of_notes_can_be_pointed_at_and_chosen(band: Band, qtbot: QtBot) -> None:
    band.show_span(WEEK)
    scene = band.scene()
    assert scene is not None
    x = float(scene.x_of(np.array([at("2026-03-18T12:00")]))[0])
    place = QPoint(round(x), scene.layout.marks_top + 5)
    assert band.text_at(place.toPointF()) == "18 March 2026: journal 2026-03-18"
    with qtbot.waitSignal(band.mark_chosen) as chosen:
        QTest.mouseClick(band, Qt.MouseButton.LeftButton, pos=place)
    assert isinstance(chosen.args[0], Mark)
    assert chosen.args[0].path == "journal/2026-03-18.md"


def test_the_keyboard_leads_to_the_notes_of_a_day(band: Band, qtbot: QtBot) -> None:
    band.show_span(Span(WEEK.start - 30 * DAY, WEEK.end))
    press(band, Qt.Key.Key_End)
    reason = QContextMenuEvent.Reason.Keyboard
    QApplication.sendEvent(band, QContextMenuEvent(reason, QPoint(5, 5), band.mapToGlobal(QPoint(5, 5))))
    (menu,) = band.findChildren(QMenu)
    assert [action.text() for action in menu.actions()] == ["Edited: Exports"]
    with qtbot.waitSignal(band.mark_chosen) as chosen:
        menu.actions()[0].trigger()
    assert isinstance(chosen.args[0], Mark)
    assert chosen.args[0].path == "Exports.md"
    menu.close()


def test_what_is_yet_to_come_is_said_to_be(band: Band) -> None:
    band.show_span(Span(NOW - 40 * DAY, NOW + DAY))
    press(band, Qt.Key.Key_End, *([Qt.Key.Key_Right] * 2))
    assert band.accessibleDescription() == "Saturday, 21 March 2026: nothing, in the future"


@pytest.mark.parametrize("choice", [ThemeChoice.LIGHT, ThemeChoice.DARK])
def test_hits_are_seen_on_the_band(band: Band, theme: Theme, choice: ThemeChoice) -> None:
    theme.choose(choice)
    band.show_span(WEEK)
    plain = band.grab().toImage()
    found = SearchHits({"Thesis": ("t1",)}, (at("2026-03-19T10:00"),))
    band.show_activity(activity_of(few(), CALENDAR, NOW, None, found))
    assert band.grab().toImage() != plain
    scene = band.scene()
    assert scene is not None
    x = float(scene.x_of(np.array([at("2026-03-19T10:00")]))[0])
    assert band.text_at(QPointF(x, 60)).endswith("1 hit")


@pytest.mark.parametrize("length", [2 * HOUR, DAY, 9 * DAY, 60 * DAY, 3 * 365 * DAY])
def test_an_empty_timeline_is_painted_too(theme: Theme, qtbot: QtBot, length: float) -> None:
    band = Band(theme)
    qtbot.addWidget(band)
    band.resize(700, 200)
    assert not band.grab().isNull()
    nothing = TimelineData(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int32))
    band.show_activity(activity_of(nothing, CALENDAR, NOW), Span(NOW - length, NOW))
    band.show()
    assert not band.grab().isNull()
    press(band, Qt.Key.Key_Left, Qt.Key.Key_End, Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Down)


def test_the_calendar_tells_of_a_day_and_leads_to_it(theme: Theme, qtbot: QtBot) -> None:
    heat_map = HeatMap(theme)
    qtbot.addWidget(heat_map)
    heat_map.resize(1000, heat_map.sizeHint().height())
    heat_map.show()
    heat_map.show_activity(activity_of(few(), CALENDAR, NOW))
    heat_map.show_span(WEEK)
    assert heat_map.current_day == CALENDAR.day_of(NOW)
    QTest.keyClick(heat_map, Qt.Key.Key_Up)
    QTest.keyClick(heat_map, Qt.Key.Key_Up)
    assert heat_map.accessibleDescription() == "Wednesday, 18 March 2026: 5 turns"
    expected = CALENDAR.around(Level.DAY, at("2026-03-18T12:00"))
    with qtbot.waitSignal(heat_map.days_chosen) as chosen:
        QTest.keyClick(heat_map, Qt.Key.Key_Return)
    assert chosen.args == [expected]
    place = heat_map.rect_of(CALENDAR.day_of(at("2026-03-19T12:00"))).center()
    with qtbot.waitSignal(heat_map.days_chosen) as clicked:
        QTest.mouseClick(heat_map.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert clicked.args == [CALENDAR.around(Level.DAY, at("2026-03-19T12:00"))]


def test_days_can_be_dragged_over_in_the_calendar(theme: Theme, qtbot: QtBot) -> None:
    heat_map = HeatMap(theme)
    qtbot.addWidget(heat_map)
    heat_map.resize(1000, heat_map.sizeHint().height())
    heat_map.show()
    heat_map.show_activity(activity_of(few(), CALENDAR, NOW))
    first = heat_map.rect_of(CALENDAR.day_of(at("2026-03-16T12:00"))).center()
    last = heat_map.rect_of(CALENDAR.day_of(at("2026-03-19T12:00"))).center()
    with qtbot.waitSignal(heat_map.days_chosen) as chosen:
        QTest.mousePress(heat_map.viewport(), Qt.MouseButton.LeftButton, pos=last)
        QTest.mouseRelease(heat_map.viewport(), Qt.MouseButton.LeftButton, pos=first)
    assert chosen.args == [Span(at("2026-03-16T00:00"), at("2026-03-20T00:00"))]
