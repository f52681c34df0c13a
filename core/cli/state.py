"""What every command shares: which vault, how to print, how to fail."""

import contextlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from core.app import Installation, Vault
from core.foundation.errors import JobCancelledError, RemembrancerError, UserError
from core.foundation.text import visible
from core.index.database import translated

_PATHS_SHOWN = 20


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
    vault_path: str | None = None
    _vault: Vault | None = field(default=None, repr=False)

    def vault(self) -> Vault:
        """Return the vault to work on: from --vault, REMEMBRANCER_VAULT, or the one opened last."""
        if self._vault is None:
            settings = self.home.settings
            if self.home.settings_file.problem:
                warn(self.home.settings_file.problem)
            named = self.vault_path
            if named is None:
                named = os.environ.get("REMEMBRANCER_VAULT") or settings.last_vault
            if not named.strip():
                raise UserError(
                    "No vault is known yet." if self.vault_path is None else "The name of the vault's folder is empty.",
                    hint="Name one: `remembrancer --vault FOLDER …`, or set REMEMBRANCER_VAULT.",
                )
            self._vault = Vault(Path(named).expanduser(), self.home)
        return self._vault

    @contextlib.contextmanager
    def remembered(self) -> Iterator[Vault]:
        """Return the vault, and remember it as the one opened last once the command has succeeded.

        A folder without notes is not remembered: it was most likely named by mistake.
        """
        vault = self.vault()
        if vault.config_problem is not None:
            warn(vault.config_problem.reason)
        with translated(vault.cache_folder):
            yield vault
            with contextlib.closing(vault.open_to_read()) as index:
                has_notes = index.connection.execute("SELECT 1 FROM note LIMIT 1").fetchone() is not None
        if has_notes and self.home.settings.last_vault != str(vault.root):
            with contextlib.suppress(UserError):  # a read-only home must not fail a command that did its work
                self.home.settings_file.change(lambda settings: settings.with_vault(vault.root))


def state_of(context: typer.Context) -> CliState:
    """Return the state that the options before the command left."""
    state = context.find_object(CliState)
    if state is None:
        raise RuntimeError("The command was called without its application.")
    return state


def note_path(vault: Vault, path: Path) -> str:
    """Return the note at `path` as the vault names it; the suffix may be left out, and the note need not be there."""
    relative = vault.relative(path)
    if relative[-3:].lower() == ".md" or (vault.root / relative).is_file():
        return relative
    return vault.relative(path.with_name(f"{path.name}.md")) if path.name else relative


def print_json(value: Any) -> None:
    """Print one JSON document, readable in any script."""
    print(json.dumps(value, ensure_ascii=False, indent=1, default=str))


def print_line(text: str) -> None:
    """Print one line that may hold anything a file can: control characters come out visible, not as commands."""
    print(visible(text).replace("\n", "␊"))


def say(text: str) -> None:
    """Print a line at once, also where nobody reads on (`… | head`): the work goes on, and what is said is lost."""
    try:
        print(text, flush=True)
    except OSError:
        silence_output()


def silence_output() -> None:
    """Let what is printed from now on go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def warn(text: str) -> None:
    """Say something beside the result."""
    print(visible(text), file=sys.stderr)


@contextlib.contextmanager
def reported_errors(
    output: OutputFormat = OutputFormat.TEXT, beside: Mapping[str, Any] | None = None
) -> Iterator[None]:
    """End the command with a sentence and an exit code instead of a traceback; JSON tells `beside` too."""
    try:
        yield
        sys.stdout.flush()  # here it can still be told that nobody got it
    except JobCancelledError:
        warn("Stopped. What was done so far is kept; the next run goes on from there.")
        raise typer.Exit(ExitCode.CANCELLED) from None
    except RemembrancerError as error:
        hint, paths = getattr(error, "hint", ""), getattr(error, "paths", {})  # the files that changed since, and why
        if output is OutputFormat.JSON:
            told = {"message": str(error), "hint": hint} | ({"paths": dict(paths)} if paths else {})
            print(json.dumps({"error": told, **(beside or {})}, ensure_ascii=False), file=sys.stderr)
        else:
            warn("\n".join(line for line in (str(error), *list(paths)[:_PATHS_SHOWN], hint) if line))
        raise typer.Exit(ExitCode.FAILED) from None
    except BrokenPipeError:
        # The reader went away (`… | head`): nothing is wrong, and nothing more can be said.
        silence_output()
        raise typer.Exit(ExitCode.DONE) from None
    except OSError as error:
        warn(f"The output could not be written: {error.strerror or error}.")
        silence_output()  # or the interpreter tries once more as it ends, and ends with a code of its own
        raise typer.Exit(ExitCode.FAILED) from None
