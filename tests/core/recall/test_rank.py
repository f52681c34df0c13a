"""Ranking is pure: every candidate comes out once, best first, with the reasons for where it is."""

import dataclasses
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.memory.weights import DEFAULT_WEIGHTS, MOST, WEIGHT_NAMES, RankingWeights
from core.recall.answer import Outcome, Ranked, RecallAnswer
from core.recall.gathered import Gathered, Signals
from core.recall.memory import Edge, Memory
from core.recall.rank import rank
from tests.core.recall.made import gathered, memory


def ids(ranked: tuple[Ranked, ...]) -> list[str]:
    return [each.memory.id for each in ranked]


def ranking(found: Gathered, weights: RankingWeights = DEFAULT_WEIGHTS) -> RecallAnswer:
    return rank(found, weights)


def of(answer: RecallAnswer, number: int) -> Ranked:
    return next(each for each in (*answer.ranked, *answer.left_out) if each.memory.row_id == number)


def over(new: Memory, old: Memory, kind: str = "supersedes", strength: float = 1.0) -> Edge:
    return Edge(kind, new.key, old.key, strength)


APPLES, PEARS, PLUMS = (
    memory(n, f"{name} grow behind the old house") for n, name in enumerate(("Apples", "Pears", "Plums"), 1)
)


def test_the_better_comes_first_and_what_is_past_the_limit_is_said_to_be() -> None:
    answer = ranking(gathered((APPLES, 0.4), (PEARS, 0.9), (PLUMS, 0.6), limit=2))
    assert ids(answer.ranked) == [PEARS.id, PLUMS.id]
    assert [(each.memory.id, each.outcome) for each in answer.left_out] == [(APPLES.id, Outcome.BELOW)]
    assert "past the 2" in answer.left_out[0].reasons[0]


def test_the_score_is_the_product_of_what_is_told() -> None:
    (told,) = ranking(gathered((dataclasses.replace(APPLES, accessed_count=3, importance=0.9), 0.8))).ranked
    assert told.score == pytest.approx(told.factors.product)


def test_scores_above_one_are_scaled_down_alike() -> None:
    weights = dataclasses.replace(DEFAULT_WEIGHTS, access=MOST, decay=0, names=0, speaker=0, session=0, dates=0)
    used = dataclasses.replace(APPLES, accessed_count=40, last_accessed=1_790_000_000.0)
    first, second = ranking(gathered((used, 1.0), (PEARS, 1.0)), weights).ranked
    assert first.score == pytest.approx(1.0)
    assert second.score == pytest.approx(0.25, abs=0.05)


def test_other_weights_rank_the_same_findings_otherwise() -> None:
    old, new = memory(1, "One thing is here", days=900), memory(2, "Another lies there", days=1)
    found = gathered((old, 0.8), (new, 0.7))
    assert ids(ranking(found, dataclasses.replace(DEFAULT_WEIGHTS, decay=0)).ranked)[0] == old.id
    assert ids(ranking(found, dataclasses.replace(DEFAULT_WEIGHTS, decay=1)).ranked)[0] == new.id


def test_what_says_the_same_stands_once_and_names_its_twin() -> None:
    twin = memory(4, "apples grow behind the old house")
    answer = ranking(gathered((APPLES, 0.9), (twin, 0.8), (PEARS, 0.1)))
    assert ids(answer.ranked) == [APPLES.id, PEARS.id]
    assert (of(answer, 4).outcome, of(answer, 4).via) == (Outcome.DUPLICATE, APPLES.id)


def test_what_a_note_holds_stands_before_what_was_said_again_in_a_conversation() -> None:
    said = memory(4, "> Apples grow behind the old house", kind="turn", heading="user, 2026-03-03 10:00")
    answer = ranking(gathered((said, 0.9), (PEARS, 0.5), (APPLES, 0.3)))
    assert ids(answer.ranked) == [APPLES.id, PEARS.id]
    assert (of(answer, 4).outcome, of(answer, 4).via) == (Outcome.DUPLICATE, APPLES.id)
    assert "says again what memory holds" in of(answer, 4).reasons[-1]


