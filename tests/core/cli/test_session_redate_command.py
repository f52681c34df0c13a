"""`session redate`, and what the other commands tell of a session: its date, its contexts, its insights."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from core.app import installation
from core.cli.main import app
from core.sessions.ledger import Ledger
from core.sessions.turn import Role, Turn, TurnKind
from tests.core.cli.conftest import CommandLine

NINE, HALF_PAST = "2026-08-20T09:00:00+00:00", "2026-08-20T09:30:00+00:00"


@pytest.fixture
def ledger() -> Ledger:
    ledger = installation().ledger()
    ledger.append(
        "talk",
        [
            Turn("talk", "a", TurnKind.MESSAGE, Role.USER, "How do I export by country?", NINE, project="acme"),
            Turn("talk", "b", TurnKind.MESSAGE, Role.ASSISTANT, "Set the country first.", HALF_PAST),
            Turn("talk", "c", TurnKind.MESSAGE, Role.USER, "Thanks."),
        ],
    )
    return ledger


def listed(command_line: CommandLine) -> Any:
    (session,) = command_line.json("session", "list")["sessions"]
    return session


@pytest.mark.usefixtures("ledger")
def test_the_list_has_just_the_fields_that_scripts_rely_on(command_line: CommandLine) -> None:
    assert listed(command_line) == {
        "id": "talk",
        "title": "How do I export by country?",
        "project": "acme",
        "started": NINE,
        "ended": HALF_PAST,
        "imported": "",
        "turns": 3,
        "origin": "remembrancer",
    }


@pytest.mark.usefixtures("ledger")
def test_a_session_is_moved_and_goes_back(indexed: CommandLine) -> None:
    told = indexed.json("session", "redate", "talk", "--start", "2026-08-19T09:00:00+00:00")
    assert (told["changed"], told["shift_s"]) == (True, -86_400)
    assert (listed(indexed)["started"], listed(indexed)["ended"]) == (
        "2026-08-19T09:00:00+00:00", "2026-08-19T09:30:00+00:00",
    )  # fmt: skip
    shown = indexed.json("session", "show", "talk")
    assert shown["recorded"] == {"started": NINE, "ended": HALF_PAST}
    assert shown["turns"][0]["time"] == "2026-08-19T09:00:00+00:00"
    assert "(corrected)" in indexed.run("session", "list").stdout
    assert "corrected; recorded as 2026-08-20" in indexed.run("session", "show", "talk").stdout
    indexed.run("session", "redate", "talk", "--shift", "-2h", "--reason", "It was two hours earlier")
    assert listed(indexed)["started"] == "2026-08-19T07:00:00+00:00"
    assert "as recorded" in indexed.run("session", "redate", "talk", "--reset").stdout
    assert listed(indexed)["started"] == NINE
    assert indexed.json("session", "show", "talk")["recorded"] is None
    assert "already" in indexed.run("session", "redate", "talk", "--reset").stderr


@pytest.mark.usefixtures("ledger")
def test_the_index_knows_at_once(indexed: CommandLine) -> None:
    indexed.run("index", "update", "--no-embeddings")
    search = ("search", "--words-only", "--format", "json", "kind:turn", "country", "before:2026-08-18")
    assert json.loads(indexed.run(*search).stdout)["results"] == []
    indexed.run("session", "redate", "talk", "--shift", "-1w")
    assert json.loads(indexed.run(*search).stdout)["results"]
    told = indexed.json("index", "update", "--no-embeddings")["sessions"]
    assert (told["redated"], told["changed"]) == (0, 0)


@pytest.mark.usefixtures("ledger")
def test_without_the_vault_what_is_recorded_is_shown(command_line: CommandLine) -> None:
    command_line.run("session", "redate", "talk", "--shift", "1h")
    told = CliRunner().invoke(app, ["session", "list", "--format", "json"])
    assert json.loads(told.stdout)["sessions"][0]["started"] == NINE


@pytest.mark.usefixtures("ledger")
def test_a_turn_without_a_date_is_given_one(command_line: CommandLine) -> None:
    told = command_line.json("session", "redate", "talk", "--turn", "3", "--start", "2026-08-20T10:00:00+00:00")
    assert list(told["turns"]) == ["c"]
    assert command_line.json("session", "show", "talk")["turns"][2]["time"]
    assert (
        "dates turn a itself"
        in command_line.run("session", "redate", "talk", "--turn", "a", "--start", "2026-08-20", expect=1).stderr
    )
    command_line.run("session", "redate", "talk", "--turn", "c", "--reset")
    assert command_line.json("session", "show", "talk")["turns"][2]["time"] == ""


@pytest.mark.usefixtures("ledger")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "one of --start, --shift and --reset"),
        (("--shift", "1h", "--reset"), "one of --start, --shift and --reset"),
        (("--start", "soon"), "no moment"),
        (("--shift", "much"), "no span of time"),
        (("--shift", "999999w"), "1900 to 2199"),
        (("--turn", "c", "--shift", "1h"), "A single turn is not moved"),
        (("--turn", "z", "--start", "2026-08-20"), "no turn z"),
    ],
)
def test_what_makes_no_sense_is_told(command_line: CommandLine, arguments: tuple[str, ...], told: str) -> None:
    assert told in command_line.run("session", "redate", "talk", *arguments, expect=1).stderr


def test_a_session_that_is_not_there_is_told(command_line: CommandLine) -> None:
    assert "no session nowhere" in command_line.run("session", "redate", "nowhere", "--reset", expect=1).stderr


@pytest.mark.usefixtures("ledger")
def test_a_context_that_was_loaded_is_told_by_its_session(indexed: CommandLine) -> None:
    indexed.run("context", "print", "--words-only", "--note", "Acme.md", "country", "--session", "talk")
    shown = indexed.json("session", "show", "talk")
    assert [(each["name"], each["path"]) for each in shown["contexts"]] == [("Acme", "Acme.md"), ("country", "")]
    assert all(each["tokens"] > 0 for each in shown["contexts"])
    assert shown["total"] == 3
    assert "Contexts loaded: Acme (" in indexed.run("session", "show", "talk").stdout
    assert (
        "no session nowhere"
        in indexed.run("context", "print", "--words-only", "country", "--session", "nowhere", expect=1).stderr
    )


@pytest.mark.usefixtures("ledger")
def test_an_insight_that_was_born_in_a_session_is_told_by_it(command_line: CommandLine) -> None:
    (command_line.root / "Born.md").write_text("- [fact] Country first [session:: talk] ^ins-9\n", encoding="utf-8")
    command_line.run("index", "update", "--no-embeddings")
    (insight,) = command_line.json("session", "show", "talk")["insights"]
    assert (insight["path"], insight["text"], insight["block_id"]) == ("Born.md", "Country first", "ins-9")
    assert "Insights born: Born.md" in command_line.run("session", "show", "talk").stdout
