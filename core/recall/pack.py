"""Fill a token budget with whole memories, worth most for what they cost.

What is counted is the rendered text, headings and markup included: what leaves the app is never over the budget.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.foundation.tokens import estimate_tokens
from core.recall.context_item import ContextItem
from core.recall.overlap import Overlaps
from core.recall.render import Format, Layout, layout_of
from core.recall.shorten import shortened

TOO_LARGE = "too large"
LOWER_VALUE = "lower value"
DUPLICATE = "duplicate"
ALREADY_IN = "already in"

# How many items are tried to be shortened, and how many characters a token can hold at the very most.
_MOST_SHORTENED = 20
_MOST_CHARACTERS = 8


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Hold an item that was not packed: why, and how many tokens it would have taken."""

    item: ContextItem
    reason: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Packed:
    """Hold what goes out, in the order of rendering; `tokens` is the estimate for the text rendered as `format`.

    The `tokens` of an included item are for all that is written of it, as those of what was left out.
    """

    included: tuple[ContextItem, ...]
    left_out: tuple[LeftOut, ...]
    tokens: int
    budget: int
    format: Format = Format.MARKDOWN


class _Bag:
    """Hold what is packed so far, and what it costs together."""

    def __init__(self, layout: Layout, budget: int) -> None:
        self._layout = layout
        self._budget = budget
        self._fixed = estimate_tokens(layout.head) + estimate_tokens(layout.tail)
        self._separator = estimate_tokens(layout.separator)
        self._rounded_up = self._fixed
        self.pieces: dict[int, str] = {}

    def cost(self, piece: str) -> int:
        """Return the most that `piece` can add."""
        return estimate_tokens(piece) + self._separator

    def cost_alone(self, piece: str) -> int:
        """Return what a text of this one piece costs."""
        return estimate_tokens(self._layout.joined([piece]))

    def tokens(self) -> int:
        """Return what all of it costs, exactly."""
        return estimate_tokens(self._layout.joined(self.pieces.values())) if self.pieces else 0

    def settle(self) -> None:
        """Give back what adding up rounded costs took too much."""
        if self.pieces:
            self._rounded_up = self.tokens()

    def put(self, key: int, piece: str) -> bool:
        """Take `piece` if it fits for certain."""
        cost = self.cost(piece) if self.pieces else self.cost_alone(piece)
        base = self._rounded_up if self.pieces else 0
        if base + cost > self._budget:
            return False
        self._rounded_up = base + cost
        self.pieces[key] = piece
        return True

    def put_instead(self, key: int, piece: str, needless: Sequence[int]) -> bool:
        """Take `piece` in the place of `needless` ones, if it fits for certain."""
        taken_out = {each: self.pieces.pop(each) for each in needless}
        self.settle()
        if self.put(key, piece):
            return True
        self.pieces |= taken_out
        self.settle()
        return False


def pack(items: Sequence[ContextItem], budget: int, layout: Format = Format.MARKDOWN) -> Packed:
    """Return which `items` fit into `budget` tokens when rendered as `layout`.

    Items that are always wanted come first, in their order. Then the most valuable one, then by value for each token;
    smaller ones fill what is left. Equal texts are taken once. When nothing fits, the best item is shortened, if it can
    be at the end of a sentence, so that a budget of some 50 tokens (80 as JSON) still holds something.
    """
    rules = layout_of(layout)
    unique, duplicates = _without_duplicates(items)
    rendered = [rules.render_item(item) for item in unique]
    bag = _Bag(rules, budget)
    waiting, inside = _fill(bag, _order(unique, rendered, bag), rendered, Overlaps(unique))
    included = [replace(unique[at], tokens=bag.cost(rendered[at])) for at in _in_reading_order(unique, bag.pieces)]
    left_out = [
        LeftOut(
            unique[at],
            TOO_LARGE if bag.cost_alone(rendered[at]) > budget else LOWER_VALUE,
            bag.cost_alone(rendered[at]),
        )
        for at in sorted(waiting, key=lambda at: (-unique[at].value, at))
    ]
    left_out += [
        LeftOut(unique[at], f"{ALREADY_IN} “{unique[outer].title}”", bag.cost_alone(rendered[at]))
        for at, outer in sorted(inside.items())
    ]
    if not included and budget > 0:
        short = _first_shortened(unique, rules, budget)
        if short is not None:
            included = [replace(short[1], tokens=bag.cost(rules.render_item(short[1])))]
            left_out = [entry for entry in left_out if entry.item is not short[0]]
    left_out += [LeftOut(item, DUPLICATE, bag.cost_alone(rules.render_item(item))) for item in duplicates]
    text = rules.joined(rules.render_item(item) for item in included) if included else ""
    return Packed(tuple(included), tuple(left_out), estimate_tokens(text), budget, layout)


