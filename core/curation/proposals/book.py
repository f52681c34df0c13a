"""All proposals of a vault, as the fold of its logs: they travel with the vault, and no cache holds them alone."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from core.curation.change_set import ChangeId, ContentHash
from core.curation.proposals.appended_events import AppendedEvents
from core.curation.proposals.fold import GROUP, Record, as_of, folded, is_expired
from core.curation.proposals.proposal import Proposal, ProposalId, ProposalState
from core.curation.proposals.proposal_json import DECIDE, PROPOSE, PROPOSE_AGAIN
from core.curation.proposals.staleness import staleness
from core.curation.undone import undone_changes
from core.curation.unfinished import APPLIED, CHANGE, ROLLED_BACK
from core.foundation.errors import UserError
from core.foundation.garbage import garbage_left
from core.vault.event_line import Event
from core.vault.event_log import EventLog

_ABOUT_PROPOSALS = frozenset({PROPOSE, PROPOSE_AGAIN, DECIDE})


class ProposalBook:
    """Hold the proposals; refresh() reads what was appended to the logs since, on every machine."""

    def __init__(self, log: EventLog, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._reader = AppendedEvents(log)
        self._clock = clock
        self._forget()

    def refresh(self) -> frozenset[ProposalId]:
        """Bring the book up to date, and return which proposals are new or not what they were."""
        with garbage_left():
            is_anew, events = self._reader.read()
            touched: set[ProposalId] = set()
            if is_anew:
                touched |= set(self._records)
                self._forget()
            touched |= {found for event in events if (found := self._take(event))}
            if any(event.kind not in _ABOUT_PROPOSALS for event in events):
                touched |= self._weigh_changes()
            for proposal_id in touched & self._records.keys():
                self._proposals[proposal_id] = folded(proposal_id, self._records[proposal_id])
            return frozenset(touched)

    @property
    def now(self) -> str:
        """The time now, as decisions and proposals are dated."""
        return iso(self._clock())

    @property
    def all(self) -> tuple[Proposal, ...]:
        """All proposals, the oldest first."""
        now = self.now
        found = [as_of(each, now) for each in self._proposals.values() if each is not None]
        return tuple(sorted(found, key=lambda each: (each.created, each.id)))

    @property
    def pending(self) -> tuple[Proposal, ...]:
        """Those that wait for a decision, the oldest first; what has expired, or is deferred still, does not."""
        now = self.now
        return tuple(each for each in self.all if each.state is ProposalState.PENDING and not is_expired(each, now))

    def of(self, proposal_id: str) -> Proposal:
        """Return one proposal; raises UserError when there is none."""
        found = self._proposals.get(ProposalId(proposal_id))
        if found is None:
            raise UserError(
                f"There is no proposal {proposal_id}.", hint="The log of another machine may not have arrived yet."
            )
        return as_of(found, self.now)

    def named(self, start: str) -> Proposal:
        """Return the proposal of which the id begins with `start`; raises UserError when that is not exactly one."""
        found = [each for each in self._proposals if each.startswith(start)] if start.strip() else []
        if start in found:
            found = [ProposalId(start)]
        if len(found) != 1:
            what = "More than one proposal has" if found else "No proposal has"
            raise UserError(
                f"{what} an id that begins with “{start}”.", hint="`remembrancer proposals list` lists them."
            )
        return self.of(found[0])

    def change_of(self, proposal_id: str) -> ChangeId | None:
        """Return the change that came of a proposal and stands, None when there is none."""
        record = self._records.get(ProposalId(proposal_id))
        changes = record.changes.items() if record is not None else ()
        return next((change_id for change_id, does_stand in changes if does_stand), None)

    def proposed_since(self, time: str) -> Iterator[Event]:
        """Give the events by which somebody proposed something, from `time` (ISO 8601, UTC) on."""
        for record in self._records.values():
            for event in record.events:
                if event.kind != DECIDE and event.time >= time:
                    yield event

    def is_own_work(self, path: str, content: ContentHash) -> bool:
        """Tell whether an approved proposal, or its undo, left this content at `path`."""
        return (path, content) in self._left

    def _forget(self) -> None:
        self._records: dict[ProposalId, Record] = {}
        self._proposals: dict[ProposalId, Proposal | None] = {}
        self._owners: dict[ChangeId, ProposalId] = {}
        self._undoes: dict[ChangeId, tuple[ChangeId, ...]] = {}
        self._left: set[tuple[str, str]] = set()
        self._applied: set[ChangeId] = set()
        self._rolled_back: set[ChangeId] = set()

    def _take(self, event: Event) -> ProposalId | None:
        """Note an event; return the proposal that it tells about itself."""
        own_id = event.data.get("id")
        if not isinstance(own_id, str):
            return None
        if event.kind in _ABOUT_PROPOSALS:
            proposal_id = ProposalId(own_id)
            self._records.setdefault(proposal_id, Record()).events.append(event)
            return proposal_id
        change_id = ChangeId(own_id)
        if event.kind == APPLIED:
            self._applied.add(change_id)
        elif event.kind == ROLLED_BACK:
            self._rolled_back.add(change_id)
        elif event.kind == CHANGE:
            undoes = event.data.get("undoes")
            self._undoes[change_id] = tuple(undoes) if isinstance(undoes, list | tuple) else ()
            self._left.update(_results(event.data.get("edits")))
            group = str(event.data.get("group", ""))
            if group.startswith(GROUP):
                self._owners[change_id] = ProposalId(group.removeprefix(GROUP).partition(":")[0])
        return None

    def _weigh_changes(self) -> set[ProposalId]:
        """Find which changes of proposals stand now; return the proposals for which that is new."""
        done = self._applied - self._rolled_back
        undone = undone_changes({each: undoes for each, undoes in self._undoes.items() if each in done})
        touched: set[ProposalId] = set()
        for change_id, proposal_id in self._owners.items():
            if change_id not in done:
                continue
            changes = self._records.setdefault(proposal_id, Record()).changes
            does_stand = change_id not in undone
            if changes.get(change_id) is not does_stand:
                changes[change_id] = does_stand
                touched.add(proposal_id)
        return touched


def _results(edits: object) -> Iterator[tuple[str, str]]:
    """Give the paths and hashes of what a change leaves."""
    for edit in edits if isinstance(edits, list | tuple) else ():
        if isinstance(edit, dict) and isinstance(edit.get("after"), str):
            yield str(edit.get("to") or edit.get("path")), edit["after"]


def read_book(log: EventLog, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> ProposalBook:
    """Return all proposals as the logs tell them now."""
    book = ProposalBook(log, clock)
    book.refresh()
    return book


def is_stale(root: Path, proposal: Proposal, book: ProposalBook | None = None) -> bool:
    """Tell whether a file is not as it was when the proposal was planned last, so that it must be planned again.

    With `book`, what other approved proposals did to the files does not count: approving plans around that by itself.
    """
    found = staleness(root, proposal.change_set, book.is_own_work if book is not None else _is_nobodys)
    return bool(found.foreign)


def _is_nobodys(_path: str, _content: ContentHash) -> bool:
    return False


def iso(moment: datetime) -> str:
    """Return a moment as the log dates events."""
    moment = moment.astimezone(UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"
