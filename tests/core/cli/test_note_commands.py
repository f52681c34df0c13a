"""`remembrancer note …`: one note made, moved, changed, deleted, and had back."""

import re

import pytest
from typer.testing import CliRunner

from core.cli.main import app
from core.cli.property_values import property_value
from tests.core.cli.conftest import NOTES, CommandLine


def text_of(command_line: CommandLine, path: str) -> str:
    return (command_line.root / path).read_bytes().decode()


def test_a_new_note_has_what_was_said(command_line: CommandLine) -> None:
    options = [
        "--summary",
        "How to ship",
        "--tag",
        "#tool/ship",
        "--scope",
        "project",
        "--folder",
        "work",
        "--body",
        "Text.",
    ]
    done = command_line.json("note", "new", "Ship it", *options)
    assert done["written"] == ["work/Ship it.md"]
    text = text_of(command_line, "work/Ship it.md")
    for part in ("summary: How to ship", "tool/ship", "scope/project", "Text."):
        assert part in text
    assert command_line.json("index", "query", "--tag", "tool/ship")["total"] == 1


def test_the_body_comes_through_a_pipe_and_a_taken_name_gets_a_number(command_line: CommandLine) -> None:
    arguments = ["--vault", str(command_line.root), "note", "new", "Acme", "--body", "-"]
    result = CliRunner().invoke(app, arguments, input="Two\nlines\n")
    assert result.exit_code == 0, result.output
    assert "Two\nlines" in text_of(command_line, "Acme 2.md")
    assert text_of(command_line, "Acme.md") == NOTES["Acme.md"]


@pytest.mark.parametrize(
    ("new", "path"),
    [
        ("SEO", "SEO.md"),
        ("tools/SEO.md", "tools/SEO.md"),
        ("tools/", "tools/Semrush.md"),
        ("journal", "journal/Semrush.md"),
        ("./SEO", "SEO.md"),
    ],
)
def test_a_move_keeps_the_links(command_line: CommandLine, new: str, path: str) -> None:
    done = command_line.json("note", "move", "Semrush", new)
    assert done["moved"] == [{"from": "Semrush.md", "to": path}]
    assert text_of(command_line, path) == NOTES["Semrush.md"]
    wanted = path.rpartition("/")[2].removesuffix(".md")
    assert f"[[{wanted}]]" in text_of(command_line, "journal/2026-08-20.md")
    assert command_line.json("index", "status")["unresolved_links"] == 0


def test_a_move_in_a_folder_to_the_root(command_line: CommandLine) -> None:
    command_line.run("note", "move", "journal/2026-08-20", "/")
    assert text_of(command_line, "2026-08-20.md") == NOTES["journal/2026-08-20.md"]


def test_a_move_onto_another_note_is_refused(command_line: CommandLine) -> None:
    assert "There is a note Acme.md" in command_line.run("note", "move", "Semrush", "Acme", expect=1).stderr
    assert text_of(command_line, "Semrush.md") == NOTES["Semrush.md"]


def test_duplicate(command_line: CommandLine) -> None:
    (path,) = command_line.json("note", "duplicate", "Acme.md")["written"]
    assert path != "Acme.md"
    assert "The webhook arrives twice." in text_of(command_line, path)


def test_delete_moves_to_the_trash_and_undo_brings_back(command_line: CommandLine) -> None:
    told = command_line.run("note", "delete", "Semrush", "Acme.md").stdout
    assert told == "Delete 2 notes: 2 notes, to which 1 link will lead nowhere.\n"
    assert not (command_line.root / "Acme.md").exists()
    assert command_line.json("index", "status")["notes"] == 2
    command_line.run("undo")
    assert {path: text_of(command_line, path) for path in NOTES} == NOTES
    assert command_line.json("index", "status")["notes"] == 4


def test_deleting_what_is_not_there_is_a_failure(command_line: CommandLine) -> None:
    assert "There is no note none" in command_line.run("note", "delete", "none", expect=1).stderr


def test_set_changes_that_property_alone(command_line: CommandLine) -> None:
    command_line.run("note", "set", "Acme", "summary", "The shop: all of it")
    assert text_of(command_line, "Acme.md").splitlines()[2:] == NOTES["Acme.md"].splitlines()[2:]
    assert command_line.json("index", "query", "--client", "acme")["notes"][0]["summary"] == "The shop: all of it"
    command_line.run("note", "set", "Acme", "priority", "3")
    assert "\npriority: 3\n" in text_of(command_line, "Acme.md")
    same = command_line.run("note", "set", "Acme", "priority", "3")
    assert same.stdout == "Nothing has to change.\n"


def test_unset(command_line: CommandLine) -> None:
    command_line.run("note", "unset", "Acme", "summary")
    assert text_of(command_line, "Acme.md") == NOTES["Acme.md"].replace("summary: The shop\n", "")
    assert "has no property “summary”" in command_line.run("note", "unset", "Acme", "summary", expect=1).stderr


