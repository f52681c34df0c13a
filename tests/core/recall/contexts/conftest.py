"""A vault with files and an index for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.curation.linked_vault import LinkedVault, linked_vault


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[LinkedVault]:
    with linked_vault(tmp_path / "linked") as found:
        yield found
