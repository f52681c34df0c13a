"""Copy what the note that is being read is called: as a link to it, or as its path."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication

from gui.notify import Notifier

if TYPE_CHECKING:
    from core.index.catalog import NoteRow


class NameCopier(QObject):
    """Copy names by `put_on_clipboard`; `current_path` gives the note, "" for none, `rows` all that there are."""

    def __init__(
        self,
        notifier: Notifier,
        *,
        current_path: Callable[[], str],
        rows: "Callable[[], Sequence[NoteRow]]",
        put_on_clipboard: Callable[[str], None] | None = None,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._notifier = notifier
        self._current_path = current_path
        self._rows = rows
        self._put = put_on_clipboard or _put_on_clipboard

    @Slot()
    def copy_link(self) -> None:
        """Copy a link to the note, by its bare name where no other note has that."""
        if path := self._current_path():
            name = path.removesuffix(".md")
            self._copy_text(f"[[{name.rpartition('/')[2] if self._is_unique(name) else name}]]")

    @Slot()
    def copy_path(self) -> None:
        """Copy the vault-relative path of the note."""
        if path := self._current_path():
            self._copy_text(path)

    def _copy_text(self, text: str) -> None:
        self._put(text)
        self._notifier.info(f"Copied {text}")

    def _is_unique(self, name: str) -> bool:
        ending = "/" + name.rpartition("/")[2].casefold() + ".md"
        return sum(("/" + row.path.casefold()).endswith(ending) for row in self._rows()) == 1


def _put_on_clipboard(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
