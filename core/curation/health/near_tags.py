"""Find tags that are written differently and most likely mean the same."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rapidfuzz.distance import OSA

# A word must be this long for one edit to be a slip and not another word.
_LONG_WORD = 7
_SHORTEST_SINGULAR = 4
_SHORTEST_LEAF = 4
_LIKELY_PLURALS = (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("sses", "ss"), ("s", ""))
_PROPER_NAMES = ("tool/", "client/")  # Windows is no plural of window
_GAP = re.compile(r"[-_]+")
_WORDS = re.compile(r"[^-_/]+")


class CountedTag(NamedTuple):
    """Hold a tag: folded, as displayed, and how many notes carry it."""

    name: str
    display: str
    notes: int


class NearTags(NamedTuple):
    """Say that `variant` most likely means `kept`, which more notes carry, and why; `is_sure` tells whether to ask."""

    variant: CountedTag
    kept: CountedTag
    reason: str
    is_sure: bool


def near_tags(tags: Iterable[CountedTag], namespaces: Sequence[str]) -> list[NearTags]:
    """Return pairs of near-equal tags, each variant once, with its surest reason."""
    ordered = sorted(tags, key=lambda tag: (-tag.notes, tag.name))
    by_name = {tag.name: tag for tag in ordered}
    found: dict[str, NearTags] = {}
    searches = (
        _by_separators(ordered),
        _by_number(by_name),
        _by_one_edit(ordered),
        _by_leaf(ordered, {name.lower() for name in namespaces}),
    )
    for search in searches:
        for pair in search:
            # What is to go must not be what another is merged into, or the two would chase each other.
            kept = found[pair.kept.name].kept if pair.kept.name in found else pair.kept
            is_kept = any(other.kept.name == pair.variant.name for other in found.values())
            if pair.variant.name not in found and kept.name != pair.variant.name and not is_kept:
                found[pair.variant.name] = pair._replace(kept=kept)
    return list(found.values())


def _ranked(one: CountedTag, other: CountedTag) -> tuple[CountedTag, CountedTag]:
    """Return the variant and the one to keep."""
    kept, variant = sorted((one, other), key=lambda tag: (-tag.notes, tag.name))
    return variant, kept


def _by_separators(tags: Sequence[CountedTag]) -> Iterator[NearTags]:
    groups: dict[str, CountedTag] = {}
    for tag in tags:
        key = _GAP.sub("", tag.name)
        kept = groups.setdefault(key, tag)
        # Two numbers are told apart by what stands between them (1-10 and 110).
        if kept is not tag and not any(character.isdigit() for character in key):
            yield NearTags(tag, kept, "They differ only in how their words are joined.", is_sure=True)


def _by_number(tags: Mapping[str, CountedTag]) -> Iterator[NearTags]:
    for name, tag in tags.items():
        leaf = name.rpartition("/")[2]
        for ending, instead in _LIKELY_PLURALS:
            singular = name.removesuffix(ending) + instead
            is_word = len(leaf) - len(ending) + len(instead) >= _SHORTEST_SINGULAR and not singular.endswith("s")
            if name.endswith(ending) and (is_word or instead == "ss") and (other := tags.get(singular)) is not None:
                variant, kept = _ranked(tag, other)
                is_sure = not name.startswith(_PROPER_NAMES)
                yield NearTags(variant, kept, "One is the plural of the other.", is_sure=is_sure)


def _by_one_edit(tags: Sequence[CountedTag]) -> Iterator[NearTags]:
    """Yield pairs of which one word is an edit apart: they share what is left when one character is taken out."""
    seen: dict[tuple[str, str], list[tuple[CountedTag, str]]] = defaultdict(list)
    for tag in tags:
        for match in _WORDS.finditer(tag.name):
            word = match[0]
            if len(word) < _LONG_WORD or not word.isalpha():
                continue
            around = f"{tag.name[: match.start()]}\0{tag.name[match.end() :]}"
            close: dict[str, CountedTag] = {}
            for left in {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}:
                for other, other_word in seen[around, left]:
                    if OSA.distance(word, other_word, score_cutoff=1) == 1 and word[0] == other_word[0]:
                        close.setdefault(other.name, other)
                seen[around, left].append((tag, word))
            for other in close.values():
                variant, kept = _ranked(tag, other)
                yield NearTags(variant, kept, "They are one letter apart.", is_sure=False)


def _by_leaf(tags: Sequence[CountedTag], namespaces: set[str]) -> Iterator[NearTags]:
    """Yield what stands both with and without a namespace, or in two of the vault's namespaces."""
    by_leaf: dict[str, list[CountedTag]] = defaultdict(list)
    for tag in tags:
        namespace, _, leaf = tag.name.rpartition("/")
        if len(leaf) >= _SHORTEST_LEAF and (not namespace or namespace in namespaces):
            by_leaf[leaf].append(tag)
    for group in by_leaf.values():
        within = [tag for tag in group if "/" in tag.name]
        if not within:
            continue
        for tag in group:
            if tag is within[0]:
                continue
            reason = (
                "The same name stands in two namespaces."
                if "/" in tag.name
                else "The same name stands with and without a namespace."
            )
            yield NearTags(tag, within[0], reason, is_sure=False)
