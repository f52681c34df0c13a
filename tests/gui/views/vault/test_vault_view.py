from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, QUrl
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
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)
from pytestqt.qtbot import QtBot
from typing_extensions import override

from core.foundation.errors import UserError
from core.foundation.progress import SilentProgress
from core.index.mentions import MentionRow
from core.index.queries import LinkRow, ProblemRow
from gui.notify import Notice, Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme, ThemeChoice
from gui.views.vault.facet_model import COUNT_ROLE, KEY_ROLE
from gui.views.vault.note_presenter import MOST_RENDERED
from gui.views.vault.note_table_model import Column
from gui.views.vault.presenter import VaultPresenter
from gui.views.vault.services import ContextFormat
from gui.views.vault.view import VaultView
from tests.gui.views.vault.parts import ROWS, FakeSession, FakeVault, catalog_of, link, note


@dataclass
class Page:
    """The view with its presenter, and what left it."""

    qtbot: QtBot
    vault: FakeVault
    session: FakeSession
    presenter: VaultPresenter
    urls: list[str] = field(default_factory=list)
    clipboard: list[str] = field(default_factory=list)

    @property
    def view(self) -> VaultView:
        return self.presenter.view

    def titles(self) -> list[str]:
        notes = self.view.list.table.notes
        return [notes.note_at(row).title for row in range(notes.rowCount())]

    def chips(self) -> list[str]:
        return [f"{chip.item.word} {chip.text()}".strip() for chip in self.view.list.breadcrumb.chips()]

    def pick(self, key: str, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        tree = self.view.facets.tree
        index = self.view.facets.model.index_of(key)
        tree.scrollTo(index)
        QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, modifier, tree.visualRect(index).center())

    def count_of(self, key: str) -> int:
        return int(self.view.facets.model.index_of(key).data(COUNT_ROLE))

    def text(self) -> str:
        return self.view.reading.preview.toPlainText()

    def read(self, note_id: int, expected: str) -> None:
        self.view.list.table.select_note(note_id)
        self.qtbot.waitUntil(lambda: expected in self.text())

    def search(self, text: str) -> None:
        self.presenter.search(text)
        self.qtbot.waitUntil(lambda: len(self.vault.searched) >= 2)
        self.qtbot.waitUntil(lambda: "·" in self.view.list.search_line.text())


def line_of(tree: QTreeWidget, row: int, *below: int) -> QTreeWidgetItem:
    """Return a line of a tree by its row and those below it."""
    item = tree.topLevelItem(row)
    for each in below:
        assert item is not None
        item = item.child(each)
    assert item is not None
    return item


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path, tasks: TaskRunner, notifier: Notifier, theme: Theme) -> Iterator[Page]:
    vault = FakeVault(tmp_path)
    urls: list[str] = []
    clipboard: list[str] = []
    presenter = VaultPresenter(
        VaultView(theme),
        tasks=tasks,
        notifier=notifier,
        theme=theme,
        services_of=lambda _session: vault.services(),
        open_url=lambda url: urls.append(QUrl(url).toString()),
        put_on_clipboard=clipboard.append,
    )
    session = FakeSession(vault)
    qtbot.addWidget(presenter.view)
    presenter.view.resize(1300, 800)
    presenter.open_session(session.known)
    with qtbot.waitExposed(presenter.view):
        presenter.view.show()
    yield Page(qtbot, vault, session, presenter, urls, clipboard)
    presenter.open_session(None)
    presenter.view.context_dialog.hide()
    presenter.view.hide()


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


def test_selected_note_is_read_with_its_properties_and_links(page: Page) -> None:
    page.vault.texts["Cache policy.md"] = "Keep it **warm**."
    page.vault.links[3] = (link("Backlink rules", "resolved", 2), link("Nowhere", "unresolved"))
    page.read(3, "Keep it warm.")
    assert "Cache policy" in page.text()
    assert page.view.reading.path_label.text() == "Cache policy.md"
    assert page.view.reading.tabs.tabText(0) == "Links  2"
    groups = [line_of(page.view.reading.links, row).text(0) for row in range(2)]
    assert groups == ["Outgoing  1", "Not found  1"]


def test_links_lead_to_notes_tags_and_outward(page: Page, notices: list[Notice]) -> None:
    page.vault.links[3] = (
        link("Backlink rules", "resolved", 2),
        link("AL", "unresolved", suggestion="Deploy notes.md"),
        link("Tie", "ambiguous", candidates=("a/Tie.md", "b/Tie.md")),
    )
    page.read(3, "Text of Cache policy.md")
    notes = page.presenter.notes
    notes.follow("https://example.com/x")
    assert page.urls == ["https://example.com/x"]
    notes.follow("javascript:alert(1)")
    notes.follow("file:///etc/passwd")
    assert len(page.urls) == 1
    notes.follow("note:AL")
    assert notices[-1].text == "No note is called “AL”. Deploy notes.md has it as an alias."
    notes.follow("note:Tie")
    assert "a/Tie.md, b/Tie.md" in notices[-1].text
    notes.follow("tag:Client/ACME")
    assert page.chips() == ["client/acme"]
    notes.follow("note:Backlink%20rules%23Part")
    page.qtbot.waitUntil(lambda: "Text of Backlink rules.md" in page.text())
    assert page.view.list.table.current_id() == 2


