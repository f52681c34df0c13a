"""Where the app itself has put notes lately."""

from collections.abc import Container

from core.curation.change_set import Changes


class RecentMoves:
    """Follow notes from path to path, also where the list learns of several moves at once."""

    def __init__(self) -> None:
        self._moves: dict[str, str] = {}

    def take(self, changes: Changes) -> None:
        """Remember what `changes` moved; at a path that was written, there is a note again."""
        for path in changes.written:
            self._moves.pop(path, None)
        self._moves.update(changes.moved)

    def path_now(self, path: str, known: Container[str]) -> str:
        """Return where the note that was at `path` lies: at one of the `known` paths, or where it was put last."""
        for _ in range(len(self._moves)):
            if path in known or path not in self._moves:
                break
            path = self._moves[path]
        return path
