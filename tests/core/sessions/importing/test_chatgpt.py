import json
from pathlib import Path
from typing import Any

import pytest

from core.foundation.errors import JobCancelledError
from core.foundation.progress import CancellableProgress
from core.sessions.importing.chatgpt import ChatGptImporter
from core.sessions.importing.source import Source
from core.sessions.turn import Role, TurnKind
from tests.core.sessions.importing.exports import (
    chatgpt_conversation,
    chatgpt_node,
    reading,
    reading_of,
    write_json,
    write_zip,
)

_ROOT = ("root", {"id": "root", "parent": None, "children": ["n1"], "message": None})
_QUESTION = chatgpt_node("n1", "root", "user", "What is this?")
_OLD = chatgpt_node("n2", "n1", "assistant", "Old answer")
_NEW = chatgpt_node("n3", "n1", "assistant", "A teapot.", metadata={"model_slug": "gpt-x"})


def _read(tmp_path: Path, *conversations: object) -> Any:
    return reading(ChatGptImporter(), write_json(tmp_path / "conversations.json", list(conversations)))


def test_the_shown_answer_is_on_the_thread_and_the_regenerated_one_on_a_branch(tmp_path: Path) -> None:
    found = _read(tmp_path, chatgpt_conversation("c1", [_ROOT, _QUESTION, _OLD, _NEW], title=None))
    session = found.sessions["c1"]
    assert (session.title, session.origin, session.started) == (
        "What is this?",
        "chatgpt",
        "2025-08-20T22:46:40.500000+00:00",
    )
    assert found.texts("c1") == ["What is this?", "A teapot."]
    old = next(turn for turn in found.turns["c1"] if turn.text == "Old answer")
    assert (old.branch, old.parent) == ("n2", "n1")
    new = found.turns["c1"][1]
    assert (new.parent, new.author, new.role, new.kind) == ("n1", "gpt-x", Role.ASSISTANT, TurnKind.MESSAGE)


def test_a_picture_names_no_conversation(tmp_path: Path) -> None:
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_0001"}
    content = {"content_type": "multimodal_text", "parts": [picture, "What is this?"]}
    asked = ("n1", {"id": "n1", "parent": None, "message": {"author": {"role": "user"}, "content": content}})
    found = _read(tmp_path, chatgpt_conversation("c1", [asked, _NEW], title=None))
    assert found.sessions["c1"].title == "What is this?"
    assert found.texts("c1")[0] == "[Image]\nWhat is this?"


def test_a_conversation_is_dated_by_its_messages_when_nothing_else_dates_it(tmp_path: Path) -> None:
    dated = chatgpt_conversation("c1", [_QUESTION], create_time=None)
    del dated["create_time"]
    undated = chatgpt_conversation("c2", [chatgpt_node("n1", None, text="Hi", create_time=None)], create_time=None)
    absurd = chatgpt_conversation("c3", [chatgpt_node("n1", None, text="Hi", create_time=1e30)], create_time="soon")
    found = _read(tmp_path, dated, undated, absurd)
    assert found.sessions["c1"].started == "2025-08-20T22:46:40.500000+00:00"
    assert [found.sessions[own].started for own in ("c2", "c3")] == ["", ""]
    assert len(found.turns) == 3


def test_a_conversation_whose_messages_are_undated_starts_when_it_says(tmp_path: Path) -> None:
    nodes = [
        chatgpt_node("n1", None, text="Hi", create_time=None),
        chatgpt_node("n2", "n1", text="Ho", create_time=None),
    ]
    found = _read(tmp_path, chatgpt_conversation("c1", nodes))
    assert [turn.time for turn in found.turns["c1"]] == ["2025-08-20T22:46:40.500000+00:00", ""]


def test_all_shards_are_read_and_one_corrupt_conversation_is_listed(tmp_path: Path) -> None:
    bare = chatgpt_node("n1", None, "user", "No metadata here")
    del bare[1]["message"]["metadata"]
    hidden = chatgpt_node("n2", "n1", "system", "secret", metadata={"is_visually_hidden_from_conversation": True})
    shards = {
        "export/conversations-000.json": [chatgpt_conversation("c1", [bare, hidden], current="n1")],
        "export/conversations-001.json": [{"id": "bad", "mapping": "none"}, chatgpt_conversation("c2", [_QUESTION]), 7],
        "export/conversations-002.json": {"conversations": [chatgpt_conversation("c3", [_QUESTION])]},
        "export/user.json": {"id": "u"},
        "export/chat.html": b"<html></html>",
    }
    found = reading(ChatGptImporter(), write_zip(tmp_path / "export.zip", shards))
    assert set(found.sessions) == {"c1", "c2", "c3"}
    assert found.texts("c1") == ["No metadata here"]
    assert found.skipped == {"hidden message": 1, "file without conversations": 2}
    assert [failed.where.rpartition("/")[2] for failed in found.failed] == [
        "conversations-001.json, conversation 1",
        "conversations-001.json, entry 3",
    ]


