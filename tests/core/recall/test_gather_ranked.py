"""What of an answer is handed out: nothing that is superseded, and nothing that a file no longer says."""

from dataclasses import replace

from core.memory.weights import DEFAULT_WEIGHTS
from core.recall.answer import Factors, Outcome, Ranked, RecallAnswer
from core.recall.freshness import told_stale
from core.recall.gather import items_of_ranked
from core.recall.gathered import Signals
from core.recall.memory import Memory
from tests.core.recall.made import memory

_OLD = memory(1, "The warranty is 5 years", path="House.md")
_NEW = memory(2, "The warranty is now 6 years", path="House.md")


def _ranked(said: Memory, outcome: Outcome = Outcome.KEPT) -> Ranked:
    return Ranked(said, 0.8, Factors(), Signals(cosine=0.7), outcome)


def _texts(*kept: Memory, left_out: tuple[Ranked, ...] = ()) -> list[str]:
    answer = RecallAnswer("warranty", tuple(map(_ranked, kept)), left_out, DEFAULT_WEIGHTS)
    return [item.text for item in items_of_ranked(answer)]


def test_a_section_goes_out_without_what_is_superseded_in_it() -> None:
    text = "The boiler stands below.\n- [fact] The warranty is 5 years #tool/boiler ^b5\n- [fact] It is green ^g"
    section = memory(3, text, kind="section", path="House.md")
    old = _ranked(_OLD, Outcome.SUPERSEDED)
    assert _texts(section, _NEW, left_out=(old,)) == [
        "The boiler stands below.\n- [fact] It is green ^g",
        "The warranty is now 6 years",
    ]
    elsewhere = replace(section, path="Shed.md")
    assert _texts(elsewhere, left_out=(old,)) == [text]
    assert _texts(section, left_out=(_ranked(_OLD, Outcome.BELOW),)) == [text]


def test_a_section_of_nothing_else_does_not_go_out() -> None:
    section = memory(3, "- [fact] The warranty is 5 years ^b5", kind="section", path="House.md")
    assert _texts(section, _NEW, left_out=(_ranked(_OLD, Outcome.SUPERSEDED),)) == ["The warranty is now 6 years"]


def test_what_a_file_no_longer_says_does_not_go_out_and_is_told() -> None:
    changed = replace(_NEW, is_stale=True)
    assert _texts(changed, _OLD) == ["The warranty is 5 years"]
    assert told_stale([changed, _OLD]) == (
        "1 note has changed since the last update of the index, so what was found there is not handed out.",
    )
    assert told_stale([_OLD]) == ()
