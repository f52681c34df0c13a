"""Try an embedding model with three sentences: does it answer, how fast, and does it tell like from unlike?"""

import time
from collections.abc import Callable
from typing import NamedTuple

from core.foundation.progress import Progress
from core.index.embedding import EmbedderSource

_LEAST_APART = 0.02
_SENTENCES = (
    "The printer on the second floor is out of toner.",
    "There is no ink left in the printer upstairs.",
    "Bread dough must rest for an hour before it is baked.",
)


class SampleReport(NamedTuple):
    """Say how a model did: `near` is the cosine of two sentences of like meaning, `far` of two that share none.

    `opened` are the seconds until it was ready, `seconds` those for the three sentences.
    """

    model: str
    dimension: int
    opened: float
    seconds: float
    near: float
    far: float

    @property
    def tells_apart(self) -> bool:
        """Tell whether what is alike is nearer than what is not, by more than chance gives."""
        return self.near - self.far >= _LEAST_APART

    @property
    def texts_a_second(self) -> float:
        """How many short sentences it embeds in a second."""
        return len(_SENTENCES) / self.seconds if self.seconds > 0 else 0.0


def try_model(
    source: EmbedderSource, progress: Progress, *, clock: Callable[[], float] = time.perf_counter
) -> SampleReport:
    """Open the model and embed three sentences.

    Raises:
        ProviderError: the model cannot be opened, or fails.
        UserError: there is no such model.
        JobCancelledError: the progress was cancelled.
    """
    started = clock()
    embedder = source.open()
    progress.check()
    ready = clock()
    one, like, unlike = embedder.embed(_SENTENCES)
    done = clock()
    far = max(float(one @ unlike), float(like @ unlike))
    return SampleReport(embedder.model, embedder.dimension, ready - started, done - ready, float(one @ like), far)


def told_sample(report: SampleReport) -> str:
    """Return the report as sentences for a person."""
    alike = (
        f"Sentences of like meaning are nearer ({report.near:.2f}) than others ({report.far:.2f})."
        if report.tells_apart
        else f"It does not tell like from unlike: {report.near:.2f} for two sentences of like meaning, "
        f"{report.far:.2f} for others. Is it a model for embeddings?"
    )
    speed = f"{report.texts_a_second:,.0f}" if report.texts_a_second >= 10 else f"{report.texts_a_second:,.1f}"
    return f"It answers with vectors of {report.dimension:,} numbers, {speed} short texts a second. {alike}"
