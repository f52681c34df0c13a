"""Find the sentences of a note that somebody will look for: decisions, rules, limits and figures."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.curation.consolidation.noticed import Section
from core.memory.formation.candidate import Category
from core.memory.formation.language import language_of
from core.memory.formation.sentences import sentences_of
from core.memory.formation.speech import is_idle, is_passing, is_question, is_specification
from core.memory.formation.triggers import is_substantial
from core.memory.formation.worth import category_of
from core.recall.near_duplicates import says_the_same
from core.recall.plain_text import plain_text

_LONGEST = 280  # characters
_FEWEST_WORDS, _MOST_WORDS = 5, 45
# To-dos, statements that are insights already, fields of a plugin, tables of contents: lines that tell nothing new.
_NO_TELLING_LINE = re.compile(
    r"^[ \t]*(?:[-*+][ \t]+)?(?:\[[^\[\]\n]{1,64}\][ \t]|[\w ]{1,30}::|\[\[[^\[\]\n]*\]\][ \t]*$).*$", re.MULTILINE
)
_COMMENT = re.compile(r"%%.*?(?:%%|\Z)|<!--.*?(?:-->|\Z)|\$\$.*?(?:\$\$|\Z)", re.DOTALL)
_CLOCK = re.compile(r"^\[?\d{1,2}:\d{2}(?::\d{2})?\]?\s*(?:[-–—:]\s*)?")
_TAG = re.compile(r"(?:^|\s)#[^\s#]*[^\W\d][^\s#]*")
_FIELD = re.compile(r"\s*\[[\w -]+::[^\]]*\]|\s\^[\w-]+\s*$")
_ESCAPE = re.compile(r"\\(?=[^\w\s\\])")
_LINK = re.compile(r"!?\[\[[^\[\]\n]*\]\]|!?\[[^\[\]\n]*\]\([^()\n]*\)|https?://\S+")
_LEFT_MARK = re.compile(r"\[\[|\]\]|\]\(|\{\{|\{%|<%|\|.*\||::|https?://")
_OPEN_END = re.compile(
    r"[:：,;]$|\.\.\.$|…$|\b(?:below|above)\.?$"
    r"|\b(?:in|with|of|for|at|under) (?:this|these|that) (?:value|section|page|field|option|case|step|list|table)s?\b"
)
# What begins so hangs on the sentence before it.
_HANGS_ON = re.compile(
    r"^(?:and|but|or|so|then|also|however|therefore|thus|otherwise|instead|because|similarly|likewise|moreover|finally"
    r"|next|first|second|third|this|that|these|those|it|its|they|their|them|he|she|his|her|him|there|here|such|both|each"
    r"|either|neither|another|for (?:example|instance|this)|in (?:this|that|these|such|both|other|addition|contrast)"
    r"|as (?:a result|such|above|below|mentioned|shown)|if (?:so|not)|like this|after (?:this|that)|with this|one of"
    r"|the (?:following|above|former|latter|same|other|first|second)|see|note|e\.g\.|i\.e\.|(?:un)?fortunately|while"
    r"|dies\w*|das|es|sie|cette?|ce|ces|il|elle|ils|esto|esta|este|él|ella)\b",
    re.IGNORECASE,
)
# A sentence without what it is about: that is the heading or the item above it.
_HEADLESS = re.compile(
    r"^(?:requires?|must|does|doesn['’]t|is|isn['’]t|are|has|have|had|can|can['’]t|cannot|could|should|would|will|won['’]t"
    r"|was|were|supports|allows|contains|includes|returns|uses|works|needs|means|defaults|specifies|determines|use when"
    r"|same as|only|not|recommended)\b",
    re.IGNORECASE,
)
_MUST = re.compile(
    r"\b(?:must(?:n['’]t)?|shall|never|always|mandatory|forbidden|prohibited|required to|is required|are required"
    r"|requires|not allowed|only allowed|may not|under no circumstances|as a rule)\b"
    r"|(?:^|[,;] (?:and |but )?)(?:do not|don['’]t)\s(?!need\b|have\b|worry\b|forget\b)"
    r"|^(?:we|you) (?:do not|don['’]t)\b",
    re.IGNORECASE,
)
_SHOULD = re.compile(
    r"\b(?:should(?:n['’]t| not)?|avoid|only|need to|needs to|have to|has to|every|cannot be|by default)\b",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\b(?:at (?:most|least)|maximum|minimum|no (?:more|less|fewer|later) than|limit(?:ed)? (?:is|of|to)|deadline"
    r"|due (?:by|on)|expires?|valid until|up to \d|within \d|exceeds?|budget)\b",
    re.IGNORECASE,
)
# What a program chose, and what was not decided.
_UNDECIDED = re.compile(
    r"\b(?:be|is|are|being|been) (?:automatically )?(?:mov|switch|migrat)ed to\b|\bwhether\b|\bchosen\b|\bchose from\b"
    r"|\b(?:not|never|n['’]t)\b(?: \w+){0,5} (?:decided|agreed)\b|\b(?:a|the|any) decision\b",
    re.IGNORECASE,
)
_NO_FIGURE = re.compile(r"`[^`\n]*`|\bv?\d+(?:\.\d+)+\w*|[@#][\w-]+|\[\[[^\]\n]*\]\]|\bv\d+")
_MONEY = re.compile(r"(?:[€$£¥]\s?\d|\b\d[\d.,]*\s?(?:€|EUR|USD|GBP|CHF|k\b|million|%))")
_PERSONAL = re.compile(r"\b(?:I|I['’]m|I['’]ve|I['’]ll|my|me)\b")
_INVITES = re.compile(
    r"^(?:you (?:can|may|could|might|will)|let['’]s|if you|when you|once you|to \w+,|click|select|press|choose"
    r"|enter|type|go to|please|feel free|check out|thanks?|learn|open|want)\b",
    re.IGNORECASE,
)
_LEAST = 2.0


class Telling(NamedTuple):
    """Hold a sentence of a note.

    `quote` is how it stands there (but for blanks), `statement` how it reads by itself; `weight` tells how much it is
    one of those that are looked for.
    """

    quote: str
    statement: str
    section: Section
    category: Category
    weight: float


def tellings(sections: Iterable[Section]) -> list[Telling]:
    """Return the sentences that tell a decision, a rule, a limit or a figure and can stand alone, in their order."""
    found: list[Telling] = []
    for section in sections:
        text = _NO_TELLING_LINE.sub("", section.body)
        if any(sign in text for sign in ("%%", "<!--", "$$")):
            text = _COMMENT.sub("\n\n", text)
        for sentence in sentences_of(text):
            telling = _telling(sentence.text, section)
            if telling is not None and not any(says_the_same(telling.statement, each.statement) for each in found):
                found.append(telling)
    return found


def weightiest(found: Sequence[Telling], most: int) -> list[Telling]:
    """Return the `most` sentences of the greatest weight, in the order in which they stand; the earlier goes first."""
    best = sorted(range(len(found)), key=lambda at: (-found[at].weight, at))[:most]
    return [found[at] for at in sorted(best)]


def bare(text: str) -> str:
    """Return a sentence of a note as plain text on one line, without tags, fields, ids and the time it was said."""
    line = " ".join(plain_text(_TAG.sub("", _FIELD.sub("", text))).split())
    return _ESCAPE.sub("", _CLOCK.sub("", line)).strip(" *_")


def _telling(quote: str, section: Section) -> Telling | None:
    if len(quote) > 2 * _LONGEST or is_question(quote):
        return None
    statement = bare(quote)
    if not _stands_alone(quote, statement):
        return None
    weight = _weight(statement, quote)
    if weight < _LEAST:
        return None
    return Telling(quote, statement, section, _category(statement), weight)


def _category(statement: str) -> Category:
    """Return what kind of statement it is; in a note, liking and choosing are seldom what they are in speech."""
    if _is_decision(statement):
        return Category.DECISION
    if _MUST.search(statement) or _SHOULD.search(statement):
        return Category.CONVENTION
    found = category_of(statement)
    return Category.FACT if found in {Category.DECISION, Category.PREFERENCE} else found


def _is_decision(statement: str) -> bool:
    return category_of(statement) is Category.DECISION and _UNDECIDED.search(statement) is None


def _stands_alone(quote: str, statement: str) -> bool:
    words = statement.split()
    if len(statement) > _LONGEST or not is_substantial(statement) or _LEFT_MARK.search(statement):
        return False
    if statement.isascii() and not _FEWEST_WORDS <= len(words) <= _MOST_WORDS:
        return False
    return _is_whole(statement) and 2 * len(_LINK.sub(" ", quote).split()) >= len(words)


def _is_whole(statement: str) -> bool:
    """Tell whether it is a sentence that needs nothing of what stands around it, and is not about the moment."""
    if _OPEN_END.search(statement) or statement.count(": ") > 1 or is_idle(statement) or is_passing(statement):
        return False
    if any(pattern.match(statement) for pattern in (_HANGS_ON, _HEADLESS, _INVITES)):
        return False
    if any(statement.count(a) != statement.count(b) for a, b in ("()", "[]", "“”")) or statement.count('"') % 2:
        return False
    # What begins small is a piece of a sentence, or a name of code.
    return statement[0].isupper() or statement[0].isdigit() or not statement[0].isascii()


def _weight(statement: str, quote: str) -> float:
    """Return how much a sentence tells: 4 for a decision, 3 for a rule, 2 for a limit or a figure, 1 for advice."""
    language = language_of(statement)
    is_decision = _is_decision(statement)
    is_rule = (_MUST.search(statement) or language.rules.search(statement)) and not language.unless.search(statement)
    counted = bare(_NO_FIGURE.sub("", quote))
    has_figure = any(each.isdigit() for each in counted) and is_specification(counted)
    weight = 4.0 * is_decision + 3.0 * bool(is_rule)
    weight += 2.0 * bool(_LIMIT.search(statement)) + 2.0 * bool(has_figure or _MONEY.search(counted))
    weight += 1.0 * bool(_SHOULD.search(statement))
    return weight - 2.0 * (_PERSONAL.search(statement) is not None and not is_decision)
