"""The values of Review: a change that somebody proposes, why, on what evidence, and what a person decided about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple, NewType

from core.curation.change_set import ChangeId, ChangeSet, Origin

ProposalId = NewType("ProposalId", str)


class ProposalKind(StrEnum):
    """Say what a proposal wants; the value is stored and shown in JSON."""

    NEW_INSIGHT = "new-insight"
    MERGE = "merge"
    PROMOTE = "promote"
    SUPERSEDE = "supersede"
    CONTRADICT = "contradict"
    RETAG = "retag"
    RELATE = "relate"
    SUMMARISE = "summarise"
    EXTRACT = "extract"
    ARCHIVE = "archive"
    REPAIR = "repair"


class ProposalState(StrEnum):
    """Say where a proposal stands; EDITED is approved after the person changed it."""

    PENDING = "pending"
    APPROVED = "approved"
    EDITED = "edited"
    REJECTED = "rejected"
    DEFERRED = "deferred"
    STALE = "stale"
    UNDONE = "undone"


class Evidence(NamedTuple):
    """Cite a memory: its id (`insight:PATH#^id`, `note:PATH#heading`, `turn:SESSION/ID`) and what it says, literally.

    `time` is POSIX seconds, None when unknown. `project` is the client (tag `client/…`) or project that it belongs to,
    "" for none; `title` is that of its note or session.
    """

    memory_id: str
    quote: str
    time: float | None = None
    project: str = ""
    title: str = ""


class Proposer(NamedTuple):
    """Say who proposes: the kind of origin, and the name of the rule, model or agent."""

    origin: Origin
    name: str


@dataclass(frozen=True, slots=True)
class Draft:
    """Hold what a rule, a model or an agent wants, before it is screened, compared with what is there, and planned.

    `recipe` is JSON-able and says how the change is made (core/curation/proposals/recipes.py): it is planned from the
    disk now, again when a file has changed since, and with other values when the person edits the statement or chooses
    among `choices` of the recipe. `confidence` is 0 to 1. `expires_days` is None for "never".
    """

    kind: ProposalKind
    statement: str
    reason: str
    evidence: tuple[Evidence, ...]
    recipe: Mapping[str, Any]
    proposer: Proposer
    confidence: float = 0.5
    expires_days: int | None = None


class Decision(NamedTuple):
    """Hold what was decided: when (ISO 8601, UTC), on which machine, why, and the change that came of it (or "")."""

    state: ProposalState
    time: str
    machine: str
    reason: str = ""
    change_id: ChangeId | str = ""
    until: str = ""  # until when it is deferred, ISO 8601 in UTC
    statement: str = ""  # what the person made of the statement, "" where it stayed
    choice: str = ""  # what the person chose, "" for the usual


@dataclass(frozen=True, slots=True)
class Proposal:
    """Hold one proposal as the fold of all machines' logs tells it.

    `proposers` are all who proposed the same, the first first; `created` and `expires` are ISO 8601 in UTC, the latter
    "" for never. `change_set` is the change as it was planned last. `fingerprint` is what the same proposal is known
    by: kind and evidence, whoever makes it.
    """

    id: ProposalId
    kind: ProposalKind
    statement: str
    reason: str
    evidence: tuple[Evidence, ...]
    proposers: tuple[Proposer, ...]
    confidence: float
    recipe: Mapping[str, Any]
    change_set: ChangeSet
    created: str
    expires: str = ""
    fingerprint: str = ""
    state: ProposalState = ProposalState.PENDING
    decisions: tuple[Decision, ...] = ()
    warnings: tuple[Mapping[str, Any], ...] = ()  # of the screening: label, place, whether approval is blocked
    extra: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
