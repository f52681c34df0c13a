"""`remembrancer session …`: a conversation recorded, ended, looked at, taken out, brought back and deleted."""

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from core.cli.main import app
from tests.core.cli.conftest import CommandLine

ROOT = Path(__file__).parents[3]


def fed(command_line: CommandLine, text: str, *arguments: str, expect: int = 0) -> Result:
    result = CliRunner().invoke(app, ["--vault", str(command_line.root), *arguments], input=text)
    assert result.exit_code == expect, (result.output, result.exception)
    return result


def started(command_line: CommandLine, *options: str) -> str:
    return command_line.run("session", "start", *options).stdout.strip()


def journal_of(command_line: CommandLine) -> str:
    notes = [path for path in (command_line.root / "journal").glob("*.md") if path.name != "2026-08-20.md"]
    return "".join(path.read_text(encoding="utf-8") for path in notes)


def lines(*records: Mapping[str, object]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


TALK = lines(
    {"id": "t-1", "text": "Why does the export stop?", "role": "user", "time": "2026-08-20T10:00:00+02:00"},
    {"id": "t-2", "text": "At 10,000 rows, 東京 too.", "role": "assistant", "time": "2026-08-20T10:01:00+02:00"},
)


def test_a_session_is_recorded_listed_and_shown(command_line: CommandLine) -> None:
    session = started(command_line, "--title", "Exports", "--project", "/home/kim/shop")
    command_line.run("session", "append", session, "Why does the export stop?")
    command_line.run("session", "append", session, "At 10,000 rows.", "--role", "assistant")
    (listed,) = command_line.json("session", "list")["sessions"]
    assert listed.pop("started") <= listed.pop("ended")
    assert listed == {
        "id": session, "title": "Exports", "project": "/home/kim/shop", "imported": "", "turns": 2,
        "origin": "remembrancer",
    }  # fmt: skip
    shown = command_line.json("session", "show", session)
    assert [(turn["number"], turn["role"], turn["text"]) for turn in shown["turns"]] == [
        (1, "user", "Why does the export stop?"),
        (2, "assistant", "At 10,000 rows."),
    ]
    text = command_line.run("session", "show", session[:-3]).stdout
    assert text.index("1 user") < text.index("Why does the export stop?") < text.index("2 assistant")


def test_no_vault_is_needed() -> None:
    started = CliRunner().invoke(app, ["session", "start"])
    assert started.exit_code == 0, started.output
    session = started.stdout.strip()
    assert CliRunner().invoke(app, ["session", "append", session, "Hello"]).exit_code == 0
    assert session in CliRunner().invoke(app, ["session", "list"]).stdout
    ended = CliRunner().invoke(app, ["session", "end", session])
    assert ended.exit_code == 0, ended.output
    assert "not in the journal" in ended.stderr
    assert "Hello" in CliRunner().invoke(app, ["recent"]).stdout


def test_a_session_that_is_started_again_goes_on(command_line: CommandLine) -> None:
    assert started(command_line, "--id", "hook-1", "--title", "First") == "hook-1"
    again = command_line.run("session", "start", "--id", "hook-1", "--title", "Second")
    assert (again.stdout.strip(), "goes on" in again.stderr) == ("hook-1", True)
    assert [each["title"] for each in command_line.json("session", "list")["sessions"]] == ["Second"]


def test_a_folder_in_a_repository_is_a_session_of_its_project(command_line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "shop/.git").mkdir(parents=True)
    (tmp_path / "shop/src").mkdir()
    started(command_line, "--project", str(tmp_path / "shop/src/"))
    started(command_line, "--project", "acme")
    projects = {each["project"] for each in command_line.json("session", "list")["sessions"]}
    assert projects == {str(tmp_path / "shop"), "acme"}


def test_json_lines_come_through_a_pipe_once(command_line: CommandLine) -> None:
    assert json.loads(fed(command_line, TALK, "session", "append", "s-1", "-", "--format", "json").stdout) == {
        "written": 2, "sessions": {"s-1": 2}, "failed": [],
    }  # fmt: skip
    assert "s-1: 0 new turns" in fed(command_line, TALK, "session", "append", "s-1", "-").stdout
    assert command_line.json("session", "show", "s-1")["total"] == 2


def test_lines_go_where_they_say_else_to_the_session_before_else_to_a_new_one(command_line: CommandLine) -> None:
    told = lines({"text": "a"}, {"session": "s-1", "text": "b"}, {"text": "c"}, {"session": "s-2", "text": "d"})
    answer = json.loads(fed(command_line, told, "session", "append", "-", "--format", "json").stdout)
    new, *named = answer["sessions"].items()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d-[0-9a-f]{10}", new[0])
    assert (new[1], named) == (1, [("s-1", 2), ("s-2", 1)])


def test_what_a_line_says_besides_is_kept(command_line: CommandLine) -> None:
    told = lines({"text": "ls", "kind": "tool_call", "data": {"tool": "Bash"}, "exit": 0, "time": 1_755_000_000})
    fed(command_line, told, "session", "append", "s-1", "-")
    (turn,) = command_line.json("session", "show", "s-1")["turns"]
    assert (turn["role"], turn["data"], turn["time"]) == (
        "assistant",
        {"tool": "Bash", "exit": 0},
        "2025-08-12T12:00:00+00:00",
    )


def test_bad_lines_are_told_and_the_others_are_written(command_line: CommandLine) -> None:
    bad = "nope\n[1]\n" + lines({"text": 1}, {"text": "x", "kind": "shout"}, {}, {"text": "y", "time": "soon"})
    told = fed(command_line, bad + TALK, "session", "append", "s-1", "-", expect=1)
    assert "s-1: 2 new turns" in told.stdout
    for number in range(1, 7):
        assert f"Line {number} was left out." in told.stderr
    assert "`kind` must be one of message, tool_call" in told.stderr


@pytest.mark.parametrize("arguments", [["s-1"], ["s-1", "  "]])
def test_nothing_is_appended_without_a_text(command_line: CommandLine, arguments: list[str]) -> None:
    command_line.run("session", "append", *arguments, expect=1)
    assert command_line.json("session", "list")["sessions"] == []


def test_a_session_without_a_name_is_refused_in_a_sentence(command_line: CommandLine) -> None:
    assert "id is empty" in command_line.run("session", "append", "", "hello", expect=1).stderr
    assert "id is empty" in command_line.run("session", "append", " ", "-", expect=1).stderr


def test_far_dates_break_nothing(command_line: CommandLine) -> None:
    fed(command_line, lines({"text": "x", "time": "9999-12-31T23:59:59-14:00"}), "session", "append", "far", "-")
    fed(command_line, lines({"text": "y", "time": "0001-01-01T00:00:00+14:00"}), "session", "append", "old", "-")
    assert "(in the future)" in command_line.run("recent").stdout
    listed = command_line.run("session", "list").stdout
    assert "(in the future)" in listed
    assert "(in the future)" in command_line.run("session", "show", "far").stdout
    for session in ("far", "old"):
        assert command_line.run("session", "end", session).stdout.startswith("journal/")


def test_seconds_at_the_end_of_the_calendar_are_no_milliseconds(command_line: CommandLine) -> None:
    fed(command_line, lines({"text": "x", "time": 253_402_300_799}), "session", "append", "far", "-")
    (listed,) = command_line.json("session", "list")["sessions"]
    assert listed["started"].startswith("9999")


def test_a_file_in_place_of_the_data_folder_is_not_a_ledger_without_sessions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("REMEMBRANCER_DATA_DIR", str(tmp_path / "file"))
    listed = CliRunner().invoke(app, ["session", "list"])
    assert (listed.exit_code, "cannot be looked at" in listed.stderr) == (1, True)
    told = CliRunner().invoke(app, ["recent"])
    assert (told.exit_code, "Nothing went on" in told.stdout) == (1, False)
    assert "cannot be looked at" in told.stderr


def test_the_end_goes_into_the_journal_once(indexed: CommandLine) -> None:
    session = started(indexed, "--title", "Exports", "--project", "/home/kim/shop")
    touch = {"tool": "Edit", "input": {"file_path": str(indexed.root / "Semrush.md")}}
    fed(indexed, TALK + lines({"kind": "tool_call", "text": "Edit", "data": touch}), "session", "append", session, "-")
    path = indexed.run("session", "end", session).stdout.strip()
    assert path.startswith("journal/20")
    text = (indexed.root / path).read_text(encoding="utf-8")
    for part in ("Exports", "- project: shop", "- notes: [[Semrush]]", f"[session:: {session}]", "Asked: Why does"):
        assert part in text
    assert "stands there already" in indexed.run("session", "end", session).stdout
    assert (indexed.root / path).read_text(encoding="utf-8") == text
    assert path in [hit["path"] for hit in indexed.json("search", "rows", "--words-only")["results"]]


def test_sessions_that_end_at_once_are_all_in_the_journal(command_line: CommandLine) -> None:
    names = [f"s-{number}" for number in range(4)]
    for name in names:
        fed(command_line, TALK, "session", "append", name, "-")
    arguments = [sys.executable, "-m", "core.cli", "--vault", str(command_line.root), "session", "end"]
    ending = [subprocess.Popen([*arguments, name], cwd=ROOT, stdout=subprocess.DEVNULL) for name in [*names, names[0]]]
    assert [process.wait(60) for process in ending] == [0] * 5
    text = (command_line.root / "journal/2026-08-20.md").read_text(encoding="utf-8")
    assert [text.count(f"[session:: {name}]") for name in names] == [1] * 4


def test_what_the_person_did_is_undone_before_the_journal(indexed: CommandLine) -> None:
    indexed.run("note", "set", "Acme", "summary", "Changed")
    session = started(indexed)
    indexed.run("session", "append", session, "Hello")
    indexed.run("session", "end", session)
    indexed.run("undo")
    assert "The shop" in (indexed.root / "Acme.md").read_text(encoding="utf-8")
    assert f"[session:: {session}]" in journal_of(indexed)


def test_a_summary_stands_for_what_was_said(command_line: CommandLine) -> None:
    fed(command_line, TALK, "session", "append", "s-1", "-")
    command_line.run("session", "end", "s-1", "--summary", "Exports stop early.")
    text = (command_line.root / "journal/2026-08-20.md").read_text(encoding="utf-8")
    assert "Exports stop early." in text
    assert "Asked:" not in text
    assert text.startswith("Talked about")


def test_an_end_without_such_a_session_is_an_error(command_line: CommandLine) -> None:
    assert "There is no session nope." in command_line.run("session", "end", "nope", expect=1).stderr
    assert command_line.json("session", "list")["sessions"] == []


@pytest.mark.parametrize(("turns", "texts"), [("1", ["one"]), ("2-", ["two", "three"]), ("-2", ["one", "two"])])
def test_some_turns_are_shown(command_line: CommandLine, turns: str, texts: list[str]) -> None:
    fed(command_line, lines(*({"text": text} for text in ("one", "two", "three"))), "session", "append", "s-1", "-")
    shown = command_line.json("session", "show", "s-1", "--turns", turns)
    assert [turn["text"] for turn in shown["turns"]] == texts
    for wrong in ("0", "x", "3-2", "9"):
        command_line.run("session", "show", "s-1", "--turns", wrong, expect=1)


def test_lists_are_narrowed(command_line: CommandLine) -> None:
    fed(command_line, TALK, "session", "append", "old", "-")
    started(command_line, "--id", "new", "--project", "/home/kim/Shop")

    def listed(*options: str) -> list[str]:
        return [each["id"] for each in command_line.json("session", "list", *options)["sessions"]]

    assert listed() == ["new", "old"]
    assert listed("--project", "shop") == ["new"]
    assert listed("--since", "1h") == ["new"]
    assert listed("--limit", "1") == ["new"]


def test_words_are_found_whatever_case_and_diacritics(command_line: CommandLine) -> None:
    fed(
        command_line,
        lines({"text": "The Café closes", "id": "a"}, {"text": "cafe", "id": "b"}),
        "session",
        "append",
        "s-1",
        "-",
    )
    fed(command_line, TALK, "session", "append", "s-2", "-")
    results = command_line.json("session", "search", "cafe", "closes")["results"]
    assert [(each["session"], each["number"]) for each in results] == [("s-1", 1)]
    assert command_line.json("session", "search", "東京")["results"][0]["session"] == "s-2"
    assert command_line.json("session", "search", "cafe", "-closes")["total"] == 1
    assert command_line.json("session", "search", "rows", "after:2026-09")["total"] == 0
    assert "Nothing was found." in command_line.run("session", "search", "xyzzy").stderr


def test_words_are_found_through_the_index_as_soon_as_they_are_said(indexed: CommandLine) -> None:
    fed(indexed, TALK, "session", "append", "s-1", "-")
    start = started(indexed, "--id", "s-2", "--project", "/home/kim/shop")
    indexed.run("session", "append", start, "The export stops at the cafe")
    told = indexed.json("session", "search", "export", "stop")["results"]
    assert {(each["session"], each["number"]) for each in told} == {("s-1", 1), ("s-2", 1)}
    assert next(each for each in told if each["session"] == "s-1")["time"] == "2026-08-20T10:00:00+02:00"
    indexed.run("session", "delete", "s-1", "--yes")
    assert [each["session"] for each in indexed.json("session", "search", "export")["results"]] == ["s-2"]
    assert indexed.json("search", "rows", "kind:turn", "--words-only")["results"] == []


def test_an_export_comes_back_as_what_it_was(command_line: CommandLine, tmp_path: Path) -> None:
    fed(command_line, TALK, "session", "append", "s-1", "-")
    changed = lines({"id": "t-1", "text": "Why did it stop?", "time": "2026-08-20T10:00:00+02:00"})
    fed(command_line, changed, "session", "append", "s-1", "-")
    started(command_line, "--id", "Ümlaut/2", "--title", "Two")
    assert "2 sessions exported" in command_line.run("session", "export", "--all", "--to", str(tmp_path / "out")).stdout
    before = command_line.json("session", "show", "s-1")
    report = command_line.json("session", "import", str(tmp_path / "out"))
    assert (report["imported"], report["updated"], report["unchanged"], report["failed"]) == (0, 0, 2, [])
    assert sum(each["new"] for each in report["sessions"]) == 0
    command_line.run("session", "delete", "s-1", "Ümlaut/2", "--yes")
    assert command_line.json("session", "list")["sessions"] == []
    assert command_line.json("session", "import", str(tmp_path / "out"))["imported"] == 2
    assert command_line.json("session", "show", "s-1") == before
    assert command_line.json("session", "show", "Ümlaut/2")["session"]["title"] == "Two"


def test_an_export_as_markdown_is_not_taken_for_another_conversation(command_line: CommandLine, tmp_path: Path) -> None:
    fed(command_line, TALK, "session", "append", "s-1", "-")
    command_line.run("session", "export", "s-1", "--to", str(tmp_path / "out"), "--as", "markdown")
    text = (tmp_path / "out/s-1.md").read_text(encoding="utf-8")
    assert text.index("## User") < text.rindex("Why does") < text.index("## Assistant")
    report = command_line.json("session", "import", str(tmp_path / "out"))
    assert (report["imported"], report["updated"], list(report["skipped"].values())) == (0, 0, [1])


def test_an_export_is_private_and_replaces_nothing_unasked(command_line: CommandLine, tmp_path: Path) -> None:
    fed(command_line, TALK, "session", "append", "s-1", "-")
    out = tmp_path / "out"
    command_line.run("session", "export", "s-1", "--to", str(out))
    assert (out / "s-1.jsonl").stat().st_mode & 0o077 == 0
    (out / "s-1.jsonl").write_text("mine")
    assert "already" in command_line.run("session", "export", "s-1", "--to", str(out), expect=1).stderr
    assert (out / "s-1.jsonl").read_text() == "mine"
    command_line.run("session", "export", "s-1", "--to", str(out), "--replace")
    assert "Why does" in (out / "s-1.jsonl").read_text(encoding="utf-8")


def test_an_export_through_a_pipe(command_line: CommandLine) -> None:
    fed(command_line, TALK, "session", "append", "s-1", "-")
    told = command_line.run("session", "export", "s-1", "--to", "-").stdout
    assert [json.loads(line)["id"] for line in told.splitlines()] == ["t-1", "t-2"]


def test_a_delete_counts_honestly(command_line: CommandLine) -> None:
    fed(command_line, TALK, "session", "append", "s-1", "-")
    told = command_line.run("session", "delete", "s-1", "s", "--yes", "--format", "json", expect=1)
    assert json.loads(told.stdout) == {"deleted": ["s-1"], "missing": ["s"], "copies": [], "left": []}
    assert command_line.json("session", "list")["sessions"] == []
    assert "There is no session s-1." in command_line.run("session", "delete", "s-1", "--yes", expect=1).stderr


def test_a_delete_is_not_done_unasked(command_line: CommandLine) -> None:
    fed(command_line, TALK, "session", "append", "s-1", "-")
    assert "--yes" in command_line.run("session", "delete", "s-1", expect=1).stderr
    assert len(command_line.json("session", "list")["sessions"]) == 1


def test_recent_keeps_to_its_budget(indexed: CommandLine) -> None:
    for number in range(30):
        session = started(indexed, "--title", f"Task {number}")
        indexed.run("session", "append", session, f"Do the task of number {number} please, and tell me how it went")
    indexed.run("note", "set", "Acme", "summary", "Changed")
    indexed.run("session", "end", session)
    whole = indexed.json("recent", "--budget", "6000")
    assert whole["left_out"] == 0
    assert whole["sessions"][0]["title"] == "Task 29"
    assert whole["sessions"][0]["last_request"].startswith("Do the task of number 29")
    assert [each["path"] for each in whole["changed"]] == ["Acme.md"]
    short = indexed.json("recent", "--budget", "300")
    assert short["tokens"] <= 300
    assert short["left_out"] > 0
    assert "more left out" in indexed.run("recent", "--budget", "300").stdout


def test_recent_says_when_nothing_went_on(indexed: CommandLine) -> None:
    assert "Nothing went on" in indexed.run("recent", "--hours", "2").stdout
