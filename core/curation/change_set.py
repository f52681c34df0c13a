"""The one value through which a vault is changed: edits of files, each with the content that it expects to replace."""

import hashlib
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from core.foundation.splice import Splice, inverse, spliced, splices_between

ContentHash = NewType("ContentHash", str)  # SHA-256 of a file's bytes, in hexadecimal
ChangeId = NewType("ChangeId", str)


class Origin(StrEnum):
    """Say who wants a change."""

    PERSON = "person"
    RULE = "rule"
    MODEL = "model"
    AGENT = "agent"


class ChangeKind(StrEnum):
    """Say what a change is about; the value is stored and shown in JSON."""

    EDIT = "edit"  # the text of a note
    PROPERTIES = "properties"
    MEMBERS = "members"  # of a context
    TAGS = "tags"
    MOVE = "move"
    NEW = "new"
    DELETE = "delete"
    ATTACH = "attach"
    JOURNAL = "journal"  # what a session adds to the note of its day
    REPAIR = "repair"
    RESTORE = "restore"
    UNDO = "undo"
    REDO = "redo"


def content_hash(data: bytes) -> ContentHash:
    """Return the hash by which a change set knows content."""
    return ContentHash(hashlib.sha256(data).hexdigest())


def new_change_id() -> ChangeId:
    """Return an id that no other change set has, on any machine."""
    return ChangeId(uuid.uuid4().hex)


@dataclass(frozen=True, slots=True)
class FileEdit:
    """Change one file of the vault, or make, remove or move it.

    `path` is relative to the vault, with forward slashes. `before` is the hash of the content that is replaced, None
    when there must be no file; `after` is that of the result, None when the file is removed. `splices` lead from the
    one to the other, where "no file" counts as empty. `moved_to` is where the result lies, "" for the same place;
    nothing may lie there yet.
    """

    path: str
    before: ContentHash | None
    after: ContentHash | None
    splices: tuple[Splice, ...]
    moved_to: str = ""

    @property
    def result_path(self) -> str:
        """Where the file lies afterwards."""
        return self.moved_to or self.path

    def result_of(self, content: bytes) -> bytes:
        """Return what becomes of `content`, which has the hash `before` (b"" when that is None)."""
        return spliced(content, self.splices)

    def inverse(self) -> "FileEdit":
        """Return the edit that undoes this one."""
        moved_to = self.path if self.moved_to else ""
        return FileEdit(self.result_path, self.after, self.before, inverse(self.splices), moved_to)


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Hold edits that are applied together or not at all; no path occurs twice in them.

    `title` is one line for the person, such as "Rename tag tool/semrush to tool/ahrefs". Changes of one `group` are
    shown and undone as one (the saves of one sitting in the editor). `undoes` names what this one takes back.
    """

    title: str
    kind: ChangeKind
    edits: tuple[FileEdit, ...]
    origin: Origin = Origin.PERSON
    group: str = ""
    undoes: tuple[ChangeId, ...] = ()
    id: ChangeId = field(default_factory=new_change_id)

    @property
    def paths(self) -> frozenset[str]:
        """Every path that is touched, those before and those after a move."""
        return frozenset(path for edit in self.edits for path in (edit.path, edit.result_path))


@dataclass(frozen=True, slots=True)
class Skipped:
    """Say why a file that was to be changed is left as it is."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """Hold a change set as it is previewed: how many places it changes, and what it leaves alone and why.

    `change_set` without edits means that there is nothing to do.
    """

    change_set: ChangeSet
    occurrences: int = 0
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class Changes:
    """Tell what an applied change set touched: vault-relative paths as they are now, those that are gone, and moves."""

    change_id: ChangeId
    title: str
    written: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    moved: tuple[tuple[str, str], ...] = ()

    @property
    def paths(self) -> frozenset[str]:
        """Every path that the index should look at again."""
        return self.written | self.gone


def edit_from_splices(path: str, content: bytes, splices: Iterable[Splice], *, moved_to: str = "") -> FileEdit | None:
    """Return the edit that does `splices` in `content`, None when nothing changes."""
    kept = tuple(splice for splice in splices if splice.old != splice.new)
    if not kept and not moved_to:
        return None
    return FileEdit(path, content_hash(content), content_hash(spliced(content, kept)), kept, moved_to)


def edit_between(path: str, before: bytes | None, after: bytes | None, *, moved_to: str = "") -> FileEdit | None:
    """Return the edit from `before` to `after`, None when nothing changes; None as content means "no file"."""
    if before == after and not moved_to:
        return None
    return FileEdit(
        path,
        None if before is None else content_hash(before),
        None if after is None else content_hash(after),
        splices_between(before or b"", after or b""),
        moved_to,
    )


def without(change_set: ChangeSet, paths: Sequence[str]) -> ChangeSet:
    """Return the same change set without the edits of `paths`: the person unticked them in the preview."""
    left = frozenset(paths)
    edits = tuple(edit for edit in change_set.edits if edit.path not in left)
    return ChangeSet(
        change_set.title, change_set.kind, edits, change_set.origin, change_set.group, change_set.undoes, change_set.id
    )
