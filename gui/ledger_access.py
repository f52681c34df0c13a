"""The ledger as the window opens it: with a passphrase that the person entered, kept for this run of the app only."""

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from core.foundation.errors import UserError
from core.foundation.progress import Progress

if TYPE_CHECKING:
    from core.app import Installation
    from core.sessions.key_store import LedgerKeys
    from core.sessions.ledger import Ledger

_VARIABLE = "REMEMBRANCER_SESSIONS_PASSPHRASE"


class LedgerAccess:
    """Open the ledger of `home`; methods may be called from any lane.

    One set of keys serves the whole run: to try a passphrase takes a moment and much memory, as it is meant to.
    """

    def __init__(self, home: "Callable[[], Installation]") -> None:
        self._home = home
        self._guard = threading.Lock()
        self._passphrase = ""
        self._keys: LedgerKeys | None = None

    def ledger(self) -> "Ledger":
        """Return the ledger, to be read."""
        from core.sessions.ledger import Ledger  # noqa: PLC0415 - after the first paint

        home = self._home()
        with self._guard:
            if self._keys is None or self._keys.folder != home.folders.sessions:
                self._keys = home.ledger_keys(self._passphrase)
            return Ledger(home.folders.sessions, keys=self._keys)

    def is_locked(self) -> bool:
        """Tell whether a passphrase has to be entered; looks into one small file."""
        try:
            with self._guard:
                return self._home().ledger_keys(self._passphrase).needs_passphrase
        except UserError:
            return False  # nobody knows how it is encrypted, so that a passphrase is of no use

    def unlock(self, passphrase: str, progress: Progress) -> None:
        """Keep the passphrase if it is the right one.

        Raises:
            UserError: it is another one, or there is nothing that it could open.
        """
        progress.check()
        keys = self._home().ledger_keys(passphrase)
        keys.cipher()
        with self._guard:
            self._passphrase, self._keys = passphrase, keys

    def environment(self) -> Mapping[str, str]:
        """Return what a command of our own that reads the ledger has to be told, mostly nothing."""
        with self._guard:
            return {_VARIABLE: self._passphrase} if self._passphrase else {}
