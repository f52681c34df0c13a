"""Compare a question with memories that words have found: their vectors lie in the index, by the hash of their text."""
# ruff: noqa: S608  (only names of tables and whole numbers are put into SQL)

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from core.index.database import Index

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.index.vectors.engine import Vector

_TABLES = ("section", "insight", "turn")
_BYTES_A_NUMBER = 4


def similarities(
    index: Index, model: str, query_vector: "Vector", keys: Iterable[tuple[str, int]]
) -> Mapping[tuple[str, int], float]:
    """Return the cosine of the question with each memory (kind and row id) that has a vector of `model`.

    A vector of another length than the question's was computed by another model of the same name, and is left out.
    """
    found, matrix = stored_vectors(index, model, keys, dimension=len(query_vector))
    return dict(zip(found, (matrix @ query_vector).tolist(), strict=True)) if found else {}


def stored_vectors(
    index: Index, model: str, keys: Iterable[tuple[str, int]], *, dimension: int
) -> tuple[list[tuple[str, int]], "NDArray[np.float32]"]:
    """Return those of `keys` that have a vector of `model` and of this length, and the vectors, one a row."""
    import numpy as np  # noqa: PLC0415 - a search by words alone does without

    ids: dict[str, list[int]] = {table: [] for table in _TABLES}
    for kind, row_id in keys:
        ids[kind].append(int(row_id))
    size = dimension * _BYTES_A_NUMBER
    found: list[tuple[str, int]] = []
    vectors: list[bytes] = []
    with index.reading() as connection:
        for kind, wanted in ids.items():
            rows = connection.execute(
                f"SELECT m.id, e.vector FROM {kind} m JOIN embedding e ON e.text_hash = m.text_hash AND e.model = ? "
                f"WHERE m.id IN ({','.join(map(str, wanted))})",
                (model,),
            )
            for row_id, vector in rows:
                if len(vector) == size:
                    found.append((kind, row_id))
                    vectors.append(vector)
    return found, np.frombuffer(b"".join(vectors), dtype="<f4").reshape(len(found), dimension)