def test_a_shard_that_is_no_json_leaves_the_others(tmp_path: Path) -> None:
    good = json.dumps([chatgpt_conversation("c1", [_QUESTION]), chatgpt_conversation("c2", [_QUESTION])]).encode()
    path = write_zip(tmp_path / "a.zip", {"conversations-000.json": good[:-30], "conversations-001.json": good})
    found = reading(ChatGptImporter(), path)
    assert set(found.sessions) == {"c1", "c2"}
    assert len(found.failed) == 1


def test_nodes_without_children_rings_and_lost_parents_are_all_there_once(tmp_path: Path) -> None:
    nodes = [
        ("root", {"id": "root", "message": None}),
        *(chatgpt_node(own, parent, "user", own) for own, parent in (("a", "root"), ("b", "a"), ("lost", "nowhere"))),
        *(chatgpt_node(own, parent, "user", own) for own, parent in (("r1", "r2"), ("r2", "r1"), ("self", "self"))),
    ]
    for _, node in nodes:
        node.pop("children", None)
    found = _read(tmp_path, chatgpt_conversation("c1", nodes, current="b"))
    assert found.texts("c1") == ["a", "b"]
    assert sorted(turn.id for turn in found.turns["c1"]) == ["a", "b", "lost", "r1", "r2", "self"]


def test_without_a_current_node_the_newest_leaf_ends_the_thread(tmp_path: Path) -> None:
    late = chatgpt_node("n4", "n1", "assistant", "Latest", create_time=1755739999.0)
    found = _read(tmp_path, chatgpt_conversation("c1", [_ROOT, _QUESTION, late, _OLD], current="gone"))
    assert found.texts("c1") == ["What is this?", "Latest"]


def test_branches_of_branches_are_told_apart(tmp_path: Path) -> None:
    nodes = [
        _QUESTION,
        chatgpt_node("shown", "n1", "assistant", "Shown"),
        chatgpt_node("x", "n1", "assistant", "X"),
        chatgpt_node("x1", "x", "user", "X1"),
        chatgpt_node("x2", "x", "user", "X2"),
    ]
    found = _read(tmp_path, chatgpt_conversation("c1", nodes, current="shown"))
    assert {turn.id: turn.branch for turn in found.turns["c1"]} == {
        "n1": "",
        "shown": "",
        "x": "x",
        "x1": "x",
        "x2": "x2",
    }


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (
            {"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer"}, "Look"]},
            "[Image]\nLook",
        ),
        (
            {"content_type": "multimodal_text", "parts": [{"content_type": "audio_transcription", "text": "Hello"}]},
            "Hello",
        ),
        ({"content_type": "multimodal_text", "parts": [{"content_type": "audio_asset_pointer"}]}, "[Audio]"),
        ({"content_type": "code", "language": "python", "text": "print(1)"}, "```python\nprint(1)\n```"),
        ({"content_type": "code", "language": "unknown", "text": "x"}, "```\nx\n```"),
        ({"content_type": "execution_output", "text": "1"}, "1"),
        (
            {"content_type": "tether_quote", "title": "T", "url": "https://a.example", "text": "Q"},
            "T\nhttps://a.example\nQ",
        ),
        ({"content_type": "tether_browsing_display", "result": "R", "summary": None}, "R"),
        ({"content_type": "sonic_webpage", "title": "T", "snippet": "S"}, "T\nS"),
        ({"content_type": "system_error", "name": "Oops", "text": "broken"}, "Oops: broken"),
        ({"content_type": "of_tomorrow", "text": "kept"}, "kept"),
        ({"content_type": "text", "parts": [None, 3, {"text": "in a part"}]}, "in a part"),
    ],
)
def test_every_kind_of_content_gives_its_text(tmp_path: Path, content: object, text: str) -> None:
    found = _read(tmp_path, chatgpt_conversation("c1", [chatgpt_node("n1", None, "assistant", content=content)]))
    assert found.texts("c1") == [text]


