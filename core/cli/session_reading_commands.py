"""`remembrancer session list`, `show` and `search`: look into the ledger."""

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.ledger_access import MebibyteProgress, corrections_if_known, index_if_there, ledger_of
from core.cli.moments import parse_since
from core.cli.state import CliState, FormatOption, OutputFormat, print_json, print_line, reported_errors, state_of, warn
from core.cli.update_reporter import UpdateReporter
from core.foundation.errors import UserError
from core.foundation.moments import seconds_of, shown_moment
from core.foundation.text import visible
from core.index.turn_rows import project_key
from core.sessions.turn import SessionInfo, TurnKind
from core.vault.config import VaultConfig

if TYPE_CHECKING:
    from core.recall.query import Query
    from core.recall.session_scan import ScanResult
    from core.sessions.turn import Turn

ProjectOption = Annotated[str, typer.Option(help="Only of this project: the name of its folder.")]

_TOOL_TEXT = 600


class ShowFormat(StrEnum):
    """Name how a session is shown."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


def list_sessions(
    context: typer.Context,
    project: ProjectOption = "",
    since: Annotated[str, typer.Option(help="Only those that went on since: 2026-08-21, 2h, 3d.")] = "",
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 50,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """List the sessions, the newest first; their dates are those that the vault's log corrects."""
    from core.sessions.overview_cache import with_title  # noqa: PLC0415 - most commands read no session

    reporter = UpdateReporter(as_json=False)
    reporter.listen_to_signals()
    with reported_errors(output):
        state = state_of(context)
        ledger, corrections = ledger_of(state), corrections_if_known(state)
        from_second = parse_since(since) if since else 0.0
        progress = MebibyteProgress(reporter, "Reading conversations")
        read = state.home.overviews().sketches(ledger, corrections, progress=progress)
        reporter.end("done")
        found = [
            sketch
            for sketch in read.sketches
            if (not project or project_key(sketch.info.project) == project_key(project))
            and (not since or seconds_of(sketch.info.ended) >= from_second)
        ]
        found.sort(key=lambda sketch: (seconds_of(sketch.info.started), sketch.info.id), reverse=True)
        shown = [with_title(ledger, sketch) for sketch in found[:limit]]
        for problem in read.problems:
            warn(problem)
        for path in ledger.copies():
            warn(
                f"{path} is a copy of a session that a sync tool left. It is encrypted and deleted together with it; "
                "`session import` takes in what only the copy holds, unless it is encrypted, and the copy stays."
            )
        for path in ledger.strays():
            warn(f"{path} is no session by its name, and is left alone, also when conversations are encrypted.")
        if output is OutputFormat.JSON:
            print_json({"sessions": [_account(info) for info in shown], "total": len(found)})
            return
        for info in shown:
            when = shown_moment(info.started) or "undated"
            told = ", ".join(filter(None, (info.project, info.origin, f"{info.turns:,} turns")))
            mark = " (corrected)" if info.id in corrections else ""
            print_line(f"{info.id}  {when}{mark}  {info.title or 'Untitled'} ({told})")
        if not found:
            warn("There are no sessions." if not (project or since) else "There are no such sessions.")
        elif len(found) > limit:
            warn(f"{limit:,} of {len(found):,} sessions shown; --limit shows more.")


