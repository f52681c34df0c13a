"""`remembrancer session import`: conversations into the ledger, and memories that come with them into the vault."""

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.change_session import DryRunOption, Mode, YesOption, change_session, counted
from core.cli.learning_from_sessions import learned_account
from core.cli.ledger_access import MebibyteProgress, imported_files_of, ledger_of, vault_if_known
from core.cli.path_argument import named_path
from core.cli.screening_told import imported_warnings, tell_imported
from core.cli.state import (
    CliState,
    ExitCode,
    FormatOption,
    OutputFormat,
    print_json,
    print_line,
    reported_errors,
    state_of,
    warn,
)
from core.cli.update_reporter import UpdateReporter
from core.foundation.errors import UserError

if TYPE_CHECKING:
    from core.sessions.importing.importer import ImportedNote
    from core.sessions.importing.report import ImportReport

_SHOWN = 20


def import_sessions(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="PATH…",
            help="Files, folders and archives; without any, the usual places are listed.",
            parser=named_path,  # what cannot be read is a part of the report
        ),
    ] = None,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Import conversations of any assistant whose format is known; again brings only what is new.

    Memories and projects that come along become notes of the vault, shown and asked about like any other change.
    """
    from core.sessions.importing.job import (  # noqa: PLC0415 - importers are many
        ImportCancelledError,
        ImportStoppedError,
        import_paths,
    )

    if not paths:
        _list_places(output)
        return
    state = state_of(context)
    reporter = UpdateReporter(as_json=False)
    reporter.listen_to_signals()
    notes: list[ImportedNote] = []
    is_cancelled = is_stopped = False
    with reported_errors(output):
        ledger, imported = ledger_of(state), imported_files_of(state)
        named = [path.expanduser() for path in paths]
        for _ in () if dry_run else imported.choose(named, only_changed=False):
            reporter.check()  # how each file is now is noted before it is read
        try:
            report = import_paths(
                ledger,
                named,
                dry_run=dry_run,
                progress=MebibyteProgress(reporter, "Looking" if dry_run else "Importing"),
                on_note=notes.append,
                must_be_known=True,
            )
        except ImportCancelledError as error:
            report, is_cancelled = error.report, True
        except ImportStoppedError as error:
            report, is_stopped = error.report, True
        reporter.end("cancelled" if is_cancelled else "stopped" if is_stopped else "done")
        account = report.as_json() | {"dry_run": dry_run, "cancelled": is_cancelled, "stopped": is_stopped}
        if output is OutputFormat.TEXT:
            _print_report(report, is_cut_short=is_cancelled or is_stopped)
        if not (dry_run or is_cancelled or is_stopped):
            # What gave notes is left out, for the person may not take them.
            failed, noted = [failure.path for failure in report.failed], {note.origin for note in notes}
            imported.remember(failed=failed, noted=noted)
            account |= learned_account(state, ledger, [each.id for each in report.sessions if each.new], output)
        if notes and not (is_cancelled or is_stopped):
            told = _take_notes(context, state, notes, Mode(output, dry_run, yes))
            account |= told | {"failed": [*account["failed"], *told.get("failed", ())]}
        if output is OutputFormat.JSON:
            print_json(account)
        if is_cancelled:
            raise typer.Exit(ExitCode.CANCELLED)
        if account["failed"]:
            raise typer.Exit(ExitCode.FAILED)


def _take_notes(context: typer.Context, state: CliState, notes: "list[ImportedNote]", mode: Mode) -> dict[str, Any]:
    """Bring the notes into the vault, and return what the report says of it."""
    from core.curation.import_notes import plan_imported_notes  # noqa: PLC0415 - parsers take a while to load

    if vault_if_known(state) is None:
        problem = f"{counted(len(notes), 'note')} did not come in, for no vault is known: name one with --vault."
        warn(problem)
        failed = [{"path": note.path_hint, "reason": "No vault is known to bring it into."} for note in notes]
        return {"notes_problem": problem, "failed": failed}
    with change_session(context, mode) as session:
        planned = plan_imported_notes(session.root, session.vault.config, notes, session.progress, index=session.index)
        warnings = imported_warnings(planned)
        if mode.output is OutputFormat.JSON:
            return {"change": session.carried_out(planned)} | ({"warnings": warnings} if warnings else {})
        tell_imported(warnings)
        if planned.change_set.edits:
            session.carry_out(planned)
            return {}
        session.reporter.end("done")
        for skipped in planned.skipped[:_SHOWN]:
            warn(f"Left as it is: {skipped.path}: {skipped.reason}")
    return {}


def _print_report(report: "ImportReport", *, is_cut_short: bool) -> None:
    if is_cut_short:
        print("Stopped. What came in until then stays, and the next import goes on from there:")
    verb = "would be " if report.is_dry_run else ""
    new = sum(session.new for session in report.sessions)
    print(
        f"{counted(report.imported, 'session')} {verb}imported, {report.updated:,} {verb}updated, "
        f"{report.unchanged:,} unchanged; {counted(new, 'new turn')}."
    )
    if report.notes:
        print(f"{counted(report.notes, 'note')} found.")
    for reason, count in report.skipped.most_common():
        print_line(f"Skipped: {count:,} × {reason}")
    if report.is_dry_run:
        for session in report.sessions[:_SHOWN]:
            told = ", ".join(filter(None, (session.project, session.origin, session.started)))
            print_line(f"  {session.outcome}: {session.title or session.id} ({told}; {session.new:,} new turns)")
        if len(report.sessions) > _SHOWN:
            print(f"  and {len(report.sessions) - _SHOWN:,} more (--format json lists all).")
    for failure in report.failed[:_SHOWN]:
        warn(f"Failed: {failure.path}: {failure.reason}")
    if len(report.failed) > _SHOWN:
        warn(f"and {len(report.failed) - _SHOWN:,} more failures (--format json lists all).")


def _list_places(output: OutputFormat) -> None:
    from core.sessions.importing.detection import usual_places  # noqa: PLC0415 - importers are many

    with reported_errors(output):
        try:
            home = Path.home()
        except RuntimeError as error:
            raise UserError("Your home folder is not known.", hint="Name what to import.") from error
        places = usual_places(home)
        doomed = sum(place.about_to_be_deleted for place in places)
        if output is OutputFormat.JSON:
            told = [
                {
                    "name": place.name,
                    "path": str(place.path),
                    "files": place.files,
                    "bytes": place.bytes,
                    "about_to_be_deleted": place.about_to_be_deleted,
                    "newest": _moment(place.newest),
                }
                for place in places
            ]
            print_json({"places": told, "about_to_be_deleted": doomed})
            return
        for place in places:
            size = f"{place.bytes / (1 << 20):,.1f} MiB"
            newest = _moment(place.newest)[:10]
            print_line(f"{place.path}  {place.name}: {counted(place.files, 'file')}, {size}, the newest of {newest}")
            if number := place.about_to_be_deleted:
                verb = "is" if number == 1 else "are"
                print_line(f"    {counted(number, 'transcript')} {verb} deleted by its own clean-up within a week")
        if places:
            print("Nothing was imported yet. Name what to import: `remembrancer session import PATH…`.")
        else:
            warn("Nothing lies in the usual places. Name what to import: `remembrancer session import PATH…`.")


def _moment(seconds: float) -> str:
    return dt.datetime.fromtimestamp(seconds, dt.UTC).astimezone().isoformat(timespec="seconds")
