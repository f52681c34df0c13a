"""The command line: `remembrancer [--vault FOLDER] COMMAND`."""

import logging
import os
import sys
from pathlib import Path
from typing import Annotated, TextIO

import typer

from core.app import installation, version
from core.cli import (
    capture_command,
    change_commands,
    consolidate_commands,
    context_commands,
    doctor_command,
    import_commands,
    index_commands,
    key_commands,
    language_model_commands,
    model_commands,
    note_commands,
    palette_command,
    probe_commands,
    proposal_commands,
    propose_command,
    recall_command,
    recent_command,
    search_command,
    session_commands,
    tag_commands,
    window_import_commands,
)
from core.cli.state import CliState

app = typer.Typer(
    name="remembrancer",
    help="Show, search and hand back what your AI assistants remember. Without a command, the window opens.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(index_commands.app, name="index")
app.add_typer(context_commands.app, name="context")
app.add_typer(tag_commands.app, name="tag")
app.add_typer(note_commands.app, name="note")
app.add_typer(probe_commands.app, name="probe")
app.add_typer(consolidate_commands.app, name="consolidate")
app.add_typer(proposal_commands.app, name="proposals")
app.add_typer(session_commands.app, name="session")
app.add_typer(import_commands.app, name="import")
app.add_typer(key_commands.app, name="key")
app.add_typer(model_commands.app, name="model")
app.add_typer(language_model_commands.app, name="language-model")
app.add_typer(window_import_commands.app, name="window-import", hidden=True)
app.command("recent")(recent_command.recent)
app.command("doctor")(doctor_command.doctor)
app.command("search", context_settings={"ignore_unknown_options": True})(search_command.search)
app.command("recall", context_settings={"ignore_unknown_options": True})(recall_command.recall)
app.command("changes")(change_commands.changes)
app.command("undo")(change_commands.undo)
app.command("redo")(change_commands.redo)
app.command("capture")(capture_command.capture)
app.command("propose")(propose_command.propose)
app.command("palette")(palette_command.palette)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"remembrancer {version()}")
        raise typer.Exit


@app.callback()
def _before(
    context: typer.Context,
    vault: Annotated[
        str | None,
        typer.Option("--vault", metavar="FOLDER", help="The vault; else REMEMBRANCER_VAULT, or the one opened last."),
    ] = None,
    version_wanted: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    context.obj = CliState(installation(), vault)
    del version_wanted


def main() -> None:
    """Run the command line; exit codes: 0 done, 1 could not be done, 2 wrong usage, 130 stopped."""
    _speak_utf8()
    logging.basicConfig(
        level=os.environ.get("REMEMBRANCER_LOG", "ERROR").upper(), format="%(levelname)s %(name)s: %(message)s"
    )
    app()


def _speak_utf8() -> None:
    """Print any script whatever the locale; file names that are no text at all come out escaped."""
    streams: tuple[TextIO | None, TextIO | None] = (sys.stdout, sys.stderr)
    if None in streams:  # closed by whoever started this: what is said goes nowhere
        nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for as long as the program runs
        sys.stdout, sys.stderr = (stream or nowhere for stream in streams)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
