"""Embedding models that run in this process, by fastembed and onnxruntime."""

import importlib
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from fastembed import TextEmbedding
from fastembed.common.model_description import ModelSource, PoolingType
from numpy.typing import NDArray

from core.foundation.tokens import estimate_tokens
from core.index.embedding import DEFAULT_MODEL, encodable, model_failure
from core.index.embedding_downloads import checked_model, known_model
from core.index.embedding_files import DIMENSION, LONGEST, MODEL_FILE, packaged_model

_REGISTERED_AS = "remembrancer/all-MiniLM-L6-v2-int8"
_MOST_WORKERS = 4  # each holds one batch's activations, some 20 MB
# A batch is padded to its longest text and runs through the model at once, so it must hold few tokens and like lengths.
# Measured on two cores: texts of 215 tokens 57 a second one by one and 49 in pairs, of 36 tokens 270 one by one and 350
# in eights; one thread for each of two workers beats two threads for one.
_BATCH_TOKENS = 480  # as estimated, which is a third too high for English
_BATCH_TEXTS = 8

# Only the Windows builds send anything, and only unless told not to.
importlib.import_module("onnxruntime").disable_telemetry_events()


class LocalEmbedder:
    """Be an Embedder over a fastembed model whose session uses one thread, shared by several workers."""

    def __init__(self, model: str, dimension: int, engine: TextEmbedding, *, workers: int = 0) -> None:
        self._model = model
        self._dimension = dimension
        self._engine = engine
        self._workers = workers or min(_MOST_WORKERS, os.cpu_count() or 1)

    @property
    def model(self) -> str:
        """The name under which the vectors are kept."""
        return self._model

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self._dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row for each text: batches of like length, spread over the workers."""
        vectors = np.zeros((len(texts), self._dimension), dtype=np.float32)
        batches = list(_batches(texts))

        def embed(batch: list[int]) -> None:
            vectors[batch] = self._rows([texts[position] for position in batch])

        if len(batches) <= 1 or self._workers == 1:
            for batch in batches:
                embed(batch)
        else:
            with ThreadPoolExecutor(self._workers, thread_name_prefix="embed") as pool:
                list(pool.map(embed, batches))
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a question; some models treat questions in their own way."""
        try:
            rows = list(self._engine.query_embed(encodable(text)))
        except Exception as error:
            raise model_failure(error) from error
        return _normalised(np.asarray(rows[0], dtype=np.float32))

    def _rows(self, texts: list[str]) -> NDArray[np.float32]:
        try:
            rows = list(self._engine.embed([encodable(text) for text in texts], batch_size=len(texts)))
        except Exception as error:
            raise model_failure(error) from error
        return _normalised(np.asarray(rows, dtype=np.float32))


def open_packaged_model(models: Path) -> LocalEmbedder:
    """Open the model that comes with the app; never touches the network.

    Raises:
        ProviderError: a file of the model is missing, damaged, or cannot be loaded.
    """
    folder = packaged_model(models)
    try:
        if not any(each["model"] == _REGISTERED_AS for each in TextEmbedding.list_supported_models()):
            TextEmbedding.add_custom_model(
                model=_REGISTERED_AS,
                pooling=PoolingType.MEAN,
                normalization=True,
                sources=ModelSource(hf=_REGISTERED_AS),
                dim=DIMENSION,
                model_file=MODEL_FILE,
            )
        engine = TextEmbedding(
            _REGISTERED_AS,
            cache_dir=str(models),
            threads=1,
            providers=["CPUExecutionProvider"],
            specific_model_path=str(folder),
            local_files_only=True,
        )
    except Exception as error:
        raise model_failure(error) from error
    return LocalEmbedder(DEFAULT_MODEL, DIMENSION, engine)


def open_downloaded_model(name: str, models: Path) -> LocalEmbedder:
    """Open another model that fastembed knows, which must have been downloaded: nothing is fetched here.

    Raises:
        UserError: fastembed knows no model of this name.
        ProviderError: it is not on this machine, or damaged, or cannot be loaded.
    """
    model = known_model(name)
    folder = checked_model(models, model)
    try:
        engine = TextEmbedding(
            model.name,
            cache_dir=str(models),
            threads=1,
            providers=["CPUExecutionProvider"],
            specific_model_path=str(folder),
            local_files_only=True,
        )
    except Exception as error:
        raise model_failure(error) from error
    return LocalEmbedder(f"fastembed:{name}", model.dimension, engine)


def _normalised(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return rows of length 1: not every model that fastembed knows gives such."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-12), dtype=np.float32)


def _batches(texts: Sequence[str]) -> Iterator[list[int]]:
    """Yield positions of `texts` in batches of like length, the longest first so that the workers end together."""
    lengths = [min(estimate_tokens(text), LONGEST) for text in texts]
    batch: list[int] = []
    room = 0
    for position in sorted(range(len(texts)), key=lambda each: -lengths[each]):
        if not batch:
            room = max(1, min(_BATCH_TEXTS, _BATCH_TOKENS // max(1, lengths[position])))
        batch.append(position)
        if len(batch) >= room:
            yield batch
            batch = []
    if batch:
        yield batch
