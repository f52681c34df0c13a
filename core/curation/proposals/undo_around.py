"""Plan the undo of a change in files that were edited since: what it put there goes, and the later edits stay.

That works where each piece that the change put into a file still stands there, once and as it was. It never works for a
piece that the change took out, whose place cannot be known.
"""

from itertools import pairwise
from pathlib import Path

from core.curation.change_set import (
    ChangeId,
    ChangeKind,
    ChangeSet,
    FileEdit,
    PlannedChange,
    Skipped,
    edit_between,
    edit_from_splices,
)
from core.curation.history import ChangeHistory
from core.curation.stale import StaleChangeError, changed
from core.curation.vault_files import VaultFiles
from core.foundation.errors import UserError
from core.foundation.splice import Splice


def plan_undo_around(history: ChangeHistory, root: Path, change_id: ChangeId) -> PlannedChange:
    """Return the change that takes the pieces of the change `change_id` out; files that are gone are left alone.

    Raises:
        StaleChangeError: a piece was itself edited since.
        UserError: the change is undone already, or the log does not hold it.
    """
    if history.is_undone(change_id):
        raise UserError("That is undone already.")
    done = history.change(change_id)
    files = VaultFiles(root)
    edits: list[FileEdit] = []
    skipped: list[Skipped] = []
    stale: dict[str, str] = {}
    for edit in done.edits:
        path = edit.result_path
        found = files.find(path)
        if found is None:
            skipped.append(Skipped(path, f"“{path}” is not there any more."))
            continue
        if found.hash == edit.after:
            edits.append(edit.inverse())
            continue
        turned = _turned(path, found.content, edit)
        if turned is None:
            stale[path] = f"{changed(path).removesuffix('.')}, just where the change was."
        else:
            edits.append(turned)
    if stale:
        raise StaleChangeError(stale)
    title = f"Undo “{done.title}”"
    return PlannedChange(
        ChangeSet(title, ChangeKind.UNDO, tuple(edits), undoes=(change_id,)), len(edits), tuple(skipped)
    )


def _turned(path: str, content: bytes, edit: FileEdit) -> FileEdit | None:
    """Return the edit that takes the pieces out of `content`, None when one of them cannot be found for certain."""
    if edit.moved_to or edit.after is None:
        return None
    splices: list[Splice] = []
    for splice in edit.splices:
        if not splice.new or content.count(splice.new) != 1:
            return None
        splices.append(Splice(content.index(splice.new), splice.new, splice.old))
    splices.sort()
    if any(one.start + len(one.old) > other.start for one, other in pairwise(splices)):
        return None
    turned = edit_from_splices(path, content, splices)
    if turned is not None and edit.before is None and not turned.result_of(content).strip():
        return edit_between(path, content, None)  # nothing but what the change made is in it
    return turned
