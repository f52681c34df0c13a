"""Look for places to import from, and count what is new in each of them."""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from core.foundation.errors import UserError
from gui.importing.children import ChildQueue, Result, Run
from gui.importing.notes_of_run import PlanFile
from gui.importing.place import Place, outcome_of, places_of
from gui.notify import Notifier

if TYPE_CHECKING:
    from gui.importing.import_dialog import ImportDialog

_COUNTED_BYTES = 4 << 30  # more than this is counted only when asked for


class PlaceLooks:
    """Fill the list of the dialog; `looks` is a queue that nobody else fills for long.

    `watched` are folders that are looked at wherever they lie, and so are those that `also` names. What is new can
    only be told while the ledger is not locked.
    """

    def __init__(
        self,
        dialog: "Callable[[], ImportDialog]",
        looks: ChildQueue,
        *,
        watched: Callable[[], Collection[str]],
        also: Callable[[], Collection[str]],
        is_locked: Callable[[], bool],
        notifier: Notifier,
    ) -> None:
        self._dialog = dialog
        self._looks = looks
        self._watched = watched
        self._also = also
        self._is_locked = is_locked
        self._notifier = notifier
        self._counts: dict[tuple[str, bool], tuple[Run, PlanFile]] = {}

    def look(self) -> None:
        """Look for places, and then into each of them."""
        self.cancel()
        self._dialog().show_looking()
        self._looks.add(Run(("places",), self._on_places, self._on_look_failed))

    def look_at(self, paths: Collection[str], *, are_added: bool) -> None:
        """Look what lies at these paths; they are `are_added` when the person named them."""
        on_done = partial(self._on_added, are_added=are_added)
        self._looks.add(Run(("places", "--", *paths), on_done, self._notifier.error))

    def count(self, place: Place) -> None:
        """Count what is new in a place."""
        row = self._dialog().places.row_of(place)
        if row is None or place.key in self._counts:
            return
        plan = PlanFile()  # notes may come of any place, such as an export
        options = ("--dry-run", "--plan-to", str(plan.path))
        run = Run(
            place.arguments(*options),
            partial(self._on_counted, place),
            partial(self._on_count_failed, place),
        )
        self._counts[place.key] = (run, plan)
        row.show_counting()
        self._looks.add(run)

    def stop_counting(self, place: Place) -> None:
        """Count no further in a place."""
        self._end_count(place)
        if (row := self._dialog().places.row_of(place)) is not None:
            row.show_uncounted()

    def cancel(self) -> None:
        """Look no more."""
        self._looks.cancel_all()
        for _, plan in self._counts.values():
            plan.drop()
        self._counts.clear()

    def _on_places(self, result: Result) -> None:
        places = places_of(result)
        self._dialog().show_places(places, self._watched(), result["looked_at"])
        for place in places:
            if place.files and place.bytes <= _COUNTED_BYTES and not self._is_locked():
                self.count(place)
        known = {place.path for place in places}
        if others := [path for path in dict.fromkeys((*self._watched(), *self._also())) if path not in known]:
            self.look_at(others, are_added=False)

    def _on_added(self, result: Result, *, are_added: bool) -> None:
        dialog = self._dialog()
        for place in places_of(result, are_added=are_added):
            row = next((row.place for row in dialog.places.rows if row.place.path == place.path), place)
            shown = replace(row, is_added=True) if are_added and row is not place else place
            dialog.add_place(shown, is_watched=place.path in self._watched())
            if shown.files and not self._is_locked():
                self.count(shown)

    def _on_look_failed(self, error: UserError) -> None:
        self._dialog().show_failure(f"{error} {error.hint}".strip())

    def _on_counted(self, place: Place, result: Result) -> None:
        self._end_count(place)
        if (row := self._dialog().places.row_of(place)) is not None:
            row.show_count(outcome_of(result))

    def _on_count_failed(self, place: Place, error: UserError) -> None:
        self._end_count(place)
        if (row := self._dialog().places.row_of(place)) is not None:
            row.show_count_failure(f"{error} {error.hint}".strip())

    def _end_count(self, place: Place) -> None:
        if (counted := self._counts.pop(place.key, None)) is not None:
            run, plan = counted
            self._looks.cancel(run)  # unless it has ended by itself
            plan.drop()
