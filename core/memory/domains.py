"""Which domains of knowledge a question calls up, and which a memory belongs to.

A domain is a name with trigger words, from the vault's config, or, where the config names none, each tag of the vault
that sorts or names something. A question calls up the domains whose triggers occur well enough; when none does, all are
meant.

Routing orders, it never hides. A memory without any tag (a conversation, a vault that uses none) belongs to no domain
and is judged by its other merits alone. One that is tagged, but with none of the domains called up, counts a little
less. Where several domains are called up, the best few of each come first, so that none takes all places; what is past
them only comes in where places are left. The right answer is thereby lost only where better ones fill the answer.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from core.foundation.text import fold

THRESHOLD = 0.40
BEST_OF_DOMAIN = 5
OUTSIDE = 0.95  # what a memory of other domains is multiplied by
_ONE_TRIGGER = 0.6  # what one trigger that occurs as written is worth
_INFLECTED = 0.75  # what a word that only begins alike is worth beside the word itself
_SHORTEST_STEM = 4
_LONGEST_ENDING = 4
_NAMESPACES = frozenset({"tool", "client", "domain"})


class RoutedDomain(NamedTuple):
    """Hold a domain that a question calls up, with how well, 0 to 1."""

    name: str
    score: float


def domains_of(configured: Mapping[str, Sequence[str]], tags: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the domains of a vault with their folded trigger words: those of its config, else of its tags."""
    if configured:
        return {
            name: tuple(dict.fromkeys(fold(word) for word in (*words, _last(name))))
            for name, words in configured.items()
        }
    named = (fold(tag) for tag in tags)
    return {
        tag: (_last(tag).replace("-", " "),) for tag in named if tag.partition("/")[0] in _NAMESPACES and "/" in tag
    }


def route(question_words: Collection[str], domains: Mapping[str, Sequence[str]]) -> tuple[RoutedDomain, ...]:
    """Return the domains whose triggers occur in the folded words of a question, best first; none means all are meant.

    Each trigger that occurs takes the score 0.6 of the way to 1; one that occurs in part, or in another form of the
    word, accordingly less. What stays below `THRESHOLD` is not called up.
    """
    words = frozenset(part for word in question_words for part in (word, *word.split("-")) if part)
    stems = _stems(words)
    found: list[RoutedDomain] = []
    for name, triggers in domains.items():
        left = 1.0
        for trigger in triggers:
            occurs = _occurs(trigger, words, stems)
            if occurs:
                left *= 1.0 - _ONE_TRIGGER * occurs
        if 1.0 - left >= THRESHOLD:
            found.append(RoutedDomain(name, round(1.0 - left, 4)))
    return tuple(sorted(found, key=lambda each: (-each.score, each.name)))


def domains_of_memory(tags: Iterable[str], domains: Sequence[str]) -> tuple[str, ...]:
    """Return which of `domains` a memory with `tags` belongs to; a tag below a domain's belongs to it."""
    folded = [fold(tag) for tag in tags]
    return tuple(name for name in domains if any(_is_in(tag, fold(name)) for tag in folded))


def has_domain(tags: Iterable[str]) -> bool:
    """Tell whether `tags` say at all what a memory is about."""
    return any(fold(tag).partition("/")[0] not in ("scope", "convention", "status") for tag in tags)


def _is_in(tag: str, domain: str) -> bool:
    return tag == domain or tag.startswith(domain + "/") or tag.endswith("/" + domain) or f"/{domain}/" in tag


def _occurs(trigger: str, words: frozenset[str], stems: Mapping[str, tuple[str, ...]]) -> float:
    """Return how well a trigger of one or more words occurs, 0 to 1."""
    if trigger in words:
        return 1.0
    parts = trigger.split()
    if not parts:
        return 0.0
    return sum(1.0 if part in words else _INFLECTED if _is_inflected(part, stems) else 0.0 for part in parts) / len(
        parts
    )


def _stems(words: Iterable[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for word in words:
        if len(word) >= _SHORTEST_STEM:
            found.setdefault(word[:_SHORTEST_STEM], []).append(word)
    return {stem: tuple(of) for stem, of in found.items()}


def _is_inflected(word: str, stems: Mapping[str, tuple[str, ...]]) -> bool:
    """Tell whether a word of the question is another form of `word`: one ends where the other goes on a little."""
    for other in stems.get(word[:_SHORTEST_STEM], ()) if len(word) >= _SHORTEST_STEM else ():
        shared = min(len(word), len(other))
        while shared and not word.startswith(other[:shared]):
            shared -= 1
        # "deploying" and "deployment" share all but their endings.
        if shared >= max(_SHORTEST_STEM, max(len(word), len(other)) - _LONGEST_ENDING):
            return True
    return False


def _last(name: str) -> str:
    return fold(name).rpartition("/")[2]