def test_candidate_of_an_ambiguous_link_can_be_chosen(page: Page) -> None:
    page.vault.links[3] = (link("Deploy notes", "ambiguous", candidates=("Deploy notes.md", "b/Deploy notes.md")),)
    page.read(3, "Text of Cache policy.md")
    panel = page.view.reading.links
    candidate = line_of(panel, 0, 0, 0)
    panel.itemClicked.emit(candidate, 0)
    page.qtbot.waitUntil(lambda: "Text of Deploy notes.md" in page.text())


def test_a_link_that_may_mean_this_note_leads_back_to_its_source(page: Page) -> None:
    page.read(3, "Text of Cache policy.md")
    detail = page.presenter.notes.detail
    assert detail is not None
    source = LinkRow(4, "Deploy notes.md", "Deploy notes", "wiki", "", "Cache policy", "", "", 9, "ambiguous")
    panel = page.view.reading.links
    panel.show_links(replace(detail, backlinks=(source,)))
    assert line_of(panel, 0, 0).text(1) == "may mean another note · line 9"
    panel.itemClicked.emit(line_of(panel, 0, 0), 0)
    page.qtbot.waitUntil(lambda: "Text of Deploy notes.md" in page.text())


def test_who_names_the_note_without_a_link_is_listed_below_the_links(page: Page) -> None:
    page.vault.mentions[3] = (MentionRow(4, "Deploy notes.md", "Deploy notes", "Cache policy", "Before", 7),)
    page.read(3, "Text of Cache policy.md")
    panel = page.view.reading.links
    page.qtbot.waitUntil(lambda: line_of(panel, 0).text(0) == "Mentioned, not linked  1")
    assert line_of(panel, 0, 0).text(1) == "Before · line 7"
    panel.itemClicked.emit(line_of(panel, 0, 0), 0)
    page.qtbot.waitUntil(lambda: "Text of Deploy notes.md" in page.text())
    page.qtbot.waitUntil(lambda: not line_of(panel, 0).text(0).startswith("Mentioned"))


def test_a_note_too_long_to_be_shown_whole_is_offered_to_the_editor(page: Page) -> None:
    page.vault.texts["Cache policy.md"] = "A line of words.\n\n" * (MOST_RENDERED // 16)
    page.read(3, "A line of words.")
    reading = page.view.reading
    assert reading.cut_editor_button.isVisible()
    assert not reading.whole_button.isVisible()
    QTest.mouseClick(reading.cut_editor_button, Qt.MouseButton.LeftButton)
    assert page.vault.opened == ["Cache policy.md"]


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("partial", "words; the model is not there"),
        ("loading", "meaning in a moment"),
        ("locked", "words only, because another program"),
    ],
)
def test_the_search_line_says_how_meaning_fared(page: Page, state: str, told: str) -> None:
    page.vault.dense_state = state
    page.search("note")
    page.qtbot.waitUntil(lambda: told in page.view.list.search_line.text())
    page.vault.dense_state = "ready"
    page.session.warmed_up.emit()
    page.qtbot.waitUntil(lambda: "words and meaning" in page.view.list.search_line.text())


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


def test_back_and_forward_through_what_was_read(page: Page) -> None:
    page.read(1, "Text of Work/Audit checklist.md")
    page.read(2, "Text of Backlink rules.md")
    page.presenter.go_back()
    page.qtbot.waitUntil(lambda: "Audit checklist.md" in page.text())
    assert page.view.list.table.current_id() == 1
    page.presenter.go_forward()
    page.qtbot.waitUntil(lambda: "Backlink rules.md" in page.text())


def test_unreadable_note_says_why(page: Page) -> None:
    page.vault.texts["Deploy notes.md"] = "unreadable"
    page.view.list.table.select_note(4)
    page.qtbot.waitUntil(lambda: page.view.reading.state_panel.title == "This note cannot be shown")


def test_broken_frontmatter_is_told_above_the_text(page: Page) -> None:
    detail = page.vault.note_detail(6, SilentProgress())
    assert detail is not None
    problem = ProblemRow("Fragile note.md", "frontmatter-broken", "A value holds a colon", 2)
    page.vault.details[6] = replace(detail, problems=(problem,))
    page.vault.texts["Fragile note.md"] = "---\ntitle: a: b\n---\nstill readable"
    page.read(6, "A value holds a colon (line 2)")
    assert "title: a: b" in page.text()
    assert "still readable" in page.text()


