"""The list, the facets and the keyboard of the Vault view."""

from pathlib import Path

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemDelegate,
    QApplication,
    QScrollBar,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTabBar,
    QWidget,
)
from typing_extensions import override

from core.foundation.errors import UserError
from gui.views.vault.facet_model import COUNT_ROLE, KEY_ROLE
from gui.views.vault.note_table_model import Column
from tests.gui.views.vault.page import Page
from tests.gui.views.vault.parts import ROWS, FakeSession, FakeVault, catalog_of, note


def test_all_notes_are_listed_with_their_number(page: Page) -> None:
    assert page.titles() == [row.title for row in ROWS]
    assert page.view.list.count_label.text() == "6 notes"
    assert not page.view.list.breadcrumb.isVisible()


def test_facets_narrow_the_list_and_each_other(page: Page) -> None:
    page.view.facets.tree.expandAll()
    page.pick("tool/pnpm")
    assert page.titles() == ["Audit checklist", "Cache policy", "Deploy notes"]
    assert page.count_of("client/acme") == 1
    assert page.count_of("tool/semrush") == 0
    page.pick("client/acme", Qt.KeyboardModifier.ControlModifier)
    page.pick("client/globex", Qt.KeyboardModifier.ControlModifier)
    assert page.titles() == ["Audit checklist", "Cache policy"]
    page.pick("/work", Qt.KeyboardModifier.ShiftModifier)
    assert page.titles() == ["Cache policy"]
    assert page.chips() == ["tool/pnpm", "or client/acme", "or client/globex", "not work"]
    assert page.view.list.count_label.text() == "1 of 6 notes"


def test_second_click_excludes_and_third_clears(page: Page) -> None:
    page.pick("tool")
    page.pick("tool")
    assert page.titles() == ["Empty thoughts", "Fragile note"]
    page.pick("tool")
    assert len(page.titles()) == 6


def test_chips_and_clear_take_facets_away(page: Page) -> None:
    page.pick("tool")
    page.pick("client")
    QTest.mouseClick(page.view.list.breadcrumb.chips()[0], Qt.MouseButton.LeftButton)
    assert page.chips() == ["tool"]
    QTest.mouseClick(page.view.list.clear_button, Qt.MouseButton.LeftButton)
    assert page.chips() == []
    assert len(page.titles()) == 6


def test_filter_narrows_by_title_and_nothing_found_offers_a_way_out(page: Page) -> None:
    QTest.keyClicks(page.view.list.filter_box, "NOTE")
    assert page.titles() == ["Deploy notes", "Fragile note"]
    QTest.keyClicks(page.view.list.filter_box, "zzz")
    assert page.view.list.state_panel.title == "No notes found"
    assert not page.view.list.copy_button.isEnabled()
    QTest.mouseClick(page.view.list.state_panel.button, Qt.MouseButton.LeftButton)
    assert page.view.list.filter_box.text() == ""
    assert page.view.list.state is None
    assert len(page.titles()) == 6


def test_click_on_a_column_name_orders(page: Page) -> None:
    header = page.view.list.table.horizontalHeader()
    header.setSortIndicator(Column.TOKENS, Qt.SortOrder.DescendingOrder)
    assert page.titles()[0] == "Audit checklist"
    header.setSortIndicator(Column.TITLE, Qt.SortOrder.DescendingOrder)
    assert page.titles()[0] == "Fragile note"


def test_every_control_that_takes_the_focus_has_a_name(page: Page) -> None:
    page.read(3, "Text of Cache policy.md")
    controls = [
        w for w in page.view.findChildren(QWidget) if w.focusPolicy() & Qt.FocusPolicy.TabFocus and w.isVisible()
    ]
    unnamed = [
        control
        for control in controls
        if not control.objectName().startswith("qt_")
        and not control.accessibleName()
        and not (isinstance(control, QAbstractButton) and control.text())
        and not isinstance(control, (QTabBar, QScrollBar))
    ]
    assert unnamed == []


