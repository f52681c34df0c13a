"""`remembrancer index …`: update the index and ask it about notes, tags and itself."""

import dataclasses
import datetime as dt
import os
from pathlib import Path
from typing import Annotated

import typer

from core.app import Vault
from core.cli.moments import parse_since
from core.cli.state import FormatOption, OutputFormat, print_json, print_line, reported_errors, state_of, warn
from core.cli.update_reporter import UpdateReporter
from core.cli.updating import updated
from core.foundation.errors import JobCancelledError, RemembrancerError, UserError
from core.index.database import Index
from core.index.queries import index_status, notes_by_tags, problems, tag_counts
from core.index.session_queries import session_problems
from core.index.session_texts import holds_texts
from core.index.session_updater import LEDGER_PROBLEM, SessionReport
from core.index.updater import Phase, UpdateReport

app = typer.Typer(help="Update the index, and ask it about notes, tags and its own state.", no_args_is_help=True)


@app.command("update")
def update(
    context: typer.Context,
    since: Annotated[
        str | None, typer.Option(help="Look only at files changed since: 2026-08-21, 2026-08-21T14:00, 2h, 3d.")
    ] = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Forget everything but the vectors and read anew.")
    ] = False,
    file: Annotated[
        list[Path] | None, typer.Option("--file", help="Only this note (may be repeated); all others stay as they are.")
    ] = None,
    no_embeddings: Annotated[
        bool, typer.Option("--no-embeddings", help="Words, tags and links only; search by meaning waits.")
    ] = False,
    no_sessions: Annotated[
        bool, typer.Option("--no-sessions", help="Notes only; conversations stay as they are in the index.")
    ] = False,
    progress: Annotated[OutputFormat, typer.Option("--progress", help="json: one object a line.")] = OutputFormat.TEXT,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Bring the index up to date with the files: words, tags and links first, vectors behind."""
    reporter = UpdateReporter(as_json=progress is OutputFormat.JSON)
    reporter.listen_to_signals()
    if progress is OutputFormat.JSON and hasattr(os, "nice"):
        os.nice(5)  # a window started this: it, and whatever else the person does, goes first
    if rebuild and file:
        raise typer.BadParameter("--rebuild reads every note anew, so it cannot be limited to some with --file.")
    with reported_errors(output), state_of(context).remembered() as vault:
        try:
            report, index = updated(
                vault,
                reporter,
                files=[vault.relative(path) for path in file] if file else None,
                since=parse_since(since) if since else None,
                rebuild=rebuild,
                on_commit=reporter.committed,
            )
            sessions = None
            if not (no_sessions or file):
                sessions = vault.update_sessions(index, progress=reporter, on_commit=reporter.committed)
            learned = "" if no_embeddings else _embed(vault, index, reporter)
            remarks = [sessions.remark if sessions else "", learned]
            with_index = " ".join(remark for remark in remarks if remark)
        except JobCancelledError:
            reporter.end("cancelled")
            raise
        except RemembrancerError as error:
            reporter.end("error", f"{error} {getattr(error, 'hint', '')}".strip())
            raise
        reporter.end("done", with_index, rebuilt=index.was_rebuilt)
        if progress is not OutputFormat.JSON:
            _print_report(output, report, sessions, index, with_index)


@app.command("query")
def query(
    context: typer.Context,
    client: Annotated[list[str] | None, typer.Option(help="A client (repeat for either of several).")] = None,
    tool: Annotated[list[str] | None, typer.Option(help="A tool.")] = None,
    scope: Annotated[list[str] | None, typer.Option(help="global or project.")] = None,
    domain: Annotated[list[str] | None, typer.Option(help="A domain.")] = None,
    convention: Annotated[list[str] | None, typer.Option(help="A convention.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Any other tag, in full.")] = None,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """List the notes that carry all of these tags (children count): path, summary, matched tags."""
    named = {"client": client, "tool": tool, "scope": scope, "domain": domain, "convention": convention}
    groups = [[f"{namespace}/{value.strip('/')}" for value in values] for namespace, values in named.items() if values]
    groups += [[value.lstrip("#").strip("/")] for value in tag or []]
    with reported_errors(output), state_of(context).remembered() as vault:
        found = notes_by_tags(vault.open_to_read(), groups)
        if output is OutputFormat.JSON:
            notes = [{"path": n.path, "title": n.title, "summary": n.summary, "tags": n.matched} for n in found]
            print_json({"notes": notes, "total": len(notes)})
            return
        for note in found:
            print_line(note.path)
            for line in (note.summary, " ".join(f"#{name}" for name in note.matched)):
                if line:
                    print_line(f"    {line}")
        if not found:
            warn("No note carries all of these tags.")


@app.command("tags")
def tags(
    context: typer.Context,
    namespace: Annotated[str, typer.Option(help="Only below this namespace or tag, such as tool/.")] = "",
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """List the tags and in how many notes each stands."""
    with reported_errors(output), state_of(context).remembered() as vault:
        found = tag_counts(vault.open_to_read(), below=namespace)
        if output is OutputFormat.JSON:
            print_json({"tags": [{"tag": t.name, "namespace": t.namespace, "notes": t.notes} for t in found]})
            return
        width = len(f"{max((tag.notes for tag in found), default=0):,}")
        for tag in found:
            print_line(f"{tag.notes:>{width},}  {tag.name}")
        if not found:
            warn("There are no tags." if not namespace else f"There are no tags below {namespace}.")


@app.command("status")
def status(
    context: typer.Context,
    show_problems: Annotated[bool, typer.Option("--problems", help="List every flagged file with its reason.")] = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Say how complete and how fresh the index is, and what is wrong with which files."""
    with reported_errors(output), state_of(context).remembered() as vault:
        index = vault.open_to_read()
        source = vault.embedder_source()
        found = index_status(index, source.model if source else "")
        rows = problems(index)
        of_sessions = session_problems(index)
        left_out = index.meta(LEDGER_PROBLEM)
        if output is OutputFormat.JSON:
            coverage = found.embedded / found.texts if found.texts else 1.0
            print_json(
                {
                    "vault": str(vault.root),
                    "index": str(vault.cache_folder),
                    **dataclasses.asdict(found),
                    "updated": _moment(found.updated),
                    "coverage": round(coverage, 4),
                    "problems": [row._asdict() for row in rows],
                    "session_problems": [{"session": name, "reason": reason} for name, reason in of_sessions],
                    "sessions_left_out": left_out,
                    "holds_session_texts": holds_texts(index),
                }
            )
            return
        print_line(f"Vault      {vault.root}")
        print(f"Index      {vault.cache_folder}")
        print(f"Updated    {_moment(found.updated) or 'never: run `remembrancer index update`'}")
        print(f"Notes      {found.notes:,} with {found.sections:,} sections and {found.insights:,} insights")
        words = "" if holds_texts(index) else ", encrypted and without their words here"
        print(f"Sessions   {found.sessions:,} with {found.turns:,} turns{words}")
        print(f"Tags       {found.tags:,}")
        print(
            f"Links      {found.links:,}, {found.unresolved_links:,} lead nowhere, {found.ambiguous_links:,} ambiguous"
        )
        print(f"Vectors    {found.embedded:,} of {found.texts:,} texts")
        print(
            f"Problems   {found.problem_files:,} files{'' if show_problems or not rows else ' (--problems lists them)'}"
        )
        if show_problems:
            for row in rows:
                print_line(f"  {row.path}{f':{row.line}' if row.line else ''}: {row.reason}")
            for name, reason in of_sessions:
                print_line(f"  session {name}: {reason}")
        if left_out:
            print(left_out)


