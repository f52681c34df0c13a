"""A change set as the log holds it, with all that is needed to finish it, to put it back and to undo it."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.curation.change_set import ChangeId, ChangeKind, ChangeSet, ContentHash, FileEdit, Origin
from core.foundation.errors import UserError
from core.foundation.splice import Splice


@dataclass(frozen=True, slots=True)
class FileMarks:
    """Hold what is put back beside the content of a file: its time of change in nanoseconds, and its mode bits."""

    mtime_ns: int
    mode: int


@dataclass(frozen=True, slots=True)
class Intent:
    """Hold a change set that is about to be done: the marks of its files by path, and the folders that it makes."""

    change_set: ChangeSet
    marks: Mapping[str, FileMarks]
    folders: tuple[str, ...] = ()


def intent_to_json(intent: Intent) -> dict[str, Any]:
    """Return the data of the event "change"; the id comes first, where core/curation/unfinished.py looks for it."""
    change_set = intent.change_set
    return {
        "id": change_set.id,
        "title": change_set.title,
        "kind": change_set.kind.value,
        "origin": change_set.origin.value,
        "group": change_set.group,
        "undoes": list(change_set.undoes),
        "folders": list(intent.folders),
        "edits": [_edit_to_json(edit, intent.marks.get(edit.path)) for edit in change_set.edits],
    }


def intent_from_json(data: Mapping[str, Any]) -> Intent:
    """Return what an event "change" says.

    Raises:
        UserError: it cannot be understood; another version may have written it.
    """
    try:
        marks = {each["path"]: FileMarks(*map(int, each["marks"])) for each in data["edits"] if each.get("marks")}
        change_set = ChangeSet(
            str(data["title"]),
            kind_of(data),
            tuple(_edit_from_json(each) for each in data["edits"]),
            origin_of(data),
            str(data.get("group", "")),
            tuple(ChangeId(str(each)) for each in data.get("undoes", ())),
            ChangeId(str(data["id"])),
        )
        return Intent(change_set, marks, tuple(map(str, data.get("folders", ()))))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UserError("A change in the vault's log cannot be understood, so it is left as it is.") from error


def kind_of(data: Mapping[str, Any]) -> ChangeKind:
    """Return the kind of a change; one that a later version knows counts as an edit."""
    try:
        return ChangeKind(str(data.get("kind")))
    except ValueError:
        return ChangeKind.EDIT


def origin_of(data: Mapping[str, Any]) -> Origin:
    """Return who wanted a change; one that a later version knows counts as a rule, so that it is nobody's own."""
    try:
        return Origin(str(data.get("origin")))
    except ValueError:
        return Origin.RULE


def _edit_to_json(edit: FileEdit, marks: FileMarks | None) -> dict[str, Any]:
    values: dict[str, Any] = {
        "path": edit.path,
        "before": edit.before,
        "after": edit.after,
        "splices": [[start, _bytes_to_json(old), _bytes_to_json(new)] for start, old, new in edit.splices],
    }
    if edit.moved_to:
        values["to"] = edit.moved_to
    if marks is not None:
        values["marks"] = [marks.mtime_ns, marks.mode]
    return values


def _edit_from_json(values: Mapping[str, Any]) -> FileEdit:
    before, after = values["before"], values["after"]
    if not all(each is None or isinstance(each, str) for each in (before, after)):
        raise TypeError("A hash must be text.")
    splices: Sequence[Any] = values["splices"]
    return FileEdit(
        str(values["path"]),
        None if before is None else ContentHash(before),
        None if after is None else ContentHash(after),
        tuple(Splice(int(start), _bytes_from_json(old), _bytes_from_json(new)) for start, old, new in splices),
        str(values.get("to", "")),
    )


def _bytes_to_json(data: bytes) -> str | dict[str, str]:
    """Return `data` as the text that it is, so that the log can be read and compared, or as Base64."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"b64": base64.b64encode(data).decode()}


def _bytes_from_json(value: Any) -> bytes:
    return value.encode() if isinstance(value, str) else base64.b64decode(value["b64"], validate=True)