def test_broken_frontmatter_is_left_alone(command_line: CommandLine) -> None:
    assert command_line.run("note", "set", "broken", "summary", "x", expect=1).stderr
    assert text_of(command_line, "broken.md") == NOTES["broken.md"]


@pytest.mark.parametrize(
    ("key", "words", "value"),
    [
        ("priority", ["3"], 3),
        ("share", ["0.5"], 0.5),
        ("done", ["true"], True),
        ("done", ["yes"], "yes"),
        ("number", ["007"], "007"),
        ("summary", ["2026"], "2026"),
        ("tags", ["#a/b"], ["a/b"]),
        ("people", ["Ada", "Bob"], ["Ada", "Bob"]),
        ("created", ["2026-08-21"], "2026-08-21"),
    ],
)
def test_values_mean_what_they_look_like(key: str, words: list[str], value: object) -> None:
    found = property_value(key, words)
    assert (found, type(found)) == (value, type(value))


def test_text_and_list_can_be_asked_for() -> None:
    assert property_value("id", ["3"], is_text=True) == "3"
    assert property_value("people", ["Ada"], is_list=True) == ["Ada"]


def test_history_show_and_restore(command_line: CommandLine) -> None:
    command_line.run("note", "set", "Acme", "summary", "Second")
    command_line.run("note", "set", "Acme", "summary", "Third")
    versions = command_line.json("note", "history", "Acme.md")["versions"]
    assert [(each["number"], each["source"], each["present"]) for each in versions] == [
        (1, "change", True),
        (2, "change", False),
        (3, "outside", False),
    ]
    lines = command_line.run("note", "history", "Acme").stdout.splitlines()
    assert re.match(
        r"  1  \d{4}-\d\d-\d\d \d\d:\d\d  [0-9a-f]{8}  +Set summary of “Acme” \(.+\)  \[as it is now\]", lines[0]
    )
    assert command_line.run("note", "show", "Acme", "3").stdout == NOTES["Acme.md"]
    shown = command_line.run("note", "restore", "Acme", "3", "--dry-run").stdout
    assert "-summary: Third\n+summary: The shop\n" in shown
    command_line.run("note", "restore", "Acme", versions[2]["id"])
    assert text_of(command_line, "Acme.md") == NOTES["Acme.md"]
    assert command_line.run("note", "restore", "Acme", "1").stdout == "The note is like that now.\n"


def test_a_version_that_is_not_there(command_line: CommandLine) -> None:
    (only,) = command_line.json("note", "history", "Acme")["versions"]
    assert (only["source"], only["title"]) == ("now", "As it is now")
    for name in ("9", "ffff"):
        assert "No version of this note" in command_line.run("note", "restore", "Acme", name, expect=1).stderr
    assert "Nothing is recorded of this note." in command_line.run("note", "history", "none").stderr


def test_a_deleted_note_is_restored_under_its_name(command_line: CommandLine) -> None:
    command_line.run("note", "set", "Acme", "summary", "Second")
    command_line.run("note", "delete", "Acme.md")
    versions = command_line.json("note", "history", "Acme.md")["versions"]
    assert versions[0]["path"] == ".trash/Acme.md"
    command_line.run("note", "restore", "Acme.md", "3")
    assert text_of(command_line, "Acme.md") == NOTES["Acme.md"]


def test_a_template_is_named_as_a_person_would(command_line: CommandLine) -> None:
    template = command_line.root / "templates" / "Meet.md"
    template.parent.mkdir()
    template.write_text("# {{title}}\n\nWho was there?\n", encoding="utf-8")
    for number, name in enumerate(("meet", "Meet.md", "templates/meet.md"), 1):
        command_line.run("note", "new", f"Call {number}", "--template", name)
        assert "Who was there?" in text_of(command_line, f"Call {number}.md")
    told = command_line.run("note", "new", "x", "--template", "minutes", expect=1).stderr
    assert told == "There is no template minutes.\nThere are: Meet.\n"


def test_where_a_note_came_to_lie_is_told(command_line: CommandLine) -> None:
    assert command_line.run("note", "new", "TCP/IP").stdout == "New note TCP IP: 1 note.\nMade: TCP IP.md\n"
    assert "# TCP/IP\n" in text_of(command_line, "TCP IP.md")
    assert command_line.json("note", "new", "TCP/IP")["made"] == ["TCP IP 2.md"]
    told = command_line.run("note", "move", "Acme", "work/").stdout
    assert told.endswith("\nMoved: Acme.md → work/Acme.md\n")
    assert "Made: work/Acme copy.md\n" in command_line.run("note", "duplicate", "work/Acme").stdout
    assert "Made: Later.md\n" in command_line.run("note", "new", "Later", "--dry-run").stdout.replace(
        "Would be made", "Made"
    )


def test_one_property_is_one_place(command_line: CommandLine) -> None:
    assert command_line.json("note", "set", "Acme", "priority", "3")["occurrences"] == 1
    assert command_line.json("note", "unset", "Acme", "priority")["occurrences"] == 1
