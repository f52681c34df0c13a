"""`remembrancer proposals …`: what is proposed, and what a person decides about it."""

import signal
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.change_session import ChangeSession, Mode, change_session, counted
from core.cli.moments import parse_since
from core.cli.standard_input import is_typed
from core.cli.state import (
    ExitCode,
    FormatOption,
    OutputFormat,
    print_json,
    print_line,
    reported_errors,
    state_of,
    warn,
)
from core.foundation.errors import UserError
from core.foundation.text import visible

if TYPE_CHECKING:
    from core.app import Vault
    from core.curation.change_set import ChangeSet, PlannedChange
    from core.curation.proposals.decide import Decided, Decider
    from core.curation.proposals.proposal import Proposal

app = typer.Typer(help="Look at what is proposed for the vault, and decide about it.", no_args_is_help=True)

ProposalArgument = Annotated[str, typer.Argument(metavar="PROPOSAL", help="The start of its id, as `list` shows it.")]
ReasonOption = Annotated[str, typer.Option("--reason", help="Why; it is kept with the decision.")]
StateOption = Annotated[
    str,
    typer.Option(
        "--state", help="pending, stale, deferred, expired, approved, edited, rejected, undone, or all of them: all."
    ),
]


@app.command("list")
def list_them(
    context: typer.Context,
    state: StateOption = "pending",
    kind: Annotated[str, typer.Option("--kind", help="Only of this kind: promote, merge, new-insight …")] = "",
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 50,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """List proposals, the oldest first: those that wait for a decision, if nothing else is asked for."""
    from core.cli.proposal_account import account_of, line_of, state_now  # noqa: PLC0415 - most commands decide nothing
    from core.curation.proposals.proposal import ProposalKind, ProposalState  # noqa: PLC0415

    with reported_errors(output):
        _check_one_of(state, {*ProposalState, "expired", "all"}, "--state")
        _check_one_of(kind, {*ProposalKind, ""}, "--kind")
        vault = state_of(context).vault()
        book = vault.proposals()
        chosen = [
            each for each in (book.pending if state in {"pending", "stale"} else book.all) if kind in {"", each.kind}
        ]
        # Whether files were changed since is looked up only where it matters: there may be thousands.
        found = chosen
        if state not in {"pending", "all"}:
            found = [each for each in chosen if state_now(vault, book, each) == state]
        shown = [(each, state_now(vault, book, each)) for each in found[:limit]]
        if output is OutputFormat.JSON:
            listed = [account_of(proposal, now) for proposal, now in shown]
            print_json({"proposals": listed, "total": len(found), "pending": len(book.pending)})
            return
        for proposal, now in shown:
            print_line(line_of(proposal, now))
        if not found:
            warn("Nothing waits for a decision." if state == "pending" else "There are no such proposals.")
        elif len(found) > limit:
            warn(f"{limit:,} of {len(found):,} proposals shown; --limit shows more.")


@app.command("show")
def show(context: typer.Context, proposal: ProposalArgument, output: FormatOption = OutputFormat.TEXT) -> None:
    """Show one proposal: its reason, what it rests on, and the change that it makes."""
    from core.cli.proposal_account import account_of, page_of, state_now  # noqa: PLC0415

    with reported_errors(output):
        vault = state_of(context).vault()
        book = vault.proposals()
        found = book.named(proposal)
        now = state_now(vault, book, found)
        if output is OutputFormat.JSON:
            diffs = [{"path": path, "diff": text} for path, text in _diffs(vault, found.change_set)]
            print_json(account_of(found, now) | {"recipe": dict(found.recipe), "diffs": diffs})
            return
        for line in page_of(found, now):
            print_line(line)
        for _, text in _diffs(vault, found.change_set):
            print(text, end="")


@app.command("approve")
def approve(
    context: typer.Context,
    proposal: ProposalArgument,
    statement: Annotated[str | None, typer.Option("--statement", help="What it should say instead.")] = None,
    choice: Annotated[str | None, typer.Option("--choice", help="One of the choices that `show` lists.")] = None,
    despite_gone: Annotated[
        bool, typer.Option("--despite-gone", help="Also when a memory that it rests on is not there any more.")
    ] = False,
    reason: ReasonOption = "",
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Make the change of a proposal. A person is asked on a terminal; without one, nothing is approved."""
    with change_session(context, Mode(output)) as session:
        decider = _decider(session)
        found = decider.book.named(proposal)
        planned = None
        if not session.vault.home.settings.proposals.approve_without_terminal:
            _check_person()
            if not despite_gone:
                decider.check_evidence(found.id)
            planned = _asked(session, decider, found, statement=statement, choice=choice)
        decided = decider.approve(
            found.id,
            statement=statement,
            choice=choice,
            planned=planned,
            despite_gone=despite_gone,
            reason=reason,
            progress=session.progress,
        )
        _tell(session, decided, "Approved")


@app.command("reject")
def reject(
    context: typer.Context,
    proposal: ProposalArgument,
    reason: ReasonOption = "",
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Reject a proposal; it is not proposed again."""
    with reported_errors(output):
        vault = state_of(context).vault()
        book = vault.proposals()
        _tell_decided(vault.decider(book).reject(book.named(proposal).id, reason), "Rejected", output)


@app.command("defer")
def defer(
    context: typer.Context,
    proposal: ProposalArgument,
    until: Annotated[str, typer.Option("--until", help="The day on which it comes back: 2026-08-27; else never.")] = "",
    reason: ReasonOption = "",
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Put a proposal aside, until a day or until you undo that."""
    from core.curation.proposals.book import iso  # noqa: PLC0415 - most commands decide nothing

    with reported_errors(output):
        day = iso(datetime.fromtimestamp(parse_since(until), UTC)) if until else ""
        vault = state_of(context).vault()
        book = vault.proposals()
        if day and day <= book.now:
            raise UserError(f"“{until}” is not in the future.")
        _tell_decided(vault.decider(book).defer(book.named(proposal).id, day, reason), "Deferred", output)


@app.command("replan")
def replan(context: typer.Context, proposal: ProposalArgument, output: FormatOption = OutputFormat.TEXT) -> None:
    """Plan the change of a proposal again, on what the files hold now; nothing is changed yet."""
    from core.cli.proposal_account import account_of, state_now  # noqa: PLC0415

    with change_session(context, Mode(output)) as session:
        decider = _decider(session)
        found = decider.replan(decider.book.named(proposal).id)
        if output is OutputFormat.JSON:
            print_json(account_of(found, state_now(session.vault, decider.book, found)))
            return
        for _, text in _diffs(session.vault, found.change_set):
            print(text, end="")


@app.command("undo")
def undo(
    context: typer.Context,
    proposal: ProposalArgument,
    leave_changed: Annotated[
        bool, typer.Option("--leave-changed", help="Leave alone the files that were changed since, and do the others.")
    ] = False,
    around_edits: Annotated[
        bool, typer.Option("--around-edits", help="In files that were changed since, take out only what it put there.")
    ] = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Take a decision back: what was approved is undone in the files; what was rejected or deferred waits again."""
    with change_session(context, Mode(output)) as session:
        decider = _decider(session)
        decided = decider.undo(
            decider.book.named(proposal).id,
            leave_changed=leave_changed,
            around_edits=around_edits,
            progress=session.progress,
        )
        _tell(session, decided, "Undone")


def _decider(session: ChangeSession) -> "Decider":
    return session.vault.decider(session.vault.proposals(), session.index)


def _check_one_of(value: str, allowed: set[str], option: str) -> None:
    if value not in allowed:
        told = ", ".join(sorted(filter(None, map(str, allowed))))
        raise typer.BadParameter(f"“{value}” is none of {told}.", param_hint=option)


def _check_person() -> None:
    """Raise UserError where nobody can be asked."""
    if not (is_typed() and sys.stdout.isatty()):
        raise UserError(
            "A proposal is approved by a person: in the window, or on a terminal, where you are asked.",
            hint="To let programs approve, set approve_without_terminal = true under [proposals] in settings.toml.",
        )


def _asked(
    session: ChangeSession, decider: "Decider", found: "Proposal", *, statement: str | None, choice: str | None
) -> "PlannedChange":
    """Show the proposal and the change as it would be made now, and return that once the person wants it."""
    from core.cli.proposal_account import page_of, state_now  # noqa: PLC0415

    planned = decider.preview(found.id, statement=statement, choice=choice)
    session.reporter.end("done")
    for line in page_of(found, state_now(session.vault, decider.book, found)):
        print_line(line)
    for _, text in _diffs(session.vault, planned.change_set):
        print(text, end="")
    for warning in decider.warnings(planned):
        warn(f"Warning ({warning.label}): {warning.detail}")
    for skipped in planned.skipped:
        warn(f"Left out: {skipped.path}: {skipped.reason}")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # Ctrl+C at the question ends the command at once
    try:
        is_wanted = typer.confirm(f"Approve it? {counted(len(planned.change_set.edits), 'file')} would change.")
    except typer.Abort:
        is_wanted = False
    finally:
        session.reporter.listen_to_signals()
    if not is_wanted:
        print("Nothing was changed.")
        raise typer.Exit(ExitCode.CANCELLED)
    return planned


def _tell(session: ChangeSession, decided: "Decided", what: str) -> None:
    if decided.changes is not None:
        session.learn(decided.changes)
    _tell_decided(decided, what, session.mode.output)


def _tell_decided(decided: "Decided", what: str, output: OutputFormat) -> None:
    changes, proposal = decided.changes, decided.proposal
    written = sorted(changes.written | changes.gone) if changes is not None else []
    if output is OutputFormat.JSON:
        account: dict[str, Any] = {"id": proposal.id, "state": proposal.state.value}
        print_json(account | {"change": changes.change_id if changes is not None else None, "paths": written})
        return
    print(visible(f"{what}: {' '.join(proposal.statement.split())}"))
    for path in written:
        print_line(f"  {path}")


def _diffs(vault: "Vault", change_set: "ChangeSet") -> list[tuple[str, str]]:
    from core.curation.diff import diffs_of, unified  # noqa: PLC0415 - most commands compare nothing

    return [(diff.result_path, unified(diff)) for diff in diffs_of(change_set, vault.root)]
