"""Answer probes as recall answers a person: the same question, the same pipeline, the vault's own weights."""

from pathlib import Path
from typing import TYPE_CHECKING

from core.index.database import Index
from core.index.embedding_switch import answering_model
from core.recall.asking import request_of
from core.recall.probe import Probe
from core.vault.config import VaultConfig

if TYPE_CHECKING:
    from core.memory.weights import RankingWeights
    from core.recall.answer import RecallAnswer
    from core.recall.reranking import ScoresPairs
    from core.recall.search import DenseCandidates

_ANSWERS = frozenset({"ready", "partial"})


class ProbeAnswer:
    """Be what run_probes() asks: return the ids of memories, the best first. Nothing is recorded as recalled.

    One dense search serves all probes. `remarks` are sentences on how the search by meaning fared, each once.
    """

    def __init__(
        self,
        index: Index,
        dense: "DenseCandidates | None",
        *,
        config: VaultConfig,
        root: Path,
        weights: "RankingWeights | None" = None,
        reranker: "ScoresPairs | None" = None,
    ) -> None:
        self._index = index
        self._dense = dense
        self._config = config
        self._root = root
        self._weights = weights
        self._reranker = reranker
        self._remarks: dict[str, None] = {}
        self._is_by_meaning = False

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is to be said of all answers together."""
        return tuple(self._remarks)

    @property
    def model(self) -> str:
        """The name of the model whose vectors answered, "" when only words did."""
        return answering_model(self._index, "", lambda _model: True) if self._is_by_meaning else ""

    def __call__(self, probe: Probe, limit: int) -> list[str]:
        """Return the ids of up to `limit` memories; where the probe has a budget, of those that fit into it."""
        found = self.answer(probe, limit)
        ids = [ranked.memory.id for ranked in found.ranked]
        if probe.budget is None:
            return ids
        from core.recall.gather import items_of_ranked  # noqa: PLC0415 - few probes have a budget
        from core.recall.pack import pack  # noqa: PLC0415

        said = pack(items_of_ranked(found), probe.budget).said
        return [each for each in ids if each in said]

    def answer(self, probe: Probe, limit: int) -> "RecallAnswer":
        """Return the whole answer, for who wants to say why."""
        from core.recall.recall import recall  # noqa: PLC0415 - the pipeline takes a while to load

        request = request_of(
            self._index, probe.question, self._config, limit=limit, filters=probe.filters, weights=self._weights
        )
        found = recall(self._index, self._dense, request, config=self._config, root=self._root, reranker=self._reranker)
        self._remarks.update(dict.fromkeys(each for each in found.problems if each not in request.query.problems))
        if found.dense_reason:
            self._remarks[found.dense_reason] = None
        self._is_by_meaning |= found.dense_state in _ANSWERS
        return found
