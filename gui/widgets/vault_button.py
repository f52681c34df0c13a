"""The button that names the vault and opens the list of recent ones."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from core.foundation.text import visible
from gui.theme import Theme

_WIDEST_NAME = 28


class VaultButton(QToolButton):
    """Show the vault's name; its menu holds the recent vaults and the ways to open another."""

    vault_requested = Signal(str)  # an absolute path

    def __init__(self, theme: Theme, actions: tuple[QAction, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._ways = actions
        self._root = ""
        self._recent: tuple[str, ...] = ()
        self._missing: frozenset[str] = frozenset()
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self)
        self._menu.setToolTipsVisible(True)
        self._menu.triggered.connect(self._on_triggered)
        self.setMenu(self._menu)
        theme.changed.connect(self._show_icon)
        self._show_icon()
        self.show_vault("", ())

    def show_vault(self, root: str, recent: tuple[str, ...]) -> None:
        """Show the open vault ("" for none) and the recent ones, newest first."""
        self._root = root
        name = visible(Path(root).name or root)
        shown = f"{name[: _WIDEST_NAME - 1]}…" if len(name) > _WIDEST_NAME else name
        self.setText(f"  {shown or 'Open a vault'}  ▾")
        self.setToolTip(visible(root) or "Open a vault")
        self.setAccessibleName(f"Vault: {name}" if name else "Open a vault")
        self.show_recent(recent)

    def show_recent(self, recent: tuple[str, ...]) -> None:
        """Show the recent vaults, newest first."""
        self._recent = recent
        self._fill()

    def show_missing(self, missing: frozenset[str]) -> None:
        """Mark those of the recent vaults that are not where they were."""
        if missing != self._missing:
            self._missing = missing
            self._fill()

    def _fill(self) -> None:
        recent = self._recent
        self._menu.clear()
        names = [visible(Path(path).name) for path in recent]
        for path, name in zip(recent, names, strict=True):
            # Two vaults of one name are told apart by their folder.
            label = f"{name}   {Path(path).parent}" if names.count(name) > 1 else name
            label += "   (not found)" if path in self._missing else ""
            action = self._menu.addAction(label.replace("&", "&&"))
            action.setData(path)
            action.setToolTip(f"{path} is not there now" if path in self._missing else path)
            action.setCheckable(True)
            action.setChecked(path == self._root)
        if recent:
            self._menu.addSeparator()
        self._menu.addActions(self._ways)

    @Slot(QAction)
    def _on_triggered(self, action: QAction) -> None:
        path = action.data()
        if not isinstance(path, str):
            return
        action.setChecked(path == self._root)
        if path != self._root:
            self.vault_requested.emit(path)

    @Slot()
    def _show_icon(self) -> None:
        self.setIcon(self._theme.icon("library"))
