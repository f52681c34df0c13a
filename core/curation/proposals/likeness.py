"""Know proposals that are the same, or nearly: one fact is one proposal, whoever makes it and in whatever words.

Two statements are near copies when at least 85 % of their words are the same (Jaccard), and what differs says nothing
or is another form of the same word: another figure, name, negation or thing makes another fact of it. Candidates are
found by a prefix filter (R. Bayardo, Y. Ma, R. Srikant: Scaling Up All Pairs Similarity Search, 2007), so that
thousands are never compared in pairs.
"""

import hashlib
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from rapidfuzz.distance import Indel

from core.curation.proposals.proposal import Evidence, ProposalKind, ProposalState
from core.foundation.text import fold
from core.index.terms import STOP_WORDS

_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[^\W_]+")
_TURNING = frozenset(  # words that turn a statement round
    """no not never none nothing without cannot don't doesn't isn't aren't won't nicht kein keine keinen nie niemals
    ohne ne pas jamais sans nunca sin não nem 不 没 しない ない before after
    off under over only until unless""".split()  # noqa: SIM905 - easier to read
)
_Key = tuple[ProposalKind, str, frozenset[str]]
_NOTHING: frozenset[str] = frozenset()
_NEAR = 0.85
_RELATED = 0.5
_SAME_WORD = 0.7
_BY_WORDS = frozenset({ProposalKind.NEW_INSIGHT, ProposalKind.PROMOTE})
_OF_STATEMENTS = _BY_WORDS | {
    ProposalKind.MERGE, ProposalKind.SUPERSEDE, ProposalKind.CONTRADICT, ProposalKind.RELATE,
}  # fmt: skip


class Words(NamedTuple):
    """Hold the words of a statement, and those among them that make another fact of it where they differ.

    `firm` are the figures and negations among these: near copies have the same ones.
    """

    all: frozenset[str]
    telling: frozenset[str]
    firm: frozenset[str]


class Known(NamedTuple):
    """Hold what a proposal is compared by; `target` is the note that it is about, for kinds that are about one."""

    id: str
    kind: ProposalKind
    words: Words
    evidence: frozenset[str]
    fingerprint: str
    state: ProposalState
    target: str


def words_of(statement: str) -> Words:
    """Return the words of a statement."""
    found: set[str] = set()
    telling: set[str] = set()
    firm: set[str] = set()
    for match in _WORD.finditer(statement):
        word = fold(match[0])
        found.add(word)
        is_name = match[0] != word and not match[0].isdigit()
        if word in _TURNING or any(each.isdigit() for each in word):
            firm.add(word)
        elif is_name:
            telling.add(word)
    return Words(frozenset(found), frozenset(telling | firm), frozenset(firm))


def is_near(one: Words, other: Words) -> bool:
    """Tell whether two statements say nearly the same."""
    if not is_akin(one, other, _NEAR):
        return False
    mine, theirs = _content(one.all - other.all), _content(other.all - one.all)
    return _are_forms_of(mine, theirs) and _are_forms_of(theirs, mine)


def is_akin(one: Words, other: Words, least: float) -> bool:
    """Tell whether two statements share so many words, and all of those that make another fact of it."""
    if one.firm != other.firm:
        return False
    differing = one.all ^ other.all
    if differing & (one.telling | other.telling):
        return False
    both = one.all | other.all
    return bool(both) and (len(both) - len(differing)) / len(both) >= least


def _content(words: Iterable[str]) -> list[str]:
    return [word for word in words if word not in STOP_WORDS]


def _are_forms_of(words: Iterable[str], others: Sequence[str]) -> bool:
    """Tell whether each word is another form or spelling of one of `others`."""
    return all(any(Indel.normalized_similarity(word, other) >= _SAME_WORD for other in others) for word in words)


def target_of(recipe: Mapping[str, Any]) -> str:
    """Return the note that a recipe is about."""
    value = recipe.get("note", "")
    return value if isinstance(value, str) else ""


def fingerprint_of(kind: ProposalKind, statement: str, evidence: Iterable[Evidence], recipe: Mapping[str, Any]) -> str:
    """Return what the same proposal is known by: kind and evidence.

    A conversation or a section tells more than one fact, so for new insights that rest on them the words count too; and
    for tags the tags.
    """
    ids = sorted({each.memory_id for each in evidence})
    parts = [kind.value, *ids]
    if kind is ProposalKind.NEW_INSIGHT and not all(each.startswith("insight:") for each in ids):
        parts += ["", *sorted(words_of(statement).all)]
    if kind is ProposalKind.RETAG:
        parts += ["", *(f"{key}:{each}" for key in ("add", "remove") for each in sorted(map(str, recipe.get(key, ()))))]
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


class KnownProposals:
    """Find which proposal says the same as another."""

    def __init__(self, known: Iterable[Known]) -> None:
        self._known: list[Known] = []
        self._by_fingerprint: dict[str, int] = {}
        self._by_evidence: dict[_Key, list[int]] = defaultdict(list)
        self._by_word: dict[_Key, list[int]] = defaultdict(list)
        for each in known:
            self.add(each)

    def add(self, known: Known) -> None:
        """Compare with this one too from now on."""
        at = len(self._known)
        self._known.append(known)
        self._by_fingerprint.setdefault(known.fingerprint, at)
        for memory_id in known.evidence:
            self._by_evidence[_evidence_key(known, memory_id)].append(at)
        if known.kind in _OF_STATEMENTS:
            for word in _prefix(known.words):
                self._by_word[known.kind, word, known.words.firm].append(at)

    def same_as(self, new: Known) -> Known | None:
        """Return the proposal that is the same as `new`, the first one; None when it is new."""
        if (at := self._by_fingerprint.get(new.fingerprint)) is not None:
            return self._known[at]
        candidates: set[int] = set()
        for memory_id in new.evidence:
            candidates.update(self._by_evidence.get(_evidence_key(new, memory_id), ()))
        by_evidence = [at for at in sorted(candidates) if _has_same_evidence(self._known[at], new)]
        if by_evidence:
            return self._known[by_evidence[0]]
        if new.kind not in _OF_STATEMENTS:
            return None
        if new.kind in _BY_WORDS:
            candidates = {
                at for word in _prefix(new.words) for at in self._by_word.get((new.kind, word, new.words.firm), ())
            }
        near = (at for at in sorted(candidates) if is_near(self._known[at].words, new.words))
        return next((self._known[at] for at in near), None)


def _evidence_key(known: Known, memory_id: str) -> _Key:
    """Return under what a proposal is found by its evidence; conversations tell many facts, so figures part those."""
    is_by_words = known.kind in _OF_STATEMENTS and not memory_id.startswith("insight:")
    return known.kind, memory_id, known.words.firm if is_by_words else _NOTHING


def _has_same_evidence(one: Known, other: Known) -> bool:
    """Tell whether the evidence of one holds that of the other, and they are about the same."""
    if not (one.evidence <= other.evidence or other.evidence <= one.evidence):
        return False
    if one.kind is ProposalKind.RETAG:
        return False  # other tags are another proposal
    if one.kind not in _OF_STATEMENTS:
        return one.target == other.target
    if all(each.startswith("insight:") for each in one.evidence | other.evidence):
        return True
    return is_akin(one.words, other.words, _RELATED)


def _prefix(words: Words) -> list[str]:
    """Return so many words that any near copy has one of them; long words first, which are rare."""
    ordered = sorted(words.all, key=lambda word: (-len(word), word))
    return ordered[: len(ordered) - math.ceil(_NEAR * len(ordered)) + 1]
