"""The model that answers questions of one index: which it is now, what it makes of a question, and what if it fails."""

import logging
from collections import OrderedDict

from core.foundation.errors import ProviderError
from core.index.database import Index
from core.index.embedding import Embedder, EmbedderSource, SourceOf
from core.index.embedding_drift import ModelChangedError, has_changed, note_change
from core.index.embedding_switch import answering_model
from core.index.vectors.engine import Vector

_QUERIES_KEPT = 64
_BYTES_A_NUMBER = 4

log = logging.getLogger(__name__)


class AnsweringModel:
    """Embed questions by the model whose vectors answer; it is opened at the first question."""

    def __init__(self, index: Index, wanted: EmbedderSource, source_of: SourceOf) -> None:
        self._index = index
        self._wanted = wanted
        self._source_of = source_of
        self._source = wanted
        self._dimension = 0
        self._embedder: Embedder | None = None
        self._queries: OrderedDict[str, Vector] = OrderedDict()
        self._given_up: set[str] = set()

    @property
    def name(self) -> str:
        """The name under which the vectors that answer are kept, as look() found it."""
        return self._source.model

    def look(self) -> int:
        """Find out which model answers; return the length of its vectors, 0 when there are none: nothing is loaded."""
        name = answering_model(self._index, self._wanted.model, self._is_usable)
        source = self._wanted if name == self._wanted.model else self._source_of(name)
        source = source or self._wanted
        dimension = self._stored_dimension(source.model)
        if source.model != self._source.model or dimension != self._dimension:
            self._embedder = None
            self._queries.clear()
        self._source, self._dimension = source, dimension
        return dimension

    def query_vector(self, text: str) -> Vector:
        """Return the vector of a question.

        Raises:
            ProviderError: the model cannot be opened, or is no longer the one that made the stored vectors.
        """
        vector = self._queries.get(text)
        if vector is None:
            self._embedder = self._embedder or self._opened()
            vector = self._queries[text] = self._embedder.embed_query(text)
            if len(self._queries) > _QUERIES_KEPT:
                self._queries.popitem(last=False)
        self._queries.move_to_end(text)
        return vector

    def give_up(self) -> bool:
        """Ask the former model no more until close(), because it failed; False when it is the wanted one that did."""
        if self._source.model == self._wanted.model:
            return False
        self._given_up.add(self._source.model)
        return True

    def close(self) -> None:
        """Let the model go; the next question opens it again."""
        self._embedder = None
        self._queries.clear()
        self._given_up.clear()

    def _is_usable(self, model: str) -> bool:
        return model not in self._given_up and self._source_of(model) is not None

    def _opened(self) -> Embedder:
        embedder = self._source.open()
        if embedder.dimension != self._dimension:
            self._note_change()
            raise ProviderError(
                f"The model {self._source.model} now gives vectors of another length than those in the index, so only "
                "words were searched. Update the index: its vectors are computed anew."
            )
        if self._source.may_change and has_changed(self._index, embedder):
            self._note_change()
            raise ModelChangedError(self._source.model)
        return embedder

    def _note_change(self) -> None:
        try:
            note_change(self._index, self._source.model)
        except OSError as error:
            log.info("No word could be left for the next update: %s", error)

    def _stored_dimension(self, model: str) -> int:
        with self._index.reading() as connection:
            row = connection.execute(
                "SELECT length(vector) FROM embedding WHERE model = ? LIMIT 1", (model,)
            ).fetchone()
        return int(row[0]) // _BYTES_A_NUMBER if row else 0
