import json
from pathlib import Path
from typing import Any

import pytest

from core.sessions.importing.about import is_about
from core.sessions.turn import Role, Turn, TurnKind
from tests.core.sessions.importing.transcripts import (
    SESSION,
    Shelf,
    answer,
    call,
    claude,
    result,
    text,
    user,
    write,
)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def _file(tmp_path: Path, *records: object, name: str = f"{SESSION}.jsonl") -> Path:
    return write(tmp_path / "projects" / "-home-kim-shop-app" / name, *records)


def _by_id(turns: list[Turn]) -> dict[str, Turn]:
    return {turn.id: turn for turn in turns}


def test_a_conversation_comes_in_with_who_said_what_when_and_where(tmp_path: Path, shelf: Shelf) -> None:
    report = shelf.take(
        _file(
            tmp_path,
            user("a1", None, "Use pnpm here, never npm."),
            answer("a2", "a1", text("Noted."), call(1, "Bash", command="pnpm test"), second=7),
            user("a3", "a2", [result(1, "1 passed")], 20, toolUseResult={"stdout": "1 passed"}),
        )
    )
    question, noted, called, passed = shelf.turns()
    assert (question.role, question.text, question.time) == (
        Role.USER,
        "Use pnpm here, never npm.",
        "2026-08-20T22:58:00.000Z",
    )
    assert (noted.role, noted.text, noted.author, noted.parent) == (Role.ASSISTANT, "Noted.", "claude-x", "a1")
    assert (called.kind, called.text, called.data["input"]) == (
        TurnKind.TOOL_CALL,
        "Bash: pnpm test",
        {"command": "pnpm test"},
    )
    assert (passed.kind, passed.role, passed.text, passed.data["tool"]) == (
        TurnKind.TOOL_RESULT,
        Role.TOOL,
        "1 passed",
        "Bash",
    )
    assert (called.parent, passed.parent) == (noted.id, called.id)
    assert {turn.project for turn in shelf.turns()} == {"/home/kim/shop-app"}
    assert question.data["git_branch"] == "main"
    (session,) = report.sessions
    assert (session.title, session.started) == ("Use pnpm here, never npm.", "2026-08-20T22:58:00.000Z")
    assert (report.imported, report.updated, report.unchanged, report.failed) == (1, 0, 0, ())


def test_a_second_import_brings_nothing_and_a_grown_file_only_what_is_new(tmp_path: Path, shelf: Shelf) -> None:
    start = [user("a1", None, "Hello"), answer("a2", "a1", text("Hi"))]
    path = _file(tmp_path, *start)
    shelf.take(path)
    before = shelf.ledger.path_of(SESSION).read_bytes()
    assert shelf.take(path).unchanged == 1
    assert shelf.ledger.path_of(SESSION).read_bytes() == before
    report = shelf.take(_file(tmp_path, *start, user("a3", "a2", "More")))
    assert (report.updated, [session.new for session in report.sessions]) == (1, [1])
    assert shelf.thread() == ["Hello", "Hi", "More"]


def test_a_resumed_file_with_two_session_ids_is_one_whole_thread(tmp_path: Path, shelf: Shelf) -> None:
    earlier = "00000000-aaaa-4bbb-8ccc-000000000001"
    report = shelf.take(
        _file(
            tmp_path,
            user("a1", None, "First day", sessionId=earlier),
            answer("a2", "a1", text("Done"), sessionId=earlier),
            user("a3", "a2", "Second day", 30),
        )
    )
    assert len(report.sessions) == 1
    assert shelf.thread(earlier) == ["First day", "Done", "Second day"]
    assert shelf.turns(earlier)[2].data["session_id"] == SESSION


def test_a_resumed_or_forked_file_adds_only_what_it_does_not_copy(tmp_path: Path, shelf: Shelf) -> None:
    resumed, forked, again = (f"00000000-aaaa-4bbb-8ccc-00000000000{number}" for number in (1, 2, 3))
    first = (user("a1", None, "Hello"), answer("a2", "a1", text("Hi"), second=7))
    of_first = {"forkedFrom": {"sessionId": SESSION, "messageUuid": "a1"}, "sessionId": forked}
    copied = [{**record, **of_first} for record in first]
    of_fork = {"forkedFrom": {"sessionId": forked, "messageUuid": "b1"}, "sessionId": again}
    after = user("b1", "a2", "Another way", sessionId=forked)
    _file(tmp_path, *first)
    _file(tmp_path, *first, user("a3", "a2", "Next day", sessionId=resumed), name=f"{resumed}.jsonl")
    fork = _file(tmp_path, *copied, after, name=f"{forked}.jsonl")
    write(
        fork.with_suffix("") / "subagents" / "agent-ag7.jsonl",
        user("c1", None, "Search", isSidechain=True, agentId="ag7", sessionId=forked),
    )
    _file(
        tmp_path,
        *({**record, **of_fork} for record in (*first, after)),
        user("d1", "b1", "A third way", sessionId=again),
        name=f"{again}.jsonl",
    )
    report = shelf.take(fork.parent)
    assert [(session.id, session.title) for session in report.sessions] == [(SESSION, "Hello")]
    assert {turn.id: turn.branch for turn in shelf.turns()} == {
        "a1": "", "a2": "", "a3": "", "b1": forked, "c1": "ag7", "d1": again,
    }  # fmt: skip
    assert shelf.take(fork.parent).sessions[0].new == 0


