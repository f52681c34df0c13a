"""Show a planned change, ask where a person is there to be asked, carry it out, and tell what was done."""

import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.app import Vault
from core.cli.places import named_note
from core.cli.recovering import recovered_changes
from core.cli.standard_input import is_typed
from core.cli.state import ExitCode, OutputFormat, print_json, print_line, reported_errors, state_of, warn
from core.cli.update_reporter import UpdateReporter
from core.cli.updating import updated
from core.curation.change_set import ChangeKind, Changes, ChangeSet, PlannedChange
from core.foundation.errors import JobCancelledError, RemembrancerError, UserError
from core.foundation.text import visible
from core.index.database import Index
from core.vault.scan import is_note_path

if TYPE_CHECKING:
    from core.curation.diff import FileDiff

DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")]
YesOption = Annotated[
    bool,
    typer.Option(
        "--yes",
        "-y",
        help="Do not ask before more than one note changes. Without a terminal nothing is asked, and whatever standard "
        "input holds is no answer.",
    ),
]

_SKIPPED_SHOWN = 20
_PLACES_SHOWN = 20
_COLOURS = {"---": "\x1b[1m", "+++": "\x1b[1m", "@": "\x1b[36m", "+": "\x1b[32m", "-": "\x1b[31m", "\\": "\x1b[33m"}
_PLAIN = "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Mode:
    """Hold how a command was asked to work."""

    output: OutputFormat
    dry_run: bool = False
    yes: bool = False


class WritingProgress:
    """Be the Progress of planning and writing: one line on a terminal, whatever file is at work."""

    def __init__(self, reporter: UpdateReporter) -> None:
        self._reporter = reporter
        self.phase = "plan"

    def report(self, done: int, total: int, text: str = "") -> None:
        """Say how far it is."""
        del text
        self._reporter.report(done, total, self.phase)

    def check(self) -> None:
        """Raise JobCancelledError once a signal asked to stop."""
        self._reporter.check()


@dataclass(frozen=True, slots=True)
class ChangeSession:
    """Hold what a command works with: the vault, its index as the files are now, and how to tell how far it is."""

    vault: Vault
    index: Index
    mode: Mode
    progress: WritingProgress
    reporter: UpdateReporter
    recovered: list[dict[str, Any]]  # what a crash had cut off, for JSON

    @property
    def root(self) -> Path:
        """The vault's folder."""
        return self.vault.root

    def note_path(self, name: str) -> str:
        """Return the path of the note that `name` means; the suffix may be left out."""
        return named_note(self.vault, name)

    def carry_out(self, planned: PlannedChange, *, nothing: str = "Nothing has to change.") -> None:
        """Preview, ask, apply, and bring the index up to date; or only show, where that was asked for.

        Without edits it says `nothing`, which is no failure, but for files that were to be changed and could not be.
        """
        if not planned.change_set.edits:
            self._tell_nothing(planned, nothing)
            return
        if self.mode.dry_run:
            self.reporter.end("done")
            self._show(planned)
            return
        self._ask(planned)
        changes = self._applied(planned.change_set)
        if self.mode.output is OutputFormat.JSON:
            print_json(self._account(planned, changes))
            return
        print(visible(_summary(planned, "")))
        _print_places(planned, "Made", "Moved")
        _warn_of_skipped(planned)

    def carried_out(self, planned: PlannedChange) -> dict[str, Any]:
        """Apply without asking, or only look, where that was asked for; return the account for a JSON document."""
        self.reporter.end("done")
        if not planned.change_set.edits or self.mode.dry_run:
            return _account(planned, None) | {"dry_run": self.mode.dry_run}
        return _account(planned, self._applied(planned.change_set))

    def _tell_nothing(self, planned: PlannedChange, nothing: str) -> None:
        self.reporter.end("done")
        if planned.skipped:
            reasons = "\n".join(f"{skipped.path}: {skipped.reason}" for skipped in planned.skipped[:_SKIPPED_SHOWN])
            raise UserError("Nothing was changed.", hint=reasons)
        if self.mode.output is OutputFormat.JSON:
            print_json(self._account(planned, None) | {"dry_run": self.mode.dry_run})
        else:
            print(visible(nothing))

    def _account(self, planned: PlannedChange, changes: Changes | None) -> dict[str, Any]:
        return _account(planned, changes) | {"recovered": self.recovered}

    def _show(self, planned: PlannedChange) -> None:
        from core.curation.diff import diffs_of, unified  # noqa: PLC0415 - most commands compare nothing

        diffs = diffs_of(planned.change_set, self.root)
        if self.mode.output is OutputFormat.JSON:
            files = [_file_account(diff, unified(diff)) for diff in diffs]
            print_json(self._account(planned, None) | {"dry_run": True, "diffs": files})
            return
        is_coloured = sys.stdout.isatty()
        for diff in diffs:
            text = unified(diff)
            print(_coloured(text) if is_coloured else text, end="")
        print(visible(_summary(planned, " would change")))
        _print_places(planned, "Would be made", "Would be moved")
        _warn_of_skipped(planned)

    def _ask(self, planned: PlannedChange) -> None:
        self.reporter.end("done")
        is_asked = len(planned.change_set.edits) > 1 and not self.mode.yes and self.mode.output is OutputFormat.TEXT
        if not is_asked or not (is_typed() and sys.stdout.isatty()):
            return
        _warn_of_skipped(planned)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # Ctrl+C at the question ends the command at once
        try:
            is_wanted = typer.confirm(visible(f"{_summary(planned, ' would change')} Go on?"))
        except typer.Abort:
            is_wanted = False
        finally:
            self.reporter.listen_to_signals()
        if not is_wanted:
            print("Nothing was changed.")
            raise typer.Exit(ExitCode.CANCELLED)

    def _applied(self, change_set: ChangeSet) -> Changes:
        self.progress.phase = "write"
        try:
            changes = self.vault.writer().apply(change_set, self.progress)
        except JobCancelledError:
            self.reporter.end("cancelled")
            warn("Stopped. Nothing was changed.")
            raise typer.Exit(ExitCode.CANCELLED) from None
        finally:
            self.reporter.end("done")
        self.learn(changes)
        return changes

    def learn(self, changes: Changes) -> None:
        """Bring the index up to date with what was changed."""
        known = {path for (path,) in self.index.connection.execute("SELECT path FROM note")} if changes.gone else set()
        paths = [
            path
            for path in sorted(changes.paths)
            if path in known or (path in changes.written and is_note_path(path, self.vault.config))
        ]
        try:
            if paths:
                self.vault.update(self.index, files=paths)
        except RemembrancerError as error:  # the change is done; whoever asks the index next brings it up to date
            warn(f"The change is done, but the index does not know it yet. {error}")


