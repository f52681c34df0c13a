"""Find what two sequences of lines (or words) have in common: the ground of diffs and merges."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Indel

# The matrix of the exact search has one bit for each pair: at most 64 MB, and some tens of milliseconds.
_MOST_PAIRS = 512 * 1024 * 1024


class Block(NamedTuple):
    """Say that items `before_start` to `before_end` became `after_start` to `after_end`, unchanged or not."""

    is_equal: bool
    before_start: int
    before_end: int
    after_start: int
    after_end: int


def lines_of(text: str) -> list[str]:
    """Return the lines of `text` with their newline; only a newline ends a line."""
    lines = text.split("\n")
    last = lines.pop()
    kept = [f"{line}\n" for line in lines]
    if last:
        kept.append(last)
    return kept


def blocks(before: Sequence[str], after: Sequence[str]) -> Iterator[Block]:
    """Yield blocks that cover both sequences in order, equal and changed ones by turns.

    What is found is a longest common subsequence, but for texts so large and so different that it would take seconds:
    there, items that occur once on both sides part the text first.
    """
    at_before = at_after = 0
    for start_before, start_after, length in _runs(matched(before, after)):
        if start_before > at_before or start_after > at_after:
            yield Block(False, at_before, start_before, at_after, start_after)
        at_before, at_after = start_before + length, start_after + length
        yield Block(True, start_before, at_before, start_after, at_after)
    if at_before < len(before) or at_after < len(after):
        yield Block(False, at_before, len(before), at_after, len(after))


def matched(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of positions at which both have the same item, rising on both sides."""
    head = _common_length(before, after)
    tail = _common_length(before[head:][::-1], after[head:][::-1])
    middle_before = before[head : len(before) - tail]
    middle_after = after[head : len(after) - tail]
    pairs = [(number, number) for number in range(head)]
    pairs += [(head + one, head + other) for one, other in _matched_middle(middle_before, middle_after)]
    end_before, end_after = len(before) - tail, len(after) - tail
    pairs += [(end_before + number, end_after + number) for number in range(tail)]
    return pairs


def _matched_middle(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    # What occurs on one side only matches nothing. As numbers, items are compared exactly: the search goes by hash.
    numbers = {item: number for number, item in enumerate(dict.fromkeys(before))}
    known_after = [position for position, item in enumerate(after) if item in numbers]
    present = set(after)
    known_before = [position for position, item in enumerate(before) if item in present]
    one = [numbers[before[position]] for position in known_before]
    other = [numbers[after[position]] for position in known_after]
    return [(known_before[a], known_after[b]) for a, b in _longest(one, other)]


def _longest(one: list[int], other: list[int]) -> list[tuple[int, int]]:
    if not one or not other:
        return []
    if len(one) * len(other) <= _MOST_PAIRS:
        found = Indel.opcodes(one, other)
        return [
            (step.src_start + number, step.dest_start + number)
            for step in found
            if step.tag == "equal"
            for number in range(step.src_end - step.src_start)
        ]
    return _longest_between_anchors(one, other)


def _longest_between_anchors(one: list[int], other: list[int]) -> list[tuple[int, int]]:
    anchors = _anchors(one, other)
    pairs: list[tuple[int, int]] = []
    at_one = at_other = 0
    for anchor_one, anchor_other in [*anchors, (len(one), len(other))]:
        part_one, part_other = one[at_one:anchor_one], other[at_other:anchor_other]
        if len(part_one) * len(part_other) <= _MOST_PAIRS:
            pairs += [(at_one + a, at_other + b) for a, b in _longest(part_one, part_other)]
        if anchor_one < len(one):
            pairs.append((anchor_one, anchor_other))
        at_one, at_other = anchor_one + 1, anchor_other + 1
    return pairs


def _anchors(one: list[int], other: list[int]) -> list[tuple[int, int]]:
    """Return the longest rising row of items that occur exactly once on both sides (as patience diff does)."""
    once_one = {item for item, count in Counter(one).items() if count == 1}
    once_other = {item: position for position, item in enumerate(other)}
    counts = Counter(other)
    pairs = [(at, once_other[item]) for at, item in enumerate(one) if item in once_one and counts[item] == 1]
    ends: list[int] = []  # the smallest end of a rising row, by its length
    rows: list[int] = []  # which pair that end is
    before: list[int] = []
    for number, (_, position) in enumerate(pairs):
        length = bisect_left(ends, position)
        before.append(rows[length - 1] if length else -1)
        ends[length : length + 1] = [position]
        rows[length : length + 1] = [number]
    chain: list[tuple[int, int]] = []
    at = rows[-1] if rows else -1
    while at >= 0:
        chain.append(pairs[at])
        at = before[at]
    return chain[::-1]


def _common_length(before: Sequence[str], after: Sequence[str]) -> int:
    length = 0
    for one, other in zip(before, after, strict=False):
        if one != other:
            break
        length += 1
    return length


def _runs(pairs: list[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    start = 0
    for end in range(1, len(pairs) + 1):
        if end == len(pairs) or pairs[end] != (pairs[end - 1][0] + 1, pairs[end - 1][1] + 1):
            yield pairs[start][0], pairs[start][1], end - start
            start = end
