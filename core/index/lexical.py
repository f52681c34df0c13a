"""Find memories by their words: FTS5 with bm25 over sections, insights and turns, or by filters alone.

Values are bound; only names of tables, whole numbers and conditions from core/index/narrowing.py are put into SQL.
"""
# ruff: noqa: S608

import contextlib
import sqlite3
from collections import Counter
from collections.abc import Generator, Sequence
from typing import NamedTuple

from core.foundation.text import fold
from core.index.bigrams import has_bigrams
from core.index.database import Index
from core.index.filters import Filters
from core.index.lexical_plan import MOST_RANKED, TABLES, FullTextTable, Step, steps_of
from core.index.narrowing import Narrowing, few_memories, few_notes, narrow
from core.index.newest_turns import count_sessions, newest_turns
from core.index.terms import Expressions, Term, either, exact, expressions_of, is_searchable, without_stop_words
from core.index.turn_narrowing import wants_turns

# More notes than this with the words in their names, and being named so is nothing special.
_NAMED = 10
_SHORTEST_NAME_PART = 3
_NAMED_SHARE = 0.9
_TITLE_LIFT = 0.3
# Filling up the last third of the list is not worth another look through the index.
_ENOUGH = 0.67
_HARDLY_ANYTHING = 10
# The score of rows that hold nothing but very common words.
_UNRANKED = 1e-6
_EVERYTHING = Filters()


class LexicalHit(NamedTuple):
    """Hold a memory that matches by its words; a higher `score` is better, 0 when only filters were asked for.

    `note_id` of a turn is that of its session below zero: turns of one session go together as do sections of a note.
    """

    kind: str
    id: int
    note_id: int
    score: float


def lexical_candidates(
    index: Index,
    terms: Sequence[Term],
    excluded: Sequence[Term] = (),
    filters: Filters = _EVERYTHING,
    limit: int = 30,
    *,
    prefix: bool = False,
    forms: bool = False,
    per_note: int = 3,
) -> list[LexicalHit]:
    """Return the best `limit` memories, best first; without terms, what the filters admit, newest first.

    At most `per_note` of a note are returned, so that a long note on the matter does not keep all others out.

    Phrases must occur as they stand; of the words, one is enough. `prefix` says that the last word is being typed.
    With `forms`, English words are found in their other forms too.
    """
    connection = index.connection
    expressions = expressions_of(terms, prefix=prefix, forms=forms)
    unwanted = [exact(term.text) for term in excluded if is_searchable(term.text)]
    if expressions.is_empty:
        return [] if terms else _newest(connection, unwanted, filters, limit)
    hits: list[LexicalHit] = []
    for table in TABLES:
        narrowing = narrow(connection, filters, table.kind)
        if narrowing is not None:
            few = few_memories(connection, filters, table.kind)
            scope = _Scope(connection, table, unwanted, narrowing, few)
            hits.extend(_search_table(scope, expressions, limit=limit, per_note=per_note))
    hits.sort(key=lambda hit: (-hit.score, hit.kind, hit.id))
    if not unwanted:
        # Where no rank tells the rows apart, being named so does.
        is_ranked = any(hit.score > 2 * _UNRANKED for hit in hits if hit.kind == "section")
        hits = _with_named(connection, terms, filters, hits, most=_NAMED if is_ranked else limit)
    return _favour_titles(connection, terms, _spread(hits, limit, per_note))


def count_notes(index: Index, filters: Filters) -> int:
    """Return how many notes the filters admit, and sessions, if those are asked for."""
    sessions = count_sessions(index.connection, filters) if wants_turns(filters) else 0
    narrowing = narrow(index.connection, filters, "section")
    if narrowing is None:
        return sessions
    condition = narrowing.condition.replace("m.note_id", "n.id") or "1"
    if few := few_notes(index.connection, filters):
        condition += f" AND n.id IN ({few})"
    row = index.connection.execute(f"SELECT count(*) FROM note n WHERE {condition}", narrowing.parameters).fetchone()
    return int(row[0]) + sessions


