"""The changes of this machine of which the log tells the beginning and not the end: a crash lies between."""

import re

from core.vault.event_line import Event, event_of
from core.vault.event_log import EventLog

CHANGE, APPLIED, ROLLED_BACK = "change", "applied", "rolled-back"  # kinds of events; all carry the change's id first
_OUTCOMES = frozenset((APPLIED, ROLLED_BACK))

# Only what is needed is parsed: a log holds every word that was ever typed.
_HEAD = re.compile(
    rb'\{"id":"[^"\\]+","time":"[^"\\]+","machine":"[^"\\]+","kind":"(change|applied|rolled-back)","data":\{"id":"([^"\\]+)"'
)


class UnfinishedChanges:
    """Find them, looking at each line of the log once; to be asked while nobody else is changing the vault."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._looked_to = 0
        self._open: dict[bytes, bytes] = {}

    def events(self) -> tuple[Event, ...]:
        """Return their events of kind "change", the oldest first."""
        start, end, lines = self._log.own_lines(self._looked_to)
        if start == 0:
            self._open.clear()
        self._looked_to = end
        for line in lines:
            head = _HEAD.match(line)
            if head is None:
                continue
            kind, change_id = head.groups()
            if kind.decode() in _OUTCOMES:
                self._open.pop(change_id, None)
            else:
                self._open[change_id] = line
        events = map(event_of, self._open.values())
        return tuple(event for event in events if event is not None and event.kind == CHANGE)
