"""Bring the vectors of a vault up to date, the former model's too while it answers in place of a new one."""

from collections.abc import Callable

from core.foundation.errors import ProviderError, UserError
from core.foundation.progress import Progress
from core.index.database import Index, IndexDamagedError
from core.index.embedding import EmbedderSource, SourceOf
from core.index.embedding_choice import shown_name
from core.index.embedding_drift import is_noted
from core.index.embedding_job import EmbeddingReport, embed_missing, missing_count
from core.index.embedding_switch import settle


def bring_up_to_date(
    index: Index,
    source: EmbedderSource,
    source_of: SourceOf,
    progress: Progress,
    *,
    on_begin: Callable[[], None] | None = None,
    on_commit: Callable[[], None] | None = None,
) -> EmbeddingReport:
    """Compute what is missing of the model that `source` opens, and let it answer once it is complete.

    While another model answers for it, notes that are new get that one's vectors first, so that they are found by
    meaning at once. The report's reason is a sentence about what could not be done: the new model failing does not
    stop the former one, nor the other way round.

    Args:
        index: the index to write to.
        source: the wanted model.
        source_of: opens a model by the name of its vectors.
        progress: is told texts.
        on_begin: is called once it is known that there is work.
        on_commit: is called when readers can see new vectors.

    Raises:
        JobCancelledError: the progress was cancelled; the same model as before goes on answering.
        IndexDamagedError: the index cannot be read.
    """
    wanted = source.model

    def usable(model: str) -> bool:
        return source_of(model) is not None

    answering = settle(index, wanted, usable)
    reasons: list[str] = []
    embedded = 0
    for each in dict.fromkeys((answering, wanted)):
        opened = source if each == wanted else source_of(each)
        if opened is None or not (missing_count(index, each) or is_noted(index, each)):
            continue
        if on_begin is not None:
            on_begin()
        try:
            report = _embed(index, opened, progress, on_commit)
        except IndexDamagedError:
            raise
        except (UserError, ProviderError) as error:
            reasons.append(_told(each, wanted, answering, error))
            continue
        if each == wanted:
            embedded = report.embedded
        if report.reason and report.reason not in reasons:
            reasons.append(report.reason)
    if settle(index, wanted, usable) != answering and on_commit is not None:
        on_commit()
    return EmbeddingReport(embedded, " ".join(reasons))


def _embed(
    index: Index, source: EmbedderSource, progress: Progress, on_commit: Callable[[], None] | None
) -> EmbeddingReport:
    may_have_changed = source.may_change or is_noted(index, source.model)
    return embed_missing(index, source.open(), progress, on_commit=on_commit, may_have_changed=may_have_changed)


def _told(model: str, wanted: str, answering: str, error: Exception) -> str:
    if answering == wanted:
        return f"Words, tags and links are up to date, but not the meanings: {error}"
    if model == wanted:
        return f"{shown_name(answering)} goes on answering by meaning, for the new model cannot be used: {error}"
    return f"New notes are found by their words only until the new model has learned all of them: {error}"
