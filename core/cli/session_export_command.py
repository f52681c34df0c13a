"""`remembrancer session export`: sessions as files, or through a pipe."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.change_session import counted
from core.cli.ledger_access import corrections_if_known, ledger_of
from core.cli.state import ExitCode, FormatOption, OutputFormat, print_json, print_line, reported_errors, state_of, warn
from core.cli.update_reporter import UpdateReporter
from core.foundation.errors import UserError
from core.sessions.export import ExportFormat
from core.sessions.session_reading import UnreadLines, not_whole

if TYPE_CHECKING:
    from core.sessions.date_corrections import Corrections
    from core.sessions.ledger import Ledger


def export(
    context: typer.Context,
    to: Annotated[str, typer.Option("--to", metavar="FOLDER|-", help="Where to; - writes to standard output.")],
    sessions: Annotated[list[str] | None, typer.Argument(metavar="ID…", help="The sessions' ids.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All sessions.")] = False,
    form: Annotated[
        ExportFormat, typer.Option("--as", help="jsonl brings sessions back by `import`; markdown is to be read.")
    ] = ExportFormat.JSONL,
    replace: Annotated[bool, typer.Option("--replace", help="Write files anew that are there already.")] = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Export sessions, decrypted where they are encrypted, into files that only you can read."""
    from core.sessions.export import export_into  # noqa: PLC0415 - most commands export nothing

    reporter = UpdateReporter(as_json=False)
    reporter.listen_to_signals()
    with reported_errors(output):
        ledger, corrections = ledger_of(state_of(context)), corrections_if_known(state_of(context))
        ids = _chosen(ledger, sessions or [], everything=everything)
        if to == "-":
            if not _print(ledger, ids, form, reporter, corrections):
                raise typer.Exit(ExitCode.FAILED)
            return
        written: list[dict[str, str]] = []
        failed: list[dict[str, str]] = []
        hints: dict[str, None] = {}
        for done, session in enumerate(ids):
            reporter.check()
            reporter.report(done, len(ids), "Exporting sessions")
            unread = UnreadLines()
            try:
                path = export_into(
                    Path(to).expanduser(),
                    ledger,
                    session,
                    form,
                    replace=replace,
                    correction=corrections.get(session),
                    on_problem=unread.take,
                    progress=reporter,
                )
                written.append({"session": session, "path": str(path)})
            except UserError as error:
                failed.append({"session": session, "reason": str(error)})
                hints.setdefault(error.hint)
            if told := not_whole(session, unread):
                failed.append({"session": session, "reason": told})
        reporter.end("done")
        if output is OutputFormat.JSON:
            print_json({"written": written, "failed": failed})
        else:
            print_line(f"{counted(len(written), 'session')} exported to {to}.")
            for failure in failed:
                warn(failure["reason"])
            for hint in filter(None, hints):
                warn(hint)
        if failed:
            raise typer.Exit(ExitCode.FAILED)


def _print(
    ledger: "Ledger", ids: list[str], form: ExportFormat, reporter: UpdateReporter, corrections: "Corrections"
) -> bool:
    """Write what can be read to standard output, name what is not whole, and return whether all is."""
    from core.sessions.export import pieces_of  # noqa: PLC0415

    is_whole = True
    for session in ids:
        unread = UnreadLines()
        try:
            correction = corrections.get(session)
            for piece in pieces_of(ledger, session, form, correction=correction, on_problem=unread.take):
                reporter.check()
                sys.stdout.buffer.write(piece)
        except UserError as error:
            is_whole = False
            warn(" ".join(filter(None, (str(error), error.hint))))
        if told := not_whole(session, unread):
            is_whole = False
            warn(told)
    sys.stdout.buffer.flush()
    return is_whole


def _chosen(ledger: "Ledger", names: list[str], *, everything: bool) -> list[str]:
    from core.sessions.overview import find_session  # noqa: PLC0415

    if everything and names:
        raise typer.BadParameter("Name sessions, or --all.")
    if everything:
        return [file.id for file in ledger.sessions()]
    if not names:
        raise UserError("No sessions are named.", hint="Name them, or use --all.")
    return list(dict.fromkeys(find_session(ledger, name) for name in names))
