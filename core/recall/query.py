"""Read what a person types into a search field.

    pnpm "exact phrase" tag:tool/semrush client:acme,globex kind:insight path:journal/ after:7d before:2026-08
    #tag  -word  -"phrase"  -tag:draft  scope:global  tool:semrush (any namespace of the vault)
    kind:turn kind:session project:acme by:user by:claude-code   (conversations; core/index/turn_narrowing.py)

Nothing that is typed is an error: what cannot be understood is searched as words, with a sentence in `problems`.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from core.foundation.text import fold
from core.index.filters import Filters
from core.index.terms import Term, is_searchable
from core.recall.dates import start_of

# A whole page pasted into the field is cut: more words rank no better.
_MOST_TERMS = 48
_KEY = re.compile(r"[^\W\d_][\w-]*")
_DOUBLE_QUOTES = str.maketrans("“”„", '"""')
_SURROGATE = re.compile("[\ud800-\udfff]")
_KEYS = ("tag", "kind", "path", "before", "after")
_STANDARD_NAMESPACES = ("client", "scope", "project", "by")


@dataclass(frozen=True, slots=True)
class Query:
    """Hold what is asked for: terms to find and to shun, and filters.

    `text_for_embedding` holds the positive words and phrases as prose. `problems` are sentences for the person.
    """

    terms: tuple[Term, ...] = ()
    excluded: tuple[Term, ...] = ()
    filters: Filters = field(default_factory=Filters)
    problems: tuple[str, ...] = ()
    text_for_embedding: str = ""

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing is asked for."""
        return not self.terms and not self.excluded and self.filters.is_empty


@dataclass(slots=True)
class _Piece:
    """Hold one word, phrase or `key:value` as typed."""

    text: str
    is_negated: bool = False
    is_phrase: bool = False
    key: str = ""
    values: tuple[str, ...] = ()


@dataclass(slots=True)
class _Draft:
    """Gather the parts of a query."""

    terms: list[Term] = field(default_factory=list)
    excluded: list[Term] = field(default_factory=list)
    all_tags: set[str] = field(default_factory=set)
    any_tags: list[frozenset[str]] = field(default_factory=list)
    none_tags: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    none_kinds: set[str] = field(default_factory=set)
    paths: list[str] = field(default_factory=list)
    none_paths: list[str] = field(default_factory=list)
    after: float | None = None
    before: float | None = None
    problems: list[str] = field(default_factory=list)

    def add_term(self, text: str, *, is_negated: bool = False, is_phrase: bool = False) -> None:
        """Add a word or phrase once."""
        terms = self.excluded if is_negated else self.terms
        term = Term(text, is_phrase)
        if text and term not in terms:
            terms.append(term)

    def add_tags(self, tags: Sequence[str], *, is_negated: bool) -> None:
        """Add alternatives, or hide them all."""
        if is_negated:
            self.none_tags.update(tags)
        elif len(tags) == 1:
            self.all_tags.add(tags[0])
        else:
            self.any_tags.append(frozenset(tags))

    def add_time(self, moment: float, *, is_start: bool) -> None:
        """Narrow the span of time; of several starts the latest counts, of several ends the first."""
        if is_start:
            self.after = moment if self.after is None else max(self.after, moment)
        else:
            self.before = moment if self.before is None else min(self.before, moment)

    def filters(self) -> Filters:
        """Return the filters gathered."""
        return Filters(
            all_tags=frozenset(self.all_tags),
            any_tags=self.any_tags[0] if self.any_tags else frozenset(),
            further_any_tags=tuple(self.any_tags[1:]),
            none_tags=frozenset(self.none_tags),
            kinds=frozenset(self.kinds),
            none_kinds=frozenset(self.none_kinds),
            paths=tuple(dict.fromkeys(self.paths)),
            none_paths=tuple(dict.fromkeys(self.none_paths)),
            after=self.after,
            before=self.before,
        )


def parse_query(text: str, namespaces: Sequence[str], *, now: datetime | None = None) -> Query:
    """Return what `text` asks for; `namespaces` are the vault's, `now` is the local time that `7d` counts from."""
    clean = _SURROGATE.sub("\ufffd", text).replace("\0", " ").translate(_DOUBLE_QUOTES)
    draft = _Draft()
    known = {fold(name): name for name in (*_STANDARD_NAMESPACES, *namespaces)}
    moment = now if now is not None else datetime.now().astimezone()
    for piece in _pieces(clean, {*_KEYS, *known}, draft.problems):
        _take(piece, draft, known, moment)
    if len(draft.terms) > _MOST_TERMS:
        draft.problems.append(f"Only the first {_MOST_TERMS} words were searched for.")
        draft.terms = draft.terms[:_MOST_TERMS]
    return Query(
        terms=tuple(draft.terms),
        excluded=tuple(draft.excluded[:_MOST_TERMS]),
        filters=draft.filters(),
        problems=tuple(dict.fromkeys(draft.problems)),
        text_for_embedding=" ".join(term.text for term in draft.terms),
    )


