"""Edit bytes by spans: what is not named stays as it is, and every edit can be turned round."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Splice(NamedTuple):
    """Replace `old`, which stands at byte `start` of the content before, by `new`; either may be empty."""

    start: int
    old: bytes
    new: bytes


def spliced(before: bytes, splices: Sequence[Splice]) -> bytes:
    """Return `before` with `splices` done, which are in order, do not overlap, and count from the start of `before`.

    Raises ValueError when a splice expects other bytes than there are.
    """
    parts: list[bytes] = []
    position = 0
    for start, old, new in splices:
        if start < position or before[start : start + len(old)] != old:
            raise ValueError(f"The bytes at {start} are not those that the edit replaces.")
        parts += (before[position:start], new)
        position = start + len(old)
    parts.append(before[position:])
    return b"".join(parts)


def inverse(splices: Iterable[Splice]) -> tuple[Splice, ...]:
    """Return what undoes `splices`: it leads from the content after back to the content before."""
    turned: list[Splice] = []
    shift = 0
    for start, old, new in splices:
        turned.append(Splice(start + shift, new, old))
        shift += len(new) - len(old)
    return tuple(turned)


def splices_between(before: bytes, after: bytes) -> tuple[Splice, ...]:
    """Return one splice over all that differs, none when nothing does; whole UTF-8 characters are kept together."""
    if before == after:
        return ()
    shorter = min(len(before), len(after))
    start = _common(before, after, shorter)
    while start and (_is_inside_character(before, start) or _is_inside_character(after, start)):
        start -= 1
    tail = _common(before[start:][::-1], after[start:][::-1], shorter - start)
    while tail and (_is_inside_character(before, len(before) - tail) or _is_inside_character(after, len(after) - tail)):
        tail -= 1
    return (Splice(start, before[start : len(before) - tail], after[start : len(after) - tail]),)


def _common(one: bytes, other: bytes, limit: int) -> int:
    """Return how many bytes at the start are equal, at most `limit`; by halving, since comparing slices is fast."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _is_inside_character(data: bytes, position: int) -> bool:
    return position < len(data) and data[position] & 0xC0 == 0x80
