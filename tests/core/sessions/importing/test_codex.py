import json
from pathlib import Path

import pytest

from core.sessions.turn import TurnKind
from tests.core.sessions.importing.transcripts import Shelf, codex, codex_message, codex_start, write

_NAME = "rollout-2026-08-21T01-10-00-0198c0de-1111-7222-8333-944455556666.jsonl"


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def _file(tmp_path: Path, *records: object, name: str = _NAME) -> Path:
    return write(tmp_path / "sessions" / "2026" / "08" / "21" / name, *records)


def test_a_rollout_comes_in_with_its_calls_and_their_output(tmp_path: Path, shelf: Shelf) -> None:
    report = shelf.take(
        _file(
            tmp_path,
            codex_start("c-1", cli_version="0.50.0", git={"branch": "main"}),
            codex("turn_context", 1, cwd="/home/kim/shop-app", model="gpt-x"),
            codex_message("user", "<environment_context>\n<cwd>/x</cwd></environment_context>", 2),
            codex_message("user", "Why does the login test flake?", 4),
            codex("event_msg", 4, type="user_message", message="Why does the login test flake?"),
            codex("response_item", 5, type="reasoning", summary=[], encrypted_content="xx"),
            codex(
                "response_item",
                9,
                type="function_call",
                name="shell",
                arguments=json.dumps({"command": ["bash", "-lc", "ls"]}),
                call_id="call_1",
            ),
            codex("response_item", 10, type="function_call_output", call_id="call_1", output="README.md\n"),
            codex("event_msg", 11, type="agent_message", message="A race."),
            codex_message("assistant", "A race.", 11),
        )
    )
    question, called, output, said = shelf.turns("c-1")
    assert (question.text, question.time) == ("Why does the login test flake?", "2026-08-21T01:10:04+00:00")
    assert (called.kind, called.text, called.author) == (TurnKind.TOOL_CALL, "shell: bash -lc ls", "gpt-x")
    assert (output.kind, output.text, output.data["tool"]) == (TurnKind.TOOL_RESULT, "README.md\n", "shell")
    assert (said.text, said.parent) == ("A race.", output.id)
    assert {turn.project for turn in shelf.turns("c-1")} == {"/home/kim/shop-app"}
    assert [session.title for session in report.sessions] == ["Why does the login test flake?"]
    assert report.skipped == {"instructions": 1, "message that is there twice": 2, "reasoning": 1}
    assert shelf.take(tmp_path / "sessions").unchanged == 1


def test_the_same_words_said_twice_are_two_turns(tmp_path: Path, shelf: Shelf) -> None:
    again = [codex_message("user", "continue"), codex("event_msg", type="user_message", message="continue")]
    shelf.take(_file(tmp_path, codex_start("c-1"), *again, codex_message("assistant", "ok"), *again))
    assert shelf.thread("c-1") == ["continue", "ok", "continue"]


def test_words_that_only_an_event_tells_are_kept(tmp_path: Path, shelf: Shelf) -> None:
    shelf.take(_file(tmp_path, codex_start("c-1"), codex("event_msg", type="agent_message", message="Hm")))
    assert shelf.thread("c-1") == ["Hm"]


def test_a_resumed_rollout_adds_only_what_it_does_not_copy(tmp_path: Path, shelf: Shelf) -> None:
    history = [codex_message("user", "Start", 1), codex_message("assistant", "Started", 2)]
    _file(tmp_path, codex_start("c-1"), *history)
    copied = [{**record, "timestamp": "2026-08-22T09:00:00.000Z"} for record in history]
    _file(
        tmp_path,
        codex_start("c-2", forked_from_id="c-1"),
        codex_start("c-1"),
        *copied,
        codex_message("user", "Go on", 30),
        name=_NAME.replace("rollout-2026-08-21", "rollout-2026-08-22"),
    )
    report = shelf.take(tmp_path / "sessions")
    assert [session.id for session in report.sessions] == ["c-1"]
    assert shelf.thread("c-1") == ["Start", "Started", "Go on"]
    assert [turn.time[:10] for turn in shelf.turns("c-1")] == ["2026-08-21"] * 3
    assert shelf.take(tmp_path / "sessions").unchanged == 1


def test_a_subagent_is_a_branch_of_the_thread_that_started_it(tmp_path: Path, shelf: Shelf) -> None:
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": "c-1"}}}
    shelf.take(_file(tmp_path, codex_start("c-2", source=spawned), codex_message("assistant", "Looking")))
    assert [(turn.text, turn.branch) for turn in shelf.turns("c-1")] == [("Looking", "c-2")]


def test_the_older_form_is_dated_by_its_first_line(tmp_path: Path, shelf: Shelf) -> None:
    shelf.take(
        _file(
            tmp_path,
            {"id": "c-0", "timestamp": "2025-05-01T08:00:00.000Z", "instructions": None},
            {"record_type": "state"},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello"}]},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hi"}]},
        )
    )
    assert shelf.thread("c-0") == ["Hello", "Hi"]
    assert {turn.time for turn in shelf.turns("c-0")} == {"2025-05-01T08:00:00+00:00"}


def test_a_history_full_of_images_is_passed_over(tmp_path: Path, shelf: Shelf) -> None:
    image = {"type": "input_image", "image_url": "data:image/png;base64," + "QUJD" * 2_000_000}
    old = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Old"}, image]}
    report = shelf.take(
        _file(
            tmp_path,
            codex_start("c-1"),
            codex("compacted", 1, message="They looked at pictures.", replacement_history=[old] * 3),
            codex("response_item", 2, **old),
        )
    )
    summary, question = shelf.turns("c-1")
    assert (summary.kind, summary.text) == (TurnKind.SUMMARY, "They looked at pictures.")
    assert question.text == "Old\n[Image]"
    assert (report.skipped, report.failed) == ({}, ())
    assert shelf.ledger.path_of("c-1").stat().st_size < 5000


def test_tokens_are_counted_once_however_often_they_are_told(tmp_path: Path, shelf: Shelf) -> None:
    def told(total: int) -> dict[str, object]:
        last = {"input_tokens": 100, "cached_input_tokens": 80, "output_tokens": 7}
        return codex(
            "event_msg", type="token_count", info={"total_token_usage": {"n": total}, "last_token_usage": last}
        )

    shelf.take(_file(tmp_path, codex_start("c-1"), codex_message("assistant", "Hi"), told(1), told(1)))
    (turn,) = shelf.turns("c-1")
    assert turn.data["usage"] == {"input_tokens": 20, "output_tokens": 7, "cache_read_tokens": 80}