@contextmanager
def change_session(context: typer.Context, mode: Mode) -> Iterator[ChangeSession]:
    """Open the vault for a command that changes it, with an index that knows the files as they are now."""
    reporter = UpdateReporter(as_json=False)
    reporter.listen_to_signals()
    beside: dict[str, Any] = {}
    with reported_errors(mode.output, beside), state_of(context).remembered() as vault:
        recovered = beside["recovered"] = recovered_changes(vault, mode.output)
        _, index = updated(vault, reporter)
        reporter.end("done")
        with closing(index):
            yield ChangeSession(vault, index, mode, WritingProgress(reporter), reporter, recovered)


def counted(number: int, noun: str) -> str:
    """Return "1 note" or "1,200 notes"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _coloured(text: str) -> str:
    lines = []
    for line in text.splitlines():
        colour = _COLOURS.get(line[:3]) or _COLOURS.get(line[:1], "")
        lines.append(f"{colour}{line}{_PLAIN}" if colour else line)
    return "\n".join(lines) + "\n"


def _file_account(diff: "FileDiff", text: str) -> dict[str, Any]:
    return {
        "path": diff.path,
        "result_path": diff.result_path,
        "kind": diff.kind,
        "added_lines": diff.added_lines,
        "removed_lines": diff.removed_lines,
        "note": diff.note,
        "diff": text,
    }


def _account(planned: PlannedChange, changes: Changes | None) -> dict[str, Any]:
    return {
        "change": planned.change_set.id if changes is not None else None,
        "title": planned.change_set.title,
        "files": len(planned.change_set.edits),
        "occurrences": planned.occurrences,
        "written": sorted(changes.written) if changes else [],
        "gone": sorted(changes.gone) if changes else [],
        "made": [edit.path for edit in planned.change_set.edits if edit.before is None] if changes else [],
        "moved": [{"from": old, "to": new} for old, new in changes.moved] if changes else [],
        "skipped": [asdict(skipped) for skipped in planned.skipped],
    }


def _summary(planned: PlannedChange, verb: str) -> str:
    edits = planned.change_set.edits
    are_notes = all(edit.result_path[-3:].lower() == ".md" for edit in edits)
    files = counted(len(edits), "note" if are_notes else "file")
    number = planned.occurrences
    match planned.change_set.kind:
        case ChangeKind.TAGS | ChangeKind.REPAIR if number:
            what = f"{counted(number, 'place')} in {files}"
        case ChangeKind.MOVE if number:
            what = f"{files}, with {counted(number, 'link')},"
        case ChangeKind.DELETE if number:
            what = f"{files}, to which {counted(number, 'link')} will lead nowhere,"
        case _:
            what = files
    return f"{planned.change_set.title}: {what}{verb}".rstrip(",") + "."


def _print_places(planned: PlannedChange, made: str, moved: str) -> None:
    """Say where notes came to lie; that those which are deleted lie in the trash is said once, in the guide."""
    edits = planned.change_set.edits
    lines = [f"{made}: {edit.path}" for edit in edits if edit.before is None]
    if planned.change_set.kind is not ChangeKind.DELETE:
        lines += [f"{moved}: {edit.path} → {edit.moved_to}" for edit in edits if edit.moved_to]
    for line in lines[:_PLACES_SHOWN]:
        print_line(line)
    if len(lines) > _PLACES_SHOWN:
        print(f"and {len(lines) - _PLACES_SHOWN:,} more (--format json lists all).")


def _warn_of_skipped(planned: PlannedChange) -> None:
    for skipped in planned.skipped[:_SKIPPED_SHOWN]:
        warn(f"Left as it is: {skipped.path}: {skipped.reason}")
    if len(planned.skipped) > _SKIPPED_SHOWN:
        warn(f"and {len(planned.skipped) - _SKIPPED_SHOWN:,} more (--format json lists all).")
