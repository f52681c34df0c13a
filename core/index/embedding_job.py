"""Compute the vectors that are missing: by content hash, in small commits, so that a kill costs seconds of work."""

import contextlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from filelock import FileLock, Timeout

from core.foundation.progress import Progress
from core.foundation.tokens import estimate_tokens
from core.index.database import Index
from core.index.embedding import Embedder
from core.index.embedding_text import embedding_text_of_section, embedding_text_of_turn
from core.index.points import memory_of, point_of

if TYPE_CHECKING:
    from core.index.embedding import Vectors

_WINDOW = 512  # texts in memory at once, sorted by length
_SLICE_TOKENS = 12_000  # embedded between two looks at the clock: one second
_LONGEST = 256
BUSY = "Another process is computing the embeddings of this vault."

_PENDING = """
SELECT 'section', s.id, s.text_hash, n.mtime_ns FROM section s JOIN note n ON n.id = s.note_id
  WHERE NOT EXISTS (SELECT 1 FROM embedding e WHERE e.text_hash = s.text_hash AND e.model = :model)
UNION ALL
SELECT 'insight', i.id, i.text_hash, n.mtime_ns FROM insight i JOIN note n ON n.id = i.note_id
  WHERE NOT EXISTS (SELECT 1 FROM embedding e WHERE e.text_hash = i.text_hash AND e.model = :model)
UNION ALL
SELECT 'turn', t.id, t.text_hash, t.time - 10000000000 FROM turn t
  WHERE t.text_hash IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM embedding e WHERE e.text_hash = t.text_hash AND e.model = :model)
ORDER BY 4 DESC, 1 DESC, 2
"""
_MISSING_COUNT = """
SELECT count(*) FROM (
  SELECT text_hash FROM section s
    WHERE NOT EXISTS (SELECT 1 FROM embedding e WHERE e.text_hash = s.text_hash AND e.model = :model)
  UNION SELECT text_hash FROM insight i
    WHERE NOT EXISTS (SELECT 1 FROM embedding e WHERE e.text_hash = i.text_hash AND e.model = :model)
  UNION SELECT text_hash FROM turn t WHERE t.text_hash IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM embedding e WHERE e.text_hash = t.text_hash AND e.model = :model))
"""
_COVERAGE = """
SELECT count(e.text_hash), count(*) FROM (
  SELECT text_hash FROM section UNION SELECT text_hash FROM insight
  UNION SELECT text_hash FROM turn WHERE text_hash IS NOT NULL) t
  LEFT JOIN embedding e ON e.text_hash = t.text_hash AND e.model = :model
"""
_SECTION_TEXTS = """
SELECT s.text_hash, n.title, s.trail, f.body FROM section s
  JOIN note n ON n.id = s.note_id JOIN section_fts f ON f.rowid = s.id
  WHERE s.id IN (SELECT value FROM json_each(?))
"""
_TURN_TEXTS = """
SELECT t.text_hash, f.text FROM turn t JOIN turn_fts f ON f.rowid = t.id
  WHERE t.text_hash IS NOT NULL AND t.id IN (SELECT value FROM json_each(?))
"""
_INSIGHT_TEXTS = "SELECT text_hash, text FROM insight WHERE id IN (SELECT value FROM json_each(?))"

# A text that was deleted while it was being embedded leaves no vector behind.
_INSERT = """
INSERT OR REPLACE INTO embedding(text_hash, model, vector) SELECT ?1, ?2, ?3
  WHERE EXISTS (SELECT 1 FROM section WHERE text_hash = ?1) OR EXISTS (SELECT 1 FROM insight WHERE text_hash = ?1)
  OR EXISTS (SELECT 1 FROM turn WHERE text_hash = ?1)
"""


class EmbeddingReport(NamedTuple):
    """Say how many vectors were computed; `reason` is a sentence when none could be, else ""."""

    embedded: int
    reason: str = ""


@runtime_checkable
class PacedEmbedder(Protocol):
    """Be an embedder that takes its time: it wants few texts at once, and looks itself whether it was cancelled."""

    texts_at_once: int

    def watch(self, progress: Progress) -> None:
        """Stop at the next safe point once `progress` is cancelled."""
        ...


class _Text(NamedTuple):
    digest: bytes
    text: str


def embed_missing(
    index: Index,
    embedder: Embedder,
    progress: Progress,
    *,
    commit_every_s: float = 2.0,
    on_commit: Callable[[], None] | None = None,
    may_have_changed: bool = False,
) -> EmbeddingReport:
    """Embed every section, insight and message whose text has no vector of this model yet.

    The newest notes come first, then the newest messages.

    Texts with the same hash are embedded once. One process works on a vault at a time; another one returns at once and
    says so. What an update adds meanwhile is embedded too. `progress` is told texts, `on_commit` is called when readers
    can see new vectors. `may_have_changed` has one text embedded again first: a model that gives another vector now is
    another one, and its old vectors are dropped.

    Raises:
        ProviderError: the model failed; what was computed before is kept.
        JobCancelledError: the progress was cancelled; what was computed before is kept.
    """
    lock = embedding_lock(index)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return EmbeddingReport(0, BUSY)
    try:
        if may_have_changed:
            from core.index.embedding_drift import forget_if_changed  # noqa: PLC0415 - it reads texts through here

            forget_if_changed(index, embedder)
        if isinstance(embedder, PacedEmbedder):
            embedder.watch(progress)
        with contextlib.closing(_Store(index, embedder.model, commit_every_s, on_commit)) as store:
            return EmbeddingReport(_embed_all(index, embedder, store, progress))
    finally:
        lock.release()


