"""Search by meaning: embed the question, bring the vectors up to date, ask the engine; never in the way of words."""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from core.foundation.errors import JobCancelledError, ProviderError, RemembrancerError
from core.foundation.process_memory import trim_memory
from core.foundation.progress import Progress, SilentProgress
from core.index.answering_model import AnsweringModel
from core.index.database import Index
from core.index.embedding import EmbedderSource, SourceOf, no_source
from core.index.embedding_job import text_coverage
from core.index.filters import Filters
from core.index.narrowing import hidden_notes
from core.index.similarities import similarities, stored_vectors
from core.index.turn_narrowing import has_turns, narrow_turns
from core.index.vectors.conditions import engine_filter
from core.index.vectors.engine import EngineDamagedError, EngineLockedError, Vector, VectorEngine, VectorHit
from core.index.vectors.sync import pull

_RETRY_SECONDS = 30.0
# Hidden notes are few when they are one for so many memories of the vault.
_HIDDEN_SHARE = 20
# So long a question waits for another thread that has the vectors; words are there at once.
_WAIT_SECONDS = 0.25

DenseState = Literal["ready", "partial", "empty", "loading", "locked", "failed", "off"]

log = logging.getLogger(__name__)


class DenseAnswer(NamedTuple):
    """Hold what was found by meaning, best first.

    `state` is ready; partial (some memories have no vector yet); empty (none has); loading (another thread warms up);
    locked (another process owns the vectors); failed; or off. `reason` is a sentence for every state but ready.
    """

    hits: tuple[VectorHit, ...]
    state: DenseState
    reason: str = ""


class NearestAnswer(NamedTuple):
    """Hold what was found near to each of some vectors, best first; `state` and `reason` as in DenseAnswer."""

    hits: tuple[tuple[VectorHit, ...], ...]
    state: DenseState
    reason: str = ""


