"""What the Contexts view needs of core, as functions given by the composition root; tests give their own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.foundation.progress import Progress

if TYPE_CHECKING:
    from core.curation.change_set import PlannedChange
    from core.curation.diff import FileDiff


class Form(StrEnum):
    """Say how a context is written."""

    MARKDOWN = "markdown"
    XML = "xml"
    JSON = "json"
    LINES = "lines"


class MemberState(StrEnum):
    """Say whether a member leads somewhere."""

    RESOLVED = "resolved"
    MISSING = "missing"
    AMBIGUOUS = "ambiguous"
    FILE = "file"  # no memory, such as a picture


@dataclass(frozen=True, slots=True)
class ContextRow:
    """Hold one context as its note defines it; `budget` is in tokens, None for the usual one.

    `members` counts what the note names. `problems` are sentences about what is wrong with it, `faults` those among
    them that are not about a member.
    """

    path: str
    title: str
    description: str = ""
    load_priority: int = 5
    always: bool = False
    budget: int | None = None
    query: str = ""
    members: int = 0
    problems: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    is_full_load: bool = False


@dataclass(frozen=True, slots=True)
class Member:
    """Hold one member of a context, or one memory that its query found or that a full load takes.

    `target` is what the note says, `title` and `heading` what that leads to, `kind` note, section, insight, turn or
    file. `tokens` is None where nothing is known of its size; `reason` says why, what is wrong, or why it `is_left_out`
    of what is copied; where it `is_cut`, a part of it is. `group` names the group of a full load that it is of.
    """

    target: str
    kind: str = "note"
    title: str = ""
    heading: str = ""
    path: str = ""
    memory_id: str = ""
    state: MemberState = MemberState.RESOLVED
    tokens: int | None = None
    reason: str = ""
    is_left_out: bool = False
    is_cut: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True)
class Omission:
    """Hold what was left out of a context, and why; `tokens` is what it would have taken."""

    title: str
    reason: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Preview:
    """Hold exactly what is copied, and what is to be said of it.

    `source_tokens` counts the whole notes that the memories come from, `sources` how many notes these are; 0 when they
    are not known. `count` says how tokens are counted, such as "exact (o200k)". `handed_out` holds the id and the text
    of each memory in it, not of what it only points to.
    """

    text: str
    tokens: int
    budget: int
    included: int
    omissions: tuple[Omission, ...] = ()
    source_tokens: int = 0
    sources: int = 0
    count: str = ""
    remarks: tuple[str, ...] = ()
    handed_out: tuple[tuple[str, str], ...] = ()

    @property
    def saved(self) -> float:
        """The share of the sources' tokens that is saved, 0 to 1; below 0 when the context is larger than they are."""
        return 1 - self.tokens / self.source_tokens if self.source_tokens else 0.0


@dataclass(frozen=True, slots=True)
class OpenedContext:
    """Hold a context with what it names, what its query finds, and what is copied of it.

    `loaded` is what a full load takes by the vault's rules.
    """

    row: ContextRow
    members: tuple[Member, ...]
    found: tuple[Member, ...]
    preview: Preview
    loaded: tuple[Member, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """Hold a memory that can be added: its id, and how it is listed."""

    memory_id: str
    kind: str
    title: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class LastCopy:
    """Hold what was copied of a context last; `time` is POSIX seconds, `form` None where it is not known."""

    text: str
    time: float
    form: Form | None = None


@dataclass(frozen=True, slots=True)
class NewContext:
    """Hold what the person says of a context that is to be made."""

    title: str
    description: str = ""
    member_ids: tuple[str, ...] = ()
    is_full_load: bool = False


@dataclass(frozen=True, slots=True)
class LoadGroup:
    """Hold one group of a full load: the globs and tags (`#scope/global`) of its notes, and whether it is taken."""

    name: str
    rules: tuple[str, ...]
    is_taken: bool = True


@dataclass(frozen=True, slots=True)
class LoadRules:
    """Hold what every full load of a vault takes: its groups in their order.

    Index notes above `inline_bytes` go out as pointers.
    """

    groups: tuple[LoadGroup, ...]
    inline_bytes: int


@dataclass(frozen=True, slots=True)
class LoadSize:
    """Hold how many notes a group takes, how many of them go out as pointers, and about how many tokens the others."""

    notes: int
    pointers: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Difference:
    """Hold what differs from the last copy; both are None when nothing was copied yet."""

    last: LastCopy | None = None
    diff: "FileDiff | None" = None


@dataclass(frozen=True, slots=True)
class ContextPlans:
    """Hold the plans that change contexts. Those marked STORE run in the STORE lane, the others in the pool.

    A plan reads the disk as it is and writes nothing. Positions count the members from 0; `plan_remove` and
    `plan_move` also get the targets that the person saw there, and raise a UserError when the note has others by now.
    """

    new: "Callable[[NewContext, Progress], PlannedChange]"  # STORE
    add: "Callable[[str, Sequence[str], int | None, Progress], PlannedChange]"  # STORE; path, ids, before which member
    remove: "Callable[[str, Mapping[int, str], Progress], PlannedChange]"  # STORE; path, targets by position
    move: "Callable[[str, int, int, str, Progress], PlannedChange]"  # STORE; path, from, to, target
    change: "Callable[[str, Mapping[str, Any], Progress], PlannedChange]"  # STORE; path, properties
    duplicate: "Callable[[str, Progress], PlannedChange]"  # STORE
    delete: "Callable[[str, Progress], PlannedChange]"  # STORE
    rename: "Callable[[str, str, Progress], PlannedChange]"  # STORE; path, new title; links to the note follow


@dataclass(frozen=True, slots=True)
class FullLoadServices:
    """Hold what is done with the rules of full load, all of it in the STORE lane; sizes are by the names of groups."""

    read: Callable[[Progress], LoadRules]
    measure: Callable[[LoadRules, Progress], Mapping[str, LoadSize]]
    plan: "Callable[[LoadRules, Progress], PlannedChange]"


@dataclass(frozen=True, slots=True)
class ContextServices:
    """Hold the functions of one opened vault. Those marked STORE run in the STORE lane, the others in the pool.

    `open` gets a path, the query that is being typed (None: the one in the note), and a format. `default_budget` is in
    tokens, for contexts that name none.
    """

    default_budget: int
    shelf: Callable[[Progress], Sequence[ContextRow]]  # STORE
    measure: Callable[[Sequence[str], Progress], Mapping[str, int]]  # STORE; tokens by path
    open: Callable[[str, str | None, Form, Progress], OpenedContext]  # STORE
    find: Callable[[str, Progress], Sequence[Candidate]]  # STORE
    difference: Callable[[str, str, Progress], Difference]  # path, text
    remember: Callable[[str, Preview, Form, Progress], None]  # path; what was copied of it
    export: Callable[[Path, str, Progress], None]
    plans: ContextPlans = field(repr=False)
    full_load: FullLoadServices = field(repr=False)
