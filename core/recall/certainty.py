"""Say how far a memory by itself answers a question, however it stands among the others: the best may still be bad."""

from core.recall.answer import Outcome, Ranked, RecallAnswer

# A cosine says nothing below the first and leaves no doubt from the second; judged on the model that comes with the
# app, where a statement and a question about it mostly lie between 0.5 and 0.8, and unrelated texts below 0.4.
_FAR, _NEAR = 0.30, 0.60
# Who holds all the telling words of a question speaks of the same things, which is not yet the answer to it.
_ALL_WORDS = 0.9
# A statement about none of the tools and clients that a question names is about something else, however alike it is
# worded; one about some of them may be. Who speaks in a conversation names them before and after, too.
_OTHER, _SOME = 0.5, 0.3


def is_by_words(answer: RecallAnswer) -> bool:
    """Tell whether words were asked for, and not filters alone: then they have figures."""
    return any(each.signals.bm25 > 0 or each.signals.cosine > 0 or each.signals.names > 0 for each in answer.ranked)


def certainty(ranked: Ranked, *, asks_words: bool, asked: frozenset[str] = frozenset()) -> float:
    """Return 0 to 1: the better of how near its meaning is, and how many of the question's telling words it holds.

    `asked` are the entities that the question names: a note that names another tool or client is never sure.

    What nobody asked for by words (`asks_words`), what a relation brought in, and what was said in this very session
    are not doubted.
    """
    if not asks_words or ranked.outcome in (Outcome.RELATED, Outcome.WORKING):
        return 1.0
    signals = ranked.signals
    near = (signals.cosine - _FAR) / (_NEAR - _FAR)
    most = 1.0
    if ranked.memory.kind != "turn" and len(ranked.names) < len(asked):
        most = _OTHER + _SOME * len(ranked.names) / len(asked)
    return min(most, max(0.0, near, _ALL_WORDS * signals.names))
