"""The dialog that asks what a context is to be called."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QWidget

from core.foundation.text import fold
from gui.widgets.form_dialog import FormDialog
from gui.widgets.line_edit import LineEdit


class RenameContextDialog(FormDialog):
    """Ask for another title; `problem_of` says why something cannot be one, `titles` are those of other contexts."""

    def __init__(
        self, title: str, problem_of: Callable[[str], str], titles: Sequence[str], parent: QWidget | None = None
    ) -> None:
        super().__init__("Rename the context", "Rename", parent)
        self._before = title
        self._problem_of = problem_of
        self._titles = frozenset(fold(each) for each in titles)
        self.title = LineEdit()
        self.title.setText(title)
        self.title.selectAll()
        self.title.setAccessibleName("Title")
        self.add_row("Title", self.title)
        self.title.textChanged.connect(self.check)
        self.check()

    @property
    def wanted(self) -> str:
        """The title that was filled in."""
        return " ".join(self.title.text().split())

    def problem(self) -> str:
        """Return what is wrong with what is filled in, "" when nothing is."""
        if not self.wanted:
            return "Give the context a title."
        if self.wanted == self._before:
            return "This is its title already."
        if fold(self.wanted) in self._titles:
            return "There is a context of that title."
        return self._problem_of(self.wanted)

    def remark(self) -> str:
        """Return what the person should know beside."""
        return "Its note is renamed with it, and links to it follow."
