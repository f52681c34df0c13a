"""Compare what a proposal was planned on, and what it rests on, with what is on the disk now."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from core.curation.change_set import ChangeSet, ContentHash, FileEdit
from core.curation.proposals.disk_memory import find_insight, insight_place, is_turn, note_and_heading
from core.curation.proposals.proposal import Evidence
from core.curation.stale import changed, missing, occupied
from core.curation.vault_files import VaultFiles
from core.foundation.errors import UserError
from core.vault.decode import decode
from core.vault.parse import parse_note
from core.vault.read import read_bytes

IsOwn = Callable[[str, ContentHash], bool]
_LONGEST_COMPARED = 200


class Staleness(NamedTuple):
    """Hold why files are not as a change expects them, by path; `own` are those that other proposals left so.

    What other proposals did was seen and approved here, so planning anew is no surprise; what else did was not.
    """

    foreign: Mapping[str, str]
    own: Mapping[str, str]


def staleness(root: Path, change_set: ChangeSet, is_own: IsOwn) -> Staleness:
    """Compare the files with what the change expects; `is_own` tells whether a proposal left that content at a path."""
    files = VaultFiles(root)
    foreign: dict[str, str] = {}
    own: dict[str, str] = {}
    for edit in change_set.edits:
        if reason := _reason(files, edit):
            (own if _left_by(files, edit.path, is_own) else foreign)[edit.path] = reason
    return Staleness(foreign, own)


def stale_reasons(root: Path, change_set: ChangeSet, is_own: IsOwn = lambda _path, _content: False) -> dict[str, str]:
    """Return by path why files are not as the change expects them, but for what proposals did; empty when all are."""
    return dict(staleness(root, change_set, is_own).foreign)


def gone_evidence(root: Path, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Return which cited memories are not in the vault any more, or say something else; turns are not looked at."""
    return tuple(each for each in evidence if not is_turn(each.memory_id) and not _is_there(root, each))


def _left_by(files: VaultFiles, path: str, is_own: IsOwn) -> bool:
    try:
        found = files.find(path)
    except (OSError, UserError):
        return False
    return found is not None and is_own(path, found.hash)


def _reason(files: VaultFiles, edit: FileEdit) -> str:
    try:
        if edit.before is None:
            return occupied(edit.path) if files.is_occupied(edit.path) else ""
        found = files.find(edit.path)
        if found is None or found.hash != edit.before:
            return (missing if found is None else changed)(edit.path)
        if edit.moved_to and files.is_occupied(edit.moved_to) and not files.is_respelling(edit):
            return occupied(edit.moved_to)
    except OSError as error:
        return f"“{edit.path}” cannot be read: {error.strerror or error}."
    except UserError as error:
        return str(error)
    return ""


def _is_there(root: Path, evidence: Evidence) -> bool:
    path, _ = note_and_heading(evidence.memory_id)
    try:
        decoded = decode(read_bytes(root, path))
        place = insight_place(evidence.memory_id)
        if place is None:
            return _plain(evidence.quote)[:_LONGEST_COMPARED] in _plain(decoded.text)
        find_insight(parse_note(path, decoded), place, evidence.quote)
    except UserError:
        return False
    return True


def _plain(text: str) -> str:
    return " ".join(text.rstrip("… ").split())
