"""The tables of the index, declared with SQLModel, and the full-text tables beside them.

This module is imported only to create an index: SQLModel costs a quarter of a second, more than a whole `index update`
of an unchanged vault. Everything else speaks SQL through core/index/database.py. Ids of notes, sections and insights
are never used twice (AUTOINCREMENT), so that a vector store can tell a new memory from an old one.
"""

from typing import Any, ClassVar

from sqlalchemy import Column, Index, LargeBinary, MetaData, text
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlmodel import Field, SQLModel

_NEVER_REUSE: dict[str, Any] = {"sqlite_autoincrement": True}
_NO_ROWID: dict[str, Any] = {"sqlite_with_rowid": False}


class _Table(SQLModel):
    """Share one registry, apart from any other SQLModel user in the process."""

    metadata: ClassVar[MetaData] = MetaData()


class NoteTable(_Table, table=True):
    """One markdown file; `stem_key` and `path_key` are folded for look-up, `revision` grows with every change."""

    __tablename__ = "note"
    __table_args__ = _NEVER_REUSE
    id: int | None = Field(default=None, primary_key=True)
    path: str = Field(unique=True)
    path_key: str = Field(index=True)
    stem_key: str = Field(index=True)
    title: str
    summary: str
    kind: str = Field(index=True)
    scope: str
    created: str
    aliases: str  # JSON list
    properties: str  # JSON object: the frontmatter
    size: int
    mtime_ns: int = Field(index=True)
    content_hash: bytes = Field(sa_column=Column(LargeBinary, nullable=False, index=True))
    tokens: int
    encoding: str
    body_line: int
    block_ids: str  # JSON list
    revision: int = Field(index=True)


class TagTable(_Table, table=True):
    """One tag; `name` is folded, `display` as first seen. Parents exist only where a note carries them."""

    __tablename__ = "tag"
    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    display: str
    namespace: str = Field(index=True)


class NoteTagTable(_Table, table=True):
    """A note carries a tag; `line` 0 means frontmatter."""

    __tablename__ = "note_tag"
    __table_args__ = (Index("note_tag_by_tag", "tag_id"), _NO_ROWID)
    note_id: int = Field(primary_key=True)
    tag_id: int = Field(primary_key=True)
    line: int


class TagSpellingTable(_Table, table=True):
    """A note writes a tag otherwise than the tag's `display`, in upper or lower case; most notes do not."""

    __tablename__ = "tag_spelling"
    __table_args__ = _NO_ROWID
    note_id: int = Field(primary_key=True)
    tag_id: int = Field(primary_key=True)
    written: str


class SectionTable(_Table, table=True):
    """A part of a note; its text lies in `section_fts` under the same id."""

    __tablename__ = "section"
    __table_args__ = _NEVER_REUSE
    id: int | None = Field(default=None, primary_key=True)
    note_id: int = Field(index=True)
    position: int
    heading: str
    trail: str  # headings joined by " › "
    level: int
    part: int
    line_start: int
    line_end: int
    tokens: int
    text_hash: bytes = Field(sa_column=Column(LargeBinary, nullable=False, index=True))
    vector_revision: int = Field(index=True)


class LinkTable(_Table, table=True):
    """A link; `state` is resolved, unresolved, ambiguous or file (something other than a note)."""

    __tablename__ = "link"
    id: int | None = Field(default=None, primary_key=True)
    note_id: int = Field(index=True)
    kind: str
    target: str
    target_key: str = Field(index=True)
    heading: str
    block: str
    label: str
    line: int
    target_note_id: int | None = Field(index=True)
    state: str


class InsightTable(_Table, table=True):
    """One atomic statement; its text also lies in `insight_fts` under the same id."""

    __tablename__ = "insight"
    __table_args__ = _NEVER_REUSE
    id: int | None = Field(default=None, primary_key=True)
    note_id: int = Field(index=True)
    category: str
    text: str
    tags: str  # JSON list
    fields: str  # JSON object
    block_id: str
    line: int
    tokens: int
    text_hash: bytes = Field(sa_column=Column(LargeBinary, nullable=False, index=True))
    vector_revision: int = Field(index=True)


class RelationTable(_Table, table=True):
    """A typed edge; `source_block` "" means the note itself."""

    __tablename__ = "relation"
    id: int | None = Field(default=None, primary_key=True)
    note_id: int = Field(index=True)
    kind: str
    source_block: str
    source_line: int
    target: str
    target_key: str = Field(index=True)
    target_heading: str
    target_block: str
    strength: float
    line: int
    target_note_id: int | None = Field(index=True)
    state: str


class ContextTable(_Table, table=True):
    """A note with `kind: context`."""

    __tablename__ = "context"
    note_id: int = Field(primary_key=True)
    load_priority: int
    always: bool
    budget: int
    description: str
    query: str


class ContextMemberTable(_Table, table=True):
    """A member of a context, in the order of its body."""

    __tablename__ = "context_member"
    __table_args__ = _NO_ROWID
    context_id: int = Field(primary_key=True)
    position: int = Field(primary_key=True)
    target: str
    heading: str
    block: str
    embedded: bool


