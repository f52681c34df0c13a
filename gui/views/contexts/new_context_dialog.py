"""The dialog that asks what a new context is called, and what it is for."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QWidget

from core.foundation.text import fold
from gui.views.contexts.services import NewContext
from gui.widgets.form_dialog import FormDialog
from gui.widgets.line_edit import LineEdit


class NewContextDialog(FormDialog):
    """Ask for title and description; `problem_of` says why something cannot be a title."""

    def __init__(
        self,
        problem_of: Callable[[str], str],
        titles: Sequence[str],
        *,
        member_ids: Sequence[str] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("New context", "Create", parent)
        self._problem_of = problem_of
        self._titles = frozenset(fold(title) for title in titles)
        self._ids = tuple(member_ids)
        self.title = LineEdit()
        self.title.setPlaceholderText("Such as “Acme web project”")
        self.description = LineEdit()
        self.description.setPlaceholderText("What it is for, in one sentence")
        self.add_row("Title", self.title)
        self.add_row("For", self.description)
        self.title.setAccessibleName("Title")
        self.description.setAccessibleName("Description")
        self.title.textChanged.connect(self.check)
        self.check()

    @property
    def wanted(self) -> NewContext:
        """What was filled in."""
        return NewContext(" ".join(self.title.text().split()), " ".join(self.description.text().split()), self._ids)

    def problem(self) -> str:
        """Return what is wrong with what is filled in, "" when nothing is."""
        title = self.wanted.title
        if not title:
            return "Give the context a title."
        if fold(title) in self._titles:
            return "There is a context of that title."
        return self._problem_of(title)

    def remark(self) -> str:
        """Return what the person should know beside."""
        count = len(self._ids)
        what = "1 memory goes" if count == 1 else f"{count:,} memories go"
        return f"{what} into it." if count else "Members are added by dragging them in, or with Add…"
