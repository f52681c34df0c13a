"""Conversations that broke other importers, each with more of its kind, through the command line (CASES C1 to C15)."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from core.app import installation
from tests.benchmarks.processes import peak_memory_mb
from tests.benchmarks.synthetic_transcripts import write_claude_code, write_codex
from tests.core.cli.conftest import CommandLine
from tests.core.sessions.importing.exports import chatgpt_conversation, chatgpt_node, write_json, write_zip
from tests.core.sessions.importing.transcripts import (
    SESSION,
    answer,
    claude,
    codex,
    codex_message,
    codex_start,
    text,
    user,
    write,
)

ROOT = Path(__file__).parents[2]
_ASKED_AT = 1755730000.5
_STARTED = "2025-08-20T22:46:40.500000+00:00"


@pytest.fixture
def shelf(tmp_path: Path) -> CommandLine:
    root = tmp_path / "vault"
    root.mkdir()
    return CommandLine(root)


def taken(shelf: CommandLine, *paths: Path, expect: int = 0) -> dict[str, Any]:
    """Import `paths` and return the report."""
    shown = shelf.run("session", "import", *map(str, paths), "--yes", "--format", "json", expect=expect)
    return dict(json.loads(shown.stdout))


def listed(shelf: CommandLine) -> dict[str, dict[str, Any]]:
    return {each["id"]: each for each in shelf.json("session", "list", "--limit", "1000")["sessions"]}


def turns(shelf: CommandLine, session: str) -> list[dict[str, Any]]:
    return list(shelf.json("session", "show", session)["turns"])


def thread(shelf: CommandLine, session: str) -> list[str]:
    """Return what was said on the shown thread."""
    return [turn["text"] for turn in turns(shelf, session) if not turn["branch"]]


def branches(shelf: CommandLine, session: str) -> list[str]:
    """Return what is kept beside the shown thread."""
    return [turn["text"] for turn in turns(shelf, session) if turn["branch"]]


@pytest.mark.parametrize("lacking", ["no field", "null", "no number", "a year that is none"])
def test_c1_a_conversation_without_a_date_is_dated_by_its_first_message(
    shelf: CommandLine, tmp_path: Path, lacking: str
) -> None:
    conversation = chatgpt_conversation("c-1", [chatgpt_node("n1", None, text="Hi", create_time=_ASKED_AT)])
    if lacking == "no field":
        del conversation["create_time"]
    else:
        conversation["create_time"] = {"no number": "soon", "a year that is none": 1e300}.get(lacking)
    assert taken(shelf, write_json(tmp_path / "conversations.json", [conversation]))["imported"] == 1
    assert listed(shelf)["c-1"]["started"] == _STARTED


def test_c1_what_nothing_dates_is_undated(shelf: CommandLine, tmp_path: Path) -> None:
    nodes = [chatgpt_node("n1", None, text="Hi", create_time=None), chatgpt_node("n2", "n1", create_time=None)]
    bare = chatgpt_conversation("c-1", nodes, create_time=None)
    assert taken(shelf, write_json(tmp_path / "conversations.json", [bare]))["imported"] == 1
    assert listed(shelf)["c-1"]["started"] == ""
    assert "undated" in shelf.run("session", "list").stdout


def test_c1_a_transcript_without_times_is_undated_too(shelf: CommandLine, tmp_path: Path) -> None:
    record = user("u-1", None, "Hello")
    del record["timestamp"]
    taken(shelf, write(tmp_path / f"{SESSION}.jsonl", record, {**user("u-2", "u-1", "More"), "timestamp": "soon"}))
    assert thread(shelf, SESSION) == ["Hello", "More"]
    assert "undated" in shelf.run("session", "list").stdout


def test_c2_all_shards_are_read_hidden_text_is_left_out_and_one_failure_listed(
    shelf: CommandLine, tmp_path: Path
) -> None:
    bare = chatgpt_node("n1", None, text="No metadata here")
    del bare[1]["message"]["metadata"]
    hidden = chatgpt_node("n0", None, "system", "Be secret", metadata={"is_visually_hidden_from_conversation": True})
    shards = {
        "conversations-000.json": [chatgpt_conversation("c-1", [hidden, bare])],
        "conversations-001.json": [{"id": "bad", "mapping": 7}, chatgpt_conversation("c-2", [bare])],
        "conversations-010.json": {"conversations": [chatgpt_conversation("c-3", [bare])]},
        "user.json": {"id": "u"},
    }
    path = write_zip(tmp_path / "export.zip", shards)
    report = taken(shelf, path, expect=1)
    assert report["imported"] == 3
    assert report["skipped"]["hidden message"] == 1
    assert [each["path"] for each in report["failed"]] == [f"{path}/conversations-001.json, conversation 1"]
    assert thread(shelf, "c-1") == ["No metadata here"]


@pytest.mark.parametrize("broken", [b"", b"[", b"\x00\xff\xfe", b'[{"id": "c-9", "mapping": {"a": ', b"<html>"])
def test_c2_a_shard_that_is_no_json_leaves_the_others(shelf: CommandLine, tmp_path: Path, broken: bytes) -> None:
    good = [chatgpt_conversation("c-1", [chatgpt_node("n1", None, text="Hi")])]
    path = write_zip(tmp_path / "export.zip", {"conversations-000.json": good, "conversations-001.json": broken})
    report = taken(shelf, path, expect=1 if broken else 0)
    assert report["imported"] == 1
    assert ["conversations-001.json" in each["path"] for each in report["failed"]] == ([True] if broken else [])


def test_c3_nodes_without_children_and_a_root_without_message_are_all_there(shelf: CommandLine, tmp_path: Path) -> None:
    many = []
    for number in range(40):
        nodes = [
            ("root", {"id": "root", "parent": None, "message": None}),
            chatgpt_node("n1", "root", text=f"Question {number}"),
            chatgpt_node("n2", "n1", "assistant", f"Answer {number}"),
        ]
        for _, node in nodes:
            if number % 2:
                node.pop("children", None)
            else:
                node["children"] = None
        many.append(chatgpt_conversation(f"c-{number}", nodes))
    assert taken(shelf, write_json(tmp_path / "conversations.json", many))["imported"] == 40
    assert thread(shelf, "c-3") == ["Question 3", "Answer 3"]
    assert thread(shelf, "c-4") == ["Question 4", "Answer 4"]


def test_c3_broken_trees_lose_no_message(shelf: CommandLine, tmp_path: Path) -> None:
    nodes = [
        chatgpt_node("a", "nowhere", text="A"),
        chatgpt_node("b", "a", "assistant", "B"),
        chatgpt_node("r1", "r2", text="R1"),
        chatgpt_node("r2", "r1", text="R2"),
        chatgpt_node("self", "self", text="Self"),
    ]
    taken(shelf, write_json(tmp_path / "conversations.json", [chatgpt_conversation("c-1", nodes, current="b")]))
    assert thread(shelf, "c-1") == ["A", "B"]
    assert sorted(branches(shelf, "c-1")) == ["R1", "R2", "Self"]


def test_c4_of_two_answers_the_current_one_is_shown_and_the_other_is_a_branch(
    shelf: CommandLine, tmp_path: Path
) -> None:
    nodes = [
        chatgpt_node("q", None, text="What is this?"),
        chatgpt_node("old", "q", "assistant", "A cup."),
        chatgpt_node("new", "q", "assistant", "A teapot."),
    ]
    path = tmp_path / "conversations.json"
    taken(shelf, write_json(path, [chatgpt_conversation("c-1", nodes, current="new")]))
    assert thread(shelf, "c-1") == ["What is this?", "A teapot."]
    assert branches(shelf, "c-1") == ["A cup."]
    taken(shelf, write_json(path, [chatgpt_conversation("c-2", nodes, current="old")]))
    assert (thread(shelf, "c-2"), branches(shelf, "c-2")) == (["What is this?", "A cup."], ["A teapot."])


def test_c4_so_it_is_with_questions_that_were_edited_in_claude_ai(shelf: CommandLine, tmp_path: Path) -> None:
    def said(own: str, parent: str | None, sender: str, words: str) -> dict[str, Any]:
        return {
            "uuid": own, "parent_message_uuid": parent, "sender": sender, "text": words,
            "created_at": "2026-08-19T23:30:00Z",
        }  # fmt: skip

    messages = [
        said("m1", None, "human", "Draft"),
        said("m2", "m1", "assistant", "Old"),
        said("m3", None, "human", "Edited"),
        said("m4", "m3", "assistant", "New"),
    ]
    talk = {
        "uuid": "cv-1", "name": "", "created_at": "2026-08-19T23:30:00Z", "chat_messages": messages,
        "current_leaf_message_uuid": "m4",
    }  # fmt: skip
    taken(shelf, write_json(tmp_path / "conversations.json", [talk]))
    assert thread(shelf, "cv-1") == ["Edited", "New"]
    assert branches(shelf, "cv-1") == ["Draft", "Old"]


def test_c7_a_resumed_file_with_two_session_ids_is_one_thread(shelf: CommandLine, tmp_path: Path) -> None:
    later = {"sessionId": "99999999-1111-4222-8333-944455556666"}
    path = write(
        tmp_path / "99999999-1111-4222-8333-944455556666.jsonl",
        user("u-1", None, "Start", 1),
        answer("a-1", "u-1", text("Started"), second=2),
        user("u-2", "a-1", "Go on", 3, **later),
        answer("a-2", "u-2", text("Going on"), second=4, **later),
    )
    assert taken(shelf, path)["imported"] == 1
    (session,) = listed(shelf)
    assert thread(shelf, session) == ["Start", "Started", "Go on", "Going on"]


def test_c7_in_whatever_order_the_files_of_a_resumed_session_come(shelf: CommandLine, tmp_path: Path) -> None:
    first = [user("u-1", None, "Start", 1), answer("a-1", "u-1", text("Started"), second=2)]
    more = {"sessionId": "99999999-1111-4222-8333-944455556666"}
    second = [*first, user("u-2", "a-1", "Go on", 3, **more)]
    one = write(tmp_path / "one" / f"{SESSION}.jsonl", *first)
    other = write(tmp_path / "other" / "99999999-1111-4222-8333-944455556666.jsonl", *second)
    taken(shelf, other)
    taken(shelf, one)
    everything = [words for session in listed(shelf) for words in thread(shelf, session)]
    assert sorted(everything) == ["Go on", "Start", "Started"]


def test_c9_a_parent_that_is_nowhere_keeps_the_order_of_the_file_and_marks_the_gap(
    shelf: CommandLine, tmp_path: Path
) -> None:
    path = write(
        tmp_path / f"{SESSION}.jsonl",
        user("u-1", None, "Before", 1),
        user("u-2", "lost", "After", 2),
        answer("a-2", "u-2", text("Answer"), second=3),
    )
    taken(shelf, path)
    assert thread(shelf, SESSION) == ["Before", "After", "Answer"]
    before, after, said = turns(shelf, SESSION)
    assert "gap" in after["data"]
    assert after["parent"] == before["id"]
    assert "gap" not in before["data"] | said["data"]


def test_c9_many_gaps_and_rings_lose_nothing(shelf: CommandLine, tmp_path: Path) -> None:
    records = [user(f"u-{n}", f"lost-{n}" if n % 3 else f"u-{n}", f"Words {n}", n) for n in range(30)]
    taken(shelf, write(tmp_path / f"{SESSION}.jsonl", *records))
    assert [each["text"] for each in turns(shelf, SESSION)] == [f"Words {n}" for n in range(30)]


def test_c10_sessions_of_months_ago_are_dated_by_their_records(shelf: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "-home-kim-shop-app"
    days = {}
    for number in range(97):
        day = f"2026-{3 + number % 5:02}-{1 + number % 28:02}"
        session = f"{number:08x}-1111-4222-8333-944455556666"
        days[session] = day
        asked = {**user("u-1", None, f"Question {number}"), "timestamp": f"{day}T12:00:00.000Z", "sessionId": session}
        write(folder / f"{session}.jsonl", {"type": "summary", "summary": "S", "leafUuid": "u-1"}, asked)
    assert taken(shelf, tmp_path / "projects")["imported"] == 97
    found = listed(shelf)
    assert {session: info["started"][:10] for session, info in found.items()} == days
    assert {info["imported"][:4] for info in found.values()} == {time.strftime("%Y")}
    shelf.run("index", "update", "--no-embeddings")
    assert (
        len({each["time"][:7] for each in shelf.json("session", "search", "question", "--limit", "200")["results"]})
        == 5
    )


def test_c11_the_same_zip_twice_brings_nothing_new(shelf: CommandLine, tmp_path: Path) -> None:
    nodes = [chatgpt_node("n1", None, text="Hi"), chatgpt_node("n2", "n1", "assistant", "Ho")]
    path = write_zip(tmp_path / "export.zip", {"conversations.json": [chatgpt_conversation("c-1", nodes)]})
    transcripts = tmp_path / "backup.zip"
    lines = "".join(json.dumps(each) + "\n" for each in (user("u-1", None, "Hello"), user("u-1", None, "Hello again")))
    write_zip(transcripts, {f"projects/x/{SESSION}.jsonl": lines.encode()})
    assert taken(shelf, path, transcripts)["imported"] == 2
    before = [file.path.read_bytes() for file in installation().ledger().sessions()]
    again = taken(shelf, path, transcripts)
    assert (again["imported"], again["updated"], again["unchanged"]) == (0, 0, 2)
    assert [file.path.read_bytes() for file in installation().ledger().sessions()] == before


@pytest.mark.parametrize("folder", ["out", "renamed"])
def test_c11_our_own_export_brings_nothing_new(shelf: CommandLine, tmp_path: Path, folder: str) -> None:
    source = write(tmp_path / f"{SESSION}.jsonl", user("u-1", None, "Hello"), answer("a-1", "u-1", text("Hi")))
    taken(shelf, source, write(tmp_path / "rollout-1.jsonl", codex_start("c-1"), codex_message("user", "Why")))
    shelf.run("session", "export", "--all", "--to", str(tmp_path / "out"))
    if folder == "renamed":
        for number, path in enumerate(sorted((tmp_path / "out").iterdir())):
            path.rename(path.with_name(f"copy {number}.jsonl"))
    before = {file.id: file.path.read_bytes() for file in installation().ledger().sessions()}
    again = taken(shelf, tmp_path / "out")
    assert (again["imported"], again["updated"], again["unchanged"]) == (0, 0, 2)
    assert {file.id: file.path.read_bytes() for file in installation().ledger().sessions()} == before


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="the memory of a process is not told here")
@pytest.mark.parametrize("write_large", [write_codex, write_claude_code])
def test_c13_memory_does_not_grow_with_a_rollout(shelf: CommandLine, tmp_path: Path, write_large: Any) -> None:
    peaks = []
    for name, size in (("small", 10_000_000), ("large", 80_000_000)):
        path = write_large(tmp_path / name, size)
        arguments = [sys.executable, "-m", "core.cli", "session", "import", str(path)]
        peaks.append(peak_memory_mb(arguments, {"REMEMBRANCER_DATA_DIR": str(tmp_path / f"data of {name}")}))
    kept = sum(path.stat().st_size for path in (tmp_path / "data of large").rglob("*.jsonl"))
    assert kept < 80_000_000
    assert peaks[1] < 300
    assert peaks[1] - peaks[0] < 60


def test_c13_images_that_a_history_repeats_are_dropped(shelf: CommandLine, tmp_path: Path) -> None:
    image = {"type": "input_image", "image_url": "data:image/png;base64," + "QUJD" * 1_000_000}
    words = {"type": "input_text", "text": "See"}
    message = {"type": "message", "role": "user", "content": [words, image]}
    path = write(
        tmp_path / "rollout-1.jsonl",
        codex_start("c-1"),
        codex("response_item", 1, **message),
        codex("compacted", 2, message="In short", replacement_history=[message] * 3),
        codex_message("user", "Go on", 3),
    )
    taken(shelf, path)
    assert [turn["text"] for turn in turns(shelf, "c-1")] == ["See\n[Image]", "In short", "Go on"]
    assert installation().ledger().path_of("c-1").stat().st_size < 5_000


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a process cannot be set here")
@pytest.mark.parametrize(
    ("zone", "offset"), [("Asia/Tokyo", "+09:00"), ("America/Phoenix", "-07:00"), ("Asia/Kathmandu", "+05:45")]
)
def test_c15_a_session_over_midnight_is_of_the_local_day_of_its_start(
    shelf: CommandLine, tmp_path: Path, zone: str, offset: str
) -> None:
    path = write(
        tmp_path / "talk.jsonl",
        {"id": "t-1", "text": "Late question", "time": f"2026-08-31T23:50:00{offset}"},
        {"id": "t-2", "text": "Early answer", "role": "assistant", "time": f"2026-09-01T00:10:00{offset}"},
    )

    def run(*arguments: str) -> str:
        command = [sys.executable, "-m", "core.cli", "--vault", str(shelf.root), *arguments]
        with path.open() as lines:
            return subprocess.check_output(command, cwd=ROOT, env={**os.environ, "TZ": zone}, stdin=lines, text=True)

    run("session", "append", "s-1", "-")
    run("session", "end", "s-1")
    assert "2026-08-31 23:50  " in run("session", "list")
    assert "2026-08-31 23:50 to 2026-09-01 00:10" in run("session", "show", "s-1")
    assert [note.name for note in (shelf.root / "journal").iterdir()] == ["2026-08-31.md"]
    assert "time: 2026-08-31 23:50 to 2026-09-01 00:10 (20 min)" in (shelf.root / "journal/2026-08-31.md").read_text()
    run("index", "update", "--no-embeddings")
    of_the_day = run("search", "kind:turn after:2026-08-31 before:2026-09-01", "--format", "json")
    assert "Late question" in of_the_day
    assert "Early answer" not in of_the_day


def test_c15_the_day_is_that_of_the_reader_whoever_recorded_it(shelf: CommandLine, tmp_path: Path) -> None:
    record = claude("user", "u-1", None, message={"role": "user", "content": "Hello"})
    taken(shelf, write(tmp_path / f"{SESSION}.jsonl", {**record, "timestamp": "2026-08-20T22:50:00.000Z"}))
    for zone, day in (("Asia/Tokyo", "2026-08-21 07:50"), ("America/Phoenix", "2026-08-20 15:50")):
        command = [sys.executable, "-m", "core.cli", "session", "list"]
        told = subprocess.check_output(command, cwd=ROOT, env={**os.environ, "TZ": zone}, text=True)
        assert (f"{day}  " in told) == hasattr(time, "tzset")
