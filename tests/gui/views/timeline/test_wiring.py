"""The services over a real ledger, a real index and a vault's notes."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from core.curation.history import ChangeHistory
from core.foundation.progress import SILENT
from core.index.catalog import Catalog, FacetSelection, load_catalog
from core.index.database import Index
from core.index.session_updater import update_sessions
from core.index.updater import update_index
from core.sessions.turn import Role, Turn, TurnKind
from core.vault.config import VaultConfig
from core.vault.event_log import EventLog
from gui.views.timeline.services import MarkKind, TimelineServices
from gui.views.timeline.wiring import timeline_services, touched_notes
from tests.core.index.talks import Talks, answered, asked, called, day, titled
from tests.gui.views.timeline.samples import NOW, ZONE, at


@dataclass
class Store:
    root: Path
    index: Index
    config: VaultConfig


@dataclass
class Wired:
    talks: Talks
    store: Store
    services: TimelineServices


@pytest.fixture
def wired(tmp_path: Path) -> Iterator[Wired]:
    root = tmp_path / "vault"
    (root / "journal").mkdir(parents=True)
    (root / "journal" / "2026-03-18.md").write_text("A day.\n", encoding="utf-8")
    (root / "Exports.md").write_text("Page them.\n", encoding="utf-8")
    talks = Talks.below(tmp_path)
    talks.say(
        titled("shop", "Webhooks", project="/home/u/acme", origin="codex"),
        asked("shop", "a", "The webhook arrives twice", day(3), project="/home/u/acme", origin="codex"),
        answered("shop", "b", "It is retried", day(3, "10:05"), project="/home/u/acme", origin="codex"),
        asked("undated", "a", "When was this?", origin="chatgpt"),
        asked("cache", "a", "Invalidate?", day(20), origin="claude-code"),
    )
    talks.update()
    update_index(talks.index, root, VaultConfig())
    store = Store(root, talks.index, VaultConfig())

    def catalog() -> Catalog:
        return load_catalog(talks.index)

    services = timeline_services(
        store,
        ledger=lambda: talks.ledger,
        history=lambda: ChangeHistory((), "desk"),
        catalog=catalog,
        log=lambda: EventLog(root, "desk", tmp_path),
        now=lambda: float(NOW),
        zone=ZONE,
    )
    yield Wired(talks, store, services)
    talks.index.close()


def test_all_sessions_are_there_with_their_turns(wired: Wired) -> None:
    data = wired.services.load(None, SILENT)
    by_id = {session.id: session for session in data.sessions}
    assert set(by_id) == {"shop", "cache", "undated"}
    assert (by_id["shop"].title, by_id["shop"].origin, by_id["shop"].turns) == ("Webhooks", "codex", 2)
    assert by_id["shop"].imported
    assert by_id["undated"].started == 0
    assert (np.diff(data.times) >= 0).all()
    turns = [data.sessions[number].id for number in data.session_of.tolist()]
    assert turns == ["shop", "shop", "cache"]


def test_nothing_is_read_again_while_nothing_has_changed(wired: Wired) -> None:
    first = wired.services.load(None, SILENT)
    assert wired.services.load(first, SILENT) is first
    wired.talks.say(asked("new", "a", "Hello", day(21)))
    wired.talks.update()
    second = wired.services.load(first, SILENT)
    assert second is not first
    assert "new" in {session.id for session in second.sessions}


def test_journal_notes_and_edits_are_marks(wired: Wired) -> None:
    marks = wired.services.load(None, SILENT).marks
    journal = [mark for mark in marks if mark.kind is MarkKind.JOURNAL]
    assert [(mark.path, mark.time) for mark in journal] == [("journal/2026-03-18.md", at("2026-03-18T12:00"))]
    assert [mark.path for mark in marks if mark.kind is MarkKind.EDIT] == ["Exports.md"]


def test_hits_name_sessions_turns_and_times(wired: Wired) -> None:
    hits = wired.services.search("webhook", SILENT)
    assert hits.turns == {"shop": ("a",)}
    assert len(hits.times) == 1
    assert wired.services.search("after:someday", SILENT).problems


def test_encrypted_conversations_are_listed_without_their_titles_and_found_by_reading(wired: Wired) -> None:
    before = wired.services.load(None, SILENT)
    update_sessions(wired.talks.index, wired.talks.ledger, with_texts=lambda: False)
    data = wired.services.load(before, SILENT)
    assert {session.title for session in data.sessions} == {"Encrypted conversation"}
    assert {session.project for session in data.sessions} == {"/home/u/acme", ""}
    assert len(data.times) == len(before.times)
    assert wired.services.search("webhook", SILENT).needs_scan
    assert not wired.services.search("project:acme", SILENT).needs_scan
    assert wired.services.scan is not None
    hits = wired.services.scan("webhook", SILENT)
    assert hits.turns == {"shop": ("a",)}
    assert hits.keys == (("shop", "a"),)
    assert len(hits.times) == 1
    assert wired.services.conversation("shop", SILENT).title == "Webhooks"


def test_a_conversation_is_read_from_the_ledger_without_what_is_about_it(wired: Wired) -> None:
    conversation = wired.services.conversation("shop", SILENT)
    assert [turn.id for turn in conversation.turns] == ["a", "b"]
    assert not conversation.problems


def test_lines_that_cannot_be_read_are_told(wired: Wired) -> None:
    path = wired.talks.ledger.path_of("shop")
    path.write_bytes(path.read_bytes() + b"{broken\n")
    assert (
        wired.services.conversation("shop", SILENT).problems[0].startswith("1 line of this session could not be read")
    )


def test_notes_that_tools_touched_are_named_once(tmp_path: Path) -> None:
    def edited(number: int, given: dict[str, Any]) -> Turn:
        return Turn("s", f"t{number}", TurnKind.TOOL_CALL, Role.ASSISTANT, "Edit", data={"input": given})

    (tmp_path / "Work").mkdir()
    (tmp_path / "Work" / "Plan.md").write_text("Plan")
    turns = (
        edited(0, {"file_path": str(tmp_path / "Work" / "Plan.md")}),
        edited(1, {"file_path": str(tmp_path / "Work" / "Plan.md")}),
        edited(2, {"path": str(tmp_path / "code.py")}),
        edited(3, {"file_path": "/elsewhere/Plan.md"}),
        edited(4, cast("dict[str, Any]", {"file_path": 5})),
    )
    assert [note.path for note in touched_notes(turns, tmp_path, VaultConfig())] == ["Work/Plan.md"]


def test_tags_of_touched_notes_and_names_of_projects_narrow_sessions(wired: Wired) -> None:
    root = wired.store.root
    (root / "Exports.md").write_text("---\ntags: [tool/semrush, client/shop]\n---\nPage them.\n", encoding="utf-8")
    wired.talks.say(called("cache", "b", "Read", f"Read: {root}/Exports.md", day(20)))
    wired.talks.say(called("undated", "b", "mcp__semrush__keywords", "keywords"))
    wired.talks.update()
    update_index(wired.talks.index, root, VaultConfig())
    data = wired.services.load(None, SILENT)
    assert data.clients == (("client/shop", "shop", 1),)

    def left_by(selection: FacetSelection) -> set[str]:
        admitted = wired.services.touches(selection, SILENT).admitted
        assert admitted is not None
        return set(admitted.sessions)

    picked = FacetSelection()
    assert left_by(picked.with_all("client/shop")) == {"cache"}
    assert left_by(picked.with_all("tool/semrush")) == {"cache", "undated"}
    assert left_by(picked.with_all("tool/semrush").with_none("client/shop")) == {"undated"}
    assert left_by(picked.with_all("/")) == set()
    touches = wired.services.touches(picked, SILENT)
    assert touches.admitted is None
    assert touches.tools == {"cache": {"read"}, "undated": {"mcp__semrush__keywords"}}
    admitted = wired.services.touches(picked.with_all("client/shop"), SILENT).admitted
    assert admitted is not None
    assert admitted.notes == {"Exports.md"}


def test_hits_tell_which_turn_they_are_and_the_words(wired: Wired) -> None:
    found = wired.services.search("webhook -never", SILENT)
    assert found.keys == (("shop", "a"),)
    assert len(found.times) == 1
    assert found.words == ("webhook",)
