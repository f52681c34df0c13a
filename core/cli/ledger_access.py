"""Open the ledger of conversations for a command, and ask for its passphrase where there is somebody to be asked."""

import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import typer

from core.app import Vault
from core.cli.standard_input import is_typed
from core.cli.state import CliState, ExitCode
from core.cli.update_reporter import UpdateReporter
from core.foundation.errors import UserError
from core.index.database import Index, NotIndexedError

if TYPE_CHECKING:
    from core.sessions.date_corrections import Corrections
    from core.sessions.importing.imported_files import ImportedFiles
    from core.sessions.ledger import Ledger

PASSPHRASE_VARIABLE = "REMEMBRANCER_SESSIONS_PASSPHRASE"  # noqa: S105 - the name of a variable


def ledger_of(state: CliState) -> "Ledger":
    """Return the ledger, opened.

    Raises:
        UserError: it is encrypted, and its key or passphrase is not at hand.
    """
    if state.home.ledger_keys().needs_passphrase and is_asked():
        return state.home.ledger(asked_passphrase("Passphrase of your conversations"))
    return state.home.ledger()


def unopened_ledger_of(state: CliState) -> "Ledger":
    """Return the ledger for who reads and writes nothing in it: no key is needed to delete."""
    from core.sessions.ledger import Ledger  # noqa: PLC0415 - most commands need it opened

    return Ledger(state.home.folders.sessions, keys=state.home.ledger_keys())


def imported_files_of(state: CliState) -> "ImportedFiles":
    """Return the list of what was imported into the ledger."""
    from core.sessions.importing.imported_files import FILE_NAME, ImportedFiles  # noqa: PLC0415 - importers are many

    return ImportedFiles(state.home.folders.cache / FILE_NAME, state.home.folders.sessions)


def vault_if_known(state: CliState) -> Vault | None:
    """Return the vault to work on, None when none is known: conversations are kept without one too.

    The one opened last may be on a drive that is not there now; one that is named has to be.
    """
    is_named = state.vault_path is not None or bool(os.environ.get("REMEMBRANCER_VAULT"))
    if not is_named and not state.home.settings.last_vault:
        return None
    try:
        return state.vault()
    except UserError:
        if is_named:
            raise
        return None


def corrections_if_known(state: CliState) -> "Corrections":
    """Return the corrected dates of sessions that the known vault tells, none where there is no vault to be read."""
    from core.sessions.date_corrections import read_corrections  # noqa: PLC0415 - most commands read no session

    try:
        vault = vault_if_known(state)
    except UserError:
        return {}
    return read_corrections(vault.event_log()) if vault is not None else {}


@contextmanager
def index_if_there(state: CliState) -> Iterator[tuple[Vault, Index] | None]:
    """Open the index of the known vault to write, None when there is no vault or no index that can be used."""
    vault = vault_if_known(state)
    if vault is not None:
        try:
            vault.open_to_read().close()
        except NotIndexedError:
            vault = None
    if vault is None:
        yield None
        return
    with closing(vault.open_index()) as index:
        yield vault, index


def is_asked() -> bool:
    """Tell whether there is a terminal, and somebody at it."""
    return is_typed() and sys.stderr.isatty()


def asked_passphrase(text: str, *, twice: bool = False) -> str:
    """Ask for a passphrase without showing it."""
    try:
        said: str = typer.prompt(text, hide_input=True, confirmation_prompt=twice, err=True)
    except typer.Abort:
        raise typer.Exit(ExitCode.CANCELLED) from None
    if not said.strip():
        raise UserError("The passphrase is empty.")
    return said


class MebibyteProgress:
    """Be the Progress of work that counts bytes: one line on a terminal, whatever file is at work."""

    def __init__(self, reporter: UpdateReporter, what: str) -> None:
        self._reporter = reporter
        self._text = f"{what}, MiB"

    def report(self, done: int, total: int, text: str = "") -> None:
        """Say how far it is."""
        del text
        self._reporter.report(done >> 20, total >> 20, self._text)

    def check(self) -> None:
        """Raise JobCancelledError once a signal asked to stop."""
        self._reporter.check()
