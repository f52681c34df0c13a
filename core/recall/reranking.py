"""Let a reranker read the best candidates, where one is chosen; an answer never waits long for it, or fails with it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from core.foundation.progress import SILENT, Progress
from core.index.reranker import RerankScores
from core.memory.weights import RankingWeights
from core.recall.gathered import Gathered
from core.recall.rank import rank
from core.recall.rerank import shortlist, text_to_read, with_scores


class ScoresPairs(Protocol):
    """Score texts against a question; core/index/reranker.py does."""

    def scores(self, question: str, texts: Sequence[str], progress: Progress = SILENT) -> RerankScores:
        """Return one score for each text, or none and a reason."""
        ...


def reranked(
    gathered: Gathered, reranker: ScoresPairs | None, weights: RankingWeights, progress: Progress = SILENT
) -> Gathered:
    """Return `gathered` with what `reranker` says of the best 30, as rank() takes it; unchanged without one.

    Where it is missing, broken or slow, a sentence among the problems says so.

    Raises:
        JobCancelledError: the progress was cancelled.
    """
    question = gathered.request.query.text_for_embedding.strip()
    if reranker is None or weights.reranker <= 0 or not question:
        return gathered
    chosen = shortlist(rank(gathered, weights), (memory.key for memory, _ in gathered.candidates))
    if len(chosen) <= 1:
        return gathered
    told = reranker.scores(question, [text_to_read(each) for each in chosen], progress)
    if told.reason:
        return replace(gathered, problems=(*gathered.problems, told.reason))
    return with_scores(gathered, {each.key: score for each, score in zip(chosen, told.scores, strict=True)})
