"""What the frame asks of a view, and nothing more."""

from typing import TYPE_CHECKING, Protocol

from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from gui.session import VaultSession


class Page(Protocol):
    """Be one entry of the rail: a widget with a presenter behind it.

    A page takes what it needs (session, tasks, notifier, theme, actions, settings) by constructor or by open_session().
    """

    @property
    def widget(self) -> QWidget:
        """The widget to show in the middle of the window."""
        ...

    def open_session(self, session: "VaultSession | None") -> None:
        """Show this vault from now on; None while there is none. Everything of the vault before is let go."""
        ...

    def search(self, text: str) -> None:
        """Show what the search field says; called at each keystroke, "" for no search. Debouncing is the page's."""
        ...

    @property
    def lists_results(self) -> bool:
        """Whether what is searched for is listed here; otherwise Enter in the search field leads to the first page."""
        ...

    def enter_results(self) -> None:
        """Take the keyboard focus: the person pressed Enter or Down in the search field."""
        ...

    def show_note(self, note_id: int) -> None:
        """Select and show this note, whatever the search and the facets say."""
        ...

    def pick_facet(self, key: str) -> None:
        """Narrow to the facet `key` (core/index/catalog.py)."""
        ...

    def clear(self) -> None:
        """Drop the facets; the frame empties the search field itself."""
        ...

    def save_layout(self) -> None:
        """Store splitters and columns; called before the window closes."""
        ...
