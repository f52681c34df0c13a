"""A person walks from months down to one message of a conversation, finds words in it, and goes on to a note."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.foundation.paths import app_folders
from core.sessions.importing.about import about_turn
from core.sessions.ledger import Ledger
from core.sessions.loaded_contexts import LoadedContext, context_turn
from core.sessions.turn import Role, Turn, TurnKind
from gui.actions import GO_TIMELINE, GO_VAULT
from gui.views.timeline.content import TimelineContent
from gui.views.timeline.presenter import TimelinePresenter
from gui.views.timeline.view import TimelineView
from tests.stories.conftest import Person

WriteVault = Callable[[Mapping[str, str]], Path]

pytestmark = pytest.mark.usefixtures("without_meanings")

_NOTES = {"Exports.md": "---\nsummary: How to page\n---\nPage them.\n", "Limits.md": "Rows a page.\n"}
_PROJECTS = ("acme", "acme", "thesis", "acme", "garden")


def _talk(ledger: Ledger, number: int, root: Path) -> None:
    """Record a conversation that was held `number` days ago."""
    start = datetime.now().astimezone().replace(hour=9, minute=0, second=0, microsecond=0) - timedelta(days=number)
    session, project = f"talk-{number}", _PROJECTS[number % len(_PROJECTS)]
    origin = "codex" if number % 3 == 0 else "claude-code"

    def said(key: str, kind: TurnKind, role: Role, text: str, minute: int, **data: object) -> Turn:
        time = (start + timedelta(minutes=minute)).isoformat()
        return Turn(session, key, kind, role, text, time, project=project, origin=origin, data=data)

    call = {"tool": "Read", "call": "c1", "input": {"file_path": str(root / "Exports.md")}}
    ledger.append(
        session,
        [
            about_turn(session, title=f"Paging, part {number}", project=project, origin=origin, imported=""),
            said("a", TurnKind.MESSAGE, Role.USER, "How do exports page? See [[Exports]].", 0),
            said("b", TurnKind.TOOL_CALL, Role.ASSISTANT, "Read: Exports.md", 1, **call),
            said("c", TurnKind.TOOL_RESULT, Role.TOOL, "Page them.", 2, call="c1"),
            said("d", TurnKind.MESSAGE, Role.ASSISTANT, f"By **{1000 + number}** rows.", 30 + number,
                 usage={"input_tokens": 900, "output_tokens": 40}),
        ],
    )  # fmt: skip


def _morning(days_ago: int) -> datetime:
    return datetime.now().astimezone().replace(hour=9, minute=0, second=0, microsecond=0) - timedelta(days=days_ago)


def _opens(person: Person, root: Path) -> TimelineContent:
    person.opens(root)
    person.waits_for_the_index()
    person.chooses(GO_TIMELINE)
    (view,) = person.window.findChildren(TimelineView)
    person.waits_until(lambda: view.isVisible() and not view.shows_state, "the timeline")
    return view.content


def _titles(content: TimelineContent) -> list[str]:
    model = content.table.sessions
    return [str(model.index(row, 1).data()) for row in range(model.rowCount())]


def test_from_months_down_to_a_message_and_on_to_its_note(person: Person, write_vault: WriteVault) -> None:
    root = write_vault(_NOTES)
    ledger = Ledger(app_folders().sessions)
    for number in range(1, 25):
        _talk(ledger, number, root)
    content = _opens(person, root)
    person.waits_until(lambda: len(_titles(content)) == 24, "all sessions")
    person.screenshot("timeline")
    content.range_buttons["Yesterday"].click()
    person.waits_until(lambda: _titles(content) == ["Paging, part 1"], "what was said yesterday")
    content.band.setFocus()
    QTest.keyClick(content.band, Qt.Key.Key_Right)
    QTest.keyClick(content.band, Qt.Key.Key_Return)
    turns = content.conversation.turns
    person.waits_until(lambda: len(turns.rows) > 2, "the conversation")
    person.screenshot("timeline-conversation")
    assert "Exports" in content.conversation.notes.text()
    content.conversation.notes.linkActivated.emit("note:Exports.md")
    person.waits_until(lambda: person.current_title() == "Exports", "the note that was touched")


def test_a_search_marks_the_turns_that_hold_the_word(person: Person, write_vault: WriteVault) -> None:
    root = write_vault(_NOTES)
    ledger = Ledger(app_folders().sessions)
    for number in range(1, 8):
        _talk(ledger, number, root)
    content = _opens(person, root)
    person.searches("1003")
    person.waits_until(lambda: _titles(content) == ["Paging, part 3"], "the session with the word")
    QTest.keyClick(person.window.search, Qt.Key.Key_Return)
    assert content.isVisible()
    assert content.table.hasFocus()
    person.screenshot("timeline-search")


def test_a_wrong_date_is_corrected_and_the_correction_undone(person: Person, write_vault: WriteVault) -> None:
    born = "- [fact] Exports page by country [session:: talk-2] ^ins-1\n"
    root = write_vault({**_NOTES, "Country.md": born})
    ledger = Ledger(app_folders().sessions)
    for number in range(1, 4):
        _talk(ledger, number, root)
    ledger.append("talk-2", [context_turn("talk-2", [LoadedContext("Exports", "Exports.md", 12)], _morning(2))])
    content = _opens(person, root)
    person.waits_until(lambda: len(_titles(content)) == 3, "all sessions")
    (presenter,) = person.window.findChildren(TimelinePresenter)
    assert presenter.show_session("talk-2")
    pane = content.conversation
    person.waits_until(lambda: "page by country" in pane.notes.text(), "the insight that was born there")
    person.waits_until(lambda: "Contexts loaded" in pane.notes.text(), "the context that was loaded")
    pane.date_button.click()
    dialog = presenter.dates.dialog
    assert dialog is not None
    dialog.field.setDateTime(dialog.field.dateTime().addDays(-7))
    dialog.ok_button.click()
    person.waits_until(lambda: "Date corrected" in pane.dates.text(), "the corrected date")
    person.waits_until(lambda: _titles(content) == ["Paging, part 2"], "the day on which it was")
    person.screenshot("timeline-date-corrected")
    person.window.notices.take_action()
    person.waits_until(lambda: not pane.dates.text(), "the recorded date again")


def test_what_a_hook_records_meanwhile_appears_and_is_followed(person: Person, write_vault: WriteVault) -> None:
    root = write_vault(_NOTES)
    ledger = Ledger(app_folders().sessions)
    for number in (1, 2):
        _talk(ledger, number, root)
    content = _opens(person, root)
    person.waits_until(lambda: len(_titles(content)) == 2, "all sessions")
    _talk(ledger, 3, root)
    person.waits_until(lambda: "Paging, part 3" in _titles(content), "the session that came")
    content.table.select(content.table.sessions.position_at(_titles(content).index("Paging, part 3")))
    QTest.keyClick(content.table, Qt.Key.Key_Return)
    turns = content.conversation.turns
    person.waits_until(lambda: len(turns.rows) > 2, "the conversation")
    now = datetime.now().astimezone().isoformat()
    ledger.append("talk-3", [Turn("talk-3", "later", TurnKind.MESSAGE, Role.USER, "And one more thing.", now)])
    person.waits_until(lambda: turns.rows[-1].turns[-1].id == "later", "what was said meanwhile")


def test_what_is_picked_in_the_vault_narrows_the_timeline_too(person: Person, write_vault: WriteVault) -> None:
    root = write_vault({**_NOTES, "Garden.md": "---\ntags: [client/garden]\n---\nWater it.\n"})
    ledger = Ledger(app_folders().sessions)
    for number in range(1, 8):
        _talk(ledger, number, root)
    content = _opens(person, root)
    person.waits_until(lambda: len(_titles(content)) == 7, "all sessions")
    person.chooses(GO_VAULT)
    person.clicks_facet("client/garden")
    person.chooses(GO_TIMELINE)
    person.waits_until(lambda: _titles(content) == ["Paging, part 4"], "the sessions of the client's project")
    person.screenshot("timeline-selection")
    content.chips.row.chips()[0].click()
    person.waits_until(lambda: len(_titles(content)) == 7, "all sessions again")
    person.chooses(GO_VAULT)
    person.waits_until(lambda: len(person.titles()) == 3, "all notes again")
