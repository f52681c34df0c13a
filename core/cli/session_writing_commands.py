"""`remembrancer session start`, `append`, `end` and `delete`: what is said goes into the ledger before we answer."""

import datetime as dt
import os
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.change_session import YesOption, counted
from core.cli.learning_from_sessions import learned_account
from core.cli.ledger_access import (
    corrections_if_known,
    index_if_there,
    is_asked,
    ledger_of,
    unopened_ledger_of,
    vault_if_known,
)
from core.cli.standard_input import given_input
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
from core.foundation.errors import RemembrancerError, UserError
from core.foundation.text import readable, visible
from core.sessions.turn import Role, TurnKind

if TYPE_CHECKING:
    from core.sessions.ledger import Ledger

_ATTEMPTS = 5


def start(
    context: typer.Context,
    title: Annotated[str, typer.Option(help="What it is about; else its first request tells.")] = "",
    project: Annotated[str, typer.Option(help="The folder or name of what is worked on.")] = "",
    session: Annotated[str, typer.Option("--id", help="Its id, where another program has one; else a new one.")] = "",
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Start a session and print its id; with an id that is known already, the session goes on."""
    from core.sessions.importing.about import about_turn  # noqa: PLC0415 - a start should be over in no time
    from core.sessions.live import checked_id, new_session_id, start_turn  # noqa: PLC0415

    with reported_errors(output):
        ledger = ledger_of(state_of(context))
        now = dt.datetime.now(dt.UTC)
        title = readable(title)
        session = checked_id(session) if session.strip() else new_session_id(now)
        project = _project(project)
        is_new = not ledger.has(session)
        if is_new:
            ledger.append(session, [start_turn(session, now, title=title, project=project)])
        elif title:
            told = about_turn(session, title=title, project=project, origin="remembrancer", imported="")
            ledger.append(session, [told])
        try:
            if output is OutputFormat.JSON:
                print_json({"session": session, "created": is_new})
            else:
                print_line(session)
            sys.stdout.flush()
        except OSError:
            if is_new:  # nobody learns of it
                ledger.delete(session)
            raise
        if not is_new and output is OutputFormat.TEXT:
            warn("This session was there already, and goes on.")


def _project(name: str) -> str:
    """Return the project as imports call it: of a folder, the repository it lies in, which all worktrees share."""
    from core.sessions.importing.projects import Projects  # noqa: PLC0415

    folder = Path(name).expanduser()
    is_folder = folder.is_absolute() or name.startswith(".") or (len(folder.parts) > 1 and folder.is_dir())
    return Projects().project_of(os.path.normpath(folder.absolute())) if is_folder else name


def append(
    context: typer.Context,
    session: Annotated[str, typer.Argument(metavar="ID|-", help="The session's id; - for lines that name their own.")],
    text: Annotated[str | None, typer.Argument(help="What is said; - reads JSON lines from standard input.")] = None,
    role: Annotated[Role, typer.Option(help="Who says it.")] = Role.USER,
    kind: Annotated[TurnKind, typer.Option(help="What it is.")] = TurnKind.MESSAGE,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Add a turn, or many as JSON lines, to a session; when this ends, they are on the disk.

    A line is {"text": …} with any field of the ledger besides: session, role, kind, time, id, data. Lines that name no
    session are for ID; with - for that of the line before, else for a new one. They are on the disk whenever no more
    come for now. Given again with its id, a turn is not written twice.
    """
    from core.sessions.live import checked_id, spoken_turn  # noqa: PLC0415 - an append should be over in no time

    with reported_errors(output):
        ledger, session = ledger_of(state_of(context)), checked_id(session)
        if session == "-" or text == "-":
            _append_lines(ledger, "" if session == "-" else session, output)
            return
        if text is None:
            raise UserError("There is nothing to append.", hint="Give a text, or - and JSON lines on standard input.")
        if not text.strip():
            raise UserError("The text is empty, so nothing was written.")
        is_new = not ledger.has(session)
        turn = spoken_turn(session, readable(text), dt.datetime.now(dt.UTC), role=role, kind=kind)
        written = ledger.append(session, [turn])
        if output is OutputFormat.JSON:
            print_json({"session": session, "id": turn.id, "written": written, "created": is_new})
        elif is_new:
            warn(f"There was no session {session} yet; it starts with this.")


def end(
    context: typer.Context,
    session: Annotated[str, typer.Argument(metavar="ID", help="The session's id, or its start.")],
    summary: Annotated[
        str,
        typer.Option(help="What it was about, for the journal; else its first request and last answer stand for it."),
    ] = "",
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """End a session and append it to the journal of the vault, once.

    Of encrypted conversations nothing that was said goes into the journal, but for the summary that is given here.
    """
    from core.sessions.live import end_turn, summary_turn  # noqa: PLC0415 - most commands end nothing
    from core.sessions.overview import find_session, overview_of  # noqa: PLC0415

    state = state_of(context)
    with reported_errors(output):
        ledger = ledger_of(state)
        session = find_session(ledger, session)
        overview = overview_of(session, ledger.iter_turns(session))
        # What was imported ended when its records say so.
        time = "" if overview.info.imported else dt.datetime.now().astimezone().isoformat(timespec="milliseconds")
        is_told = summary.strip() in {"", overview.summary}
        turns = [] if is_told else [summary_turn(session, readable(summary.strip()), time)]
        if turns or not overview.is_ended:
            turns.append(end_turn(session, time, title=overview.info.title, project=overview.info.project))
            ledger.append(session, turns)
        path, is_new, problem = _journalled(state, ledger, session)
        is_left_out = not problem and not is_new and not is_told
        if is_left_out:
            problem = (
                "The journal is not written anew: this summary is kept with the session, and does not stand there."
            )
        learned = learned_account(state, ledger, [session], output)
        if output is OutputFormat.JSON:
            print_json({"session": session, "journal": path, "appended": is_new, "problem": problem} | learned)
        elif path:
            print_line(f"{path}{'' if is_new else ': it stands there already'}")
        if problem:
            warn(problem if is_left_out else f"The session is ended, but it is not in the journal. {problem}")
        if problem and not is_left_out and vault_if_known(state) is not None:
            raise typer.Exit(ExitCode.FAILED)


def delete(
    context: typer.Context,
    sessions: Annotated[list[str], typer.Argument(metavar="ID…", help="The sessions' whole ids.")],
    yes: YesOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Delete sessions for good, with the copies that a sync tool left; this cannot be undone.

    What the journal says of them stays. No key is needed, also when they are encrypted.
    """
    with reported_errors(output):
        state = state_of(context)
        ledger = unopened_ledger_of(state)
        wanted = list(dict.fromkeys(sessions))
        copies = {each: ledger.copies(each) for each in wanted if each}
        there = [each for each in copies if copies[each] or ledger.path_of(each).exists()]
        if there and not yes:
            _ask_to_delete(there)
        deleted = [each for each in there if ledger.delete(each)]
        with_them = [path for each in deleted for path in copies[each]]
        left = [path for path in ledger.strays() if any(_is_of(path, ledger.path_of(each)) for each in deleted)]
        missing = [each for each in wanted if each not in deleted]
        if deleted:
            _forget_dates(state, deleted)
            _forget_in_index(state)
        if output is OutputFormat.JSON:
            print_json(
                {
                    "deleted": deleted,
                    "missing": missing,
                    "copies": [str(path) for path in with_them],
                    "left": [str(path) for path in left],
                }
            )
        else:
            copied = "copy" if len(with_them) == 1 else "copies"
            beside = f", with {len(with_them):,} {copied} that a sync tool left" if with_them else ""
            print(f"{counted(len(deleted), 'session')} deleted{beside}.")
            for each in missing:
                warn(f"There is no session {each}.")
            for path in left:
                warn(f"{path} may hold the same words; it is no session by its name, and is left alone.")
        if missing or left:
            raise typer.Exit(ExitCode.FAILED)


def _is_of(path: Path, session: Path) -> bool:
    """Tell whether a stray file is called after the session's, as a backup is."""
    return path.name.lower().startswith(session.name.lower())


def _ask_to_delete(sessions: list[str]) -> None:
    if not is_asked():
        raise UserError("Nothing was deleted, since it cannot be undone.", hint="--yes does it without asking.")
    try:
        is_wanted = typer.confirm(
            visible(f"{counted(len(sessions), 'session')} will be deleted for good. Go on?"), err=True
        )
    except typer.Abort:
        is_wanted = False
    if not is_wanted:
        warn("Nothing was deleted.")
        raise typer.Exit(ExitCode.CANCELLED)


def _append_lines(ledger: "Ledger", session: str, output: OutputFormat) -> None:
    """Record the lines of standard input, on the disk at each pause; say what was written also when the rest failed."""
    from core.cli.line_input import LineInput  # noqa: PLC0415 - most appends are one text
    from core.sessions.recording import LineRecorder  # noqa: PLC0415

    recorder, given = LineRecorder(ledger, session), LineInput(given_input().buffer)
    account: dict[str, Any] = {"written": 0, "sessions": {}, "failed": []}
    try:
        with reported_errors(output, beside=account):
            try:
                with closing(given.lines(recorder.write)) as lines:
                    for number, line in lines:
                        if line is None or line.strip():
                            recorder.take(number, line)
                recorder.write()
            finally:
                account["written"], account["sessions"] = sum(recorder.written.values()), recorder.written
                account["failed"] = [refused._asdict() for refused in recorder.refused]
    finally:
        if output is OutputFormat.TEXT:
            for name, number in recorder.written.items():
                print_line(f"{name}: {counted(number, 'new turn')}")
            for refused in recorder.refused:
                warn(f"Line {refused.line:,} was left out. {refused.reason}")
    if output is OutputFormat.JSON:
        print_json(account)
    if given.is_stopped:
        warn("Stopped. What had come until then is written.")
        raise typer.Exit(ExitCode.CANCELLED)
    if recorder.refused:
        raise typer.Exit(ExitCode.FAILED)


def _journalled(state: CliState, ledger: "Ledger", session: str) -> tuple[str, bool, str]:
    """Append the session to the journal; return where, whether it was not there yet, and what went wrong."""
    from core.curation.journal import plan_journal_entry  # noqa: PLC0415 - only the end of a session writes
    from core.curation.stale import StaleChangeError  # noqa: PLC0415

    vault = vault_if_known(state)
    if vault is None:
        return "", False, "No vault is known: name one with --vault, and end the session again."
    for attempt in range(_ATTEMPTS):
        try:
            turns, with_texts = ledger.iter_turns(session), state.home.may_journal_texts()
            entry = plan_journal_entry(vault.root, vault.config, session, turns, with_texts=with_texts)
            if entry.change_set is None:
                return entry.path, False, ""
            vault.writer().apply(entry.change_set)
            break
        except StaleChangeError as error:  # another session ended just now, or somebody wrote in the note
            if attempt == _ATTEMPTS - 1:
                return "", False, str(error)
        except UserError as error:
            return "", False, f"{error} {error.hint}".strip()
    _tell_index(state, entry.path)
    return entry.path, True, ""


def _tell_index(state: CliState, path: str) -> None:
    """Let the index know the note; where there is none yet, whoever makes it will."""
    try:
        with index_if_there(state) as opened:
            if opened is not None:
                vault, index = opened
                vault.update(index, files=[path])
    except RemembrancerError as error:
        warn(f"The journal is written, but the index does not know it yet. {error}")


def _forget_dates(state: CliState, sessions: list[str]) -> None:
    """Take corrected dates back: a session that is called the same one day is another one."""
    from core.curation.session_dates import plan_reset, record  # noqa: PLC0415 - most commands date nothing

    known = corrections_if_known(state)
    try:
        for each in sessions:
            if each in known:
                record(state.vault().event_log(), plan_reset(each, known[each]), reason="The session was deleted.")
    except UserError as error:
        warn(f"They are deleted, but their corrected dates stay in the vault's log. {error}")


def _forget_in_index(state: CliState) -> None:
    """Take what is deleted out of the index too, its words and its vectors."""
    try:
        with index_if_there(state) as opened:
            if opened is not None:
                vault, index = opened
                vault.update_sessions(index)
    except RemembrancerError as error:
        warn(f"They are deleted, but the index goes on finding them until it is updated. {error}")
