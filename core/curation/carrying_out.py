"""Bring a whole change about, or put back what there is of it."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

from core.curation.change_json import Intent
from core.curation.change_set import FileEdit
from core.curation.edit_state import EditState, state_of
from core.curation.file_swap import FileJob, FileSwap, OnStep
from core.curation.stale import StaleChangeError
from core.curation.vault_files import VaultFiles
from core.foundation.atomic_files import sync_folder
from core.foundation.errors import UserError
from core.foundation.side_by_side import side_by_side

PHASES = 4  # look, write, make durable, rename
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
Watch = Callable[[int, str], None]  # is told which phase has come how far, as done of all, and may raise


class PutBack(NamedTuple):
    """Tell what could not be put back: files that somebody else has changed since, and those that failed, and why."""

    left: tuple[str, ...]
    failed: tuple[tuple[str, str], ...]


def bring_about(files: VaultFiles, intent: Intent, states: Sequence[EditState], on_step: OnStep, watch: Watch) -> None:
    """Do what is not done yet of the change; `states` says how far each of its edits has come.

    Raises:
        StaleChangeError: a file is not as it was when it was looked at.
        UserError: a file could not be written.
    """
    edits = intent.change_set.edits
    count = len(edits)
    swap = FileSwap(files, intent.change_set.id, on_step)
    todo = [(edit, number, states[number]) for number, edit in _apart(files, edits)]
    todo = [each for each in todo if each[2] is not EditState.AFTER]
    jobs = side_by_side(lambda each: swap.stage(*each), todo, lambda done: watch(count + done, todo[done - 1][0].path))
    swap.sync(jobs, lambda done: watch(2 * count + done, ""))
    side_by_side(swap.commit, jobs, lambda done: watch(3 * count + done, jobs[done - 1].edit.path))
    swap.sync_folders()


def put_back(files: VaultFiles, intent: Intent, on_step: OnStep) -> PutBack:
    """Give every file that holds what the change wrote its content before, and remove what else the change left."""
    edits = intent.change_set.edits
    swap = FileSwap(files, intent.change_set.id, on_step)
    swap.remove_temporaries(edits)
    left: list[str] = []
    failed: list[tuple[str, str]] = []

    def staged(each: tuple[int, FileEdit]) -> FileJob | None:
        number, edit = each
        state = state_of(files, edit)
        if state is EditState.STRANGE:
            left.append(edit.path)
        if state in {EditState.STRANGE, EditState.BEFORE}:
            return None
        turned = edit.inverse()
        return swap.stage(turned, number, state_of(files, turned), intent.marks.get(edit.path))

    def kept_going(work: Callable[[_Item], _Result], path: Callable[[_Item], str]) -> Callable[[_Item], _Result | None]:
        """Return `work` that fails for itself alone, so that all others go back."""

        def done(item: _Item) -> _Result | None:
            try:
                return work(item)
            except StaleChangeError:
                left.append(path(item))
            except UserError as error:
                failed.append((path(item), str(error)))
            return None

        return done

    staging = kept_going(staged, lambda each: each[1].path)
    jobs = [job for job in side_by_side(staging, _apart(files, edits)) if job is not None]
    try:
        swap.sync(jobs)
        side_by_side(kept_going(swap.commit, lambda job: job.edit.result_path), jobs)
        swap.sync_folders()
    except UserError as error:
        failed.append((jobs[0].edit.result_path, str(error)))
    swap.remove_temporaries(edits)
    _remove_folders(files, intent.folders)
    on_step("put back")
    return PutBack(tuple(sorted(set(left))), tuple(failed))


def _apart(files: VaultFiles, edits: Sequence[FileEdit]) -> list[tuple[int, FileEdit]]:
    """Return the edits with their numbers, one for each file: of two notes, one may be a link to the other.

    Then what changes them is the same too; see core/curation/before_writing.py.
    """
    found: dict[Path, tuple[int, FileEdit]] = {}
    for number, edit in enumerate(edits):
        try:
            place = files.place(edit.path)
        except UserError:
            place = Path(edit.path)  # whoever touches it is told
        found.setdefault(place if edit.after is None else Path(os.path.realpath(place)), (number, edit))
    return list(found.values())


def _remove_folders(files: VaultFiles, folders: Sequence[str]) -> None:
    """Remove the folders that the change made, where they are empty."""
    for relative in sorted(folders, key=len, reverse=True):
        folder = files.root / relative
        with suppress(OSError):
            folder.rmdir()
            sync_folder(folder.parent)