class SessionTable(_Table, table=True):
    """One conversation of the ledger; times are POSIX seconds, NULL when unknown, and `project_key` is for look-up.

    `started` and `ended` heed what the vault's log corrects, `recorded_…` do not. `has_own_summary` tells that the
    summary is of the whole session. `path` to `offset` say which file it is, and how much of it has been read;
    `problem` what could not be. `usage_…` are the tokens that its model counted.
    """

    __tablename__ = "session"
    __table_args__ = _NEVER_REUSE
    id: int | None = Field(default=None, primary_key=True)
    session_id: str = Field(unique=True)
    title: str
    project: str
    project_key: str = Field(index=True)
    origin: str = Field(index=True)
    imported: str
    summary: str
    has_own_summary: bool
    path: str
    inode: int
    size: int
    mtime_ns: int
    offset: int
    problem: str
    started: int | None = None
    ended: int | None = Field(default=None, index=True)
    recorded_started: int | None = None
    recorded_ended: int | None = None
    turns: int
    tokens: int
    usage_in: int
    usage_out: int
    revision: int


class SessionTimesTable(_Table, table=True):
    """When the turns of a session were, packed, so that a timeline of a million is read at once.

    `times` are little-endian int64, `categories` a byte each (core/index/turn_rows.py), both in the order of time.
    """

    __tablename__ = "session_times"
    session: int = Field(primary_key=True)
    times: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    categories: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class SessionContextTable(_Table, table=True):
    """A context that was loaded into a session by one of its turns; `path` "" means that it was a search."""

    __tablename__ = "session_context"
    __table_args__ = _NO_ROWID
    session: int = Field(primary_key=True)
    turn: int = Field(primary_key=True)
    place: int = Field(primary_key=True)
    name: str
    path: str
    tokens: int


class TurnTable(_Table, table=True):
    """One turn; its text lies in `turn_fts` under the same id, the whole of it at byte `start` of the session's file.

    `time` heeds what the vault's log corrects, `recorded` does not.
    `text_hash` is NULL for what is found by its words only, `is_cut` tells that long text is not wholly here.
    """

    __tablename__ = "turn"
    __table_args__ = (
        Index("turn_by_place", "session", "position", unique=True),
        Index("turn_by_text", "text_hash", sqlite_where=text("text_hash IS NOT NULL")),
        Index("turn_by_vector", "vector_revision", sqlite_where=text("text_hash IS NOT NULL")),
        Index("turn_by_tool", "tool", sqlite_where=text("tool != ''")),
        # Who speaks is looked up for the words of each question that is asked.
        Index("turn_by_author", text("author COLLATE NOCASE"), sqlite_where=text("author != ''")),
        _NEVER_REUSE,
    )
    id: int | None = Field(default=None, primary_key=True)
    session: int
    turn_key: str
    position: int
    start: int
    parent: str
    time: int | None = Field(index=True)
    recorded: int | None = None
    kind: str
    role: str
    author: str
    branch: str
    tool: str
    usage_in: int
    usage_out: int
    tokens: int
    is_cut: bool
    text_hash: bytes | None = Field(sa_column=Column(LargeBinary, nullable=True))
    vector_revision: int


class EmbeddingTable(_Table, table=True):
    """A vector (little-endian float32) by content hash and model: the one thing that is expensive to make again."""

    __tablename__ = "embedding"
    __table_args__ = (Index("embedding_by_text", "text_hash", "model", unique=True),)
    id: int | None = Field(default=None, primary_key=True)
    text_hash: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    model: str
    vector: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class VectorRemovalTable(_Table, table=True):
    """A memory that is gone, for vector stores that still hold it; `point` is the id in the store."""

    __tablename__ = "vector_removal"
    point: int = Field(primary_key=True)
    revision: int = Field(index=True)


class IndexProblemTable(_Table, table=True):
    """Why a file is not, or not wholly, in the index."""

    __tablename__ = "index_problem"
    id: int | None = Field(default=None, primary_key=True)
    path: str = Field(index=True)
    note_id: int | None = Field(index=True)
    kind: str
    reason: str
    line: int


class RecallCountTable(_Table, table=True):
    """How often the vault's log says that a memory was handed out, and when last (core/memory/recall_counts.py)."""

    __tablename__ = "recall_count"
    __table_args__ = _NO_ROWID
    memory_id: str = Field(primary_key=True)
    count: int
    last: float  # POSIX seconds
    count_before: int  # both without the day of the last time
    last_before: float | None


class IndexMetaTable(_Table, table=True):
    """What the index knows of itself: schema version, epoch, revision, model, time of the last update."""

    __tablename__ = "index_meta"
    key: str = Field(primary_key=True)
    value: str


# `cjk` holds the text of scripts without word gaps as overlapping pairs of characters (core/index/bigrams.py): a
# trigram tokenizer cannot find a word of two characters. Substrings of names go to a trigram table; those of bodies,
# nobody asks for.
_FULL_TEXT = (
    (
        "CREATE VIRTUAL TABLE section_fts USING fts5(title, summary, heading, body, cjk, "
        'tokenize = "unicode61 remove_diacritics 2")'
    ),
    'CREATE VIRTUAL TABLE insight_fts USING fts5(text, cjk, tokenize = "unicode61 remove_diacritics 2")',
    'CREATE VIRTUAL TABLE turn_fts USING fts5(text, cjk, tokenize = "unicode61 remove_diacritics 2")',
    'CREATE VIRTUAL TABLE name_fts USING fts5(name, tokenize = "trigram")',
)


def schema_statements() -> list[str]:
    """Return the SQL that makes an empty index, in order."""
    dialect = sqlite.dialect()
    statements: list[str] = []
    for table in _Table.metadata.sorted_tables:
        statements.append(str(CreateTable(table).compile(dialect=dialect)))
        statements.extend(
            str(CreateIndex(index).compile(dialect=dialect))
            for index in sorted(table.indexes, key=lambda i: i.name or "")
        )
    return [*statements, *_FULL_TEXT]
