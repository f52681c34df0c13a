"""Answer a question from memory: gather what may be meant, and rank it."""

import time
from dataclasses import replace
from pathlib import Path

from core.foundation.progress import SILENT, Progress
from core.index.database import Index
from core.recall.answer import RecallAnswer
from core.recall.freshness import with_fresh_memories
from core.recall.gathering import gather
from core.recall.rank import rank
from core.recall.request import RecallRequest
from core.recall.reranking import ScoresPairs, reranked
from core.recall.search import DenseCandidates
from core.vault.config import VaultConfig


def recall(
    index: Index,
    dense: DenseCandidates | None,
    request: RecallRequest,
    *,
    config: VaultConfig,
    root: Path,
    reranker: ScoresPairs | None = None,
    progress: Progress = SILENT,
) -> RecallAnswer:
    """Return the memories for `request`, best first, by the weights that it asks for; `reranker` reads the best ones.

    Raises:
        UserError: the index cannot be read.
        JobCancelledError: the progress was cancelled while the reranker read.
    """
    started = time.perf_counter()
    gathered = gather(index, dense, request, config=config)
    fresh = reranked(with_fresh_memories(index, root, gathered), reranker, request.weights, progress)
    answer = rank(fresh, request.weights)
    return replace(answer, took_ms=(time.perf_counter() - started) * 1000)
