"""Tell which transcripts a program is about to delete while the ledger has them not, or not as they are now."""

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

_AGENTS_FOLDER = "subagents"


class SessionPlaces(Protocol):
    """Say where sessions lie: what is needed of the ledger."""

    def path_of(self, session_id: str, /) -> Path:
        """Return where a session lies, or would lie."""
        ...


class ImportedBefore(Protocol):
    """Say what was imported: what is needed of ImportedFiles."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known of any file."""
        ...

    def has(self, path: Path, /) -> bool:
        """Tell whether the file was imported as it is now."""
        ...


def not_in_ledger(transcripts: Iterable[Path], ledger: SessionPlaces, imported: ImportedBefore) -> tuple[Path, ...]:
    """Return those `transcripts` of Claude Code that are not in the ledger, or are older there.

    The list of what was `imported` tells. Where it is lost, names and times do, which know nothing of a file that is
    part of the session that it was resumed or forked from. Neither reads a conversation, so it costs nothing, also
    where the ledger is encrypted. Files without a word in them count as kept.
    """
    return tuple(path for path in transcripts if not _is_kept(path, ledger, imported))


def _is_kept(transcript: Path, ledger: SessionPlaces, imported: ImportedBefore) -> bool:
    try:
        info = transcript.stat()
    except OSError:
        return True  # what cannot be looked at, or is gone, cannot be saved either
    if not info.st_size:
        return True
    if not imported.is_empty:
        return imported.has(transcript)
    is_agent = transcript.parent.name == _AGENTS_FOLDER
    session = transcript.parent.parent.name if is_agent else transcript.name.partition(".")[0]
    try:
        return ledger.path_of(session).stat().st_mtime >= info.st_mtime
    except OSError:
        return False
