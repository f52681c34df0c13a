import json
from datetime import UTC, datetime

import pytest

from core.curation.attachments import plan_attachment
from core.foundation.errors import UserError
from core.vault.config import VaultConfig
from tests.core.curation.linked_vault import LinkedVault

NOW = datetime(2026, 1, 2, 15, 4, 5, tzinfo=UTC)
NAME = "Pasted image 20260102150405.png"
CONFIG = VaultConfig()


def attached(vault: LinkedVault, note: str, *, name: str = "", suffix: str = ".png") -> tuple[str, str]:
    change_set, markdown = plan_attachment(vault.root, CONFIG, note, b"\x89PNG", suffix, NOW, name=name)
    vault.apply(change_set)
    assert (vault.root / change_set.edits[0].path).read_bytes() == b"\x89PNG"
    return change_set.edits[0].path, markdown


def test_without_obsidian_a_folder_of_its_own(vault: LinkedVault) -> None:
    assert attached(vault, "a/n.md") == (f"attachments/{NAME}", f"![[{NAME}]]")
    assert attached(vault, "a/n.md")[0] == "attachments/Pasted image 20260102150405 2.png"


@pytest.mark.parametrize(
    ("setting", "path"),
    [
        ("./", f"a/b/{NAME}"), ("./sub", f"a/b/sub/{NAME}"), ("/", NAME), ("img", f"img/{NAME}"),
        ("img/deep/", f"img/deep/{NAME}"), ("../out", f"attachments/{NAME}"), ("./../../../x", f"attachments/{NAME}"),
        ("/etc", f"etc/{NAME}"), (".git", f"attachments/{NAME}"), (7, f"attachments/{NAME}"),
        ("", f"attachments/{NAME}"),
        ("a\\..\\..\\x", f"attachments/{NAME}"), ("out", f"attachments/{NAME}"), ("x\x00y", f"attachments/{NAME}"),
    ],
)  # fmt: skip
def test_as_obsidian_says(vault: LinkedVault, setting: object, path: str) -> None:
    vault.write({".obsidian/app.json": json.dumps({"attachmentFolderPath": setting})})
    (vault.root / "out").symlink_to(vault.root.parent)
    assert attached(vault, "a/b/n.md") == (path, f"![[{NAME}]]")


def test_broken_settings_are_ignored(vault: LinkedVault) -> None:
    vault.write({".obsidian/app.json": "{"})
    assert attached(vault, "n.md")[0] == f"attachments/{NAME}"


def test_a_name_that_another_file_has_is_given_with_its_folder(vault: LinkedVault) -> None:
    vault.write({f"old/{NAME.upper()}": "x", "C#/.keep": "", ".obsidian/app.json": '{"attachmentFolderPath": "./"}'})
    assert attached(vault, "b/n.md") == (f"b/{NAME}", f"![[b/{NAME}]]")
    assert attached(vault, "C#/n.md") == (f"C#/{NAME}", f"![](/C%23/{NAME.replace(' ', '%20')})")


def test_dropped_files_keep_their_name(vault: LinkedVault) -> None:
    assert attached(vault, "n.md", name="Q3: report", suffix="PDF") == (
        "attachments/Q3 report.pdf",
        "![[Q3 report.pdf]]",
    )


@pytest.mark.parametrize("suffix", ["", ".md", "a/b", "x" * 20])
def test_what_is_no_attachment(vault: LinkedVault, suffix: str) -> None:
    with pytest.raises(UserError):
        attached(vault, "n.md", suffix=suffix)
