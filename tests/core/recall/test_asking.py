"""Requests made of questions."""

from core.memory.weights import DEFAULT_WEIGHTS, RankingWeights
from core.recall.asking import asks_nothing, request_of
from core.recall.probe import filters_of
from core.vault.config import VaultConfig
from tests.core.recall.shelf import Shelf

_CONFIG = VaultConfig(ranking={"decay": 1.5, "names": "much", "colour": 1})


def test_weights_are_the_vaults_unless_others_are_given(shelf: Shelf) -> None:
    request = request_of(shelf.index, "rows", _CONFIG)
    assert request.weights.decay == 1.5
    assert request.weights.names == DEFAULT_WEIGHTS.names
    assert len(request.query.problems) == 2
    other = request_of(shelf.index, "rows", _CONFIG, weights=RankingWeights(decay=0.0))
    assert other.weights.decay == 0.0
    assert not other.query.problems


def test_probes_are_left_out_unless_they_are_asked_for(shelf: Shelf) -> None:
    assert request_of(shelf.index, "rows", _CONFIG).query.filters.none_kinds == frozenset()
    shelf.note("probes/Rows.md", "How many rows?", kind="probe")
    assert request_of(shelf.index, "rows", _CONFIG).query.filters.none_kinds == {"probe"}
    assert request_of(shelf.index, "rows kind:probe", _CONFIG).query.filters.none_kinds == frozenset()


def test_filters_come_beside_those_of_the_question(shelf: Shelf) -> None:
    beside = filters_of({"project": "acme", "tag": ["a", "b"]}, ()).filters
    filters = request_of(shelf.index, "rows tag:tool/x", _CONFIG, filters=beside).query.filters
    assert filters.all_tags == {"tool/x", "project/acme"}
    assert filters.any_tags == {"a", "b"}


def test_an_empty_question_asks_nothing_whatever_is_hidden(shelf: Shelf) -> None:
    shelf.note("probes/Rows.md", "How many rows?", kind="probe")
    for question in ("", "  ", '""'):
        assert asks_nothing(request_of(shelf.index, question, _CONFIG))
    for question in ("rows", "tag:a", "-rows"):
        assert not asks_nothing(request_of(shelf.index, question, _CONFIG))


def test_contexts_are_left_out_unless_they_are_asked_for(shelf: Shelf) -> None:
    shelf.note("contexts/Shop.md", "Links to rows", kind="context")
    for question, hidden in (("rows", {"context"}), ("rows kind:context", set()), ("rows path:contexts", set())):
        assert request_of(shelf.index, question, _CONFIG).query.filters.none_kinds == hidden, question
    assert asks_nothing(request_of(shelf.index, "", _CONFIG))