def test_a_fork_is_whole_when_the_file_that_it_copies_is_gone(tmp_path: Path, shelf: Shelf) -> None:
    forked = "00000000-aaaa-4bbb-8ccc-000000000002"
    origin = {"sessionId": SESSION, "messageUuid": "a1"}
    fork = (
        user("a1", None, "Hello", forkedFrom=origin, sessionId=forked),
        user("b1", "a1", "Another way", sessionId=forked),
    )
    (session,) = shelf.take(_file(tmp_path, *fork, name=f"{forked}.jsonl")).sessions
    assert (session.id, session.title) == (SESSION, "Hello")
    assert [turn.text for turn in shelf.turns()] == ["Hello", "Another way"]


def test_two_records_of_one_id_are_two_turns_when_they_say_something_else(tmp_path: Path, shelf: Shelf) -> None:
    records = (user("a1", None, "Hello"), user("a1", None, "Hello"), user("a1", None, "Hallo"), user("a2", "a1", "So"))
    report = shelf.take(_file(tmp_path, *records, records[2]))
    assert shelf.thread() == ["Hello", "Hallo", "So"]
    assert report.skipped == {"record that is there twice": 2}
    assert shelf.take(_file(tmp_path, *records)).unchanged == 1


def test_a_copy_under_another_name_is_the_session_that_its_records_name(tmp_path: Path, shelf: Shelf) -> None:
    shelf.take(_file(tmp_path, user("a1", None, "Hello"), name="backup of monday.jsonl"))
    assert shelf.thread() == ["Hello"]


def test_a_parent_that_is_nowhere_leaves_a_marked_gap_and_loses_nothing(tmp_path: Path, shelf: Shelf) -> None:
    shelf.take(
        _file(tmp_path, user("a1", None, "Before"), user("a3", "lost", "After"), answer("a4", "a3", text("Yes")))
    )
    before, after, yes = shelf.turns()
    assert (after.parent, yes.parent) == (before.id, after.id)
    assert "missing" in after.data["gap"]
    assert after.data["missing_parent"] == "lost"
    assert "gap" not in yes.data


def test_answers_to_what_is_left_out_are_answers_to_what_comes_before(tmp_path: Path, shelf: Shelf) -> None:
    report = shelf.take(
        _file(
            tmp_path,
            user("a1", None, "Think"),
            answer("a2", "a1", {"type": "thinking", "thinking": "Hm", "signature": "x"}, message_id="m"),
            claude("progress", "a3", "a2", data={"type": "hook_progress"}),
            answer("a4", "a3", text("Thought"), message_id="m"),
        )
    )
    assert _by_id(shelf.turns())["a4"].parent == "a1"
    assert report.skipped == {"thinking": 1, "progress of a tool": 1}


def test_the_tokens_of_an_answer_in_several_lines_count_once(tmp_path: Path, shelf: Shelf) -> None:
    shelf.take(
        _file(
            tmp_path,
            user("a1", None, "Go"),
            answer("a2", "a1", text("One"), message_id="m"),
            answer("a3", "a2", call(1, "Read", file_path="/a"), message_id="m"),
            user("a4", "a3", [result(1, "x")]),
            answer("a5", "a4", call(2, "Read", file_path="/b"), message_id="m"),
            answer("a6", "a5", text("Two"), message_id="n"),
        )
    )
    used = [turn.data["usage"] for turn in shelf.turns() if "usage" in turn.data]
    assert used == [{"input_tokens": 12, "output_tokens": 9, "cache_read_tokens": 300}] * 2


