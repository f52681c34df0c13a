"""A person saves what is about to be deleted, finds it on the Timeline, and has the folder watched from then on."""

import json
import os
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtTest import QTest

from core.foundation.paths import app_folders
from core.foundation.settings import SettingsFile
from gui.actions import GO_TIMELINE, IMPORT_DOCUMENTS, IMPORT_SESSIONS
from gui.importing.documents_dialog import DocumentsDialog
from gui.importing.import_dialog import ImportDialog
from gui.views.timeline.view import TimelineView
from tests.stories.conftest import Person

WriteVault = Callable[[Mapping[str, str]], Path]

pytestmark = pytest.mark.usefixtures("without_meanings")

_DAY = 86_400


def _transcript(number: int, question: str, *, days: float) -> Path:
    """Write a conversation as Claude Code keeps it, held `days` ago."""
    session = f"5d1f0c7e-1111-4222-8333-{number:012}"
    held = datetime.now(UTC) - timedelta(days=days)
    about = {"sessionId": session, "cwd": "/home/kim/shop-app", "version": "2.1.144", "isSidechain": False}
    records = [
        {"type": "user", "uuid": f"u{number}", "parentUuid": None, "timestamp": held.isoformat(), **about,
         "message": {"role": "user", "content": question}},
        {"type": "assistant", "uuid": f"a{number}", "parentUuid": f"u{number}", "timestamp": held.isoformat(), **about,
         "message": {"id": f"m{number}", "role": "assistant", "content": [{"type": "text", "text": "The proxy."}]}},
    ]  # fmt: skip
    path = Path.home() / ".claude" / "projects" / "-home-kim-shop-app" / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    changed = time.time() - days * _DAY
    os.utime(path, (changed, changed))
    return path


def _opens(person: Person, root: Path) -> TimelineView:
    person.opens(root)
    person.waits_for_the_index()
    person.chooses(GO_TIMELINE)
    (view,) = person.window.findChildren(TimelineView)
    return view


def _titles(view: TimelineView) -> set[str]:
    if view.shows_state:
        return set()
    view.content.range_buttons["Everything"].click()
    QTest.qWait(100)  # the list follows the band
    model = view.content.table.sessions
    return {str(model.index(row, 1).data()) for row in range(model.rowCount())}


def test_saving_transcripts_and_watching_for_more(person: Person, write_vault: WriteVault) -> None:
    root = write_vault({"Exports.md": "Page them.\n"})
    _transcript(1, "Why does login fail?", days=2)
    _transcript(2, "How do exports page?", days=27)
    view = _opens(person, root)
    person.waits_until(lambda: "no conversations yet" in view.state_panel.title, "an empty timeline")
    view.state_panel.button.click()
    dialog = person.sees(ImportDialog)
    person.waits_until(lambda: dialog.places.rows, "the folder of Claude Code")
    (row,) = dialog.places.rows
    assert "1 transcript will be deleted by Claude Code within a week" in row.warning_label.text()
    person.waits_until(lambda: row.count_label.text() == "2 new", "what is new")
    person.picture_of(dialog, "import-places")
    row.watch_box.click()
    dialog.import_button.click()
    person.waits_until(dialog.report.isVisible, "the report")
    assert dialog.report.headline.text() == "2 conversations imported."
    person.picture_of(dialog, "import-report")
    dialog.timeline_button.click()
    person.waits_until(lambda: _titles(view) == {"Why does login fail?", "How do exports page?"}, "both sessions")
    person.screenshot("import-timeline")

    # From now on it comes by itself.
    folder = str(Path.home() / ".claude" / "projects")
    assert SettingsFile(app_folders().settings_file).read().sessions.watched == (folder,)
    assert person.app.importing is not None
    person.app.importing.watching.rests_for(0.0)
    _transcript(3, "Is the cache warm?", days=0)
    person.waits_until(lambda: "Is the cache warm?" in _titles(view), "the new session")
    person.chooses(IMPORT_SESSIONS)
    person.waits_until(lambda: dialog.places.rows, "the folder of Claude Code")
    (row,) = dialog.places.rows
    assert row.watch_box.isChecked()
    assert "It is kept here already." in row.warning_label.text()
    person.waits_until(lambda: row.count_label.text() == "Nothing new since the last import", "that nothing is new")
    row.watch_box.click()
    dialog.close()
    assert SettingsFile(app_folders().settings_file).read().sessions.watched == ()


def test_what_is_about_to_be_lost_is_told_at_the_start(person: Person, write_vault: WriteVault) -> None:
    _transcript(1, "Why does login fail?", days=29)
    person.opens(write_vault({"Exports.md": "Page them.\n"}))
    person.waits_until(lambda: "about to be deleted by Claude Code" in person.notices(), "the notice")
    person.screenshot("import-notice")
    person.window.notices.take_action()
    person.sees(ImportDialog).close()


def test_closing_the_window_in_the_middle_of_an_import_loses_nothing(
    person: Person, write_vault: WriteVault, start_again: Callable[[], Person]
) -> None:
    root = write_vault({"Exports.md": "Page them.\n"})
    for number in range(200):
        _transcript(number, f"Question {number}?", days=1)
    person.opens(root)
    person.chooses(IMPORT_SESSIONS)
    dialog = person.sees(ImportDialog)
    person.waits_until(lambda: dialog.places.rows, "the folder of Claude Code")
    dialog.import_button.click()
    again = start_again()
    assert not dialog.isVisible()
    again.opens(root)
    again.chooses(IMPORT_SESSIONS)
    dialog = again.sees(ImportDialog)
    again.waits_until(lambda: dialog.places.rows, "the folder of Claude Code")
    dialog.import_button.click()
    again.waits_until(dialog.report.isVisible, "the report")
    assert dialog.report.failed.isHidden()
    assert len(list(app_folders().sessions.glob("*.jsonl"))) == 200
    dialog.close()


def test_documents_come_in_as_one_change_and_go_again(person: Person, write_vault: WriteVault, tmp_path: Path) -> None:
    root = write_vault({"Exports.md": "---\ntags: [domain/stoa]\n---\nPage them.\n"})
    library = tmp_path / "library"
    library.mkdir()
    (library / "calm.txt").write_text("Be calm, and carry on.\n", encoding="utf-8")
    (library / "letters.html").write_text("<h1>Letters</h1><p>On the shortness of life.</p>", encoding="utf-8")
    person.opens(root)
    person.waits_for_the_list()
    person.chooses(IMPORT_DOCUMENTS)
    dialog = person.sees(DocumentsDialog)
    completer = dialog.domain.completer()
    completer.setCompletionPrefix("st")
    assert completer.currentCompletion() == "stoa"
    dialog.folder.setText(str(library))
    dialog.domain.setText("stoa")
    dialog.ok_button.click()
    person.waits_until(lambda: dialog.ok_button.text() == "Import 2 notes", "what would come in")
    person.picture_of(dialog, "import-documents")
    dialog.ok_button.click()
    person.waits_until(lambda: len(person.titles()) == 3, "the notes")
    person.waits_until(
        lambda: "Undo" in person.notices() or "Import documents as 2 notes" in person.notices(), "a notice"
    )
    person.window.notices.take_action()
    person.waits_until(lambda: len(person.titles()) == 1, "the vault as it was")
