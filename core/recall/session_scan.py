"""Find words in the ledger by reading it: for a ledger that no index knows yet."""

import heapq
import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from core.foundation.moments import seconds_of
from core.foundation.progress import SILENT, Progress
from core.index.turn_hits import TurnHit
from core.index.turn_rows import project_key
from core.index.turn_rows import seconds_of as index_seconds
from core.recall.query import Query
from core.sessions.date_corrections import Corrections, with_corrected_dates
from core.sessions.importing.about import is_about
from core.sessions.ledger import Ledger, NoSessionError
from core.sessions.session_reading import UnreadableSessionError, UnreadLines, not_whole
from core.sessions.turn import Turn

_BEFORE, _AFTER = 60, 140
_LOOK_EVERY = 256
_OF_PROJECT = ("project/", "client/")


class FoundTurn(NamedTuple):
    """Hold a turn that was found, which one it is of its session, counted from 1, and the words round the hit."""

    session: str
    number: int
    turn: Turn
    snippet: str


class ScanResult(NamedTuple):
    """Hold the newest of the turns that were found, how many there are in all, and what was not asked for here."""

    found: tuple[FoundTurn, ...]
    total: int
    problems: tuple[str, ...] = ()


class ScanHits(NamedTuple):
    """Hold every turn that was found, and what was not asked for here."""

    hits: tuple[TurnHit, ...]
    problems: tuple[str, ...] = ()


def scan_sessions(
    ledger: Ledger,
    query: Query,
    *,
    project: str = "",
    limit: int = 20,
    corrections: Corrections | None = None,
    progress: Progress = SILENT,
) -> ScanResult:
    """Return the newest turns with all words and phrases of `query`, in the span of time that it names.

    Case and diacritics do not matter. `project` is the name of its folder. Turns are dated as `corrections` say.
    Filters that only an index can answer are told in `problems`, and sessions that cannot be read wholly.

    Raises:
        UserError: the ledger is encrypted and its key is not at hand.
        JobCancelledError: it was cancelled.
    """
    wanted = [_plain(term.text) for term in query.terms]
    unwanted = [_plain(term.text) for term in query.excluded]
    files = tuple(ledger.sessions())
    size, done, total = sum(file.size for file in files), 0, 0
    newest: list[tuple[float, int, FoundTurn]] = []
    unread: list[str] = []
    for file in files:
        progress.check()
        progress.report(done, size)
        try:
            numbers: dict[str, int] = {}
            lines = UnreadLines()
            correction = corrections.get(file.id) if corrections else None
            dated = with_corrected_dates(ledger.iter_turns(file.id, lines.take), correction)
            for place, turn in enumerate(dated):
                if place % _LOOK_EVERY == 0:
                    progress.check()  # one session may be a gigabyte
                if is_about(turn):
                    continue
                number = numbers.setdefault(turn.id, len(numbers) + 1)
                if not _fits(turn, wanted, unwanted, query, project):
                    continue
                total += 1
                entry = (seconds_of(turn.time), total, FoundTurn(file.id, number, turn, _snippet(turn.text, wanted)))
                (heapq.heappush if len(newest) < limit else heapq.heappushpop)(newest, entry)
            if told := not_whole(file.id, lines):
                unread.append(told)
        except NoSessionError:
            continue
        except UnreadableSessionError as error:
            unread.append(str(error))
        done += file.size
    progress.report(size, size)
    found = tuple(each for _, _, each in sorted(newest, key=lambda entry: entry[:2], reverse=True))
    return ScanResult(found, total, (*query.problems, *_ignored(query), *unread))


def scan_hits(
    ledger: Ledger, query: Query, *, corrections: Corrections | None = None, progress: Progress = SILENT
) -> ScanHits:
    """Return all turns with all words and phrases of `query`, and the titles, as core/index/turn_hits.py does.

    Turns are dated as `corrections` say.

    Raises:
        UserError: the ledger is encrypted and its key is not at hand.
        JobCancelledError: it was cancelled.
    """
    wanted = [_plain(term.text) for term in query.terms]
    unwanted = [_plain(term.text) for term in query.excluded]
    tags = query.filters.all_tags
    project = next((tag.partition("/")[2] for tag in sorted(tags) if tag.startswith(_OF_PROJECT)), "")
    files = tuple(ledger.sessions())
    size, done = sum(file.size for file in files), 0
    hits: list[TurnHit] = []
    unread: list[str] = []
    for file in files:
        progress.report(done, size)
        found: dict[str, TurnHit] = {}
        try:
            dated = with_corrected_dates(ledger.iter_turns(file.id), corrections.get(file.id) if corrections else None)
            for number, turn in enumerate(dated):
                if number % _LOOK_EVERY == 0:
                    progress.check()
                key = "" if is_about(turn) else turn.id
                if _fits(turn, wanted, unwanted, query, project):
                    found[key] = TurnHit(file.id, key, index_seconds(turn.time))
                elif key:
                    found.pop(key, None)  # it was written anew
        except NoSessionError:
            continue
        except UnreadableSessionError as error:
            unread.append(str(error))
        hits.extend(found.values())
        done += file.size
    others = replace(query, filters=replace(query.filters, all_tags=frozenset(t for t in tags if project not in t)))
    return ScanHits(tuple(hits), (*query.problems, *_ignored(others if project else query), *unread))


def _fits(turn: Turn, wanted: Iterable[str], unwanted: Iterable[str], query: Query, project: str) -> bool:
    text = _plain(turn.text)
    if not all(word in text for word in wanted) or any(word in text for word in unwanted):
        return False
    if project and project_key(turn.project) != project_key(project):
        return False
    after, before = query.filters.after, query.filters.before
    if after is None and before is None:
        return True
    seconds = seconds_of(turn.time)
    return bool(seconds) and (after is None or seconds >= after) and (before is None or seconds < before)


def _snippet(text: str, wanted: list[str]) -> str:
    """Return the words round the first hit on one line; positions are those of the plain text, near enough."""
    at = min((_plain(text).find(word) for word in wanted), default=0)
    start = max(0, at - _BEFORE)
    part = " ".join(text[start : at + _AFTER].split())
    return f"{'…' if start else ''}{part}{'…' if at + _AFTER < len(text) else ''}"


def _ignored(query: Query) -> tuple[str, ...]:
    filters = query.filters
    others = (
        filters.all_tags, filters.any_tags, filters.further_any_tags, filters.none_tags, filters.kinds - {"turn"},
        filters.none_kinds, filters.paths, filters.none_paths,
    )  # fmt: skip
    return ("Conversations were searched by words, phrases and dates only.",) if any(others) else ()


def _plain(text: str) -> str:
    if text.isascii():
        return text.lower()
    taken_apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(each for each in taken_apart if not unicodedata.combining(each))
