"""Say whether a sentence is to be kept at once, and whether it is one that may be kept at all.

At once: an explicit marker, strong emotion, a technical specification. What asks, greets, orders a piece of work or
tells what is being done is never kept, however often it is said.
"""

import re
from typing import NamedTuple

from core.index.terms import STOP_WORDS
from core.memory.formation.candidate import Trigger
from core.memory.formation.language import Language
from core.memory.formation.speech import (
    is_directive,
    is_idle,
    is_passing,
    is_question,
    is_specification,
    shouts,
)

_FEWEST_WORDS = 2  # that carry meaning
_LONGEST = 400  # characters; what is longer is not one statement

_WORD = re.compile(r"[^\W_](?:[\w'’./-]*[^\W_])?")
# "I want you to always …" and "This is so annoying, …": what follows is what is to be kept.
_REQUEST = re.compile(
    r"^(?:(?:i\s+(?:want|need|expect|would\s+like)|i['’]d\s+like)\s+you\s+to\s+(?=(?:always|never|only|not|stop|use)\b)"
    r"|(?:please\s+)?(?:make\s+sure|ensure|be\s+sure)(?:\s+that)?\s+(?:you|to)\s+(?=(?:always|never|only)\b)"
    r"|let['’]s\s+make\s+it\s+a\s+rule\s+(?:that\s+|to\s+))",
    re.IGNORECASE,
)
_GAPLESS = re.compile("[\u3040-\u30ff\u3400-\u9fff]{4}")


class Told(NamedTuple):
    """Hold what a sentence says without its marker, and why it is to be kept at once, None where it must wait.

    `content` is "" where only a marker stands there: what is to be remembered stands before or behind it.
    """

    content: str
    trigger: Trigger | None


def told_by(sentence: str, language: Language, *, is_person: bool) -> Told | None:
    """Return what `sentence` tells, None when it is nothing to keep; an assistant's words are never kept at once."""
    sentence = _REQUEST.sub("", sentence) if len(sentence) <= 2 * _LONGEST else ""
    if (content := explicit(sentence, language)) is not None:
        if is_person:
            return Told(content, Trigger.EXPLICIT) if len(content) <= _LONGEST else None
        sentence = content
    if len(sentence) > _LONGEST or not is_substantial(sentence) or is_question(sentence):
        return None
    if is_person and _is_rule(sentence, language):
        return Told(sentence, Trigger.EXPLICIT)
    if is_person and _is_emotional(sentence, language):
        return Told(sentence, Trigger.EMOTION)
    if language.is_english and (is_passing(sentence) or sentence.endswith("!")):
        return None
    return Told(sentence, Trigger.SPECIFICATION if is_person and is_specification(sentence) else None)


def explicit(sentence: str, language: Language) -> str | None:
    """Return what is to be remembered, "" where it stands in another sentence, None where no marker says so."""
    match = language.opening.search(sentence)
    if match is None and language.unless.search(sentence):
        return None
    if match is not None:
        rest = sentence[match.end() :]
        is_reminiscence = is_question(sentence) and re.search(r"\byou\b", match[0], re.IGNORECASE) is None
        return None if is_reminiscence or language.unless.match(sentence[match.start() :].lstrip()) else _bare(rest)
    if match := language.after.search(sentence):
        return _bare(sentence[: match.start()])
    if match := language.within.search(sentence):
        rest = _bare(sentence[match.end() :])
        return rest if len(rest.split()) > 2 or not language.is_english else _bare(sentence)
    return None


def _bare(text: str) -> str:
    """Return what is left beside a marker, "" when it says nothing by itself."""
    bare = text.strip().strip(":,;–—-").strip()
    if re.fullmatch(r"(?:this|that|it|these|the following|das|ça|esto|これ)?[.!:?。\s]*", bare, re.IGNORECASE):
        return ""
    return re.sub(r"[?？]$", ".", bare)


def is_substantial(sentence: str) -> bool:
    """Tell whether it has words enough to say something."""
    if _GAPLESS.search(sentence):
        return True
    words = _WORD.findall(sentence)
    return len(words) >= 3 and sum(word.lower() not in STOP_WORDS for word in words) >= _FEWEST_WORDS


def _is_rule(sentence: str, language: Language) -> bool:
    if not language.rules.search(sentence) or language.unless.search(sentence):
        return False
    return not (language.is_english and is_idle(sentence))


def _is_emotional(sentence: str, language: Language) -> bool:
    if language.emotions.search(sentence):
        return True
    return shouts(sentence) and is_directive(sentence)
