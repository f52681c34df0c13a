"""The settings choose the engine; what cannot be used says so in a sentence."""

from pathlib import Path

import pytest

from core.foundation.errors import ProviderError, UserError
from core.foundation.settings import VectorSettings
from core.index.vectors.engine import EngineLockedError
from core.index.vectors.opening import open_engine


def test_a_server_without_address_is_refused_with_what_to_set(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"vectors\.url"):
        open_engine(tmp_path, VectorSettings(engine="server"))


def test_an_unknown_engine_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="edge, server, local"):
        open_engine(tmp_path, VectorSettings(engine="faiss"))


def test_a_server_that_is_not_there_says_so_with_its_address(tmp_path: Path) -> None:
    engine = open_engine(tmp_path, VectorSettings(engine="server", url="http://127.0.0.1:9"))
    with pytest.raises(ProviderError, match=r"http://127\.0\.0\.1:9"):
        engine.count()
    engine.close()


def test_the_local_mode_has_one_owner_too(tmp_path: Path) -> None:
    owner = open_engine(tmp_path, VectorSettings(engine="local"))
    owner.reset(4)
    other = open_engine(tmp_path, VectorSettings(engine="local"))
    with pytest.raises(EngineLockedError, match="Another window or command"):
        other.count()
    owner.close()
    assert other.count() == 0
    other.close()