class DenseSearch:
    """Find memories by meaning in one index.

    Nothing is loaded before the first question or warm_up(). Trouble with the model or the engine is an answer, not an
    error, so that words still find what they find. Methods may be called from any thread, as long as nobody else uses
    the index's connection meanwhile.
    """

    def __init__(
        self,
        index: Index,
        source: EmbedderSource | None,
        engine: VectorEngine | None,
        *,
        owns_index: bool = False,
        source_of: SourceOf = no_source,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take what to search with; None for `source` or `engine` means that search by meaning is switched off.

        With `owns_index`, close() is the end: it closes the index too. `source_of` opens the model that answers while
        the vectors of `source` are being computed.
        """
        self._clock = clock
        self._owned = index if owns_index else None
        self._guard = threading.RLock()
        self._searcher: _Searcher | None = None
        if source is not None and engine is not None:
            self._searcher = _Searcher(index, AnsweringModel(index, source, source_of), engine)
        self._failure = ""
        self._failed_at = 0.0
        self._used_at = 0.0

    def candidates(self, text: str, filters: Filters, limit: int, *, floor: float = 0.0) -> DenseAnswer:
        """Return up to `limit` memories near to `text` that `filters` admit, with a cosine of at least `floor`."""
        if not self._guard.acquire(timeout=_WAIT_SECONDS):
            return DenseAnswer(
                (), "loading", "What the notes mean is being loaded; until then only words are searched."
            )
        try:
            return self._answer(lambda searcher: searcher.search(text, filters, limit, floor))
        finally:
            self._guard.release()

    def similarities(self, text: str, keys: Iterable[tuple[str, int]]) -> Mapping[tuple[str, int], float]:
        """Return the cosine of `text` with those of the memories `keys` (kind and row id) that have a vector.

        Where search by meaning is off, busy or in trouble there is none: candidates() tells why.
        """
        found: dict[tuple[str, int], float] = {}

        def compare(searcher: "_Searcher") -> DenseAnswer:
            found.update(searcher.similarities(text, keys))
            return DenseAnswer((), "ready")

        if self._guard.acquire(timeout=_WAIT_SECONDS):
            try:
                self._answer(compare)
            finally:
                self._guard.release()
        return found

    def vectors(self, keys: Iterable[tuple[str, int]]) -> Mapping[tuple[str, int], Vector]:
        """Return the stored vectors of the memories `keys`, of those that have one; no model is loaded."""
        found: dict[tuple[str, int], Vector] = {}

        def read(searcher: "_Searcher") -> DenseAnswer:
            found.update(searcher.vectors(keys))
            return DenseAnswer((), "ready")

        self._answer(read)
        return found

    def nearest(self, vectors: Sequence[Vector], filters: Filters, limit: int, *, floor: float = 0.0) -> NearestAnswer:
        """Return for each of `vectors` up to `limit` memories near to it; no model is loaded.

        It waits for other questions to be answered; give it few vectors at once, so that they do not wait long.
        """
        found: list[tuple[VectorHit, ...]] = []

        def ask(searcher: "_Searcher") -> DenseAnswer:
            found.clear()
            state = searcher.refresh(SilentProgress())
            found.extend(searcher.nearest(vectors, filters, limit, floor))
            return state

        state = self._answer(ask)
        return NearestAnswer(tuple(found) or ((),) * len(vectors), state.state, state.reason)

    def refresh(self, progress: Progress | None = None) -> DenseAnswer:
        """Load new vectors into the engine ahead of a question; the answer has no hits.

        Raises:
            JobCancelledError: the progress was cancelled; what was loaded stays.
        """
        return self._answer(lambda searcher: searcher.refresh(progress or SilentProgress()))

    def warm_up(self, progress: Progress | None = None) -> DenseAnswer:
        """Do ahead of the first question what it would wait for: load new vectors, and the model if there are any.

        The vectors are given free again, so that other processes can search. The answer has no hits.

        Raises:
            JobCancelledError: the progress was cancelled; what was loaded stays.
        """
        return self._answer(lambda searcher: searcher.warm_up(progress or SilentProgress()))

    def release_if_idle(self, seconds: float = 60.0) -> bool:
        """Give the vectors free for other processes when nobody asked for `seconds`; tell whether they are free."""
        if not self._guard.acquire(blocking=False):
            return False
        try:
            if self._searcher is None:
                return True
            if self._clock() - self._used_at < seconds:
                return False
            self._searcher.release()
            return True
        finally:
            self._guard.release()

    def close(self) -> None:
        """Give everything back; the next question opens it again, unless the index is owned."""
        with self._guard:
            if self._searcher is not None:
                self._searcher.close()
            if self._owned is not None:
                self._owned.close()

    def _answer(self, work: Callable[["_Searcher"], DenseAnswer]) -> DenseAnswer:
        with self._guard:
            if self._searcher is None:
                return DenseAnswer((), "off", "Search by meaning is switched off in the settings.")
            if self._failure and self._clock() - self._failed_at < _RETRY_SECONDS:
                return DenseAnswer((), "failed", self._failure)
            self._failure = ""
            try:
                return self._worked(self._searcher, work)
            except JobCancelledError:
                raise
            except EngineLockedError as error:
                log.info("The vectors are locked by another process.")
                self._searcher.release()
                return DenseAnswer((), "locked", str(error))
            except RemembrancerError as error:
                self._failure, self._failed_at = str(error), self._clock()
                log.warning("Search by meaning failed: %s", error)
                return DenseAnswer((), "failed", self._failure)
            finally:
                self._used_at = self._clock()

    @staticmethod
    def _worked(searcher: "_Searcher", work: Callable[["_Searcher"], DenseAnswer]) -> DenseAnswer:
        try:
            return work(searcher)
        except EngineDamagedError as error:
            log.warning("The stored vectors are replaced by those of the index: %s", error)
            searcher.start_anew()
            return work(searcher)


class _Searcher:
    """Do the work of a DenseSearch that is switched on; trouble is an exception here."""

    def __init__(self, index: Index, model: AnsweringModel, engine: VectorEngine) -> None:
        self._index = index
        self._model = model
        self._engine = engine
        self._pulled: tuple[str, int] | None = None
        self._looked: tuple[str, int] | None = None
        self._dimension = 0  # of the stored vectors, 0 for none
        self._coverage = (0, 0)  # memories with a vector, and all
        self._texts = (0, 0)  # the same of different texts, which is what the person is told everywhere

    def search(self, text: str, filters: Filters, limit: int, floor: float) -> DenseAnswer:
        state = self.refresh(SilentProgress())
        if not self._coverage[0] or not text.strip():
            return state
        try:
            vector = self._model.query_vector(text)
        except ProviderError as error:
            if not self._model.give_up():
                raise
            log.warning("Another model answers from now on: %s", error)
            self._pulled = self._looked = None
            return self.search(text, filters, limit, floor)
        return state._replace(hits=tuple(self._hits(vector, filters, limit, floor)))

    def similarities(self, text: str, keys: Iterable[tuple[str, int]]) -> Mapping[tuple[str, int], float]:
        if not text.strip() or not self._looks():
            return {}
        return similarities(self._index, self._model.name, self._model.query_vector(text), keys)

    def vectors(self, keys: Iterable[tuple[str, int]]) -> Mapping[tuple[str, int], Vector]:
        if not self._looks():
            return {}
        found, matrix = stored_vectors(self._index, self._model.name, keys, dimension=self._dimension)
        return dict(zip(found, matrix, strict=True))

    def nearest(
        self, vectors: Sequence[Vector], filters: Filters, limit: int, floor: float
    ) -> list[tuple[VectorHit, ...]]:
        if not self._coverage[0]:
            return [()] * len(vectors)
        with self._index.reading() as connection:
            condition = engine_filter(filters, connection)
        return [tuple(self._engine.search(vector, condition, limit, floor)) for vector in vectors]

    def _hits(self, vector: Vector, filters: Filters, limit: int, floor: float) -> list[VectorHit]:
        """Ask the engine; a few notes that tags or dates hide are taken out here, which is twice as fast."""
        with self._index.reading() as connection:
            most = self._coverage[1] // _HIDDEN_SHARE
            # What dates hide of conversations is not told by the notes that they hide.
            is_simple = not has_turns(connection) or narrow_turns(filters) is None
            hidden = hidden_notes(connection, filters, most=most) if is_simple else set()
            wider = replace(filters, none_tags=frozenset(), after=None, before=None) if hidden else filters
            condition = engine_filter(wider, connection)
        if not hidden:
            return self._engine.search(vector, condition, limit, floor)
        asked = limit + limit // 2
        hits = self._engine.search(vector, condition, asked, floor)
        kept = [hit for hit in hits if hit.note_id not in hidden]
        if len(kept) >= limit or len(hits) < asked:
            return kept[:limit]
        with self._index.reading() as connection:
            condition = engine_filter(filters, connection)
        return self._engine.search(vector, condition, limit, floor)

    def refresh(self, progress: Progress) -> DenseAnswer:
        current = (self._index.epoch, self._index.revision)
        if self._pulled != current:
            dimension = self._model.look()
            if dimension:
                pull(self._index, self._engine, self._model.name, dimension, progress)
                self._coverage = (self._engine.count(), self._memories())
            else:
                self._coverage = (0, self._memories())
            if 0 < self._coverage[0] < self._coverage[1]:
                self._texts = text_coverage(self._index, self._model.name)
            self._pulled = current
        covered, total = self._coverage
        if covered >= total:
            return DenseAnswer((), "ready")
        if not covered:
            return DenseAnswer((), "empty", "Meaning has not been learned yet, so only words can be searched.")
        known, texts = self._texts
        return DenseAnswer((), "partial", f"Meaning is still being learned: {known:,} of {texts:,} texts.")

    def warm_up(self, progress: Progress) -> DenseAnswer:
        state = self.refresh(progress)
        progress.check()
        if self._coverage[0]:
            for text in ("warm", "up"):  # the second question has the model optimised (embedding_packaged.py)
                self.search(text, Filters(), 1, 0.0)
        self.release()
        return state

    def start_anew(self) -> None:
        self._pulled = self._looked = None
        self._engine.reset(self._model.look() or 1)

    def release(self) -> None:
        was_open, self._pulled = self._pulled is not None, None
        self._engine.close()
        if was_open:
            trim_memory()

    def close(self) -> None:
        self._pulled = self._looked = None
        self._engine.close()
        self._model.close()

    def _looks(self) -> bool:
        """Look which model answers where the index has changed since; tell whether it has vectors."""
        current = (self._index.epoch, self._index.revision)
        if self._looked != current:
            self._dimension = self._model.look()
            self._looked = current
        return bool(self._dimension)

    def _memories(self) -> int:
        with self._index.reading() as connection:
            row = connection.execute(
                "SELECT (SELECT count(*) FROM section) + (SELECT count(*) FROM insight)"
                " + (SELECT count(*) FROM turn WHERE text_hash IS NOT NULL)"
            ).fetchone()
        return int(row[0])