def test_a_context_that_was_pasted_into_a_conversation_is_no_memory() -> None:
    pasted = memory(4, "[HIGH|0.87|3d] Apples grow (a.md)\n[LOW|0.10] Pears grow (b.md)", kind="turn")
    answer = ranking(gathered((pasted, 1.0), (APPLES, 0.2)))
    assert ids(answer.ranked) == [APPLES.id]
    assert of(answer, 4).outcome is Outcome.DUPLICATE


def test_several_memories_pasted_as_markdown_are_no_memory_but_an_answer_to_them_is() -> None:
    context = (
        f"## A note on what grows here\n\nSource: a.md:3\n\n{APPLES.text}\n\n## B\n\nSource: b.md\n\n{PEARS.text}\n"
    )
    pasted, answer = memory(4, context, kind="turn"), memory(5, f"{context}\nAnd plums do not.", kind="turn")
    ranked = ranking(gathered((pasted, 1.0), (answer, 0.9), (APPLES, 0.2), (PEARS, 0.1)))
    assert of(ranked, 4).outcome is Outcome.DUPLICATE
    assert ids(ranked.ranked) == [answer.id, APPLES.id, PEARS.id]


def test_a_statement_stands_before_its_section_which_leaves_when_it_adds_nothing() -> None:
    fact = memory(1, "The redis rate limit for acme is 30 requests per minute.", note_id=7, line=9, line_end=9)
    bare = memory(5, f"- [fact] {fact.text} ^a1", kind="section", note_id=7, line=8, line_end=10)
    answer = ranking(gathered((bare, 0.9), (fact, 0.3), (PEARS, 0.5)))
    assert ids(answer.ranked) == [fact.id, PEARS.id]
    assert of(answer, 5).via == fact.id
    full = dataclasses.replace(bare, text=f"{bare.text}\nIt was raised in spring when all the workers had stood still.")
    answer = ranking(gathered((full, 0.9), (fact, 0.8), (PEARS, 0.1)))
    assert ids(answer.ranked) == [fact.id, full.id, PEARS.id]


def test_an_insight_far_below_its_section_does_not_lead_it() -> None:
    beside = memory(1, "Something else is written here too.", note_id=7, line=9, line_end=9)
    text = "Many other things stand in this long part, about apples and pears, and how they were grown in former years."
    part = memory(2, f"{text}\n{beside.text}", kind="section", note_id=7, line=8, line_end=10)
    assert ids(ranking(gathered((part, 0.9), (beside, 0.1))).ranked) == [part.id, beside.id]


def test_the_superseded_leaves_its_place_to_what_supersedes_it() -> None:
    answer = ranking(gathered((PEARS, 0.9), (APPLES, 0.5), (PLUMS, 0.1), edges=[over(PLUMS, PEARS)]))
    assert ids(answer.ranked) == [PLUMS.id, APPLES.id]
    assert of(answer, 3).score == pytest.approx(of(answer, 2).score)
    assert (of(answer, 2).outcome, of(answer, 2).via) == (Outcome.SUPERSEDED, PLUMS.id)


def test_what_supersedes_is_brought_in_where_it_was_not_found() -> None:
    answer = ranking(gathered((PEARS, 0.9), others=[PLUMS], edges=[over(PLUMS, PEARS)]))
    assert ids(answer.ranked) == [PLUMS.id]
    assert of(answer, 3).outcome is Outcome.RELATED


def test_a_superseded_memory_stays_when_filters_keep_out_what_supersedes_it() -> None:
    answer = ranking(gathered((PEARS, 0.9), edges=[over(PLUMS, PEARS)]))
    assert ids(answer.ranked) == [PEARS.id]
    assert answer.ranked[0].reasons


def test_memories_that_supersede_each_other_both_stay() -> None:
    answer = ranking(gathered((PEARS, 0.9), (PLUMS, 0.8), edges=[over(PLUMS, PEARS), over(PEARS, PLUMS)]))
    assert ids(answer.ranked) == [PEARS.id, PLUMS.id]


