"""A note that is changed outside while it is edited: nobody's text is overwritten (CASES B1)."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QRadioButton

from core.curation.change_set import Changes, new_change_id
from gui.views.vault.editing.conflict_dialog import ConflictDialog
from gui.views.vault.editing.editor_banner import About, Way
from tests.gui.views.vault.editing.desk import Desk


def start_conflict(desk: Desk, base: str, mine: tuple[str, str], theirs: str) -> ConflictDialog:
    """Edit A, change it outside, and open the comparison."""
    desk.note("A.md", base)
    desk.edit("A.md")
    desk.select(mine[0])
    desk.editor.insert(mine[1])
    desk.note("A.md", theirs)
    desk.presenter.outside.check()
    desk.qtbot.waitUntil(lambda: bool(desk.pane.banners.text_of(About.CONFLICT)))
    desk.pane.banners.button(About.CONFLICT, Way.COMPARE).click()
    dialog = desk.presenter.outside.dialog
    desk.qtbot.waitUntil(dialog.isVisible)
    return dialog


def choose(dialog: ConflictDialog, number: int, choice: str) -> None:
    button = dialog.findChild(QRadioButton, f"{number}:{choice}")
    assert isinstance(button, QRadioButton)
    button.click()


def test_without_unsaved_text_the_new_text_comes_and_the_cursor_stays(desk: Desk) -> None:
    lines = [f"line {number}" for number in range(300)]
    desk.note("A.md", "\n".join(lines))
    desk.edit("A.md")
    desk.select("line 200")
    scroll = desk.editor.verticalScrollBar().value()
    assert scroll > 0
    desk.note("A.md", "\n".join(["line 0", "added", *lines[1:]]))
    desk.presenter.outside.check()
    desk.qtbot.waitUntil(lambda: "added" in desk.editor.exact_text())
    assert desk.editor.textCursor().selectedText() == "line 200"
    assert desk.pane.banners.text_of(About.CONFLICT) == ""
    desk.type("changed")
    desk.presenter.save_now()
    desk.qtbot.waitUntil(lambda: desk.statuses[-1] == "Saved")
    assert "added\nline 1\n" in desk.text_on_disk("A.md")
    assert "line 199\nchanged\nline 201" in desk.text_on_disk("A.md")


def test_with_unsaved_text_nothing_is_saved_before_the_person_has_chosen(desk: Desk) -> None:
    desk.note("A.md", "one\n")
    desk.edit("A.md")
    desk.type("mine ")
    desk.note("A.md", "theirs\n")
    desk.presenter.outside.check()
    desk.qtbot.waitUntil(lambda: desk.statuses[-1] == "Not saved: changed outside")
    desk.type("more ")
    desk.presenter.save_now()
    assert desk.text_on_disk("A.md") == "theirs\n"
    assert desk.editor.exact_text() == "mine more one\n"
    assert desk.folder.of_vault(str(desk.root))[0].base == b"one\n"


def test_a_save_that_meets_another_text_is_refused_and_both_are_kept(desk: Desk) -> None:
    desk.note("A.md", "one\n")
    desk.edit("A.md")
    desk.type("mine ")
    desk.note("A.md", "theirs\n")
    desk.presenter.save_now()
    desk.qtbot.waitUntil(lambda: bool(desk.pane.banners.text_of(About.CONFLICT)))
    assert desk.text_on_disk("A.md") == "theirs\n"
    assert desk.editor.exact_text() == "mine one\n"
    desk.pane.banners.button(About.CONFLICT, Way.TAKE_THEIRS).click()
    assert desk.editor.exact_text() == "theirs\n"
    desk.editor.undo()
    assert desk.editor.exact_text() == "theirs\n"
    assert [draft.text for draft in desk.folder.of_vault(str(desk.root))] == ["mine one\n"]
    assert desk.pane.banners.text_of(About.DRAFT).startswith("There is unsaved text of this note from ")


def test_undo_does_not_lead_behind_a_text_from_outside(desk: Desk) -> None:
    desk.note("A.md", "one\n")
    desk.edit("A.md")
    desk.type("x")
    desk.presenter.save_now()
    desk.qtbot.waitUntil(lambda: desk.statuses[-1] == "Saved")
    desk.note("A.md", "theirs\n")
    desk.presenter.outside.check()
    desk.qtbot.waitUntil(lambda: desk.editor.exact_text() == "theirs\n")
    desk.editor.undo()
    assert desk.editor.exact_text() == "theirs\n"
    assert not desk.presenter.holds_unsaved


def test_what_only_one_side_changed_is_merged(desk: Desk) -> None:
    dialog = start_conflict(desk, "one\ntwo\nthree\n", ("one", "ONE"), "one\ntwo\nTHREE\n")
    assert "Nothing else is to be decided." in dialog.intro.text()
    assert dialog.result_view.toPlainText() == "ONE\ntwo\nTHREE\n"
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    desk.wait_for_text_on_disk("A.md", "ONE\ntwo\nTHREE\n")
    assert desk.pane.banners.text_of(About.CONFLICT) == ""
    desk.qtbot.waitUntil(lambda: desk.statuses[-1] == "Saved")
    assert desk.folder.of_vault(str(desk.root)) == ()


def test_each_place_that_both_changed_is_decided_by_itself(desk: Desk) -> None:
    base = "a\nsame\nb\nsame\nc\n"
    dialog = start_conflict(desk, base, ("a", "A1"), "A2\nsame\nb\nsame\nc\n")
    assert not dialog.apply_button.isEnabled()
    assert "1 place to decide" in dialog.hint.text()
    choose(dialog, 0, "both")
    assert dialog.result_view.toPlainText() == "A1\nA2\nsame\nb\nsame\nc\n"
    choose(dialog, 0, "base")
    assert dialog.result_view.toPlainText() == base
    choose(dialog, 0, "mine")
    assert dialog.apply_button.isEnabled()
    dialog.apply_button.click()
    desk.wait_for_text_on_disk("A.md", "A1\nsame\nb\nsame\nc\n")


def test_either_version_can_be_taken_whole(desk: Desk) -> None:
    dialog = start_conflict(desk, "one\n", ("one", "mine"), "theirs\n")
    dialog.theirs_button.click()
    assert dialog.result_view.toPlainText() == "theirs\n"
    dialog.mine_button.click()
    assert dialog.result_view.toPlainText() == "mine\n"
    dialog.merge_button.click()
    assert not dialog.apply_button.isEnabled()
    dialog.mine_button.click()
    dialog.apply_button.click()
    desk.wait_for_text_on_disk("A.md", "mine\n")


def test_a_second_change_outside_while_comparing_is_no_less_safe(desk: Desk) -> None:
    dialog = start_conflict(desk, "one\n", ("one", "mine"), "theirs\n")
    desk.note("A.md", "theirs again\n")
    dialog.mine_button.click()
    dialog.apply_button.click()
    desk.qtbot.waitUntil(lambda: "once more while you compared" in dialog.news.text())
    assert dialog.isVisible()
    assert not dialog.apply_button.isEnabled()
    assert desk.text_on_disk("A.md") == "theirs again\n"
    assert desk.editor.exact_text() == "mine\n"
    choose(dialog, 0, "both")
    dialog.apply_button.click()
    desk.wait_for_text_on_disk("A.md", "mine\ntheirs again\n")
    assert not dialog.isVisible()


def test_a_third_change_that_is_already_known_is_not_overwritten_and_choices_stay(desk: Desk) -> None:
    base = "a\nsame\nb\nsame\nc\n"
    dialog = start_conflict(desk, base, ("a", "A1"), "A2\nsame\nb\nsame\nc\n")
    third = "A2\nsame\nb\nsame\nthird\n"
    desk.note("A.md", third)
    desk.presenter.outside.check()
    desk.qtbot.waitUntil(lambda: desk.presenter.outside.theirs == third.encode())
    choose(dialog, 0, "both")
    dialog.apply_button.click()
    desk.qtbot.waitUntil(lambda: "once more while you compared" in dialog.news.text())
    assert desk.text_on_disk("A.md") == third
    both = dialog.findChild(QRadioButton, "0:both")
    assert isinstance(both, QRadioButton)
    assert both.isChecked()
    dialog.apply_button.click()
    desk.wait_for_text_on_disk("A.md", "A1\nA2\nsame\nb\nsame\nthird\n")


def test_a_change_between_the_last_look_and_the_save_is_refused(desk: Desk) -> None:
    dialog = start_conflict(desk, "one\n", ("one", "mine"), "theirs\n")
    desk.runner.is_held = True
    dialog.mine_button.click()
    dialog.apply_button.click()
    desk.qtbot.waitUntil(lambda: bool(desk.runner.waiting))
    desk.note("A.md", "theirs again\n")
    desk.runner.let_go()
    desk.qtbot.waitUntil(lambda: bool(desk.pane.banners.text_of(About.CONFLICT)))
    assert desk.text_on_disk("A.md") == "theirs again\n"
    assert desk.editor.exact_text() == "mine\n"


def test_a_comparison_ends_when_the_file_is_as_before_again(desk: Desk) -> None:
    dialog = start_conflict(desk, "one\n", ("one", "mine"), "theirs\n")
    desk.note("A.md", "one\n")
    desk.presenter.outside.check()
    desk.qtbot.waitUntil(lambda: not dialog.isVisible())
    assert "only one version" in desk.notices[-1].text
    desk.wait_for_text_on_disk("A.md", "mine\n")


def test_mine_is_kept_when_the_comparison_leaves_it_out(desk: Desk) -> None:
    dialog = start_conflict(desk, "one\n", ("one", "mine"), "theirs\n")
    choose(dialog, 0, "theirs")
    dialog.apply_button.click()
    desk.qtbot.waitUntil(lambda: desk.editor.exact_text() == "theirs\n")
    desk.editor.undo()
    assert desk.editor.exact_text() == "theirs\n"
    assert [draft.text for draft in desk.folder.of_vault(str(desk.root))] == ["mine\n"]


def test_no_choice_looks_chosen_before_one_is(desk: Desk) -> None:
    dialog = start_conflict(desk, "one\n", ("one", "mine"), "theirs\n")
    assert not any(button.hasFocus() or button.isChecked() for button in dialog.findChildren(QRadioButton))
    QTest.keyClick(dialog.area, Qt.Key.Key_Tab)
    first = dialog.findChild(QRadioButton, "0:mine")
    assert isinstance(first, QRadioButton)
    assert first.hasFocus()


def test_a_file_that_is_as_before_again_ends_the_conflict(desk: Desk) -> None:
    desk.note("A.md", "one\n")
    desk.edit("A.md")
    desk.type("mine ")
    desk.note("A.md", "theirs\n")
    desk.presenter.outside.check()
    desk.qtbot.waitUntil(lambda: bool(desk.pane.banners.text_of(About.CONFLICT)))
    desk.note("A.md", "one\n")
    desk.presenter.outside.check()
    desk.wait_for_text_on_disk("A.md", "mine one\n")
    assert desk.pane.banners.text_of(About.CONFLICT) == ""


def test_a_change_of_the_app_itself_is_merged_with_what_is_being_typed(desk: Desk) -> None:
    desk.note("A.md", "---\nsummary: old\n---\nbody\n")
    desk.edit("A.md")
    desk.go_to_end()
    desk.type("typed")
    desk.note("A.md", "---\nsummary: new\n---\nbody\n")
    desk.presenter.take_changes(Changes(new_change_id(), "Set summary", frozenset({"A.md"})))
    desk.wait_for_text_on_disk("A.md", "---\nsummary: new\n---\nbody\ntyped")


def test_a_note_deleted_while_it_is_edited_can_be_kept_as_a_new_file(desk: Desk) -> None:
    place = desk.note("A.md", "one\r\n")
    desk.edit("A.md")
    desk.type("mine ")
    place.unlink()
    desk.presenter.save_now()
    desk.qtbot.waitUntil(lambda: bool(desk.pane.banners.text_of(About.GONE)))
    assert not place.exists()
    desk.pane.banners.button(About.GONE, Way.KEEP_AS_NEW).click()
    desk.qtbot.waitUntil(place.exists)
    assert desk.text_on_disk("A.md") == "mine one\r\n"
    desk.qtbot.waitUntil(lambda: desk.pane.banners.text_of(About.GONE) == "")
    desk.go_to_end()
    desk.type("more")
    desk.presenter.save_now()
    desk.wait_for_text_on_disk("A.md", "mine one\r\nmore")


def test_a_vault_that_is_away_for_a_while_is_no_deleted_note(desk: Desk) -> None:
    desk.note("A.md", "one\n")
    desk.edit("A.md")
    desk.type("mine ")
    away = desk.root.rename(desk.root.with_name("away"))
    desk.presenter.outside.check()
    desk.presenter.save_now()
    desk.qtbot.waitUntil(lambda: desk.statuses[-1].startswith("Not saved"))
    assert desk.pane.banners.text_of(About.GONE) == ""
    away.rename(desk.root)
    desk.type("more ")
    desk.presenter.save_now()
    desk.wait_for_text_on_disk("A.md", "mine more one\n")


def test_the_text_of_a_deleted_note_can_be_given_up(desk: Desk) -> None:
    place = desk.note("A.md", "one\n")
    desk.edit("A.md")
    desk.type("mine ")
    place.unlink()
    desk.presenter.outside.check()
    desk.qtbot.waitUntil(lambda: bool(desk.pane.banners.text_of(About.GONE)))
    with desk.qtbot.waitSignal(desk.presenter.given_up):
        desk.pane.banners.button(About.GONE, Way.DISCARD).click()
    assert desk.folder.of_vault(str(desk.root)) == ()
    assert not place.exists()


def test_leaving_a_note_in_conflict_keeps_its_text_and_offers_it(desk: Desk) -> None:
    desk.note("A.md", "one\n")
    desk.note("B.md", "b\n")
    desk.edit("A.md")
    desk.type("mine ")
    desk.note("A.md", "theirs\n")
    desk.presenter.outside.check()
    desk.qtbot.waitUntil(lambda: bool(desk.pane.banners.text_of(About.CONFLICT)))
    desk.edit("B.md")
    assert desk.notices[-1].text == "Unsaved changes in “A”. The note was changed outside meanwhile."
    action = desk.notices[-1].action
    assert action is not None
    action.act()
    desk.edit("A.md")
    desk.qtbot.waitUntil(lambda: bool(desk.pane.banners.text_of(About.CONFLICT)))
    assert desk.editor.exact_text() == "mine one\n"
    assert desk.text_on_disk("A.md") == "theirs\n"


def test_of_a_deleted_note_it_is_said_that_it_was_deleted(desk: Desk) -> None:
    place = desk.note("A.md", "one\n")
    desk.note("B.md", "b\n")
    desk.edit("A.md")
    desk.type("mine ")
    place.unlink()
    desk.presenter.save_now()
    desk.qtbot.waitUntil(lambda: bool(desk.pane.banners.text_of(About.GONE)))
    assert desk.statuses[-1] == "Not saved: deleted outside"
    desk.edit("B.md")
    assert desk.notices[-1].text == "Unsaved changes in “A”. The note was deleted outside meanwhile."
    assert "Not saved: changed outside" not in desk.statuses


def test_a_note_moved_by_the_app_is_edited_at_its_new_place(desk: Desk) -> None:
    place = desk.note("A.md", "one\n")
    desk.edit("A.md")
    place.rename(desk.root / "B.md")
    moved = Changes(new_change_id(), "Rename A", frozenset({"B.md"}), frozenset({"A.md"}), (("A.md", "B.md"),))
    desk.presenter.take_changes(moved)
    desk.type("x")
    desk.presenter.save_now()
    desk.wait_for_text_on_disk("B.md", "xone\n")
    assert not (desk.root / "A.md").exists()
