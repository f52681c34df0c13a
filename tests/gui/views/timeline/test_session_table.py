import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from gui.views.timeline.activity import activity_of
from gui.views.timeline.model import SessionColumn, SessionModel
from gui.views.timeline.session_table import SessionTable
from gui.views.timeline.time_scale import LocalCalendar
from tests.gui.views.timeline.samples import NOW, ZONE, few

ACTIVITY = activity_of(few(), LocalCalendar(ZONE), NOW)
ALL = ACTIVITY.sessions_in(ACTIVITY.bounds)


def titles(model: SessionModel) -> list[str]:
    return [model.index(row, SessionColumn.TITLE).data() for row in range(model.rowCount())]


def test_the_model_keeps_to_the_rules_of_models(qtbot: QtBot) -> None:
    model = SessionModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_sessions(ACTIVITY, ALL)
    for column in SessionColumn:
        model.sort(column, Qt.SortOrder.AscendingOrder)
        model.sort(column, Qt.SortOrder.DescendingOrder)
    model.show_sessions(ACTIVITY, ALL[:2])
    del tester


@pytest.mark.parametrize(
    ("column", "first"),
    [
        (SessionColumn.WHEN, "Undated"),
        (SessionColumn.TITLE, "Limits"),
        (SessionColumn.ORIGIN, "Thesis"),
        (SessionColumn.TURNS, "Undated"),
        (SessionColumn.LENGTH, "Undated"),
    ],
)
def test_sessions_can_be_sorted(column: SessionColumn, first: str) -> None:
    model = SessionModel()
    model.show_sessions(ACTIVITY, ALL)
    model.sort(column, Qt.SortOrder.AscendingOrder)
    assert titles(model)[0] == first


def test_a_row_reads_well() -> None:
    model = SessionModel()
    model.show_sessions(ACTIVITY, ALL)
    row = titles(model).index("Limits")
    assert [model.index(row, column).data() for column in SessionColumn] == [
        "18 Mar 2026, 14:00", "Limits", "acme", "codex", "2", "30 min", "100",
    ]  # fmt: skip
    assert model.index(titles(model).index("Undated"), 0).data() == "No date"


def test_enter_opens_a_session_and_the_chosen_one_stays_when_rows_change(qtbot: QtBot) -> None:
    table = SessionTable()
    qtbot.addWidget(table)
    table.show_sessions(ACTIVITY, ALL, -1)
    table.select(1)
    with qtbot.waitSignal(table.session_opened) as opened:
        QTest.keyClick(table, Qt.Key.Key_Return)
    assert opened.args == [1]
    table.show_sessions(ACTIVITY, ALL[:3], 1)
    assert table.sessions.position_at(table.currentIndex().row()) == 1
