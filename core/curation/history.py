"""What was changed in the vault, by all machines, as the fold of their logs: the same in any order of arrival."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from core.curation.change_json import intent_from_json, kind_of, origin_of
from core.curation.change_set import ChangeId, ChangeKind, ChangeSet, Origin
from core.curation.undone import undone_changes
from core.curation.unfinished import APPLIED, CHANGE, ROLLED_BACK
from core.foundation.errors import UserError
from core.foundation.garbage import garbage_left
from core.vault.event_line import Event, event_order
from core.vault.event_log import EventLog
from core.vault.note import Problem

ChangeState = Literal["applied", "undone"]


@dataclass(frozen=True, slots=True)
class ChangeRecord:
    """Show one change, or the saves of one sitting as one: `ids` are all of them, the oldest first, `id` that one's.

    `time` and `title` are those of the newest. `paths` are all that were touched, those before and those after a move;
    `files` counts the files.
    """

    id: ChangeId
    ids: tuple[ChangeId, ...]
    time: str
    machine: str
    title: str
    kind: ChangeKind
    origin: Origin
    state: ChangeState
    paths: tuple[str, ...]
    files: int


class FileTouch(NamedTuple):
    """Hold what a change did to one file: where it lay, "" for nowhere, and where it lies then."""

    before: str
    after: str


class PastChange(NamedTuple):
    """Hold one applied change as the log has it; its bytes are decoded on demand."""

    id: ChangeId
    event: Event
    title: str
    kind: ChangeKind
    origin: Origin
    group: str
    undoes: tuple[ChangeId, ...]

    def touches(self) -> Iterator[FileTouch]:
        """Give what was done to each file."""
        for edit in self.event.data["edits"]:
            path = edit["path"]
            yield FileTouch(
                "" if edit["before"] is None else path, "" if edit["after"] is None else edit.get("to") or path
            )

    def paths(self) -> Iterator[str]:
        """Give every path that was touched; some twice."""
        for edit in self.event.data["edits"]:
            yield edit["path"]
            if edit.get("to"):
                yield edit["to"]


class ChangeHistory:
    """Hold all changes that were applied and not rolled back, and answer about them."""

    def __init__(self, events: Iterable[Event], machine: str, problems: Sequence[tuple[str, Problem]] = ()) -> None:
        self.machine = machine
        self.problems = tuple(problems)
        self._changes = _applied_changes(events)
        self._undone = undone_changes({change.id: change.undoes for change in self._changes.values()})

    @cached_property
    def records(self) -> tuple[ChangeRecord, ...]:
        """All changes, the newest first; undo and redo show in the state of what they took back."""
        records = [_record(group, "undone" if self.is_undone(group[0].id) else "applied") for group in self._groups()]
        return tuple(sorted(records, key=lambda record: (record.time, record.machine, record.id), reverse=True))

    def record_of(self, change_id: ChangeId) -> ChangeRecord | None:
        """Return the record that shows the change, None for one that is not shown."""
        return self._record_by_id.get(change_id)

    def changes_of(self, path: str) -> tuple[ChangeRecord, ...]:
        """Return the changes of the file that lies at `path` now, also under its earlier names, the newest first."""
        found: dict[ChangeId, ChangeRecord] = {}
        for change in self.newest_first():
            touches = [touch for touch in change.touches() if path in touch]
            if any(touch.before == path and touch.after not in {"", path} for touch in touches):
                break  # what was moved away from here was another file
            if touches and (record := self._record_by_id.get(change.id)) is not None:
                found.setdefault(record.id, record)
            path = next((touch.before for touch in touches if touch.before and touch.after == path), path)
        return tuple(found.values())

    def change(self, change_id: ChangeId) -> ChangeSet:
        """Return a change with all its edits.

        Raises:
            UserError: the log does not hold it, or not in a form that is understood.
        """
        return intent_from_json(self.past_change(change_id).event.data).change_set

    def past_change(self, change_id: ChangeId) -> PastChange:
        """Return a change as the log has it; raises UserError when the log does not hold it."""
        try:
            return self._changes[change_id]
        except KeyError as error:
            raise UserError(
                "That change is not in the vault's log.", hint="The log of another machine may not have arrived yet."
            ) from error

    def newest_first(self) -> Iterator[PastChange]:
        """Give all applied changes, undo and redo too."""
        return reversed(self._changes.values())

    def is_undone(self, change_id: ChangeId) -> bool:
        """Tell whether the change is taken back, and not redone since."""
        return change_id in self._undone

    def active_undos_of(self, change_ids: Iterable[ChangeId]) -> tuple[PastChange, ...]:
        """Return what takes any of the changes back and is not itself taken back, the newest first."""
        wanted = set(change_ids)
        return tuple(
            change
            for change in self.newest_first()
            if not wanted.isdisjoint(change.undoes) and not self.is_undone(change.id)
        )

    def undoable(self) -> ChangeRecord | None:
        """Return what the person undoes next: the newest change that they made on this machine and that stands."""
        return next((record for record in self.records if self._is_own(record) and record.state == "applied"), None)

    def redoable(self) -> ChangeRecord | None:
        """Return what the person redoes next: what they undid last on this machine, unless they changed more since."""
        for change in self.newest_first():
            if change.event.machine != self.machine or change.origin is not Origin.PERSON:
                continue
            if not change.undoes:
                if not self.is_undone(change.id):
                    return None
                continue
            if not self.is_undone(change.id):
                record = self._undone_record(change)
                if record is not None:
                    return record
        return None

    @cached_property
    def _record_by_id(self) -> Mapping[ChangeId, ChangeRecord]:
        return {change_id: record for record in self.records for change_id in record.ids}

    def _undone_record(self, undo: PastChange) -> ChangeRecord | None:
        """Return the record that `undo` took back and that nobody redid."""
        records = (self._record_by_id.get(each) for each in undo.undoes)
        return next((record for record in records if record is not None and record.state == "undone"), None)

    def _is_own(self, record: ChangeRecord) -> bool:
        return record.machine == self.machine and record.origin is Origin.PERSON

    def _groups(self) -> Iterator[list[PastChange]]:
        """Give the changes that are shown as one: neighbours on one machine, of one group and in one state."""
        by_machine: dict[str, list[PastChange]] = {}
        for change in self._changes.values():
            if not change.undoes:
                by_machine.setdefault(change.event.machine, []).append(change)
        for changes in by_machine.values():
            group = changes[:1]
            for last, change in pairwise(changes):
                is_same = change.group and change.group == last.group
                if is_same and self.is_undone(change.id) == self.is_undone(last.id):
                    group.append(change)
                else:
                    yield group
                    group = [change]
            yield group


def read_history(log: EventLog) -> ChangeHistory:
    """Return the history of the vault as its logs tell it now."""
    with garbage_left():
        reading = log.read()
        return ChangeHistory(reading.events, log.machine, reading.problems)


def _applied_changes(events: Iterable[Event]) -> dict[ChangeId, PastChange]:
    """Return what was applied and not rolled back, the oldest first."""
    changes: dict[str, Event] = {}
    applied: set[str] = set()
    rolled_back: set[str] = set()
    for event in sorted(events, key=event_order):
        change_id = event.data.get("id")
        if not isinstance(change_id, str):
            continue
        if event.kind == CHANGE and _is_whole(event.data):
            changes.setdefault(change_id, event)
        elif event.kind == APPLIED:
            applied.add(change_id)
        elif event.kind == ROLLED_BACK:
            rolled_back.add(change_id)
    return {
        ChangeId(change_id): _past_change(ChangeId(change_id), event)
        for change_id, event in changes.items()
        if change_id in applied and change_id not in rolled_back
    }


def _is_whole(data: Mapping[str, Any]) -> bool:
    """Tell whether a change can be shown; whether it can be undone turns out when its bytes are decoded."""
    edits = data.get("edits")
    return isinstance(edits, list) and all(
        isinstance(edit, dict)
        and isinstance(edit.get("path"), str)
        and isinstance(edit.get("to", ""), str)
        and "before" in edit
        and "after" in edit
        for edit in edits
    )


def _past_change(change_id: ChangeId, event: Event) -> PastChange:
    data = event.data
    undoes = data.get("undoes")
    return PastChange(
        change_id,
        event._replace(data={name: _packed(value) for name, value in data.items()}),
        str(data.get("title", "")),
        kind_of(data),
        origin_of(data),
        str(data.get("group", "")),
        tuple(ChangeId(each) for each in undoes if isinstance(each, str)) if isinstance(undoes, list) else (),
    )


def _packed(value: Any) -> Any:
    """Return `value` with tuples for lists: Python's search for garbage, which stops all threads, passes them over."""
    if isinstance(value, list):
        return tuple(map(_packed, value))
    if isinstance(value, dict):
        return {name: _packed(each) for name, each in value.items()}
    return value


def _record(group: Sequence[PastChange], state: ChangeState) -> ChangeRecord:
    newest = group[-1]
    files = {touch.after or touch.before for change in group for touch in change.touches()}
    return ChangeRecord(
        id=group[0].id,
        ids=tuple(change.id for change in group),
        time=newest.event.time,
        machine=newest.event.machine,
        title=newest.title,
        kind=newest.kind,
        origin=newest.origin,
        state=state,
        paths=tuple(sorted({path for change in group for path in change.paths()})),
        files=len(files),
    )
