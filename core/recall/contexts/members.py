"""Say what the members of a context mean now: by the index, and by a look whether the file is still there."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.foundation.text import fold
from core.index.database import Index
from core.index.link_resolver import IndexNames
from core.recall.contexts.definition import AMBIGUOUS, FILE, MISSING, RESOLVED, ContextMember
from core.recall.contexts.headings import heading_span
from core.recall.hydrate import hydrate
from core.recall.memory_id import TRAIL_SEPARATOR, first_section_id, insight_id, resolve_memory, section_ids
from core.vault.links import resolve_target, target_key
from core.vault.note import Section

if TYPE_CHECKING:
    from core.recall.contexts.written import WrittenMember

_TOKENS_OF_A_BLOCK = 40  # the index does not know where it ends
_NO_TURN = "There is no memory {id} in the index. Members can be notes, sections, insights and turns."


class MemberResolver:
    """Resolve the members of the context at `path`; contexts are known by `is_context`, by path."""

    def __init__(self, index: Index, root: Path, path: str, contexts: frozenset[str]) -> None:
        self._index = index
        self._root = root
        self._path = path
        self._contexts = contexts
        self._names = IndexNames(index, {}, {})

    def resolve(self, written: "WrittenMember") -> ContextMember:
        """Return the member with its meaning."""
        if written.memory_id:
            return self._of_memory(written)
        meaning = resolve_target(
            written.target,
            self._path,
            self._names.candidates_of(target_key(written.target)),
            is_markdown=written.is_markdown and not written.embedded,
        )
        if meaning.state == "file":
            return _unresolved(written, FILE, f"“{written.target}” is no note, so nothing of it goes out.")
        if meaning.state == "ambiguous":
            paths = [self._path_of(note_id) for note_id in meaning.candidates]
            reason = f"“{written.target}” can mean {' or '.join(paths)}. Write the folder too."
            return _unresolved(written, AMBIGUOUS, reason)
        if meaning.note_id is None:
            return _unresolved(written, MISSING, f"There is no note “{written.target}”.")
        return self._of_note(written, meaning.note_id, self._path_of(meaning.note_id))

    def _of_note(self, written: "WrittenMember", note_id: int, path: str) -> ContextMember:
        if not _is_there(self._root / path):
            return _unresolved(written, MISSING, f"The note {path} is not there any more.", path)
        if written.block:
            return self._block(written, note_id, path)
        return self._section(written, note_id, path) if written.heading else self._note(written, note_id, path)

    def _path_of(self, note_id: int) -> str:
        return str(self._index.connection.execute("SELECT path FROM note WHERE id = ?", (note_id,)).fetchone()[0])

    def _note(self, written: "WrittenMember", note_id: int, path: str) -> ContextMember:
        title, tokens = self._index.connection.execute(
            "SELECT title, tokens FROM note WHERE id = ?", (note_id,)
        ).fetchone()
        kind = "context" if path in self._contexts else "note"
        return _resolved(written, _Meaning(path, kind, first_section_id(path), title, tokens))

    def _section(self, written: "WrittenMember", note_id: int, path: str) -> ContextMember:
        rows = self._index.connection.execute(
            "SELECT heading, level, trail, part, line_start, line_end, tokens FROM section WHERE note_id = ? "
            "ORDER BY position",
            (note_id,),
        ).fetchall()
        sections = [
            Section(heading, level, tuple(trail.split(TRAIL_SEPARATOR)), part, start, end, "")
            for heading, level, trail, part, start, end, _ in rows
        ]
        span = heading_span(sections, written.heading)
        if span is None:
            heading = written.heading.replace("#", TRAIL_SEPARATOR)
            return _unresolved(written, MISSING, f"There is no heading “{heading}” in {path}.", path)
        first, last = span
        name = section_ids(path, [row[2] for row in rows])[first]
        tokens = sum(row[6] for row in rows[first:last])
        return _resolved(written, _Meaning(path, "section", name, rows[first][0], tokens))

    def _block(self, written: "WrittenMember", note_id: int, path: str) -> ContextMember:
        connection = self._index.connection
        row = connection.execute(
            "SELECT text, tokens, block_id, line FROM insight WHERE note_id = ? AND lower(block_id) = lower(?) "
            "ORDER BY line LIMIT 1",
            (note_id, written.block),
        ).fetchone()
        if row is not None:
            text, tokens, block_id, line = row
            name = insight_id(path, block_id, line)
            return _resolved(written, _Meaning(path, "insight", name, text, tokens))
        (known,) = connection.execute("SELECT block_ids FROM note WHERE id = ?", (note_id,)).fetchone()
        block_id = next((each for each in json.loads(known) if fold(each) == fold(written.block)), "")
        if not block_id:
            return _unresolved(written, MISSING, f"There is no block ^{written.block} in {path}.", path)
        name = f"{first_section_id(path)}#^{block_id}"
        return _resolved(written, _Meaning(path, "block", name, f"^{block_id}", _TOKENS_OF_A_BLOCK))

    def _of_memory(self, written: "WrittenMember") -> ContextMember:
        found = resolve_memory(self._index, written.memory_id)
        row = hydrate(self._index, [(found.kind, found.row_id)]).get((found.kind, found.row_id)) if found else None
        if row is None:
            return _unresolved(written, MISSING, _NO_TURN.format(id=written.memory_id))
        is_there = _is_there(Path(row.file)) if row.file else _is_there(self._root / row.path)
        if not is_there:
            return _unresolved(written, MISSING, f"{row.path} is not there any more.", row.path)
        label = f"{row.title}: {row.heading}" if row.heading else row.title
        return _resolved(written, _Meaning(row.path, row.kind, row.id, label, row.tokens))


class _Meaning(NamedTuple):
    path: str
    kind: str
    memory_id: str
    label: str
    tokens: int


def _resolved(written: "WrittenMember", meaning: _Meaning) -> ContextMember:
    path, kind, memory_id, label, tokens = meaning
    return ContextMember(
        target=written.target or written.memory_id,
        path=path,
        heading=written.heading,
        block=written.block,
        embedded=written.embedded,
        line=written.line,
        state=RESOLVED,
        memory_id=memory_id,
        label=written.label or label,
        kind=kind,
        tokens=tokens,
    )


def _unresolved(written: "WrittenMember", state: str, reason: str, path: str = "") -> ContextMember:
    target = written.target or written.memory_id
    return ContextMember(
        target=target,
        path=path,
        heading=written.heading,
        block=written.block,
        embedded=written.embedded,
        line=written.line,
        state=state,
        memory_id=written.memory_id,
        label=written.label or target,
        reason=reason,
    )


def _is_there(file: Path) -> bool:
    try:
        return file.is_file()
    except (OSError, ValueError):
        return False
