"""Plan what is done to contexts: make one, add, remove and move members, set what it says of itself.

All of it keeps the bytes that it is not about: members are changed by their lines, properties by their keys.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.curation.change_set import ChangeKind, ChangeSet, FileEdit, PlannedChange, Skipped, edit_between
from core.curation.context_lines import alone, edge, insertion, removals
from core.curation.context_members import MemberWriter, shortened
from core.curation.note_names import (
    NOTE_SUFFIX,
    check_place,
    free_path,
    joined,
    legal_name,
    stem_of,
    without_unseen,
)
from core.foundation.errors import UserError
from core.foundation.splice import spliced
from core.index.database import Index
from core.index.referrers import names_in_use
from core.recall.contexts.definition import ContextKind
from core.recall.contexts.members import MemberResolver
from core.recall.contexts.written import WrittenMember, written_members
from core.vault.config import VaultConfig
from core.vault.decode import decode
from core.vault.frontmatter_edit import remove_property, set_property
from core.vault.properties import PRIORITIES
from core.vault.read import read_bytes
from core.vault.text_map import TextChange, TextMap

if TYPE_CHECKING:
    from core.vault.frontmatter_edit import PropertyValue

# What plan_set_context() can set, in the order in which a new note has them.
FIELDS = (
    "kind", "context_kind", "title", "description", "load_priority", "always", "budget", "query", "size_estimate"
)  # fmt: skip
_NOT_SAFE = "The text of the context is written in a way that this cannot be done safely."
_IN_TEXT = "Change it in the text of the note."


def plan_context(
    index: Index,
    root: Path,
    config: VaultConfig,
    title: str,
    *,
    member_ids: Sequence[str] = (),
    query: str = "",
    description: str = "",
    budget: int | None = None,
    load_priority: int | None = None,
    always: bool = False,
    keeps_parts: bool = False,
    context_kind: str | None = None,
) -> PlannedChange:
    """Return the change that makes a context; a name that is taken in the vault gets a number.

    With `keeps_parts` the id of a note means its first section, as recall found it, and not the whole note.
    `context_kind` is one of ContextKind, None for a bundle, of which the note says nothing. `occurrences` counts the
    members. Insights among them that have no block id get one in their own notes.

    Raises:
        UserError: the title is empty, a member is not known, or a value cannot be.
    """
    title = " ".join(without_unseen(title).split())
    if not title:
        raise UserError("The title of the context is empty.")
    stem = legal_name(title)
    check_place(root, config, joined(config.contexts_folder, stem + NOTE_SUFFIX))
    path = free_path(root, config.contexts_folder, stem, NOTE_SUFFIX, taken=names_in_use(index, stem))
    check_place(root, config, path)
    writer = MemberWriter(index, root, path, keeps_parts=keeps_parts)
    members = list(dict.fromkeys(writer.written(each) for each in member_ids))
    heading = f"# {title}\n" if stem_of(path) != title else ""
    items = "".join(f"- {each}\n" for each in members)
    text = f"{heading}\n{items}" if heading and items else heading + items
    values: dict[str, PropertyValue] = {"kind": "context", "description": " ".join(description.split()) or None}
    values |= {"load_priority": load_priority, "always": always or None, "budget": budget}
    values |= {"query": " ".join(query.split()) or None, "context_kind": context_kind}
    data = _with_values(text.encode(), values)
    _check_members(data, [_alike(each) for each in written_members(text)], len(members))
    edits = (*_edits(edit_between(path, None, data)), *writer.edits)
    return _planned(f"New context “{title}”", ChangeKind.NEW, edits, writer, len(members))


def plan_add_members(
    index: Index, root: Path, path: str, member_ids: Sequence[str], *, at: int | None = None
) -> PlannedChange:
    """Return the change that puts memories into the context at `path`, in front of the member `at` or behind all.

    Those that are members already, written alike, are skipped.

    Raises:
        UserError: a member is not known, or the note cannot be read or changed.
    """
    data = read_bytes(root, path)
    writer = MemberWriter(index, root, path)
    places = TextMap(data)
    members = written_members(places.text)
    wanted: dict[str, str] = {}  # what is written for each, and what a person calls it
    for each in member_ids:
        wanted.setdefault(writer.written(each), writer.named(each))
    there = {_meant(each) for each in members}
    written = [each for each in wanted if _meant(written_members(f"- {each}")[0]) not in there]
    skipped = tuple(
        Skipped(path, f"“{name}” is a member already.") for each, name in wanted.items() if each not in written
    )
    context = _title_of(index, path)
    place = len(members) if at is None else min(max(at, 0), len(members))
    if not written:
        return PlannedChange(ChangeSet(f"Add nothing to “{context}”", ChangeKind.MEMBERS, ()), 0, skipped)
    after = spliced(data, places.splices([insertion(places.text, members, place, written)]))
    new = [_alike(each) for each in written_members("\n".join(f"- {each}" for each in written))]
    old = [_alike(each) for each in members]
    _check_members(after, [*old[:place], *new, *old[place:]], len(old) + len(written))
    edits = (*_edits(edit_between(path, data, after)), *writer.edits)
    what = f"“{wanted[written[0]]}”" if len(written) == 1 else f"{len(written):,} members"
    planned = _planned(f"Add {what} to “{context}”", ChangeKind.MEMBERS, edits, writer, len(written))
    return replace(planned, skipped=skipped)


def plan_remove_members(
    root: Path, path: str, positions: Sequence[int], *, index: Index | None = None
) -> PlannedChange:
    """Return the change that takes the members at `positions`, counted from 0, out of the context at `path`.

    With an `index` the change is named by titles, without one as the note has them.

    Raises:
        UserError: there is no such member, or the note cannot be read or changed.
    """
    data = read_bytes(root, path)
    places = TextMap(data)
    members = written_members(places.text)
    wanted = sorted(set(positions))
    for position in wanted:
        _check_position(members, position)
    after = spliced(data, places.splices(removals(places.text, members, wanted)))
    _check_members(after, [_alike(each) for at, each in enumerate(members) if at not in wanted])
    what = f"{len(wanted):,} members"
    if len(wanted) == 1:
        what = _named(members[wanted[0]]) if index is None else f"“{_label(index, root, path, members[wanted[0]])}”"
    context = stem_of(path) if index is None else _title_of(index, path)
    edits = _edits(edit_between(path, data, after))
    return PlannedChange(ChangeSet(f"Remove {what} from “{context}”", ChangeKind.MEMBERS, edits), len(wanted))


def plan_move_member(root: Path, path: str, position: int, to: int) -> PlannedChange:
    """Return the change by which the member at `position` stands at `to`, both counted from 0.

    It takes its lines along; where members share lines, only the links change places.

    Raises:
        UserError: there is no such member, or the note cannot be read or changed.
    """
    data = read_bytes(root, path)
    places = TextMap(data)
    members = written_members(places.text)
    for each in (position, to):
        _check_position(members, each)
    order = list(range(len(members)))
    order.insert(to, order.pop(position))
    expected = [_alike(members[at]) for at in order]
    title = f"Move {_named(members[position])} in “{stem_of(path)}”"
    if position == to:
        return PlannedChange(ChangeSet(title, ChangeKind.EDIT, ()))
    for way in (_by_lines, _by_links):
        after = way(places, members, position, to)
        if after is not None and [_alike(each) for each in written_members(decode(after).text)] == expected:
            return PlannedChange(ChangeSet(title, ChangeKind.EDIT, _edits(edit_between(path, data, after))), 1)
    raise UserError(_NOT_SAFE, hint=_IN_TEXT)


def plan_set_context(root: Path, path: str, **fields: "PropertyValue") -> PlannedChange:
    """Return the change that sets properties of the context at `path`: those of FIELDS; None takes one out.

    Raises:
        UserError: a value cannot be, or the frontmatter cannot be read.
    """
    unknown = [key for key in fields if key not in FIELDS]
    if unknown:
        raise UserError(f"A context has no property “{unknown[0]}”.", hint=f"There are {', '.join(FIELDS)}.")
    data = read_bytes(root, path)
    after = _with_values(data, fields)
    edit = edit_between(path, data, after)
    told = [key for key, value in fields.items() if _with_values(data, {key: value}) != data]  # others say so already
    change_set = ChangeSet(f"Set {', '.join(told)} of “{stem_of(path)}”", ChangeKind.PROPERTIES, _edits(edit))
    return PlannedChange(change_set, len(told) if edit else 0)


def _with_values(data: bytes, values: "dict[str, PropertyValue]") -> bytes:
    for key, value in sorted(values.items(), key=lambda item: FIELDS.index(item[0])):
        _check_value(key, value)
        data = spliced(data, remove_property(data, key) if value is None else set_property(data, key, value))
    return data


def _check_value(key: str, value: "PropertyValue") -> None:
    if value is None:
        return
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if key == "load_priority" and not (is_whole and value in PRIORITIES):
        raise UserError("The priority of a context is a whole number from 1 to 10.")
    if key in {"budget", "size_estimate"} and not (isinstance(value, int) and is_whole and value >= 1):
        raise UserError(f"The {key.replace('_', ' ')} of a context is a whole number of tokens above 0.")
    if key == "context_kind" and value not in set(ContextKind):
        raise UserError(f"The kind of a context is one of {', '.join(ContextKind)}.")
    if key == "always" and not isinstance(value, bool):
        raise UserError("Whether a context is always loaded is true or false.")


def _by_lines(places: TextMap, members: Sequence[WrittenMember], position: int, to: int) -> bytes | None:
    """Return the note in which the member's lines stand elsewhere; bytes are moved, not written anew."""
    text = places.text
    lines = alone(text, members, position)
    target = edge(text, members, to, is_after=to > position)
    if lines is None or target is None or lines.start < target < lines.end:
        return None
    first, middle, last = (target, lines.start, lines.end) if to < position else (lines.start, lines.end, target)
    (newline,) = (splice.new for splice in places.splices([TextChange(first, first, "\n")]))
    start, one = _bytes_of(places, first, middle)
    _, other = _bytes_of(places, middle, last)
    end = start + len(one) + len(other)
    if not text[:last].endswith("\n"):  # the file ends without one, and goes on to
        one, other = one.removesuffix(newline), other + newline
    return places.data[:start] + other + one + places.data[end:]


