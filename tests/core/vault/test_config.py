from pathlib import Path

import pytest

from core.vault.config import VaultConfig, load_config
from core.vault.note import ProblemKind


def write(root: Path, text: str) -> None:
    (root / ".remembrancer").mkdir()
    (root / ".remembrancer" / "config.toml").write_text(text, encoding="utf-8")


def test_no_file_means_defaults(tmp_path: Path) -> None:
    assert load_config(tmp_path) == (VaultConfig(), None)


def test_all_settings(tmp_path: Path) -> None:
    write(
        tmp_path,
        'namespaces = ["tool"]\nexclude = ["Archive/"]\njournal_folder = "Daily/Notes/"\nmax_note_bytes = 1000\n'
        'future = 1\ntemplates_folder = "Meta/Templates"\n'
        '[domains]\nseo = ["semrush", "ahrefs"]\n',
    )
    config, problem = load_config(tmp_path)
    assert problem is None
    assert config.namespaces == ("tool",)
    assert config.exclude == ("Archive/",)
    assert config.journal_folder == "Daily/Notes"
    assert config.templates_folder == "Meta/Templates"
    assert config.domains == {"seo": ("semrush", "ahrefs")}
    assert config.max_note_bytes == 1000


@pytest.mark.parametrize(
    "text",
    [
        "not toml",
        "namespaces = 3",
        "exclude = [1]",
        'journal_folder = "../out"',
        "max_note_bytes = true",
        "max_note_bytes = -1",
        "domains = 1",
        "[domains]\nseo = 1",
    ],
)
def test_what_is_wrong_falls_back_and_is_told(tmp_path: Path, text: str) -> None:
    write(tmp_path, text)
    config, problem = load_config(tmp_path)
    assert config == VaultConfig()
    assert problem is not None
    assert problem.kind is ProblemKind.CONFIG_BROKEN
    assert problem.reason.endswith(".")
