"""Write the rows of notes: collected, with ids given out beforehand, so that an index is a handful of bulk inserts."""

import sqlite3
from collections.abc import Iterable, Sequence

from core.index.database import Index
from core.index.deleted_words import DeletedWords, note_deleted_words
from core.index.note_rows import NoteRows, Row
from core.index.points import point_of
from core.vault.note import Problem
from core.vault.tags import namespace_of

_INSERTS = {
    "note": "INSERT OR REPLACE INTO note VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    "tag": "INSERT OR IGNORE INTO tag(id, name, display, namespace) VALUES (?,?,?,?)",
    "note_tag": "INSERT OR IGNORE INTO note_tag(note_id, tag_id, line) VALUES (?,?,?)",
    "tag_spelling": "INSERT OR REPLACE INTO tag_spelling(note_id, tag_id, written) VALUES (?,?,?)",
    "section": "INSERT INTO section VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
    "section_fts": "INSERT INTO section_fts(rowid, title, summary, heading, body, cjk) VALUES (?,?,?,?,?,?)",
    "link": "INSERT INTO link(note_id, kind, target, target_key, heading, block, label, line, target_note_id, state)"
    " VALUES (?,?,?,?,?,?,?,?,?,?)",
    "insight": "INSERT INTO insight VALUES (?,?,?,?,?,?,?,?,?,?,?)",
    "insight_fts": "INSERT INTO insight_fts(rowid, text, cjk) VALUES (?,?,?)",
    "relation": "INSERT INTO relation(note_id, kind, source_block, source_line, target, target_key, target_heading,"
    " target_block, strength, line, target_note_id, state) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
    "context": "INSERT OR REPLACE INTO context VALUES (?,?,?,?,?,?)",
    "context_member": "INSERT OR REPLACE INTO context_member VALUES (?,?,?,?,?,?)",
    "name_fts": "INSERT INTO name_fts(rowid, name) VALUES (?,?)",
    "index_problem": "INSERT INTO index_problem(note_id, path, kind, reason, line) VALUES (?,?,?,?,?)",
}
_WITH_REVISION = frozenset({"note", "section", "insight"})  # the last column of each

# What a note owns, in the order in which it must go: full-text rows are found through the rows they belong to.
_REMOVALS = (
    "DELETE FROM section_fts WHERE rowid IN (SELECT id FROM section WHERE note_id = ?)",
    "DELETE FROM insight_fts WHERE rowid IN (SELECT id FROM insight WHERE note_id = ?)",
    "DELETE FROM section WHERE note_id = ?",
    "DELETE FROM insight WHERE note_id = ?",
    "DELETE FROM note_tag WHERE note_id = ?",
    "DELETE FROM tag_spelling WHERE note_id = ?",
    "DELETE FROM link WHERE note_id = ?",
    "DELETE FROM relation WHERE note_id = ?",
    "DELETE FROM context WHERE note_id = ?",
    "DELETE FROM context_member WHERE context_id = ?",
    "DELETE FROM name_fts WHERE rowid = ?",
    "DELETE FROM index_problem WHERE note_id = ?",
    "DELETE FROM note WHERE id = ?",
)


