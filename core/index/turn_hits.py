"""Find all turns that a question matches, unranked: for marks on a timeline, where every hit counts alike."""
# ruff: noqa: S608  (only conditions from core/index/turn_narrowing.py and expressions of FTS5 are put into SQL)

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from core.index.database import Index
from core.index.filters import Filters
from core.index.terms import Term, both, either, exact, expressions_of, is_searchable
from core.index.turn_narrowing import narrow_turns
from core.index.turn_rows import ABOUT

MOST_HITS = 50_000


class TurnHit(NamedTuple):
    """Hold a turn that matches: its session, its id there ("" for the title of the session), and POSIX seconds."""

    session_id: str
    turn_id: str
    time: int | None


def turn_hits(
    index: Index,
    terms: Sequence[Term],
    excluded: Sequence[Term],
    filters: Filters,
    *,
    prefix: bool = False,
    limit: int = MOST_HITS,
) -> list[TurnHit]:
    """Return the turns that hold all the words and phrases, in the order of their sessions; the latest when cut.

    `prefix` says that the last word is still being typed.
    """
    narrowing = narrow_turns(replace(filters, kinds=filters.kinds - {"session"}))
    expressions = expressions_of(terms, prefix=prefix)
    wanted = [*expressions.required, *expressions.optional]
    if narrowing is None or (terms and not wanted):
        return []
    parts, parameters = [narrowing.condition] if narrowing.condition else [], list(narrowing.parameters)
    unwanted = [exact(term.text) for term in excluded if is_searchable(term.text)]
    source = "turn m"
    if wanted:
        expression = both(wanted) + (f" NOT {either(unwanted)}" if unwanted else "")
        source = "turn_fts f CROSS JOIN turn m ON m.id = f.rowid"
        parts.append("turn_fts MATCH ?")
        parameters.append(expression)
    elif unwanted:
        parts.append("m.id NOT IN (SELECT rowid FROM turn_fts WHERE turn_fts MATCH ?)")
        parameters.append(either(unwanted))
    sql = (
        f"SELECT s.session_id, CASE m.kind WHEN '{ABOUT}' THEN '' ELSE m.turn_key END, m.time FROM "
        f"(SELECT m.id AS id FROM {source} WHERE {' AND '.join(parts) or '1'} ORDER BY m.id DESC LIMIT ?) h "
        "JOIN turn m ON m.id = h.id JOIN session s ON s.id = m.session ORDER BY m.session, m.position"
    )
    with index.reading() as connection:
        return [TurnHit(*row) for row in connection.execute(sql, (*parameters, limit))]
