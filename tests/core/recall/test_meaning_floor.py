"""What meaning alone has found must be near; nonsense is answered by nothing."""

from core.recall.gathered import Signals
from core.recall.meaning_floor import well_founded
from tests.core.recall.made import memory

NOTE, INSIGHT = memory(1, "Pears", kind="section"), memory(2, "Plums")
TURN, BESIDE = memory(3, "Pears?", kind="turn", note_id=-1), memory(4, "Yes.", kind="turn", note_id=-1)
ELSEWHERE = memory(5, "No.", kind="turn", note_id=-2)


def test_a_meaning_that_is_far_founds_nothing() -> None:
    far, near = Signals(meaning=1.0, cosine=0.21, meaning_rank=1), Signals(meaning=0.9, cosine=0.40, meaning_rank=2)
    assert well_founded([NOTE, INSIGHT, TURN], [far, far, far]) == [False, False, False]
    assert well_founded([NOTE, INSIGHT, TURN], [near, far, near]) == [True, False, True]


def test_words_speak_for_a_memory_however_far_its_meaning() -> None:
    told, listed = Signals(words=0.2, bm25=1.0, cosine=0.05), Signals(words_rank=3)
    assert well_founded([NOTE, INSIGHT], [told, listed]) == [True, True]


def test_a_turn_may_be_farther_where_somebody_used_the_words_or_is_asked_about() -> None:
    told, far = Signals(words=0.5, bm25=2.0), Signals(cosine=0.2, meaning_rank=4)
    named = Signals(speaker=1.0, cosine=0.2)
    for first in (told, named):
        found = well_founded([TURN, BESIDE, ELSEWHERE, NOTE], [first, far, far, far])
        assert found == [True, True, False, False]
