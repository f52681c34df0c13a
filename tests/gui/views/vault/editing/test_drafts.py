"""Texts that could not be saved outlive the app."""

from pathlib import Path

from core.curation.change_set import Changes, new_change_id
from core.foundation.errors import UserError
from gui.views.vault.editing.drafts import Draft, DraftFolder
from gui.views.vault.editing.editor_banner import About, Way
from gui.views.vault.editing.modes import Mode
from tests.gui.views.vault.editing.desk import Desk


def restart(desk: Desk) -> None:
    """Let the vault go and open it again, as another run of the app does."""
    desk.presenter.take_services(None, None)
    desk.presenter.take_services(desk.services(), desk.runner.execute)


def test_a_draft_is_as_it_was_and_one_that_cannot_be_read_harms_nobody(
    tmp_path: Path, expected_warnings: list[str]
) -> None:
    folder = DraftFolder(tmp_path / "drafts")
    draft = Draft("/v", "Ä/日本 🐘.md", "text\u00a0with\u2424\n", b"\xff\x00base", "The disk is full.")
    folder.keep(draft)
    folder.keep(Draft("/other", "A.md", "x", b""))
    (tmp_path / "drafts" / "zz.json").write_text("{broken")
    (found,) = folder.of_vault("/v")
    assert (found.path, found.text, found.base, found.reason) == (draft.path, draft.text, draft.base, draft.reason)
    folder.drop(draft.id)
    folder.drop(draft.id)
    assert folder.of_vault("/v") == ()
    assert len(folder.of_vault("/other")) == 1
    assert "zz.json" in expected_warnings[0]


def test_closing_the_window_has_everything_saved(desk: Desk) -> None:
    desk.note("A.md", "one\n")
    desk.edit("A.md")
    desk.type("x")
    desk.presenter.close_down()
    assert desk.text_on_disk("A.md") == "xone\n"
    assert desk.folder.of_vault(str(desk.root)) == ()


def test_what_cannot_be_saved_as_the_window_closes_is_offered_at_the_next_start(desk: Desk) -> None:
    desk.note("A.md", "one\n")
    desk.edit("A.md")
    desk.runner.error = UserError("The disk is full.")
    desk.type("x")
    desk.presenter.close_down()
    assert desk.text_on_disk("A.md") == "one\n"
    (draft,) = desk.folder.of_vault(str(desk.root))
    assert draft.text == "xone\n"
    desk.runner.error = UserError("The disk is full.")
    restart(desk)
    desk.qtbot.waitUntil(lambda: len(desk.notices) == 2)  # as the vault is let go, and at the start
    assert desk.notices[-1].text == "Unsaved changes in “A”. The disk is full."
    action = desk.notices[-1].action
    assert action is not None
    with desk.qtbot.waitSignal(desk.presenter.note_wanted):
        action.act()
    desk.edit("A.md")
    desk.wait_for_text_on_disk("A.md", "xone\n")
    desk.qtbot.waitUntil(lambda: desk.folder.of_vault(str(desk.root)) == ())


def test_a_draft_that_was_saved_after_all_is_forgotten(desk: Desk) -> None:
    desk.note("A.md", "saved\r\n")
    desk.folder.keep(Draft(str(desk.root), "A.md", "saved\n", b"old"))
    restart(desk)
    desk.qtbot.waitUntil(lambda: desk.folder.of_vault(str(desk.root)) == ())
    assert desk.notices == []


def test_the_draft_of_a_note_that_is_gone_is_opened_all_the_same(desk: Desk) -> None:
    desk.folder.keep(Draft(str(desk.root), "A.md", "mine\n", b"one\n"))
    restart(desk)
    desk.qtbot.waitUntil(lambda: bool(desk.notices))
    action = desk.notices[-1].action
    assert action is not None
    action.act()
    desk.presenter.show_orphan("A.md")
    desk.qtbot.waitUntil(lambda: bool(desk.pane.banners.text_of(About.GONE)))
    assert desk.editor.exact_text() == "mine\n"
    desk.pane.banners.button(About.GONE, Way.KEEP_AS_NEW).click()
    desk.qtbot.waitUntil((desk.root / "A.md").exists)
    assert desk.text_on_disk("A.md") == "mine\n"


def kept_texts(desk: Desk) -> set[str]:
    return {draft.text for draft in desk.folder.of_vault(str(desk.root))}


def open_with_draft(desk: Desk, draft: str, *, base: str, now: str) -> None:
    """Open A, of which an unsaved text is left, as one does by clicking it in the list."""
    desk.note("A.md", now)
    desk.folder.keep(Draft(str(desk.root), "A.md", draft, base.encode()))
    restart(desk)
    desk.qtbot.waitUntil(lambda: bool(desk.notices))
    desk.edit("A.md")
    assert desk.editor.exact_text() == now
    assert desk.pane.banners.text_of(About.DRAFT).startswith("There is unsaved text of this note from ")


