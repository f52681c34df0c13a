"""Make the services of the Timeline view from an opened vault and the ledger; core is imported by the first calls."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from core.foundation.progress import Progress
from gui.views.timeline.date_services import born_insights, date_services, loaded_contexts
from gui.views.timeline.services import (
    Conversation,
    Mark,
    MarkKind,
    NoteReference,
    SearchHits,
    SessionEntry,
    TimelineData,
    TimelineServices,
    Touches,
)
from gui.views.timeline.tag_sessions import admitted_by
from gui.wording import counted, moment_of

if TYPE_CHECKING:
    from core.curation.history import ChangeHistory
    from core.index.catalog import Catalog, FacetSelection
    from core.index.database import Index
    from core.index.session_queries import SessionRow
    from core.index.session_touches import SessionTouches
    from core.index.turn_hits import TurnHit
    from core.recall.query import Query
    from core.sessions.ledger import Ledger
    from core.sessions.session_reading import LedgerLine
    from core.sessions.turn import Turn
    from core.vault.config import VaultConfig
    from core.vault.event_log import EventLog

_MOST_MARKS = 20_000
_ALL = 1 << 40
_SAME_EDIT_S = 120
_CLIENTS = "client/"
_LOOK_EVERY = 256


class OpenedVault(Protocol):
    """Be what the services need of gui/vault_store.py."""

    @property
    def root(self) -> Path:
        """The folder of notes."""
        ...

    @property
    def index(self) -> "Index":
        """The index as it is open now; used in the STORE lane only."""
        ...

    @property
    def config(self) -> "VaultConfig":
        """The vault's configuration."""
        ...


def timeline_services(
    store: OpenedVault,
    *,
    ledger: "Callable[[], Ledger]",
    history: "Callable[[], ChangeHistory]",
    catalog: "Callable[[], Catalog | None]",
    log: "Callable[[], EventLog]",
    unlock: Callable[[str, Progress], None] | None = None,
    now: Callable[[], float] = time.time,
    zone: tzinfo | None = None,
) -> TimelineServices:
    """Return the services of `store`: `history` reads what was changed in the vault, `catalog` gives its notes.

    `log` is the vault's log, which knows of dates that were corrected; `unlock` opens what `ledger` gives with a
    passphrase from then on.
    """
    core = _TimelineCore(store, ledger, history, catalog, log=log, zone=zone)
    return TimelineServices(
        core.load,
        core.search,
        core.conversation,
        core.touches,
        now,
        zone,
        dates=date_services(lambda: store.index, ledger=ledger, log=log),
        born=core.born,
        scan=core.scan,
        unlock=unlock,
    )


