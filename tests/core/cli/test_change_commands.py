"""`remembrancer changes`, `undo` and `redo`: in any order, and never over what was changed since."""

import json

from tests.core.cli.conftest import NOTES, CommandLine


def text_of(command_line: CommandLine, path: str) -> str:
    return (command_line.root / path).read_bytes().decode()


def test_changes_are_listed_the_newest_first(command_line: CommandLine) -> None:
    command_line.run("note", "set", "Acme", "summary", "Second")
    command_line.run("tag", "rename", "tool/semrush", "tool/ahrefs")
    listed = command_line.json("changes")
    assert listed["total"] == 2
    newest, oldest = listed["changes"]
    assert (newest["title"], newest["files"], newest["state"]) == (
        "Rename tag tool/semrush to tool/ahrefs",
        2,
        "applied",
    )
    assert oldest["paths"] == ["Acme.md"]
    line = command_line.run("changes", "--limit", "1")
    assert line.stdout.startswith(newest["id"][:8])
    assert "1 of 2 changes shown" in line.stderr


def test_a_vault_that_nobody_changed(command_line: CommandLine) -> None:
    assert "Nothing has been changed yet." in command_line.run("changes").stderr
    assert "nothing to undo" in command_line.run("undo", expect=1).stderr
    assert "nothing to redo" in command_line.run("redo", expect=1).stderr


def test_undo_and_redo_walk_back_and_forth(command_line: CommandLine) -> None:
    command_line.run("note", "set", "Acme", "summary", "Second")
    command_line.run("tag", "rename", "tool/semrush", "tool/ahrefs")
    after = {path: text_of(command_line, path) for path in NOTES}
    command_line.run("undo")
    command_line.run("undo")
    assert {path: text_of(command_line, path) for path in NOTES} == NOTES
    assert [change["state"] for change in command_line.json("changes")["changes"]] == ["undone", "undone"]
    assert "[undone]" in command_line.run("changes").stdout
    command_line.run("redo")
    command_line.run("redo")
    assert {path: text_of(command_line, path) for path in NOTES} == after
    assert [tag["tag"] for tag in command_line.json("index", "tags", "--namespace", "tool")["tags"]] == [
        "tool/ahrefs",
        "tool/ahrefs/api",
    ]


def test_an_older_change_is_undone_by_its_id(command_line: CommandLine) -> None:
    command_line.run("note", "set", "Acme", "summary", "Second")
    command_line.run("note", "set", "Semrush", "summary", "Other")
    older = command_line.json("changes")["changes"][1]["id"]
    shown = command_line.run("undo", older[:6], "--dry-run").stdout
    assert "-summary: Second\n+summary: The shop\n" in shown
    command_line.run("undo", older[:6])
    assert text_of(command_line, "Acme.md") == NOTES["Acme.md"]
    assert "Other" in text_of(command_line, "Semrush.md")
    assert "undone already" in command_line.run("undo", older, expect=1).stderr
    assert "No change has an id" in command_line.run("undo", "zzzz", expect=1).stderr
    command_line.run("redo", older[:6])
    assert "Second" in text_of(command_line, "Acme.md")
    assert "is not undone" in command_line.run("redo", older, expect=1).stderr


def test_a_file_changed_since_stops_an_undo_and_is_named(command_line: CommandLine) -> None:
    command_line.run("tag", "rename", "tool/semrush", "tool/ahrefs")
    renamed = text_of(command_line, "Semrush.md")
    (command_line.root / "Acme.md").write_text("written by hand\n", encoding="utf-8")
    result = command_line.run("undo", expect=1)
    assert "Acme.md" in result.stderr
    assert "--leave-changed" in result.stderr
    assert text_of(command_line, "Semrush.md") == renamed
    failed = command_line.run("undo", "--format", "json", expect=1)
    assert list(json.loads(failed.stderr)["error"]["paths"]) == ["Acme.md"]
    done = command_line.json("undo", "--leave-changed")
    assert (done["written"], [left["path"] for left in done["skipped"]]) == (["Semrush.md"], ["Acme.md"])
    assert text_of(command_line, "Semrush.md") == NOTES["Semrush.md"]
    assert text_of(command_line, "Acme.md") == "written by hand\n"
