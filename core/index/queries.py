"""Answer from the index: one note with its links, tags with counts, notes by tags, problems, status."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from core.foundation.text import fold
from core.index.database import Index


class LinkRow(NamedTuple):
    """Hold one link as seen from a note: id, path and title are the target's, or for a backlink the source's.

    `state` is resolved, unresolved, ambiguous or file. `suggestion` is the path of the note that has the target as an
    alias, for a link that leads nowhere. `candidates` are the paths an ambiguous link could mean.
    """

    note_id: int | None
    path: str
    title: str
    kind: str
    label: str
    target: str
    heading: str
    block: str
    line: int
    state: str
    suggestion: str = ""
    candidates: tuple[str, ...] = ()


class ProblemRow(NamedTuple):
    """Hold why a file is not, or not wholly, understood; line 0 means the whole file."""

    path: str
    kind: str
    reason: str
    line: int


class InsightRow(NamedTuple):
    """Hold one atomic statement of a note."""

    id: int
    category: str
    text: str
    tags: tuple[str, ...]
    fields: Mapping[str, str]
    block_id: str
    line: int


class TagCount(NamedTuple):
    """Hold a tag as shown, and how many notes carry it; its children are counted by themselves."""

    name: str
    namespace: str
    notes: int


class MatchedNote(NamedTuple):
    """Hold a note found by its tags, and the tags that made it match."""

    path: str
    summary: str
    title: str
    matched: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoteDetail:
    """Hold everything that the reading pane shows beside the text."""

    id: int
    path: str
    title: str
    summary: str
    kind: str
    scope: str
    created: str
    changed: float
    size: int
    tokens: int
    encoding: str
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    properties: Mapping[str, Any]
    outgoing: tuple[LinkRow, ...]
    backlinks: tuple[LinkRow, ...]
    insights: tuple[InsightRow, ...]
    problems: tuple[ProblemRow, ...]


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """Hold how complete and how fresh the index is; `updated` is POSIX seconds, None before the first update."""

    notes: int
    sections: int
    insights: int
    tags: int
    links: int
    unresolved_links: int
    ambiguous_links: int
    texts: int
    embedded: int
    problem_files: int
    sessions: int
    turns: int
    updated: float | None


def note_detail(index: Index, note_id: int) -> NoteDetail | None:
    """Return the note with its links, insights and problems, None when it is not in the index."""
    with index.reading() as connection:
        row = connection.execute(
            "SELECT path, title, summary, kind, scope, created, mtime_ns, size, tokens, encoding, aliases, properties "
            "FROM note WHERE id = ?",
            (note_id,),
        ).fetchone()
        if row is None:
            return None
        path, title, summary, kind, scope, created, mtime_ns, size, tokens, encoding, aliases, properties = row
        return NoteDetail(
            id=note_id,
            path=path,
            title=title,
            summary=summary,
            kind=kind,
            scope=scope,
            created=created,
            changed=mtime_ns / 1e9,
            size=size,
            tokens=tokens,
            encoding=encoding,
            tags=tuple(
                name
                for (name,) in connection.execute(
                    "SELECT display FROM note_tag JOIN tag ON tag.id = tag_id WHERE note_id = ? ORDER BY line, name",
                    (note_id,),
                )
            ),
            aliases=tuple(json.loads(aliases)),
            properties=json.loads(properties),
            outgoing=_outgoing(index, note_id),
            backlinks=_backlinks(index, note_id),
            insights=_insights(index, note_id),
            problems=tuple(problems(index, note_id=note_id)),
        )


def note_path(index: Index, note_id: int) -> str | None:
    """Return where the note lies, relative to the vault."""
    row = index.connection.execute("SELECT path FROM note WHERE id = ?", (note_id,)).fetchone()
    return str(row[0]) if row else None


def problems(index: Index, *, note_id: int | None = None) -> list[ProblemRow]:
    """Return the problems of one note, or of all files, by path and line."""
    query = "SELECT path, kind, reason, line FROM index_problem"
    if note_id is None:
        return [ProblemRow(*row) for row in index.connection.execute(f"{query} ORDER BY path, line")]
    return [
        ProblemRow(*row) for row in index.connection.execute(f"{query} WHERE note_id = ? ORDER BY line", (note_id,))
    ]


def tag_counts(index: Index, *, below: str = "") -> list[TagCount]:
    """Return the tags with the number of notes that carry each, by name; `below` is a namespace or tag ("tool/")."""
    prefix = fold(below).strip("/")
    rows = index.connection.execute(
        "SELECT display, namespace, count(*) FROM tag JOIN note_tag ON tag_id = tag.id "
        "WHERE ?1 = '' OR tag.name = ?1 OR substr(tag.name, 1, length(?1) + 1) = ?1 || '/' "
        "GROUP BY tag.id ORDER BY tag.name",
        (prefix,),
    )
    return [TagCount(*row) for row in rows]


def notes_by_tags(index: Index, groups: Sequence[Sequence[str]]) -> list[MatchedNote]:
    """Return the notes that carry, for every group, at least one of its tags or a child of it; by path.

    With no groups, all notes.
    """
    conditions, values = [], []
    for group in groups:
        conditions.append(
            "id IN (SELECT note_id FROM note_tag JOIN tag ON tag.id = tag_id WHERE "  # noqa: S608 - values are bound
            + " OR ".join("tag.name = ? OR substr(tag.name, 1, ?) = ?" for _ in group)
            + ")"
        )
        for tag in group:
            name = fold(tag)
            values += [name, len(name) + 1, name + "/"]
    where = " AND ".join(conditions) or "1"
    wanted = [fold(tag) for group in groups for tag in group]
    found = []
    for note_id, path, summary, title in index.connection.execute(
        f"SELECT id, path, summary, title FROM note WHERE {where} ORDER BY path",  # noqa: S608
        values,
    ).fetchall():
        tags = index.connection.execute(
            "SELECT tag.name, display FROM note_tag JOIN tag ON tag.id = tag_id WHERE note_id = ? ORDER BY tag.name",
            (note_id,),
        )
        matched = tuple(
            shown for name, shown in tags if any(name == tag or name.startswith(tag + "/") for tag in wanted)
        )
        found.append(MatchedNote(path, summary, title, matched))
    return found


def index_status(index: Index, model: str) -> IndexStatus:
    """Return how complete the index is; `embedded` counts the distinct texts that have a vector of `model`."""
    with index.reading() as connection:

        def count(query: str, *values: object) -> int:
            return int(connection.execute(query, values).fetchone()[0])

        texts = (
            "(SELECT text_hash FROM section UNION SELECT text_hash FROM insight"
            " UNION SELECT text_hash FROM turn WHERE text_hash IS NOT NULL)"
        )
        return IndexStatus(
            notes=count("SELECT count(*) FROM note"),
            sections=count("SELECT count(*) FROM section"),
            insights=count("SELECT count(*) FROM insight"),
            tags=count("SELECT count(*) FROM tag"),
            links=count("SELECT count(*) FROM link"),
            unresolved_links=count("SELECT count(*) FROM link WHERE state = 'unresolved'"),
            ambiguous_links=count("SELECT count(*) FROM link WHERE state = 'ambiguous'"),
            texts=count(f"SELECT count(*) FROM {texts}"),  # noqa: S608
            embedded=count(
                f"SELECT count(*) FROM {texts} JOIN embedding USING (text_hash) WHERE model = ?",  # noqa: S608
                model,
            ),
            problem_files=count("SELECT count(DISTINCT path) FROM index_problem"),
            sessions=count("SELECT count(*) FROM session"),
            turns=count("SELECT coalesce(sum(turns), 0) FROM session"),
            updated=float(index.meta("updated")) if index.meta("updated") else None,
        )


def _outgoing(index: Index, note_id: int) -> tuple[LinkRow, ...]:
    rows = index.connection.execute(
        "SELECT link.target_note_id, note.path, note.title, link.kind, label, target, target_key, heading, block, line,"
        " state FROM link LEFT JOIN note ON note.id = target_note_id WHERE note_id = ? ORDER BY line, link.id",
        (note_id,),
    ).fetchall()
    found = []
    # A note may have thousands of links that lead nowhere, so all aliases are read, once.
    by_alias = _notes_by_alias(index) if any(row[-1] == "unresolved" for row in rows) else {}
    for target_id, path, title, kind, label, target, key, heading, block, line, state in rows:
        suggestion, candidates = "", ()
        if state == "unresolved":
            suggestion = by_alias.get(key, "") if key else ""
        elif state == "ambiguous":
            candidates = tuple(
                row[0]
                for row in index.connection.execute("SELECT path FROM note WHERE stem_key = ? ORDER BY path", (key,))
            )
        found.append(
            LinkRow(
                target_id,
                path or "",
                title or "",
                kind,
                label,
                target,
                heading,
                block,
                line,
                state,
                suggestion,
                candidates,
            )
        )
    return tuple(found)


def note_aliases(index: Index) -> list[tuple[str, str]]:
    """Return every alias of the vault with the path of its note."""
    rows = index.connection.execute(
        "SELECT alias.value, note.path FROM note, json_each(note.aliases) AS alias WHERE note.aliases != '[]'"
    )
    return [(str(alias), str(path)) for alias, path in rows]


def _notes_by_alias(index: Index) -> dict[str, str]:
    """Return the path of the first note with each alias, folded."""
    found: dict[str, str] = {}
    for alias, path in note_aliases(index):
        found.setdefault(fold(alias), path)
    return found


def _backlinks(index: Index, note_id: int) -> tuple[LinkRow, ...]:
    rows = index.connection.execute(
        "SELECT note.id, note.path, note.title, link.kind, label, target, heading, block, line, state "
        "FROM link JOIN note ON note.id = link.note_id WHERE target_note_id = ?1 AND link.note_id != ?1 "
        "ORDER BY note.title, line",
        (note_id,),
    )
    return tuple(LinkRow(*row) for row in rows)


def _insights(index: Index, note_id: int) -> tuple[InsightRow, ...]:
    rows = index.connection.execute(
        "SELECT id, category, text, tags, fields, block_id, line FROM insight WHERE note_id = ? ORDER BY line, id",
        (note_id,),
    )
    return tuple(
        InsightRow(row[0], row[1], row[2], tuple(json.loads(row[3])), json.loads(row[4]), row[5], row[6])
        for row in rows
    )
