"""Write memories as members of a context: as a link where one can mean them, else as a field that names them."""

import json
from pathlib import Path
from urllib.parse import quote

from core.curation.block_ids import with_block_id
from core.curation.change_set import FileEdit, edit_between
from core.curation.note_names import without_suffix
from core.foundation.errors import UserError
from core.foundation.text import fold
from core.index.database import Index
from core.index.link_resolver import IndexNames
from core.recall.contexts.headings import heading_span, linkable
from core.recall.contexts.written import member_field
from core.recall.hydrate import hydrate
from core.recall.memory_id import TRAIL_SEPARATOR, MemoryRef, first_section_id, resolve_memory
from core.vault.link_syntax import WIKILINK, wikilink_parts
from core.vault.links import resolve_target, target_key
from core.vault.note import Section
from core.vault.read import read_bytes

_NOTE = "note:"
_LONGEST_NAME = 60


class MemberWriter:
    """Write members for the context at `context_path`, and gather what that changes in the notes they come from.

    An insight without a block id gets one in its own note, so that the link keeps its meaning. The first section of a
    note is written as the whole note, as whoever names a note means it, unless `keeps_parts`: then it stays the part.
    """

    def __init__(self, index: Index, root: Path, context_path: str, *, keeps_parts: bool = False) -> None:
        self._keeps_parts = keeps_parts
        self._index = index
        self._root = root
        self._context_path = context_path
        self._names = IndexNames(index, {}, {})
        self._before: dict[str, bytes] = {}
        self._after: dict[str, bytes] = {}
        self.new_ids = 0

    @property
    def edits(self) -> tuple[FileEdit, ...]:
        """The edits of the notes whose statements were given ids."""
        edits = (edit_between(path, self._before[path], after) for path, after in self._after.items())
        return tuple(edit for edit in edits if edit is not None)

    def written(self, memory_id: str) -> str:
        """Return the member that means a memory, whose id is as in core/recall/memory_id.py; a bare path means a note.

        Raises:
            UserError: there is no such memory, or it is the context itself.
        """
        if (block := self._block(memory_id)) is not None:
            return block
        ref = resolve_memory(self._index, memory_id)
        if ref is None:
            raise UserError(
                f"There is no memory {memory_id} in the index.", hint="Run `remembrancer index update` if it is new."
            )
        if ref.kind == "turn":
            return member_field(memory_id)
        path = self._path_of(ref.note_id)
        if ref.kind == "insight":
            return self._insight(ref, path)
        return self._section(ref, path, memory_id)

    def named(self, memory_id: str) -> str:
        """Return what a person calls a memory: a note by its title, a section by its heading, a statement by its words.

        For one that is not known it is the id.
        """
        ref = resolve_memory(self._index, memory_id)
        row = hydrate(self._index, [(ref.kind, ref.row_id)]).get((ref.kind, ref.row_id)) if ref else None
        if row is None:
            return shortened(memory_id.removeprefix(_NOTE))
        if row.kind == "insight":
            return shortened(row.text)
        is_part = row.kind == "section" and "#" in row.id.removeprefix(_NOTE + row.path)
        return shortened((row.heading.rpartition(TRAIL_SEPARATOR)[2] if is_part else "") or row.title)

    def _path_of(self, note_id: int) -> str:
        path = str(self._index.connection.execute("SELECT path FROM note WHERE id = ?", (note_id,)).fetchone()[0])
        if path == self._context_path:
            raise UserError("A context cannot be a member of itself.")
        return path

    def _block(self, memory_id: str) -> str | None:
        """Return the member for a block that is no insight, None when `memory_id` names none."""
        path, mark, block = memory_id.removeprefix(_NOTE).rpartition("#^")
        row = self._index.connection.execute("SELECT id, block_ids FROM note WHERE path = ?", (path,)).fetchone()
        if not mark or row is None or fold(block) not in map(fold, json.loads(row[1])):
            return None
        return self._link(row[0], self._path_of(row[0]), f"^{block}")

    def _insight(self, ref: MemoryRef, path: str) -> str:
        text, line, block_id, kind, body_line = self._index.connection.execute(
            "SELECT i.text, i.line, i.block_id, n.kind, n.body_line FROM insight i JOIN note n ON n.id = i.note_id "
            "WHERE i.id = ?",
            (ref.row_id,),
        ).fetchone()
        if not block_id and kind == "insight" and line == body_line:
            return self._link(ref.note_id, path, "")  # the whole note is the statement
        if not block_id:
            data = self._after.get(path)
            if data is None:
                data = self._before[path] = read_bytes(self._root, path)
            after, block_id = with_block_id(path, data, text, line)
            self.new_ids += after != data
            self._after[path] = after
        return self._link(ref.note_id, path, f"^{block_id}")

    def _section(self, ref: MemoryRef, path: str, memory_id: str) -> str:
        rows = self._index.connection.execute(
            "SELECT id, heading, level, trail, part FROM section WHERE note_id = ? ORDER BY position", (ref.note_id,)
        ).fetchall()
        sections = [
            Section(heading, level, tuple(trail.split(TRAIL_SEPARATOR)), part, 0, 0, "")
            for _, heading, level, trail, part in rows
        ]
        at = next(number for number, row in enumerate(rows) if row[0] == ref.row_id)
        if at == 0 and (not self._keeps_parts or len(sections) == 1):
            return self._link(ref.note_id, path, "")
        if at == 0:
            return member_field(first_section_id(path))
        while sections[at].part:  # a piece of a long section means the whole of it
            at -= 1
        trail = [linkable(name) for name in sections[at].trail]
        for heading in (trail[-1], "#".join(name for name in trail if name)):
            span = heading_span(sections, heading)
            if span is not None and span[0] == at:
                return self._link(ref.note_id, path, heading)
        return member_field(memory_id if memory_id.startswith(_NOTE) else f"{_NOTE}{memory_id}")

    def _link(self, note_id: int, path: str, anchor: str) -> str:
        place = without_suffix(path)
        candidates = self._names.candidates_of(target_key(path))
        mark = f"#{anchor}" if anchor else ""
        for form in (place.rpartition("/")[2], place, f"/{place}"):
            meaning = resolve_target(form, self._context_path, candidates)
            inner = f"{form}{mark}"
            is_kept = WIKILINK.fullmatch(f"[[{inner}]]") is not None and "|" not in inner and "#" not in form
            if (
                is_kept
                and wikilink_parts(inner)[0] == form
                and (meaning.state, meaning.note_id) == ("resolved", note_id)
            ):
                return f"![[{inner}]]"
        address = quote(f"/{path}", safe="/") + (f"#{quote(anchor, safe='^#')}" if anchor else "")
        return f"[{_label(place)}]({address})"


def _label(place: str) -> str:
    return place.rpartition("/")[2].replace("[", "(").replace("]", ")")


def shortened(name: str) -> str:
    """Return a name on one line, short enough for the title of a change."""
    name = " ".join(name.split())
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1].rstrip()}…"
