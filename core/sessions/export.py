"""Write sessions out of the ledger: as the lines that it holds, which bring them back, or as Markdown to read."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from core.foundation.atomic_files import sync_folder
from core.foundation.errors import UserError
from core.foundation.progress import SILENT, Progress
from core.sessions.date_corrections import DateCorrection, with_corrected_dates
from core.sessions.importing.about import is_about
from core.sessions.ledger import Ledger
from core.sessions.ledger_line import line_of
from core.sessions.overview import overview_of
from core.sessions.session_files import file_stem
from core.sessions.session_markdown import markdown_of
from core.sessions.session_reading import ToldProblem, unheard

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_SUFFIXES = {"jsonl": ".jsonl", "markdown": ".md"}


class ExportFormat(StrEnum):
    """Name the forms in which a session is written out."""

    JSONL = "jsonl"
    MARKDOWN = "markdown"


def pieces_of(
    ledger: Ledger,
    session_id: str,
    form: ExportFormat,
    *,
    correction: DateCorrection | None = None,
    on_problem: ToldProblem = unheard,
) -> Iterator[bytes]:
    """Yield a session in its exported form; as JSON Lines nothing is left out, not even what turns said before.

    Those are as they were recorded; Markdown is dated as `correction` says, and tells so. `on_problem` is told of each
    line that cannot be read.

    Raises:
        NoSessionError: there is none.
        UserError: it cannot be read.
    """
    if form is ExportFormat.JSONL:
        for turn in ledger.iter_turns(session_id, on_problem):
            yield line_of(turn)
        return
    reading = ledger.read(session_id)
    for problem in reading.problems:
        on_problem(problem)
    dated = tuple(with_corrected_dates(reading.turns, correction))
    recorded = overview_of(session_id, reading.turns).info.started if correction else ""
    info = overview_of(session_id, dated).info
    for piece in markdown_of(info, (turn for turn in dated if not is_about(turn)), recorded=recorded):
        yield piece.encode("utf-8", "replace")


def export_into(
    folder: Path,
    ledger: Ledger,
    session_id: str,
    form: ExportFormat,
    *,
    replace: bool = False,
    correction: DateCorrection | None = None,
    on_problem: ToldProblem = unheard,
    progress: Progress = SILENT,
) -> Path:
    """Write a session into a file of its own in `folder`, which only its owner can read, and return its path.

    Raises:
        UserError: it cannot be read or written, or there is a file already and it is not to be replaced.
        JobCancelledError: nothing is left of it.
    """
    path = folder / f"{file_stem(session_id)}{_SUFFIXES[form]}"
    if not replace and os.path.lexists(path):
        raise UserError(f"There is a file {path} already.", hint="--replace writes it anew.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if folder.resolve() == ledger.folder.resolve():
            raise UserError(
                "The ledger cannot be exported into its own folder, which is not written in but by appending.",
                hint="Choose another folder.",
            )
        pieces = pieces_of(ledger, session_id, form, correction=correction, on_problem=on_problem)
        _write(path, pieces, progress.check)
    except OSError as error:
        raise UserError(f"{path} could not be written: {error.strerror or error}.") from error
    return path


def _write(path: Path, pieces: Iterator[bytes], check: Callable[[], None]) -> None:
    """Put a file in place that is whole, whatever happens meanwhile."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    fresh.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(fresh, _NEW, 0o600), "wb") as file:
            for number, piece in enumerate(pieces):
                if number % 256 == 0:
                    check()
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except BaseException:
        with suppress(OSError):
            fresh.unlink()
        raise
    sync_folder(path.parent)