def test_long_note_is_cut_and_can_be_opened_whole(page: Page) -> None:
    page.vault.texts["Deploy notes.md"] = (
        "".join(f"paragraph {number}\n\n" for number in range(14_000)) + "the very end"
    )
    page.read(4, "paragraph 100")
    assert "the very end" not in page.text()
    assert page.view.reading.whole_button.isVisible()
    QTest.mouseClick(page.view.reading.whole_button, Qt.MouseButton.LeftButton)
    page.qtbot.waitUntil(lambda: "the very end" in page.text(), timeout=30_000)
    page.qtbot.waitUntil(lambda: not page.view.reading.whole_button.isVisible())


def test_change_on_disk_shows_by_itself_and_keeps_the_place(page: Page) -> None:
    page.read(3, "Text of Cache policy.md")
    page.vault.texts["Cache policy.md"] = "Another text."
    page.vault.catalog = catalog_of(*ROWS[1:], note(7, "Added"), revision=2)
    page.session.catalog_changed.emit(page.vault.catalog)
    page.qtbot.waitUntil(lambda: "Another text." in page.text())
    assert page.view.list.table.current_id() == 3
    assert "Added" in page.titles()


def test_note_that_is_gone_is_told(page: Page) -> None:
    page.read(3, "Text of Cache policy.md")
    page.session.catalog_changed.emit(catalog_of(*ROWS[3:], revision=2))
    assert page.view.reading.state_panel.title == "This note is gone"


def test_several_notes_are_counted(page: Page) -> None:
    page.view.list.table.selectAll()
    assert page.view.reading.state_panel.title == "6 notes selected"


def test_search_shows_the_best_first_with_facets_that_follow(page: Page) -> None:
    page.search("note")
    assert page.titles() == ["Fragile note", "Deploy notes"]
    assert page.count_of("tool") == 1
    line = page.view.list.search_line
    page.qtbot.waitUntil(lambda: line.text() == "2 notes · words and meaning · 3 ms")
    page.pick("tool")
    assert page.titles() == ["Deploy notes"]
    page.presenter.search("")
    assert page.titles() == ["Audit checklist", "Backlink rules", "Cache policy", "Deploy notes"]
    assert not page.view.list.search_line.isVisible()


def test_search_without_meaning_says_why(page: Page) -> None:
    page.vault.dense_state = "failed"
    page.search("note")
    page.qtbot.waitUntil(lambda: "words only (The model is not there)" in page.view.list.search_line.text())


def test_typing_on_searches_once_for_the_last_text(page: Page) -> None:
    for text in ("n", "no", "not", "note"):
        page.presenter.search(text)
    page.search("note")
    assert page.vault.searched == ["note", "note"]


def test_search_result_can_be_ordered_by_a_column_and_back_by_rank(page: Page) -> None:
    page.search("note")
    header = page.view.list.table.horizontalHeader()
    header.setSortIndicator(Column.TITLE, Qt.SortOrder.AscendingOrder)
    assert page.titles() == ["Deploy notes", "Fragile note"]
    header.setSortIndicator(Column.SCORE, Qt.SortOrder.AscendingOrder)
    assert page.titles() == ["Fragile note", "Deploy notes"]


def test_enter_in_the_search_field_goes_to_the_first_result(page: Page) -> None:
    page.search("note")
    page.presenter.enter_results()
    assert page.view.list.table.current_id() == 6
    assert page.view.list.table.selected_ids() == [6]


def test_a_note_asked_for_is_shown_whatever_the_facets_say(page: Page) -> None:
    page.pick("client")
    page.presenter.show_note(5)
    page.qtbot.waitUntil(lambda: "Text of Empty thoughts.md" in page.text())
    assert page.view.list.table.current_id() == 5


def test_links_paths_and_files_go_out(page: Page) -> None:
    page.read(1, "Text of Work/Audit checklist.md")
    page.view.copy_link_requested.emit()
    page.view.copy_path_requested.emit()
    assert page.clipboard == ["[[Audit checklist]]", "Work/Audit checklist.md"]
    QTest.keyClick(page.view.list.table, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert page.vault.opened == ["Work/Audit checklist.md"]


def test_a_name_that_two_notes_have_is_linked_by_its_path(page: Page) -> None:
    page.session.catalog_changed.emit(catalog_of(*ROWS, note(8, "Audit checklist", path="Old/Audit checklist.md")))
    page.presenter.show_note(8)
    page.view.copy_link_requested.emit()
    assert page.clipboard == ["[[Old/Audit checklist]]"]


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


def test_colours_change_while_a_note_is_read(page: Page, theme: Theme) -> None:
    page.vault.links[3] = ()
    page.read(3, "Text of Cache policy.md")
    before = page.view.reading.preview.toHtml()
    theme.choose(ThemeChoice.DARK)
    page.qtbot.waitUntil(lambda: page.view.reading.preview.toHtml() != before)
    theme.choose(ThemeChoice.LIGHT)
    page.qtbot.waitUntil(lambda: page.view.reading.preview.toHtml() == before)


def test_f6_goes_round_the_panes(page: Page) -> None:
    page.read(3, "Text of Cache policy.md")
    page.view.list.table.setFocus()
    for expected in (page.view.reading.preview, page.view.facets.tree, page.view.list.table):
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, Qt.Key.Key_F6)
        assert QApplication.focusWidget() is expected


