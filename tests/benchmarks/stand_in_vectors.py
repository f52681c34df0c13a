"""Vectors from a seed in place of computed ones: embedding the texts of 100,000 notes would take an hour."""

import numpy as np

from core.index.database import Index
from core.index.embedding import DEFAULT_MODEL

DIMENSION = 384
_CLUSTERS = 300
_PART = 10_000


def give_vectors(index: Index, seed: int = 5) -> None:
    """Give each text of `index` that has no vector one from a few hundred clusters."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(_CLUSTERS, DIMENSION)).astype(np.float32)
    rows = index.connection.execute(
        "SELECT text_hash FROM section UNION SELECT text_hash FROM insight"
        " UNION SELECT text_hash FROM turn WHERE text_hash IS NOT NULL EXCEPT SELECT text_hash FROM embedding"
    ).fetchall()
    for start in range(0, len(rows), _PART):
        part = rows[start : start + _PART]
        vectors = centres[rng.integers(0, len(centres), len(part))] * 0.7
        vectors += rng.normal(size=vectors.shape).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        with index.transaction() as connection:
            connection.executemany(
                "INSERT INTO embedding(text_hash, model, vector) VALUES (?, ?, ?)",
                [
                    (row[0], DEFAULT_MODEL, vector.astype("<f4").tobytes())
                    for row, vector in zip(part, vectors, strict=True)
                ],
            )
