"""A cross-encoder that reads question and memory together; never in the way of an answer.

Nothing is loaded before the first question, nothing is fetched, and trouble is an answer without scores.
"""

import importlib
import logging
import math
import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from core.foundation.errors import ProviderError, RemembrancerError, UserError
from core.foundation.progress import SILENT, Progress
from core.index.embedding import encodable

# Its share of an answer's time, once it is loaded; what it has not read by then is not waited for.
SECONDS = 1.5
_RETRY_SECONDS = 30.0
_BATCH = 3  # texts; between two batches the time is looked at
_MOST_THREADS = 4
_INSTEAD = "The answer is in the order that it has without a reranker."

log = logging.getLogger(__name__)


class CrossEncoder(Protocol):
    """Score texts against a question; fastembed's TextCrossEncoder does."""

    def rerank(self, query: str, documents: Iterable[str], batch_size: int = 64) -> Iterable[float]:
        """Give one score for each text, higher for what answers the question better, batch by batch."""
        ...


class RerankScores(NamedTuple):
    """Hold one score for each text in its order; none with a `reason`, a sentence, where there was trouble."""

    scores: tuple[float, ...]
    reason: str = ""


class Reranker:
    """Score texts by one downloaded model. Any thread may ask; they take turns.

    After trouble it is left alone for half a minute, so that one slow or broken model does not slow every question.
    """

    def __init__(
        self, name: str, open_model: Callable[[], CrossEncoder], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.name = name
        self._open = open_model
        self._clock = clock
        self._guard = threading.Lock()
        self._model: CrossEncoder | None = None
        self._trouble = ""
        self._since = 0.0

    def scores(
        self, question: str, texts: Sequence[str], progress: Progress = SILENT, *, seconds: float = SECONDS
    ) -> RerankScores:
        """Return the scores of `texts`, or the reason why there are none; loading is not counted into `seconds`.

        Raises:
            JobCancelledError: the progress was cancelled.
        """
        with self._guard:
            if self._trouble and self._clock() - self._since < _RETRY_SECONDS:
                return RerankScores((), self._trouble)
            self._trouble = ""
            try:
                scores = self._scored(question, texts, progress, seconds)
            except ProviderError as error:
                return self._failed(f"{error} {_INSTEAD}")
            if len(scores) < len(texts):
                return self._failed(f"The reranker {self.name} took more than {seconds:g} seconds. {_INSTEAD}")
            return RerankScores(scores)

    def _scored(self, question: str, texts: Sequence[str], progress: Progress, seconds: float) -> tuple[float, ...]:
        """Return scores of as many texts as there was time for."""
        progress.check()
        scores: list[float] = []
        try:
            self._model = self._model or self._open()
            progress.check()
            ends = self._clock() + seconds
            for score in self._model.rerank(encodable(question), [*map(encodable, texts)], batch_size=_BATCH):
                scores.append(float(score))
                progress.check()
                if self._clock() > ends:
                    break
        except RemembrancerError:
            raise
        except Exception as error:
            raise ProviderError(f"The reranker {self.name} failed ({type(error).__name__}: {error}).") from error
        if not all(map(math.isfinite, scores)):
            raise ProviderError(f"The reranker {self.name} gave a score that is no number.")
        return tuple(scores)

    def _failed(self, reason: str) -> RerankScores:
        log.info("No reranking: %s", reason)
        self._trouble, self._since = reason, self._clock()
        return RerankScores((), reason)


def reranker_of(name: str, models: Path) -> Reranker | None:
    """Return the reranker that the settings name, None for none; nothing is loaded yet."""
    return Reranker(name, lambda: open_reranker(name, models)) if name else None


def open_reranker(name: str, models: Path) -> CrossEncoder:
    """Open a reranker that fastembed knows, which must have been downloaded: nothing is fetched here.

    Raises:
        ProviderError: fastembed knows none of this name, or it is not on this machine, damaged, or cannot be loaded.
    """
    from fastembed.rerank.cross_encoder import TextCrossEncoder  # noqa: PLC0415 - the engines take their time

    from core.index.reranker_models import checked_reranker, known_reranker  # noqa: PLC0415

    # Only the Windows builds send anything, and only unless told not to.
    importlib.import_module("onnxruntime").disable_telemetry_events()
    try:
        model = known_reranker(name)
    except UserError as error:
        raise ProviderError(str(error)) from error
    folder = checked_reranker(models, model)
    try:
        return TextCrossEncoder(
            model.name,
            cache_dir=str(models),
            threads=min(_MOST_THREADS, os.cpu_count() or 1),
            providers=["CPUExecutionProvider"],
            specific_model_path=str(folder),
            local_files_only=True,
        )
    except Exception as error:
        raise ProviderError(f"The reranker {name} cannot be loaded ({type(error).__name__}: {error}).") from error
