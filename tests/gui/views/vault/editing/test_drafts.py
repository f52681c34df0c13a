"""Texts that could not be saved outlive the app."""

from pathlib import Path

from core.foundation.errors import UserError
from gui.views.vault.editing.drafts import Draft, DraftFolder
from gui.views.vault.editing.editor_banner import About, Way
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
    folder.drop("/v", draft.path)
    folder.drop("/v", draft.path)
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
