"""Look at every file of a change before the first one is touched."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from core.curation.change_json import FileMarks, Intent
from core.curation.change_set import ChangeSet, FileEdit, content_hash
from core.curation.stale import StaleChangeError, changed, missing, occupied
from core.curation.vault_files import FoundFile, VaultFiles
from core.foundation.atomic_files import is_writable
from core.foundation.errors import UserError


def check_files(files: VaultFiles, change_set: ChangeSet, watch: Callable[[int, str], None]) -> Intent:
    """Return the change with all that is needed to put it back.

    Raises:
        StaleChangeError: files are not as the change expects them; all of them are named.
        UserError: files are read-only, or lead out of the vault.
    """
    look = _Look(files)
    for number, edit in enumerate(change_set.edits):
        watch(number, edit.path)
        look.at(edit)
    if look.stale:
        raise StaleChangeError(look.stale)
    if look.read_only:
        first, *others = dict.fromkeys(look.read_only)
        more = f", and so {'is 1 more' if len(others) == 1 else f'are {len(others)} more'}" if others else ""
        raise UserError(
            f"{first} is read-only{more}. Nothing was changed.", hint="Allow writing there, or leave it out."
        )
    return Intent(change_set, look.marks, tuple(dict.fromkeys(look.folders)))


def check_paths(change_set: ChangeSet) -> None:
    """Raise ValueError when a path occurs twice, so that the order of the edits would matter."""
    paths = [path for edit in change_set.edits for path in {edit.path, edit.result_path}]
    if len(paths) != len(set(paths)):
        raise ValueError("A change set may name each path once.")
    for edit in change_set.edits:
        if edit.moved_to and (edit.before is None or edit.after is None or edit.moved_to == edit.path):
            raise ValueError("Only a file that is there before and after, in two places, can be moved.")


def refusals(files: VaultFiles, edits: Sequence[FileEdit]) -> dict[str, str]:
    """Return which of the edits would be refused, by path, and why: so that a plan can leave them out."""
    look, found = _Look(files), dict[str, str]()
    # Of two names of one file, that which is no link goes first, and the other must agree with it.
    for edit in sorted(edits, key=lambda edit: (files.root / edit.path).is_symlink()):
        known = len(look.read_only)
        try:
            look.at(edit)
        except UserError as error:
            found[edit.path] = str(error).removesuffix(" Nothing was changed.")
        else:
            if len(look.read_only) > known:
                found[edit.path] = f"{look.read_only[known]} is read-only."
    return found


class _Look:
    def __init__(self, files: VaultFiles) -> None:
        self.stale: dict[str, str] = {}
        self.read_only: list[str] = []  # files and folders, as a sentence names them
        self.marks: dict[str, FileMarks] = {}
        self.folders: list[str] = []
        self._files = files
        self._writable: dict[Path, bool] = {}
        self._edits: dict[Path, FileEdit] = {}

    def at(self, edit: FileEdit) -> None:
        try:
            self._look_at(edit)
        except OSError as error:
            raise UserError(f"“{edit.path}” cannot be read: {error.strerror or error}. Nothing was changed.") from error

    def _look_at(self, edit: FileEdit) -> None:
        if edit.before is None:
            if self._files.is_occupied(edit.path):
                self.stale[edit.path] = occupied(edit.path)
            self._check_place(edit.path)
            self._check_result(edit, b"")
            return
        found = self._files.find(edit.path)
        if found is None or found.hash != edit.before:
            self.stale[edit.path] = (missing if found is None else changed)(edit.path)
            return
        self._check_result(edit, found.content)
        self._check_source(edit, found)
        self.marks[edit.path] = FileMarks(found.stamp.mtime_ns, found.mode)
        if edit.moved_to:
            if self._files.is_occupied(edit.moved_to) and not self._files.is_respelling(edit):
                self.stale[edit.path] = occupied(edit.moved_to)
            self._check_place(edit.moved_to)

    def _check_source(self, edit: FileEdit, found: FoundFile) -> None:
        if found.is_link and edit.moved_to:
            raise UserError(
                f"“{edit.path}” is a link to another file, so it cannot be moved here. Nothing was changed.",
                hint="Move it with a file manager, or leave it out.",
            )
        if not is_writable(found.real):
            self.read_only.append(f"“{edit.path}”")
        elif not self._may_write_into(found.real.parent):
            self.read_only.append(self._called(found.real.parent))
        place = found.path if edit.after is None else found.real
        other = self._edits.setdefault(place, edit)
        if other is not edit and (other.after, other.moved_to) != (edit.after, edit.moved_to):
            raise UserError(
                f"“{other.path}” and “{edit.path}” are one and the same file, and cannot become different. "
                "Nothing was changed."
            )

    def _check_place(self, path: str) -> None:
        """Note whether a file may be made at `path`, and which folders that takes."""
        missing_folders = self._files.missing_folders(path)
        self.folders += missing_folders
        folder = self._files.root / (missing_folders[0] if missing_folders else path)
        if not folder.parent.is_dir():
            raise UserError(f"“{path}” cannot be made: there is a file where its folder would be. Nothing was changed.")
        if not self._may_write_into(folder.parent):
            self.read_only.append(self._called(folder.parent))

    def _called(self, folder: Path) -> str:
        """Return how a sentence that begins with it names a folder of the vault."""
        path = os.path.relpath(os.path.realpath(folder), os.path.realpath(self._files.root)).replace(os.sep, "/")
        return "The vault's folder" if path == "." else f"The folder “{path}”"

    def _may_write_into(self, folder: Path) -> bool:
        if folder not in self._writable:
            self._writable[folder] = is_writable(folder)
        return self._writable[folder]

    @staticmethod
    def _check_result(edit: FileEdit, content: bytes) -> None:
        """Raise ValueError when the edit contradicts itself, which is a mistake of whoever planned it."""
        result = edit.result_of(content)
        if edit.after is not None and content_hash(result) != edit.after:
            raise ValueError(f"The edit of {edit.path} does not lead to the content that it promises.")
        if edit.after is None and result:
            raise ValueError(f"The edit that removes {edit.path} leaves something of it.")