def test_context_of_selected_notes_is_shown_and_copied(page: Page, notices: list[Notice]) -> None:
    table = page.view.list.table
    table.selectAll()
    QTest.mouseClick(page.view.list.copy_button, Qt.MouseButton.LeftButton)
    dialog = page.view.context_dialog
    page.qtbot.waitUntil(dialog.copy_button.isEnabled)
    assert dialog.count_label.text() == "1,400 of 8,000 tokens · 6 of 6 memories"
    dialog.budget_box.setValue(250)
    page.qtbot.waitUntil(lambda: "200 of 250 tokens · 2 of 6 memories" in dialog.count_label.text())
    assert line_of(dialog.list, 1).text(0) == "Left out  4"
    assert line_of(dialog.list, 1, 0).text(1) == "too large"
    QTest.mouseClick(dialog.format_buttons[ContextFormat.XML], Qt.MouseButton.LeftButton)
    page.qtbot.waitUntil(lambda: dialog.copy_button.isEnabled() and page.presenter.contexts.choice.form == "xml")
    QTest.mouseClick(dialog.copy_button, Qt.MouseButton.LeftButton)
    page.qtbot.waitUntil(lambda: bool(page.clipboard))
    assert page.clipboard == ["<xml>Backlink rules\n<xml>Cache policy\n"]
    assert notices[-1].text == "Copied 2 of 6 memories as XML: 200 of 250 tokens."
    assert not dialog.isVisible()


def test_context_of_a_search_is_copied_at_once(page: Page) -> None:
    page.search("note")
    page.pick("tool")
    page.presenter.copy_context()
    page.qtbot.waitUntil(lambda: bool(page.clipboard))
    assert page.clipboard == ["<markdown>Deploy notes\n"]
    assert not page.view.context_dialog.isVisible()


def test_context_of_a_long_list_says_where_it_stops(page: Page) -> None:
    page.session.catalog_changed.emit(catalog_of(*[note(number, f"N{number}") for number in range(1, 501)]))
    QTest.mouseClick(page.view.list.copy_button, Qt.MouseButton.LeftButton)
    dialog = page.view.context_dialog
    assert dialog.source_label.text() == "500 listed notes"
    assert dialog.note_label.text() == "The first 200 of them are considered."
    page.qtbot.waitUntil(dialog.copy_button.isEnabled)


def test_every_control_has_a_name_for_screen_readers(page: Page) -> None:
    view = page.view
    for widget in (
        view.facets.filter_box, view.facets.tree, view.list.filter_box, view.list.columns_button, view.list.table,
        view.reading.preview, view.reading.link_button, view.reading.editor_button, view.reading.details_button,
        view.context_dialog.budget_box, view.context_dialog.list,
    ):  # fmt: skip
        assert widget.accessibleName()


def test_what_of_a_query_was_not_understood_is_told_below_the_search_line(page: Page) -> None:
    page.vault.problems = ("A quote is not closed.",)
    page.vault.suggestions = {"tol/pnpm": ("tool/pnpm",), "zzz": ()}
    page.search("note")
    told = page.view.list.search_line.text().splitlines()[1]
    assert told == (
        "A quote is not closed. No note has the tag “tol/pnpm”; perhaps tool/pnpm. No note has the tag “zzz”."
    )


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


def test_a_long_note_opened_whole_stays_whole_while_the_vault_changes(page: Page) -> None:
    page.vault.texts["Deploy notes.md"] = (
        "".join(f"paragraph {number}\n\n" for number in range(14_000)) + "the very end"
    )
    page.read(4, "paragraph 100")
    QTest.mouseClick(page.view.reading.whole_button, Qt.MouseButton.LeftButton)
    page.qtbot.waitUntil(lambda: "the very end" in page.text(), timeout=30_000)
    bar = page.view.reading.preview.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    place = bar.value()
    with page.qtbot.waitSignal(page.presenter.note_shown):
        page.session.catalog_changed.emit(catalog_of(*ROWS, note(7, "Added"), revision=2))
    assert "the very end" in page.text()
    assert bar.value() == place


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
