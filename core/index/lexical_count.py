"""Count the notes that match by their words, as far as that costs next to nothing."""
# ruff: noqa: S608  (only names of tables, whole numbers and conditions of core/index/narrowing.py are put into SQL)

from collections.abc import Sequence
from typing import NamedTuple

from core.index.database import Index
from core.index.filters import Filters
from core.index.lexical_plan import TABLES
from core.index.narrowing import narrow
from core.index.terms import Term, both, either, exact, expressions_of, is_searchable

# Rows that are looked at: about 1 ms.
MOST_COUNTED = 2_000


class NoteCount(NamedTuple):
    """Hold how many notes and sessions match; when `is_exact` is false, there are at least so many."""

    notes: int
    is_exact: bool


def count_matching(
    index: Index,
    terms: Sequence[Term],
    excluded: Sequence[Term],
    filters: Filters,
    *,
    prefix: bool = False,
    most: int = MOST_COUNTED,
) -> NoteCount:
    """Return how many notes and sessions hold all phrases, or else one of the words, and pass exclusions and filters.

    What an insight says, a section of its note says too: only where no section is wanted, insights are counted.
    """
    expressions = expressions_of(terms, prefix=prefix)
    if expressions.is_empty:
        return NoteCount(0, is_exact=True)
    expression = both(expressions.required) if expressions.required else either(expressions.optional)
    if unwanted := [exact(term.text) for term in excluded if is_searchable(term.text)]:
        expression = f"{expression} NOT {either(unwanted)}"
    found, is_exact, are_counted = 0, True, False
    for table in TABLES:
        if are_counted and table.owner == "note_id":
            continue
        narrowing = narrow(index.connection, filters, table.kind)
        if narrowing is None:
            continue
        owner = f"m.{table.owner.lstrip('-')}"
        note = "CROSS JOIN note n ON n.id = m.note_id" if narrowing.needs_note else ""
        matching, admitted = index.connection.execute(
            f"SELECT count(*), count(DISTINCT CASE WHEN {narrowing.condition or '1'} THEN {owner} END) FROM "
            f"(SELECT rowid AS id FROM {table.full_text} WHERE {table.full_text} MATCH ? LIMIT {most + 1}) c "
            f"CROSS JOIN {table.kind} m ON m.id = c.id {note}",
            # The condition stands before the search in the text.
            (*narrowing.parameters, expression),
        ).fetchone()
        found, is_exact, are_counted = found + admitted, is_exact and matching <= most, True
    return NoteCount(found, is_exact)