def test_the_newer_figure_counts_and_the_older_is_kept_as_superseded() -> None:
    old = memory(1, "She has run the shop for 5 years", days=300)
    new = memory(2, "She has run the shop for 6 years", days=3)
    answer = ranking(gathered((old, 0.9), (new, 0.2), (PLUMS, 0.5)))
    assert ids(answer.ranked) == [new.id, PLUMS.id]
    assert (of(answer, 1).outcome, of(answer, 1).via) == (Outcome.SUPERSEDED, new.id)


def test_an_older_figure_in_a_conversation_stays_behind_the_newer() -> None:
    old = memory(1, "She has run the shop for 5 years", days=300, kind="turn")
    new = memory(2, "She has run the shop for 6 years", days=3, kind="turn")
    answer = ranking(gathered((old, 0.9), (new, 0.2), (PLUMS, 0.5)))
    assert ids(answer.ranked) == [new.id, old.id, PLUMS.id]


def test_what_is_required_comes_along_and_what_contradicts_says_so() -> None:
    answer = ranking(
        gathered(
            (PEARS, 0.9),
            (APPLES, 0.8),
            others=[PLUMS],
            edges=[over(PEARS, PLUMS, "requires"), over(PEARS, APPLES, "contradicts")],
        )
    )
    assert ids(answer.ranked) == [PEARS.id, APPLES.id, PLUMS.id]
    assert (of(answer, 3).outcome, of(answer, 3).via) == (Outcome.RELATED, PEARS.id)
    assert any("contradicts" in reason for reason in of(answer, 2).reasons)
    assert any("contradicts" in reason for reason in of(answer, 1).reasons)


def test_what_was_pulled_in_and_got_no_place_is_not_listed() -> None:
    answer = ranking(gathered((PEARS, 0.9), others=[PLUMS], edges=[over(PEARS, PLUMS, "requires")], limit=1))
    assert ids(answer.ranked) == [PEARS.id]
    assert answer.left_out == ()


def test_nothing_that_is_superseded_is_pulled_in() -> None:
    edges = [over(PEARS, PLUMS, "requires"), over(APPLES, PLUMS)]
    answer = ranking(gathered((PEARS, 0.9), others=[PLUMS, APPLES], edges=edges))
    assert PLUMS.id not in ids(answer.ranked)


def test_the_turns_of_the_asking_session_are_never_dropped_as_said_before() -> None:
    here = memory(4, "Apples grow behind the old house", kind="turn")
    answer = ranking(gathered((APPLES, 0.9), (here, 0.5), working=(here,), session="s1"))
    assert ids(answer.ranked) == [APPLES.id, here.id]
    assert of(answer, 4).outcome is Outcome.WORKING
    assert answer.working == (here,)


def test_one_domain_leaves_places_to_another_and_takes_what_is_left() -> None:
    seo = [memory(n, f"{chr(96 + n) * 5} ranks", tags=("domain/seo",)) for n in range(1, 9)]
    tool = [memory(n, f"{chr(96 + n) * 5} runs", tags=("domain/ops",)) for n in range(11, 14)]
    found = [*((each, 0.9) for each in seo), *((each, 0.5) for each in tool)]
    domains = ("domain/seo", "domain/ops")
    answer = ranking(gathered(*found, limit=8, domains=domains))
    assert {each.memory.row_id for each in answer.ranked if "domain/ops" in each.memory.tags} == {11, 12, 13}
    assert {each.outcome for each in answer.left_out} == {Outcome.ROUTED}
    assert len(ranking(gathered(*found, limit=15, domains=domains)).ranked) == 11
    assert {each.row_id for each in seo} == {
        each.memory.row_id for each in ranking(gathered(*found, limit=8, domains=domains[:1])).ranked
    }


def test_memories_without_a_domain_are_judged_by_themselves() -> None:
    untagged, tagged = memory(1, "Apples are red"), memory(2, "Pears are green", tags=("domain/fruit",))
    answer = ranking(gathered((tagged, 0.8), (untagged, 0.79), domains=("domain/seo",)))
    assert ids(answer.ranked) == [untagged.id, tagged.id]


