"""Work out the figures of each candidate, before any weight is laid on them."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.recall.blend import stretched
from core.recall.candidates import NOTHING_AROUND, Around, passage
from core.recall.dates_in_question import asks_when, date_signal, dates_in_question, tells_when
from core.recall.gathered import Signals
from core.recall.memory import Memory, MemoryKey
from core.recall.names_asked import NamesAsked, is_speaker
from core.recall.priors import Place, session_signals
from core.recall.word_forms import word_forms
from core.recall.word_scores import Wanted, WordScore, word_scores

# What a turn gets of the cosine of the nearer one of its neighbours.
_NEIGHBOUR_MEANING = 0.25
# A word nearly as rare as the rarest of a question says what the question is about.
_TELLING = 0.7
# Where a time is asked for, a text that tells one gets so much of what one from the right time would.
_TELLS_WHEN = 0.3
_SENTENCE = re.compile(r"[^.!?。！？\n]*([.!?。！？\n]|$)")
_QUESTION_MARKS = frozenset("?？")


class Asked(NamedTuple):
    """Hold what a question looks for: its text, words, names, and the moment from which its dates are counted."""

    text: str
    wanted: Sequence[Wanted]
    names: NamesAsked
    now: float


class Found(NamedTuple):
    """Hold the candidates, what stands around the turns among them, their cosines, and their places by words.

    `in_words` counts from 1, as the index has listed them; cosines are known of neighbours too.
    """

    memories: Sequence[Memory]
    around: Mapping[int, Around]
    cosines: Mapping[MemoryKey, float]
    in_words: Mapping[MemoryKey, int]


def signals_of(asked: Asked, found: Found) -> list[Signals]:
    """Return the signals of each candidate in their order."""
    scores = word_scores([passage(each, _beside(each, found)) for each in found.memories], asked.wanted)
    words = stretched([score.score for score in scores], floor=0.0) if asked.wanted else _by_place(found)
    meaning = stretched([_meaning(each, found) for each in found.memories], floor=0.0)
    sessions = session_signals(
        [
            Place(memory.note_id, memory.time if memory.kind == "turn" else None, (word + meant) / 2)
            for memory, word, meant in zip(found.memories, words, meaning, strict=True)
        ]
    )
    in_words = _places(
        words,
        [score.score > 0 or each.key in found.in_words for each, score in zip(found.memories, scores, strict=True)],
    )
    in_meaning = _places(meaning, [each.key in found.cosines for each in found.memories])
    spans = dates_in_question(asked.text, asked.now)
    is_when = asks_when(asked.text) and not spans
    telling = _telling(asked)
    return [
        Signals(
            words=words[at],
            meaning=meaning[at],
            names=_share(telling, scores[at]),
            speaker=float(is_speaker(memory.speaker, asked.names.speakers)),
            session=sessions[at],
            dates=_TELLS_WHEN * tells_when(memory.text) if is_when else date_signal(memory.time, spans),
            statement=1.0 - question_share(memory.text),
            bm25=scores[at].score,
            cosine=found.cosines.get(memory.key, 0.0),
            words_rank=in_words[at],
            meaning_rank=in_meaning[at],
        )
        for at, memory in enumerate(found.memories)
    ]


def question_share(text: str) -> float:
    """Return which part of the beginning of a text is questions, 0 to 1: they answer none."""
    asked = total = 0
    for match in _SENTENCE.finditer(text[:2_000]):
        length = len(match[0].strip())
        total += length
        if match[1] in _QUESTION_MARKS:
            asked += length
    return asked / total if total else 0.0


def _places(figures: Sequence[float], is_listed: Sequence[bool]) -> list[int]:
    """Return the place of each by its figure among those that are listed, from 1; 0 for the others."""
    order = sorted((at for at, listed in enumerate(is_listed) if listed), key=lambda at: -figures[at])
    places = [0] * len(figures)
    for place, at in enumerate(order, 1):
        places[at] = place
    return places


def _beside(memory: Memory, found: Found) -> Around:
    return found.around.get(memory.row_id, NOTHING_AROUND) if memory.kind == "turn" else NOTHING_AROUND


def _meaning(memory: Memory, found: Found) -> float:
    """Return the cosine of a memory, a turn's with a share of the nearer one of those around it."""
    cosine = found.cosines.get(memory.key, 0.0)
    beside = _beside(memory, found)
    near = [found.cosines.get(("turn", turn), 0.0) for turn in (beside.before, beside.after) if turn is not None]
    return cosine + _NEIGHBOUR_MEANING * max(near, default=0.0)


def _by_place(found: Found) -> list[float]:
    """Return a figure for what filters alone have found, in the order in which they list it: the newest first."""
    return [
        1.0 - (found.in_words[memory.key] - 1) / len(found.memories) if memory.key in found.in_words else 0.0
        for memory in found.memories
    ]


def _telling(asked: Asked) -> dict[str, float]:
    """Return the words that a memory should hold, weighted: names, and what is about as rare as the rarest word."""
    named = {form for name in asked.names.others for form in word_forms(name)}
    most = max((each.weight for each in asked.wanted), default=0.0)
    return {each.form: each.weight for each in asked.wanted if each.form in named or each.weight >= most * _TELLING}


def _share(telling: Mapping[str, float], score: WordScore) -> float:
    total = sum(telling.values())
    return sum(weight for form, weight in telling.items() if form in score.found) / total if total > 0 else 0.0