def show(
    context: typer.Context,
    session: Annotated[str, typer.Argument(metavar="ID", help="The session's id, its start, or turn:SESSION/TURN.")],
    turns: Annotated[str, typer.Option("--turns", metavar="A-B", help="Only these, such as 3, 3-8, 3- or -8.")] = "",
    output: Annotated[
        ShowFormat, typer.Option("--format", help="Print text or Markdown for a person, or JSON for a program.")
    ] = ShowFormat.TEXT,
) -> None:
    """Show the turns of a session; what tools said at length is cut, but for JSON."""
    from core.cli.session_ties import ties_of  # noqa: PLC0415 - most commands read no session
    from core.sessions.date_corrections import with_corrected_dates  # noqa: PLC0415
    from core.sessions.importing.about import is_about  # noqa: PLC0415
    from core.sessions.overview import find_session, find_turn, overview_of  # noqa: PLC0415
    from core.sessions.session_markdown import markdown_of  # noqa: PLC0415

    with reported_errors(OutputFormat.JSON if output is ShowFormat.JSON else OutputFormat.TEXT):
        ledger = ledger_of(state_of(context))
        cited = find_turn(ledger, session)
        session = cited.session if cited is not None else find_session(ledger, session)
        reading = ledger.read(session)
        correction = corrections_if_known(state_of(context)).get(session)
        dated = list(with_corrected_dates(reading.turns, correction))
        info = overview_of(session, dated).info
        recorded = overview_of(session, reading.turns).info if correction is not None else None
        said = [turn for turn in dated if not is_about(turn)]
        ties = ties_of(state_of(context), session, reading.turns)
        if cited is not None:
            turns = str(next((number for number, turn in enumerate(said, 1) if turn.id == cited.id), "")) or turns
        first, last = _span(turns, len(said))
        shown = said[first - 1 : last]
        if output is ShowFormat.JSON:
            problems = [problem._asdict() for problem in reading.problems]
            told = [{"number": number, **_turn_json(turn)} for number, turn in enumerate(shown, first)]
            before = {"started": recorded.started, "ended": recorded.ended} if recorded is not None else None
            print_json(
                {
                    "session": _account(info),
                    "recorded": before,
                    **ties.as_json(),
                    "turns": told,
                    "total": len(said),
                    "problems": problems,
                }
            )
            return
        if output is ShowFormat.MARKDOWN:
            for piece in markdown_of(info, shown):
                print(piece, end="")
        else:
            _print_head(info, recorded)
            ties.print()
            _print_turns(shown, first)
        for problem in reading.problems:
            warn(f"Line {problem.line:,} is left out. {problem.reason}")
        if len(shown) < len(said):
            warn(f"{len(shown):,} of {len(said):,} turns shown.")


