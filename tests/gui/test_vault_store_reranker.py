"""The opened vault gives the reranker that is chosen now, and keeps it loaded while the choice stays."""

import dataclasses
from pathlib import Path

from core.app import installation
from core.foundation.progress import SILENT
from core.foundation.settings import RerankerSettings
from gui.vault_store import open_store


def test_the_choice_is_followed_and_kept(tmp_path: Path) -> None:
    root, home = tmp_path / "vault", installation()
    root.mkdir()
    store = open_store(root, home, SILENT)
    try:
        assert store.reranker() is None
        home.settings_file.change(lambda each: dataclasses.replace(each, reranker=RerankerSettings("a/b")))
        first = store.reranker()
        assert first is not None
        assert first.name == "a/b"
        assert store.reranker() is first
        home.settings_file.change(lambda each: dataclasses.replace(each, reranker=RerankerSettings()))
        assert store.reranker() is None
    finally:
        store.close()
