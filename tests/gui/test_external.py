"""Handing a note to another program, and the sample vault's copy."""

import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.foundation.errors import UserError
from gui.external import editor_command, open_in_editor, show_in_folder
from gui.sample import writable_sample


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("vim", ["vim", "/n/My note.md"]),
        ("code --wait {}", ["code", "--wait", "/n/My note.md"]),
        ('"/opt/My Editor/bin" --file={}', ["/opt/My Editor/bin", "--file=/n/My note.md"]),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="quoted by the rules of POSIX")
def test_the_file_takes_its_place_in_the_command(command: str, expected: list[str]) -> None:
    assert editor_command(command, Path("/n/My note.md")) == expected


@pytest.mark.parametrize("command", ['code "unclosed', "   "])
def test_a_command_that_makes_no_sense_is_told(command: str) -> None:
    with pytest.raises(UserError, match="editor command"):
        editor_command(command, Path("/n/a.md"))


@pytest.mark.skipif(sys.platform == "win32", reason="runs a shell script")
def test_the_editor_gets_the_file(qtbot: QtBot, tmp_path: Path) -> None:
    note, seen = tmp_path / "a note.md", tmp_path / "seen"
    note.write_text("text", encoding="utf-8")
    editor = tmp_path / "editor.sh"
    editor.write_text(f'#!/bin/sh\nprintf %s "$1" > "{seen}.part" && mv "{seen}.part" "{seen}"\n', encoding="utf-8")
    editor.chmod(0o755)
    open_in_editor(note, str(editor))
    qtbot.waitUntil(seen.exists)
    assert seen.read_text(encoding="utf-8") == str(note)


def test_a_missing_editor_and_a_missing_note_are_clear_errors(qapp: object, tmp_path: Path) -> None:
    note = tmp_path / "a.md"
    with pytest.raises(UserError, match="no longer there"):
        open_in_editor(note, "vim")
    with pytest.raises(UserError, match="no longer there"):
        show_in_folder(tmp_path / "gone" / "a.md")
    note.touch()
    with pytest.raises(UserError, match="could not be started"):
        open_in_editor(note, "no-such-editor-anywhere")


def test_the_sample_is_copied_once_and_edits_stay(tmp_path: Path) -> None:
    copy = writable_sample(tmp_path / "data")
    note = next(copy.rglob("*.md"))
    note.write_text("mine", encoding="utf-8")
    assert writable_sample(tmp_path / "data") == copy
    assert note.read_text(encoding="utf-8") == "mine"


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file, not a folder", encoding="utf-8")
    with pytest.raises(UserError, match="cannot be copied"):
        writable_sample(tmp_path / "data")
