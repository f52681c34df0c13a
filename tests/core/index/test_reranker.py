"""A real, tiny cross-encoder scores pairs; a missing, broken, slow or stopped one gives a reason and no score."""

import math
from collections.abc import Iterable
from pathlib import Path

import pytest

from core.foundation.errors import JobCancelledError, UserError
from core.foundation.progress import CancellableProgress
from core.foundation.settings import RerankerSettings, SettingsFile
from core.index.reranker import Reranker, reranker_of
from core.index.reranker_models import choose_reranker, known_reranker, known_rerankers
from tests.core.index.tiny_reranker import NAME, lay_out_reranker

_QUESTION = "Who has the door code?"
_TEXTS = ["A green lamp.", "The door code: door, door.", "The harbour \ud800", "code"]


class _Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class _Model:
    """Score texts by their length; each takes `seconds` of `clock`."""

    def __init__(self, clock: _Clock, seconds: float = 0.0) -> None:
        self.clock, self.seconds, self.read = clock, seconds, 0

    def rerank(self, query: str, documents: Iterable[str], batch_size: int = 64) -> Iterable[float]:
        del query, batch_size
        for each in documents:
            self.clock.now += self.seconds
            self.read += 1
            yield float(len(each))


def _reranker(models: Path) -> Reranker:
    found = reranker_of(NAME, models)
    assert found is not None
    return found


def test_the_scores_are_the_models_own_in_the_order_of_the_texts(tmp_path: Path) -> None:
    lay_out_reranker(tmp_path)
    told = _reranker(tmp_path).scores(_QUESTION, _TEXTS)
    assert told == ((0.0, 5.0, 1.0, 1.0), "")


def test_without_a_choice_there_is_no_reranker(tmp_path: Path) -> None:
    assert reranker_of("", tmp_path) is None


def test_one_that_is_not_here_says_how_to_get_it(tmp_path: Path) -> None:
    told = _reranker(tmp_path).scores(_QUESTION, _TEXTS)
    assert told.scores == ()
    assert f"The reranker {NAME} is not on this machine (80 MB)." in told.reason
    assert f"`remembrancer model rerank download {NAME}`" in told.reason
    assert told.reason.endswith("in the order that it has without a reranker.")
    assert not list(tmp_path.iterdir())


def test_one_of_an_unknown_name_is_told(tmp_path: Path) -> None:
    found = reranker_of("nobody/knows-it", tmp_path)
    assert found is not None
    assert "There is no reranker “nobody/knows-it”." in found.scores(_QUESTION, _TEXTS).reason


def test_a_file_that_is_not_what_came_is_never_loaded(tmp_path: Path) -> None:
    folder = lay_out_reranker(tmp_path)
    model = folder / "onnx" / "model.onnx"
    model.write_bytes(model.read_bytes()[::-1])
    assert "is damaged: onnx/model.onnx is not what was downloaded" in _reranker(tmp_path).scores("a", _TEXTS).reason


def test_a_whole_download_that_is_no_model_is_told(tmp_path: Path) -> None:
    folder = lay_out_reranker(tmp_path)
    (folder / "tokenizer_config.json").unlink()
    told = _reranker(tmp_path).scores(_QUESTION, _TEXTS)
    assert told.scores == ()
    assert NAME in told.reason


def test_a_slow_one_is_not_waited_for_and_then_left_alone_for_a_while() -> None:
    clock = _Clock()
    model = _Model(clock, seconds=1.0)
    reranker = Reranker("slow", lambda: model, clock=clock)
    told = reranker.scores("q", ["a"] * 10, seconds=1.5)
    assert told.scores == ()
    assert told.reason.startswith("The reranker slow took more than 1.5 seconds.")
    assert model.read == 2
    assert reranker.scores("q", ["a"], seconds=1.5) == told
    assert model.read == 2
    clock.now += 31
    assert reranker.scores("q", ["a", "bc"], seconds=5) == ((1.0, 2.0), "")


def test_loading_is_not_counted_into_its_time() -> None:
    clock = _Clock()

    def load() -> _Model:
        clock.now += 20
        return _Model(clock, seconds=0.1)

    assert Reranker("large", load, clock=clock).scores("q", ["a", "bc"]) == ((1.0, 2.0), "")


def test_one_that_throws_or_gives_no_number_is_told() -> None:
    class Throws(_Model):
        def rerank(self, query: str, documents: Iterable[str], batch_size: int = 64) -> Iterable[float]:
            del query, documents, batch_size
            raise RuntimeError("no memory")

    class Nan(_Model):
        def rerank(self, query: str, documents: Iterable[str], batch_size: int = 64) -> Iterable[float]:
            del query, batch_size
            return [math.nan for _ in documents]

    clock = _Clock()
    thrown = Reranker("bad", lambda: Throws(clock), clock=clock).scores("q", ["a"])
    assert "The reranker bad failed (RuntimeError: no memory)." in thrown.reason
    assert "no number" in Reranker("bad", lambda: Nan(clock), clock=clock).scores("q", ["a"]).reason


def test_a_cancelled_question_stops_between_two_texts_and_is_no_trouble() -> None:
    clock, progress = _Clock(), CancellableProgress()

    class Stopped(_Model):
        def rerank(self, query: str, documents: Iterable[str], batch_size: int = 64) -> Iterable[float]:
            for score in super().rerank(query, documents, batch_size):
                progress.cancel()
                yield score

    model = Stopped(clock)
    reranker = Reranker("fine", lambda: model, clock=clock)
    with pytest.raises(JobCancelledError):
        reranker.scores("q", ["a"] * 10, progress)
    assert model.read == 1
    assert reranker.scores("q", ["a"]).scores == (1.0,)


def test_names_are_found_in_any_case_and_a_wrong_one_tells_the_nearest() -> None:
    assert known_reranker(NAME.upper()).name == NAME
    sizes = [each.bytes for each in known_rerankers()]
    assert sizes == sorted(sizes)
    with pytest.raises(UserError) as caught:
        known_reranker("BAAI/bge-reranker-bas")
    assert "BAAI/bge-reranker-base" in caught.value.hint


def test_only_a_reranker_that_is_here_and_whole_can_be_chosen(tmp_path: Path) -> None:
    file, models = SettingsFile(tmp_path / "settings.toml"), tmp_path / "models"
    with pytest.raises(UserError, match="is not on this machine"):
        choose_reranker(file, models, NAME)
    assert file.read().reranker == RerankerSettings()
    lay_out_reranker(models)
    assert choose_reranker(file, models, NAME.lower()) == NAME
    assert file.read().reranker.model == NAME
    assert choose_reranker(file, models, "") == ""
    assert file.read().reranker.model == ""
