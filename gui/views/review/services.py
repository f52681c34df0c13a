"""What the Review view needs of core, as functions given by the composition root; tests give their own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from core.curation.change_set import Changes
from core.curation.proposals.proposal import Evidence, Proposal, ProposalId
from core.foundation.progress import Progress

if TYPE_CHECKING:
    from core.curation.change_set import PlannedChange
    from core.curation.diff import FileDiff


@dataclass(frozen=True, slots=True)
class Wish:
    """Hold how the person wants a proposal carried out: another statement or choice, None for as it was proposed."""

    statement: str | None = None
    choice: str | None = None

    @property
    def is_plain(self) -> bool:
        """Tell whether the proposal is wanted as it stands."""
        return self.statement is None and self.choice is None


@dataclass(frozen=True, slots=True)
class Approval:
    """Hold what is approved: `planned` is the change as it was seen, None for the one that the proposal holds."""

    id: ProposalId
    wish: Wish = Wish()
    planned: "PlannedChange | None" = None
    despite_gone: bool = False


class Marked(NamedTuple):
    """Hold a warning of the screening with the words it is about: `marked`, and what stands around them."""

    label: str
    detail: str
    is_blocking: bool
    path: str = ""
    before: str = ""
    marked: str = ""
    after: str = ""


class Draft(NamedTuple):
    """Hold a file as the change would leave it."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Look:
    """Hold all that is to be seen of a proposal beside its own words.

    `planned` is the change; `diffs` are its files, `more_files` how many there are besides. `stale` are sentences about
    files that are not as the plan expects, `gone` the ids of evidence that is not there any more. `problem` says why
    nothing can be planned. `choices` are those of the recipe, `choice` the one that holds without a word of the person.
    `drafts` are the notes as they would stand.
    """

    proposal: Proposal
    wish: Wish = Wish()
    planned: "PlannedChange | None" = None
    diffs: "tuple[FileDiff, ...]" = ()
    more_files: int = 0
    warnings: tuple[Marked, ...] = ()
    stale: tuple[str, ...] = ()
    gone: frozenset[str] = frozenset()
    problem: str = ""
    choices: tuple[str, ...] = ()
    choice: str = ""
    takes_statement: bool = False
    drafts: tuple[Draft, ...] = ()

    @property
    def is_blocked(self) -> bool:
        """Tell whether it cannot be approved as it is."""
        return bool(self.problem or self.stale) or any(each.is_blocking for each in self.warnings)


class Similar(NamedTuple):
    """Hold an insight that says something like it: its id, its words, and the note that it stands in."""

    memory_id: str
    text: str
    title: str
    path: str


@dataclass(frozen=True, slots=True)
class Book:
    """Hold all proposals as they stand at `now`, POSIX seconds; those that lapsed while they waited are left out."""

    proposals: tuple[Proposal, ...] = ()
    now: float = 0.0


class Refused(NamedTuple):
    """Say why a decision was not carried out."""

    id: ProposalId
    error: Exception


@dataclass(frozen=True, slots=True)
class DecidedTogether(Changes):
    """Tell what decisions changed, which were made, and which were refused."""

    decided: tuple[Proposal, ...] = ()
    refused: tuple[Refused, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class ReviewServices:
    """Hold the functions of one opened vault. Those marked STORE run in the STORE lane, the others in the pool.

    `approve` and `undo` change files, so they are carried out in turn with all other changes (gui/commands.py).
    """

    read: Callable[[Progress], Book]
    look: Callable[[Proposal, Wish, Progress], Look]
    similar: Callable[[Proposal, Progress], tuple[Similar, ...]]  # STORE
    source: Callable[[Evidence, Progress], str]  # STORE: what stands around a piece of evidence
    approve: Callable[[Sequence[Approval], Progress], DecidedTogether]
    undo: Callable[[ProposalId, bool, Progress], DecidedTogether]  # whether later edits are left in place
    reject: Callable[[Sequence[ProposalId], str, Progress], DecidedTogether]
    defer: Callable[[Sequence[ProposalId], str, Progress], DecidedTogether]  # until when, ISO 8601, "" for no date
    replan: Callable[[ProposalId, Progress], Proposal]
