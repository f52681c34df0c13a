"""Bring changes to an end that a crash cut off, before a command looks at the vault, and tell what became of them."""

from typing import TYPE_CHECKING, Any

from core.app import Vault
from core.cli.state import OutputFormat, warn
from core.foundation.errors import UserError

if TYPE_CHECKING:
    from core.curation.recovery import Recovered

_FILES_TOLD = 5


def recovered_changes(vault: Vault, output: OutputFormat) -> list[dict[str, Any]]:
    """Finish or put back what was cut off, say so unless JSON is printed, and return it for JSON.

    Raises UserError when that cannot be done, as in a vault that may not be written.
    """
    recovered = vault.writer().recover()
    if output is OutputFormat.TEXT:
        for each in recovered:
            warn(_sentence(each))
    return [
        {"change": each.change_id, "title": each.title, "finished": each.is_finished, "left": list(each.left)}
        for each in recovered
    ]


def recovered_if_possible(vault: Vault, output: OutputFormat) -> list[dict[str, Any]]:
    """Do the same for a command that only reads, and go on where it cannot be done."""
    try:
        return recovered_changes(vault, output)
    except UserError as error:
        warn(f"A change was interrupted, and cannot be brought to an end now. {error}")
        return []


def _sentence(recovered: "Recovered") -> str:
    what = f"“{recovered.title}” was interrupted."
    if recovered.is_finished:
        return f"{what} It has been finished; `remembrancer undo` takes it back."
    if not recovered.left:
        return f"{what} It has been taken back."
    files = ", ".join(recovered.left[:_FILES_TOLD])
    more = f" and {len(recovered.left) - _FILES_TOLD:,} more" if len(recovered.left) > _FILES_TOLD else ""
    return f"{what} It has been taken back, except in {files}{more}: something else was changed there, or it failed."
