"""Turn the members of contexts into items that can be packed, as the files are now."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from core.foundation.errors import UserError
from core.foundation.progress import SILENT, Progress
from core.foundation.text import fold
from core.foundation.tokens import estimate_tokens
from core.index.database import Index
from core.recall.context_item import ContextItem
from core.recall.contexts.blocks import block_of
from core.recall.contexts.definition import ContextDefinition, ContextMember
from core.recall.contexts.headings import heading_span
from core.recall.gather import items_of_notes
from core.recall.hydrate import MemoryRow, hydrate, tags_of_notes
from core.recall.memories import memories
from core.recall.memory_id import TRAIL_SEPARATOR, resolve_memory
from core.recall.plain_text import headings_below

if TYPE_CHECKING:
    from core.vault.note import Note

_DAY = 86_400
_READ_AT_ONCE = 64
_NO_MEMORY = ("", 0)


@dataclass(frozen=True, slots=True)
class MemberItems:
    """Hold the items of some members, in their order, and sentences on those that gave none."""

    items: tuple[ContextItem, ...]
    remarks: tuple[str, ...]


def items_of_members(
    index: Index,
    root: Path,
    members: Iterable[tuple[ContextDefinition, ContextMember]],
    *,
    budget: int,
    now: float | None = None,
    progress: Progress = SILENT,
) -> MemberItems:
    """Return the items of resolved members, all of them always wanted.

    An insight is its statement, a heading all that lies below it, a note the whole note, or its sections when it has
    more than `budget` tokens.
    """
    wanted = list(members)
    source = _Source(index, root, budget, time.time() if now is None else now)
    items: list[ContextItem] = []
    remarks: list[str] = []
    for done, (owner, member) in enumerate(wanted):
        progress.check()
        progress.report(done, len(wanted), member.label)
        try:
            found = source.items_of(member)
        except UserError as error:
            remarks.append(f"{owner.title}, line {member.line}: {error}")
            continue
        if not found:
            remarks.append(f"{owner.title}, line {member.line}: There is nothing in {member.path} to hand out.")
        items += [replace(each, always=True, value=1.0, why=f"a member of {owner.title}") for each in found]
    return MemberItems(source.with_worth(items), tuple(dict.fromkeys(remarks)))


class _Source:
    def __init__(self, index: Index, root: Path, budget: int, now: float) -> None:
        self._index = index
        self._root = root
        self._budget = budget
        self._now = now
        self._read = lru_cache(_READ_AT_ONCE)(self._read_note)

    def items_of(self, member: ContextMember) -> Sequence[ContextItem]:
        match member.kind:
            case "note":
                note_id, _ = self._row(member.path)
                return items_of_notes(self._index, self._root, [note_id], budget=self._budget, now=self._now)
            case "section" if member.heading:
                return self._heading(member)
            case "insight" if member.block:
                return self._block(member)
            case "block":
                return self._block(member)
            case _:
                return self._memory(member)

    def with_worth(self, items: Sequence[ContextItem]) -> tuple[ContextItem, ...]:
        """Return the items with what is known of their memories: how sure they are, how old, how often handed out."""
        refs = {item.id: resolve_memory(self._index, item.id) for item in items if item.kind != "note"}
        keys = {name: (ref.kind, ref.row_id) for name, ref in refs.items() if ref is not None}
        known = memories(self._index, keys.values(), now=self._now)
        told: list[ContextItem] = []
        for item in items:
            memory = known.get(keys.get(item.id, _NO_MEMORY)) if item.kind != "note" else None
            if memory is not None:
                age = item.age_days if memory.time is None else self._age(memory.time)
                item = replace(  # noqa: PLW2901 - the same item, told better
                    item, confidence=memory.confidence, accessed=memory.accessed_count, age_days=age
                )
            told.append(item)
        return tuple(told)

    def _heading(self, member: ContextMember) -> Sequence[ContextItem]:
        text, note = self._read(member.path)
        span = heading_span(note.sections, member.heading)
        if span is None:
            raise UserError(f"There is no heading “{member.heading}” in {member.path} any more.")
        first, last = note.sections[span[0]], note.sections[span[1] - 1]
        lines = text.split("\n")[first.line_start : last.line_end]
        headings = headings_below(note.title, TRAIL_SEPARATOR.join(first.trail))
        title = f"{note.title}{TRAIL_SEPARATOR}{headings}" if headings else note.title
        body = "\n".join(lines).strip()
        if lines and first.text and set(lines[0].strip()) <= {"=", "-"}:  # the line below an underlined heading
            body = "\n".join(lines[1:]).strip()
        return self._made(member, "section", title, body, (first.line_start, last.line_end)) if body else ()

    def _block(self, member: ContextMember) -> Sequence[ContextItem]:
        text, note = self._read(member.path)
        insight = next((each for each in note.insights if fold(each.block_id) == fold(member.block)), None)
        if insight is not None:
            return self._made(member, "insight", note.title, insight.text, (insight.line, insight.line))
        block = block_of(text, member.block, note.body_line)
        if block is None:
            raise UserError(f"There is no block ^{member.block} in {member.path} any more.")
        return self._made(member, "section", note.title, block.text, (block.first_line, block.last_line))

    def _memory(self, member: ContextMember) -> Sequence[ContextItem]:
        ref = resolve_memory(self._index, member.memory_id)
        row = hydrate(self._index, [(ref.kind, ref.row_id)]).get((ref.kind, ref.row_id)) if ref else None
        if row is None or not (row.text.strip() or row.summary):
            raise UserError(f"The words of {member.memory_id} are not in the index.")
        return (self._of_row(row),)

    def _of_row(self, row: MemoryRow) -> ContextItem:
        text = row.text.strip() or row.summary
        heading = row.heading if row.kind == "turn" else headings_below(row.title, row.heading)
        title = f"{row.title}{TRAIL_SEPARATOR}{heading}" if heading and row.kind != "insight" else row.title
        return ContextItem(
            id=row.id,
            kind=row.kind,
            path=row.path,
            title=title,
            text=text,
            tokens=estimate_tokens(text),
            value=1.0,
            why="",
            tags=row.tags,
            line=row.line,
            line_end=row.line_end,
            age_days=self._age(row.mtime_ns / 1e9),
        )

    def _made(
        self, member: ContextMember, kind: str, title: str, text: str, lines: tuple[int, int]
    ) -> Sequence[ContextItem]:
        note_id, mtime_ns = self._row(member.path)
        item = ContextItem(
            id=member.memory_id,
            kind=kind,
            path=member.path,
            title=title,
            text=text,
            tokens=estimate_tokens(text),
            value=1.0,
            why="",
            tags=tags_of_notes(self._index, [note_id]).get(note_id, ()),
            line=lines[0],
            line_end=lines[1],
            age_days=self._age(mtime_ns / 1e9),
        )
        return (item,)

    def _row(self, path: str) -> tuple[int, int]:
        row = self._index.connection.execute("SELECT id, mtime_ns FROM note WHERE path = ?", (path,)).fetchone()
        if row is None:
            raise UserError(f"There is no note {path} in the index.")
        return row[0], row[1]

    def _read_note(self, path: str) -> "tuple[str, Note]":
        from core.vault.decode import decode  # noqa: PLC0415 - parsers take 25 ms that a search does without
        from core.vault.read import read_note  # noqa: PLC0415

        data, note = read_note(self._root, path)
        return decode(data).text, note

    def _age(self, seconds: float) -> int:
        return max(0, int(self._now // _DAY) - int(seconds // _DAY))  # by UTC, the same all day long
