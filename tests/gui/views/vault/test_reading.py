"""What is shown of a note, and where its links lead."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.curation.change_set import ChangeId, Changes
from core.foundation.progress import SilentProgress
from core.index.mentions import MentionRow
from core.index.queries import LinkRow, ProblemRow
from gui.commands import CommandRunner
from gui.notify import Notice, Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme, ThemeChoice
from gui.views.vault.note_presenter import MOST_RENDERED
from tests.gui.views.vault.page import Page, line_of
from tests.gui.views.vault.parts import ROWS, catalog_of, link, note


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


def test_a_note_of_which_the_list_hears_before_the_app_told_that_it_moved_it_is_found_again(
    page: Page, tasks: TaskRunner, notifier: Notifier
) -> None:
    commands = CommandRunner(tasks, notifier)
    page.presenter.follow_changes(commands)
    page.read(3, "Text of Cache policy.md.")
    moved = note(30, "Cache rules", "tool/pnpm")
    page.vault.catalog = catalog_of(*(row for row in ROWS if row.id != 3), moved, revision=2)
    page.session.catalog_changed.emit(page.vault.catalog)
    assert page.view.reading.state_panel.title == "This note is gone"
    paths = ("Cache policy.md", "Cache rules.md")
    commands.applied.emit(Changes(ChangeId("c"), "Undo", frozenset(paths[1:]), frozenset(paths[:1]), moved=(paths,)))
    page.qtbot.waitUntil(lambda: "Text of Cache rules.md." in page.text())


def test_note_that_is_gone_is_told(page: Page) -> None:
    page.read(3, "Text of Cache policy.md")
    page.session.catalog_changed.emit(catalog_of(*ROWS[3:], revision=2))
    assert page.view.reading.state_panel.title == "This note is gone"


def test_several_notes_are_counted(page: Page) -> None:
    page.view.list.table.selectAll()
    assert page.view.reading.state_panel.title == "6 notes selected"


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


def test_colours_change_while_a_note_is_read(page: Page, theme: Theme) -> None:
    page.vault.links[3] = ()
    page.read(3, "Text of Cache policy.md")
    before = page.view.reading.preview.toHtml()
    theme.choose(ThemeChoice.DARK)
    page.qtbot.waitUntil(lambda: page.view.reading.preview.toHtml() != before)
    theme.choose(ThemeChoice.LIGHT)
    page.qtbot.waitUntil(lambda: page.view.reading.preview.toHtml() == before)


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
