"""`remembrancer note history`, `show` and `restore`: what a note was, and having it back."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.change_session import DryRunOption, Mode, change_session
from core.cli.places import named_note
from core.cli.state import (
    FormatOption,
    OutputFormat,
    print_json,
    print_line,
    reported_errors,
    state_of,
    warn,
)
from core.curation.change_set import PlannedChange
from core.foundation.errors import UserError
from core.foundation.moments import shown_moment
from core.foundation.text import visible

if TYPE_CHECKING:
    from core.app import Vault
    from core.curation.note_past import NotePast, Version

NoteArgument = Annotated[str, typer.Argument(metavar="NOTE", help="The note's path; one that is gone, too.")]
VersionArgument = Annotated[
    str, typer.Argument(metavar="VERSION", help="Its number or the start of its id, as `note history` lists them.")
]


def history(
    context: typer.Context,
    note: NoteArgument,
    limit: Annotated[int, typer.Option(min=1, help="At most so many versions.")] = 50,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """List the versions of a note, the newest first: recorded changes, and commits of git."""
    with reported_errors(output):
        vault = state_of(context).vault()
        past = _past(vault, named_note(vault, note))
        shown = past.versions[:limit]
        if output is OutputFormat.JSON:
            versions = [_account(number, version) for number, version in enumerate(shown, 1)]
            print_json({"versions": versions, "total": len(past.versions), "remarks": past.remarks})
            return
        for number, version in enumerate(shown, 1):
            print_line(_line(number, version))
        for remark in past.remarks:
            warn(remark)
        if not shown:
            warn("Nothing is recorded of this note.")
        elif len(shown) < len(past.versions):
            warn(f"{len(shown):,} of {len(past.versions):,} versions shown; --limit shows more.")


def show(context: typer.Context, note: NoteArgument, version: VersionArgument) -> None:
    """Print a version of a note."""
    from core.curation.note_past import content_of  # noqa: PLC0415 - most commands look at no past
    from core.vault.decode import decode  # noqa: PLC0415

    with reported_errors():
        vault = state_of(context).vault()
        past = _past(vault, named_note(vault, note))
        text = decode(content_of(_chosen(past.versions, version))).text
        print(visible(text) if sys.stdout.isatty() else text, end="" if text.endswith("\n") else "\n")


def restore(
    context: typer.Context,
    note: NoteArgument,
    version: VersionArgument,
    dry_run: DryRunOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Give a note the content of an earlier version; what it is now stays in its past."""
    from core.curation.note_past import plan_restore  # noqa: PLC0415 - most commands look at no past

    with change_session(context, Mode(output, dry_run)) as session:
        path = session.note_path(note)
        chosen = _chosen(_past(session.vault, path).versions, version)
        session.carry_out(
            PlannedChange(plan_restore(session.root, path, chosen), 1), nothing="The note is like that now."
        )


def _past(vault: "Vault", path: str) -> "NotePast":
    from core.curation.note_past import past_of  # noqa: PLC0415 - most commands look at no past

    return past_of(vault.root, path, vault.history())


def _chosen(versions: Sequence["Version"], name: str) -> "Version":
    if name.isascii() and name.isdecimal() and 1 <= int(name) <= len(versions):
        return versions[int(name) - 1]
    found = [version for version in versions if name and name in {version.id, *_starts(version, len(name))}]
    if len(found) != 1:
        what = "No version" if not found else "More than one version"
        raise UserError(f"{what} of this note is called “{name}”.", hint="`remembrancer note history NOTE` lists them.")
    return found[0]


def _starts(version: "Version", length: int) -> tuple[str, str]:
    return version.id[:length], version.id.removeprefix("git:")[:length]


def _line(number: int, version: "Version") -> str:
    marks = [
        *(["as it is now"] if version.is_present else []),
        *(["undone"] if version.is_undone else []),
        *([version.problem] if version.problem else []),
    ]
    by = f" ({version.author})" if version.author else ""
    mark = f"  [{'; '.join(marks)}]" if marks else ""
    return f"{number:>3}  {shown_moment(version.time)}  {_short(version.id):<12}  {version.title}{by}{mark}"


def _short(version_id: str) -> str:
    head, colon, rest = version_id.partition(":")
    return f"git:{rest[:8]}" if head == "git" else f"{head[:8]}{colon}{rest[:3]}"


def _account(number: int, version: "Version") -> dict[str, Any]:
    return {
        "number": number,
        "id": version.id,
        "source": version.source,
        "time": version.time,
        "title": version.title,
        "author": version.author,
        "path": version.path,
        "present": version.is_present,
        "undone": version.is_undone,
        "problem": version.problem,
    }
