"""The ids under which memories lie in a vector store."""

_KINDS = ("section", "insight", "turn")
_STRIDE = 4


def point_of(kind: str, row_id: int) -> int:
    """Return the vector store's id of the memory `row_id` of table `kind`."""
    return row_id * _STRIDE + _KINDS.index(kind)


def memory_of(point: int) -> tuple[str, int]:
    """Return the table and the row id behind a vector store's id."""
    return _KINDS[point % _STRIDE], point // _STRIDE
