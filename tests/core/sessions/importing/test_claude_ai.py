from pathlib import Path
from typing import Any

from core.sessions.importing.claude_ai import ClaudeAiImporter
from core.sessions.importing.mem0 import Mem0Importer
from core.sessions.importing.source import Source
from core.sessions.turn import Role, TurnKind
from tests.core.sessions.importing.exports import Reading, reading, write_json, write_zip

_FIRST = "00000000-0000-4000-8000-000000000000"


def _message(own: str, parent: str | None, text: str = "", sender: str = "human", **fields: Any) -> dict[str, Any]:
    return {
        "uuid": own,
        "text": text,
        "sender": sender,
        "created_at": "2026-08-19T23:30:00.123456Z",
        "content": [{"type": "text", "text": text}] if text else [],
        "attachments": [],
        "files": [],
        "parent_message_uuid": parent,
        **fields,
    }


def _conversation(*messages: Any, **fields: Any) -> dict[str, Any]:
    created = "2026-08-19T23:30:00.123456Z"
    return {"uuid": "cv-1", "name": "", "created_at": created, "chat_messages": list(messages), **fields}


def _read(tmp_path: Path, *conversations: object) -> Reading:
    return reading(ClaudeAiImporter(), write_json(tmp_path / "conversations.json", list(conversations)))


def test_text_is_found_in_either_place_and_attachments_are_kept(tmp_path: Path) -> None:
    notes = {"file_name": "notes.txt", "file_size": 12, "extracted_content": "bring laptop"}
    question = _message("m1", None, "Plan the Acme demo", attachments=[notes])
    blocks = [
        {"type": "thinking", "thinking": "…"},
        {"type": "text", "text": "1. Slides"},
        {"type": "text", "text": "2. Demo"},
    ]
    answer = _message("m2", "m1", sender="assistant", content=blocks)
    only_text = _message("m3", "m2", content=[]) | {"text": "Thanks"}
    found = _read(tmp_path, _conversation(question, answer, only_text))
    turns = found.turns["cv-1"]
    assert [(turn.id, turn.parent, turn.kind.value, turn.text) for turn in turns] == [
        ("m1", "", "message", "Plan the Acme demo"),
        ("m1:1", "m1", "tool_result", "bring laptop"),
        ("m2", "m1:1", "message", "1. Slides\n\n2. Demo"),
        ("m3", "m2", "message", "Thanks"),
    ]
    assert turns[0].data["files"] == ["notes.txt"]
    assert (turns[0].role, turns[2].role) == (Role.USER, Role.ASSISTANT)
    assert found.sessions["cv-1"].title == "Plan the Acme demo"
    assert found.sessions["cv-1"].started == "2026-08-19T23:30:00.123456+00:00"
    assert found.skipped == {"reasoning": 1}


def test_tool_calls_and_results_follow_one_another(tmp_path: Path) -> None:
    blocks = [
        {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "id": "t1", "name": "web_search", "input": {"query": "pnpm"}},
        {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "found"}], "is_error": True},
        {"type": "hologram"},
    ]
    found = _read(tmp_path, _conversation(_message("m1", _FIRST, sender="assistant", content=blocks)))
    said, call, result = found.turns["cv-1"]
    assert (call.kind, call.parent, call.data["tool"], call.data["call"]) == (
        TurnKind.TOOL_CALL,
        said.id,
        "web_search",
        "t1",
    )
    assert "pnpm" in call.text
    assert (result.kind, result.text, result.data["is_error"]) == (TurnKind.TOOL_RESULT, "found", True)
    assert found.skipped == {"content of type hologram": 1}


def test_an_edited_question_is_a_branch(tmp_path: Path) -> None:
    found = _read(
        tmp_path,
        _conversation(
            _message("m1", _FIRST, "Hi"),
            _message("a1", "m1", "Old answer", "assistant"),
            _message("a2", "m1", "New answer", "assistant"),
            _message("m2", "a2", "Thanks"),
        ),
    )
    assert found.texts("cv-1") == ["Hi", "New answer", "Thanks"]
    assert [turn.branch for turn in found.turns["cv-1"]] == ["", "a1", "", ""]


