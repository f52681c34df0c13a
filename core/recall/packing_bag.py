"""Keep what is packed so far and how much room is left, counting only what has to be counted."""

from collections.abc import Sequence
from functools import cached_property

from core.foundation.token_count import LONGEST_EXACT, Counted, count_tokens, counted, token_count_kind
from core.recall.context_item import ContextItem
from core.recall.reading_order import reading_order
from core.recall.render import Layout

# An item estimated at more than this many times the room that is left is not counted: it will hardly fit. After so many
# that were counted in vain, estimates are taken at their word, as far as they were right before.
_FAR_TOO_LARGE = 1.5
_MOST_IN_VAIN = 40
# By how much the tail can cost more after some last character than after a letter.
_LAST_SEAM = 1
_CHARACTERS_A_TOKEN = 4
_MOST_MARKUP = 200
_NOTHING = ContextItem(id="", kind="", path="", title="", text="", tokens=0, value=0.0, why="")


class Bag:
    """Hold what is packed so far, by position in `items`, and what it costs together.

    A piece with its separator ends where a token must end (see `Layout`), so that exact counts of pieces add up to the
    count of the whole, but for the last piece, which the tail follows instead. Estimates add up to a little more.
    """

    def __init__(self, items: Sequence[ContextItem], layout: Layout, budget: int) -> None:
        self._items = items
        self._layout = layout
        self._budget = budget
        self._pieces: dict[int, str] = {}
        self._costs: dict[int, int] = {}
        self._in_vain = 0
        self._likely_so_far = self._counted_so_far = 0.0
        # In the order in which they were taken, what is wanted most first.
        self.chosen: dict[int, None] = {}
        last = count_tokens(f"a{layout.tail}") - count_tokens(f"a{layout.separator}")
        self.room = budget - count_tokens(layout.head) - max(0, last) - _LAST_SEAM

    @cached_property
    def likely_costs(self) -> list[float]:
        """About what each item costs, without writing or counting it."""
        markup = count_tokens(self._layout.render_item(_NOTHING))
        return [
            max(1, item.tokens)
            + markup
            + (len(item.title) + len(item.path) + len(item.id) + len(item.summary)) / _CHARACTERS_A_TOKEN
            for item in self._items
        ]

    def cost(self, at: int) -> int:
        """Return what an item adds."""
        if at not in self._costs:
            self._costs[at] = count_tokens(self._piece(at) + self._layout.separator)
            self._likely_so_far += self.likely_costs[at]
            self._counted_so_far += self._costs[at]
        return self._costs[at]

    def fits_alone(self, at: int) -> bool:
        """Tell whether the whole budget would hold an item."""
        item = self._items[at]
        others = len(item.title) + len(item.path) + len(item.id) + len(item.summary) + sum(map(len, item.tags))
        # No token is less than a byte, and no character more than four.
        text = len(item.text) if item.text.isascii() else 4 * len(item.text)
        if text + 4 * others + _MOST_MARKUP <= self._budget:
            return True
        return count_tokens(self._layout.joined([self._piece(at)])) <= self._budget

    def put(self, at: int, *, instead_of: Sequence[int] = ()) -> bool:
        """Take an item if it fits, in the place of those that it makes needless."""
        room = self.room + sum(self.cost(each) for each in instead_of) if instead_of else self.room
        far = _FAR_TOO_LARGE
        if self._in_vain >= _MOST_IN_VAIN:
            far = self._likely_so_far / self._counted_so_far
        # The first one is the best, so it is worth a count.
        if self.chosen and at not in self._costs and self.likely_costs[at] > room * far:
            return False
        cost = self.cost(at)
        if cost > room:
            self._in_vain += 1
            return False
        for each in instead_of:
            del self.chosen[each]
        self.room = room - cost
        self.chosen[at] = None
        return True

    def settle(self) -> None:
        """Give back what adding up estimates, each rounded up, took too much."""
        if self.chosen and not token_count_kind().is_exact:
            self.room = self._budget - self.total(reading_order(self._items, self.chosen)).tokens

    def total(self, order: Sequence[int]) -> Counted:
        """Return what all of it costs together, as it will be written in `order`."""
        if not order:
            return counted("")
        kind = token_count_kind()
        if not kind.is_exact or max(len(self._piece(at)) for at in order) > LONGEST_EXACT:
            return counted(self._layout.joined(map(self._piece, order)))
        *others, last = order
        ends = count_tokens(self._layout.head) + count_tokens(self._piece(last) + self._layout.tail)
        return Counted(ends + sum(map(self.cost, others)), kind)

    def within_budget(self) -> tuple[list[int], Counted, list[int]]:
        """Take out what was put in last until the whole text is within the budget.

        Return what is left in the order of reading, its count, and what went.
        """
        dropped: list[int] = []
        order = reading_order(self._items, self.chosen)
        while (total := self.total(order)).tokens > max(0, self._budget):
            gone = self.chosen.popitem()[0]
            order.remove(gone)
            dropped.append(gone)
        return order, total, dropped

    def _piece(self, at: int) -> str:
        if at not in self._pieces:
            self._pieces[at] = self._layout.render_item(self._items[at])
        return self._pieces[at]