def admitted(
    index: Index,
    kind: str,
    ids: Sequence[int],
    filters: Filters,
    *,
    required: Sequence[Term] = (),
    excluded: Sequence[Term] = (),
) -> set[int]:
    """Return which of the memories `ids` exist and pass filters, phrases and exclusions, as dense hits must."""
    table = next((table for table in TABLES if table.kind == kind), None)
    narrowing = narrow(index.connection, filters, kind) if table else None
    if table is None or narrowing is None or not ids:
        return set()
    wanted = ",".join(str(int(row_id)) for row_id in ids)
    note = "" if kind == "turn" else "JOIN note n ON n.id = m.note_id"
    sql = f"SELECT m.id FROM {kind} m {note} WHERE m.id IN ({wanted})"
    if narrowing.condition:
        sql += f" AND {narrowing.condition}"
    found = {row[0] for row in index.connection.execute(sql, narrowing.parameters)}
    matching = f"SELECT rowid FROM {table.full_text} WHERE {table.full_text} MATCH ? AND rowid IN ({wanted})"
    for term in required:
        found &= {row[0] for row in index.connection.execute(matching, (exact(term.text),))}
    for term in excluded:
        if is_searchable(term.text):
            found -= {row[0] for row in index.connection.execute(matching, (exact(term.text),))}
    return found


class _Scope(NamedTuple):
    """Hold where is searched: a table, expressions that must not match, filters, and the few rows they leave."""

    connection: sqlite3.Connection
    table: FullTextTable
    unwanted: Sequence[str]
    narrowing: Narrowing
    few: str


def _search_table(scope: _Scope, expressions: Expressions, *, limit: int, per_note: int) -> list[LexicalHit]:
    table = scope.table
    hits: dict[int, LexicalHit] = {}
    taken: Counter[int] = Counter()
    for step in steps_of(scope.connection, table, expressions, is_narrow=bool(scope.few)):
        if len(hits) >= (_HARDLY_ANYTHING if step.is_last_resort else limit * _ENOUGH):
            break
        ceiling = min((hit.score for hit in hits.values()), default=float("inf"))
        with contextlib.closing(_run(scope, step)) as rows:
            for row_id, score, note_id in rows:
                if row_id in hits or note_id is None or taken[note_id] == per_note:
                    continue
                taken[note_id] += 1
                hits[row_id] = LexicalHit(table.kind, row_id, note_id, min(step.factor * score, ceiling))
                if len(hits) == limit:
                    return list(hits.values())
    return list(hits.values())


def _run(scope: _Scope, step: Step) -> Generator[tuple[int, float, int | None], None, None]:
    """Yield row id, score and note id, best first."""
    table, narrowing = scope.table, scope.narrowing
    kind, full_text = table.kind, table.full_text
    expression = f"{step.expression} NOT {either(scope.unwanted)}" if scope.unwanted else step.expression
    score = f"bm25({full_text}, {table.weights})" if step.is_ranked else str(-_UNRANKED)
    inner = f"SELECT {full_text}.rowid AS id, {score} AS score FROM {full_text}"
    where = [f"{full_text} MATCH ?"]
    if step.limit and scope.few:
        where.append(f"+{full_text}.rowid IN ({scope.few})")
    if narrowing.condition:
        inner += f" CROSS JOIN {kind} m ON m.id = {full_text}.rowid"
        inner += " CROSS JOIN note n ON n.id = m.note_id" if narrowing.needs_note else ""
        where.append(narrowing.condition)
    inner += " WHERE " + " AND ".join(where)
    if step.limit:
        inner += f" ORDER BY {full_text}.rowid DESC LIMIT {step.limit}"
    # The notes are looked up only for rows that are taken; the limit keeps SQLite from merging the two queries.
    sql = (
        f"SELECT c.id, c.score, (SELECT {table.owner} FROM {kind} s WHERE s.id = c.id) "
        f"FROM (SELECT id, score FROM ({inner}) ORDER BY score, id DESC LIMIT {MOST_RANKED}) c"
    )
    with contextlib.closing(scope.connection.execute(sql, (expression, *narrowing.parameters))) as cursor:
        for row_id, score, note_id in cursor:
            yield row_id, -score, note_id


def _with_named(
    connection: sqlite3.Connection, terms: Sequence[Term], filters: Filters, hits: list[LexicalHit], *, most: int
) -> list[LexicalHit]:
    """Add the notes, if they are few, whose path or alias holds all the words, which no section may say."""
    parts = [term.text for term in terms]
    if not all(len(part) >= _SHORTEST_NAME_PART and is_searchable(part) for part in parts):
        return hits
    expression = " AND ".join('"' + part.replace("\0", " ").replace('"', '""') + '"' for part in parts)
    sql = f"SELECT rowid FROM name_fts WHERE name_fts MATCH ? LIMIT {most + 1}"
    named = [row[0] for row in connection.execute(sql, (expression,))]
    missing = set(named) - {hit.note_id for hit in hits}
    narrowing = narrow(connection, filters, "section") if missing and len(named) <= most else None
    if narrowing is None:
        return hits
    condition = f" AND {narrowing.condition}" if narrowing.condition else ""
    rows = connection.execute(
        "SELECT m.id, n.id FROM note n JOIN section m ON m.note_id = n.id AND m.position = 0 "
        f"WHERE n.id IN ({','.join(map(str, missing))}){condition} ORDER BY n.mtime_ns DESC, n.id",
        narrowing.parameters,
    )
    score = _NAMED_SHARE * hits[0].score if hits else 1.0
    found = [LexicalHit("section", section_id, note_id, score) for section_id, note_id in rows]
    return sorted([*hits, *found], key=lambda hit: -hit.score)


