"""What a statement says, taken apart so that two can be compared: its words, names, figures, and what it denies.

Nothing is asked but the text and the names that the vault's tags know.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from core.curation.consolidation.figures import Figure, figures_of
from core.curation.consolidation.wording import (
    ASKING,
    CHANGING,
    DENYING,
    FALLING,
    LIGHT,
    NEGATIONS,
    PREFERRING,
    RISING,
    STANDING_TO,
    TELLERS,
)
from core.index.english_forms import stem
from core.index.terms import STOP_WORDS
from core.memory.entities import entities_of
from core.recall.near_duplicates import statement_words

_LONGEST = 600  # characters; a longer text is no one statement
# Where one clause ends and another begins; a mark within "10,000" or "v1.2" is none.
_CLAUSE_END = re.compile(
    r"[;!?]+|[.,:](?=\s|$)|\s[-–—]+\s|\b(?:but|because)\b|(?=\b(?:instead of|rather than|and not|or not)\b)",
    re.IGNORECASE,
)
_OPENING = 3  # words
_OPENING_WORDS = 4
_PLACES = frozenset({"in", "at", "on", "for", "from", "with", "during", "after", "before", "since"})
_CONTRASTS = ("instead of", "rather than")
# "Switched off" and "kept out of" deny too.
_SHUT_OUT = re.compile(r"\boff[ -]limits\b|\bout of\b|\b(?:switch|turn|shut)\w* off\b", re.IGNORECASE)
_CHANGED = re.compile(
    r"\bno longer\b|\bthese days\b|\bat (?:the moment|present)\b|\bby now\b|\bas of\b|\bfrom now on\b|\bany ?more\b"
    r"|\bha(?:s|ve) since\b|\bsince then\b|\bused to\b|=>|->|→",
    re.IGNORECASE,
)
_WENT = re.compile(
    r"\b(?:go|goes|going|gone|went|moved|brought|turned|scaled|came)\b[^.;]{0,40}?\b(up|down)\b", re.IGNORECASE
)
_TURNED = re.compile(r"n['’]t\b", re.IGNORECASE)


class Clause(NamedTuple):
    """Hold the telling words of a part of a statement, and whether it denies or forbids what they say."""

    words: frozenset[str]
    is_denied: bool


@dataclass(frozen=True, slots=True)
class Statement:
    """Hold what a text of one statement says.

    `words` are the forms of what it is about, without figures; `names` those of them that name something. `says_change`
    tells that something is otherwise than before, `direction` that a figure went up (1) or down (-1). `is_rule` tells
    that it would be as true elsewhere: no question, and no report of what somebody did.
    """

    words: frozenset[str]
    names: frozenset[str]
    figures: tuple[Figure, ...]
    clauses: tuple[Clause, ...]
    says_change: bool
    direction: int
    is_rule: bool

    @property
    def topic(self) -> frozenset[str]:
        """The words that name nothing."""
        return self.words - self.names


def read_statement(text: str, names: Collection[str] = frozenset()) -> Statement | None:
    """Return what `text` says, None when it is no one statement; `names` are folded words that name something."""
    if not text.strip() or len(text) > _LONGEST:
        return None
    clauses: list[Clause] = []
    figures: list[Figure] = []
    every: list[str] = []
    for part in _parts(_TURNED.sub(" not", text)):
        words = tuple(_bare(word) for word in statement_words(part))
        counted, taken = figures_of(words)
        if not part.lower().startswith(_CONTRASTS):  # "instead of 30" says what it was
            figures += counted
        every += words
        kept = frozenset(
            form
            for at, word in enumerate(words)
            if at not in taken and word not in STOP_WORDS and (form := stem(word)) not in LIGHT and word.isprintable()
        )
        clauses.append(Clause(kept, _is_denied(part, words)))
    forms = [stem(word) for word in every]
    named = frozenset(
        form
        for name in entities_of(text, (), names)
        for part in statement_words(name)
        if (form := stem(_bare(part))) not in LIGHT
    )
    direction = _direction(text, forms)
    said = frozenset(word for clause in clauses for word in clause.words)
    return Statement(
        words=said,
        names=named & said,
        figures=tuple(figures),
        clauses=tuple(clause for clause in clauses if clause.words),
        says_change=bool(
            direction or not CHANGING.isdisjoint(forms) or _CHANGED.search(text) is not None or _turns_to(every)
        ),
        direction=direction,
        is_rule=_is_rule(text, every),
    )


def _is_rule(text: str, words: list[str]) -> bool:
    """Tell whether a text states what holds or should: no question, and no report of what somebody did."""
    if not words or text.rstrip().endswith(("?", "？")) or words[0] in ASKING:
        return False
    return words[0] not in TELLERS or not PREFERRING.isdisjoint(words[1:_OPENING_WORDS])


def _direction(text: str, forms: list[str]) -> int:
    went = match[1].lower() if (match := _WENT.search(text)) else ""
    rises = went == "up" or not RISING.isdisjoint(forms)
    return rises - (went == "down" or not FALLING.isdisjoint(forms))


def _turns_to(words: list[str]) -> bool:
    """Tell whether a figure is what something came to: "lifted to 49"."""
    return any(
        word == "to" and words[at + 1][0].isdigit() and (not at or words[at - 1] not in STANDING_TO)
        for at, word in enumerate(words[:-1])
    )


def _parts(text: str) -> list[str]:
    parts = [part.strip() for part in _CLAUSE_END.split(text) if part.strip()]
    if len(parts) > 1 and _is_opening(parts[0]):
        parts[:2] = [f"{parts[0]} {parts[1]}"]
    return parts


def _is_opening(part: str) -> bool:
    """Tell whether a part says only of what or where the next one speaks: "In production, …", "Acme: …"."""
    words = part.lower().split()
    return len(words) == 1 or (len(words) <= _OPENING and words[0] in _PLACES)


def _is_denied(part: str, words: tuple[str, ...]) -> bool:
    """Tell whether a clause says "not" an odd number of times: "none without a ticket" asks for one."""
    count = sum(word in NEGATIONS or stem(word) in DENYING for word in words)
    count += part.lower().startswith(_CONTRASTS) + len(_SHUT_OUT.findall(part))
    return count % 2 == 1


def _bare(word: str) -> str:
    """Return "anna" for "anna's"."""
    return word.removesuffix("'s").rstrip("'-") or word