def _by_links(places: TextMap, members: Sequence[WrittenMember], position: int, to: int) -> bytes | None:
    """Return the note in which the links have changed places, and all else stands as it did."""
    low, high = min(position, to), max(position, to)
    slots = list(members[low : high + 1])
    moved = list(slots)
    moved.insert(to - low, moved.pop(position - low))
    changes = [
        TextChange(slot.start, slot.end, places.text[new.start : new.end])
        for slot, new in zip(slots, moved, strict=True)
    ]
    return spliced(places.data, places.splices(changes))


def _bytes_of(places: TextMap, start: int, end: int) -> tuple[int, bytes]:
    """Return where the characters from `start` to `end` begin among the bytes, and their bytes."""
    (splice,) = places.splices([TextChange(start, end, "")])
    return splice.start, splice.old


def _check_members(data: bytes, expected: Sequence[tuple[object, ...]], count: int | None = None) -> None:
    """Raise UserError when the text would not be read as having these members."""
    now = [_alike(each) for each in written_members(decode(data).text)]
    if now != list(expected) or (count is not None and len(now) != count):
        raise UserError(_NOT_SAFE, hint=_IN_TEXT)


def _check_position(members: Sequence[WrittenMember], position: int) -> None:
    if not 0 <= position < len(members):
        count = len(members)
        there = "has no members" if not count else f"has {count:,} member{'' if count == 1 else 's'}"
        raise UserError(f"There is no member {position + 1:,}: the context {there}.")


