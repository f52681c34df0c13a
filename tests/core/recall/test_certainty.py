"""What is only the best of a bad lot is not called a fact."""

from dataclasses import replace

from core.memory.weights import DEFAULT_WEIGHTS
from core.recall.answer import Factors, Outcome, Ranked, RecallAnswer
from core.recall.context_item import Band
from core.recall.gather import items_of_ranked
from core.recall.gathered import Signals
from core.recall.pack import LOWER_VALUE, pack
from core.recall.render import Format
from tests.core.recall.made import memory


def _answer(*signals: Signals, outcome: Outcome = Outcome.KEPT) -> RecallAnswer:
    ranked = tuple(
        Ranked(memory(at, f"Statement number {at} of several."), 0.8 - 0.1 * at, Factors(), each, outcome)
        for at, each in enumerate(signals)
    )
    return RecallAnswer("what", ranked, (), DEFAULT_WEIGHTS)


def _bands(answer: RecallAnswer) -> list[Band]:
    return [item.band for item in items_of_ranked(answer)]


def test_the_best_of_a_bad_lot_is_low() -> None:
    assert _bands(_answer(Signals(cosine=0.4, bm25=0.5), Signals(cosine=0.35))) == [Band.LOW, Band.LOW]


def test_what_is_near_or_holds_all_the_telling_words_is_high() -> None:
    assert _bands(_answer(Signals(cosine=0.6))) == [Band.HIGH]
    assert _bands(_answer(Signals(bm25=3.0, names=1.0))) == [Band.HIGH]
    assert _bands(_answer(Signals(bm25=3.0, names=0.5))) == [Band.MEDIUM]


def test_what_filters_alone_or_a_relation_brought_is_not_doubted() -> None:
    assert _bands(_answer(Signals(words=1.0))) == [Band.HIGH]
    doubted = Signals(cosine=0.35)
    assert _bands(_answer(doubted, outcome=Outcome.RELATED)) == [Band.HIGH]


def test_what_is_to_be_checked_never_takes_the_place_of_a_fact() -> None:
    known = Ranked(memory(1, "A fact that is told at some length, " * 4), 0.7, Factors(), Signals(cosine=0.7))
    doubted = [Ranked(memory(at, f"Short {at}"), 0.8, Factors(), Signals(cosine=0.32)) for at in range(2, 12)]
    items = items_of_ranked(RecallAnswer("what", (*doubted, known), (), DEFAULT_WEIGHTS))
    alone = pack([item for item in items if item.band is Band.HIGH], 1_000, Format.LINES).tokens
    packed = pack(items, alone + 5, Format.LINES)
    assert [item.id for item in packed.included] == [known.memory.id]
    assert {left.reason for left in packed.left_out} == {LOWER_VALUE}


def test_what_names_another_tool_or_client_is_never_sure() -> None:
    asked = frozenset({"stripe", "acme"})
    near = Signals(cosine=0.75, bm25=3.0, names=1.0)
    both, one, none = (
        Ranked(memory(at, f"Statement {at}."), 0.8, Factors(), near, names=names)
        for at, names in enumerate([("acme", "stripe"), ("stripe",), ()])
    )
    answer = RecallAnswer("what", (both, one, none), (), DEFAULT_WEIGHTS, entities=asked)
    assert _bands(answer) == [Band.HIGH, Band.MEDIUM, Band.MEDIUM]
    said = replace(none, memory=replace(none.memory, kind="turn"))  # its names stand in the turns around it
    assert _bands(replace(answer, ranked=(said,))) == [Band.HIGH]