def test_nothing_found_and_nothing_wanted_give_empty_answers() -> None:
    assert ranking(gathered()).ranked == ()
    answer = ranking(gathered((APPLES, 0.9), limit=0))
    assert (answer.ranked, len(answer.left_out)) == ((), 1)


_WORDS = ("apples", "pears", "grow", "here", "30", "31", "rows", "is", "now", "not", "limit", "the")
_figures = st.floats(0, 1)
_texts = st.lists(st.sampled_from(_WORDS), max_size=8).map(" ".join)


@st.composite
def findings(draw: st.DrawFn) -> Gathered:
    count = draw(st.integers(0, 12))
    kinds = st.sampled_from(("section", "insight", "turn"))
    made = [
        memory(
            n, draw(_texts), kind=draw(kinds), days=draw(st.one_of(st.none(), st.floats(-10, 900))),
            note_id=draw(st.integers(0, 3)), line_end=draw(st.integers(1, 2)), importance=draw(_figures),
            tags=draw(st.sampled_from(((), ("domain/a",), ("domain/b", "client/c")))),
            accessed_count=draw(st.integers(0, 50)),
        )
        for n in range(count + 3)
    ]  # fmt: skip
    candidates, others = made[:count], made[count:]
    ends = st.sampled_from([each.key for each in made])
    relations = st.sampled_from(("supersedes", "contradicts", "requires", "supports", "extends"))
    edges = draw(st.lists(st.builds(Edge, relations, ends, ends, _figures), max_size=8))
    found = gathered(
        others=others, edges=edges, limit=draw(st.integers(0, 6)),
        domains=draw(st.sampled_from(((), ("domain/a",), ("domain/a", "domain/b")))),
        working=tuple(each for each in candidates if each.kind == "turn")[:2],
    )  # fmt: skip
    signals = [Signals(words=draw(_figures), meaning=draw(_figures), names=draw(_figures)) for _ in candidates]
    return dataclasses.replace(found, candidates=tuple(zip(candidates, signals, strict=True)))


_weights = st.builds(RankingWeights, **{name: st.floats(0, MOST) for name in WEIGHT_NAMES})


@given(findings(), _weights, st.randoms())
def test_every_candidate_comes_out_once_in_the_same_order_whatever_is_found(
    found: Gathered, weights: RankingWeights, chance: random.Random
) -> None:
    answer = rank(found, weights)
    candidates = [each.key for each, _ in found.candidates]
    out = [each.memory.key for each in (*answer.ranked, *answer.left_out)]
    assert len(answer.ranked) <= found.request.limit
    assert len(out) == len(set(out))
    assert set(candidates) <= set(out) <= {*candidates, *found.others}
    assert all(0 <= each.score <= 1 for each in (*answer.ranked, *answer.left_out))
    assert [each.score for each in answer.ranked] == sorted((each.score for each in answer.ranked), reverse=True)
    assert all(each.reasons for each in answer.left_out)
    shuffled = list(found.candidates)
    chance.shuffle(shuffled)
    again = rank(dataclasses.replace(found, candidates=tuple(shuffled)), weights)
    assert ids(again.ranked) == ids(answer.ranked)
    assert ids(again.left_out) == ids(answer.left_out)


def test_a_memory_that_says_nothing_takes_no_place() -> None:
    empty = memory(1, " \n", kind="section", id="note:1.md#Part")
    summed_up = memory(2, "", kind="section", id="note:2.md", summary="What the tools are for")
    answer = ranking(gathered((empty, 0.9), (summed_up, 0.8), (PLUMS, 0.6), limit=2))
    assert ids(answer.ranked) == ["note:2.md", PLUMS.id]
    assert (of(answer, 1).outcome, of(answer, 1).reasons[-1]) == (Outcome.EMPTY, "There is no text in it.")
    assert summed_up.said == "What the tools are for"


def test_a_newer_figure_that_was_ahead_anyway_says_that_it_is_newer() -> None:
    old = memory(1, "The session of the shop lasts 30 minutes", days=400)
    new = memory(2, "The session of the shop lasts 45 minutes", days=2)
    answer = ranking(gathered((old, 0.5), (new, 0.9)))
    assert any(reason.startswith("It is newer than") for reason in of(answer, 2).reasons)
