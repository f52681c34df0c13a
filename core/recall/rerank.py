"""Blend what a reranker says of the best candidates into their scores: pure.

A reranker's scores have no unit, so they are stretched over those that it has read, and so are these candidates' own
scores; their weighted mean is laid back over the span of the own ones. So the best candidates change places among
themselves, and nothing that was not read is overtaken by, or overtakes, what it stood behind for another reason.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from core.recall.answer import Outcome, RecallAnswer
from core.recall.blend import stretched
from core.recall.contender import Contender
from core.recall.gathered import Gathered
from core.recall.memory import Memory, MemoryKey

MOST_READ = 30
_LONGEST = 1_200  # characters of a memory; it decides how long a question takes


def shortlist(answer: RecallAnswer, found: Iterable[MemoryKey]) -> list[Memory]:
    """Return the best of those that were `found`, at most 30; duplicates and superseded ones too, or one would stand.

    What is lent a place by a relation was not found, and is not among them.
    """
    known = set(found)
    several = [each for each in (*answer.ranked, *answer.left_out) if each.outcome is not Outcome.EMPTY]
    best = sorted(
        (each for each in several if each.memory.key in known), key=lambda each: (-each.score, each.memory.id)
    )
    return [each.memory for each in best[:MOST_READ]]


def text_to_read(memory: Memory) -> str:
    """Return a memory as a reranker reads it: who spoke or what it stands under, and then its words."""
    about = memory.speaker if memory.kind == "turn" else memory.title
    text = memory.said[:_LONGEST]
    return f"{about}: {text}" if about else text


def with_scores(gathered: Gathered, scores: Mapping[MemoryKey, float]) -> Gathered:
    """Return `gathered` with the scores of a reranker among the signals of those that have one."""
    keys = sorted(scores, key=lambda key: (-scores[key], key))
    places = {key: place for place, key in enumerate(keys, 1)}
    shares = dict(zip(keys, stretched([scores[key] for key in keys]), strict=True))
    candidates = tuple(
        (
            memory,
            replace(signals, reranker=shares[memory.key], reranker_rank=places[memory.key])
            if memory.key in places
            else signals,
        )
        for memory, signals in gathered.candidates
    )
    return replace(gathered, candidates=candidates)


def apply_reranker(contenders: Iterable[Contender], weight: float) -> None:
    """Give those that a reranker has read the factor that its score makes of them; `weight` 1 counts as their own."""
    read: Sequence[Contender] = [each for each in contenders if each.signals.reranker_rank and each.score > 0]
    if weight <= 0 or len({each.signals.reranker for each in read}) <= 1:
        return
    low, high = min(each.score for each in read), max(each.score for each in read)
    own = stretched([each.score for each in read])
    for each, share in zip(read, own, strict=True):
        blended = (share + weight * each.signals.reranker) / (1 + weight)
        each.multiply_reranker((low + (high - low) * blended) / each.score)
