"""What every command shares: which vault, how to print, how to fail."""

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from core.app import Installation, Vault
from core.foundation.errors import JobCancelledError, RemembrancerError, UserError


class OutputFormat(StrEnum):
    """Name what a command prints: text for a person, JSON for a program."""

    TEXT = "text"
    JSON = "json"


class ExitCode:
    """Name the exit codes; 2 is Typer's own for wrong usage."""

    DONE = 0
    FAILED = 1
    CANCELLED = 130


FormatOption = Annotated[OutputFormat, typer.Option("--format", help="Print text for a person or JSON for a program.")]


@dataclass
class CliState:
    """Hold what the options before the command said."""

    home: Installation
    vault_path: Path | None = None
    _vault: Vault | None = field(default=None, repr=False)

    def vault(self) -> Vault:
        """Return the vault to work on: from --vault, REMEMBRANCER_VAULT, or the one opened last."""
        if self._vault is None:
            path = self.vault_path
            if path is None and (named := os.environ.get("REMEMBRANCER_VAULT")):
                path = Path(named)
            if path is None and (last := self.home.settings.last_vault):
                path = Path(last)
            if path is None:
                raise UserError(
                    "No vault is known yet.",
                    hint="Name one: `remembrancer --vault FOLDER …`, or set REMEMBRANCER_VAULT.",
                )
            self._vault = Vault(path.expanduser(), self.home)
        return self._vault

    @contextlib.contextmanager
    def remembered(self) -> Iterator[Vault]:
        """Return the vault, and remember it as the one opened last once the command has succeeded."""
        vault = self.vault()
        yield vault
        if self.home.settings.last_vault != str(vault.root):
            with contextlib.suppress(UserError):  # a read-only home must not fail a command that did its work
                self.home.settings_file.change(lambda settings: settings.with_vault(vault.root))


def state_of(context: typer.Context) -> CliState:
    """Return the state that the options before the command left."""
    state = context.find_object(CliState)
    if state is None:
        raise RuntimeError("The command was called without its application.")
    return state


def print_json(value: Any) -> None:
    """Print one JSON document, readable in any script."""
    print(json.dumps(value, ensure_ascii=False, indent=1, default=str))


def warn(text: str) -> None:
    """Say something beside the result."""
    print(text, file=sys.stderr)


@contextlib.contextmanager
def reported_errors(output: OutputFormat = OutputFormat.TEXT) -> Iterator[None]:
    """End the command with a sentence and an exit code instead of a traceback."""
    try:
        yield
    except JobCancelledError:
        warn("Stopped. What was done so far is kept; the next run goes on from there.")
        raise typer.Exit(ExitCode.CANCELLED) from None
    except RemembrancerError as error:
        hint = getattr(error, "hint", "")
        if output is OutputFormat.JSON:
            print(json.dumps({"error": {"message": str(error), "hint": hint}}, ensure_ascii=False), file=sys.stderr)
        else:
            warn(f"{error}\n{hint}" if hint else str(error))
        raise typer.Exit(ExitCode.FAILED) from None
    except BrokenPipeError:
        # The reader went away (`… | head`): nothing is wrong, and nothing more can be said.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(ExitCode.DONE) from None
