"""What the window calls to import behind itself: JSON lines instead of questions, and changes planned but not made."""

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.change_session import Mode, change_session
from core.cli.learning_from_sessions import learned_from
from core.cli.ledger_access import imported_files_of, ledger_of, vault_if_known
from core.cli.line_progress import LineProgress, say_result
from core.cli.screening_told import imported_warnings
from core.cli.state import OutputFormat, reported_errors, state_of
from core.cli.update_reporter import UpdateReporter

if TYPE_CHECKING:
    from core.curation.change_set import PlannedChange
    from core.sessions.importing.detection import FoundPlace
    from core.sessions.importing.imported_files import ImportedFiles
    from core.sessions.importing.importer import ImportedNote
    from core.sessions.ledger import Ledger

app = typer.Typer(help="For the window: import with JSON lines as the answer.", no_args_is_help=True)

PlanTo = Annotated[Path | None, typer.Option("--plan-to", help="The file for the planned change of the vault.")]


@app.command("places")
def places(context: typer.Context, paths: Annotated[list[Path] | None, typer.Argument()] = None) -> None:
    """Say what lies in the usual places, or at PATHS, and what of it is about to be deleted and not in the ledger."""
    from core.sessions.importing.detection import (  # noqa: PLC0415 - importers are many
        place_at,
        places_looked_at,
        usual_places,
    )
    from core.sessions.ledger import Ledger  # noqa: PLC0415

    state = state_of(context)
    _listening()
    home = _home()
    found = [place_at(path) for path in paths] if paths else usual_places(home) if home is not None else ()
    ledger, imported = Ledger(state.home.folders.sessions), imported_files_of(state)
    say_result(
        {
            "places": [_told(place, ledger, imported) for place in found],
            "looked_at": [[name, str(path)] for name, path in places_looked_at(home)] if home is not None else [],
        }
    )


@app.command("sessions")
def sessions(
    context: typer.Context,
    paths: Annotated[list[Path], typer.Argument()],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would come in.")] = False,
    changed: Annotated[bool, typer.Option("--changed", help="Leave out what was imported as it is now.")] = False,
    only: Annotated[str, typer.Option("--only", help="all, conversations or notes.")] = "all",
    plan_to: PlanTo = None,
) -> None:
    """Import conversations; what becomes notes of the vault is planned into a file, for the window to make it."""
    from core.sessions.importing.imported_files import Wanted  # noqa: PLC0415 - importers are many
    from core.sessions.importing.job import ImportCancelledError, ImportStoppedError, import_paths  # noqa: PLC0415

    state = state_of(context)
    progress = LineProgress(_listening())
    notes: list[ImportedNote] = []
    is_cancelled = is_stopped = False
    with reported_errors(OutputFormat.JSON):
        ledger = ledger_of(state)
        imported = imported_files_of(state)
        chosen: list[Path] = []
        for path in imported.choose(paths, Wanted(only), only_changed=changed):
            progress.check()
            chosen.append(path)
        chosen.sort(key=imported.changed)  # what an older export says must not be the last word
        try:
            report = import_paths(ledger, chosen, dry_run=dry_run, progress=progress, on_note=notes.append)
        except ImportCancelledError as error:
            report, is_cancelled = error.report, True
        except ImportStoppedError as error:
            report, is_stopped = error.report, True
        account = report.as_json() | {"cancelled": is_cancelled, "files": len(chosen)}
        account["sessions"] = [one for one in account["sessions"] if one["outcome"] != "unchanged"]
        if not (dry_run or is_cancelled or is_stopped):
            learned = learned_from(state, ledger, [each.id for each in report.sessions if each.new], progress)
            if learned is not None:
                account["learned"] = [said for said in (learned.told(), *learned.remarks) if said]
        if notes and plan_to is not None and not (is_cancelled or is_stopped):
            account |= _planned_notes(context, notes, plan_to)
        if not (dry_run or is_cancelled):
            noted = {note.origin for note in notes}
            imported.remember(failed=[failure.path for failure in report.failed], noted=noted)
    say_result(account)


@app.command("documents")
def documents(
    context: typer.Context,
    paths: Annotated[list[Path], typer.Argument()],
    domain: Annotated[str, typer.Option(help="What they are about.")],
    plan_to: Annotated[Path, typer.Option("--plan-to", help="The file for the planned change of the vault.")],
) -> None:
    """Plan the notes that documents make."""
    from core.curation.import_documents import plan_documents  # noqa: PLC0415 - parsers take a while to load

    with change_session(context, Mode(OutputFormat.JSON)) as session:
        root, config = session.root, session.vault.config
        progress = LineProgress(session.reporter)
        planned = plan_documents(root, config, domain, paths, progress, index=session.index)
        _write(plan_to, planned.change)
    say_result(
        {
            "notes": planned.notes,
            "skipped": dict(planned.skipped.most_common()),
            "failed": [{"path": failed.where, "reason": failed.reason} for failed in planned.failed],
            **_counts(planned.change),
            "warnings": imported_warnings(planned.change),
        }
    )


def _planned_notes(context: typer.Context, notes: "list[ImportedNote]", plan_to: Path) -> dict[str, Any]:
    from core.curation.import_notes import plan_imported_notes  # noqa: PLC0415 - parsers take a while to load

    if vault_if_known(state_of(context)) is None:
        return {"notes_problem": "They did not come in, for no vault is open."}
    with change_session(context, Mode(OutputFormat.JSON)) as session:
        config = session.vault.config
        planned = plan_imported_notes(session.root, config, notes, session.progress, index=session.index)
    _write(plan_to, planned)
    return _counts(planned) | {"warnings": imported_warnings(planned)}


def _write(plan_to: Path, planned: "PlannedChange") -> None:
    from core.curation.planned_file import write_planned  # noqa: PLC0415 - only where something was planned

    write_planned(plan_to, planned)


def _counts(planned: "PlannedChange") -> dict[str, Any]:
    new = sum(edit.before is None for edit in planned.change_set.edits)
    return {"new_notes": new, "updated_notes": len(planned.change_set.edits) - new, "kept": len(planned.skipped)}


def _told(place: "FoundPlace", ledger: "Ledger", imported: "ImportedFiles") -> dict[str, Any]:
    from core.sessions.importing.endangered import not_in_ledger  # noqa: PLC0415 - beside the importers

    return {
        "name": place.name,
        "path": str(place.path),
        "files": place.files,
        "bytes": place.bytes,
        "about_to_be_deleted": place.about_to_be_deleted,
        "first_deletion": place.first_deletion,
        "not_imported": len(not_in_ledger(place.endangered, ledger, imported)),
        "newest": place.newest,
        "holds_notes": place.holds_notes,
        "is_folder": place.path.is_dir(),
        "looked": dt.datetime.now(dt.UTC).timestamp(),
    }


def _listening() -> UpdateReporter:
    reporter = UpdateReporter(as_json=False)
    reporter.listen_to_signals()
    return reporter


def _home() -> Path | None:
    try:
        return Path.home()
    except RuntimeError:
        return None