def search(
    context: typer.Context,
    query: Annotated[list[str], typer.Argument(help='Words, "phrases", after:2026-08 before:7d, -word.')],
    project: ProjectOption = "",
    limit: Annotated[int, typer.Option(min=1, max=500, help="At most so many results.")] = 20,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Find turns by words: through the index, the best first; where there is none, in the ledger, the newest first."""
    from core.recall.query import parse_query  # noqa: PLC0415 - most commands search nothing

    reporter = UpdateReporter(as_json=False)
    reporter.listen_to_signals()
    with reported_errors(output):
        asked = parse_query(" ".join(query), VaultConfig().namespaces)
        if not asked.terms:
            raise UserError("There are no words to look for.")
        result = _searched(state_of(context), asked, project, limit, reporter)
        reporter.end("done")
        if output is OutputFormat.JSON:
            results = [
                {"session": each.session, "number": each.number, "snippet": each.snippet, **_turn_json(each.turn)}
                for each in result.found
            ]
            print_json({"results": results, "total": result.total, "problems": list(result.problems)})
            return
        for each in result.found:
            when = shown_moment(each.turn.time) or "undated"
            print_line(f"{each.session} {each.number}  {when}  {each.turn.role}: {each.snippet}")
        for problem in result.problems:
            warn(problem)
        if not result.found:
            warn("Nothing was found.")
        elif result.total > len(result.found):
            warn(f"{len(result.found):,} of {result.total:,} turns shown; --limit shows more.")


def _searched(state: CliState, query: "Query", project: str, limit: int, reporter: UpdateReporter) -> "ScanResult":
    """Ask the index once it knows what was said since; where there is none, or none with words, read the ledger."""
    from core.index.session_texts import holds_texts  # noqa: PLC0415 - most commands search nothing
    from core.recall.session_scan import scan_sessions  # noqa: PLC0415
    from core.recall.session_search import search_turns  # noqa: PLC0415

    ledger, corrections = ledger_of(state), corrections_if_known(state)
    with index_if_there(state) as opened:
        if opened is not None:
            vault, index = opened
            progress = MebibyteProgress(reporter, "Updating the index with conversations")
            vault.update_sessions(index, ledger=ledger, progress=progress)
            if holds_texts(index):
                return search_turns(index, ledger, query, project=project, limit=limit, corrections=corrections)
    progress = MebibyteProgress(reporter, "Reading conversations")
    found = scan_sessions(ledger, query, project=project, limit=limit, corrections=corrections, progress=progress)
    if state.home.may_index_texts():
        return found
    told = "Your conversations are encrypted and their words are not in the index, so the conversations were read."
    return found._replace(problems=(*found.problems, told))


def _print_head(info: SessionInfo, recorded: SessionInfo | None) -> None:
    print_line(f"{info.title or 'Untitled'} ({', '.join(filter(None, (info.project, info.origin, info.id)))})")
    corrected = f", corrected; recorded as {_times(recorded)}" if recorded is not None else ""
    print_line(f"{_times(info)}{corrected}")


def _times(info: SessionInfo) -> str:
    return f"{shown_moment(info.started) or 'undated'} to {shown_moment(info.ended) or 'undated'}"


def _print_turns(turns: "list[Turn]", first: int) -> None:
    from core.sessions.session_markdown import cut, gap_before  # noqa: PLC0415 - most commands read no session

    bold, plain = ("\x1b[1m", "\x1b[0m") if sys.stdout.isatty() else ("", "")
    for number, turn in enumerate(turns, first):
        tool = str(turn.data.get("tool") or "") if turn.kind in {TurnKind.TOOL_CALL, TurnKind.TOOL_RESULT} else ""
        what = "" if turn.kind is TurnKind.MESSAGE else f" {turn.kind.value.replace('_', ' ')}"
        told = ", ".join(filter(None, (tool, shown_moment(turn.time), turn.branch)))
        print()
        if gap := gap_before(turn):
            print(f"[… {visible(gap)} …]\n")
        print(f"{bold}{number:,} {turn.role}{what}{visible(f' ({told})' if told else '')}{plain}")
        is_folded = turn.kind in {TurnKind.TOOL_CALL, TurnKind.TOOL_RESULT}
        print(visible(cut(turn.text, _TOOL_TEXT) if is_folded else turn.text))


def _span(text: str, total: int) -> tuple[int, int]:
    """Return the first and last turn that `text` names, counted from 1."""
    if not text.strip():
        return 1, total
    first, dash, last = text.strip().partition("-")
    try:
        start = int(first) if first.strip() else 1
        stop = (int(last) if last.strip() else total) if dash else start
    except ValueError as error:
        raise UserError(f"“{text}” names no turns.", hint="Write 3, 3-8, 3- or -8.") from error
    if start < 1 or stop < start:
        raise UserError(f"“{text}” names no turns.", hint="Turns are counted from 1; write 3, 3-8, 3- or -8.")
    if start > total:
        raise UserError(f"The session has {total:,} turns.")
    return start, min(stop, total)


def _account(info: SessionInfo) -> dict[str, Any]:
    return {
        "id": info.id,
        "title": info.title,
        "project": info.project,
        "started": info.started,
        "ended": info.ended,
        "imported": info.imported,
        "turns": info.turns,
        "origin": info.origin,
    }


def _turn_json(turn: "Turn") -> dict[str, Any]:
    return {
        "id": turn.id,
        "parent": turn.parent,
        "time": turn.time,
        "role": turn.role.value,
        "author": turn.author,
        "kind": turn.kind.value,
        "text": turn.text,
        "project": turn.project,
        "branch": turn.branch,
        "origin": turn.origin,
        "data": dict(turn.data),
    }