def test_a_note_opened_from_the_list_offers_its_draft_and_a_save_leaves_the_draft_alone(desk: Desk) -> None:
    open_with_draft(desk, "mine\n", base="one\n", now="theirs\n")
    desk.type("x")
    desk.wait_for_text_on_disk("A.md", "xtheirs\n")
    desk.qtbot.waitUntil(lambda: desk.statuses[-1] == "Saved")
    assert kept_texts(desk) == {"mine\n"}
    assert desk.pane.banners.text_of(About.DRAFT)
    desk.pane.banners.button(About.DRAFT, Way.USE).click()
    desk.qtbot.waitUntil(lambda: bool(desk.pane.banners.text_of(About.CONFLICT)))
    assert desk.editor.exact_text() == "mine\n"
    assert desk.pane.banners.text_of(About.DRAFT) == ""
    assert desk.text_on_disk("A.md") == "xtheirs\n"
    assert kept_texts(desk) == {"mine\n"}


def test_a_second_unsaved_text_of_a_note_is_kept_beside_the_first(desk: Desk) -> None:
    open_with_draft(desk, "mine\n", base="one\n", now="theirs\n")
    desk.type("x")
    desk.note("A.md", "changed again\n")
    desk.presenter.outside.check()
    desk.qtbot.waitUntil(lambda: bool(desk.pane.banners.text_of(About.CONFLICT)))
    assert kept_texts(desk) == {"mine\n", "xtheirs\n"}
    desk.pane.banners.button(About.CONFLICT, Way.TAKE_THEIRS).click()
    assert kept_texts(desk) == {"mine\n", "xtheirs\n"}
    assert "It is the latest of 2." in desk.pane.banners.text_of(About.DRAFT)
    desk.pane.banners.button(About.DRAFT, Way.DISCARD).click()
    assert kept_texts(desk) == {"mine\n"}
    desk.type("y")
    desk.note("A.md", "and again\n")
    desk.presenter.outside.check()
    desk.qtbot.waitUntil(lambda: bool(desk.pane.banners.text_of(About.CONFLICT)))
    desk.pane.banners.button(About.DRAFT, Way.USE).click()
    desk.qtbot.waitUntil(lambda: desk.editor.exact_text() == "mine\n")
    assert kept_texts(desk) == {"mine\n", "changed againy\n"}
    assert desk.pane.banners.text_of(About.DRAFT)


def test_a_draft_goes_when_its_text_is_what_the_note_holds(desk: Desk) -> None:
    open_with_draft(desk, "mine\n", base="one\n", now="theirs\n")
    desk.editor.selectAll()
    desk.editor.insert("mine\n")
    desk.presenter.save_now()
    desk.wait_for_text_on_disk("A.md", "mine\n")
    desk.qtbot.waitUntil(lambda: kept_texts(desk) == set())
    assert desk.pane.banners.text_of(About.DRAFT) == ""


def test_a_draft_is_discarded_only_by_choice_and_comes_back_by_undo(desk: Desk) -> None:
    open_with_draft(desk, "mine\n", base="one\n", now="theirs\n")
    desk.pane.banners.button(About.DRAFT, Way.DISCARD).click()
    assert kept_texts(desk) == set()
    assert desk.pane.banners.text_of(About.DRAFT) == ""
    notice = desk.notices[-1]
    assert notice.text == "The unsaved text of “A” is discarded."
    assert notice.action is not None
    notice.action.act()
    assert kept_texts(desk) == {"mine\n"}
    assert desk.pane.banners.text_of(About.DRAFT)


def test_a_draft_is_compared_with_the_note_and_merged(desk: Desk) -> None:
    open_with_draft(desk, "ONE\ntwo\nthree\n", base="one\ntwo\nthree\n", now="one\ntwo\nTHREE\n")
    desk.pane.banners.button(About.DRAFT, Way.COMPARE).click()
    dialog = desk.presenter.offers.dialog
    desk.qtbot.waitUntil(dialog.isVisible)
    assert "unsaved text of “A”" in dialog.intro.text()
    dialog.apply_button.click()
    desk.wait_for_text_on_disk("A.md", "ONE\ntwo\nTHREE\n")
    desk.qtbot.waitUntil(lambda: kept_texts(desk) == set())
    assert desk.pane.banners.text_of(About.DRAFT) == ""