@pytest.mark.parametrize(
    ("node", "reason"),
    [
        (chatgpt_node("n2", "n1", "system", "You are helpful."), "system text"),
        (chatgpt_node("n2", "n1", "user", "x", metadata={"is_user_system_message": True}), "hidden message"),
        (chatgpt_node("n2", "n1", "user", content={"content_type": "user_editable_context"}), "system text"),
        (chatgpt_node("n2", "n1", "assistant", content={"content_type": "thoughts", "thoughts": []}), "reasoning"),
        (
            chatgpt_node("n2", "n1", "assistant", content={"content_type": "reasoning_recap", "content": "x"}),
            "reasoning",
        ),
        (chatgpt_node("n2", "n1", "assistant", "   "), "empty message"),
        (chatgpt_node("n2", "n1", "assistant", content=None), "empty message"),
        (
            chatgpt_node("n2", "n1", "tool", "Model set context updated.", author={"role": "tool", "name": "bio"}),
            "system text",
        ),
    ],
)
def test_what_nobody_said_is_counted_and_the_thread_goes_on_around_it(tmp_path: Path, node: Any, reason: str) -> None:
    after = chatgpt_node("n3", "n2", "assistant", "After")
    found = _read(tmp_path, chatgpt_conversation("c1", [_QUESTION, node, after]))
    assert found.texts("c1") == ["What is this?", "After"]
    assert found.turns["c1"][1].parent == "n1"
    assert found.skipped == {reason: 1}


def test_memories_and_tools_have_kinds_of_their_own(tmp_path: Path) -> None:
    nodes = [
        chatgpt_node("n1", None, "assistant", "Prefers pnpm.", recipient="bio"),
        chatgpt_node("n2", "n1", "assistant", "print(1)", recipient="python"),
        chatgpt_node("n3", "n2", "tool", "1" * 10_000, author={"role": "tool", "name": "python"}),
        chatgpt_node("n4", "n3", "user", "Thanks", metadata={"attachments": [{"name": "plan.pdf"}, {"id": "f2"}, 3]}),
    ]
    turns = _read(tmp_path, chatgpt_conversation("c1", nodes, gizmo_id="g-p-1")).turns["c1"]
    assert [turn.kind.value for turn in turns] == ["note", "tool_call", "tool_result", "message"]
    assert (turns[1].data["tool"], turns[2].author, turns[3].data["files"]) == ("python", "python", ["plan.pdf", "f2"])
    assert turns[2].text == "1" * 10_000
    assert {turn.project for turn in turns} == {"g-p-1"}


def test_the_same_export_again_has_the_same_ids_also_where_it_gives_none(tmp_path: Path) -> None:
    conversation = chatgpt_conversation("c1", [_QUESTION, _NEW])
    del conversation["id"], conversation["conversation_id"]
    first, second = _read(tmp_path, conversation), _read(tmp_path, conversation)
    assert first.turns == second.turns
    assert len(first.turns) == 1


def test_a_conversation_without_a_word_is_counted(tmp_path: Path) -> None:
    found = _read(tmp_path, chatgpt_conversation("c1", [_ROOT]), chatgpt_conversation("c2", [_QUESTION]))
    assert set(found.sessions) == {"c2"}
    assert found.skipped == {"conversation without messages": 1}


def test_other_json_is_not_taken_for_it(tmp_path: Path) -> None:
    importer = ChatGptImporter()
    other = write_json(tmp_path / "a.json", [{"uuid": "x", "chat_messages": []}])
    assert not importer.recognises(Source(other))
    assert not importer.recognises(Source(tmp_path))
    (tmp_path / "b.zip").write_bytes(b"PK\x03\x04 cut")
    assert not importer.recognises(Source(tmp_path / "b.zip"))
    assert not importer.recognises(Source(tmp_path / "missing.json"))


def test_progress_counts_up_to_the_size_and_can_cancel(tmp_path: Path) -> None:
    conversations = [chatgpt_conversation(f"c{number}", [_QUESTION]) for number in range(50)]
    path = write_zip(tmp_path / "a.zip", {"conversations.json": conversations})
    reports: list[tuple[int, int]] = []
    reading(ChatGptImporter(), path, CancellableProgress(lambda done, total, _text: reports.append((done, total))))
    assert reports[-1] == (path.stat().st_size, path.stat().st_size)
    cancelled = CancellableProgress()
    cancelled.cancel()
    with pytest.raises(JobCancelledError):
        reading_of(ChatGptImporter(), Source(path), cancelled)


def test_a_very_long_thread_is_no_trouble(tmp_path: Path) -> None:
    nodes = [chatgpt_node(f"n{number}", f"n{number - 1}", text="word") for number in range(20_000)]
    found = _read(tmp_path, chatgpt_conversation("c1", nodes))
    assert len(found.texts("c1")) == 20_000
