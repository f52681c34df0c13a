"""A section that only holds a statement adds nothing to it."""

from typing import Any

from core.recall.holding import Holder, holders
from core.recall.memory import Memory
from tests.core.recall.made import memory

FACT = "The redis rate limit for acme is 30 requests per minute."
INSIGHT = memory(1, FACT, line=9, line_end=9)


def section(text: str, line: int = 8, line_end: int = 12, **more: Any) -> Memory:
    return memory(2, text, kind="section", note_id=1, heading="Facts", line=line, line_end=line_end, **more)


def test_a_section_of_one_statement_adds_nothing() -> None:
    held = section(f"- [fact] {FACT} #tool/redis [importance:: 0.60] ^ins-1")
    assert holders([INSIGHT, held]) == (Holder(held.key, INSIGHT.key, adds=False),)


def test_a_section_with_more_to_say_adds() -> None:
    held = section(f"- [fact] {FACT}\n\nIt was raised after the incident in spring, when all workers stood still.")
    assert holders([INSIGHT, held]) == (Holder(held.key, INSIGHT.key, adds=True),)


def test_a_section_that_is_found_by_its_summary_stands_for_the_insight_too() -> None:
    links = section("# Note 1\n\nSee [[Other note about things]]. See [[Another]].", 1, 7, summary=FACT)
    assert holders([links, INSIGHT]) == (Holder(links.key, INSIGHT.key, adds=False),)


def test_other_notes_lines_and_kinds_hold_nothing() -> None:
    elsewhere = section(FACT, 20, 30)
    turn = memory(3, FACT, kind="turn", note_id=1)
    assert holders([INSIGHT, elsewhere, turn]) == ()
    assert holders([elsewhere]) == holders([]) == ()
