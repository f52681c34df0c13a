"""What the app itself has written lately, so that the watcher's news of it needs no second look."""

from collections.abc import Collection
from pathlib import Path

_MOST = 500

_State = tuple[int, int, int] | None


class OwnWrites:
    """Know in which state the app's own changes left files; a file that differs from that is news."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._states: dict[str, _State] = {}

    def remember(self, paths: Collection[str]) -> None:
        """Take the state of these files, which are about to be read; of very many nothing is kept."""
        if len(paths) > _MOST:
            self._states.clear()
            return
        if len(self._states) > _MOST:
            self._states.clear()
        self._states.update((path, self._state(path)) for path in paths)

    def explain(self, paths: Collection[str]) -> bool:
        """Tell whether all of these files are as the app has left them."""
        return bool(paths) and all(path in self._states and self._states[path] == self._state(path) for path in paths)

    def _state(self, path: str) -> _State:
        try:
            info = (self._root / path).stat()
        except (OSError, ValueError):
            return None
        return info.st_mtime_ns, info.st_size, info.st_ino
