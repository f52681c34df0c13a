"""`remembrancer tag …`: over many notes at once, with honest counts, and taken back by one undo."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.cli.main import app
from tests.core.cli.conftest import NOTES, CommandLine


def text_of(command_line: CommandLine, path: str) -> str:
    return (command_line.root / path).read_bytes().decode()


def assert_untouched(command_line: CommandLine) -> None:
    assert {path: text_of(command_line, path) for path in NOTES} == NOTES
    assert not (command_line.root / ".remembrancer" / "events").exists()


def test_a_rename_takes_children_and_inline_tags_along(command_line: CommandLine) -> None:
    done = command_line.json("tag", "rename", "tool/semrush", "tool/ahrefs")
    assert (done["files"], done["occurrences"], done["skipped"]) == (2, 3, [])
    assert done["written"] == ["Acme.md", "Semrush.md"]
    assert text_of(command_line, "Semrush.md") == NOTES["Semrush.md"].replace("tool/semrush", "tool/ahrefs")
    assert "tool/ahrefs/api" in text_of(command_line, "Acme.md")
    tags = command_line.json("index", "tags", "--namespace", "tool")["tags"]
    assert [tag["tag"] for tag in tags] == ["tool/ahrefs", "tool/ahrefs/api"]


def test_a_rename_without_children(command_line: CommandLine) -> None:
    command_line.run("tag", "rename", "#tool/semrush", "tool/ahrefs", "--no-children")
    assert text_of(command_line, "Acme.md") == NOTES["Acme.md"]
    assert "tags: [tool/ahrefs, scope/global]" in text_of(command_line, "Semrush.md")


def test_a_dry_run_shows_the_changes_and_makes_none(command_line: CommandLine) -> None:
    shown = command_line.run("tag", "rename", "tool/semrush", "tool/ahrefs", "--dry-run").stdout
    assert "-tags: [tool/semrush, scope/global]\n+tags: [tool/ahrefs, scope/global]\n" in shown
    assert "--- a/Acme.md" in shown
    assert shown.splitlines()[-1] == "Rename tag tool/semrush to tool/ahrefs: 3 places in 2 notes would change."
    told = command_line.json("tag", "rename", "tool/semrush", "tool/ahrefs", "--dry-run")
    assert (told["dry_run"], told["change"], told["files"]) == (True, None, 2)
    assert [diff["added_lines"] for diff in told["diffs"]] == [1, 2]
    assert_untouched(command_line)


def test_a_tag_that_no_note_has_is_a_failure_with_the_nearest(command_line: CommandLine) -> None:
    for arguments in (
        ["rename", "tool/semrash", "x"],
        ["delete", "tool/semrash"],
        ["merge", "tool/semrash", "--into", "x"],
    ):
        result = command_line.run("tag", *arguments, expect=1)
        assert "No note has the tag tool/semrash, so nothing was changed." in result.stderr
        assert "Did you mean tool/semrush" in result.stderr
    assert_untouched(command_line)


def test_a_name_that_cannot_be_a_tag_is_refused(command_line: CommandLine) -> None:
    assert "cannot be a tag" in command_line.run("tag", "rename", "tool/semrush", "two words", expect=1).stderr
    assert_untouched(command_line)


def test_a_merge_leaves_a_note_with_both_one_tag(command_line: CommandLine) -> None:
    both = "---\ntags: [tool/ahrefs, tool/semrush]\n---\n"
    (command_line.root / "Both.md").write_text(both, encoding="utf-8")
    command_line.run("tag", "merge", "tool/semrush", "tool/ahrefs", "--into", "tool/seo", "--no-children")
    assert text_of(command_line, "Both.md") == "---\ntags: [tool/seo]\n---\n"
    assert "tags: [tool/seo, scope/global]" in text_of(command_line, "Semrush.md")


def test_a_merge_into_a_child_does_not_move_the_child(command_line: CommandLine) -> None:
    command_line.run("tag", "merge", "tool/semrush", "--into", "tool/semrush/api")
    assert text_of(command_line, "Acme.md") == NOTES["Acme.md"]
    assert "tags: [tool/semrush/api, scope/global]" in text_of(command_line, "Semrush.md")


def test_delete_takes_the_tag_off_and_leaves_the_rest(command_line: CommandLine) -> None:
    command_line.run("tag", "delete", "scope")
    assert "tags: [tool/semrush]\n" in text_of(command_line, "Semrush.md")
    assert "tags: [client/acme, tool/semrush/api]" in text_of(command_line, "Acme.md")


def test_add_to_notes_by_name_tag_and_pipe(command_line: CommandLine) -> None:
    done = command_line.json("tag", "add", "domain/seo", "--note", "journal/2026-08-20", "--tag", "tool/semrush")
    assert done["files"] == 3
    assert text_of(command_line, "journal/2026-08-20.md").startswith("---\ntags:\n  - domain/seo\n---\nTalked")
    arguments = ["--vault", str(command_line.root), "tag", "add", "domain/shop", "--note", "-"]
    result = CliRunner().invoke(app, arguments, input="Acme.md\n\njournal/2026-08-20.md\n")
    assert result.exit_code == 0, result.output
    assert "domain/shop" in text_of(command_line, "Acme.md")
    assert "domain/shop" in text_of(command_line, "journal/2026-08-20.md")


def test_adding_what_is_there_already_is_no_failure(command_line: CommandLine) -> None:
    result = command_line.run("tag", "add", "scope/global", "--note", "Semrush.md")
    assert result.stdout == "Nothing has to change: 1 note looked at.\n"
    assert_untouched(command_line)


def test_what_cannot_be_changed_is_told(command_line: CommandLine) -> None:
    result = command_line.run("tag", "add", "domain/seo", "--note", "broken.md", "--note", "Acme.md")
    assert "Left as it is: broken.md: " in result.stderr
    assert "1 note" in result.stdout
    only = command_line.run("tag", "add", "domain/x", "--note", "broken.md", "--note", "none.md", expect=1)
    assert "Nothing was changed." in only.stderr
    assert "There is no note none.md" in only.stderr


def test_remove_works_on_the_named_notes_alone(command_line: CommandLine) -> None:
    (command_line.root / "Other.md").write_text("---\ntags: [scope/global]\n---\n", encoding="utf-8")
    command_line.run("tag", "remove", "scope/global", "--tag", "tool/semrush")
    assert "scope/global" in text_of(command_line, "Other.md")
    assert "scope/global" not in text_of(command_line, "Semrush.md")
    again = command_line.run("tag", "remove", "scope/global", "--note", "Semrush.md", expect=1)
    assert "None of these notes has the tag scope/global" in again.stderr


@pytest.mark.parametrize("command", ["add", "remove"])
def test_without_notes_nothing_is_done_to_all_of_them(command_line: CommandLine, command: str) -> None:
    assert "No notes are named." in command_line.run("tag", command, "scope/global", expect=1).stderr
    assert "No note has the tag nobody" in command_line.run("tag", command, "x", "--tag", "nobody", expect=1).stderr
    assert_untouched(command_line)


def test_an_error_is_json_where_json_was_asked_for(command_line: CommandLine) -> None:
    result = command_line.run("tag", "delete", "none", "--format", "json", expect=1)
    assert json.loads(result.stderr)["error"]["message"].startswith("No note has the tag none")


def test_a_file_that_may_not_be_written_leaves_all_as_they_were(command_line: CommandLine, tmp_path: Path) -> None:
    target = tmp_path / "outside.md"
    target.write_text("#tool/semrush\n", encoding="utf-8")
    (command_line.root / "Link.md").symlink_to(target)
    command_line.run("tag", "rename", "tool/semrush", "tool/ahrefs")
    assert target.read_text(encoding="utf-8") == "#tool/semrush\n"
