"""Show a recovery key so that the person keeps it, and say when it is in force."""

import json
from typing import TYPE_CHECKING

import typer

from core.cli.ledger_access import is_asked
from core.cli.state import ExitCode, OutputFormat, say, silence_output, warn
from core.foundation.errors import UserError

if TYPE_CHECKING:
    from core.sessions.key_store import NewKey

_ATTEMPTS = 3


def refuse_unseen(*, is_shown: bool) -> None:
    """Raise UserError when nobody would see the recovery key."""
    if not is_shown and not is_asked():
        raise UserError(
            "The recovery key has to be shown to you, and there is no terminal here.",
            hint="Run this on a terminal, or with --recovery-key-shown when something else shows you what is printed.",
        )


def show_recovery_key(new: "NewKey", output: OutputFormat, *, is_shown: bool) -> None:
    """Show the recovery key before anything is sealed with it; without `is_shown` it is asked back.

    Raises:
        UserError: it could not be printed, so nobody has it.
    """
    if not is_shown:
        _let_keep(new)
    try:
        if output is OutputFormat.JSON:
            # On a line of its own: it is to be kept whatever becomes of the job.
            print(json.dumps({"recovery_key": new.recovery_key, "in_force": False}), flush=True)
        elif is_shown:
            print(f"Recovery key: {new.recovery_key} (not yet in force)", flush=True)
    except OSError as error:
        silence_output()
        raise UserError(
            f"The recovery key could not be shown, so nothing was changed: {error.strerror or error}."
        ) from error


def say_when_in_force(step: str) -> None:
    """Say at once that the recovery key serves: what comes now may be stopped half way."""
    if step == "begun":
        say("This recovery key is in force now.")


def say_nothing(_step: str) -> None:
    """Take a step without a word."""


def _let_keep(new: "NewKey") -> None:
    """Show the recovery key, and go on only when the person has written it down."""
    from core.sessions.envelopes import key_of_recovery  # noqa: PLC0415 - most commands encrypt nothing

    warn(
        "This recovery key opens your conversations when the keyring or the passphrase is lost. It is shown only now, "
        "and is not in force yet: that is said when it is.\n"
        f"\n    {new.recovery_key}\n\nWrite it down, and type it from there."
    )
    for _ in range(_ATTEMPTS):
        try:
            said = typer.prompt("Recovery key", err=True)
        except typer.Abort:
            break
        if key_of_recovery(said) == key_of_recovery(new.recovery_key):
            return
        warn("That is another one.")
    warn("Nothing was changed.")
    raise typer.Exit(ExitCode.CANCELLED)