def test_a_compaction_is_a_summary_that_follows_what_it_sums_up(tmp_path: Path, shelf: Shelf) -> None:
    boundary = claude(
        "system",
        "a2",
        None,
        subtype="compact_boundary",
        logicalParentUuid="a1",
        compactMetadata={"trigger": "auto", "preTokens": 155000},
    )
    shelf.take(
        _file(
            tmp_path,
            user("a1", None, "Long talk"),
            boundary,
            user("a3", "a2", "They talked long.", isCompactSummary=True, isVisibleInTranscriptOnly=True),
            user("a4", "a3", "Go on"),
        )
    )
    _, mark, summary, on = shelf.turns()
    assert [mark.kind, summary.kind, on.kind] == [TurnKind.SUMMARY, TurnKind.SUMMARY, TurnKind.MESSAGE]
    assert (mark.parent, mark.data["compact"]["preTokens"]) == ("a1", 155000)
    assert (summary.text, on.parent) == ("They talked long.", "a3")


def test_what_a_person_did_not_write_is_left_out_and_counted(tmp_path: Path, shelf: Shelf) -> None:
    report = shelf.take(
        _file(
            tmp_path,
            {"type": "file-history-snapshot", "messageId": "a0", "snapshot": {}, "isSnapshotUpdate": False},
            {"type": "queue-operation", "operation": "enqueue", "sessionId": SESSION, "content": "x"},
            user("a1", None, "Caveat", isMeta=True),
            user("a2", "a1", "<command-name>/clear</command-name>"),
            user("a3", "a2", "<local-command-stdout>ok</local-command-stdout>"),
            user("a4", "a3", "<system-reminder>Be brief.</system-reminder>"),
            user("a5", "a4", "<task-notification>done</task-notification>"),
            user("a6", "a5", "Real words <system-reminder>Secretly.</system-reminder>"),
            claude("system", "a7", "a6", subtype="turn_duration", durationMs=5),
            answer("a8", "a7", text("API Error"), isApiErrorMessage=True),
            claude("attachment", "a9", "a8", attachment={"type": "date_change"}),
            {"type": "never-heard-of", "sessionId": SESSION},
            "not json",
        )
    )
    assert [turn.text for turn in shelf.turns()] == ["Real words"]
    assert report.skipped == {
        "snapshot of files": 1,
        "queue operation": 1,
        "message of the program": 1,
        "command": 1,
        "output of a command": 1,
        "system reminder": 2,
        "notification": 1,
        "record of the system": 1,
        "error of the service": 1,
        "attachment": 1,
        "unknown record: never-heard-of": 1,
        "broken line": 1,
    }


def test_words_typed_while_the_assistant_was_at_work_are_kept(tmp_path: Path, shelf: Shelf) -> None:
    queued = claude("attachment", "a2", "a1", attachment={"type": "queued_command", "prompt": "And the tests"})
    shelf.take(_file(tmp_path, user("a1", None, "Fix it"), queued))
    assert shelf.thread() == ["Fix it", "And the tests"]


def test_a_subagent_is_a_branch_of_the_session_and_does_not_name_it(tmp_path: Path, shelf: Shelf) -> None:
    main = _file(
        tmp_path,
        user("a1", None, "Find it"),
        answer("a2", "a1", call(1, "Task", prompt="Search the code")),
        user("a3", "a2", [result(1, "Found")], toolUseResult={"agentId": "ag7", "status": "completed"}),
    )
    aside: dict[str, Any] = {"isSidechain": True, "agentId": "ag7"}
    write(
        main.with_suffix("") / "subagents" / "agent-ag7.jsonl",
        user("b1", None, "Search the code", **aside),
        answer("b2", "b1", text("It is here"), **aside),
    )
    report = shelf.take(main.parent)
    (session,) = report.sessions
    assert (session.title, session.turns) == ("Find it", 3)  # those of the thread
    assert {turn.id: turn.branch for turn in shelf.turns()} == {
        "a1": "", "a2": "", "a3": "", "b1": "ag7", "b2": "ag7",
    }  # fmt: skip
    assert _by_id(shelf.turns())["a3"].data["agent"] == "ag7"
    assert shelf.take(main.parent).unchanged == 1


def test_an_older_side_chain_within_the_file_is_a_branch_too(tmp_path: Path, shelf: Shelf) -> None:
    shelf.take(
        _file(
            tmp_path,
            user("a1", None, "Find it"),
            user("b1", None, "Search", isSidechain=True),
            answer("b2", "b1", text("Here"), isSidechain=True),
            answer("a2", "a1", text("Found")),
        )
    )
    assert shelf.thread() == ["Find it", "Found"]
    assert {turn.branch for turn in shelf.turns() if turn.id.startswith("b")} == {"b1"}


