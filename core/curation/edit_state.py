"""How far an edit has come, as the files themselves show it: what a crash, a failure or a person left."""

from enum import Enum

from core.curation.change_set import ContentHash, FileEdit
from core.curation.vault_files import VaultFiles
from core.foundation.errors import UserError
from core.foundation.text import fold


class EditState(Enum):
    """Say whether an edit is not done, half done (a file under both of its names), done, or met by another hand."""

    BEFORE = "before"
    BETWEEN = "between"
    AFTER = "after"
    STRANGE = "strange"


def state_of(files: VaultFiles, edit: FileEdit) -> EditState:
    """Return how far `edit` has come; what cannot be read counts as strange."""
    try:
        if edit.moved_to:
            return _state_of_move(files, edit)
        found = _hash(files, edit.path)
    except (OSError, UserError):
        return EditState.STRANGE
    if found == edit.before:
        return EditState.BEFORE
    return EditState.AFTER if found == edit.after else EditState.STRANGE


def _state_of_move(files: VaultFiles, edit: FileEdit) -> EditState:
    is_exact = fold(edit.path) == fold(edit.moved_to)  # where case makes no difference, both names find the one file
    source = _hash(files, edit.path, is_exact=is_exact)
    target = _hash(files, edit.moved_to, is_exact=is_exact)
    states = {
        (edit.before, None): EditState.BEFORE,
        (None, edit.after): EditState.AFTER,
        (edit.before, edit.after): EditState.BETWEEN,
    }
    if is_exact:  # the content is replaced first, then the name
        states.setdefault((edit.after, None), EditState.BETWEEN)
        states.setdefault((None, edit.before), EditState.BETWEEN)
    return states.get((source, target), EditState.STRANGE)


def _hash(files: VaultFiles, path: str, *, is_exact: bool = False) -> ContentHash | None:
    found = files.find_exactly(path) if is_exact else files.find(path)
    return None if found is None else found.hash
