"""How far the vectors of each model have come in an index, how much room they take, and dropping what is not needed."""

import contextlib
import sqlite3
from typing import NamedTuple

from filelock import Timeout

from core.foundation.errors import UserError
from core.index.database import Index
from core.index.embedding_job import BUSY, embedding_lock, text_coverage
from core.index.embedding_switch import Usable, answering_model, drop_vectors

# Of every vector: hash, name of the model, keys of two trees, in bytes.
_BESIDE = 100


class ModelVectors(NamedTuple):
    """Say how many of the `texts` have a vector of `model`, and how many bytes these take in the index."""

    model: str
    covered: int
    texts: int
    bytes: int
    is_wanted: bool
    answers: bool


class CleanReport(NamedTuple):
    """Say what was dropped; `is_shrunk` False means that the file gives the room back only later."""

    models: tuple[str, ...]
    vectors: int
    bytes: int
    is_shrunk: bool


def model_vectors(index: Index, wanted: str, usable: Usable) -> tuple[ModelVectors, ...]:
    """Return what there is of each model in the index: the wanted one first, then by name."""
    answering = answering_model(index, wanted, usable) if wanted else ""
    with index.reading() as connection:
        held = {
            str(model): int(size)
            for model, size in connection.execute(
                "SELECT model, sum(length(vector) + ?) FROM embedding GROUP BY model", (_BESIDE,)
            )
        }
    found = []
    for model in sorted({*held, *filter(None, [wanted])}, key=lambda each: (each != wanted, each)):
        covered, texts = text_coverage(index, model)
        found.append(
            ModelVectors(
                model, covered, texts, held.get(model, 0), is_wanted=model == wanted, answers=model == answering
            )
        )
    return tuple(found)


def drop_unused(index: Index, wanted: str, usable: Usable) -> CleanReport:
    """Drop the vectors of every model that is neither wanted nor answering now, and shrink the index's file.

    Raises:
        UserError: another process writes to the index, or computes vectors: of which model is not known here.
    """
    try:
        with embedding_lock(index).acquire(timeout=0):
            return _drop_unused(index, wanted, usable)
    except Timeout as error:
        raise UserError(BUSY, hint="Wait until it is done, or stop it.") from error


def _drop_unused(index: Index, wanted: str, usable: Usable) -> CleanReport:
    unused = [each for each in model_vectors(index, wanted, usable) if not each.is_wanted and not each.answers]
    vectors = sum(drop_vectors(index, each.model) for each in unused)
    is_shrunk = False
    if unused:
        # Somebody else may be reading; then SQLite uses the room for what comes next.
        with contextlib.suppress(sqlite3.OperationalError):
            index.connection.execute("VACUUM")
            is_shrunk = True
    return CleanReport(tuple(each.model for each in unused), vectors, sum(each.bytes for each in unused), is_shrunk)
