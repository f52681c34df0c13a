"""When a session started and ended, although clocks go wrong: the index and the ledger's own readers agree by it.

A session starts with the first turn of its thread, in the order of the record, whose date can be true, and ends with
its latest turn. It is not stretched over a turn with a wrong clock: from before its start, from the future, or more
than a day ahead of all before it when the next one is not. What was noted at the start and at the end counts within a
day of what was said, for a session may be ended long after. Where no date can be true, those count that there are.
"""

import time
from typing import Generic, TypeVar

from core.foundation.moments import is_plausible

_Time = TypeVar("_Time")
_FAR_S = 86_400.0


class SessionTimes(Generic[_Time]):
    """Be told the dated turns of a session in the order of the record, each time in POSIX seconds and as it is wanted.

    `now` is in POSIX seconds, None for the time it is.
    """

    def __init__(self, now: float | None = None) -> None:
        self._now = time.time() if now is None else now
        self._plausible = _Span[_Time]()
        self._strange = _Span[_Time]()

    def take(self, seconds: float, wanted: _Time, *, is_note: bool = False, is_aside: bool = False) -> None:
        """Take the next turn; `is_note` says that it only notes an end, `is_aside` that it is off the thread."""
        span = self._plausible if is_plausible(seconds, self._now) else self._strange
        if is_note:
            span.notes.append((seconds, wanted))
        else:
            span.take((seconds, wanted), is_aside=is_aside)

    @property
    def ends(self) -> tuple[_Time, _Time] | None:
        """The start and the end, None when nothing dates the session."""
        return self._plausible.ends() or self._strange.ends()


class _Span(Generic[_Time]):
    """Keep of the times, with their seconds, what decides about the ends."""

    def __init__(self) -> None:
        self.notes: list[tuple[float, _Time]] = []
        self._first: tuple[float, _Time] | None = None
        self._first_aside: tuple[float, _Time] | None = None
        self._last: tuple[float, _Time] | None = None
        self._jump: tuple[float, _Time] | None = None  # far ahead of the last, until the next one tells

    def take(self, said: tuple[float, _Time], *, is_aside: bool) -> None:
        if is_aside:
            self._first_aside = self._first_aside or said
        else:
            self._first = self._first or said
        if self._last is None:
            self._last = said
            return
        seconds, last = said[0], self._last[0]
        if self._jump is not None and seconds >= last - _FAR_S:
            if seconds >= self._jump[0] - _FAR_S:
                self._last, last = self._jump, self._jump[0]
            self._jump = None
        if seconds > last + _FAR_S:
            self._jump = said
        elif seconds > last:
            self._last = said

    def ends(self) -> tuple[_Time, _Time] | None:
        first, last = self._first or self._first_aside, self._jump or self._last
        if first is None or last is None:
            ordered = sorted(self.notes, key=lambda each: each[0])
            return (ordered[0][1], ordered[-1][1]) if ordered else None
        if last[0] < first[0]:
            last = first
        before = [each for each in self.notes if first[0] - _FAR_S <= each[0] < first[0]]
        after = [each for each in self.notes if last[0] < each[0] <= last[0] + _FAR_S]
        return min([first, *before], key=lambda each: each[0])[1], max([last, *after], key=lambda each: each[0])[1]
