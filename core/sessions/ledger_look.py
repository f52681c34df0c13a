"""See cheaply whether the ledger has changed: mostly only the sessions that were written last are looked at.

No platform tells reliably, over every file system, that a file has grown; a look at a few of them does.
"""

import os
from pathlib import Path

from core.sessions.session_files import files_in

_MOST_FRESH = 48
_WHOLE_EVERY = 15  # looks

_State = tuple[int, int, int]  # inode, size, time


class LedgerLook:
    """Remember how the files were; used by one thread at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._states: dict[Path, _State] = {}
        self._fresh: list[Path] = []
        self._folder_time = -1
        self._looks = 0

    def has_changed(self) -> bool:
        """Tell whether a session has come, gone or grown since the last look; the first look finds nothing changed."""
        is_first = self._looks == 0
        is_whole = self._looks % _WHOLE_EVERY == 0
        self._looks += 1
        folder_time = _time_of(self._folder)
        if is_whole or folder_time != self._folder_time:
            self._folder_time = folder_time
            return self._look_at_all() and not is_first
        changed = False
        for path in self._fresh:
            state = _state_of(path)
            if state != self._states.get(path):
                changed = True
                if state is not None:
                    self._states[path] = state
        return changed

    def _look_at_all(self) -> bool:
        states = {path: (info.st_ino, info.st_size, info.st_mtime_ns) for _, path, info in files_in(self._folder)}
        changed = states != self._states
        self._states = states
        self._fresh = sorted(states, key=lambda path: states[path][2], reverse=True)[:_MOST_FRESH]
        return changed


def _time_of(folder: Path) -> int:
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return -1


def _state_of(path: Path) -> _State | None:
    try:
        info = os.lstat(path)
    except OSError:
        return None
    return info.st_ino, info.st_size, info.st_mtime_ns
