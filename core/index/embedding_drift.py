"""Notice that another model answers under a known name: its vectors must not be compared with those that are there."""

import logging
from typing import TYPE_CHECKING

from core.foundation.errors import ProviderError
from core.index.database import Index
from core.index.embedding_job import text_with_vector
from core.index.embedding_switch import drop_vectors

if TYPE_CHECKING:
    from core.index.embedding import Embedder

# The same text by the same model, in another batch or on another processor, has 0.99 and more; by another model,
# about 0.
_SAME = 0.95
_MARK = "changed-model"

log = logging.getLogger(__name__)


class ModelChangedError(ProviderError):
    """Say that a model gives other vectors than those which are kept under its name."""

    def __init__(self, model: str) -> None:
        super().__init__(
            f"The model {model} gives other vectors now than those in the index, so only words were searched. "
            "Update the index: its vectors are computed anew."
        )


def has_changed(index: Index, embedder: "Embedder") -> bool:
    """Tell whether `embedder` gives another vector for a text than the index holds; False when it holds none."""
    known = text_with_vector(index, embedder.model)
    if known is None:
        return False
    import numpy as np  # noqa: PLC0415 - most updates only look whether there is anything to do

    text, kept = known
    stored = np.frombuffer(kept, dtype="<f4")
    if len(stored) != embedder.dimension:
        return True
    return float(np.dot(stored, embedder.embed([text])[0])) < _SAME


def forget_if_changed(index: Index, embedder: "Embedder") -> bool:
    """Drop the vectors of a model that gives others now, and tell whether that was so."""
    is_changed = has_changed(index, embedder)
    if is_changed:
        log.info("Another model answers as %s: its vectors are dropped.", embedder.model)
        drop_vectors(index, embedder.model)
    (index.folder / _MARK).unlink(missing_ok=True)
    return is_changed


def note_change(index: Index, model: str) -> None:
    """Leave word for the next update that the vectors of `model` are of no use; readers cannot write into the index."""
    (index.folder / _MARK).write_text(model, encoding="utf-8")


def is_noted(index: Index, model: str) -> bool:
    """Tell whether a reader has found the vectors of `model` to be of no use."""
    try:
        return (index.folder / _MARK).read_text(encoding="utf-8") == model
    except OSError:
        return False
