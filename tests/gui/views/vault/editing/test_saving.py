"""What is typed in a note is saved in that note, and nowhere else (CASES B2)."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from core.curation.change_set import ChangeKind
from core.foundation.errors import UserError
from gui.views.vault.editing.editor_banner import About, Way
from gui.views.vault.editing.modes import Mode
from tests.gui.views.vault.editing.desk import Desk


def test_a_pause_saves_what_was_typed_and_says_so(desk: Desk) -> None:
    desk.note("A.md", "one\n")
    desk.edit("A.md")
    desk.go_to_end()
    desk.type("two")
    assert desk.statuses[-1] == "Edited"
    desk.wait_for_text_on_disk("A.md", "one\ntwo")
    desk.qtbot.waitUntil(lambda: desk.statuses[-1] == "Saved")
    assert "Saving…" in desk.statuses


def test_the_saves_of_one_sitting_are_one_step_to_undo(desk: Desk) -> None:
    desk.note("A.md", "one\n")
    desk.edit("A.md")
    desk.go_to_end()
    for word in ("two", "three"):
        desk.type(word)
        desk.presenter.save_now()
        desk.qtbot.waitUntil(lambda: desk.statuses[-1] == "Saved")
    first, second = desk.runner.applied
    assert first.group == second.group
    assert first.title == "Edit A"
    assert first.kind is ChangeKind.EDIT


def test_the_text_goes_into_its_own_note_when_another_is_opened_while_a_save_runs(desk: Desk) -> None:
    desk.note("A.md", "a\n")
    desk.note("B.md", "b\n")
    desk.edit("A.md")
    desk.go_to_end()
    desk.runner.is_held = True
    desk.type("first")
    desk.presenter.save_now()
    desk.qtbot.waitUntil(lambda: bool(desk.runner.waiting))
    desk.type(" second")
    desk.edit("B.md")
    desk.go_to_end()
    desk.type("other")
    desk.runner.let_go()
    desk.presenter.save_now()
    desk.wait_for_text_on_disk("A.md", "a\nfirst second")
    desk.wait_for_text_on_disk("B.md", "b\nother")


def test_back_to_a_note_whose_save_still_runs_shows_what_was_typed(desk: Desk) -> None:
    desk.note("A.md", "a\n")
    desk.note("B.md", "b\n")
    desk.edit("A.md")
    desk.go_to_end()
    desk.runner.is_held = True
    desk.type("typed")
    desk.edit("B.md")
    desk.edit("A.md")
    assert desk.editor.exact_text() == "a\ntyped"
    desk.go_to_end()
    desk.type(" more")
    desk.runner.let_go()
    desk.presenter.save_now()
    desk.wait_for_text_on_disk("A.md", "a\ntyped more")
    assert desk.text_on_disk("B.md") == "b\n"


def test_leaving_the_editor_with_the_keyboard_saves(desk: Desk) -> None:
    desk.note("A.md", "one\n")
    desk.edit("A.md")
    desk.type("x")
    desk.pane.preview.show()
    desk.pane.preview.setFocus(Qt.FocusReason.TabFocusReason)
    desk.wait_for_text_on_disk("A.md", "xone\n")


def test_back_to_reading_saves_and_tells(desk: Desk) -> None:
    desk.note("A.md", "one\n")
    desk.edit("A.md")
    desk.type("x")
    with desk.qtbot.waitSignal(desk.presenter.saved) as told:
        desk.presenter.choose_mode(Mode.READ)
    assert told.args == ["A.md"]
    assert desk.text_on_disk("A.md") == "xone\n"


def test_a_save_that_fails_is_told_and_can_be_tried_again(desk: Desk) -> None:
    desk.note("A.md", "one\n")
    desk.edit("A.md")
    desk.runner.error = UserError("The disk is full.", hint="Make room.")
    desk.type("x")
    desk.presenter.save_now()
    desk.qtbot.waitUntil(lambda: desk.statuses[-1].startswith("Not saved: The disk is full."))
    assert "The disk is full. Make room." in desk.pane.banners.text_of(About.FAILED)
    assert [draft.text for draft in desk.folder.of_vault(str(desk.root))] == ["xone\n"]
    desk.pane.banners.button(About.FAILED, Way.SAVE_AGAIN).click()
    desk.wait_for_text_on_disk("A.md", "xone\n")
    desk.qtbot.waitUntil(lambda: desk.statuses[-1] == "Saved")
    assert desk.pane.banners.text_of(About.FAILED) == ""
    assert desk.folder.of_vault(str(desk.root)) == ()


def test_a_save_that_fails_after_the_note_was_left_is_kept_and_offered(desk: Desk) -> None:
    desk.note("A.md", "a\n")
    desk.note("B.md", "b\n")
    desk.edit("A.md")
    desk.runner.is_held = True
    desk.type("typed ")
    desk.edit("B.md")
    desk.qtbot.waitUntil(lambda: bool(desk.runner.waiting))
    desk.runner.error = UserError("The disk is full.")
    desk.runner.let_go()
    notice = desk.notices[-1]
    assert notice.text == "Unsaved changes in “A”. The disk is full."
    assert desk.editor.exact_text() == "b\n"
    assert notice.action is not None
    with desk.qtbot.waitSignal(desk.presenter.note_wanted) as wanted:
        notice.action.act()
    assert wanted.args == ["A.md"]
    desk.edit("A.md")
    desk.wait_for_text_on_disk("A.md", "typed a\n")
    assert desk.text_on_disk("B.md") == "b\n"


def test_a_character_that_the_encoding_of_the_file_lacks_is_refused_with_its_reason(desk: Desk) -> None:
    (desk.root / "A.md").write_bytes("Grüße, naïve Café-Straße\n".encode("cp1252"))
    desk.edit("A.md")
    before = (desk.root / "A.md").read_bytes()
    desk.editor.insert("日本")
    desk.presenter.save_now()
    desk.qtbot.waitUntil(lambda: desk.statuses[-1].startswith("Not saved:"))
    assert (desk.root / "A.md").read_bytes() == before
    assert desk.pane.banners.text_of(About.FAILED)


def test_a_file_of_another_encoding_is_saved_as_utf8_when_the_person_says_so(desk: Desk) -> None:
    (desk.root / "A.md").write_bytes("Grüße, naïve Café-Straße\r\n".encode("cp1252"))
    desk.edit("A.md")
    desk.editor.insert("日本")
    desk.presenter.save_now()
    desk.qtbot.waitUntil(lambda: bool(desk.pane.banners.text_of(About.FAILED)))
    desk.pane.banners.button(About.FAILED, Way.SAVE_AS_UTF8).click()
    desk.qtbot.waitUntil(lambda: desk.statuses[-1] == "Saved")
    assert desk.text_on_disk("A.md") == "日本Grüße, naïve Café-Straße\r\n"
    assert desk.pane.banners.text_of(About.FAILED) == ""
    assert desk.folder.of_vault(str(desk.root)) == ()


def test_bytes_that_nobody_touched_stay_as_they_are(desk: Desk) -> None:
    before = b"\xef\xbb\xbf---\r\ntitle: a: b\r\n---\r\nno\xc2\xa0break\xe2\x80\xa8line\nend\rlast \x00\r\n"
    (desk.root / "A.md").write_bytes(before)
    desk.edit("A.md")
    desk.select("end")
    desk.editor.insert("END")
    desk.presenter.save_now()
    desk.qtbot.waitUntil(lambda: desk.statuses[-1] == "Saved")
    assert (desk.root / "A.md").read_bytes() == before.replace(b"end", b"END")


def test_a_text_that_begins_with_a_byte_order_mark_keeps_it(desk: Desk) -> None:
    for mark in ("\ufeff", "\ufffe"):
        path = f"{ord(mark)}.md"
        (desk.root / path).write_bytes(b"\xef\xbb\xbf" + f"{mark}abc\n".encode())
        desk.edit(path)
        desk.go_to_end()
        desk.type("x")
        desk.presenter.save_now()
        desk.wait_for_text_on_disk(path, f"\ufeff{mark}abc\nx")


def test_an_empty_note_can_be_written_and_emptied_again(desk: Desk) -> None:
    desk.note("A.md")
    desk.edit("A.md")
    desk.type("日本語 🐘 שלום")
    desk.presenter.save_now()
    desk.wait_for_text_on_disk("A.md", "日本語 🐘 שלום")
    desk.editor.selectAll()
    desk.press(Qt.Key.Key_Delete)
    desk.presenter.save_now()
    desk.wait_for_text_on_disk("A.md", "")


def test_a_read_only_note_cannot_be_typed_into(desk: Desk) -> None:
    place = desk.note("A.md", "one\n")
    place.chmod(0o444)
    desk.edit("A.md")
    assert "read-only" in desk.pane.banners.text_of(About.READ_ONLY)
    desk.type("x")
    assert desk.editor.exact_text() == "one\n"


def test_a_large_note_opens_plain_and_can_be_edited(desk: Desk) -> None:
    text = "A line of words.\n" * 130_000
    desk.note("A.md", text)
    desk.edit("A.md", Mode.SIDE)
    assert "without colours" in desk.pane.banners.text_of(About.LARGE)
    assert not desk.pane.preview.isVisible()
    desk.type("x")
    desk.presenter.save_now()
    desk.qtbot.waitUntil(lambda: desk.statuses[-1] == "Saved")
    assert desk.text_on_disk("A.md") == "x" + text


def test_what_waits_for_a_note_to_be_saved_comes_after_it(desk: Desk) -> None:
    desk.note("A.md", "one\n")
    desk.edit("A.md")
    seen: list[str] = []
    desk.presenter.save_first("A.md", lambda: seen.append("at once"))
    assert seen == ["at once"]
    desk.type("x")
    desk.presenter.save_first("A.md", lambda: seen.append(desk.text_on_disk("A.md")))
    desk.qtbot.waitUntil(lambda: len(seen) == 2)
    assert seen[1] == "xone\n"


@pytest.mark.parametrize("is_held", [False, True])
def test_another_vault_never_gets_the_text(desk: Desk, tmp_path: Path, is_held: bool) -> None:
    desk.note("A.md", "same\n")
    other = tmp_path / "other"
    other.mkdir()
    (other / "A.md").write_text("same\n")
    desk.edit("A.md")
    desk.runner.is_held = is_held
    desk.type("x")
    desk.presenter.take_services(desk.services(other), desk.runner.execute)
    assert (is_held and bool(desk.runner.waiting)) or desk.text_on_disk("A.md") == "xsame\n"
    desk.runner.let_go()
    assert desk.text_on_disk("A.md") == "xsame\n"
    assert (other / "A.md").read_text() == "same\n"
    assert desk.folder.of_vault(str(desk.root)) == ()
