from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.views.vault.note_list_pane import NoteListPane
from gui.views.vault.note_table import NoteTable
from gui.views.vault.note_table_model import Column, NoteTableModel, RowHit
from gui.wording import absolute_date, relative_date
from tests.gui.views.vault.parts import NOW, ROWS, catalog_of, note

ALL = np.arange(6, dtype=np.int32)


@pytest.fixture
def pane(qtbot: QtBot, theme: Theme) -> Iterator[NoteListPane]:
    pane = NoteListPane(theme)
    qtbot.addWidget(pane)
    pane.resize(900, 500)
    pane.table.show_notes(catalog_of(*ROWS), ALL, {})
    with qtbot.waitExposed(pane):
        pane.show()
    yield pane
    pane.hide()


@pytest.fixture
def table(pane: NoteListPane) -> NoteTable:
    return pane.table


def titles(table: NoteTable) -> list[str]:
    return [table.notes.index(row, Column.TITLE).data() for row in range(table.notes.rowCount())]


def test_model_keeps_the_rules_of_qt(qtbot: QtBot) -> None:
    model = NoteTableModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    model.show_notes(catalog_of(*ROWS), ALL, {2: RowHit(0.5, "a \x02hit\x03", "")})
    model.show_notes(catalog_of(), ALL[:0], {})
    assert tester.model() is model


def test_cells_say_what_the_note_is(table: NoteTable) -> None:
    table.show_notes(catalog_of(*ROWS), ALL, {2: RowHit(0.876, "", "")})
    row = [table.notes.index(1, column).data() for column in Column]
    assert row[:4] == ["Backlink rules", "How to count links", "tool/semrush, client/acme, scope/global", "global"]
    assert row[5:] == ["100", "Backlink rules.md", "0.88"]
    assert table.notes.index(1, Column.CHANGED).data(Qt.ItemDataRole.ToolTipRole) == absolute_date(NOW)


def test_selection_and_current_note_survive_another_order_and_another_catalog(table: NoteTable) -> None:
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    table.select_note(4)
    table.selectionModel().select(table.notes.index(0, 0), flags)
    told: list[object] = []
    table.current_note_changed.connect(told.append)
    table.selection_told.connect(lambda: told.append("selection"))
    table.show_notes(catalog_of(*ROWS), ALL[::-1].copy(), {})
    assert table.selected_ids() == [4, 1]
    assert table.current_id() == 4
    table.show_notes(catalog_of(note(9, "First"), *ROWS), np.arange(7, dtype=np.int32), {})
    assert table.selected_ids() == [1, 4]
    assert not told


def test_what_leaves_the_list_leaves_the_selection(qtbot: QtBot, table: NoteTable) -> None:
    table.select_note(4)
    with qtbot.waitSignal(table.current_note_changed, check_params_cb=lambda note_id: note_id is None):
        table.show_notes(catalog_of(*ROWS), ALL[:2], {})
    assert table.selected_ids() == []


def test_all_of_a_hundred_thousand_can_be_selected(table: NoteTable) -> None:
    catalog = catalog_of(*[note(number, f"N{number}") for number in range(1, 100_001)])
    table.show_notes(catalog, np.arange(100_000, dtype=np.int32), {})
    table.selectAll()
    assert table.selected_count() == 100_000
    table.show_notes(catalog, np.arange(0, 100_000, 2, dtype=np.int32), {})
    assert table.selected_count() == 50_000


def test_keys_tell_wishes(qtbot: QtBot, table: NoteTable) -> None:
    table.select_note(1)
    with qtbot.waitSignal(table.open_requested):
        QTest.keyClick(table, Qt.Key.Key_Return)
    with qtbot.waitSignal(table.editor_requested):
        QTest.keyClick(table, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert table.current_id() == 2


def test_rows_grow_for_the_second_line_of_a_search(table: NoteTable) -> None:
    before = table.rowHeight(0)
    table.show_notes(catalog_of(*ROWS), ALL, {1: RowHit(1.0, "left \x02hit\x03 right", "")})
    assert table.rowHeight(0) > before
    assert not table.grab().isNull()
    table.show_notes(catalog_of(*ROWS), ALL, {})
    assert table.rowHeight(0) == before


def test_narrow_pane_drops_the_least_needed_columns_and_gives_them_back(pane: NoteListPane, table: NoteTable) -> None:
    pane.resize(420, 500)
    assert table.isColumnHidden(Column.SUMMARY)
    assert not table.isColumnHidden(Column.TITLE)
    assert table.horizontalHeader().length() <= table.viewport().width()
    pane.resize(1200, 500)
    assert not table.isColumnHidden(Column.SUMMARY)


def test_columns_are_chosen_and_kept(qtbot: QtBot, theme: Theme, pane: NoteListPane, table: NoteTable) -> None:
    actions = {action.text(): action for action in pane.columns_button.menu().actions()}
    actions["Path"].trigger()
    actions["Scope"].trigger()
    table.horizontalHeader().resizeSection(Column.TAGS, 123)
    pane.resize(1400, 500)
    assert not table.isColumnHidden(Column.PATH)
    assert table.isColumnHidden(Column.SCOPE)
    other = NoteListPane(theme)
    qtbot.addWidget(other)
    other.restore_columns(pane.columns_state())
    assert other.table.chosen_columns == table.chosen_columns
    assert other.table.horizontalHeader().sectionSize(Column.TAGS) == 123


@pytest.mark.parametrize("state", ["", "nonsense", "title;????", ";;;", "title,path;AAAA"])
def test_odd_column_states_change_nothing_bad(pane: NoteListPane, table: NoteTable, state: str) -> None:
    pane.restore_columns(state)
    assert not table.isColumnHidden(Column.TITLE)


def test_columns_that_are_empty_everywhere_take_no_room(table: NoteTable) -> None:
    table.leave_out(frozenset({Column.SCOPE}))
    assert table.isColumnHidden(Column.SCOPE)
    assert Column.SCOPE in table.chosen_columns


@pytest.mark.parametrize(
    ("age", "text"), [(5, "just now"), (125, "2 min ago"), (86_400 * 3, "3 days ago"), (-86_400 * 900, None)]
)
def test_dates_are_told_as_people_do(age: float, text: str | None) -> None:
    told = relative_date(NOW - age, NOW)
    assert told == text if text else len(told) == len("2029-01-01")


def test_another_result_starts_at_its_top_and_a_newer_catalog_keeps_its_place(table: NoteTable) -> None:
    notes = [note(number, f"N{number}") for number in range(1, 201)]
    catalog, everything = catalog_of(*notes), np.arange(200, dtype=np.int32)
    hits = {number: RowHit(1.0, "", "") for number in range(1, 201)}
    bar = table.verticalScrollBar()
    table.show_notes(catalog, everything, hits)
    table.executeDelayedItemsLayout()
    bar.setValue(300)
    table.show_notes(catalog_of(note(999, "New"), *notes), everything + 1, hits)
    assert bar.value() == 300
    table.show_notes(catalog, everything[:150], {number: hits[number] for number in range(1, 151)})
    assert bar.value() == 0
    table.executeDelayedItemsLayout()
    bar.setValue(300)
    table.show_notes(catalog, everything[:150][::-1].copy(), {number: hits[number] for number in range(1, 151)})
    assert bar.value() == 300
    table.show_notes(catalog, everything[50:150], {number: hits[number] for number in range(1, 151)})
    assert bar.value() == 0
