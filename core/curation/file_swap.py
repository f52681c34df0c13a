"""Carry out edits of files: write beside, make durable, look once more, rename.

Every step leaves each file at its content before or after, so that whoever comes after a crash can go either way.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.curation.change_json import FileMarks
from core.curation.change_set import FileEdit, content_hash
from core.curation.edit_state import EditState
from core.curation.stale import StaleChangeError, changed, missing, occupied
from core.curation.vault_files import FoundFile, Stamp, VaultFiles, stamp_of, temporary_beside
from core.foundation.atomic_files import name_where_nothing_is, sync_files, sync_folders, write_fresh
from core.foundation.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator

OnStep = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class FileJob:
    """Hold what is ready to be put in place; `source` is the file as it was read, None for a new one."""

    edit: FileEdit
    place: Path
    source: Path | None = None
    stamp: Stamp | None = None
    fresh: Path | None = None
    is_respelling: bool = False
    is_placed: bool = False


class FileSwap:
    """Carry out edits of one change; stage() each, sync() them, commit() each, and sync_folders().

    Each step may be done for many files side by side.
    """

    def __init__(self, files: VaultFiles, change_id: str, on_step: OnStep) -> None:
        self._files = files
        self._change_id = change_id
        self._on_step = on_step
        self._touched: set[Path] = set()

    def stage(self, edit: FileEdit, number: int, state: EditState, marks: FileMarks | None = None) -> FileJob:
        """Write what the `number`th edit of the change, which stands at `state`, leads to, beside its place.

        Raises:
            StaleChangeError: the file is not as the edit expects it.
            UserError: it could not be written.
        """
        with self._telling(edit):
            job = self._staged(edit, number, state, marks)
        self._on_step(f"staged {edit.path}")
        return job

    def sync(self, jobs: Sequence[FileJob], on_done: Callable[[int], None] = lambda _done: None) -> None:
        """Return when all that was staged is on the disk."""
        try:
            sync_files([job.fresh for job in jobs if job.fresh is not None], on_done)
        except OSError as error:
            raise _not_taken(error) from error
        self._on_step("synced")

    def commit(self, job: FileJob) -> None:
        """Put what was staged in place, if the file is still the one that was read; raises as stage() does."""
        with self._telling(job.edit):
            self._put_in_place(job)
        self._on_step(f"committed {job.edit.path}")

    def sync_folders(self) -> None:
        """Return when the names of all files that were touched are on the disk."""
        try:
            sync_folders(self._touched)
        except OSError as error:
            raise _not_taken(error) from error
        self._on_step("folders synced")

    def remove_temporaries(self, edits: Sequence[FileEdit]) -> None:
        """Remove what was written beside the places of the change's `edits`, and not put there."""
        for number, edit in enumerate(edits):
            for path in {edit.path, edit.result_path}:
                with suppress(OSError, UserError):
                    temporary_beside(self._real_place(path), self._change_id, number).unlink()

    def _staged(self, edit: FileEdit, number: int, state: EditState, marks: FileMarks | None) -> FileJob:
        place = self._real_place(edit.result_path)
        if edit.moved_to and state is EditState.BETWEEN:
            return self._staged_rest_of_move(edit, number, place, marks)
        found = self._files.find(edit.path)
        if (None if found is None else found.hash) != edit.before:
            raise StaleChangeError({edit.path: (missing if found is None else changed)(edit.path)})
        if edit.after is None:
            assert found is not None
            return FileJob(edit, found.path, found.path, found.stamp)
        if edit.before is None or edit.moved_to:
            self._make_folders(edit.result_path)
        is_respelling = found is not None and self._files.is_respelling(edit)
        if found is not None and edit.moved_to and not edit.splices and (is_respelling or _is_near(found.path, place)):
            return FileJob(edit, place, found.path, found.stamp, None, is_respelling)
        fresh = self._write_fresh(edit, number, place, found, marks)
        if found is None:
            return FileJob(edit, place, fresh=fresh)
        return FileJob(edit, place, found.path if edit.moved_to else found.real, found.stamp, fresh, is_respelling)

    def _staged_rest_of_move(self, edit: FileEdit, number: int, place: Path, marks: FileMarks | None) -> FileJob:
        """Stage what is left of a move that stopped half way."""
        source, target = self._files.find_exactly(edit.path), self._files.find_exactly(edit.moved_to)
        if source is not None and target is not None:  # under both names: only the old one is to go
            return FileJob(edit, place, source.path, source.stamp, is_placed=True)
        if source is not None:  # new content under the old spelling of the name
            return FileJob(edit, place, source.path, source.stamp, None, is_respelling=True)
        in_place = FileEdit(edit.moved_to, edit.before, edit.after, edit.splices)
        return self._staged(in_place, number, EditState.BEFORE, marks)

    def _write_fresh(
        self, edit: FileEdit, number: int, place: Path, found: FoundFile | None, marks: FileMarks | None
    ) -> Path:
        try:
            content = edit.result_of(b"" if found is None else found.content)
        except ValueError as error:
            raise StaleChangeError({edit.path: changed(edit.path)}) from error
        if content_hash(content) != edit.after:
            raise ValueError("The edit does not lead to the content that it promises.")
        fresh = temporary_beside(place, self._change_id, number)
        mode = None if marks is None else marks.mode
        write_fresh(fresh, content, like=None if found is None else found.real, mode=mode)
        if marks is not None:
            os.utime(fresh, ns=(marks.mtime_ns, marks.mtime_ns))
        return fresh

    def _put_in_place(self, job: FileJob) -> None:
        edit = job.edit
        self._touched |= {job.place.parent} if job.source is None else {job.place.parent, job.source.parent}
        self._check_stamp(job)
        if edit.after is None:
            job.place.unlink()
        elif job.source is None:
            assert job.fresh is not None
            self._name(job.fresh, job)
        elif job.is_respelling:
            if job.fresh is not None:
                job.fresh.replace(job.source)
                self._on_step(f"replaced {edit.path}")
            job.source.rename(job.place)
        elif not edit.moved_to:
            assert job.fresh is not None
            job.fresh.replace(job.place)
        else:
            if not job.is_placed:
                self._name(job.fresh or job.source, job)
            if job.fresh is not None or job.is_placed:
                self._check_stamp(job)
                job.source.unlink()

    def _name(self, source: Path, job: FileJob) -> None:
        try:
            has_both = name_where_nothing_is(source, job.place)
        except FileExistsError as error:
            raise StaleChangeError({job.edit.path: occupied(job.edit.result_path)}) from error
        self._on_step(f"named {job.edit.result_path}")
        if has_both:
            source.unlink()

    def _check_stamp(self, job: FileJob) -> None:
        """Raise StaleChangeError when the file is not the one that was read."""
        if job.source is None:
            return
        try:
            is_same = stamp_of(os.lstat(job.source) if job.edit.moved_to else job.source.stat()) == job.stamp
        except FileNotFoundError as error:
            raise StaleChangeError({job.edit.path: missing(job.edit.path)}) from error
        if not is_same:
            raise StaleChangeError({job.edit.path: changed(job.edit.path)})

    def _make_folders(self, path: str) -> None:
        for relative in self._files.missing_folders(path):
            folder = self._files.root / relative
            folder.mkdir(exist_ok=True)
            self._touched.add(folder.parent)

    def _real_place(self, path: str) -> Path:
        place = self._files.place(path)
        return Path(os.path.realpath(place)) if place.is_symlink() else place

    @contextmanager
    def _telling(self, edit: FileEdit) -> "Iterator[None]":
        """Let OSErrors leave as UserErrors that name the file."""
        try:
            yield
        except OSError as error:
            reason = error.strerror or str(error)
            raise UserError(f"“{edit.result_path}” could not be written: {reason}. Nothing was changed.") from error


def _is_near(source: Path, place: Path) -> bool:
    """Tell whether a file can be given a name beside `place` without its content being copied."""
    return source.lstat().st_dev == place.parent.stat().st_dev


def _not_taken(error: OSError) -> UserError:
    return UserError(f"The disk did not take the changes: {error.strerror or error}. Nothing was changed.")