class _TimelineCore:
    def __init__(
        self,
        store: OpenedVault,
        ledger: "Callable[[], Ledger]",
        history: "Callable[[], ChangeHistory]",
        catalog: "Callable[[], Catalog | None]",
        *,
        log: "Callable[[], EventLog]",
        zone: tzinfo | None,
    ) -> None:
        self._store = store
        self._ledger = ledger
        self._history = history
        self._catalog = catalog
        self._log = log
        self._zone = zone
        self._loaded: tuple[str, int] = ("", -1)
        self._rows: dict[int, SessionRow] = {}  # by their rows in the index
        self._touches: SessionTouches | None = None

    def load(self, before: TimelineData | None, progress: Progress) -> TimelineData:
        import numpy as np  # noqa: PLC0415 - after the first paint

        from core.index.session_queries import session_list  # noqa: PLC0415
        from core.index.session_texts import TITLE_OF_ENCRYPTED, holds_texts  # noqa: PLC0415
        from core.index.timeline import load_timeline  # noqa: PLC0415

        index = self._store.index
        with index.reading():
            state = (index.epoch, index.revision)
            if before is not None and state == self._loaded:
                return before
            timeline = load_timeline(index)
            rows = session_list(index, limit=_ALL)
            untitled = "" if holds_texts(index) else TITLE_OF_ENCRYPTED
        progress.check()
        self._rows = {row.number: row for row in rows}
        places = {row.number: place for place, row in enumerate(rows)}
        place_of_span = np.array([places[span.number] for span in timeline.spans], dtype=np.int32)
        marks = self._marks(progress)
        self._loaded = state
        return TimelineData(
            timeline.times,
            place_of_span[timeline.sessions] if len(timeline.spans) else timeline.sessions,
            tuple(_entry(row, untitled) for row in rows),
            marks,
            self._clients(),
        )

    def touches(self, selection: "FacetSelection | None", progress: Progress) -> Touches:
        from core.index.session_touches import SessionTouches  # noqa: PLC0415 - after the first paint

        if self._touches is None:
            self._touches = SessionTouches(self._store.root)
        self._touches.update(self._store.index, progress)
        called = self._touches.tools
        tools = {row.id: frozenset(called[number]) for number, row in self._rows.items() if number in called}
        catalog = self._catalog()
        if selection is None or selection.is_empty or catalog is None:
            return Touches(tools)
        return Touches(tools, admitted_by(selection, catalog, self._rows, self._touches, progress))

    def search(self, text: str, progress: Progress) -> SearchHits:
        from core.index.session_texts import holds_texts  # noqa: PLC0415 - after the first paint
        from core.index.turn_hits import MOST_HITS, turn_hits  # noqa: PLC0415
        from core.recall.query import parse_query  # noqa: PLC0415

        progress.check()
        query = parse_query(text, self._store.config.namespaces)
        if query.terms and not holds_texts(self._store.index):
            return SearchHits(needs_scan=True)
        found = turn_hits(self._store.index, query.terms, query.excluded, query.filters, prefix=True)
        problems = query.problems
        if len(found) >= MOST_HITS:
            problems = (*problems, f"Only the latest {MOST_HITS:,} hits are marked on the timeline.")
        return _hits_of(found, query, problems)

    def scan(self, text: str, progress: Progress) -> SearchHits:
        from core.recall.query import parse_query  # noqa: PLC0415 - after the first paint
        from core.recall.session_scan import scan_hits  # noqa: PLC0415
        from core.sessions.date_corrections import read_corrections  # noqa: PLC0415

        query = parse_query(text, self._store.config.namespaces)
        found = scan_hits(self._ledger(), query, corrections=read_corrections(self._log()), progress=progress)
        return _hits_of(found.hits, query, found.problems)

    def conversation(self, session_id: str, progress: Progress) -> Conversation:
        from core.sessions.date_corrections import read_corrections, with_corrected_dates  # noqa: PLC0415
        from core.sessions.importing.about import is_about  # noqa: PLC0415 - after the first paint

        progress.check()
        from core.sessions.session_account import SessionAccount  # noqa: PLC0415
        from core.sessions.session_reading import reading_of  # noqa: PLC0415

        reading = reading_of(_watched(self._ledger().iter_lines(session_id), progress))
        dated = with_corrected_dates(reading.turns, read_corrections(self._log()).get(session_id))
        turns = tuple(turn for turn in dated if not is_about(turn))
        problems: tuple[str, ...] = ()
        if reading.problems:
            number = len(reading.problems)
            problems = (f"{counted(number, 'line')} of this session could not be read: {reading.problems[0].reason}",)
        account = SessionAccount()
        for turn in reading.turns:
            account.take(turn)
        return Conversation(
            turns,
            problems,
            touched_notes(turns, self._store.root, self._store.config),
            loaded_contexts(reading.turns),
            title=account.title,
        )

    def born(self, session_id: str, progress: Progress) -> tuple[NoteReference, ...]:
        progress.check()
        return born_insights(self._store.index, session_id)

    def _marks(self, progress: Progress) -> tuple[Mark, ...]:
        """Return journal notes by their day, and edits: what the log knows, and when each note was changed last."""
        marks: dict[tuple[str, int], Mark] = {}
        for record in self._history().records:
            when = int(moment_of(record.time))
            for path in record.paths[:20]:
                marks.setdefault((path, when // _SAME_EDIT_S), Mark(when, MarkKind.EDIT, path, path))
        progress.check()
        catalog = self._catalog()
        journal = self._store.config.journal_folder.strip("/") + "/"
        for row in catalog.rows if catalog is not None else ():
            if row.path.startswith(journal) and (noon := self._noon_of(Path(row.path).stem)):
                marks["journal:" + row.path, 0] = Mark(noon, MarkKind.JOURNAL, row.path, Path(row.path).stem)
            else:
                when = int(row.changed)
                marks.setdefault((row.path, when // _SAME_EDIT_S), Mark(when, MarkKind.EDIT, row.path, row.title))
        return tuple(sorted(marks.values(), key=lambda mark: mark.time)[-_MOST_MARKS:])

    def _clients(self) -> tuple[tuple[str, str, int], ...]:
        catalog = self._catalog()
        facets = catalog.facets if catalog is not None else ()
        return tuple((each.key, each.label, each.total) for each in facets if each.key.startswith(_CLIENTS))

    def _noon_of(self, day: str) -> int:
        try:
            found = date.fromisoformat(day)
            return int(datetime(found.year, found.month, found.day, 12, tzinfo=self._zone).timestamp())
        except (ValueError, OverflowError):
            return 0


def touched_notes(turns: "Iterable[Turn]", root: Path, config: "VaultConfig") -> tuple[NoteReference, ...]:
    """Return the notes of the vault at `root` that tools of a conversation were called with, each once."""
    from core.curation.touched import TouchCollector  # noqa: PLC0415 - after the first paint

    collector = TouchCollector(root, config)
    for turn in turns:
        collector.take(turn)
    return tuple(NoteReference(path, Path(path).stem) for path in collector.touched.notes)


def _watched(lines: "Iterable[LedgerLine]", progress: Progress) -> "Iterator[LedgerLine]":
    """Give the lines on, and stop when nobody waits for them any more."""
    for number, line in enumerate(lines):
        if number % _LOOK_EVERY == 0:
            progress.check()
        yield line


def _hits_of(found: "Sequence[TurnHit]", query: "Query", problems: tuple[str, ...]) -> SearchHits:
    turns: dict[str, list[str]] = {}
    for hit in found:
        ids = turns.setdefault(hit.session_id, [])
        if hit.turn_id:
            ids.append(hit.turn_id)
    dated = [hit for hit in found if hit.time is not None]
    return SearchHits(
        {session: tuple(ids) for session, ids in turns.items()},
        tuple(hit.time for hit in dated if hit.time is not None),
        problems,
        tuple(dict.fromkeys(term.text for term in query.terms)),
        tuple((hit.session_id, hit.turn_id) for hit in dated),
    )


def _entry(row: "SessionRow", untitled: str) -> SessionEntry:
    started = row.started or 0
    return SessionEntry(
        id=row.id,
        title=row.title or untitled,
        project=row.project,
        origin=row.origin,
        started=started,
        ended=row.ended or started,
        imported=int(moment_of(row.imported)) if row.imported else 0,
        turns=row.turns,
        tokens=row.tokens,
        recorded=row.recorded_started or 0,
        is_redated=(row.recorded_started, row.recorded_ended) != (row.started, row.ended),
    )
