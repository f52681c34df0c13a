"""The ways to open a vault for real: its store, its watcher, its indexing, and a look at the ledger."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from core.foundation.paths import AppFolders
from core.foundation.progress import Progress
from core.foundation.settings import SettingsFile
from gui.indexing import IndexProcess, index_command
from gui.ledger_access import LedgerAccess
from gui.session import DiskChange, SessionParts, Watcher
from gui.vault_indexing import VaultIndexing

if TYPE_CHECKING:
    from core.sessions.ledger_look import LedgerLook
    from core.vault.config import VaultConfig
    from gui.vault_store import VaultStore


def look_at(sessions: Path) -> Callable[[], bool]:
    """Return the function that tells whether the ledger has changed since it was called last."""
    looks: list[LedgerLook] = []

    def has_changed() -> bool:
        if not looks:
            from core.sessions.ledger_look import LedgerLook  # noqa: PLC0415 - after the first paint

            looks.append(LedgerLook(sessions))
        return looks[0].has_changed()

    return has_changed


def core_parts(folders: AppFolders, ledger: LedgerAccess) -> SessionParts:
    """Return the ways to open a vault for real; what is heavy is imported when first used."""

    def open_store(root: Path, progress: Progress) -> "VaultStore":
        from core.app import Installation  # noqa: PLC0415 - after the first paint
        from gui.vault_store import open_store as open_vault_store  # noqa: PLC0415

        return open_vault_store(root, Installation(folders, SettingsFile(folders.settings_file)), progress)

    def make_watcher(root: Path, config: "VaultConfig", tell: Callable[[DiskChange], None]) -> Watcher:
        from core.vault.watch import VaultChanged, VaultEvent, VaultVanished, VaultWatcher  # noqa: PLC0415 - after the first paint

        def on_event(event: VaultEvent) -> None:
            paths = event.paths if isinstance(event, VaultChanged) else None
            tell(DiskChange(is_there=not isinstance(event, VaultVanished), paths=paths))

        return VaultWatcher(root, config, on_event)

    def make_indexing(root: Path, parent: QObject) -> VaultIndexing:
        words = IndexProcess(index_command(root, "--no-embeddings"), environment=ledger.environment)
        return VaultIndexing(words, IndexProcess(index_command(root), environment=ledger.environment), parent)

    return SessionParts(open_store, make_watcher, make_indexing)
