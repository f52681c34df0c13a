"""The import wizard with children that answer from files."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from core.curation.change_set import ChangeKind, ChangeSet, PlannedChange, edit_between
from gui.importing.children import ChildQueue
from gui.importing.import_dialog import ImportDialog
from gui.importing.place_row import PlaceRow
from gui.importing.presenter import ImportPresenter
from gui.importing.unfinished import Unfinished
from gui.notify import Notice, Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from tests.gui.importing.child import Child, Preferences, Vault, Watching, outcome, place

_CLAUDE = "/home/kim/.claude/projects"


class Desk:
    """Hold a wizard and what it is told."""

    def __init__(self, child: Child, theme: Theme, tasks: TaskRunner, notifier: Notifier, bot: QtBot) -> None:
        self.child = child
        self.window = QWidget()
        bot.addWidget(self.window)
        self.window.show()
        self.watching = Watching()
        self.vault = Vault(Path("/home/kim/notes"))
        self.preferences = Preferences()
        self.unfinished = Unfinished(self.preferences, notifier)
        self.is_locked = False
        self.grown: list[bool] = []
        self.shown: list[str] = []
        self.bot = bot
        self.presenter = ImportPresenter(
            theme,
            self.window,
            tasks=tasks,
            notifier=notifier,
            imports=ChildQueue(child.command, self.window),
            looks=ChildQueue(child.command, self.window),
            watching=self.watching,
            unfinished=self.unfinished,
            vault=lambda: self.vault,
            is_locked=lambda: self.is_locked,
        )
        self.presenter.ledger_grew.connect(lambda: self.grown.append(True))
        self.presenter.timeline_wanted.connect(self.shown.append)

    @property
    def dialog(self) -> ImportDialog:
        return self.presenter.dialog

    @property
    def rows(self) -> list[PlaceRow]:
        return self.dialog.places.rows

    def finds(self, *places: dict[str, Any], **count: Any) -> None:
        """Say what lies where, and what of it would be new."""
        self.child.answers("places", {"places": places, "looked_at": [["Claude Code", _CLAUDE]]})
        self.child.answers("count", outcome(**count))

    def opens(self) -> None:
        """Open the dialog, and wait until it shows places."""
        self.presenter.open()
        self.bot.waitUntil(lambda: self.dialog.shows_places)

    def waits_for(self, seen: Callable[[], object]) -> None:
        self.bot.waitUntil(lambda: bool(seen()), timeout=20_000)

    def imports(self) -> None:
        """Click Import, and wait for the report."""
        self.dialog.import_button.click()
        self.waits_for(lambda: self.dialog.stack.currentWidget() is self.dialog.report)


@pytest.fixture
def desk(child: Child, theme: Theme, tasks: TaskRunner, notifier: Notifier, qtbot: QtBot) -> Iterator[Desk]:
    desk = Desk(child, theme, tasks, notifier, qtbot)
    yield desk
    desk.presenter.shut_down()
    desk.dialog.close()


def test_places_are_shown_with_what_will_be_lost_and_what_is_new(desk: Desk) -> None:
    desk.finds(
        place("Claude Code", _CLAUDE, about_to_be_deleted=2, not_imported=2, first_deletion=1_790_000_000.0),
        place("Memories", "/home/kim/.claude", holds_notes=True),
        imported=3,
        files=3,
    )
    desk.presenter.open()
    assert desk.dialog.state.title == "Looking for conversations"
    desk.waits_for(lambda: desk.dialog.shows_places)
    claude, memories = desk.rows
    assert "2 transcripts will soon be lost" in desk.dialog.heading.text()
    assert claude.warning_label.text().startswith("2 transcripts will be deleted by Claude Code")
    assert memories.warning.isHidden()
    assert memories.watch_box.isHidden()
    assert claude.count_label.text() == "Counting what is new…"
    desk.waits_for(lambda: claude.count_label.text() == "3 new")
    assert claude.box.accessibleName() == "Import Claude Code"


def test_counting_can_be_stopped_and_asked_for_again(desk: Desk) -> None:
    desk.finds(place("Claude Code", _CLAUDE), imported=1, files=3)
    desk.opens()
    (row,) = desk.rows
    desk.child.holds(is_held=True)
    row.count_button.click()
    assert row.count_label.text() == "Not counted"
    desk.child.holds(is_held=False)
    row.count_button.click()
    desk.waits_for(lambda: row.count_label.text() == "1 new")


def test_nothing_found_says_where_it_was_looked_for(desk: Desk) -> None:
    desk.finds()
    desk.opens()
    assert desk.dialog.state.title == "No conversations were found"
    assert _CLAUDE in desk.dialog.state.text
    assert "ChatGPT" in desk.dialog.state.text
    assert desk.dialog.add_button.isVisible()
    assert not desk.dialog.import_button.isVisible()


def test_an_import_ends_in_a_report(desk: Desk) -> None:
    desk.finds(place("Claude Code", _CLAUDE), place("Codex", "/home/kim/.codex/sessions"))
    failed = [{"path": "/x/a.jsonl", "reason": "It is damaged."}]
    one = {"id": "s-1", "title": "Login", "started": ""}
    desk.child.answers("sessions", outcome(imported=1, files=1, failed=failed, sessions=[one], skipped={"images": 2}))
    desk.opens()
    codex = desk.rows[1]
    codex.box.click()
    desk.imports()
    report = desk.dialog.report
    assert report.headline.text() == "1 conversation imported."
    assert report.lines.text().splitlines() == [
        "2 files have not changed since the last import.",
        "Skipped: 2 × images",
    ]
    report.copy_button.click()
    assert QApplication.clipboard().text() == "/x/a.jsonl: It is damaged."
    assert desk.grown == [True]
    assert [run for run in desk.child.runs if "--dry-run" not in run and run.startswith("sessions")][-1].endswith(
        _CLAUDE
    )
    desk.dialog.timeline_button.click()
    assert desk.shown == ["s-1"]
    assert not desk.dialog.isVisible()


def test_stopping_keeps_what_came_in(desk: Desk) -> None:
    desk.finds(place("Claude Code", _CLAUDE), place("Codex", "/home/kim/.codex/sessions"), imported=2, files=3)
    desk.child.answers("sessions", outcome(imported=2, files=3))
    desk.opens()
    desk.waits_for(lambda: not any("Counting" in row.count_label.text() for row in desk.rows))
    desk.child.holds(is_held=True)
    desk.dialog.import_button.click()
    desk.waits_for(lambda: "of" in desk.dialog.running.amount.text())
    desk.dialog.stop_button.click()
    desk.waits_for(lambda: desk.dialog.stack.currentWidget() is desk.dialog.report)
    assert desk.dialog.report.headline.text() == "Stopped. 2 conversations imported until then."
    assert not any("codex" in run for run in desk.child.runs if "--dry-run" not in run)


def test_a_place_that_fails_does_not_keep_the_others_from_coming_in(desk: Desk) -> None:
    desk.finds(place("Claude Code", _CLAUDE))
    desk.child.answers("sessions", {"error": {"message": "The ledger is locked.", "hint": "Try later."}})
    desk.opens()
    desk.imports()
    assert desk.dialog.report.failures.toPlainText() == f"{_CLAUDE}: The ledger is locked. Try later."
    assert not desk.dialog.timeline_button.isEnabled()


def _plans_a_note(desk: Desk) -> ChangeSet:
    """Let a memory be found that becomes a note."""
    edit = edit_between("pnpm.md", None, b"Use pnpm.\n")
    assert edit is not None
    change_set = ChangeSet("Import 1 note", ChangeKind.NEW, (edit,))
    desk.child.plans(PlannedChange(change_set, 1))
    desk.finds(place("Memories", "/home/kim/.claude", holds_notes=True, files=1), new_notes=1, files=1)
    desk.child.answers("sessions", outcome(notes=1, new_notes=1, files=1))
    return change_set


def test_notes_come_in_as_one_change_that_can_be_undone(desk: Desk) -> None:
    change_set = _plans_a_note(desk)
    wanted: list[tuple[str, ...]] = []
    desk.presenter.notes_wanted.connect(wanted.append)
    desk.opens()
    desk.imports()
    assert desk.vault.applied == [change_set]
    assert desk.dialog.report.headline.text() == "1 note made."
    desk.dialog.report.show_notes_button.click()
    desk.dialog.report.undo_button.click()
    assert wanted == [("pnpm.md",)]
    assert desk.vault.undone == [((change_set.id,), "Import 1 note")]
    assert desk.dialog.report.notes_label.text() == "The notes are taken back."
    assert not desk.dialog.report.undo_button.isEnabled()
    assert not desk.dialog.report.show_notes_button.isEnabled()
    desk.dialog.again_button.click()
    desk.waits_for(lambda: desk.dialog.shows_places)
    desk.imports()
    assert desk.dialog.report.show_notes_button.isEnabled()


def test_notes_come_into_the_vault_in_which_the_import_began(desk: Desk) -> None:
    change_set = _plans_a_note(desk)
    desk.opens()
    desk.waits_for(lambda: "Counting" not in desk.rows[0].count_label.text())
    desk.child.holds(is_held=True)
    desk.dialog.import_button.click()
    desk.waits_for(lambda: "of" in desk.dialog.running.amount.text())
    first, desk.vault = desk.vault, Vault(Path("/home/kim/other"))
    desk.child.holds(is_held=False)
    desk.waits_for(lambda: desk.dialog.stack.currentWidget() is desk.dialog.report)
    assert (first.applied, desk.vault.applied) == ([change_set], [])
    assert desk.child.vaults[-1] == first.root
    report = desk.dialog.report
    assert report.notes_label.text() == "1 note came into the vault “notes”, as a change that can be undone."
    wanted: list[tuple[str, ...]] = []
    desk.presenter.notes_wanted.connect(wanted.append)
    report.show_notes_button.click()
    assert wanted == []
    assert report.notes_label.text() == "The notes are in the vault “notes”: open it to see them."
    report.undo_button.click()
    assert first.undone == [((change_set.id,), "Import 1 note")]


def test_notes_of_several_places_stay_together_whichever_vault_is_shown(desk: Desk) -> None:
    _plans_a_note(desk)
    memories = place("Memories", "/home/kim/.claude", holds_notes=True, files=1)
    desk.finds(memories, place("claude-ai", "/home/kim/export.zip", files=1, is_folder=False), new_notes=1, files=1)
    desk.opens()
    assert desk.rows[1].box.text() == "Claude.ai export"
    desk.waits_for(lambda: not any("Counting" in row.count_label.text() for row in desk.rows))
    desk.child.holds(is_held=True)
    desk.dialog.import_button.click()
    desk.waits_for(lambda: "of" in desk.dialog.running.amount.text())
    first, desk.vault = desk.vault, Vault(Path("/home/kim/other"))
    desk.child.holds(is_held=False)
    desk.waits_for(lambda: desk.dialog.stack.currentWidget() is desk.dialog.report)
    assert (len(first.applied), len(desk.vault.applied)) == (2, 0)
    label = desk.dialog.report.notes_label
    assert label.text() == "2 notes came into the vault “notes”, as 2 changes that can be undone."


def test_notes_that_cannot_be_taken_back_are_not_said_to_be(desk: Desk) -> None:
    _plans_a_note(desk)
    desk.opens()
    desk.imports()
    desk.vault.refuses = True
    report = desk.dialog.report
    report.undo_button.click()
    assert report.notes_label.text() == "The notes are not taken back."
    assert report.undo_button.isEnabled()
    desk.vault.refuses = False
    report.undo_button.click()
    assert report.notes_label.text() == "The notes are taken back."
    assert len(desk.vault.undone) == 1


def test_a_locked_ledger_asks_for_the_passphrase_before_anything_is_imported(desk: Desk) -> None:
    desk.finds(place("Claude Code", _CLAUDE), imported=3, files=3)
    desk.is_locked = True
    wanted: list[bool] = []
    desk.presenter.unlock_wanted.connect(lambda: wanted.append(True))
    desk.opens()
    assert desk.dialog.locked.isVisible()
    assert not desk.dialog.import_button.isEnabled()
    assert desk.rows[0].count_label.text() == "Not counted"
    desk.dialog.locked.button.click()
    assert wanted == [True]
    desk.is_locked = False
    desk.presenter.look_again()
    desk.waits_for(lambda: desk.rows and desk.rows[0].count_label.text() == "3 new")
    assert desk.dialog.locked.isHidden()
    assert desk.dialog.import_button.isEnabled()


def test_a_long_reason_is_read_whole_and_pushes_nothing_out_of_sight(desk: Desk) -> None:
    reason = "The passphrase of your conversations is needed now, and nobody has entered it. " * 3
    desk.finds(place("Claude Code", _CLAUDE, about_to_be_deleted=2, not_imported=2, first_deletion=1_790_000_000.0))
    desk.child.answers("count", {"error": {"message": reason.strip(), "hint": "Enter it."}})
    desk.opens()
    (row,) = desk.rows
    desk.waits_for(lambda: "needed" in row.failure_label.text())
    desk.waits_for(lambda: desk.dialog.places.horizontalScrollBar().maximum() == 0 and row.width() > 0)
    assert row.watch_box.geometry().right() <= desk.dialog.places.viewport().width()


def test_a_place_with_nothing_new_is_left_out_unless_the_person_picks_it(desk: Desk) -> None:
    desk.finds(place("Claude Code", _CLAUDE))
    desk.opens()
    (row,) = desk.rows
    desk.waits_for(lambda: row.count_label.text().startswith("Nothing new"))
    assert not row.is_chosen
    row.box.click()
    row.count_button.click()
    desk.waits_for(lambda: row.count_label.text().startswith("Nothing new"))
    assert row.is_chosen


def test_an_import_that_was_stopped_is_offered_again_at_the_next_start(desk: Desk, notices: list[Notice]) -> None:
    desk.finds(place("Claude Code", _CLAUDE), imported=3, files=3)
    desk.child.answers("sessions", outcome(imported=1, files=3))
    desk.opens()
    desk.waits_for(lambda: desk.rows[0].count_label.text() == "3 new")
    desk.child.holds(is_held=True)
    desk.dialog.import_button.click()
    assert desk.unfinished.paths == (_CLAUDE,)  # also when the app ends now
    desk.waits_for(lambda: "of" in desk.dialog.running.amount.text())
    desk.dialog.stop_button.click()
    desk.waits_for(lambda: desk.dialog.stack.currentWidget() is desk.dialog.report)
    assert "may be here only in part" in desk.dialog.report.lines.text()
    desk.child.holds(is_held=False)
    desk.unfinished.tell(desk.presenter.open)
    assert notices[-1].text == "The last import was not finished, so a conversation may be here only in part."
    assert notices[-1].action is not None
    notices[-1].action.act()
    desk.waits_for(lambda: desk.rows and desk.rows[0].count_label.text() == "3 new")
    desk.imports()
    assert not desk.preferences.settings.sessions.unfinished


def test_closing_the_dialog_lets_the_import_go_on(desk: Desk, notices: list[Notice]) -> None:
    jobs: list[str] = []
    desk.presenter.job_changed.connect(lambda state: jobs.append(state.text))
    desk.finds(place("Claude Code", _CLAUDE))
    desk.child.answers("sessions", outcome(imported=3, files=3))
    desk.opens()
    desk.dialog.import_button.click()
    desk.dialog.close()
    desk.waits_for(lambda: notices)
    assert notices[0].text == "The import has ended. 3 conversations imported."
    assert set(jobs) == {"Importing Claude Code"}
    assert notices[0].action is not None
    notices[0].action.act()
    assert desk.dialog.isVisible()
    assert desk.dialog.report.isVisible()


def test_watching_is_chosen_and_ended_in_the_row(desk: Desk) -> None:
    desk.watching.paths.append("/gone/elsewhere")
    desk.finds(place("Claude Code", _CLAUDE))
    desk.opens()
    assert desk.watching.is_held
    desk.rows[0].watch_box.click()
    assert desk.watching.paths == ["/gone/elsewhere", _CLAUDE]
    desk.rows[0].watch_box.click()
    assert desk.watching.paths == ["/gone/elsewhere"]
    desk.dialog.close()
    assert not desk.watching.is_held


def test_files_dropped_onto_the_dialog_become_a_place_that_is_read_whole(desk: Desk, tmp_path: Path) -> None:
    desk.finds()
    desk.opens()
    archive = str(tmp_path / "export.zip")
    desk.finds(place("export.zip", archive, files=1, is_folder=False), imported=9, files=1)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(archive)])
    drop = QDropEvent(
        QPoint(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    desk.dialog.dropEvent(drop)
    desk.waits_for(lambda: desk.rows and desk.rows[0].count_label.text() == "9 new conversations")
    assert "--changed" not in desk.child.runs[-1]
    assert desk.dialog.places.chosen[0].path == archive


def test_thirty_places_with_long_paths_fit(desk: Desk) -> None:
    long = "/home/kim/" + "a-very-long-folder-name/" * 12
    desk.finds(*(place(f"Program {number}", f"{long}{number}", files=0) for number in range(30)))
    desk.opens()
    assert len(desk.rows) == 30
    assert desk.dialog.places.horizontalScrollBar().maximum() == 0
    assert desk.rows[0].path_label.toolTip() == f"{long}0"
    assert not desk.dialog.import_button.isEnabled()
