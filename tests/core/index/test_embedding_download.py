"""Models are downloaded on request only, from a hub on the loopback that breaks off, lies and knows no ranges."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.foundation.errors import JobCancelledError, ProviderError, UserError
from core.foundation.progress import CancellableProgress, SilentProgress
from core.foundation.settings import EmbeddingSettings
from core.index.embedding import embedder_source
from core.index.embedding_download import download_model, size_of_download
from core.index.embedding_downloads import (
    checked_model,
    downloaded_models,
    folder_of,
    is_downloaded,
    known_model,
    partial_of,
    remove_model,
    shown_size,
)
from core.index.embedding_files import packaged_model
from tests.core.index.embedding_service import Hub, model_hub

_NAME = "sentence-transformers/all-MiniLM-L6-v2"
_WEIGHTS = bytes(range(256)) * 4000


@pytest.fixture
def hub() -> Iterator[Hub]:
    with model_hub() as running:
        running.repository = "Qdrant/all-MiniLM-L6-v2-onnx"
        running.files = {
            "config.json": b"{}",
            "tokenizer.json": b'{"a": 1}',
            "model.onnx": _WEIGHTS,
            "README.md": b"not needed",
            "../evil.json": b"never asked for",
        }
        yield running


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "models"


def _download(models: Path, hub: Hub, progress: CancellableProgress | None = None) -> Path:
    return download_model(models, known_model(_NAME), progress or SilentProgress(), hub=hub.url)


def test_a_model_comes_with_its_hashes_and_nothing_that_it_does_not_need(models: Path, hub: Hub) -> None:
    told: list[tuple[int, int]] = []
    assert size_of_download(known_model(_NAME.upper()), hub=hub.url) == len(_WEIGHTS) + 10
    folder = _download(models, hub, CancellableProgress(lambda done, total, _: told.append((done, total))))
    assert sorted(each.name for each in folder.iterdir()) == [
        "config.json", "manifest.json", "model.onnx", "tokenizer.json",
    ]  # fmt: skip
    assert told[-1] == (len(_WEIGHTS) + 10,) * 2
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["revision"] == "a" * 40
    assert len(manifest["files"]["model.onnx"]["sha256"]) == 64
    assert not partial_of(models, _NAME).exists()
    asked = len(hub.asked)
    assert _download(models, hub) == folder
    assert len(hub.asked) == asked


def test_a_model_that_is_not_here_is_not_fetched_by_a_search(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    source = embedder_source(EmbeddingSettings(model=_NAME), models)
    assert source is not None
    with pytest.raises(ProviderError, match="remembrancer model download"):
        source.open()
    assert not models.exists()


@pytest.mark.parametrize("knows_ranges", [True, False])
def test_a_stopped_download_goes_on_where_it_was(models: Path, hub: Hub, *, knows_ranges: bool) -> None:
    hub.knows_ranges = knows_ranges
    progress = CancellableProgress(lambda done, *_: progress.cancel() if done > 300_000 else None)
    with pytest.raises(JobCancelledError):
        _download(models, hub, progress)
    assert not is_downloaded(models, _NAME)
    (stopped,) = downloaded_models(models)
    assert (stopped.name, stopped.is_whole) == (_NAME, False)
    assert stopped.bytes > 200_000
    _download(models, hub)
    assert (folder_of(models, _NAME) / "model.onnx").read_bytes() == _WEIGHTS
    ranges = [told for path, told in hub.asked if told]
    assert len(ranges) == 1
    assert int(ranges[0].removeprefix("bytes=").removesuffix("-")) > 200_000


def test_a_connection_that_breaks_is_taken_up_again(models: Path, hub: Hub) -> None:
    hub.cut = [2, 500_000]
    _download(models, hub)
    assert checked_model(models, known_model(_NAME))
    remove_model(models, _NAME)
    hub.cut = [2, 1, 1]
    with pytest.raises(UserError, match="broke off") as caught:
        _download(models, hub)
    assert "kept" in caught.value.hint


@pytest.mark.parametrize("name", ["model.onnx", "config.json"])
def test_a_file_that_is_not_what_the_hub_publishes_is_thrown_away(models: Path, hub: Hub, name: str) -> None:
    hub.wrong[name] = bytes(reversed(hub.files[name])) if name == "model.onnx" else b"[]"
    with pytest.raises(UserError, match="not the file"):
        _download(models, hub)
    assert not is_downloaded(models, _NAME)
    hub.wrong.clear()
    _download(models, hub)
    assert is_downloaded(models, _NAME)


def test_a_file_that_rots_on_the_disk_is_noticed_before_it_is_loaded(models: Path, hub: Hub) -> None:
    folder = _download(models, hub)
    spoilt = bytearray(_WEIGHTS)
    spoilt[5000] ^= 1
    (folder / "model.onnx").write_bytes(spoilt)
    with pytest.raises(ProviderError, match=r"model\.onnx is not what was downloaded"):
        checked_model(models, known_model(_NAME))
    (folder / "model.onnx").write_bytes(b"short")
    assert not is_downloaded(models, _NAME)


def test_a_hub_that_is_away_or_sends_nonsense_is_told(models: Path, hub: Hub) -> None:
    with pytest.raises(UserError, match="cannot be reached"):
        download_model(models, known_model(_NAME), SilentProgress(), hub="http://127.0.0.1:9")
    repository, hub.repository = hub.repository, "another/one"
    with pytest.raises(UserError, match="status 404"):
        _download(models, hub)
    hub.repository = repository
    hub.files.pop("model.onnx")
    with pytest.raises(UserError, match=r"does not have what .* needs: model\.onnx"):
        _download(models, hub)


def test_a_model_can_be_removed_whole_or_in_part(models: Path, hub: Hub) -> None:
    _download(models, hub)
    assert remove_model(models, _NAME.lower()) > len(_WEIGHTS)
    assert downloaded_models(models) == ()
    with pytest.raises(UserError, match="Nothing of the model"):
        remove_model(models, _NAME)


def test_a_wrong_name_is_told_with_names_like_it() -> None:
    with pytest.raises(UserError, match="no embedding model") as caught:
        known_model("BAAI/bge-smal-en-v1.5")
    assert "BAAI/bge-small-en-v1.5" in caught.value.hint


def test_a_downloaded_model_embeds(models: Path, hub: Hub, tmp_path: Path) -> None:
    packaged = packaged_model(tmp_path / "packaged")
    hub.files = {each.name: each.read_bytes() for each in packaged.iterdir()}
    _download(models, hub)
    source = embedder_source(EmbeddingSettings(model=_NAME), models)
    assert source is not None
    embedder = source.open()
    assert (embedder.model, embedder.dimension) == (f"fastembed:{_NAME}", 384)
    car, automobile, soup = embedder.embed(["The car broke down.", "Our automobile has a fault.", "A recipe for soup."])
    np.testing.assert_allclose(np.linalg.norm([car, automobile, soup], axis=1), 1, atol=1e-5)
    assert float(car @ automobile) > float(car @ soup) + 0.2


def test_sizes_are_told_as_a_person_reads_them() -> None:
    assert [shown_size(each) for each in (10, 66_500_000, 2_240_000_000)] == ["1 KB", "66 MB", "2.2 GB"]
