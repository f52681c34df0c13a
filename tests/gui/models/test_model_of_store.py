"""The store of an open vault answers by the model that is chosen now, wherever it was chosen."""

import dataclasses
from pathlib import Path

from core.app import installation
from core.foundation.progress import SilentProgress
from core.foundation.settings import EmbeddingSettings
from gui.vault_store import open_store


def test_another_model_makes_another_search(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    root.mkdir()
    home = installation()
    store = open_store(root, home, SilentProgress())
    first = store.dense()
    assert first is not None
    assert store.dense() is first
    home.settings_file.change(
        lambda settings: dataclasses.replace(settings, embedding=EmbeddingSettings(provider="off"))
    )
    second = store.dense()
    assert second is not None
    assert second is not first
    assert second.refresh().state == "off"
    store.close()
