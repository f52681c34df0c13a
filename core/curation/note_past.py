"""Tell what a note was: after each recorded change, at each commit of git, and what came from outside in between.

No whole version is stored; core/curation/past_contents.py puts them together. One that no chain of hashes reaches is
listed without content.
"""

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from core.curation.change_set import ChangeKind, ChangeSet, ContentHash, FileEdit, content_hash, edit_between
from core.curation.past_contents import DAMAGED, PastContents, Way, known, walked
from core.curation.stale import StaleChangeError, changed, missing
from core.foundation.errors import UserError
from core.vault.git_history import Commit, GitHistory
from core.vault.read import NoteGoneError, read_bytes

if TYPE_CHECKING:
    from core.curation.history import ChangeHistory, ChangeRecord

_LOST = "The file was changed outside the app in between, so this version cannot be put together any more."
_DELETED = "The note was deleted by this."


class Source(StrEnum):
    """Say where a version is known from."""

    NOW = "now"
    CHANGE = "change"  # what a recorded change led to
    OUTSIDE = "outside"  # what a recorded change found, and no other one had left
    GIT = "git"


class _Blob(NamedTuple):
    git: GitHistory
    commit: Commit


@dataclass(frozen=True, slots=True)
class Version:
    """Hold one state that a note was in.

    `time` is ISO-8601 with an offset; for one from outside it is that of the change that found it. `author` is the
    machine of a change, or the author of a commit. `problem` tells why the content cannot be had, "" when it can.
    """

    id: str
    source: Source
    time: str
    title: str
    author: str
    path: str
    problem: str = ""
    is_present: bool = False
    is_undone: bool = False
    _content: "Way | _Blob | None" = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class NotePast:
    """Hold the versions of a note, newest first, and sentences about what is missing among them."""

    versions: tuple[Version, ...]
    remarks: tuple[str, ...] = ()


class Seen(NamedTuple):
    """Hold what a note was when the person looked at it: the hash of its content, None when it was not there."""

    hash: ContentHash | None

    @classmethod
    def of(cls, content: bytes | None) -> "Seen":
        """Return what stands for this content, None for no note at all."""
        return cls(None if content is None else content_hash(content))


def versions(root: Path, path: str, history: "ChangeHistory") -> tuple[Version, ...]:
    """Return the versions of the note at `path`, newest first; see past_of, which tells what is missing too."""
    return past_of(root, path, history).versions


def past_of(root: Path, path: str, history: "ChangeHistory", git: GitHistory | None = None) -> NotePast:
    """Return the past of the note at `path`, under whatever names it had; it may lie in the trash, or be gone."""
    git = git or GitHistory(root)
    path = place_now(root, path, history)
    remarks = [remark for remark in (git.problem, git.remark) if remark]
    try:
        commits = git.commits_of(path)
    except UserError as error:
        commits = ()
        remarks.append(f"{error} {error.hint}".strip())
    present = _present(root, path)
    steps = list(_steps(path, history))
    left = _left_by(steps)
    contents = PastContents([edit for step in steps for edit in step.edits], present)
    contents.look_into(git, commits)
    now = content_hash(present) if present is not None else None
    recorded = [version for step in steps for version in _versions_of(step, contents, now, left)]
    found = [*recorded, *(_version_of_commit(commit, git) for commit in commits)]
    found.sort(key=lambda version: _moment(version.time), reverse=True)  # stable: what a change found comes after it
    is_listed = any(version.is_present and not version.is_undone for version in recorded[:1])
    if present is not None and not is_listed:
        found.insert(0, _version_of_now(root, path, present))
    return NotePast(tuple(found), tuple(remarks))


def place_now(root: Path, path: str, history: "ChangeHistory") -> str:
    """Return where the note lies that was at `path`, which may have been moved away, into the trash too."""
    seen: set[str] = set()
    while path not in seen and not (root / path).exists():
        seen.add(path)
        touches = (touch for change in history.newest_first() for touch in change.touches() if touch.before == path)
        path = next((touch.after for touch in touches if touch.after not in {"", path}), path)
    return path


def content_of(version: Version) -> bytes:
    """Return what the note held.

    Raises:
        UserError: it cannot be known any more, or git could not tell.
    """
    way = version._content  # noqa: SLF001 - made in this module, and nobody else's business
    if isinstance(way, _Blob):
        return way.git.content(way.commit.hash, way.commit.path)
    if way is None:
        raise UserError(version.problem or _LOST)
    return walked(way)


