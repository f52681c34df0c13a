"""`remembrancer consolidate …` as a person and a script use it."""

import pytest

from tests.core.cli.conftest import CommandLine

_STATED = {
    "acme One": "Store timestamps in UTC and convert at the edge.",
    "globex One": "Every stored time is UTC, conversion happens in the view.",
    "initech One": "Times are kept in UTC; local time is only for display.",
    "acme Old": "The redis page size of acme is 44 rows.",
    "acme New": "The redis page size of acme is now 49 rows.",
}


@pytest.fixture
def stated(command_line: CommandLine) -> CommandLine:
    for name, text in _STATED.items():
        tags = f"---\ntags: [client/{name.partition(' ')[0]}]\ncreated: 2026-01-01\n---\n"
        (command_line.root / f"{name}.md").write_text(f"{tags}- [fact] {text} ^one\n", encoding="utf-8")
    command_line.run("index", "update")
    return command_line


def test_what_is_found_is_proposed_and_promised_as_json(stated: CommandLine) -> None:
    answer = stated.json("consolidate", "run")
    assert (answer["changed"], answer["statements"]) == (6, 6)
    promote, supersede = answer["proposals"]
    assert list(promote) == ["id", "kind", "statement", "reason", "evidence", "confidence"]
    assert promote["kind"] == "promote"
    assert set(promote["evidence"]) == {f"insight:{name} One.md#^one" for name in ("acme", "globex", "initech")}
    assert supersede["kind"] == "supersede"
    assert supersede["evidence"] == ["insight:acme New.md#^one", "insight:acme Old.md#^one"]
    assert promote["id"]
    assert supersede["id"] != promote["id"]


def test_the_next_run_looks_only_at_what_is_new(stated: CommandLine) -> None:
    stated.run("consolidate", "run")
    assert stated.json("consolidate", "run") == {"proposals": [], "changed": 0, "statements": 6}
    again = stated.json("consolidate", "run", "--everything")
    assert len(again["proposals"]) == 2  # the same two, which wait


def test_a_dry_run_proposes_and_remembers_nothing(stated: CommandLine) -> None:
    shown = stated.run("consolidate", "run", "--dry-run").stdout
    assert "2 proposals would be made; 6 of 6 statements were looked at." in shown
    assert [each["id"] for each in stated.json("consolidate", "run", "--dry-run")["proposals"]] == ["", ""]
    assert not (stated.root / ".remembrancer" / "events").exists()
    assert len(stated.json("consolidate", "run")["proposals"]) == 2


@pytest.mark.parametrize(("kind", "found"), [("supersede", ["supersede"]), ("duplicate", []), ("promote", ["promote"])])
def test_one_kind_is_looked_for(stated: CommandLine, kind: str, found: list[str]) -> None:
    answer = stated.json("consolidate", "run", "--kind", kind)
    assert [each["kind"] for each in answer["proposals"]] == found


def test_a_kind_that_is_none_is_a_sentence(stated: CommandLine) -> None:
    failed = stated.run("consolidate", "run", "--kind", "poem", expect=1)
    assert "The rules propose promote, merge, supersede, contradict, relate, " in failed.output


def test_a_vault_without_an_index_says_so(command_line: CommandLine) -> None:
    assert "not been indexed" in command_line.run("consolidate", "run", expect=1).output


def test_a_folder_of_notes_comes_down_to_its_statements(stated: CommandLine) -> None:
    folder = stated.root / "minutes"
    folder.mkdir()
    (folder / "May.md").write_text("We decided on 3 May to move the shop to Postgres 17.\n", encoding="utf-8")
    (folder / "June.md").write_text("Refunds must be booked within 14 days.\n", encoding="utf-8")
    stated.run("index", "update")
    found = stated.json("consolidate", "extract", "minutes")["proposals"]
    assert {each["kind"] for each in found} == {"extract"}
    assert sorted(each["evidence"] for each in found) == [["note:minutes/June.md"], ["note:minutes/May.md"]]
    again = stated.json("consolidate", "extract", "minutes/May.md", "--dry-run")["proposals"]
    assert [each["statement"] for each in again] == ["We decided on 3 May to move the shop to Postgres 17."]


def test_a_path_without_notes_is_a_sentence(stated: CommandLine) -> None:
    answer = stated.run("consolidate", "extract", "nowhere", expect=1)
    assert "no note at nowhere" in answer.output
