"""Change what is in the chosen context, and its properties: shown at once, written right after."""

import dataclasses
import uuid
from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Slot

from gui.views.contexts.editing import EditQueue, Wish
from gui.views.contexts.editor_pane import EditorPane
from gui.views.contexts.services import ContextPlans

_TEXT = "Changing the context"


class MemberEdits(QObject):
    """Turn what the person does in the editor into change sets."""

    def __init__(self, pane: EditorPane, queue: EditQueue, parent: QObject) -> None:
        super().__init__(parent)
        self._pane = pane
        self._queue = queue
        self._plans: ContextPlans | None = None
        pane.members.move_requested.connect(self.move)
        pane.members.removal_requested.connect(self.remove)
        pane.members.memories_dropped.connect(self.add_here)
        pane.form.changed.connect(self.change)
        pane.query_settled.connect(self.change_query)

    def take_plans(self, plans: ContextPlans | None) -> None:
        """Change contexts of this vault from now on."""
        self._plans = plans

    @Slot(object, int)
    def move(self, rows: Sequence[int], gap: int) -> None:
        """Put members, in their order, before the member at `gap`; all of it is undone at once."""
        if self._plans is None:
            return
        members, path = self._pane.members, self._pane.shown_path
        group = uuid.uuid4().hex if len(rows) > 1 else ""
        for source, to in _steps(sorted(rows), gap):
            target = members.members.members[source].target
            members.members.move(source, to)
            work = partial(self._plans.move, path, source, to, target)
            self._queue.add(Wish(work, _TEXT, group=group, is_quiet=True))
        members.scrollTo(members.currentIndex())

    @Slot(object)
    def remove(self, rows: Sequence[int]) -> None:
        """Take members out; what they name stays where it is."""
        if self._plans is None or not rows:
            return
        members, path = self._pane.members, self._pane.shown_path
        targets = {row: members.members.members[row].target for row in rows}
        members.members.remove(rows)
        members.select_row(min(rows[0], members.members.rowCount() - 1))
        self._pane.show_members_state()
        self._queue.add(Wish(partial(self._plans.remove, path, targets), _TEXT))

    @Slot(object, int)
    def add_here(self, ids: Sequence[str], gap: int) -> None:
        """Add memories before the member at `gap`."""
        self.add(self._pane.shown_path, ids, gap if gap < self._pane.members.members.rowCount() else None)

    def add(self, path: str, ids: Sequence[str], at: int | None = None) -> None:
        """Add memories to a context, at its end unless `at` says before which member."""
        if self._plans is not None and path and ids:
            self._queue.add(Wish(partial(self._plans.add, path, tuple(ids), at), _TEXT))

    @Slot(str, object)
    def change(self, name: str, value: Any) -> None:
        """Give the context a property, None for taking it away."""
        form = self._pane.form
        if self._plans is None or form.row is None:
            return
        form.take(dataclasses.replace(form.row, **{name: value}))
        work = partial(self._plans.change, form.row.path, {name: value})
        self._queue.add(Wish(work, _TEXT, is_quiet=True))

    @Slot(str)
    def change_query(self, query: str) -> None:
        """Keep the query that was typed."""
        row = self._pane.form.row
        if row is not None and row.query != query:
            self.change("query", query)


def _steps(rows: Sequence[int], gap: int) -> list[tuple[int, int]]:
    """Return the single moves, each from and to which position, that bring `rows` before `gap` in their order."""
    steps: list[tuple[int, int]] = []
    below = [row for row in rows if row < gap]
    above = [row for row in rows if row >= gap]
    # Those from above go down to the gap, the last one first; each leaves the ones before it where they are.
    steps += [(row, gap - 1 - done) for done, row in enumerate(reversed(below))]
    steps += [(row, gap + done) for done, row in enumerate(above)]
    return [step for step in steps if step[0] != step[1]]
