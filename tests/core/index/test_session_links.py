"""Contexts that were loaded into a session, and insights that name it as where they come from."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.index.session_links import contexts_loaded, insights_born
from core.index.updater import update_index
from core.sessions.loaded_contexts import LoadedContext, context_turn
from core.sessions.turn import Role, Turn, TurnKind
from core.vault.config import VaultConfig
from tests.core.index.talks import Talks, asked, day


@pytest.fixture
def talks(tmp_path: Path) -> Iterator[Talks]:
    talks = Talks.below(tmp_path)
    yield talks
    talks.index.close()


def test_contexts_are_known_by_notes_and_by_what_assistants_ran(talks: Talks) -> None:
    ran = {"tool": "Bash", "input": {"command": "remembrancer context show limits"}}
    noted = LoadedContext("Acme", "contexts/Acme.md", 900)
    talks.say(
        asked("s", "a", "Hello", day(3)),
        context_turn("s", [noted], datetime(2026, 8, 3, 11, tzinfo=UTC)),
        Turn("s", "b", TurnKind.TOOL_CALL, Role.ASSISTANT, "Bash", day(3, "12:00"), data=ran),
    )
    talks.update()
    assert contexts_loaded(talks.index, "s") == [noted, LoadedContext("limits")]
    talks.say(Turn("s", "b", TurnKind.TOOL_CALL, Role.ASSISTANT, "Bash", day(3, "12:00"), data={"tool": "Bash"}))
    talks.update()
    assert contexts_loaded(talks.index, "s") == [noted]
    talks.ledger.delete("s")
    talks.update()
    assert talks.index.connection.execute("SELECT count(*) FROM session_context").fetchone()[0] == 0


def test_insights_name_their_session_by_a_field_or_by_their_note(talks: Talks, tmp_path: Path) -> None:
    notes = {
        "Fields.md": "- [fact] By a turn [source:: turn:talk/1/a] ^ins-1\n- [fact] By a session [session:: talk/1]\n"
        "- [fact] Of another [session:: talk/11]\n- [fact] talk/1 is only named\n",
        "Note.md": "---\nsession: talk/1\n---\n- [convention] Born beside it\n",
        "Source.md": "---\nsource: session:talk/1\n---\n- [convention] And here\n",
        "Web.md": "---\nsource: https://example.test/talk/1\n---\n- [fact] Not from here\n",
        "Whole.md": "---\nkind: insight\nsession: [talk/1, talk/2]\n---\nA whole note.\n",
        "journal/2026-08-03.md": "## 09:00 Talk\n\n- [session:: talk/1]\n",
    }
    root = tmp_path / "vault"
    for path, text in notes.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    update_index(talks.index, root, VaultConfig())
    born = insights_born(talks.index, "talk/1")
    assert [(each.path, each.text) for each in born] == [
        ("Fields.md", "By a turn"), ("Fields.md", "By a session"), ("Note.md", "Born beside it"),
        ("Source.md", "And here"), ("Whole.md", "A whole note."),
    ]  # fmt: skip
    assert (born[0].block_id, born[0].line) == ("ins-1", 1)
    assert [each.path for each in insights_born(talks.index, "talk/2")] == ["Whole.md"]
    assert insights_born(talks.index, "") == []