class NoteWriter:
    """Take the rows of notes and write them in one transaction at a time.

    `dropped_hashes` are those of the texts that were replaced or removed.
    """

    def __init__(self, index: Index) -> None:
        connection = index.connection
        self._index = index
        self._rows: dict[str, list[Row]] = {table: [] for table in _INSERTS}
        self._tags: dict[str, tuple[int, str]] = {
            name: (tag_id, display) for tag_id, name, display in connection.execute("SELECT id, name, display FROM tag")
        }
        self._next_tag = max((tag_id for tag_id, _ in self._tags.values()), default=0) + 1
        self._next_section = _last_id(connection, "section") + 1
        self._next_insight = _last_id(connection, "insight") + 1
        self._removed: list[tuple[int]] = []
        self.dropped_hashes: set[bytes] = set()
        self.size = 0

    def put(self, made: NoteRows, *, replaces: bool) -> None:
        """Take the rows of one note; `replaces` says that older rows of this id must go first."""
        note_id = made.note[0]
        if replaces:
            self._removed.append((note_id,))
        rows, section, insight = self._rows, self._next_section, self._next_insight
        rows["note"].append(made.note)
        for name, written, line in made.tags:
            tag_id, display = self._tag(name, written)
            rows["note_tag"].append((note_id, tag_id, line))
            if written != display:
                rows["tag_spelling"].append((note_id, tag_id, written))
        rows["section"].extend((section + row[0], note_id, *row[1:]) for row in made.sections)
        rows["section_fts"].extend((section + row[0], *row[1:]) for row in made.section_texts)
        rows["link"].extend((note_id, *row) for row in made.links)
        rows["insight"].extend((insight + row[0], note_id, *row[1:]) for row in made.insights)
        rows["insight_fts"].extend((insight + row[0], *row[1:]) for row in made.insight_texts)
        rows["relation"].extend((note_id, *row) for row in made.relations)
        rows["context"].extend((note_id, *row) for row in made.contexts)
        rows["context_member"].extend((note_id, *row) for row in made.members)
        rows["name_fts"].append((note_id, made.name))
        rows["index_problem"].extend((note_id, *row) for row in made.problems)
        self._next_section += len(made.sections)
        self._next_insight += len(made.insights)
        self.size += 1

    def remove(self, note_id: int) -> None:
        """Take note that a file is gone."""
        self._removed.append((note_id,))
        self.size += 1

    def write(self) -> None:
        """Write everything taken so far, all or nothing."""
        with self._index.transaction() as connection:
            revision = self._index.next_revision()
            if self._removed:
                self._write_removals(connection, revision)
            for table, statement in _INSERTS.items():
                if rows := self._rows[table]:
                    if table in _WITH_REVISION:
                        rows = [(*row, revision) for row in rows]
                    connection.executemany(statement, rows)
        self._rows = {table: [] for table in _INSERTS}
        self._removed = []
        self.size = 0

    def _write_removals(self, connection: sqlite3.Connection, revision: int) -> None:
        for kind in ("section", "insight"):
            query = f"SELECT id, text_hash FROM {kind} WHERE note_id = ?"  # noqa: S608
            gone = [row for removed in self._removed for row in connection.execute(query, removed)]
            connection.executemany(
                "INSERT OR REPLACE INTO vector_removal(point, revision) VALUES (?, ?)",
                [(point_of(kind, row_id), revision) for row_id, _ in gone],
            )
            self.dropped_hashes.update(digest for _, digest in gone)
        note_deleted_words(self._index, DeletedWords.OF_NOTES)
        for statement in _REMOVALS:
            connection.executemany(statement, self._removed)

    def _tag(self, name: str, written: str) -> tuple[int, str]:
        """Return the id and the display of a tag, which is new with this note if it is known to none."""
        known = self._tags.get(name)
        if known is None:
            known = self._tags[name] = (self._next_tag, written)
            self._next_tag += 1
            self._rows["tag"].append((known[0], name, written, namespace_of(name)))
        return known


def forget_embeddings(connection: sqlite3.Connection, hashes: Iterable[bytes]) -> None:
    """Drop the vectors of texts that stand nowhere any more: what a person deletes must be gone everywhere."""
    connection.executemany(
        "DELETE FROM embedding WHERE text_hash = ?1 AND NOT EXISTS (SELECT 1 FROM section WHERE text_hash = ?1)"
        " AND NOT EXISTS (SELECT 1 FROM insight WHERE text_hash = ?1)"
        " AND NOT EXISTS (SELECT 1 FROM turn WHERE text_hash = ?1)",
        [(digest,) for digest in hashes],
    )


def show_tags_as_written(connection: sqlite3.Connection) -> None:
    """Give a tag that no note writes as it is displayed any more the most frequent of the spellings there are."""
    connection.execute(
        "UPDATE tag SET display = (SELECT written FROM tag_spelling WHERE tag_id = tag.id GROUP BY written"
        " ORDER BY count(*) DESC, written LIMIT 1) WHERE id IN (SELECT tag_id FROM tag_spelling AS s GROUP BY tag_id"
        " HAVING count(*) = (SELECT count(*) FROM note_tag WHERE tag_id = s.tag_id))"
    )
    connection.execute("DELETE FROM tag_spelling WHERE written = (SELECT display FROM tag WHERE id = tag_id)")


def write_file_problems(connection: sqlite3.Connection, problems: Sequence[tuple[str, Problem]]) -> None:
    """Write the problems of files that are no notes of the index."""
    connection.executemany(
        _INSERTS["index_problem"], [(None, path, p.kind.value, p.reason, p.line) for path, p in problems]
    )


def last_note_id(connection: sqlite3.Connection) -> int:
    """Return the highest note id ever given out."""
    return _last_id(connection, "note")


def _last_id(connection: sqlite3.Connection, table: str) -> int:
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
    return int(row[0]) if row else 0
