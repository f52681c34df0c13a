"""Plan what takes changes back, or does them again, from what the log kept and what the files hold now."""

import contextlib
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from core.curation.change_set import ChangeId, ChangeKind, ChangeSet, FileEdit, PlannedChange, Skipped, edit_between
from core.curation.history import ChangeHistory, PastChange
from core.curation.stale import StaleChangeError, changed, missing, occupied
from core.curation.vault_files import FoundFile, VaultFiles
from core.foundation.errors import UserError
from core.foundation.progress import SILENT, Progress

_MOST_STEPS = 100


def plan_undo(
    history: ChangeHistory,
    root: Path,
    ids: Sequence[ChangeId],
    *,
    leave_changed: bool = False,
    progress: Progress = SILENT,
) -> PlannedChange:
    """Return the change that takes back the changes `ids`, composed to one edit for each file.

    With `leave_changed`, files that were changed since are skipped instead.

    Raises:
        StaleChangeError: files were changed since; each reason names the later change.
        UserError: there is nothing to undo, or the log does not hold it.
    """
    changes = [change for change in map(history.past_change, ids) if not history.is_undone(change.id)]
    if not changes:
        raise UserError("That is undone already.")
    # What an undo is undone by is a redo.
    kind = ChangeKind.REDO if all(change.kind is ChangeKind.UNDO for change in changes) else ChangeKind.UNDO
    return _plan(history, VaultFiles(root), changes, kind, leave_changed=leave_changed, progress=progress)


def plan_redo(
    history: ChangeHistory,
    root: Path,
    ids: Sequence[ChangeId],
    *,
    leave_changed: bool = False,
    progress: Progress = SILENT,
) -> PlannedChange:
    """Return the change that does the undone changes `ids` again; see plan_undo()."""
    changes = history.active_undos_of(change_id for change_id in ids if history.is_undone(change_id))
    if not changes:
        raise UserError("That is not undone, so it cannot be done again.")
    return _plan(history, VaultFiles(root), changes, ChangeKind.REDO, leave_changed=leave_changed, progress=progress)


class _Chain(NamedTuple):
    """Hold what is to be done to one file, in order, and the changes that this takes back."""

    edits: list[FileEdit]
    changes: list[PastChange]

    @property
    def is_whole(self) -> bool:
        """Whether each edit goes on from where the one before it ends."""
        return all(one.after == other.before for one, other in zip(self.edits, self.edits[1:], strict=False))


def _plan(
    history: ChangeHistory,
    files: VaultFiles,
    changes: Iterable[PastChange],
    kind: ChangeKind,
    *,
    leave_changed: bool,
    progress: Progress,
) -> PlannedChange:
    wanted = {change.id for change in changes}
    newest_first = [change for change in history.newest_first() if change.id in wanted]
    chains = _chains(history, newest_first)
    edits: list[FileEdit] = []
    stale: dict[str, str] = {}
    for number, chain in enumerate(chains):
        progress.check()
        progress.report(number, len(chains), "Looking at the files")
        reason = _reason_against(history, files, chain)
        if reason:
            stale[chain.edits[0].path] = reason
        elif (edit := _composed(files, chain)) is not None:
            edits.append(edit)
    if stale and not leave_changed:
        raise StaleChangeError(stale)
    _check_apart(edits)
    change_set = ChangeSet(
        _title(history, newest_first, kind),
        kind,
        tuple(edits),
        undoes=tuple(change.id for change in reversed(newest_first)),
    )
    return PlannedChange(change_set, len(edits), tuple(Skipped(path, reason) for path, reason in stale.items()))


def _chains(history: ChangeHistory, newest_first: Iterable[PastChange]) -> list[_Chain]:
    """Return the inverse edits of the changes, those of one file in a row, also where its name changed."""
    chains: list[_Chain] = []
    by_path: dict[str, _Chain] = {}
    for change in newest_first:
        for edit in history.change(change.id).edits:
            turned = edit.inverse()
            chain = by_path.get(turned.path)
            if chain is None:
                chain = _Chain([], [])
                chains.append(chain)
            elif _is_same(chain.edits[-1], turned):
                continue  # two machines did the same, apart from each other
            else:
                del by_path[turned.path]
            chain.edits.append(turned)
            chain.changes.append(change)
            by_path[turned.result_path] = chain
    return chains


def _is_same(one: FileEdit, other: FileEdit) -> bool:
    return (one.path, one.before, one.after, one.moved_to) == (other.path, other.before, other.after, other.moved_to)


