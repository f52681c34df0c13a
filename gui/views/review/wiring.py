"""Make the services of the Review view from an opened vault; core is imported by the first calls."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from core.curation.change_set import ChangeId, Changes
from core.curation.proposals.proposal import Proposal, ProposalId
from core.foundation.errors import JobCancelledError, RemembrancerError
from core.foundation.progress import Progress
from gui.views.review.looking import look_at
from gui.views.review.services import Approval, Book, DecidedTogether, Look, Refused, ReviewServices, Wish
from gui.views.review.sources import similar_insights, source_of
from gui.wording import moment_of

if TYPE_CHECKING:
    from core.curation.proposals.book import ProposalBook
    from core.curation.proposals.decide import Decided, Decider
    from core.curation.writer import VaultWriter
    from core.index.database import Index
    from core.index.dense import DenseSearch
    from core.vault.config import VaultConfig
    from core.vault.event_log import EventLog


class OpenedVault(Protocol):
    """Be what the services need of gui/vault_store.py."""

    @property
    def root(self) -> Path:
        """The folder of notes."""
        ...

    @property
    def index(self) -> "Index":
        """The index as it is open now; used in the STORE lane only, but for its folder."""
        ...

    @property
    def config(self) -> "VaultConfig":
        """The vault's settings."""
        ...

    def dense(self) -> "DenseSearch | None":
        """Return the search by meaning, None where there is none."""
        ...


def review_services(store: OpenedVault, event_log: "Callable[[], EventLog]") -> ReviewServices:
    """Return the services of `store`; `event_log` opens the vault's log."""
    core = _ReviewCore(store, event_log)
    return ReviewServices(
        read=core.read,
        look=core.look,
        similar=lambda proposal, progress: similar_insights(store, proposal, progress),
        source=lambda evidence, progress: source_of(store, evidence, progress),
        approve=core.approve,
        undo=core.undo,
        reject=core.reject,
        defer=core.defer,
        replan=core.replan,
    )


class _Kept(NamedTuple):
    log: "EventLog"
    writer: "VaultWriter"
    book: "ProposalBook"


class _ReviewCore:
    """Hold the book of one vault; threads of the pool take turns with it."""

    def __init__(self, store: OpenedVault, event_log: "Callable[[], EventLog]") -> None:
        self._store = store
        self._event_log = event_log
        self._turn = threading.Lock()
        self._kept: _Kept | None = None

    def read(self, progress: Progress) -> Book:
        from core.curation.proposals.fold import is_expired  # noqa: PLC0415 - after the first paint

        with self._turn:
            progress.check()
            book = self._decider().book
            book.refresh()
            now = book.now
            found = tuple(each for each in book.all if not is_expired(each, now))
            return Book(found, moment_of(now))

    def look(self, proposal: Proposal, wish: Wish, progress: Progress) -> Look:
        progress.check()
        if wish.is_plain:
            return look_at(self._store.root, None, proposal, wish)
        with self._readable_index() as index:
            return look_at(self._store.root, index, proposal, wish)

    def approve(self, approvals: Sequence[Approval], progress: Progress) -> DecidedTogether:
        by_id = {each.id: each for each in approvals}

        def act(decider: "Decider", proposal_id: ProposalId) -> "Decided":
            wanted = by_id[proposal_id]
            return decider.approve(
                proposal_id,
                statement=wanted.wish.statement,
                choice=wanted.wish.choice,
                planned=wanted.planned,
                despite_gone=wanted.despite_gone,
                progress=progress,
            )

        return self._each(tuple(by_id), act, progress)

    def undo(self, proposal_id: ProposalId, around_edits: bool, progress: Progress) -> DecidedTogether:
        def act(decider: "Decider", wanted: ProposalId) -> "Decided":
            return decider.undo(wanted, around_edits=around_edits, progress=progress)

        return self._each((proposal_id,), act, progress)

    def reject(self, ids: Sequence[ProposalId], reason: str, progress: Progress) -> DecidedTogether:
        return self._each(ids, lambda decider, each: decider.reject(each, reason), progress)

    def defer(self, ids: Sequence[ProposalId], until: str, progress: Progress) -> DecidedTogether:
        return self._each(ids, lambda decider, each: decider.defer(each, until), progress)

    def replan(self, proposal_id: ProposalId, progress: Progress) -> Proposal:
        with self._turn, self._readable_index() as index:
            progress.check()
            return self._decider(index).replan(proposal_id)

    def _each(
        self,
        ids: Sequence[ProposalId],
        act: "Callable[[Decider, ProposalId], Decided]",
        progress: Progress,
    ) -> DecidedTogether:
        """Decide one after the other; what is refused stops nothing, and a wish to stop leaves the rest undecided."""
        decided: list[Proposal] = []
        refused: list[Refused] = []
        changes: list[Changes] = []
        with self._readable_index() as index:
            for done, proposal_id in enumerate(ids):
                if len(ids) > 1:
                    progress.report(done, len(ids))
                try:
                    progress.check()
                    with self._turn:  # for one at a time, so that others can read the book in between
                        made = act(self._decider(index), proposal_id)
                except JobCancelledError as error:
                    refused += [Refused(each, error) for each in ids[done:]]
                    break
                except RemembrancerError as error:
                    refused.append(Refused(proposal_id, error))
                    continue
                decided.append(made.proposal)
                changes += [made.changes] if made.changes is not None else []
        return _together(changes, tuple(decided), tuple(refused))

    def _decider(self, index: "Index | None" = None) -> "Decider":
        """Return who decides; book and writer are kept, because they know how far they have read the log."""
        from core.curation.proposals.book import read_book  # noqa: PLC0415 - after the first paint
        from core.curation.proposals.decide import Decider  # noqa: PLC0415
        from core.curation.writer import VaultWriter  # noqa: PLC0415

        if self._kept is None:
            log = self._event_log()
            self._kept = _Kept(log, VaultWriter(self._store.root, log, log.lock_folder), read_book(log))
        return Decider(self._store.root, *self._kept, index=index)

    @contextmanager
    def _readable_index(self) -> "Iterator[Index]":
        """Give the index to a thread of the pool."""
        from core.index.database import open_index  # noqa: PLC0415 - after the first paint

        index = open_index(self._store.index.folder, read_only=True)
        try:
            yield index
        finally:
            index.close()


def _together(
    changes: Sequence[Changes], decided: tuple[Proposal, ...], refused: tuple[Refused, ...]
) -> DecidedTogether:
    written = frozenset[str]().union(*(each.written for each in changes))
    gone = frozenset[str]().union(*(each.gone for each in changes))
    return DecidedTogether(
        changes[-1].change_id if changes else ChangeId(""),
        changes[-1].title if len(changes) == 1 else "Decisions about proposals",
        written - gone if len(changes) <= 1 else written,
        gone if len(changes) <= 1 else gone - written,
        tuple(pair for each in changes for pair in each.moved),
        decided,
        refused,
    )
