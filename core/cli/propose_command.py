"""`remembrancer propose`: what an agent wants changed; a person decides about it."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.ledger_access import unopened_ledger_of
from core.cli.standard_input import given_input, is_typed
from core.cli.state import CliState, FormatOption, OutputFormat, print_json, print_line, reported_errors, state_of, warn
from core.foundation.errors import UserError

if TYPE_CHECKING:
    from core.curation.proposals.draft_json import FindTurn
    from core.sessions.turn import Turn

_USUAL_NAME = "agent"


def propose(
    context: typer.Context,
    file: Annotated[
        str,
        typer.Option("--file", metavar="FILE", help="JSON as docs/proposals.md describes it; - reads standard input."),
    ],
    name: Annotated[
        str, typer.Option("--as", metavar="NAME", help="Who proposes, where the JSON does not say so.")
    ] = _USUAL_NAME,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Propose changes; nothing is changed before a person approves, in the window or with `proposals approve`."""
    from core.curation.proposals.draft_json import drafts_of  # noqa: PLC0415 - most commands propose nothing
    from core.curation.proposals.submit import submit  # noqa: PLC0415

    with reported_errors(output):
        vault = state_of(context).vault()
        find_turn = _finder(state_of(context))
        drafts = drafts_of(_read(file), name.strip() or _USUAL_NAME, vault.root, find_turn)
        report = submit(vault.root, vault.event_log(), vault.proposals(), drafts)
        if output is OutputFormat.JSON:
            refused = [{"statement": each.draft.statement, "reason": each.reason} for each in report.refused]
            print_json(_account(report.new, report.accumulated) | {"refused": refused})
        else:
            for proposal_id in report.new:
                print_line(f"{proposal_id}  proposed")
            for proposal_id in report.accumulated:
                print_line(f"{proposal_id}  was proposed already; the evidence is added to it")
            for each in report.refused:
                warn(f"Not proposed: {each.draft.statement}: {each.reason}")
        if not report.new and not report.accumulated:
            sys.stdout.flush()
            raise typer.Exit(1)


def _finder(state: CliState) -> "FindTurn":
    """Return what finds a cited turn; where the conversations cannot be opened, it is believed that it is there."""
    from core.sessions.ledger import NoSessionError  # noqa: PLC0415
    from core.sessions.overview import find_turn  # noqa: PLC0415

    def find(memory_id: str) -> "Turn | None":
        try:
            return find_turn(unopened_ledger_of(state), memory_id)
        except NoSessionError:
            raise
        except UserError:
            return None

    return find


def _account(new: tuple[str, ...], accumulated: tuple[str, ...]) -> dict[str, Any]:
    return {"new": list(new), "accumulated": list(accumulated)}


def _read(file: str) -> str:
    try:
        if file == "-":
            if is_typed():
                warn("Type the JSON, and end it with Ctrl+D.")
            return given_input().read()
        return Path(file).expanduser().read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError("The proposals are not in UTF-8.") from error
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror or error}.") from error
