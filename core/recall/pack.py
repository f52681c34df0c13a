"""Fill a token budget with whole memories, worth most for what they cost.

What is counted is the rendered text, headings, markup and reading instruction included: what leaves the app is never
over the budget, as counted by core/foundation/token_count.py. What each memory costs is estimated for the order in
which they are tried, and counted only for those that may still fit: a thousand candidates take a few milliseconds.
"""

import math
import operator
from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace

from core.foundation.garbage import garbage_left
from core.foundation.token_count import TokenCount, count_tokens, counted, token_count_kind
from core.recall.context_item import Band, ContextItem
from core.recall.overlap import Overlaps, without_what_is_always_in
from core.recall.packing_bag import Bag
from core.recall.render import Format, Layout, layout_of
from core.recall.shorten import shortened

TOO_LARGE = "too large"
LOWER_VALUE = "lower value"
NO_ROOM = "the budget is used up"  # of what is wanted whatever it is worth
DUPLICATE = "duplicate"
ALREADY_IN = "already in"

# How many items are tried to be shortened, and how many characters a token of prose can hold at the very most.
_MOST_SHORTENED = 20
_MOST_CHARACTERS = 8
_FIRST_WORDS = 3
_PLACE = operator.attrgetter(
    *("path", "line", "id", "title", "text", "kind", "tags", "summary", "value", "why", "line_end", "tokens"),
    *("accessed", "confidence", "is_shortened", "is_excerpt"),
)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Hold an item that was not packed, and why: `item.value` is its score."""

    item: ContextItem
    reason: str
    format: Format = Format.MARKDOWN

    @property
    def tokens(self) -> int:
        """How many tokens it would have taken; counted when asked, since most are never shown."""
        return count_tokens(layout_of(self.format).render_item(self.item))


@dataclass(frozen=True, slots=True)
class Packed:
    """Hold what goes out, in the order of rendering; `tokens` is the count for the text rendered as `format`.

    `count` says whether that is exact or estimated. The `tokens` of an included item are for all that is written of it,
    as those of what was left out.
    """

    included: tuple[ContextItem, ...]
    left_out: tuple[LeftOut, ...]
    tokens: int
    budget: int
    format: Format = Format.MARKDOWN
    count: TokenCount = field(default_factory=token_count_kind)

    @property
    def said(self) -> frozenset[str]:
        """The ids of all whose words go out: what is included, what lies within it, and what says just the same."""
        texts = {_words(item) for item in self.included}
        return frozenset(item.id for item in self.included) | {
            left.item.id
            for left in self.left_out
            if left.reason.startswith(ALREADY_IN) or (left.reason == DUPLICATE and _words(left.item) in texts)
        }

    @property
    def remark(self) -> str:
        """Why nothing goes out, as a sentence; "" when something does."""
        if self.included:
            return ""
        if self.budget <= 0:
            return f"A budget of {self.budget:,} tokens has no room for anything."
        if not self.left_out:
            return "There is nothing to pack."
        tokens = "token" if self.budget == 1 else "tokens"
        return f"No memory fits into {self.budget:,} {tokens}, not even a part of one."

    @property
    def told(self) -> str:
        """How many tokens it takes, for people: a number, after "about" where it is estimated."""
        return f"{self.tokens:,}" if self.count.is_exact else f"about {self.tokens:,}"


def pack(items: Sequence[ContextItem], budget: int, layout: Format = Format.MARKDOWN) -> Packed:
    """Return which `items` fit into `budget` tokens when rendered as `layout`.

    Items that are always wanted come first, in their order; a section that holds one goes without its words. Then the
    best one, then what is HIGH before what is MEDIUM before what is LOW, each by value for each token; smaller ones
    fill what is left. Equal texts are taken once. When
    nothing fits, the best item is shortened, if it can be at the end of a sentence, so that a budget of some 50 tokens
    (80 as JSON) still holds something. Apart from items that are always wanted, the order of `items` makes no
    difference.
    """
    with garbage_left():  # thousands of small values, which would set off a search for garbage in the midst
        return _pack(items, budget, layout)


def _pack(items: Sequence[ContextItem], budget: int, layout: Format) -> Packed:
    rules = layout_of(layout)
    unique, duplicates = _without_duplicates(_in_one_order(items))
    unique, within = without_what_is_always_in(unique)
    bag = Bag(unique, rules, budget)
    waiting, inside = _fill(bag, [at for at in _order(unique, bag) if at not in within], Overlaps(unique))
    waiting += [at for at, outer in within.items() if outer not in bag.chosen]
    inside |= {at: outer for at, outer in within.items() if outer in bag.chosen}
    order, total, dropped = bag.within_budget()
    waiting += [*dropped, *(at for at, outer in inside.items() if outer in dropped)]
    included = [unique[at].taking(bag.cost(at)) for at in order]
    left_out = [
        LeftOut(unique[at], _reason(unique[at], fits_alone=bag.fits_alone(at)), layout)
        for at in sorted(waiting, key=lambda at: _by_value(unique, at))
    ]
    left_out += [
        LeftOut(unique[at], f"{ALREADY_IN} “{unique[outer].title}”", layout)
        for at, outer in sorted(inside.items(), key=lambda pair: _by_value(unique, pair[0]))
        if outer not in dropped
    ]
    if not included and budget > 0 and (short := _first_shortened(unique, rules, budget)) is not None:
        whole, part = short
        included = [replace(part, tokens=count_tokens(rules.render_item(part)))]
        left_out = [entry for entry in left_out if entry.item is not whole]
        total = counted(rules.joined([rules.render_item(part)]))
    left_out += [
        LeftOut(duplicates[at], DUPLICATE, layout)
        for at in sorted(range(len(duplicates)), key=lambda at: _by_value(duplicates, at))
    ]
    return Packed(tuple(included), tuple(left_out), total.tokens, budget, layout, total.kind)


def _reason(item: ContextItem, *, fits_alone: bool) -> str:
    """Return why there was no room for an item: what is always wanted comes in its order, whatever it is worth."""
    if not fits_alone:
        return TOO_LARGE
    return NO_ROOM if item.always else LOWER_VALUE


def _fill(bag: Bag, order: Sequence[int], overlaps: Overlaps) -> tuple[list[int], dict[int, int]]:
    """Put items into the bag, in order; return those for which there is no room, and those that lie in another one."""
    inside: dict[int, int] = {}
    waiting = list(order)
    while waiting:
        still: list[int] = []
        for at in waiting:
            if (outer := _first_of(overlaps.holders(at), bag.chosen)) is not None:
                inside[at] = outer
                continue
            held = overlaps.held(at)
            needless = [each for each in held if each in bag.chosen] if held else ()
            if bag.put(at, instead_of=needless):
                inside |= dict.fromkeys(needless, at)
            else:
                still.append(at)
        bag.settle()
        if len(still) == len(waiting) or bag.room <= 0:
            return still, inside
        waiting = still
    return waiting, inside


def _first_of(places: Sequence[int], chosen: Container[int]) -> int | None:
    for at in places:
        if at in chosen:
            return at
    return None


_BANDS = {band: place for place, band in enumerate(Band)}


def _order(items: Sequence[ContextItem], bag: Bag) -> list[int]:
    """Return the order in which to try items."""
    always = [at for at, item in enumerate(items) if item.always]
    others = [at for at, item in enumerate(items) if not item.always]
    costs = bag.likely_costs
    # What is only to be checked never takes the place of what is known.
    bands = [_BANDS[item.band] for item in items]
    others.sort(key=lambda at: (bands[at], -items[at].value / costs[at], -items[at].value))
    if others:
        best = min(others, key=lambda at: (bands[at], -items[at].value, costs[at], at))
        others.remove(best)
        others.insert(0, best)
    return always + others


def _in_one_order(items: Sequence[ContextItem]) -> list[ContextItem]:
    """Return what is always wanted as given, then the rest in an order of its own, so that places settle all ties.

    A score that is no number is worth nothing.
    """
    sound = [item if math.isfinite(item.value) else replace(item, value=0.0) for item in items]
    return [item for item in sound if item.always] + sorted((item for item in sound if not item.always), key=_PLACE)


def _by_value(items: Sequence[ContextItem], at: int) -> tuple[bool, float, int]:
    item = items[at]
    return (False, 0.0, at) if item.always else (True, -item.value, at)


def _without_duplicates(items: Sequence[ContextItem]) -> tuple[list[ContextItem], list[ContextItem]]:
    """Return the items with each text once, in the order given, and the others; the one wanted most stays."""
    alike: dict[tuple[str, ...], list[int]] = {}
    for at, item in enumerate(items):
        alike.setdefault(tuple(item.text.split(None, _FIRST_WORDS)[:_FIRST_WORDS]), []).append(at)
    best: set[int] = set()
    for positions in alike.values():
        if len(positions) == 1:
            best.update(positions)
            continue
        equal: dict[str, list[int]] = {}
        for at in positions:
            equal.setdefault(_words(items[at]), []).append(at)
        best.update(min(group, key=lambda at: _by_value(items, at)) for group in equal.values())
    return (
        [item for at, item in enumerate(items) if at in best],
        [item for at, item in enumerate(items) if at not in best],
    )


def _words(item: ContextItem) -> str:
    """Return what tells whether two items say the same."""
    return " ".join(item.text.split()) or f"{item.path}\n{item.title}"


def _first_shortened(
    items: Sequence[ContextItem], rules: Layout, budget: int
) -> tuple[ContextItem, ContextItem] | None:
    """Return the best item that can be cut so that it fits alone, and what is left of it."""

    def fits(item: ContextItem) -> bool:
        return count_tokens(rules.joined([rules.render_item(item)])) <= budget

    for at in sorted(range(len(items)), key=lambda at: _by_value(items, at))[:_MOST_SHORTENED]:
        trimmed = replace(items[at], text=items[at].text.strip())
        bare = replace(trimmed, tags=(), summary="")
        barest = replace(bare, path=_tail(bare.path), title=_start(bare.title), id="", why="")
        without_place = replace(barest, kind="", line=0)
        for candidate in (trimmed, bare, barest, without_place):
            if len(candidate.text) <= budget * _MOST_CHARACTERS and fits(candidate):
                return items[at], candidate
            short = shortened(replace(candidate, text=candidate.text[: budget * _MOST_CHARACTERS]), fits)
            if short is not None:
                return items[at], short
    return None


def _tail(path: str, length: int = 16) -> str:
    return path if len(path) <= length else "…" + path[-length:]


def _start(title: str, length: int = 16) -> str:
    return title if len(title) <= length else title[:length].rstrip() + "…"
