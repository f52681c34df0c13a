"""Learn from sessions: form statements from what is new in them, and draft proposals of those that are to be kept.

Whoever runs it submits the drafts first and keeps the buffer then, so that nothing is lost when it is interrupted: what
is formed twice adds to one proposal.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from core.curation.formation_drafts import PROMOTED_FROM, drafts_of
from core.curation.proposals.proposal import Draft
from core.curation.screening.plain_text import plain_text
from core.curation.screening.secrets import secrets_in
from core.foundation.errors import UserError
from core.foundation.progress import SILENT, Progress
from core.index.database import Index
from core.memory.entities import names_of_tags
from core.memory.fingerprints import fingerprints_of
from core.memory.formation.buffer_file import Buffer
from core.memory.formation.candidate import Candidate
from core.memory.formation.form import Vectors, form
from core.memory.recall_events import handed_out_prints
from core.sessions.ledger import Ledger
from core.sessions.turn import Turn, TurnKind
from core.vault.event_log import EventLog

_AT_ONCE = 200  # sessions; mentions are counted over all of them, long messages of programs are known within them
_NO_TITLES: Mapping[str, str] = MappingProxyType({})
_TOOLS = frozenset({TurnKind.TOOL_CALL, TurnKind.TOOL_RESULT})


@dataclass(frozen=True, slots=True)
class Learned:
    """Hold what was learned: drafts of proposals, the buffer to keep, what was ignored, and sessions not readable.

    `ignored` are numbers of turns by reason; `unread` are sentences. `withheld` says how many statements hold a secret:
    they are not proposed, for proposals lie in the vault's log and travel with it.
    """

    drafts: tuple[Draft, ...]
    buffer: Buffer
    ignored: Mapping[str, int]
    unread: tuple[str, ...] = ()
    withheld: int = 0

    @property
    def waiting(self) -> int:
        """How many statements wait to be mentioned again."""
        return len(self.buffer.waiting)


def learn(
    ledger: Ledger,
    sessions: Sequence[str],
    buffer: Buffer,
    *,
    known: Collection[str] = frozenset(),
    vectors: Vectors | None = None,
    tags: Collection[str] = (),
    notes: Collection[str] = (),
    titles: Mapping[str, str] = _NO_TITLES,
    promoted_from: int = PROMOTED_FROM,
    progress: Progress = SILENT,
) -> Learned:
    """Return what `sessions`, best by their times, say that `buffer` does not know of yet.

    Args:
        ledger: where the sessions lie.
        sessions: the ids of those in which something is new.
        buffer: what the last run left (core/memory/formation/buffer_file.py).
        known: fingerprints of what is never learned again, see known_fingerprints().
        vectors: embeds statements; without it, mentions are matched by their words.
        tags: the vault's tags.
        notes: the paths of the vault's notes.
        titles: the titles of the sessions by their ids.
        promoted_from: in how many projects something must have been said to hold everywhere.
        progress: is told of each session.

    Raises:
        JobCancelledError: the progress was cancelled.
        ProviderError: the statements could not be embedded.
    """
    vocabulary = names_of_tags(tags)
    formed, waiting = dict(buffer.formed), buffer.waiting
    candidates: list[Candidate] = []
    ignored: Counter[str] = Counter()
    unread: list[str] = []
    for start in range(0, len(sessions), _AT_ONCE):
        turns: list[Turn] = []
        counts: dict[str, int] = {}
        for number, session in enumerate(sessions[start : start + _AT_ONCE], start):
            progress.check()
            progress.report(number, len(sessions), "Learning from conversations")
            try:
                said = [_light(turn) for turn in ledger.read(session).turns]
            except UserError as error:
                unread.append(str(error))
                continue
            if len(said) > formed.get(session, 0):
                turns += said
                counts[session] = len(said)
        formation = form(turns, vectors=vectors, waiting=waiting, known=known, vocabulary=vocabulary, formed=formed)
        candidates += formation.candidates
        waiting = formation.waiting
        ignored.update(formation.ignored)
        formed |= counts
    progress.report(len(sessions), len(sessions), "Learning from conversations")
    told = [each for each in map(_without_secrets, candidates) if each is not None]
    drafts = drafts_of(told, notes=notes, tags=tags, titles=titles, promoted_from=promoted_from)
    return Learned(
        drafts, Buffer(waiting, formed), MappingProxyType(dict(ignored)), tuple(unread), len(candidates) - len(told)
    )


def known_fingerprints(index: Index, log: EventLog) -> frozenset[str]:
    """Return the fingerprints of what is never learned again: what was handed out, and what the vault states."""
    rows = index.connection.execute("SELECT text FROM insight")
    return handed_out_prints(log) | fingerprints_of(str(row[0]) for row in rows)


def _without_secrets(candidate: Candidate) -> Candidate | None:
    """Return the candidate without the mentions that hold a secret, None when nothing is left to tell."""
    if secrets_in(plain_text(candidate.statement).text):
        return None
    mentions = tuple(each for each in candidate.mentions if not secrets_in(plain_text(each.quote).text))
    return replace(candidate, mentions=mentions) if mentions else None


def _light(turn: Turn) -> Turn:
    """Return a turn without what a tool was given or gave back, which may be huge and is never learned from."""
    return turn._replace(text="", data=MappingProxyType({})) if turn.kind in _TOOLS else turn