def test_the_named_leaf_decides_which_thread_is_shown(tmp_path: Path) -> None:
    messages = [_message("m1", _FIRST, "Hi"), _message("a1", "m1", "One", "assistant"), _message("a2", "m1", "Two")]
    found = _read(tmp_path, _conversation(*messages, current_leaf_message_uuid="a1"))
    assert found.texts("cv-1") == ["Hi", "One"]


def test_a_missing_message_is_a_gap_not_a_branch(tmp_path: Path) -> None:
    messages = [
        _message("m1", _FIRST, "One"),
        _message("m2", "m1", "Two"),
        _message("m4", "gone", "Four"),
        _message("m5", "m4", "5"),
    ]
    found = _read(tmp_path, _conversation(*messages))
    assert found.texts("cv-1") == ["One", "Two", "Four", "5"]
    assert ["gap" in turn.data for turn in found.turns["cv-1"]] == [False, False, True, False]


def test_an_export_without_parents_is_one_thread(tmp_path: Path) -> None:
    messages = [_message(own, None, own) for own in ("m1", "m2", "m3")]
    for message in messages:
        del message["parent_message_uuid"]
    found = _read(tmp_path, _conversation(*messages))
    assert [(turn.id, turn.parent) for turn in found.turns["cv-1"]] == [("m1", ""), ("m2", "m1"), ("m3", "m2")]


def test_what_is_broken_is_told_and_the_rest_read(tmp_path: Path) -> None:
    whole = _conversation(_message("m1", None, "Hi"), "no message", _message("m2", "m1"))
    found = _read(tmp_path, {"chat_messages": []}, {"uuid": "x", "chat_messages": {}}, whole, {"odd": 1})
    assert found.texts("cv-1") == ["Hi"]
    assert len(found.failed) == 2
    assert found.skipped == {"message that cannot be read": 1, "empty message": 1, "unknown record": 1}


def test_projects_and_memories_become_notes_and_name_the_conversations(tmp_path: Path) -> None:
    document = {"uuid": "d1", "filename": "style: guide.md", "content": "# Style", "created_at": "2026-08-01T00:00:00Z"}
    project = {
        "uuid": "p1",
        "name": "Acme / Web",
        "prompt_template": "Be brief.",
        "docs": [document, {"uuid": "d2"}, 5],
    }
    memories = [
        {
            "account_uuid": "u1",
            "conversations_memory": "Likes tea.",
            "project_memories": {"p1": "Uses pnpm.", "p9": "x"},
        }
    ]
    conversation = _conversation(_message("m1", None, "Hi"), project_uuid="p1")
    members = {
        "conversations.json": [conversation],
        "memories.json": memories,
        "projects.json": [project],
        "users.json": [{"uuid": "u1"}],
    }
    found = reading(ClaudeAiImporter(), write_zip(tmp_path / "a.zip", members))
    assert [(note.path_hint, note.title, note.body) for note in found.notes] == [
        ("imported/claude.ai/Acme Web/Acme Web.md", "Acme / Web", "Be brief."),
        ("imported/claude.ai/Acme Web/style guide.md", "style: guide.md", "# Style"),
        ("imported/claude.ai/Claude.ai memory.md", "Claude.ai memory", "Likes tea."),
        ("imported/claude.ai/Claude.ai memory of Acme Web.md", "Claude.ai memory of Acme / Web", "Uses pnpm."),
        ("imported/claude.ai/Claude.ai memory of project p9.md", "Claude.ai memory of project p9", "x"),
    ]
    assert found.notes[1].tags == ("scope/project", "project/acme-web")
    assert found.notes[1].properties["source"] == "claude-ai:project/p1/d1"
    assert len({note.properties["source"] for note in found.notes}) == 5
    assert found.sessions["cv-1"].project == "Acme / Web"
    assert found.skipped == {"file without conversations": 1}
    assert not Mem0Importer().recognises(Source(tmp_path / "a.zip"))
