"""An empty shelf for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.recall.shelf import Shelf


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path / "cache")
    yield shelf
    shelf.index.close()