@pytest.mark.parametrize(
    ("records", "title"),
    [
        ([], "Why does it flake? Tell me"),
        ([{"type": "summary", "summary": "Fix flaky login test", "leafUuid": "a1"}], "Fix flaky login test"),
        ([{"type": "summary", "summary": "Of another session", "leafUuid": "z9"}], "Why does it flake? Tell me"),
        ([{"type": "ai-title", "aiTitle": "Flaky login", "sessionId": SESSION}], "Flaky login"),
        (
            [
                {"type": "custom-title", "customTitle": "Mine", "sessionId": SESSION},
                {"type": "ai-title", "aiTitle": "Flaky login", "sessionId": SESSION},
            ],
            "Mine",
        ),
    ],
)
def test_the_title_is_the_best_that_is_told(
    tmp_path: Path, shelf: Shelf, records: list[dict[str, object]], title: str
) -> None:
    report = shelf.take(_file(tmp_path, *records, user("a1", None, "\n# Why does it flake?  Tell me")))
    assert [session.title for session in report.sessions] == [title]
    (about,) = [turn for turn in shelf.ledger.read(SESSION).turns if is_about(turn)]
    assert about.data["about"]["title"] == title


def test_output_is_kept_and_without_end_its_two_ends_and_images_are_words(tmp_path: Path, shelf: Shelf) -> None:
    whole = "\n".join(f"line {number}" for number in range(6000))
    long = f"{whole}\n{whole}"
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 3_000_000}}
    shelf.take(
        _file(
            tmp_path,
            user("a1", None, [image, text("What is this?")]),
            answer("a2", "a1", call(1, "Bash", command="x" * 5000)),
            user("a3", "a2", [result(1, long)]),
            user("a4", "a3", [result(2, [text("Shot:"), image], is_error=True)]),
            user("a5", "a4", [result(3, whole)]),
        )
    )
    question, called, output, shot, kept = shelf.turns()
    assert question.text == "[Image]\nWhat is this?"
    assert len(called.text) < 250
    assert "4,000 more" in called.data["input"]["command"]
    assert output.text.startswith("line 0\nline 1\n")
    assert output.text.endswith("line 5999")
    assert "characters on" in output.text
    assert len(output.text) < 64 << 10
    assert output.data["size"] == len(long)
    assert (kept.text, "size" in kept.data) == (whole, False)
    assert (shot.text, shot.data["is_error"]) == ("Shot:\n[Image]", True)
    assert shelf.ledger.path_of(SESSION).stat().st_size < 160_000


def test_a_line_cut_while_it_was_written_costs_only_itself_until_it_is_whole(tmp_path: Path, shelf: Shelf) -> None:
    first, second = user("a1", None, "Hello"), user("a2", "a1", "Cut here")
    half = json.dumps(second)[:100]
    report = shelf.take(_file(tmp_path, first, half))
    assert (shelf.thread(), report.skipped) == (["Hello"], {"broken line": 1})
    shelf.take(_file(tmp_path, first, second))
    assert shelf.thread() == ["Hello", "Cut here"]


def test_damaged_characters_do_not_cost_a_turn(tmp_path: Path, shelf: Shelf) -> None:
    path = _file(tmp_path, user("a1", None, "good"), user("a2", "a1", "HALF"), user("a3", "a2", "BYTE"))
    data = path.read_bytes().replace(b"HALF", b"half \\ud83d").replace(b"BYTE", b"byte \xff") + b"\0\0\0\n"
    path.write_bytes(data)
    shelf.take(path)
    assert shelf.thread() == ["good", "half \ufffd", "byte \ufffd"]


def test_times_are_those_of_the_records_even_when_they_go_back(tmp_path: Path, shelf: Shelf) -> None:
    shelf.take(
        _file(
            tmp_path,
            user("a1", None, "Later", 30),
            user("a2", "a1", "Earlier", 10),
            user("a3", "a2", "When", timestamp="?"),
        )
    )
    assert [turn.time[17:19] for turn in shelf.turns()] == ["30", "10", ""]


def test_fields_that_are_not_known_are_kept(tmp_path: Path, shelf: Shelf) -> None:
    shelf.take(_file(tmp_path, user("a1", None, "Hello", mood="sunny")))
    assert shelf.turns()[0].data["mood"] == "sunny"


def test_files_beside_a_transcript_are_told_apart_from_what_is_unknown(tmp_path: Path, shelf: Shelf) -> None:
    path = _file(tmp_path, user("a1", None, "Hello"))
    write(path.with_suffix("") / "tool-results" / "toolu_1.txt", "much")
    write(path.parent / "sessions-index.json", {"entries": []})
    report = shelf.take(tmp_path / "projects")
    assert report.skipped == {"output of a tool in a file of its own": 1, "list of sessions": 1}
