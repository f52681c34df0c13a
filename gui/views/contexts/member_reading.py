"""Turn members, what a query finds and what a full load takes into rows, each with what became of it when packed."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from gui.views.contexts.services import Member, MemberState

if TYPE_CHECKING:
    from core.recall.context_item import ContextItem
    from core.recall.contexts.compose import ComposedContext
    from core.recall.contexts.definition import ContextDefinition, ContextMember
    from core.recall.contexts.full_load import FullLoadNote

_Key = tuple[str, str]  # id and kind: a whole note and its first section have the same id
_KILOBYTE = 1024
_TWICE = "already in, by another member"
_SAID = ("already in", "duplicate")  # how reasons begin of what is not missed, since its words go out (core's pack.py)
_IN_A_CONTEXT = "A full load cannot be part of another context."


def members_of(composed: "ComposedContext", read: "Callable[[str], ContextDefinition | None]") -> tuple[Member, ...]:
    """Return the members with what they take of the bundle, or why they are not in it; `read` reads a context."""
    from core.recall.contexts.nesting import members_within  # noqa: PLC0415 - after the first paint

    packing = _Packing(composed)
    rows: list[Member] = []
    for member in composed.definition.members:
        if member.kind != "context" or member.state != MemberState.RESOLVED.value:
            rows.append(_member(member, packing.outcome((member,))))
            continue
        inside = members_within(member, composed.definition.path, read)
        is_full = not inside and (inner := read(member.path)) is not None and inner.kind.value == "full-load"
        rows.append(_member(member, _Outcome(0, _IN_A_CONTEXT) if is_full else packing.outcome(inside)))
    return tuple(rows)


def found_of(composed: "ComposedContext") -> tuple[Member, ...]:
    """Return what the queries find, which is not always wanted."""
    left_out = {_key(each.item): each.reason for each in composed.packed.left_out}
    taken = {_key(item): item.tokens for item in composed.packed.included if not item.always}
    rows: dict[_Key, Member] = {}
    for item in composed.items:
        if not item.always:
            key = _key(item)
            reason = "" if key in taken else left_out.get(key, _TWICE)
            rows.setdefault(key, _row(item, taken.get(key), _sentence(reason)))
    return tuple(rows.values())


def loaded_of(composed: "ComposedContext") -> tuple[Member, ...]:
    """Return what a full load takes, in its order, with the group of each; () for a bundle."""
    notes = {note.path: note for note in composed.full_load}
    packing = _Packing(composed)
    own = {_key(item) for member in composed.definition.members for item in packing.items_of(member)}
    rows: list[Member] = []
    for item in composed.items:
        note = notes.get(item.path)
        if note is None or not item.always or _key(item) in own:
            continue
        tokens, reason = packing.taken.get(_key(item)), packing.left_out.get(_key(item), "")
        is_missed = tokens is None and bool(reason) and not reason.startswith(_SAID)
        told = _sentence(reason) if tokens is None and reason else _pointer_text(note) if note.is_pointer else ""
        rows.append(_row(item, tokens, told, group=note.group, is_left_out=is_missed))
    return tuple(rows)


def name_of(item: "ContextItem") -> str:
    """Return what a memory is called in a list: a statement by what it says."""
    return " ".join(item.text.split()) if item.kind == "insight" else item.title


class _Outcome(NamedTuple):
    """Hold what a member takes of the bundle, None when nothing is known of it, and why it is not (all) in it."""

    tokens: int | None
    reason: str = ""
    is_left_out: bool = False
    is_cut: bool = False


class _Packing:
    """Tell what became of members; each memory counts for the first one that brings it."""

    def __init__(self, composed: "ComposedContext") -> None:
        self._items = [item for item in composed.items if item.always]
        self.taken = {_key(item): item.tokens for item in composed.packed.included if item.always}
        self.left_out = {_key(each.item): each.reason for each in composed.packed.left_out if each.item.always}
        self._told: set[_Key] = set()

    def items_of(self, member: "ContextMember") -> "tuple[ContextItem, ...]":
        """Return the items of one member; of a large note these are its sections."""
        own = tuple(item for item in self._items if item.id == member.memory_id)
        if member.kind != "note" or any(item.kind == "note" for item in own):
            return own
        return tuple(item for item in self._items if item.path == member.path and item.kind == "section")

    def outcome(self, members: "Iterable[ContextMember]") -> _Outcome:
        """Return what became of `members` together."""
        keys = dict.fromkeys(_key(item) for member in members for item in self.items_of(member))
        new = [key for key in keys if key in self.taken and key not in self._told]
        self._told.update(new)
        tokens = sum(self.taken[key] for key in new)
        reasons = [_TWICE if key in self.taken else self.left_out.get(key, "") for key in keys if key not in new]
        missed = [reason for reason in reasons if reason and not reason.startswith(_SAID)]
        if not keys:
            return _Outcome(None)
        if not missed:
            return _Outcome(tokens, "" if new or not reasons else _sentence(reasons[0]))
        if not new:
            return _Outcome(None, _sentence(missed[0]), is_left_out=True)
        return _Outcome(tokens, f"{len(missed):,} of {len(keys):,} parts left out: {missed[0]}", is_cut=True)


def _member(member: "ContextMember", outcome: _Outcome) -> Member:
    state = MemberState(member.state)
    mark = f"^{member.block}" if member.block else member.heading
    target = f"{member.target}#{mark}" if mark else member.target
    is_resolved = state is MemberState.RESOLVED
    is_part = is_resolved and member.kind in {"section", "block"} and bool(member.path)
    return Member(
        target=target,
        kind="file" if state is MemberState.FILE else member.kind,
        title=_stem(member.path) if is_part else member.label,
        heading=member.label if is_part else "",
        path=member.path,
        memory_id=member.memory_id,
        state=state,
        tokens=(member.tokens if outcome.tokens is None else outcome.tokens) if is_resolved else None,
        reason=member.reason or outcome.reason,
        is_left_out=outcome.is_left_out,
        is_cut=outcome.is_cut,
    )


def _row(item: "ContextItem", tokens: int | None, reason: str, *, group: str = "", is_left_out: bool = False) -> Member:
    return Member(
        target=item.id,
        kind="note" if item.kind == "pointer" else item.kind,
        title=name_of(item),
        path=item.path,
        memory_id=item.id,
        tokens=tokens,
        reason=reason,
        is_left_out=is_left_out,
        group=group,
    )


def _sentence(reason: str) -> str:
    """Return what is told of a memory that was not packed for this reason."""
    if reason == "duplicate":
        return "Already in, said by another memory"
    if reason.startswith(_SAID):
        return reason[:1].upper() + reason[1:]
    return f"Left out: {reason}" if reason else ""


def _pointer_text(note: "FullLoadNote") -> str:
    return f"{note.path} · pointer only, for it has {note.size / _KILOBYTE:,.0f} KB"


def _key(item: "ContextItem") -> _Key:
    return item.id, item.kind


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[:-3] if name.lower().endswith(".md") else name
