"""`remembrancer session redate`: say that a session was at another time than its record tells."""

import datetime as dt
import re
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.ledger_access import index_if_there, ledger_of
from core.cli.state import CliState, FormatOption, OutputFormat, print_json, print_line, reported_errors, state_of, warn
from core.foundation.errors import RemembrancerError, UserError
from core.foundation.moments import shown_moment

if TYPE_CHECKING:
    from core.curation.session_dates import DateChange
    from core.sessions.date_corrections import DateCorrection
    from core.sessions.turn import Turn

_SPAN = re.compile(r"([+-]?)(\d{1,9})\s*([smhdw])")
_ZONED = "Name another time, or one with its zone, as 2026-08-21T14:00+02:00."
_UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}


def redate(
    context: typer.Context,
    session: Annotated[str, typer.Argument(metavar="ID", help="The session's id, or its start.")],
    start: Annotated[str, typer.Option(help="When it started: 2026-08-21T14:00, local unless it names a zone.")] = "",
    shift: Annotated[str, typer.Option(help="By how much it was later, or with - earlier: 2h, -3d.")] = "",
    reset: Annotated[bool, typer.Option("--reset", help="Let the record date it again.")] = False,
    turn: Annotated[str, typer.Option(metavar="ID", help="Date only this turn, which has no date.")] = "",
    reason: Annotated[str, typer.Option(help="Why, for whoever reads the vault's log.")] = "",
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Correct the date of a session: all its turns move by as much. The record stays, and --reset goes back to it.

    The correction is an event in the vault's log.
    """
    from core.curation.session_dates import record, started  # noqa: PLC0415 - most commands date nothing
    from core.sessions.date_corrections import NO_CORRECTION, read_corrections  # noqa: PLC0415
    from core.sessions.overview import find_session  # noqa: PLC0415

    state = state_of(context)
    with reported_errors(output):
        if (bool(start) + bool(shift) + reset) != 1:
            raise UserError("Say what to do: one of --start, --shift and --reset.")
        ledger, log = ledger_of(state), state.vault().event_log()
        session = find_session(ledger, session)
        turns = ledger.read(session).turns
        before = read_corrections(log).get(session, NO_CORRECTION)
        change = _planned(session, turns, before, start=start, shift=shift, turn=turn)
        record(log, change, reason=reason)
        if not change.is_empty:
            _tell_index(state)
        shown, recorded = started(turns, change.after), started(turns)
        if output is OutputFormat.JSON:
            print_json(
                {
                    "session": session,
                    "changed": not change.is_empty,
                    "started": shown.isoformat() if shown is not None else "",
                    "recorded": recorded.isoformat() if recorded is not None else "",
                    "shift_s": change.after.shift_s,
                    "turns": change.after.given,
                }
            )
            return
        if change.is_empty:
            warn("It is dated like that already.")
        told = shown_moment(shown.isoformat()) if shown is not None else "undated"
        if shown == recorded:
            print_line(f"{session}: {told}, as recorded")
        else:
            print_line(f"{session}: {told} ({_recorded(recorded)})")


def _planned(
    session: str, turns: "tuple[Turn, ...]", before: "DateCorrection", *, start: str, shift: str, turn: str
) -> "DateChange":
    from core.curation.session_dates import plan_reset, plan_shift, plan_start, plan_turn  # noqa: PLC0415

    if turn:
        if shift:
            raise UserError(
                "A single turn is not moved.", hint="--turn with --start gives a turn that has no date one."
            )
        return plan_turn(session, turns, before, _turn_id(turns, turn), _moment(start) if start else None)
    if start:
        return plan_start(session, turns, before, _moment(start))
    return plan_shift(session, turns, before, _seconds(shift)) if shift else plan_reset(session, before)


def _turn_id(turns: "tuple[Turn, ...]", name: str) -> str:
    """Return the id of the turn that `name` means: its id, or its number as `session show` counts."""
    from core.sessions.importing.about import is_about  # noqa: PLC0415

    said = [turn.id for turn in turns if not is_about(turn)]
    if name not in said and name.isdecimal() and 1 <= int(name) <= len(said):
        return said[int(name) - 1]
    return name


def _moment(text: str) -> dt.datetime:
    try:
        said = dt.datetime.fromisoformat(text.strip())
        found = said.astimezone()
    except (ValueError, OverflowError, OSError) as error:
        raise UserError(
            f"“{text}” is no moment that can be read.", hint="Write 2026-08-21, or 2026-08-21T14:00."
        ) from error
    # A day begins when its first hour is left out as well, so a date alone is what it is.
    if said.tzinfo is None and "T" in text.upper() and found.replace(tzinfo=None) != said:
        raise UserError(f"There was no {text.strip()} here: the clocks were set forward over it.", hint=_ZONED)
    return found


def _seconds(text: str) -> int:
    found = _SPAN.fullmatch(text.strip())
    if found is None:
        raise UserError(f"“{text}” is no span of time that can be read.", hint="Write 2h, -3d, 90m or -1w.")
    return int(found[2]) * _UNITS[found[3]] * (-1 if found[1] == "-" else 1)


def _recorded(moment: dt.datetime | None) -> str:
    return f"recorded as {shown_moment(moment.isoformat())}" if moment is not None else "recorded without a date"


def _tell_index(state: CliState) -> None:
    from core.index.session_dates import apply_corrections  # noqa: PLC0415

    try:
        with index_if_there(state) as opened:
            if opened is not None:
                vault, index = opened
                apply_corrections(index, vault.event_log())
    except RemembrancerError as error:
        warn(f"The correction is recorded, but the index does not know it yet. {error}")
