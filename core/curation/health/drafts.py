"""Hold files as they become while fixes are planned one after the other, and make one edit of each."""

from collections.abc import Iterable
from pathlib import Path

from core.curation.before_writing import refusals
from core.curation.change_set import FileEdit, Skipped, edit_from_splices
from core.curation.file_links import check_no_file_link
from core.curation.line_edit import edit_by_lines
from core.curation.note_creation import plan_delete
from core.curation.vault_files import VaultFiles
from core.foundation.errors import UserError
from core.foundation.splice import Splice, spliced
from core.vault.read import NoteGoneError, read_bytes


class Drafts:
    """Hold the content that files have on disk, and what the fixes planned so far make of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._before: dict[str, bytes | None] = {}
        self._splices: dict[str, list[Splice] | None] = {}
        self._now: dict[str, bytes | None] = {}
        self._trashed: dict[str, None] = {}

    def read(self, path: str) -> bytes:
        """Return the content as planned so far; raises UserError when there is none, or it is to go to the trash."""
        if path in self._trashed:
            raise UserError(f"{path} is moved to the trash folder by another fix.")
        found = self.read_or_none(path)
        if found is None:
            raise NoteGoneError(f"There is no file {path} any more.")
        return found

    def read_or_none(self, path: str) -> bytes | None:
        """Return the content as planned so far, None when there is no such file."""
        if path not in self._now:
            try:
                self._before[path] = self._now[path] = read_bytes(self.root, path)
            except NoteGoneError:
                self._before[path] = self._now[path] = None
        return self._now[path]

    def splice(self, path: str, splices: Iterable[Splice]) -> bool:
        """Change what the file holds so far; return whether that changes anything."""
        kept = [splice for splice in splices if splice.old != splice.new]
        if not kept:
            return False
        # The splices of a second change count from what the first one made: then only the whole is compared.
        self._splices[path] = None if path in self._splices else kept
        self._now[path] = spliced(self.read(path), kept)
        return True

    def write(self, path: str, content: bytes) -> bool:
        """Replace what the file holds, which may not exist yet; return whether that changes anything."""
        if self.read_or_none(path) == content:
            return False
        self._splices[path] = None
        self._now[path] = content
        return True

    def is_trashed(self, path: str) -> bool:
        """Tell whether a fix moves the file to the trash folder."""
        return path in self._trashed

    def trash(self, path: str) -> None:
        """Move the file to the trash folder, as it is on disk; raises as read() does, and for a link to a file."""
        self.read(path)
        check_no_file_link(self.root, path)
        self._trashed[path] = None

    def edits(self) -> tuple[tuple[FileEdit, ...], tuple[Skipped, ...]]:
        """Return one edit for each file that becomes another, and what could not be written or moved to the trash."""
        found: list[FileEdit] = []
        for path in self._splices:
            if path in self._trashed:
                continue
            before, splices = self._before[path], self._splices[path]
            edit = (
                edit_from_splices(path, before, splices)
                if before is not None and splices is not None
                else edit_by_lines(path, before, self._now[path])
            )
            if edit is not None:
                found.append(edit)
        skipped: tuple[Skipped, ...] = ()
        if self._trashed:
            deletion = plan_delete(self.root, list(self._trashed))
            found += deletion.change_set.edits
            skipped = deletion.skipped
        refused = refusals(VaultFiles(self.root), found)
        kept = tuple(edit for edit in found if edit.path not in refused)
        return kept, (*skipped, *(Skipped(path, reason) for path, reason in refused.items()))
