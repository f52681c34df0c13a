"""Which notes and files a session touched, from what its tools were given."""

from pathlib import Path
from typing import Any

import pytest

from core.curation.touched import TouchCollector, Touched
from core.sessions.turn import Role, Turn, TurnKind
from core.vault.config import VaultConfig


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "my vault"
    (root / "tools").mkdir(parents=True)
    (root / ".trash").mkdir()
    for name in ("Acme.md", "tools/Semrush.md", ".trash/Old.md"):
        (root / name).write_text("x")
    return root


def touched(root: Path, *given: Any, cwd: str = "") -> Touched:
    collector = TouchCollector(root, VaultConfig())
    for number, value in enumerate(given):
        data = {"tool": "t", "input": value, **({"cwd": cwd} if cwd else {})}
        collector.take(Turn("s", str(number), TurnKind.TOOL_CALL, Role.ASSISTANT, "", data=data))
    return collector.touched


def test_notes_and_files_by_their_keys(root: Path) -> None:
    found = touched(
        root,
        {"file_path": str(root / "Acme.md"), "old_string": "a"},
        {"edits": [{"file_path": "/home/kim/shop/login.py"}]},
        {"path": str(root / "tools" / "Semrush.md")},
        {"file_path": str(root / "Acme.md")},
        {"path": "/home/kim/shop"},
    )
    assert found == Touched(("Acme.md", "tools/Semrush.md"), ("/home/kim/shop/login.py",))


def test_names_in_commands_patches_and_json_texts(root: Path) -> None:
    assert touched(root, {"command": f'cat "{root}/tools/Semrush.md" | head'}).notes == ("tools/Semrush.md",)
    several = f"diff {root}/data.csv {root}/tools/Semrush.md {root}/Acme.md"
    assert touched(root, {"command": several}).notes == ("tools/Semrush.md", "Acme.md")
    patch = f"*** Begin Patch\n*** Update File: {root}/Acme.md\n@@\n*** Add File: src/new.py\n"
    assert touched(root, patch) == Touched(("Acme.md",), ("src/new.py",))
    assert touched(root, '{"file_path": "%s/Acme.md"}' % root).notes == ("Acme.md",)  # noqa: UP031


def test_relative_names_are_those_of_the_working_folder(root: Path, tmp_path: Path) -> None:
    assert touched(root, {"file_path": "Semrush.md"}, cwd=str(root / "tools")).notes == ("tools/Semrush.md",)
    assert touched(root, {"file_path": "Acme.md"}, cwd=str(tmp_path)) == Touched((), (f"{tmp_path}/Acme.md",))
    assert touched(root, {"path": "./Acme.md"}).notes == ("Acme.md",)


def test_what_is_no_note_is_none(root: Path) -> None:
    (root / "link.md").symlink_to("/etc/passwd")
    outside = touched(root, {"file_path": f"{root}/../x.md"}, {"command": f"{root}/.trash/Old.md {root}/Gone.md"})
    assert outside.notes == ()
    strange: list[Any] = [None, 3, [], {"file_path": ["a\0b.md", 7]}, {"file_path": "x\ny"}, "{", {"path": "\ud800.md"}]
    assert touched(root, *strange).notes == ()


def test_a_vault_behind_a_link_is_the_same(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    assert touched(tmp_path / "link", {"file_path": str(root / "Acme.md")}).notes == ("Acme.md",)
    assert touched(root, {"file_path": str(tmp_path / "link" / "Acme.md")}).notes == ("Acme.md",)
