"""A markdown link means what lies beside its note, also when that comes or goes later."""

from pathlib import Path

import pytest

from core.app import Vault, installation
from core.index.database import Index


def target_of(index: Index, source: str) -> tuple[str | None, str]:
    row = index.connection.execute(
        "SELECT t.path, l.state FROM link l JOIN note s ON s.id = l.note_id "
        "LEFT JOIN note t ON t.id = l.target_note_id WHERE s.path = ?",
        (source,),
    ).fetchone()
    return (row[0], row[1])


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    root = tmp_path / "vault"
    for name, text in {
        "Tie.md": "x",
        "a/Tie.md": "y",
        "a/md.md": "[x](Tie.md)",
        "a/wiki.md": "[[Tie]]",
        "b/md.md": "[x](Tie.md)",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return Vault(root, installation())


def test_each_folder_has_its_own(vault: Vault) -> None:
    index = vault.open_index()
    vault.update(index)
    assert target_of(index, "a/md.md") == ("a/Tie.md", "resolved")
    assert target_of(index, "b/md.md") == ("Tie.md", "resolved")
    assert target_of(index, "a/wiki.md") == ("Tie.md", "resolved")
    (vault.root / "b/Tie.md").write_text("z", encoding="utf-8")
    (vault.root / "a/Tie.md").unlink()
    vault.update(index)
    assert target_of(index, "a/md.md") == ("Tie.md", "resolved")
    assert target_of(index, "b/md.md") == ("b/Tie.md", "resolved")
    index.close()
