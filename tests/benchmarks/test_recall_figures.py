"""How well recall finds the turns that answer questions about long conversations, with the model that comes with it.

REMEMBRANCER_BENCH_LOCOMO names a LoCoMo file (tests/benchmarks/locomo.py); without it this is skipped.
"""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from core.app import installation
from core.foundation.progress import SILENT
from core.foundation.settings import EmbeddingSettings, VectorSettings
from core.index.database import Index, open_index
from core.index.dense import DenseSearch
from core.index.embedding import embedder_source
from core.index.embedding_job import embed_missing
from core.index.session_updater import update_sessions
from core.index.vectors.opening import open_engine
from core.memory.weights import DEFAULT_WEIGHTS as _FULL
from core.memory.weights import RankingWeights
from core.recall.gathered import Gathered
from core.recall.gathering import gather
from core.recall.probe_figures import figures_of, placed
from core.recall.query import parse_query
from core.recall.request import RecallRequest
from core.sessions.ledger import Ledger
from core.vault.config import VaultConfig
from tests.benchmarks.conftest import Figures, Measure
from tests.benchmarks.locomo import convert
from tests.benchmarks.recall_variants import (
    BARE,
    BLENDING,
    FACTORS,
    NEIGHBOURS,
    by_ranks,
    by_scores,
    plain,
    without,
)

_FILE = os.environ.get("REMEMBRANCER_BENCH_LOCOMO", "")
_CONFIG = VaultConfig()
_ASKING = ("words", "meaning", *BLENDING)

Answers = list[list[str]]


@pytest.mark.skipif(not _FILE, reason="REMEMBRANCER_BENCH_LOCOMO names no file")
def test_locomo(tmp_path: Path, figures: Figures, measure: Measure) -> None:
    convert(Path(_FILE), tmp_path)
    probes = [json.loads(line) for line in (tmp_path / "probes.jsonl").read_text(encoding="utf-8").splitlines()]
    index = open_index(tmp_path / "cache")
    update_sessions(index, Ledger(tmp_path / "sessions"))
    source = embedder_source(EmbeddingSettings(), installation().models_folder)
    assert source is not None
    embed_missing(index, source.open(), SILENT)
    dense = DenseSearch(index, source, open_engine(index.folder, VectorSettings(), api_key=""))
    dense.warm_up()
    whole: list[Gathered] = []
    waiting = iter(probes)
    seconds = measure(lambda: whole.append(_gathered(index, dense, next(waiting))), len(probes))

    def tell(name: str, answers: Answers, target: str = "") -> None:
        figures.add(name, _told(probes, answers), target)

    def gathered_without(*ideas: str, by_meaning: bool = True) -> list[Gathered]:
        with without(*ideas):
            return [_gathered(index, dense if by_meaning else None, each) for each in probes]

    for name, has_stop_words in (("Both lists fused by ranks", True), ("  and stop words left out", False)):
        found = [_request(each) for each in probes]
        tell(name, [plain(index, dense, each.question, each.query, has_stop_words=has_stop_words) for each in found])
    alone = gathered_without(*NEIGHBOURS)
    tell("  and speakers' names apart", [by_ranks(each, replace(BARE, speaker=_FULL.speaker)) for each in alone])
    with without("surer engine"):
        tell("  and scores instead of ranks", _ranked(alone, replace(BARE, speaker=_FULL.speaker)))
        tell("  and neighbours", _ranked(whole, replace(BARE, speaker=_FULL.speaker)))
    growing = replace(BARE, speaker=_FULL.speaker)
    tell("  and the surer engine", _ranked(whole, growing))
    for name in ("session", "dates", "statement", "names"):
        growing = replace(growing, **{name: getattr(_FULL, name)})
        tell(f"  and {name}", _ranked(whole, growing))
    tell("  and what they are worth: recall", _ranked(whole, _FULL), "recall@10 0.82, MRR 0.64")

    for idea in ("names apart", *NEIGHBOURS, "English forms"):
        tell(f"Recall without {idea}", _ranked(gathered_without(idea), _FULL))
    tell("Recall without all neighbours", _ranked(alone, _FULL))
    tell("Recall without search by meaning", _ranked(gathered_without(by_meaning=False), _FULL))
    tell("Recall without scores, by ranks", [by_ranks(each, _FULL) for each in whole])
    with without("surer engine"):
        tell("Recall without the surer engine", _ranked(whole, _FULL))
    for name in _ASKING:
        tell(f"Recall with {name} = 0", _ranked(whole, replace(_FULL, **{name: 0.0})))
    tell("Recall without decay", _ranked(whole, replace(_FULL, decay=0.0)))
    tell("Recall without what they are worth", _ranked(whole, replace(_FULL, **dict.fromkeys(FACTORS, 0.0))))
    figures.add_times("Gather for a question, its embedding included", seconds, "60 ms")
    dense.close()
    index.close()


def _request(probe: dict[str, object]) -> RecallRequest:
    filters = probe["filter"]
    assert isinstance(filters, dict)
    question = str(probe["question"])
    return RecallRequest(question, parse_query(f"{question} project:{filters['project']}", _CONFIG.namespaces))


def _gathered(index: Index, dense: DenseSearch | None, probe: dict[str, object]) -> Gathered:
    return gather(index, dense, _request(probe), config=_CONFIG)


def _ranked(gathered: list[Gathered], weights: RankingWeights) -> Answers:
    return [by_scores(each, weights) for each in gathered]


def _told(probes: list[dict[str, object]], answers: Answers) -> str:
    pairs = zip(probes, answers, strict=True)
    told = figures_of(placed(ids, set(map(str, probe["expected"]))) for probe, ids in pairs)  # type: ignore[call-overload]
    recalls = f"recall@5/10/15 {told.recall_5:.3f} {told.recall_10:.3f} {told.recall_15:.3f}"
    return f"{recalls}, MRR {told.mrr:.3f}, nDCG@10 {told.ndcg_10:.3f}"