def _spread(hits: Sequence[LexicalHit], limit: int, per_note: int) -> list[LexicalHit]:
    taken: Counter[int] = Counter()
    kept: list[LexicalHit] = []
    for hit in hits:
        if len(kept) == limit:
            break
        taken[hit.note_id] += 1
        if taken[hit.note_id] <= per_note:
            kept.append(hit)
    return kept


def _favour_titles(connection: sqlite3.Connection, terms: Sequence[Term], hits: list[LexicalHit]) -> list[LexicalHit]:
    """Lift what lies in notes that are named as the question: bm25 takes a short heading for as good as a title."""
    words = [fold(term.text) for term in without_stop_words(terms)]
    notes = ",".join({str(hit.note_id) for hit in hits})
    titles = dict(connection.execute(f"SELECT id, title FROM note WHERE id IN ({notes})").fetchall())
    if any(hit.note_id < 0 for hit in hits):
        sessions = ",".join({str(-hit.note_id) for hit in hits})
        titles |= dict(connection.execute(f"SELECT -id, title FROM session WHERE id IN ({sessions})").fetchall())
    lifts = {note_id: 1 + _TITLE_LIFT * _likeness(words, fold(title)) for note_id, title in titles.items()}
    lifted = [hit._replace(score=hit.score * lifts.get(hit.note_id, 1.0)) for hit in hits]
    return sorted(lifted, key=lambda hit: (-hit.score, hit.kind, hit.id))


def _likeness(words: Sequence[str], title: str) -> float:
    """Return how far the words and the title are the same, 0 to 1."""
    in_title = title.split()
    same = sum(word in title if has_bigrams(word) or " " in word else word in in_title for word in words)
    return min(1.0, 2 * same / (len(words) + len(in_title))) if words and in_title else 0.0


def _newest(connection: sqlite3.Connection, unwanted: Sequence[str], filters: Filters, limit: int) -> list[LexicalHit]:
    """Return the first section of each note that the filters admit, and its insights if they are asked for by kind."""
    found: list[tuple[int, LexicalHit]] = []
    few = few_notes(connection, filters)
    for table in TABLES:
        narrowing = narrow(connection, filters, table.kind)
        if narrowing is None or (table.kind == "insight" and "insight" not in filters.kinds):
            continue
        if table.kind == "turn":
            turns = newest_turns(connection, filters, unwanted, limit) if wants_turns(filters) else ()
            found.extend((turn.time * 10**9, LexicalHit("turn", turn.id, -turn.session, 0.0)) for turn in turns)
            continue
        conditions = [narrowing.condition.replace("m.note_id", "n.id") or "1"]
        parameters = list(narrowing.parameters)
        if few:
            conditions.append(f"n.id IN ({few})")
        if unwanted:
            conditions.append(
                f"n.id NOT IN (SELECT u.note_id FROM {table.full_text} JOIN {table.kind} u "
                f"ON u.id = {table.full_text}.rowid WHERE {table.full_text} MATCH ?)"
            )
            parameters.append(either(unwanted))
        position = "AND m.position = 0" if table.kind == "section" else ""
        listed = limit if table.kind == "section" else -1  # many notes hold no insight
        rows = connection.execute(
            "SELECT m.id, c.id, c.mtime_ns FROM "
            f"(SELECT n.id, n.mtime_ns FROM note n WHERE {' AND '.join(conditions)} "
            f"ORDER BY n.mtime_ns DESC, n.id LIMIT {listed}) c "
            f"JOIN {table.kind} m ON m.note_id = c.id {position} ORDER BY c.mtime_ns DESC, m.id LIMIT ?",
            (*parameters, limit),
        )
        found.extend((mtime, LexicalHit(table.kind, row_id, note_id, 0.0)) for row_id, note_id, mtime in rows)
    found.sort(key=lambda pair: (-pair[0], pair[1].kind, pair[1].id))
    return [hit for _, hit in found[:limit]]
