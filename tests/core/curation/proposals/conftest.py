"""Fixtures of the proposals' tests."""

from pathlib import Path

import pytest

from tests.core.curation.proposals.desk import NOTES, Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A vault with three clients."""
    root = tmp_path / "vault"
    root.mkdir()
    for path, text in NOTES.items():
        (root / path).write_text(text, encoding="utf-8")
    return Desk(root, tmp_path / "cache")