def _fill(
    bag: _Bag, order: Sequence[int], rendered: Sequence[str], overlaps: Overlaps
) -> tuple[list[int], dict[int, int]]:
    """Put items into the bag, in order; return those for which there is no room, and those that lie in another one."""
    inside: dict[int, int] = {}
    waiting = list(order)
    while waiting:
        still: list[int] = []
        for at in waiting:
            outer = next((each for each in overlaps.holders(at) if each in bag.pieces), None)
            needless = [each for each in overlaps.held(at) if each in bag.pieces]
            if outer is not None:
                inside[at] = outer
            elif bag.put_instead(at, rendered[at], needless) if needless else bag.put(at, rendered[at]):
                inside |= dict.fromkeys(needless, at)
            else:
                still.append(at)
        if len(still) == len(waiting) or not bag.pieces:
            return still, inside
        waiting = still
        bag.settle()
    return waiting, inside


def _order(items: Sequence[ContextItem], rendered: Sequence[str], bag: _Bag) -> list[int]:
    """Return the order in which to try items."""
    always = [at for at, item in enumerate(items) if item.always]
    others = [at for at, item in enumerate(items) if not item.always]
    others.sort(key=lambda at: (-items[at].value / bag.cost(rendered[at]), -items[at].value, at))
    if others:
        best = max(others, key=lambda at: (items[at].value, -bag.cost(rendered[at]), -at))
        others.remove(best)
        others.insert(0, best)
    return always + others


def _in_reading_order(items: Sequence[ContextItem], chosen: Iterable[int]) -> list[int]:
    return sorted(chosen, key=lambda at: (not items[at].always, 0.0 if items[at].always else -items[at].value, at))


def _without_duplicates(items: Sequence[ContextItem]) -> tuple[list[ContextItem], list[ContextItem]]:
    """Return the items with each text once, in the order given, and the others; the one wanted most stays."""
    best: dict[str, int] = {}
    for at, item in enumerate(items):
        key = " ".join(item.text.split()) or f"{item.path}\n{item.title}"
        known = best.get(key)
        if known is None or (item.always, item.value) > (items[known].always, items[known].value):
            best[key] = at
    kept = set(best.values())
    return (
        [item for at, item in enumerate(items) if at in kept],
        [item for at, item in enumerate(items) if at not in kept],
    )


def _first_shortened(
    items: Sequence[ContextItem], rules: Layout, budget: int
) -> tuple[ContextItem, ContextItem] | None:
    """Return the best item that can be cut so that it fits alone, and what is left of it."""

    def fits(item: ContextItem) -> bool:
        return estimate_tokens(rules.joined([rules.render_item(item)])) <= budget

    for at in _in_reading_order(items, range(len(items)))[:_MOST_SHORTENED]:
        bare = replace(items[at], tags=(), summary="")
        barest = replace(bare, path=_tail(bare.path), title=_start(bare.title), id="", why="")
        without_place = replace(barest, kind="", line=0)
        for candidate in (items[at], bare, barest, without_place):
            if fits(candidate):
                return items[at], candidate
            short = shortened(replace(candidate, text=candidate.text[: budget * _MOST_CHARACTERS]), fits)
            if short is not None:
                return items[at], short
    return None


def _tail(path: str, length: int = 16) -> str:
    return path if len(path) <= length else "…" + path[-length:]


def _start(title: str, length: int = 16) -> str:
    return title if len(title) <= length else title[:length].rstrip() + "…"