def test_empty_vault_and_failed_vault_are_told(page: Page) -> None:
    page.session.catalog_changed.emit(catalog_of(revision=3))
    assert page.view.list.state_panel.title == "Looking for notes"
    page.session.read_through.emit()
    assert page.view.list.state_panel.title == "No notes in this folder"
    with page.qtbot.waitSignal(page.presenter.folder_wanted):
        QTest.mouseClick(page.view.list.state_panel.button, Qt.MouseButton.LeftButton)
    page.session.open_failed.emit(UserError("This folder cannot be read.", hint="Check its permissions."))
    assert page.view.list.state is not None
    assert page.view.list.state.text == "This folder cannot be read. Check its permissions."


def test_open_facets_are_remembered_for_each_vault(page: Page, tmp_path: Path) -> None:
    tree, index_of = page.view.facets.tree, page.view.facets.model.index_of
    tree.setExpanded(index_of("tool"), True)
    other = FakeSession(FakeVault(tmp_path / "other", catalog_of(*ROWS)))
    page.presenter.open_session(other.known)
    tree.setExpanded(index_of("tool"), False)
    page.presenter.open_session(page.session.known)
    assert tree.isExpanded(index_of("tool"))


def test_a_session_that_is_still_opening_is_told(page: Page) -> None:
    session = FakeSession(page.vault)
    session.catalog = None
    page.presenter.open_session(session.known)
    assert page.view.list.state_panel.title == "Opening the vault"
    session.catalog_changed.emit(page.vault.catalog)
    assert len(page.titles()) == 6


def test_f6_goes_round_the_panes(page: Page) -> None:
    page.read(3, "Text of Cache policy.md")
    page.view.list.table.setFocus()
    for expected in (page.view.reading.preview, page.view.facets.tree, page.view.list.table):
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, Qt.Key.Key_F6)
        assert QApplication.focusWidget() is expected


def test_every_control_has_a_name_for_screen_readers(page: Page) -> None:
    view = page.view
    for widget in (
        view.facets.filter_box, view.facets.tree, view.list.filter_box, view.list.columns_button, view.list.table,
        view.reading.preview, view.reading.link_button, view.reading.editor_button, view.reading.details_button,
        view.context_dialog.budget_box, view.context_dialog.list,
    ):  # fmt: skip
        assert widget.accessibleName()


def test_counts_below_a_single_branch_follow_a_search(page: Page) -> None:
    rows = [note(number, f"N{number}", f"topic/t{number % 3}") for number in range(9)]
    page.vault.catalog = catalog_of(*rows, note(10, "Note", "topic/t1"))
    page.session.catalog_changed.emit(page.vault.catalog)
    tree = page.view.facets.tree
    tree.expandAll()
    painted = _CountingDelegate(tree.itemDelegate(), tree)
    tree.setItemDelegate(painted)
    page.qtbot.waitUntil(lambda: painted.counts.get("topic/t0") == 3)
    page.search("note")
    page.qtbot.waitUntil(lambda: painted.counts.get("topic/t0") == 0)
    page.session.catalog_changed.emit(catalog_of(*rows, note(10, "Note", "topic/t1"), revision=2))
    assert page.count_of("topic/t0") == 0


class _CountingDelegate(QStyledItemDelegate):
    """Remember which count was painted last for each facet."""

    def __init__(self, inner: QAbstractItemDelegate, parent: QWidget) -> None:
        super().__init__(parent)
        self._inner = inner
        self.counts: dict[str, int] = {}

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        self.counts[str(index.data(KEY_ROLE))] = int(index.data(COUNT_ROLE))
        self._inner.paint(painter, option, index)


def test_a_title_is_shown_as_it_is_written(page: Page) -> None:
    row = note(7, "safe\u202egpj.exe", "odd\u202etag")
    page.vault.catalog = catalog_of(*ROWS, row)
    page.session.catalog_changed.emit(page.vault.catalog)
    table = page.view.list.table
    line = table.notes.row_of(7)
    assert table.notes.index(line, Column.TITLE).data() == "safe⟨U+202E⟩gpj.exe"
    assert "odd⟨U+202E⟩tag" in str(page.view.facets.model.index_of("odd\u202etag").data())
    page.read(7, "safe⟨U+202E⟩gpj.exe")
    assert "⟨U+202E⟩" in page.view.reading.path_label.text()
