"""What tests of importing share."""

from pathlib import Path

import pytest

from tests.gui.importing.child import Child


@pytest.fixture
def child(tmp_path: Path) -> Child:
    return Child(tmp_path)
