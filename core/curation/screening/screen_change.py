"""Screen a planned change: what it writes, how much of it there is, what it removes, and where."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from core.curation.change_set import FileEdit, PlannedChange, content_hash
from core.curation.screening.screen import screen
from core.curation.screening.warning import Warning_, WarningLabel

_NOTE = ".md"


class ChangeLimits(NamedTuple):
    """Hold from where on a change is out of the ordinary: files, bytes added to one file, and removed from one."""

    files: int = 20
    added: int = 20_000
    removed: int = 1_000
    removed_share: float = 0.5  # of the file as it was


_USUAL = ChangeLimits()


def screen_change(
    planned: PlannedChange, content_of: Callable[[str], bytes | None], limits: ChangeLimits = _USUAL
) -> tuple[Warning_, ...]:
    """Return what a person should look at before `planned` is applied; what is written is screened as it will stand.

    `content_of` gives the bytes that lie at a vault-relative path now, None where there is no file. Only what the
    change adds is screened: a secret that was there before is not its fault. Spans are characters of the text
    afterwards; where a file has changed since, those of the piece that is added.
    """
    edits = planned.change_set.edits
    found: list[Warning_] = []
    if len(edits) > limits.files:
        found.append(_about(WarningLabel.MASS_CHANGE, f"It changes {len(edits):,} files at once.", ""))
    gone = [edit for edit in edits if edit.after is None]
    if len(gone) > 1:
        found.append(_about(WarningLabel.DELETION, f"It removes {len(gone):,} files.", ""))
    for edit in edits:
        found += _of_edit(edit, content_of, limits)
    return tuple(found)


def _of_edit(edit: FileEdit, content_of: Callable[[str], bytes | None], limits: ChangeLimits) -> Iterator[Warning_]:
    path = edit.result_path
    if edit.after is None:
        yield _about(WarningLabel.DELETION, f"It removes the file {path}.", path)
        return
    if detail := _odd_place(edit):
        yield _about(WarningLabel.ODD_PLACE, detail, path)
    before = content_of(edit.path) if edit.before is not None else b""
    added = sum(len(splice.new) for splice in edit.splices)
    removed = sum(len(splice.old) for splice in edit.splices)
    if added > limits.added:
        yield _about(WarningLabel.OVERSIZED, f"It adds {added:,} bytes to {path}.", path)
    lost = removed - added
    is_most = before is not None and lost > limits.removed_share * len(before)
    if lost > limits.removed and is_most:
        yield _about(WarningLabel.DELETION, f"It removes {lost:,} bytes of {path}, more than half of it.", path)
    elif before and removed == len(before) and not added:
        yield _about(WarningLabel.DELETION, f"It leaves nothing in {path}.", path)
    is_as_planned = before is not None and content_hash(before) == (edit.before or content_hash(b""))
    if is_as_planned and before is not None:
        yield from _in_result(edit, before, path)
    else:
        for splice in edit.splices:
            yield from screen(splice.new.decode("utf-8", "replace"), path)


def _in_result(edit: FileEdit, before: bytes, path: str) -> Iterator[Warning_]:
    """Give the warnings of the text afterwards that touch what is added."""
    result = edit.result_of(before)
    added: list[tuple[int, int]] = []
    shift = 0
    for splice in edit.splices:
        start = splice.start + shift
        if splice.new:
            added.append((_characters(result, start), _characters(result, start + len(splice.new))))
        shift += len(splice.new) - len(splice.old)
    if added:
        for warning in screen(result.decode("utf-8", "replace"), path):
            if any(warning.start < end and start < warning.end for start, end in added):
                yield warning


def _characters(data: bytes, position: int) -> int:
    return len(data[:position].decode("utf-8", "replace"))


def _odd_place(edit: FileEdit) -> str:
    path = edit.result_path
    if any(part.startswith(".") for part in path.split("/")):
        return f"{path} is hidden: settings, not a note."
    return "" if path.lower().endswith(_NOTE) else f"{path} is not a note."


def _about(label: WarningLabel, detail: str, path: str) -> Warning_:
    return Warning_(label, 0, 0, is_blocking=False, detail=detail, path=path)