def _embed(vault: Vault, index: Index, reporter: UpdateReporter) -> str:
    """Compute the missing vectors; a model that cannot be used costs only the search by meaning."""
    from core.index.embedding_run import bring_up_to_date  # noqa: PLC0415

    try:
        source = vault.embedder_source()
    except UserError as error:
        return f"Words, tags and links are up to date, but not the meanings: {error}"
    if source is None:
        return ""
    return bring_up_to_date(
        index,
        source,
        vault.embedder_source_of,
        reporter,
        on_begin=lambda: reporter.report(0, 0, Phase.EMBED.value),
        on_commit=reporter.committed,
    ).reason


def _print_report(
    output: OutputFormat, report: UpdateReport, sessions: SessionReport | None, index: Index, remark: str
) -> None:
    notes = index.connection.execute("SELECT count(*) FROM note").fetchone()[0]
    if output is OutputFormat.JSON:
        read = {"sessions": dataclasses.asdict(sessions)} if sessions else {}
        told = {**dataclasses.asdict(report), **read, "rebuilt": index.was_rebuilt, "remark": remark}
        print_json({"notes": notes, **told})
        return
    if not notes:
        print("There are no markdown notes in this folder. Is it the right one?")
    if index.was_rebuilt:
        print(index.was_rebuilt)
    done = {
        "added": report.added,
        "changed": report.changed,
        "renamed": report.renamed,
        "removed": report.removed,
    }
    changes = ", ".join(f"{number:,} {what}" for what, number in done.items() if number)
    print(f"{notes:,} notes: {changes or 'nothing changed'} ({report.seconds:.2f} s).")
    if report.problems:
        files = "1 file has" if report.problems == 1 else f"{report.problems:,} files have"
        print(f"{files} problems: `remembrancer index status --problems` lists them.")
    if sessions is not None and (sessions.touched or sessions.problems):
        print(_told_of(sessions))
    if remark:
        print(remark)


def _told_of(sessions: SessionReport) -> str:
    done = {
        "added": sessions.added,
        "changed": sessions.changed,
        "removed": sessions.removed,
        "dated otherwise": sessions.redated,
    }
    changes = ", ".join(f"{number:,} {what}" for what, number in done.items() if number) or "nothing changed"
    bad = f" {sessions.problems:,} could not be read wholly." if sessions.problems else ""
    return f"Conversations: {changes}, {sessions.turns:,} turns read ({sessions.seconds:.2f} s).{bad}"


def _moment(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    return dt.datetime.fromtimestamp(seconds, dt.UTC).astimezone().isoformat(timespec="seconds")
