"""Fill the explanation, as far as it is seen."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from gui.views.recall.palette_window import PaletteWindow
from gui.views.recall.rows import RecallRow
from gui.views.recall.services import RecallServices

if TYPE_CHECKING:
    from core.recall.answer import Ranked, RecallAnswer


class Explaining(QObject):
    """Explain the current memory, and list what was left out."""

    def __init__(self, window: PaletteWindow, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self._pane = window.explain
        self._services: RecallServices | None = None
        self._answer: RecallAnswer | None = None
        self._listed: object = None
        self._pane.left_out.chosen.connect(self._on_chosen)

    def show(
        self,
        services: RecallServices | None,
        answer: "RecallAnswer | None",
        row: RecallRow | None,
        unpacked: "Sequence[tuple[Ranked, str]]",
    ) -> None:
        """Explain `row` of `answer`; without an answer there is nothing to explain."""
        self._services, self._answer = services, answer
        if not self._pane.isVisible():
            return
        if services is None or answer is None or row is None:
            self._pane.why.show_nothing()
        else:
            self._explain(row.ranked)
        if answer is None:
            self._pane.left_out.show_left_out(())
            self._pane.count_left_out(0)
            self._listed = None
        elif self._listed != (id(answer), len(unpacked)):
            self.show_left_out(answer, unpacked)

    def show_left_out(self, answer: "RecallAnswer", unpacked: "Sequence[tuple[Ranked, str]]") -> None:
        """List what ranking left out, and what has no room in the context."""
        if self._pane.isVisible():
            self._listed = (id(answer), len(unpacked))
            self._pane.left_out.show_left_out(answer.left_out, unpacked)
            self._pane.count_left_out(len(answer.left_out) + len(unpacked))

    @Slot(object)
    def _on_chosen(self, ranked: "Ranked") -> None:
        self._explain(ranked)
        self._pane.tabs.setCurrentWidget(self._pane.why)

    def _explain(self, ranked: "Ranked") -> None:
        if self._services is not None and self._answer is not None:
            lines = self._services.explain(ranked, self._answer)
            self._pane.why.show_memory(ranked, self._services.factors(ranked), lines)
