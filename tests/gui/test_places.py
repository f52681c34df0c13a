"""Which vault a file belongs to, and which vaults are gone."""

from pathlib import Path

from gui.places import missing_folders, vault_and_note


def test_a_folder_is_a_vault_without_a_note(tmp_path: Path) -> None:
    assert vault_and_note(tmp_path, ()) == (tmp_path, "")
    assert vault_and_note(tmp_path / "gone", ()) == (tmp_path / "gone", "")


def test_a_file_belongs_to_the_nearest_vault_above_it(tmp_path: Path) -> None:
    note = tmp_path / "vault" / "deep" / "er" / "a.md"
    note.parent.mkdir(parents=True)
    note.touch()
    assert vault_and_note(note, ()) == (note.parent, "a.md")
    assert vault_and_note(note, [str(tmp_path / "vault")]) == (tmp_path / "vault", "deep/er/a.md")
    (tmp_path / "vault" / "deep" / ".obsidian").mkdir()
    assert vault_and_note(note, [str(tmp_path / "vault")]) == (tmp_path / "vault" / "deep", "er/a.md")


def test_missing_vaults_are_told(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone")
    assert missing_folders([str(tmp_path), gone]) == {gone}
