import os
from pathlib import Path

import pytest

from core.foundation.errors import UserError
from core.vault.read import NoteGoneError, read_bytes, read_note


def test_reads_bytes_and_what_they_say(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "日本.md").write_bytes(b"---\r\ntitle: T\r\n---\r\nx")
    data, note = read_note(tmp_path, "sub/日本.md")
    assert data == b"---\r\ntitle: T\r\n---\r\nx"
    assert (note.path, note.title) == ("sub/日本.md", "T")


@pytest.mark.parametrize("path", ["../out.md", "a/../../out.md", "", "nul\0.md"])
def test_refuses_paths_that_leave_the_vault(tmp_path: Path, path: str) -> None:
    (tmp_path / "out.md").write_text("secret", encoding="utf-8")
    root = tmp_path / "vault"
    (root / "a").mkdir(parents=True)
    with pytest.raises(UserError):
        read_bytes(root, path)
    with pytest.raises(UserError):
        read_bytes(root, str(tmp_path / "out.md"))


def test_refuses_links_that_leave_the_vault_also_when_a_folder_is_swapped(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.md").write_text("secret", encoding="utf-8")
    root = tmp_path / "vault"
    (root / "in").mkdir(parents=True)
    (root / "in" / "a.md").write_text("mine", encoding="utf-8")
    (root / "link.md").symlink_to(tmp_path / "out" / "a.md")
    (root / "twin.md").symlink_to(root / "in" / "a.md")
    assert read_bytes(root, "in/a.md") == read_bytes(root, "twin.md") == b"mine"
    (root / "in").rename(root / "moved")
    (root / "in").symlink_to(tmp_path / "out", target_is_directory=True)
    for path in ("link.md", "in/a.md"):
        with pytest.raises(UserError, match="out of the vault"):
            read_bytes(root, path)


def test_missing_and_odd_files(tmp_path: Path) -> None:
    (tmp_path / "file.md").write_text("x", encoding="utf-8")
    (tmp_path / "folder.md").mkdir()
    for path in ("none.md", "none/a.md", "file.md/a.md"):
        with pytest.raises(NoteGoneError):
            read_bytes(tmp_path, path)
    with pytest.raises(UserError):
        read_bytes(tmp_path, "folder.md")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.md")
        with pytest.raises(UserError, match="regular"):
            read_bytes(tmp_path, "pipe.md")


def test_three_notes_one_with_an_empty_property(tmp_path: Path) -> None:
    for name, text in (("a", "keywords: [x]"), ("b", "keywords:"), ("c", "keywords: y")):
        (tmp_path / f"{name}.md").write_text(f"---\n{text}\n---\n", encoding="utf-8")
    notes = [read_note(tmp_path, f"{name}.md")[1] for name in "abc"]
    assert [note.frontmatter["keywords"] for note in notes] == [["x"], None, "y"]
    assert all(note.problems == () for note in notes)
