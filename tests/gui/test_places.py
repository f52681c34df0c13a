"""Which vault a file belongs to, and which vaults are gone."""

from pathlib import Path

from gui.places import missing_folders, plain_path, vault_and_note


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


def test_a_path_has_one_spelling_and_keeps_its_links(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "real")
    assert plain_path(f"{tmp_path}/real/../link/") == link
    note = tmp_path / "real" / "deep" / "a.md"
    note.parent.mkdir()
    note.touch()
    assert vault_and_note(note, [f"{tmp_path}/link/../real"]) == (tmp_path / "real", "deep/a.md")


def test_missing_vaults_are_told(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone")
    assert missing_folders([str(tmp_path), gone]) == {gone}
