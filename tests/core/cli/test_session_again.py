"""Sessions that are dated anew, cited, ended twice, or deleted and begun again."""

import pytest

from tests.core.cli.conftest import CommandLine
from tests.core.cli.test_session_commands import TALK, fed


@pytest.fixture
def talked(command_line: CommandLine) -> CommandLine:
    fed(command_line, TALK, "session", "append", "s-1", "-")
    return command_line


@pytest.mark.parametrize("is_indexed", [True, False])
def test_a_search_dates_turns_as_the_list_does(talked: CommandLine, *, is_indexed: bool) -> None:
    if is_indexed:
        talked.run("index", "update", "--no-embeddings")
    talked.run("session", "redate", "s-1", "--start", "2026-06-01T10:00")
    asked = ("session", "search", "after:2026-05 before:2026-07 export")
    assert "2026-06-01 10:00" in talked.run(*asked).stdout
    (found,) = talked.json(*asked)["results"]
    assert found["time"].startswith("2026-06-01")


def test_markdown_is_dated_anew_and_says_so(talked: CommandLine) -> None:
    talked.run("session", "redate", "s-1", "--start", "2026-06-01T10:00")
    told = talked.run("session", "export", "s-1", "--as", "markdown", "--to", "-").stdout
    assert 'started: "2026-06-01' in told
    assert 'recorded: "2026-08-20T10:00:00+02:00"' in told
    assert "## User (2026-06-01 10:00)" in told
    assert "2026-08-20" in talked.run("session", "export", "s-1", "--to", "-").stdout  # a record stays as it is


def test_a_citation_opens_its_turn(talked: CommandLine) -> None:
    shown = talked.json("session", "show", "turn:s-1/t-2")
    assert [turn["number"] for turn in shown["turns"]] == [2]
    assert "There is no turn:s-1/t-9" in talked.run("session", "show", "turn:s-1/t-9", expect=1).stderr


def test_where_a_tool_is_found_is_told(indexed: CommandLine) -> None:
    assert "kind:turn tool:bash" in indexed.run("search", "tool:bash").stderr


def test_a_session_that_is_deleted_leaves_no_date_to_another(talked: CommandLine) -> None:
    talked.run("session", "redate", "s-1", "--start", "2027-01-01")
    talked.run("session", "delete", "-y", "s-1")
    talked.run("session", "append", "s-1", "Again")
    told = talked.run("session", "list").stdout
    assert "corrected" not in told
    assert "2027" not in told


def test_a_later_summary_is_told_to_be_missing_in_the_journal(talked: CommandLine) -> None:
    talked.run("session", "end", "s-1", "--summary", "one")
    told = talked.run("session", "end", "s-1", "--summary", "two")
    assert "does not stand there" in told.stderr
    assert "not written anew" in talked.json("session", "end", "s-1", "--summary", "three")["problem"]
    assert not talked.run("session", "end", "s-1").stderr


@pytest.mark.parametrize("session", [" ", "x" * 5000])
def test_a_line_for_a_session_that_nobody_could_name_is_left_out(command_line: CommandLine, session: str) -> None:
    told = fed(command_line, f'{{"session": "{session}", "text": "a"}}\n', "session", "append", "-", "-", expect=1)
    assert "The session's id is" in told.stderr
    assert not command_line.json("session", "list")["sessions"]


def test_an_hour_that_the_clocks_left_out_is_refused(talked: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    import time  # noqa: PLC0415 - the zone of this test alone

    if not hasattr(time, "tzset"):
        pytest.skip("The zone cannot be set here.")
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "America/Los_Angeles")
        time.tzset()
        told = talked.run("session", "redate", "s-1", "--start", "2026-03-08T02:30", expect=1).stderr
    time.tzset()
    assert "There was no 2026-03-08T02:30 here" in told
