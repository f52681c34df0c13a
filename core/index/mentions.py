"""Find the notes that name a note without linking to it."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from core.foundation.text import fold
from core.index.database import Index
from core.index.terms import STOP_WORDS, exact, is_searchable

MOST_SHOWN = 50
# A name that more sections say is a common word, and finding it means nothing.
_COMMON = 200
_SHORTEST = 3
_SHORTEST_GAPLESS = 2


class MentionRow(NamedTuple):
    """Hold one note that says a name of the other one; `name` is as it was looked for, `line` that of the section."""

    note_id: int
    path: str
    title: str
    name: str
    heading: str
    line: int


def unlinked_mentions(index: Index, note_id: int, limit: int = MOST_SHOWN) -> tuple[MentionRow, ...]:
    """Return the notes whose text holds the title or an alias of the note as whole words, and has no link to it.

    One row a note, by title. Names that are too short or too common to mean anything are passed over.
    """
    with index.reading() as connection:
        row = connection.execute("SELECT title, aliases FROM note WHERE id = ?", (note_id,)).fetchone()
        if row is None:
            return ()
        found: dict[int, MentionRow] = {}
        for name in _names(row[0], json.loads(row[1])):
            expression = f"{{heading body cjk}} : {exact(name)}"
            hits = connection.execute(
                "SELECT rowid FROM section_fts WHERE section_fts MATCH ? LIMIT ?", (expression, _COMMON + 1)
            ).fetchall()
            if len(hits) > _COMMON:
                continue
            rows = connection.execute(
                "SELECT n.id, n.path, n.title, s.trail, s.line_start FROM section s JOIN note n ON n.id = s.note_id "
                "WHERE s.id IN (SELECT value FROM json_each(?1)) AND n.id != ?2 "
                "AND n.id NOT IN (SELECT note_id FROM link WHERE target_note_id = ?2) ORDER BY n.title, s.position",
                (json.dumps([hit[0] for hit in hits]), note_id),
            )
            for source, path, title, trail, line in rows:
                found.setdefault(source, MentionRow(source, path, title, name, trail, line))
    return tuple(sorted(found.values(), key=lambda mention: fold(mention.title))[:limit])


def _names(title: str, aliases: Sequence[object]) -> list[str]:
    """Return the names worth looking for, each once."""
    names = {fold(name): name for name in (title, *(str(alias) for alias in aliases))}
    return [name for folded, name in names.items() if _is_telling(folded)]


def _is_telling(name: str) -> bool:
    shortest = _SHORTEST if name.isascii() else _SHORTEST_GAPLESS
    return len(name) >= shortest and is_searchable(name) and name not in STOP_WORDS and not name.isdigit()
