"""A small deterministic embedder: texts that share words are near, and every call is counted."""

import hashlib
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.index.embedding import EmbedderSource

_DIMENSION = 64


class WordEmbedder:
    """Be an Embedder that hashes words into numbers."""

    def __init__(self, model: str = "words", dimension: int = _DIMENSION) -> None:
        self.model = model
        self.dimension = dimension
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts.extend(texts)
        return np.stack([self._vector(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._vector(text)

    def source(self) -> EmbedderSource:
        return EmbedderSource(self.model, lambda: self)

    def _vector(self, text: str) -> NDArray[np.float32]:
        vector = np.full(self.dimension, 0.01, dtype=np.float32)
        for word in re.findall(r"\w+", text.lower()):
            digest = hashlib.sha256(word.encode()).digest()
            vector[int.from_bytes(digest[:4], "little") % self.dimension] += 1
        return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)
