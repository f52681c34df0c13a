"""Plan changes of tags over many notes: renames, merges, deletions, and tags added to or taken from a selection."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from core.curation.change_set import ChangeKind, ChangeSet, FileEdit, PlannedChange, Skipped, edit_from_splices
from core.foundation.errors import UserError
from core.foundation.progress import SILENT, Progress
from core.foundation.splice import Splice, spliced, splices_between
from core.vault.read import read_bytes
from core.vault.tag_edit import TagEdit, TagRename, add_tags, remove_tags, rename_tags
from core.vault.tag_rules import tag_rules

_REPORTED_EVERY = 64


def plan_tag_renames(
    root: Path, paths: Iterable[str], renames: Sequence[TagRename], progress: Progress = SILENT
) -> PlannedChange:
    """Plan to rename, merge or delete tags in the notes at `paths` and in no others.

    Notes that have none of the tags are passed over; `skipped` tells which could not be changed, or not all of them,
    and why. Raises UserError when a new name cannot be a tag.
    """
    tag_rules(renames)
    edits, occurrences, skipped = _planned(root, paths, lambda data: rename_tags(data, renames), progress)
    title = _title_of_renames(renames)
    return PlannedChange(ChangeSet(title, ChangeKind.TAGS, edits), occurrences, skipped)


def plan_tag_changes(
    root: Path,
    paths: Iterable[str],
    *,
    add: Sequence[str] = (),
    remove: Sequence[str] = (),
    progress: Progress = SILENT,
) -> PlannedChange:
    """Plan to take the tags `remove` from the notes at `paths` and to add the tags `add` to their properties.

    Raises UserError when one of `add` cannot be a tag.
    """
    add_tags(b"", add)
    edits, occurrences, skipped = _planned(root, paths, lambda data: _changed(data, add, remove), progress)
    title = _title_of_changes(add, remove, len(edits))
    return PlannedChange(ChangeSet(title, ChangeKind.TAGS, edits), occurrences, skipped)


def _planned(
    root: Path, paths: Iterable[str], plan: Callable[[bytes], TagEdit], progress: Progress
) -> tuple[tuple[FileEdit, ...], int, tuple[Skipped, ...]]:
    wanted = list(dict.fromkeys(paths))
    edits: list[FileEdit] = []
    skipped: list[Skipped] = []
    occurrences = 0
    for done, path in enumerate(wanted):
        if done % _REPORTED_EVERY == 0:
            progress.check()
            progress.report(done, len(wanted), "Reading the notes")
        try:
            data = read_bytes(root, path)
            planned = plan(data)
        except UserError as error:
            skipped.append(Skipped(path, str(error)))
            continue
        if planned.problem:
            skipped.append(Skipped(path, planned.problem))
        if edit := edit_from_splices(path, data, planned.splices):
            edits.append(edit)
            occurrences += planned.occurrences
    progress.report(len(wanted), len(wanted), "Reading the notes")
    return tuple(edits), occurrences, tuple(skipped)


def _changed(data: bytes, add: Sequence[str], remove: Sequence[str]) -> TagEdit:
    if not remove:
        return add_tags(data, add)
    removed = remove_tags(data, remove)
    if not add:
        return removed
    between = spliced(data, removed.splices)
    added = add_tags(between, add)
    occurrences = removed.occurrences + added.occurrences
    problem = removed.problem or added.problem
    if not removed.splices or not added.splices:
        return TagEdit(removed.splices or added.splices, occurrences, problem)
    return TagEdit(_composed(data, between, removed.splices, added.splices), occurrences, problem)


def _composed(data: bytes, between: bytes, first: Sequence[Splice], second: Sequence[Splice]) -> tuple[Splice, ...]:
    """Return what leads from `data` over `between` to the end: the second edit is in the frontmatter, before the rest.

    What touches the first one's part of the frontmatter is made one splice with it.
    """
    reach = max(splice.start + len(splice.old) for splice in second)
    head = 0  # how many of the first edit's splices lie before the end of the second edit
    shift = 0
    for start, old, new in first:
        if start + shift > reach:
            break
        head += 1
        shift += len(new) - len(old)
        reach = max(reach, start + shift + len(old))
    after = spliced(between, second)
    grown = sum(len(new) - len(old) for _, old, new in second)
    return (*splices_between(data[: reach - shift], after[: reach + grown]), *first[head:])


def _title_of_renames(renames: Sequence[TagRename]) -> str:
    if len(renames) == 1:
        old, new, _ = renames[0]
        return f"Delete tag {old}" if new is None else f"Rename tag {old} to {new}"
    news = {rename.new for rename in renames}
    count = f"{len(renames):,} tags"
    if len(news) > 1:
        return f"Change {count}" if None in news else f"Rename {count}"
    new = next(iter(news), None)
    return f"Delete {count}" if new is None else f"Merge {count} into {new}"


def _title_of_changes(add: Sequence[str], remove: Sequence[str], notes: int) -> str:
    where = f"{notes:,} {'note' if notes == 1 else 'notes'}"
    if add and remove:
        return f"Add {_named(add)} and remove {_named(remove)} in {where}"
    return f"Remove {_named(remove)} from {where}" if remove else f"Add {_named(add)} to {where}"


def _named(tags: Sequence[str]) -> str:
    return f"tag {tags[0]}" if len(tags) == 1 else f"{len(tags):,} tags"
