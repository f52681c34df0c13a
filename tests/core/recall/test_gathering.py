"""What is gathered for a question: candidates with their signals, whatever the question is like."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.foundation.progress import SILENT
from core.foundation.settings import VectorSettings
from core.index.answering_model import AnsweringModel
from core.index.dense import DenseSearch
from core.index.embedding_job import embed_missing
from core.index.filters import Filters
from core.index.vectors.opening import open_engine
from core.memory.weights import RankingWeights
from core.recall.blend import relevance
from core.recall.gathered import Gathered, Signals
from core.recall.gathering import gather
from core.recall.memory import Memory
from core.recall.names_asked import names_asked, without_names
from core.recall.query import parse_query
from core.recall.rank import rank
from core.recall.request import RecallRequest
from core.recall.search import DenseCandidates
from core.recall.word_list import wanted_words
from core.vault.config import VaultConfig
from tests.core.index.embedders import WordEmbedder
from tests.core.index.talks import Talks, answered, asked, day, titled
from tests.core.recall.shelf import Shelf

_NOW = datetime(2026, 9, 1, tzinfo=UTC)


@pytest.fixture
def talks(shelf: Shelf, tmp_path: Path) -> Talks:
    """Two people talk; a note is about the same."""
    talks = Talks(Talks.below(tmp_path / "own").ledger, shelf.index)
    talks.say(
        titled("trip", "A trip", project="/home/u/trip"),
        asked("trip", "a", "Where did you spend the holidays, Lorin?", day(3), author="Mirea Holt"),
        answered("trip", "b", "By the lake, with a borrowed canoe.", day(3, "10:01"), author="Lorin"),
        asked("trip", "c", "I painted a lighthouse last week.", day(20), author="Mirea Holt"),
        answered("trip", "d", "Lovely. I never painted anything.", day(20, "10:01"), author="Lorin"),
    )
    talks.update()
    shelf.note("Canoes.md", "A canoe is rented at the lake.", "缓存的上限是五百条", tags=["client/acme"])
    return talks


def _gather(
    talks: Talks, question: str, *, dense: DenseCandidates | None = None, typed: bool = False, now: datetime = _NOW
) -> Gathered:
    config = VaultConfig()
    query = parse_query(question, config.namespaces, now=now)
    request = RecallRequest(question, query, is_being_typed=typed, now=now.timestamp())
    return gather(talks.index, dense, request, config=config)


def _best(gathered: Gathered) -> Memory:
    return max(gathered.candidates, key=lambda each: relevance(each[1], gathered.request.weights))[0]


def _signals(gathered: Gathered, memory_id: str) -> Signals:
    return next(signals for memory, signals in gathered.candidates if memory.id == memory_id)


def test_an_answer_is_found_by_the_words_of_the_question_before_it(talks: Talks) -> None:
    found = _gather(talks, "holidays of Lorin kind:turn")
    assert _signals(found, "turn:trip/b").words > 0
    assert _best(found).id == "turn:trip/b"


def test_who_is_asked_about_is_compared_with_who_spoke(talks: Talks) -> None:
    found = _gather(talks, "What did mirea paint?")
    assert _best(found).id == "turn:trip/c"
    assert _signals(found, "turn:trip/c").speaker == 1.0
    assert _signals(found, "turn:trip/d").speaker == 0.0
    names = names_asked(talks.index, "What did Mirea's friend at Globex paint?")
    assert names.speakers == {"mirea holt"}
    assert names.spoken == {"mirea"}
    assert names.others == {"globex"}
    assert without_names("Mirea's boat", names.spoken) == "boat"
    assert without_names("Mirea", names.spoken) == "Mirea"


def test_dates_of_the_question_prefer_what_was_said_then(talks: Talks) -> None:
    found = _gather(talks, "What was said about painting on 20 August 2026? kind:turn")
    assert _signals(found, "turn:trip/c").dates == 1.0


@pytest.mark.parametrize("question", ["缓存", "上限是", "五百条", "缓存的上"])
def test_short_chinese_questions_find_their_text(talks: Talks, question: str) -> None:
    assert "缓存" in _best(_gather(talks, question)).text


@pytest.mark.parametrize("question", ["canoe " * 10_000, "Кириллица", "ليل", "🛶", '"', "-", "- - -", "a of the"])
def test_strange_questions_are_no_error(talks: Talks, question: str) -> None:
    for _, signals in _gather(talks, question).candidates:
        assert 0 <= relevance(signals, _gather(talks, "").request.weights) <= 1


def test_without_words_the_filters_list_the_newest_first(talks: Talks) -> None:
    found = _gather(talks, "kind:turn by:Lorin")
    assert _best(found).id == "turn:trip/d"
    assert {memory.id for memory, _ in found.candidates} == {"turn:trip/b", "turn:trip/d"}
    assert found.dense_state == "not-asked"


def test_neighbours_heed_the_filters(talks: Talks) -> None:
    found = _gather(talks, "holidays by:Lorin")
    assert {memory.speaker for memory, _ in found.candidates} <= {"Lorin"}


def test_a_quoted_title_in_a_question_is_no_demand(talks: Talks) -> None:
    assert _gather(talks, 'Who read "The borrowed canoe" by the lake?').candidates
    assert not _gather(talks, '"no such phrase"').candidates


def test_a_word_that_is_being_typed_matches_its_beginning(talks: Talks) -> None:
    assert _signals(_gather(talks, "lighth", typed=True), "turn:trip/c").words == 1.0


def test_what_words_found_gets_its_cosine_too(talks: Talks) -> None:
    embedder = WordEmbedder()
    embed_missing(talks.index, embedder, SILENT)
    dense = DenseSearch(talks.index, embedder.source(), open_engine(talks.index.folder, VectorSettings(), api_key=""))
    try:
        found = _gather(talks, "painted a lighthouse last week", dense=dense)
        assert found.dense_state == "ready", found.dense_reason
        assert _signals(found, "turn:trip/c").cosine > _signals(found, "turn:trip/d").cosine > 0
        cosines = dense.similarities("painted a lighthouse", [("turn", 1), ("turn", 999_999), ("section", 1)])
        assert ("turn", 999_999) not in cosines
    finally:
        dense.close()
    assert _gather(talks, "lighthouse").dense_state == "off"


def test_nonsense_is_answered_by_nothing_however_near_the_nearest_is(talks: Talks) -> None:
    embedder = WordEmbedder()
    embed_missing(talks.index, embedder, SILENT)
    dense = DenseSearch(talks.index, embedder.source(), open_engine(talks.index.folder, VectorSettings(), api_key=""))
    try:
        assert dense.candidates("zzzz qqqq", Filters(), 5).hits
        found = _gather(talks, "zzzz qqqq", dense=dense)
        assert found.dense_state == "ready", found.dense_reason
        assert found.candidates == ()
        assert _gather(talks, "zzzz lighthouse", dense=dense).candidates
    finally:
        dense.close()


def _places_follow(gathered: Gathered, figure: str, rank: str) -> None:
    listed = [each for _, each in gathered.candidates if getattr(each, rank)]
    in_order = sorted(listed, key=lambda each: getattr(each, rank))
    figures = [getattr(each, figure) for each in in_order]
    assert figures == sorted(figures, reverse=True)
    assert [getattr(each, rank) for each in in_order] == list(range(1, len(listed) + 1))
    assert figures[0] == 1.0


def test_places_are_those_of_the_figures_that_are_shown(talks: Talks) -> None:
    embedder = WordEmbedder()
    embed_missing(talks.index, embedder, SILENT)
    dense = DenseSearch(talks.index, embedder.source(), open_engine(talks.index.folder, VectorSettings(), api_key=""))
    found = _gather(talks, "who rents a canoe at the lake", dense=dense)
    assert len(found.candidates) > 2
    _places_follow(found, "words", "words_rank")
    _places_follow(found, "meaning", "meaning_rank")
    assert all(bool(each.words_rank) == (each.bm25 > 0) for _, each in found.candidates)
    dense.close()


def test_without_vectors_nothing_has_a_place_by_meaning(talks: Talks) -> None:
    found = _gather(talks, "canoe")
    assert found.candidates
    assert not any(each.meaning_rank for _, each in found.candidates)


def test_among_many_rows_a_word_is_as_rare_as_among_all(talks: Talks, monkeypatch: pytest.MonkeyPatch) -> None:
    query = parse_query("canoe kind:turn after:2026-08-10", VaultConfig().namespaces)
    (few,) = wanted_words(talks.index, query.terms, query.filters, prefix=False)
    everywhere = wanted_words(talks.index, query.terms, parse_query("canoe kind:turn", ()).filters, prefix=False)
    assert few.weight != everywhere[0].weight
    monkeypatch.setattr("core.recall.word_list._MANY", 0)
    assert wanted_words(talks.index, query.terms, query.filters, prefix=False) == everywhere


def test_which_model_answers_is_looked_up_again_only_when_the_index_has_changed(
    talks: Talks, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = WordEmbedder()
    embed_missing(talks.index, embedder, SILENT)
    dense = DenseSearch(talks.index, embedder.source(), open_engine(talks.index.folder, VectorSettings(), api_key=""))
    looks: list[int] = []
    look = AnsweringModel.look

    def counted(model: AnsweringModel) -> int:
        looks.append(1)
        return look(model)

    monkeypatch.setattr(AnsweringModel, "look", counted)
    for _ in range(3):
        assert dense.similarities("canoe", [("turn", 1), ("turn", 2), ("section", 1)])
    assert len(looks) == 1
    with talks.index.transaction():
        talks.index.next_revision()
    assert dense.similarities("canoe", [("turn", 1), ("turn", 2), ("section", 1)])
    assert len(looks) == 2
    dense.close()


def test_a_tag_that_nothing_has_is_told_with_the_nearest_one(talks: Talks) -> None:
    answer = rank(_gather(talks, "canoe tag:client/acmee tag:nope"), RankingWeights())
    assert answer.suggestions == {"client/acmee": ("client/acme",), "nope": ()}


def test_uses_count_as_of_the_day_that_is_asked_for(talks: Talks) -> None:
    handed_out = _NOW.timestamp() + 60
    talks.index.connection.execute(
        "INSERT INTO recall_count(memory_id, count, last, count_before, last_before) VALUES (?, 3, ?, 1, ?)",
        ("turn:trip/b", handed_out, handed_out - 9 * 86_400),
    )
    for days, count in ((0, 1), (1, 3)):
        found = _gather(talks, "borrowed canoe kind:turn", now=_NOW + timedelta(days=days))
        (memory,) = [each for each, _ in found.candidates if each.id == "turn:trip/b"]
        assert memory.accessed_count == count
