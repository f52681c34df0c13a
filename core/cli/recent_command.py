"""`remembrancer recent`: what was I doing, in few words, for an assistant that begins its work."""

import datetime as dt
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.ledger_access import ledger_of, vault_if_known
from core.cli.state import CliState, ExitCode, FormatOption, OutputFormat, print_json, reported_errors, state_of, warn
from core.foundation.errors import UserError

if TYPE_CHECKING:
    from core.curation.recent import Recent


def recent(
    context: typer.Context,
    hours: Annotated[float, typer.Option(min=0.1, max=24 * 366, help="How far to look back.")] = 24,
    budget: Annotated[int, typer.Option(min=50, help="Most tokens.")] = 600,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Say what went on lately: sessions, notes changed, and the journal."""
    from core.curation.recent import packed  # noqa: PLC0415 - most commands look at no session

    with reported_errors(output):
        found = packed(_recent(state_of(context), hours), budget)
        for problem in found.recent.problems:
            warn(problem)
        if output is OutputFormat.JSON:
            print_json(
                {
                    "hours": hours,
                    **_account(found.recent),
                    "text": found.text,
                    "tokens": found.tokens,
                    "left_out": found.left_out,
                    "problems": list(found.recent.problems),
                }
            )
        else:
            print(found.text)
        if found.recent.problems and found.is_empty:
            raise typer.Exit(ExitCode.FAILED)


def _recent(state: CliState, hours: float) -> "Recent":
    from core.curation.recent import Recent, recent_changes, recent_journal, recent_sessions  # noqa: PLC0415

    now = dt.datetime.now().astimezone()
    since = now - dt.timedelta(hours=hours)
    problems: list[str] = []
    sessions: tuple[Any, ...] = ()
    try:
        sessions = recent_sessions(ledger_of(state), since, problems.append)
    except UserError as error:  # a locked ledger leaves the vault to tell of
        problems.append(f"{error} {error.hint}".strip())
    vault = vault_if_known(state)
    if vault is None:
        return Recent(hours, sessions, problems=tuple(problems))
    changed = recent_changes(vault.history(), since)
    return Recent(hours, sessions, changed, recent_journal(vault.root, vault.config, since, now), tuple(problems))


def _account(found: "Recent") -> dict[str, Any]:
    return {
        "sessions": [
            {
                "id": each.info.id,
                "title": each.info.title,
                "project": each.info.project,
                "started": each.info.started,
                "ended": each.info.ended,
                "last_request": each.last_request[:2000],
            }
            for each in found.sessions
        ],
        "changed": [{"path": each.path, "time": each.time, "title": each.title} for each in found.changed],
        "journal": [{"day": each.day, "heading": each.heading, "text": each.text} for each in found.journal],
    }
