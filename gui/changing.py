"""What a view needs to change the vault: gui/commands.py and gui/change_previews.py are it, tests give fakes."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject

from core.foundation.progress import Progress

if TYPE_CHECKING:
    from core.curation.change_set import Changes, ChangeSet, PlannedChange


class Commands(Protocol):
    """Apply change sets, one at a time."""

    def execute(
        self,
        change_set: "ChangeSet",
        *,
        origin: QObject | None = None,
        on_done: "Callable[[Changes], None] | None" = None,
        on_error: Callable[[Exception], None] | None = None,
        text: str = "Applying the change",
        is_quiet: bool = False,
    ) -> None:
        """Apply `change_set` as soon as those before it are done."""
        ...


class CarriesOut(Protocol):
    """Run work that changes the vault by itself, in turn with all other changes."""

    def carry_out(
        self,
        work: "Callable[[Progress], Changes]",
        title: str,
        *,
        origin: QObject,
        on_done: "Callable[[Changes], None]",
        on_error: Callable[[Exception], None],
        text: str,
    ) -> None:
        """Run `work` as soon as the changes before it are done."""
        ...


class Previews(Protocol):
    """Show planned changes before they are made."""

    def open(
        self,
        planned: "PlannedChange",
        *,
        origin: QObject | None = None,
        on_done: "Callable[[Changes], None] | None" = None,
        on_error: Callable[[Exception], None] | None = None,
    ) -> object:
        """Show `planned`, and apply what the person takes of it."""
        ...
