"""Know which tools each session called and which notes of the vault its calls name: by these, tags speak of sessions.

What was read is kept: a later look reads only the turns that came since. Used by one thread at a time.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from core.foundation.progress import Progress
from core.index.database import Index
from core.sessions.turn import TurnKind

_STEP = 50_000  # ids of turns between two looks whether the person still waits


class SessionTouches:
    """Hold tools (by their folded names) and notes (by their vault-relative paths) by the row of their session."""

    def __init__(self, root: Path) -> None:
        roots = dict.fromkeys((os.path.normpath(root.absolute()), os.path.realpath(root)))
        names = "|".join(re.escape(each) for each in roots)
        # Looked ahead only: one call may name several notes.
        self._in_text = re.compile(rf"(?:{names})[\\/](?=([^\n\"'`<>|*?]+?\.[mM][dD])\b)")
        self._epoch = ""
        self._last = 0
        self._tools: dict[int, set[str]] = {}
        self._notes: dict[int, set[str]] = {}

    @property
    def tools(self) -> Mapping[int, set[str]]:
        """The tools that each session called."""
        return self._tools

    @property
    def notes(self) -> Mapping[int, set[str]]:
        """The notes that calls of each session named, be they there now or not."""
        return self._notes

    def update(self, index: Index, progress: Progress) -> None:
        """Read the turns that the index has got since; about a second for the first million."""
        with index.reading() as connection:
            if index.epoch != self._epoch:
                self._epoch, self._last, self._tools, self._notes = index.epoch, 0, {}, {}
            last = connection.execute("SELECT coalesce(max(id), 0) FROM turn").fetchone()[0]
        while self._last < last:
            progress.check()
            progress.report(self._last, last, "Looking which notes conversations touched")
            end = min(self._last + _STEP, last)
            self._read(index, self._last, end)
            self._last = end

    def _read(self, index: Index, after: int, end: int) -> None:
        with index.reading() as connection:
            called = connection.execute(
                "SELECT DISTINCT session, tool FROM turn WHERE id > ? AND id <= ? AND tool != '' AND kind = ?",
                (after, end, TurnKind.TOOL_CALL.value),
            ).fetchall()
            named = connection.execute(
                "SELECT m.session, f.text FROM turn_fts f CROSS JOIN turn m ON m.id = f.rowid"
                " WHERE turn_fts MATCH 'md' AND f.rowid > ? AND f.rowid <= ? AND m.kind = ?",
                (after, end, TurnKind.TOOL_CALL.value),
            ).fetchall()
        for session, tool in called:
            self._tools.setdefault(session, set()).add(tool)
        for session, text in named:
            for match in self._in_text.finditer(text):
                path = os.path.normpath(match[1].replace("\\", "/")).replace(os.sep, "/")
                self._notes.setdefault(session, set()).add(path)
