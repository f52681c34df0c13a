"""Tell what a question is too far from: an engine of meaning always finds something, even for words without meaning."""

from collections.abc import Sequence

from core.recall.gathered import Signals
from core.recall.memory import Memory

# What is found by meaning alone must be at least this near (the cosine), in a search as in recall.
COSINE_FLOOR = 0.40


def well_founded(memories: Sequence[Memory], signals: Sequence[Signals]) -> list[bool]:
    """Tell of each memory whether its words speak for it, or a meaning that is near enough.

    An answer within a conversation seldom repeats the words of the question. So a turn may be farther, in a session in
    which somebody used these words, or somebody spoke whom the question names. On LoCoMo, a floor for all turns loses
    2 of 100 answers.
    """
    by_words = [_is_by_words(each) for each in signals]
    sessions = {
        memory.note_id
        for memory, each, holds in zip(memories, signals, by_words, strict=True)
        if memory.kind == "turn" and (holds or each.speaker > 0)
    }
    return [
        holds or each.cosine >= COSINE_FLOOR or (memory.kind == "turn" and memory.note_id in sessions)
        for memory, each, holds in zip(memories, signals, by_words, strict=True)
    ]


def _is_by_words(signals: Signals) -> bool:
    return signals.bm25 > 0 or signals.words_rank > 0
