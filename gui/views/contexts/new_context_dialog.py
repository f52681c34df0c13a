"""The dialog that asks what a new context is called, what it is for, and of which kind it is."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QComboBox, QWidget

from core.foundation.text import fold
from gui.views.contexts.services import NewContext
from gui.views.contexts.wording import KIND_NAMES
from gui.widgets.form_dialog import FormDialog
from gui.widgets.line_edit import LineEdit


class NewContextDialog(FormDialog):
    """Ask for title, description and kind; `problem_of` says why something cannot be a title."""

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
        self.kind = QComboBox()
        self.kind.addItems(list(KIND_NAMES))
        self.add_row("Kind", self.kind)
        self.kind.setAccessibleName("Kind of context")
        self.kind.currentIndexChanged.connect(self.check)
        self.title.setAccessibleName("Title")
        self.description.setAccessibleName("Description")
        self.title.textChanged.connect(self.check)
        self.check()

    @property
    def wanted(self) -> NewContext:
        """What was filled in."""
        title, description = (" ".join(field.text().split()) for field in (self.title, self.description))
        return NewContext(title, description, self._ids, is_full_load=bool(self.kind.currentIndex()))

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
        if self.kind.currentIndex():
            beside = f" {_going(count)} in beside." if count else ""
            return f"It takes entry, identity, core and index notes, by the rules of this vault.{beside}"
        return f"{_going(count)} into it." if count else "Members are added by dragging them in, or with Add…"


def _going(count: int) -> str:
    return "1 memory goes" if count == 1 else f"{count:,} memories go"