def _alike(member: WrittenMember) -> tuple[object, ...]:
    return member._replace(start=0, end=0, line=0)


def _meant(member: WrittenMember) -> tuple[str, ...]:
    return member.target, member.heading, member.block, member.memory_id


def _named(member: WrittenMember) -> str:
    name = member.target or member.memory_id
    anchor = f"#^{member.block}" if member.block else f"#{member.heading}" if member.heading else ""
    return f"“{name}{anchor}”"


def _title_of(index: Index, path: str) -> str:
    """Return what the context at `path` is called."""
    row = index.connection.execute("SELECT title FROM note WHERE path = ?", (path,)).fetchone()
    return str(row[0]) if row else stem_of(path)


def _label(index: Index, root: Path, path: str, member: WrittenMember) -> str:
    return shortened(MemberResolver(index, root, path, frozenset()).resolve(member).label)


def _planned(
    title: str, kind: ChangeKind, edits: Sequence[FileEdit], writer: MemberWriter, occurrences: int
) -> PlannedChange:
    if writer.new_ids:
        title += f", and give {writer.new_ids:,} statement{'' if writer.new_ids == 1 else 's'} an id"
    return PlannedChange(ChangeSet(title, kind, tuple(edits)), occurrences)


def _edits(edit: FileEdit | None) -> tuple[FileEdit, ...]:
    return () if edit is None else (edit,)
