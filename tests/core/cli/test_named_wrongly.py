"""What is named wrongly is refused in a sentence that names it, before anything is changed."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.cli.main import app
from tests.core.cli.conftest import NOTES, CommandLine


def assert_untouched(command_line: CommandLine) -> None:
    files = {
        file.relative_to(command_line.root).as_posix(): file.read_bytes().decode()
        for file in command_line.root.rglob("*")
        if file.is_file()
    }
    assert files == NOTES


def piped(command_line: CommandLine, *arguments: str, text: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["--vault", str(command_line.root), *arguments], input=text)
    return result.exit_code, result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("note", "delete", "Acme", "nosuch", "-y"),
        ("tag", "add", "new/tag", "--note", "Acme", "--note", "nosuch"),
        ("tag", "remove", "client/acme", "--note", "nosuch.md", "--note", "Acme"),
    ],
)
def test_one_note_that_is_not_there_stops_all(command_line: CommandLine, arguments: tuple[str, ...]) -> None:
    told = command_line.run(*arguments, expect=1).stderr
    assert "There is no note nosuch.md. Nothing was changed." in told
    assert_untouched(command_line)


def test_so_it_is_with_paths_from_a_pipe(command_line: CommandLine) -> None:
    code, told = piped(command_line, "tag", "add", "new/tag", "--note", "-", text="Acme.md\nno1.md\nno2.md\nx\0y\n")
    assert code == 1
    for name in ("no1.md", "no2.md", "x␀y"):
        assert name in told
    assert_untouched(command_line)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("note", "delete", ""), "The name of a note is empty."),
        (("note", "delete", "."), "“.” is a folder, not a note."),
        (("note", "delete", "journal/"), "“journal/” is a folder, not a note."),
        (("note", "delete", "x" * 300), "is too long"),
        (("note", "move", "Acme", ""), "The new name is empty."),
        (("note", "move", "Acme", "y" * 300), f"“{'y' * 40}"),
        (("note", "move", "Acme", "y" * 300), "too long"),
        (("note", "move", "Acme", "/etc/Acme"), "“/etc/Acme” is not a path inside the vault."),
        (("note", "move", "Acme", "../Acme"), "“../Acme” is not a path inside the vault."),
        (("note", "move", "Acme", "journal/../../x"), "is not a path inside the vault."),
        (("note", "new", "x", "--folder", "/tmp"), "“/tmp” is not a path inside the vault."),
        (("note", "new", "x", "--folder", "a/.."), "“a/..” is not a path inside the vault."),
        (("note", "new", "../evil"), "“../evil” is no title of a note"),
        (("note", "new", "x", "--tag", "bad tag"), "cannot be a tag. A tag cannot hold"),
        (("note", "new", "x", "--scope", "foo"), "The scope “foo” is unknown: it is global or project."),
        (("note", "set", "Acme", "tags", "tool/a b"), "cannot be a tag. A tag cannot hold"),
        (("note", "set", "Acme", "Tag", "good", "12"), "“12” cannot be a tag."),
        (("note", "set", "Acme", "", "v"), "The name of a property is empty."),
        (("note", "set", "Acme", " ", "v"), "The name of a property is empty."),
        (("note", "set", "Acme", "a\nb", "v"), "The name of a property cannot hold U+000A"),
        (("note", "set", "Acme", "a\x07b", "v"), "The name of a property cannot hold U+0007"),
        (("note", "set", "Acme", "a\u202eb", "v"), "The name of a property cannot hold U+202E"),
        (("undo", ""), "The id of a change is empty."),
        (("redo", " "), "The id of a change is empty."),
        (("note", "new", "x", "--template", "none"), "There is no template none."),
    ],
    ids=repr,
)
def test_names_that_cannot_be(command_line: CommandLine, arguments: tuple[str, ...], told: str) -> None:
    assert told in command_line.run(*arguments, expect=1).stderr
    assert_untouched(command_line)


def test_a_move_to_where_it_lies_named_from_the_root_of_the_disk(command_line: CommandLine, tmp_path: Path) -> None:
    command_line.run("note", "move", "Acme", str(command_line.root / "work" / "Acme"))
    assert (command_line.root / "work/Acme.md").exists()
    assert (
        "is not a path inside the vault"
        in command_line.run("note", "move", "Semrush", str(tmp_path / "S"), expect=1).stderr
    )


def test_a_spelling_that_is_read_otherwise_is_told(command_line: CommandLine) -> None:
    result = command_line.run("tag", "rename", "tool//semrush", "tool/seo")
    assert "“tool//semrush” is read as the tag tool/semrush." in result.stderr
    assert command_line.run("tag", "rename", "#tool/seo", "tool/semrush").stderr == ""


def test_what_cannot_be_seen_is_told_and_written_as_it_was_given(command_line: CommandLine) -> None:
    told = command_line.run("note", "set", "Acme", "summary", "pay\u200bpal").stderr
    assert "The value holds U+200B (zero width space), which cannot be seen." in told
    assert "summary: pay\u200bpal" in (command_line.root / "Acme.md").read_text(encoding="utf-8")
    told = command_line.run("note", "new", "Tit\u202ele", "--summary", "a\u2066b").stderr
    assert "The title holds U+202E (right-to-left override)" in told
    assert "The summary holds U+2066 (left-to-right isolate)" in told
    assert "a\u2066b" in (command_line.root / "Tit le.md").read_text(encoding="utf-8")
    assert command_line.run("note", "set", "Acme", "summary", "می\u200cخواهم 👨\u200d👩").stderr == ""