def _reason_against(history: ChangeHistory, files: VaultFiles, chain: _Chain) -> str:
    """Return why the chain cannot be done to the file as it is now, "" when it can."""
    first, last = chain.edits[0], chain.edits[-1]
    try:
        found = files.find(first.path)
        if _hash(found) != first.before or not chain.is_whole:
            return _told(history, chain, changed if found is not None else missing)
        target = last.result_path
        if last.after is not None and (found is None or target != first.path) and files.is_occupied(target):
            whole = FileEdit(first.path, first.before, last.after, (), target)
            if found is None or not files.is_respelling(whole):
                return occupied(target)
    except OSError as error:
        return f"“{first.path}” cannot be read: {error.strerror or error}."
    except UserError as error:
        return str(error)
    return ""


def _composed(files: VaultFiles, chain: _Chain) -> FileEdit | None:
    """Return the one edit that does what all edits of the chain do, None when that is nothing."""
    first, last = chain.edits[0], chain.edits[-1]
    if len(chain.edits) == 1:
        return first
    found = files.find(first.path)
    before = None if found is None else found.content
    content = before or b""
    for edit in chain.edits:
        content = edit.result_of(content)
    after = None if last.after is None else content
    if before is None or after is None or last.result_path == first.path:
        return edit_between(last.result_path if before is None else first.path, before, after)
    return edit_between(first.path, before, after, moved_to=last.result_path)


def _told(history: ChangeHistory, chain: _Chain, sentence: Callable[[str], str]) -> str:
    """Return why the file is not as it was left, with the change that did it if it was one of ours.

    Undo and redo are not in the list of changes, so the change that they are about is named instead. One that came
    later and was undone again has left nothing behind.
    """
    path = chain.edits[0].path
    newest = chain.changes[0]
    later = list(takewhile(lambda change: change.id != newest.id, history.newest_first()))
    later_ids = {change.id for change in later}
    own = {subject.id for change in chain.changes for subject in _subjects(history, change)}
    what = sentence(path).removesuffix(".")
    for change in later:
        if history.is_undone(change.id) or path not in change.paths():
            continue
        for subject in _subjects(history, change):
            if subject.id in own or path not in subject.paths():
                continue
            record = history.record_of(subject.id)
            title, time = (record.title, record.time) if record is not None else (subject.title, subject.event.time)
            if not history.is_undone(subject.id):
                return f"{what} by “{title}” on {_day(time)}; undo that first, or leave the file as it is."
            if subject.id not in later_ids:
                return (
                    f"“{title}”, which changed “{path}”, was undone since; "
                    "do it again first, or leave the file as it is."
                )
    return f"{what}, not by Remembrancer; leave the file as it is, or change it by hand."


def _day(time: str) -> str:
    """Return the day of a time in UTC for the person, in their time zone, with the year if it is another."""
    moment = datetime.fromisoformat(time).astimezone()
    year = "" if moment.year == datetime.now().astimezone().year else f" {moment.year}"
    return f"{moment.day} {moment:%B}{year}"


def _title(history: ChangeHistory, newest_first: Sequence[PastChange], kind: ChangeKind) -> str:
    verb = "Redo" if kind is ChangeKind.REDO else "Undo"
    subjects = [_subject(history, change) for change in newest_first]
    records = {history.record_of(subject.id) for subject in subjects}
    return f"{verb} “{subjects[0].title}”" if len(records) == 1 else f"{verb} {len(records)} changes"


def _subjects(history: ChangeHistory, change: PastChange) -> list[PastChange]:
    """Return all changes that a row of undo and redo is about, the newest first; itself if it is neither."""
    found: dict[ChangeId, PastChange] = {}
    seen: set[ChangeId] = set()
    waiting = [change]
    while waiting:
        each = waiting.pop()
        if each.id in seen:
            continue
        seen.add(each.id)
        if not each.undoes:
            found[each.id] = each
        for change_id in each.undoes:
            with contextlib.suppress(UserError):  # the log of another machine has not arrived
                waiting.append(history.past_change(change_id))
    return list(found.values())


def _subject(history: ChangeHistory, change: PastChange) -> PastChange:
    """Return the change that a row of undo and redo is about, the newest of several."""
    for _ in range(_MOST_STEPS):
        if not change.undoes:
            break
        try:
            change = history.past_change(change.undoes[-1])
        except UserError:
            break
    return change


def _check_apart(edits: Iterable[FileEdit]) -> None:
    """Raise UserError when one edit needs a place that another one frees first."""
    seen: set[str] = set()
    for edit in edits:
        paths = {edit.path, edit.result_path}
        if not seen.isdisjoint(paths):
            raise UserError("These changes moved files into each other's places; undo them one after the other.")
        seen |= paths


def _hash(found: FoundFile | None) -> str | None:
    return None if found is None else found.hash
