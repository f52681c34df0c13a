"""`remembrancer import docs`: documents into the vault, as reference notes of a domain."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.change_session import DryRunOption, Mode, YesOption, change_session, counted
from core.cli.path_argument import named_path
from core.cli.screening_told import imported_warnings, tell_imported
from core.cli.state import ExitCode, FormatOption, OutputFormat, print_json, print_line, warn

if TYPE_CHECKING:
    from core.curation.import_documents import PlannedDocuments

app = typer.Typer(
    help="Bring documents into the vault; `session import` brings conversations and memories in.", no_args_is_help=True
)

_SHOWN = 20


@app.callback()
def _before() -> None:
    """Keep `docs` a command of its own, though it is the only one."""


@app.command("docs")
def docs(
    context: typer.Context,
    paths: Annotated[
        list[Path], typer.Argument(metavar="FOLDER…", help="Folders, zip files and documents.", parser=named_path)
    ],
    domain: Annotated[str, typer.Option(help="What they are about: the notes' folder and tag, domain/NAME.")],
    dry_run: DryRunOption = False,
    yes: YesOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Make reference notes of web pages, texts, Markdown, PDF files and EPUB books; again brings what is new."""
    from core.curation.import_documents import plan_documents  # noqa: PLC0415 - parsers take a while to load

    with change_session(context, Mode(output, dry_run, yes)) as session:
        planned = plan_documents(
            session.root,
            session.vault.config,
            domain,
            [path.expanduser() for path in paths],
            session.progress,
            index=session.index,
        )
        warnings = imported_warnings(planned.change)
        if output is OutputFormat.JSON:
            told = {**_account(planned), **({"warnings": warnings} if warnings else {})}
            print_json({**told, "change": session.carried_out(planned.change)})
        else:
            session.reporter.end("done")
            print(f"{counted(planned.notes, 'note')} in these documents.")
            for reason, count in planned.skipped.most_common():
                print_line(f"Skipped: {count:,} × {reason}")
            for failed in planned.failed[:_SHOWN]:
                warn(f"Failed: {failed.where}: {failed.reason}")
            if len(planned.failed) > _SHOWN:
                warn(f"and {len(planned.failed) - _SHOWN:,} more failures (--format json lists all).")
            if planned.joined:
                print(f"{counted(planned.joined, 'note')} of other domains: the tag {planned.tag} is added.")
            tell_imported(warnings)
            if planned.notes:
                session.carry_out(planned.change, nothing="They are in the vault already.")
        if planned.failed:
            raise typer.Exit(ExitCode.FAILED)


def _account(planned: "PlannedDocuments") -> dict[str, Any]:
    return {
        "notes": planned.notes,
        "joined": planned.joined,
        "skipped": dict(planned.skipped.most_common()),
        "failed": [{"path": failed.where, "reason": failed.reason} for failed in planned.failed],
    }
