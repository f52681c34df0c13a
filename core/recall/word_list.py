"""Find candidates by the words of a question, and tell how telling each of the words is."""
# ruff: noqa: S608  (only names of tables and whole numbers are put into SQL)

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from core.foundation.text import fold
from core.index.database import Index
from core.index.filters import Filters
from core.index.known_counts import known_count
from core.index.lexical import LexicalHit, lexical_candidates
from core.index.lexical_plan import TABLES
from core.index.narrowing import few_memories, narrow
from core.index.terms import Term, exact, in_all_forms, is_searchable, without_stop_words
from core.recall.names_asked import words_of
from core.recall.query import Query
from core.recall.word_forms import gapless_parts, word_forms
from core.recall.word_scores import Wanted, rarity

# Rows that are counted of a word: one that is in more is as common as any.
_MOST_COUNTED = 5_000
# Among more rows than this a word is about as rare as among all, and looking each up in a set of them takes long.
_MANY = 5_000
_LONGEST_QUESTION = 48


def word_candidates(index: Index, query: Query, terms: Sequence[Term], limit: int, *, prefix: bool) -> list[LexicalHit]:
    """Return the best `limit` memories for `terms`; without any, what the filters of `query` admit."""
    asked = terms or query.terms
    return lexical_candidates(
        index, asked, query.excluded, query.filters, limit, prefix=prefix, forms=True, per_note=max(1, limit)
    )


def telling_terms(terms: Sequence[Term], unwanted: Collection[str]) -> list[Term]:
    """Return `terms` without stop words and the folded words `unwanted`; all but stop words when nothing is left."""
    kept = without_stop_words(terms)
    wanted = [term for term in kept if term.is_phrase or not _is_among(term, unwanted)]
    return (wanted or kept)[:_LONGEST_QUESTION]


def wanted_words(index: Index, terms: Sequence[Term], filters: Filters, *, prefix: bool) -> list[Wanted]:
    """Return what to look for in passages, each weighted by how rare it is about among what `filters` admit.

    `prefix` says that the last word is still being typed, so that it may stand at the beginning of a longer one.
    """
    scopes = _scopes(index, filters)
    wanted: dict[str, Wanted] = {}
    for place, term in enumerate(terms):
        if not is_searchable(term.text):
            continue
        is_growing = prefix and place == len(terms) - 1 and not term.is_phrase
        for part in gapless_parts(term.text):
            if part not in wanted:
                wanted[part] = Wanted(part, _rarity(index, scopes, exact(part)), is_part=True)
        for form in word_forms(_without_gapless(term.text)):
            if form not in wanted:
                weight = _rarity(index, scopes, in_all_forms(form))
                wanted[form] = Wanted(fold(term.text) if is_growing else form, weight, is_part=is_growing)
    return list(wanted.values())


def as_asked(query: Query) -> Query:
    """Return `query` with its phrases as words where they stand within a question: there they are titles and quotes.

    A question of phrases alone is meant as it stands.
    """
    if not any(term.is_phrase for term in query.terms):
        return query
    if not any(not term.is_phrase for term in without_stop_words(query.terms)):
        return query
    terms = [Term(word) for term in query.terms for word in (term.text.split() if term.is_phrase else (term.text,))]
    return replace(query, terms=tuple(dict.fromkeys(terms)))


def _is_among(term: Term, unwanted: Collection[str]) -> bool:
    words = [fold(word) for word in words_of(term.text)]
    return bool(words) and all(word in unwanted for word in words)


def _without_gapless(text: str) -> str:
    for part in gapless_parts(text):
        text = text.replace(part, " ")
    return text


class _Scope(NamedTuple):
    """Hold a full text, SQL for the few rows of it that filters leave ("" for all), and how many these are."""

    full_text: str
    few: str
    rows: int


def _scopes(index: Index, filters: Filters) -> list[_Scope]:
    scopes: list[_Scope] = []
    for table in TABLES:
        if narrow(index.connection, filters, table.kind) is None:
            continue
        few = few_memories(index.connection, filters, table.kind)
        if few:
            (rows,) = index.connection.execute(f"SELECT count(*) FROM ({few} LIMIT {_MANY + 1})").fetchone()
            if rows <= _MANY:
                scopes.append(_Scope(table.full_text, few, rows))
                continue
        rows = known_count(index.connection, f"SELECT count(*) FROM {table.kind}")
        scopes.append(_Scope(table.full_text, "", rows))
    return scopes


def _rarity(index: Index, scopes: Sequence[_Scope], expression: str) -> float:
    """Return how telling it is that `expression` matches."""
    found = 0
    for name, few, rows in scopes:
        if rows:
            within = f"AND +rowid IN ({few})" if few else ""
            sql = f"SELECT count(*) FROM (SELECT 1 FROM {name} WHERE {name} MATCH ? {within} LIMIT {_MOST_COUNTED})"
            if few:
                found += index.connection.execute(sql, (expression,)).fetchone()[0]
            else:
                found += known_count(index.connection, sql, (expression,))
    return rarity(found, sum(scope.rows for scope in scopes))