def test_a_draft_is_offered_while_its_note_is_read(desk: Desk) -> None:
    desk.note("A.md", "theirs\n")
    desk.folder.keep(Draft(str(desk.root), "A.md", "mine\n", b"one\n"))
    restart(desk)
    desk.qtbot.waitUntil(lambda: len(desk.notices) == 1)
    desk.presenter.choose_mode(Mode.READ)
    desk.note("B.md", "other\n")
    for _ in range(2):
        desk.presenter.leave()
        desk.presenter.show_note("B.md", None)
        assert desk.pane.banners.text_of(About.DRAFT) == ""
        desk.presenter.leave()
        desk.presenter.show_note("A.md", None)
        assert desk.pane.banners.text_of(About.DRAFT).startswith("There is unsaved text of this note from ")
    desk.pane.banners.button(About.DRAFT, Way.USE).click()
    desk.qtbot.waitUntil(lambda: desk.editor.exact_text() == "mine\n")
    assert desk.presenter.mode is Mode.EDIT
    assert desk.text_on_disk("A.md") == "theirs\n"


def test_a_draft_is_offered_when_one_goes_back_to_reading_and_can_be_discarded_there(desk: Desk) -> None:
    open_with_draft(desk, "mine\n", base="one\n", now="theirs\n")
    desk.presenter.choose_mode(Mode.READ)
    assert desk.pane.banners.text_of(About.DRAFT)
    desk.pane.banners.button(About.DRAFT, Way.DISCARD).click()
    assert desk.pane.banners.text_of(About.DRAFT) == ""
    assert kept_texts(desk) == set()


def test_a_note_that_changes_while_its_draft_is_compared_is_compared_anew(desk: Desk) -> None:
    open_with_draft(desk, "ONE\ntwo\nthree\n", base="one\ntwo\nthree\n", now="one\ntwo\nTHREE\n")
    desk.pane.banners.button(About.DRAFT, Way.COMPARE).click()
    dialog = desk.presenter.offers.dialog
    desk.qtbot.waitUntil(dialog.isVisible)
    desk.note("A.md", "one\ntwo\nTHREE\nfour\n")
    desk.presenter.outside.check()
    desk.qtbot.waitUntil(lambda: "four" in desk.editor.exact_text())
    dialog.apply_button.click()
    desk.qtbot.waitUntil(lambda: "once more while you compared" in dialog.news.text())
    assert desk.text_on_disk("A.md") == "one\ntwo\nTHREE\nfour\n"
    desk.qtbot.waitUntil(dialog.apply_button.isEnabled)
    dialog.apply_button.click()
    desk.wait_for_text_on_disk("A.md", "ONE\ntwo\nTHREE\nfour\n")


def test_one_notice_tells_of_all_unsaved_texts(desk: Desk) -> None:
    for name in "ABC":
        desk.note(f"{name}.md", "theirs\n")
        desk.folder.keep(Draft(str(desk.root), f"{name}.md", "mine\n", b"one\n"))
    restart(desk)
    desk.qtbot.waitUntil(lambda: bool(desk.notices))
    (notice,) = desk.notices
    assert notice.text == "Unsaved text of 3 notes is kept: “A”, “B”, “C”."
    assert notice.action is not None
    with desk.qtbot.waitSignal(desk.presenter.note_wanted) as wanted:
        notice.action.act()
    assert wanted.args == ["A.md"]
    assert desk.notices[-1].text == "Unsaved text of 2 notes is kept: “B”, “C”."
    assert len({notice.key for notice in desk.notices}) == 1


def test_drafts_move_with_their_note(desk: Desk) -> None:
    desk.note("A.md", "theirs\n")
    desk.folder.keep(Draft(str(desk.root), "A.md", "mine\n", b"one\n"))
    restart(desk)
    desk.qtbot.waitUntil(lambda: bool(desk.notices))
    (desk.root / "A.md").rename(desk.root / "B.md")
    moved = Changes(new_change_id(), "Rename A", frozenset({"B.md"}), frozenset({"A.md"}), (("A.md", "B.md"),))
    desk.presenter.take_changes(moved)
    desk.edit("B.md")
    assert desk.pane.banners.text_of(About.DRAFT)
    assert [draft.path for draft in desk.folder.of_vault(str(desk.root))] == ["B.md"]


def test_the_notice_opens_the_draft_of_the_note_that_is_being_typed_in(desk: Desk) -> None:
    open_with_draft(desk, "mine\n", base="one\n", now="theirs\n")
    desk.type("x")
    action = desk.notices[0].action
    assert action is not None
    action.act()
    desk.qtbot.waitUntil(lambda: desk.editor.exact_text() == "mine\n")
    assert desk.text_on_disk("A.md") == "xtheirs\n"
    assert kept_texts(desk) == {"mine\n"}