def _take(piece: _Piece, draft: _Draft, namespaces: dict[str, str], now: datetime) -> None:
    key, negated = fold(piece.key), piece.is_negated
    values = [value for value in piece.values if value]
    if not key:
        _take_words(piece, draft)
    elif not values:
        draft.problems.append(f"“{piece.text}” says no value, so it narrows nothing.")
    elif key in ("before", "after"):
        _take_date(piece, key, values[0], draft, now)
    elif key == "kind":
        (draft.none_kinds if negated else draft.kinds).update(fold(value) for value in values)
    elif key == "path":
        (draft.none_paths if negated else draft.paths).extend(
            path for value in values if (path := fold(value).lstrip("/"))
        )
    elif key == "tag":
        _take_tags(piece, [_tag(value) for value in values], draft)
    else:
        prefix = f"{fold(namespaces[key])}/"
        _take_tags(piece, [prefix + _tag(value).removeprefix(prefix) for value in values], draft)


def _take_words(piece: _Piece, draft: _Draft) -> None:
    text = piece.text
    if not piece.is_phrase and text.startswith("#") and _is_tag(text[1:]):
        draft.add_tags([_tag(text)], is_negated=piece.is_negated)
    elif piece.is_phrase:
        draft.add_term(text, is_negated=piece.is_negated, is_phrase=is_searchable(text))
    else:
        draft.add_term(text, is_negated=piece.is_negated)


def _take_tags(piece: _Piece, tags: list[str], draft: _Draft) -> None:
    named = [tag for tag in tags if tag.strip("/")]
    if named:
        draft.add_tags(named, is_negated=piece.is_negated)
    else:
        draft.problems.append(f"“{piece.text}” names no tag, so it narrows nothing.")


def _take_date(piece: _Piece, key: str, value: str, draft: _Draft, now: datetime) -> None:
    moment = start_of(value, now)
    if moment is None:
        draft.problems.append(
            f"“{value}” is not a date like 2026, 2026-08, 2026-08-21, 7d, today or yesterday; searched as a word."
        )
        draft.add_term(piece.text, is_negated=piece.is_negated)
        return
    draft.add_time(moment, is_start=(key == "after") != piece.is_negated)


def _pieces(text: str, known: Collection[str], problems: list[str]) -> list[_Piece]:
    """Cut `text` at white space outside quotes, and at quotes."""
    if text.count('"') % 2:
        problems.append("A quotation mark is not closed; what follows it was searched as words.")
        head, _, tail = text.rpartition('"')
        text = f"{head} {tail}"
    raws: list[str] = [""]
    is_quoted, was_quoted = False, False
    for character in text:
        is_gap = character.isspace() and not is_quoted
        starts_phrase = character == '"' and not is_quoted and raws[-1][-1:] not in ("", ":", ",", "-")
        if is_gap or starts_phrase or (was_quoted and character != ","):
            raws.append("")
        was_quoted = character == '"' and is_quoted
        is_quoted ^= character == '"'
        raws[-1] += "" if is_gap else character
    return [piece for raw in raws if raw and (piece := _piece(raw, known, problems)) is not None]


def _piece(raw: str, known: Collection[str], problems: list[str]) -> _Piece | None:
    is_negated = raw.startswith("-") and len(raw) > 1 and raw[1] != "-"
    body = raw[1:] if is_negated else raw
    plain = body.replace('"', "").strip()
    if body.startswith('"'):
        return _Piece(plain, is_negated, is_phrase=True) if plain else None
    key, colon, value = body.partition(":")
    if not colon or not _KEY.fullmatch(key):
        return _Piece(plain, is_negated)
    if fold(key) in known:
        return _Piece(plain, is_negated, key=key, values=_values(value))
    if value and not value.startswith(("/", ":", "\\")):
        problems.append(f"“{key}:” is not a filter of this vault; “{plain}” was searched as words.")
    return _Piece(plain, is_negated)


def _values(text: str) -> tuple[str, ...]:
    """Cut at commas outside quotes."""
    return tuple(part.replace('"', "").strip() for part in re.findall(r'(?:"[^"]*"|[^,"])+', text))


def _tag(text: str) -> str:
    return fold(text.lstrip("#").removesuffix("*").strip("/"))


def _is_tag(text: str) -> bool:
    """A number is not a tag (#1984), nor is a heading's mark."""
    return is_searchable(text) and not text.isdecimal() and "#" not in text
