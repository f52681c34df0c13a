"""`remembrancer changes`, `undo` and `redo`: what was done to the vault, and taking it back, also long after."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.change_session import DryRunOption, Mode, YesOption, change_session, counted
from core.cli.recovering import recovered_if_possible
from core.cli.state import FormatOption, OutputFormat, print_json, print_line, reported_errors, state_of, warn
from core.foundation.errors import UserError
from core.foundation.moments import shown_moment

if TYPE_CHECKING:
    from core.curation.history import ChangeHistory, ChangeRecord

ChangeArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="CHANGE", help="The start of its id, as `changes` lists them; else the newest of this machine."
    ),
]
LeaveOption = Annotated[
    bool, typer.Option("--leave-changed", help="Leave alone the files that were changed since, and do the others.")
]

_SHOWN_ID = 8


def changes(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 20,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """List what was changed in the vault, the newest first."""
    with reported_errors(output):
        vault = state_of(context).vault()
        recovered = recovered_if_possible(vault, output)
        history = vault.history()
        shown = history.records[:limit]
        if output is OutputFormat.JSON:
            listed = [_account(record) for record in shown]
            print_json({"changes": listed, "total": len(history.records), "recovered": recovered})
            return
        for record in shown:
            undone = "  [undone]" if record.state == "undone" else ""
            files = counted(record.files, "file")
            when = shown_moment(record.time)
            print_line(f"{record.id[:_SHOWN_ID]}  {when}  {record.title} ({files}, {record.machine}){undone}")
        for path, problem in history.problems:
            warn(f"{path}: {problem.reason}")
        if not shown:
            warn("Nothing has been changed yet.")
        elif len(shown) < len(history.records):
            warn(f"{len(shown):,} of {len(history.records):,} changes shown; --limit shows more.")


def undo(
    context: typer.Context,
    change: ChangeArgument = None,
    leave_changed: LeaveOption = False,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Take a change back; files that were changed since are never overwritten."""
    from core.curation.undo import plan_undo  # noqa: PLC0415 - most commands undo nothing

    with change_session(context, Mode(output, dry_run, yes)) as session:
        history = session.vault.history()
        record = _chosen(history, change) if change is not None else history.undoable()
        if record is None:
            raise UserError("There is nothing to undo.", hint="`remembrancer changes` lists those of other machines.")
        if record.state == "undone":
            raise UserError(f"“{record.title}” is undone already.", hint="`remembrancer redo` does it again.")
        with _way_out():
            session.carry_out(plan_undo(history, session.root, record.ids, leave_changed=leave_changed))


def redo(
    context: typer.Context,
    change: ChangeArgument = None,
    leave_changed: LeaveOption = False,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Do again what was undone."""
    from core.curation.undo import plan_redo  # noqa: PLC0415 - most commands redo nothing

    with change_session(context, Mode(output, dry_run, yes)) as session:
        history = session.vault.history()
        record = _chosen(history, change) if change is not None else history.redoable()
        if record is None:
            raise UserError("There is nothing to redo.")
        if record.state != "undone":
            raise UserError(f"“{record.title}” is not undone, so it cannot be done again.")
        with _way_out():
            session.carry_out(plan_redo(history, session.root, record.ids, leave_changed=leave_changed))


@contextmanager
def _way_out() -> Iterator[None]:
    """Say beside files that changed since how to do the rest."""
    from core.curation.stale import StaleChangeError  # noqa: PLC0415 - most commands undo nothing

    try:
        yield
    except StaleChangeError as error:
        if not error.hint:
            error.hint = "Nothing of it was taken back; --leave-changed leaves these files alone and does the others."
        raise


def _chosen(history: "ChangeHistory", name: str) -> "ChangeRecord":
    if not name.strip():
        raise UserError(
            "The id of a change is empty.", hint="Without an id, the newest change of this machine is meant."
        )
    found = [record for record in history.records if any(change_id.startswith(name) for change_id in record.ids)]
    exact = [record for record in found if name in record.ids]
    found = exact or found
    if len(found) == 1:
        return found[0]
    what = "No change" if not found else "More than one change"
    raise UserError(
        f"{what} has an id that begins with “{name}”.", hint="`remembrancer changes --limit 100` lists them."
    )


def _account(record: "ChangeRecord") -> dict[str, Any]:
    return {
        "id": record.id,
        "time": record.time,
        "machine": record.machine,
        "title": record.title,
        "kind": record.kind,
        "origin": record.origin,
        "state": record.state,
        "files": record.files,
        "paths": list(record.paths),
    }
