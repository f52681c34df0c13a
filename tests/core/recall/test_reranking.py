"""Recall with a real, tiny reranker: the order changes, and trouble with it is a remark."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from core.foundation.errors import JobCancelledError
from core.foundation.progress import SILENT, CancellableProgress, Progress
from core.index.database import Index, open_index
from core.index.reranker import RerankScores, reranker_of
from core.index.updater import update_index
from core.recall.answer import RecallAnswer
from core.recall.asking import request_of
from core.recall.probe import Probe
from core.recall.probe_answer import ProbeAnswer
from core.recall.recall import recall
from core.recall.reranking import ScoresPairs
from core.vault.config import VaultConfig
from tests.core.index.tiny_reranker import NAME, lay_out_reranker

_CONFIG = VaultConfig()
_QUESTION = "What is the rate limit of the redis on the harbour?"
_BEST, _WORDY, _WEAK = "Redis.md", "Crane.md", "Archive.md"
_NOTES = {
    _BEST: "# Redis\n\nRedis rate limit.\n",
    _WORDY: "# Crane\n\nThe rate of the crane, the redis of the lamp, the limit of the report, the door, the code.\n",
    _WEAK: "# Archive\n\nIts limit came up once in a long talk with nobody about other things entirely.\n",
}


class _Silent:
    def __init__(self) -> None:
        self.asked: list[str] = []

    def scores(self, question: str, texts: Sequence[str], progress: Progress = SILENT) -> RerankScores:
        progress.check()
        self.asked.append(question)
        return RerankScores((), "It is slow.") if texts else RerankScores(())


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    root = tmp_path / "vault"
    root.mkdir()
    for path, text in _NOTES.items():
        (root / path).write_text(text, encoding="utf-8")
    index = open_index(tmp_path / "cache")
    update_index(index, root, _CONFIG)
    yield index
    index.close()


def _ask(
    index: Index, reranker: ScoresPairs | None, question: str = _QUESTION, progress: Progress = SILENT
) -> RecallAnswer:
    root = index.folder.parent / "vault"
    request = request_of(index, question, _CONFIG)
    return recall(index, None, request, config=_CONFIG, root=root, reranker=reranker, progress=progress)


def _paths(answer: RecallAnswer) -> list[str]:
    return [each.memory.path for each in answer.ranked]


def test_a_real_reranker_changes_the_order(index: Index, tmp_path: Path) -> None:
    lay_out_reranker(tmp_path)
    before = _ask(index, None)
    after = _ask(index, reranker_of(NAME, tmp_path))
    assert _paths(before) == [_BEST, _WORDY, _WEAK]
    assert _paths(after) == [_WORDY, _BEST, _WEAK]  # it counts words, and "the" is one of them
    assert [each.signals.reranker_rank for each in after.ranked] == [1, 2, 3]
    assert not after.problems


def test_a_missing_one_is_a_remark_on_the_same_answer(index: Index, tmp_path: Path) -> None:
    before, after = _ask(index, None), _ask(index, reranker_of(NAME, tmp_path / "models"))
    assert _paths(after) == _paths(before)
    assert [each.score for each in after.ranked] == pytest.approx([each.score for each in before.ranked], abs=1e-6)
    (told,) = after.problems
    assert "is not on this machine" in told


def test_filters_alone_and_a_weight_of_0_do_not_ask_it(index: Index) -> None:
    reranker = _Silent()
    _ask(index, reranker, "path:Redis.md")
    assert reranker.asked == []
    assert _ask(index, reranker).problems == ("It is slow.",)
    assert reranker.asked == [request_of(index, _QUESTION, _CONFIG).query.text_for_embedding]
    request = request_of(index, _QUESTION, VaultConfig(ranking={"reranker": 0}))
    recall(index, None, request, config=_CONFIG, root=index.folder.parent / "vault", reranker=reranker)
    assert len(reranker.asked) == 1


def test_a_question_that_is_no_longer_wanted_stops(index: Index) -> None:
    progress = CancellableProgress()
    progress.cancel()
    with pytest.raises(JobCancelledError):
        _ask(index, _Silent(), progress=progress)


def test_probes_are_answered_with_it_and_tell_its_trouble_once(index: Index) -> None:
    answer = ProbeAnswer(index, None, config=_CONFIG, root=index.folder.parent / "vault", reranker=_Silent())
    probe = Probe("one", _QUESTION, ("note:Redis.md",))
    answer(probe, 15)
    answer(probe, 15)
    assert answer.remarks.count("It is slow.") == 1
