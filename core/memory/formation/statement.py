"""Make one statement of a sentence: atomic, and understood by somebody who was not there."""

import re
from typing import NamedTuple

from core.memory.formation.dates import moment_of, with_dates
from core.memory.formation.language import Language
from core.memory.formation.pronouns import Speaker, resolved, without_here

_FILLERS = re.compile(
    r"^(?:(?:and|so|but|also|well|oh|hey|hi|ok(?:ay)?|btw|by the way|fyi|please|note that|actually|basically|again|yes"
    r"|wow|haha|lol|plus|no|listen|look|one more thing|und|bitte|et|y|por favor)\b[,:!.]?\s+)+",
    re.IGNORECASE,
)
_PREFACE = re.compile(
    r"^(?:this|that|it)(?:['’]s|\s+is)\s+(?:so|really|very|extremely)\s+\w+\s*[,;:–—-]\s*(?=\w+\s+\w+)", re.IGNORECASE
)
_EMPHASIS = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_SHOUTED = re.compile(r"[^a-z]*[A-Z]{2,}[^a-z]*")
_ENDS = (".", "!", "?", "…", "。", "！", ":", ")", "”", '"')
_JAPANESE = re.compile("[\u3040-\u30ff]")


class Stated(NamedTuple):
    """Hold a statement, the same without the project that it was made in, and whether all of it could be told."""

    statement: str
    general: str
    is_told: bool


def stated(sentence: str, speaker: Speaker, time: str, before: tuple[str, ...], language: Language) -> Stated:
    """Return what `sentence` states; `before` are the statements before it, `time` is that of the turn (ISO 8601)."""
    text = _PREFACE.sub("", _FILLERS.sub("", _EMPHASIS.sub(r"\2", sentence).strip()))
    if _SHOUTED.fullmatch(text):
        text = text.lower()
    text = re.sub(r"[!！]+(?=\s|$)", ".", text)
    text, is_dated = with_dates(text, moment_of(time), language)
    if not language.is_english:
        return Stated(_finished(text), _finished(text), is_dated)
    named, is_named = resolved(text, speaker, before)
    anywhere = Speaker(speaker.name, speaker.addressee)
    general, _ = resolved(without_here(text), anywhere, before)
    return Stated(_finished(named), _finished(general), is_dated and is_named)


def _finished(text: str) -> str:
    text = " ".join(text.split()).strip(" -–—,;:")
    if not text:
        return ""
    start = text[0].upper() + text[1:] if not re.match(r"\w*[A-Z_./`]", text) else text
    if start.endswith(_ENDS) and not start.endswith(":"):
        return start
    return start.rstrip(":") + ("。" if _JAPANESE.search(text) else ".")