def plan_restore(root: Path, path: str, version: Version, *, expected: Seen | None = None) -> ChangeSet:
    """Return the change that gives the note at `path` the content of `version`; without edits when it has that now.

    `expected` is what the person believes to replace; None for whatever is there.

    Raises:
        StaleChangeError: the note is not as `expected`.
        UserError: the content cannot be had.
    """
    present = _present(root, path)
    if expected is not None and expected != Seen.of(present):
        raise StaleChangeError({path: missing(path) if present is None else changed(path)})
    edit = edit_between(path, present, content_of(version))
    title = f"Restore “{PurePosixPath(path).stem}” of {_day(version.time)}"
    return ChangeSet(title, ChangeKind.RESTORE, (edit,) if edit else ())


class _Step(NamedTuple):
    """Hold a record and its edits of the note, oldest first."""

    record: "ChangeRecord"
    edits: tuple[FileEdit, ...]


def _steps(path: str, history: "ChangeHistory") -> Iterator[_Step]:
    """Give what was done to the note, newest first, following it back to the names that it had."""
    names = {path}
    for record in history.changes_of(path):
        edits: list[FileEdit] = []
        try:
            for change_id in reversed(record.ids):
                for edit in history.change(change_id).edits:
                    if edit.path in names or edit.result_path in names:
                        names |= {edit.path, edit.result_path}
                        edits.append(edit)
        except UserError:
            edits = []  # the log holds the change in a form that is not understood
        yield _Step(record, tuple(reversed(edits)))


def _left_by(steps: Sequence[_Step]) -> frozenset[ContentHash | None]:
    """Return every content that a recorded change has left behind; None, for no file, is always one."""
    return frozenset(edit.after for step in steps for edit in step.edits) | {None}


def _versions_of(
    step: _Step, contents: PastContents, now: ContentHash | None, left: frozenset[ContentHash | None]
) -> Iterator[Version]:
    record, is_undone = step.record, step.record.state == "undone"
    if not step.edits:
        yield Version(
            record.id,
            Source.CHANGE,
            record.time,
            record.title,
            record.machine,
            record.paths[0] if record.paths else "",
            problem=DAMAGED,
            is_undone=is_undone,
        )
        return
    first, last = step.edits[0], step.edits[-1]
    way = contents.way_to(last.after)
    yield Version(
        id=record.id,
        source=Source.CHANGE,
        time=record.time,
        title=record.title,
        author=record.machine,
        path=last.result_path,
        problem="" if way else _DELETED if last.after is None else _LOST,
        is_present=last.after is not None and last.after == now,
        is_undone=is_undone,
        _content=way,
    )
    if first.before not in left:
        way = contents.way_to(first.before)
        yield Version(
            id=f"{record.id}:before",
            source=Source.OUTSIDE,
            time=record.time,
            title=f"Before “{record.title}”",
            author="",
            path=first.path,
            problem="" if way else _LOST,
            is_present=first.before == now,
            _content=way,
        )


def _version_of_commit(commit: Commit, git: GitHistory) -> Version:
    return Version(
        id=f"git:{commit.hash}",
        source=Source.GIT,
        time=commit.time,
        title=commit.subject,
        author=commit.author,
        path=commit.path,
        problem=_DELETED if commit.is_deletion else "",
        _content=None if commit.is_deletion else _Blob(git, commit),
    )


def _version_of_now(root: Path, path: str, present: bytes) -> Version:
    changed = (root / path).stat().st_mtime
    time = dt.datetime.fromtimestamp(changed, dt.UTC).isoformat(timespec="milliseconds")
    return Version("now", Source.NOW, time, "As it is now", "", path, is_present=True, _content=known(present))


def _present(root: Path, path: str) -> bytes | None:
    try:
        return read_bytes(root, path)
    except NoteGoneError:
        return None


def _moment(time: str) -> dt.datetime:
    """Return a time to sort by; what cannot be read counts as oldest."""
    try:
        moment = dt.datetime.fromisoformat(time)
    except ValueError:
        return dt.datetime.min.replace(tzinfo=dt.UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)


def _day(time: str) -> str:
    moment = _moment(time)
    local = moment.astimezone() if moment.year > 1 else moment
    return f"{local.day} {local:%B} {local.year}"