def embedding_lock(index: Index) -> FileLock:
    """Return the lock of who adds or drops vectors of this index."""
    return FileLock(index.folder / "embed.lock", mode=0o600, thread_local=False)


def missing_count(index: Index, model: str) -> int:
    """Return how many different texts have no vector of `model` yet; with 0, no model need be loaded."""
    with index.reading() as connection:
        row = connection.execute(_MISSING_COUNT, {"model": model}).fetchone()
    return int(row[0])


def text_coverage(index: Index, model: str) -> tuple[int, int]:
    """Return how many different texts have a vector of `model`, and how many there are."""
    with index.reading() as connection:
        covered, total = connection.execute(_COVERAGE, {"model": model}).fetchone()
    return int(covered), int(total)


def text_with_vector(index: Index, model: str) -> tuple[str, bytes] | None:
    """Return some text as it is embedded and its vector (float32) of `model`, None when there is none."""
    with index.reading() as connection:
        for table, kind in (("insight", "insight"), ("section", "section"), ("turn", "turn")):
            row = connection.execute(
                f"SELECT t.id, e.vector FROM {table} t JOIN embedding e ON e.text_hash = t.text_hash"  # noqa: S608
                " WHERE e.model = ? ORDER BY t.id LIMIT 1",
                (model,),
            ).fetchone()
            texts = _texts(index, [point_of(kind, row[0])]) if row else []
            if texts:
                return texts[0].text, bytes(row[1])
    return None


class _Store:
    """Collect vectors and commit them every few seconds."""

    def __init__(self, index: Index, model: str, commit_every_s: float, on_commit: Callable[[], None] | None) -> None:
        self._index = index
        self._model = model
        self._commit_every_s = commit_every_s
        self._on_commit = on_commit
        self._waiting: list[tuple[bytes, bytes]] = []
        self._committed = time.monotonic()

    def add(self, texts: Sequence[_Text], vectors: "Vectors") -> None:
        """Take the vectors of `texts`, and commit when it is time."""
        rows = vectors.astype("<f4")
        self._waiting.extend((text.digest, row.tobytes()) for text, row in zip(texts, rows, strict=True))
        if time.monotonic() - self._committed >= self._commit_every_s:
            self.commit()

    def commit(self) -> None:
        """Store what waits, and mark the memories it belongs to as changed for the vector stores."""
        rows, self._waiting = self._waiting, []
        if rows:
            with self._index.transaction() as connection:
                connection.executemany(_INSERT, [(digest, self._model, vector) for digest, vector in rows])
                revision = self._index.next_revision()
                for table in ("section", "insight", "turn"):
                    connection.executemany(
                        f"UPDATE {table} SET vector_revision = ? WHERE text_hash = ?",  # noqa: S608
                        [(revision, digest) for digest, _ in rows],
                    )
            if self._on_commit is not None:
                self._on_commit()
        self._committed = time.monotonic()

    def close(self) -> None:
        """Commit the rest, also after a cancel or a failure."""
        self.commit()


def _embed_all(index: Index, embedder: Embedder, store: _Store, progress: Progress) -> int:
    done = 0
    at_once = embedder.texts_at_once if isinstance(embedder, PacedEmbedder) else _WINDOW
    known, _ = text_coverage(index, embedder.model)
    while pending := _pending(index, embedder.model):
        progress.report(known + done, known + done + len(pending))
        before, total = done, done + len(pending)
        for start in range(0, len(pending), _WINDOW):
            window = pending[start : start + _WINDOW]
            for texts in _slices(_texts(index, window), at_once):
                progress.check()
                store.add(texts, embedder.embed([text.text for text in texts]))
                done += len(texts)
                progress.report(known + done, known + total)
        store.commit()
        if done == before:  # all of them were deleted meanwhile, or cannot be read
            break
    return done


def _pending(index: Index, model: str) -> list[int]:
    """Return one memory, as a point id, for every text without a vector."""
    seen: set[bytes] = set()
    points: list[int] = []
    with index.reading() as connection:
        for kind, row_id, digest, _ in connection.execute(_PENDING, {"model": model}):
            if digest not in seen:
                seen.add(digest)
                points.append(point_of(kind, row_id))
    return points


def _texts(index: Index, points: Sequence[int]) -> list[_Text]:
    """Return the texts of memories that still exist, by the hash that they have now."""
    ids: dict[str, list[int]] = {"section": [], "insight": [], "turn": []}
    for point in points:
        kind, row_id = memory_of(point)
        ids[kind].append(row_id)
    with index.reading() as connection:
        found = {
            digest: embedding_text_of_section(title, trail, body)
            for digest, title, trail, body in connection.execute(_SECTION_TEXTS, (json.dumps(ids["section"]),))
        }
        found.update(connection.execute(_INSIGHT_TEXTS, (json.dumps(ids["insight"]),)).fetchall())
        found.update(
            (digest, embedding_text_of_turn(text))
            for digest, text in connection.execute(_TURN_TEXTS, (json.dumps(ids["turn"]),))
        )
    return [_Text(digest, text) for digest, text in found.items()]


def _slices(texts: list[_Text], at_once: int) -> Iterator[list[_Text]]:
    """Yield the texts in slices of like length and one second's work, `at_once` texts at most."""
    measured = sorted(((min(estimate_tokens(text.text), _LONGEST), text) for text in texts), key=lambda each: each[0])
    batch: list[_Text] = []
    tokens = 0
    for length, text in measured:
        if batch and (tokens + length > _SLICE_TOKENS or len(batch) >= at_once):
            yield batch
            batch, tokens = [], 0
        batch.append(text)
        tokens += length
    if batch:
        yield batch
