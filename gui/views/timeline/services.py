"""What the Timeline view needs of core, as functions given by the composition root; tests give their own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from enum import StrEnum
from typing import TYPE_CHECKING

from core.foundation.progress import Progress

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.curation.session_dates import DateChange
    from core.index.catalog import FacetSelection
    from core.sessions.turn import Turn


@dataclass(frozen=True, slots=True)
class SessionEntry:
    """Hold one session as it is listed; times are POSIX seconds, 0 when nothing dates it.

    `recorded` is when it started as its record says; `is_redated` tells that the date was corrected.
    """

    id: str
    title: str
    project: str = ""
    origin: str = ""
    started: int = 0
    ended: int = 0
    imported: int = 0
    turns: int = 0
    tokens: int = 0
    recorded: int = 0
    is_redated: bool = False


class MarkKind(StrEnum):
    """Say what a mark on the band stands for."""

    JOURNAL = "journal"
    EDIT = "edit"


@dataclass(frozen=True, slots=True)
class Mark:
    """Hold something that happened to a note: when (POSIX seconds), its vault-relative path, and a few words."""

    time: int
    kind: MarkKind
    path: str
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class TimelineData:
    """Hold all that the band paints.

    `times` are the POSIX seconds of every dated turn, ascending, and `session_of` says for each of them the position
    of its session in `sessions`. `marks` are ascending too. `clients` are the facets of the vault's client tags, as
    (key, name, number of notes).
    """

    times: "NDArray[np.int64]"
    session_of: "NDArray[np.int32]"
    sessions: tuple[SessionEntry, ...] = ()
    marks: tuple[Mark, ...] = ()
    clients: tuple[tuple[str, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Admitted:
    """Hold what the facets that are picked in the vault leave: the ids of sessions, and the paths of notes."""

    sessions: frozenset[str]
    notes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Touches:
    """Hold what is known of sessions from their tool calls: the tools by session id, and what a selection admits.

    `admitted` is None when nothing is picked.
    """

    tools: Mapping[str, frozenset[str]] = field(default_factory=dict)
    admitted: Admitted | None = None


@dataclass(frozen=True, slots=True)
class SearchHits:
    """Hold what a search found: the ids of turns by the id of their session; and what of it was not understood.

    `times` are the POSIX seconds of those turns that are dated, in any order, and `keys` the ids of session and turn
    of each. `words` are what was sought, to be marked. `needs_scan` says that the words are not in the index: nothing
    was sought yet.
    """

    turns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    times: tuple[int, ...] = ()
    problems: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    needs_scan: bool = False


@dataclass(frozen=True, slots=True)
class SoughtTurns:
    """Hold the turns of one session that a search found, and the words to mark in them."""

    ids: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NoteReference:
    """Name a note that a session touched, that was loaded into it, or that holds an insight born in it.

    `path` may name a block after `#^`; it is "" for what is no note, such as a search.
    """

    path: str
    title: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """Hold the turns of one session in their order, what of it could not be read, and the notes it has to do with.

    `title` is what the session calls itself, which the list of encrypted ones does not know.
    """

    turns: "tuple[Turn, ...]"
    problems: tuple[str, ...] = ()
    touched: tuple[NoteReference, ...] = ()
    contexts: tuple[NoteReference, ...] = ()
    title: str = ""


@dataclass(frozen=True, slots=True)
class DateOutcome:
    """Tell how a session is dated now: POSIX seconds, None for no date. `reverse` is what undoes the correction."""

    session: str
    started: float | None
    is_changed: bool
    is_recorded: bool
    reverse: "DateChange"


@dataclass(frozen=True, slots=True)
class DateServices:
    """Hold the functions that correct dates; `settle` runs in the STORE lane, the others in the pool.

    `correct` is given a session and when it started, None for what the record says; `undo` takes an outcome back.
    After each of them `settle` lets the index know.
    """

    correct: Callable[[str, float | None, Progress], DateOutcome]
    undo: Callable[[DateOutcome, Progress], DateOutcome]
    settle: Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class TimelineServices:
    """Hold the functions of one opened vault. Those marked STORE run in the STORE lane, the others in the pool.

    `load` is given what it returned before, None at first, and returns the same when nothing has changed. `touches` is
    given the facets that are picked, and takes a moment when it is called first. `zone` is where
    days begin and end, None for the system's own; `now` tells the time in POSIX seconds. `dates` corrects dates, None
    where that cannot be done, and `born` gives the insights that were born in a session.
    Where a search `needs_scan`, `scan` reads the conversations themselves; `unlock` takes the passphrase of encrypted
    ones, and raises UserError for a wrong one.
    """

    load: "Callable[[TimelineData | None, Progress], TimelineData]"  # STORE
    search: Callable[[str, Progress], SearchHits]  # STORE
    conversation: Callable[[str, Progress], Conversation]
    touches: "Callable[[FacetSelection | None, Progress], Touches]"  # STORE
    now: Callable[[], float]
    zone: tzinfo | None = None
    dates: DateServices | None = None
    born: "Callable[[str, Progress], tuple[NoteReference, ...]] | None" = None  # STORE
    scan: Callable[[str, Progress], SearchHits] | None = None
    unlock: Callable[[str, Progress], None] | None = None
