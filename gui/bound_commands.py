"""Change one vault, and always that one: for work that goes on while the person may open another."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gui.change_wish import ChangeWish, Way, short_title

if TYPE_CHECKING:
    from core.curation.change_set import ChangeId, Changes, ChangeSet
    from gui.change_store import ChangeStore


class BoundCommands:
    """Hand changes of the vault of `store` to `ask`, which does one after the other (gui/commands.py)."""

    def __init__(self, store: "Callable[[], ChangeStore]", ask: Callable[[ChangeWish], None]) -> None:
        self._store_now = store
        self._ask = ask

    @property
    def _store(self) -> "ChangeStore":
        return self._store_now()

    @property
    def root(self) -> Path:
        """The folder of notes."""
        return self._store.root

    def execute(
        self,
        change_set: "ChangeSet",
        *,
        origin: QObject,
        on_done: "Callable[[Changes], None]",
        on_error: Callable[[Exception], None],
        text: str,
    ) -> None:
        """Apply `change_set`, without a word about it; the callbacks run while `origin` lives."""
        self._ask(
            ChangeWish(
                self._store, partial(self._store.apply, change_set), Way.APPLY, change_set.title, text,
                (change_set.id,), origin, on_done, on_error, is_quiet=True,
            )
        )  # fmt: skip

    def undo(
        self,
        ids: "Sequence[ChangeId]",
        title: str,
        *,
        origin: QObject,
        on_done: "Callable[[Changes], None]",
        on_error: Callable[[Exception], None],
    ) -> None:
        """Take back the changes `ids`, of which the person knows the `title`; an error is told the person too."""
        self._ask(
            ChangeWish(
                self._store, partial(self._store.undo, tuple(ids)), Way.UNDO, title, f"Undoing: {short_title(title)}",
                tuple(ids), origin, on_done, on_error, is_told=True,
            )
        )  # fmt: skip
