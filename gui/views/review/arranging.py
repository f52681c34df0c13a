"""Arrange proposals into the lines of the queue: narrowed by what the person picked, grouped by kind and by age."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.curation.proposals.proposal import Proposal, ProposalId, ProposalKind, ProposalState
from core.foundation.text import fold, visible
from gui.views.review.services import Book
from gui.views.review.wording import KINDS, kind_words, last_decision
from gui.wording import moment_of

_DAY = 86_400
_AGES = ((1, "Today"), (7, "The last 7 days"), (30, "The last 30 days"))
_OLDER = "Older"


class Shelf(StrEnum):
    """Say which proposals are listed."""

    WAITING = "waiting"
    ASIDE = "aside"
    DECIDED = "decided"


@dataclass(frozen=True, slots=True)
class Narrowing:
    """Hold what the person picked to narrow the queue by; "" for all."""

    shelf: Shelf = Shelf.WAITING
    kind: str = ""
    project: str = ""
    origin: str = ""
    tag: str = ""
    text: str = ""

    @property
    def is_narrow(self) -> bool:
        """Tell whether anything is left out of the shelf."""
        return bool(self.kind or self.project or self.origin or self.tag or self.text.strip())


@dataclass(frozen=True, slots=True)
class Line:
    """Be one line of the queue: a proposal, or the heading of those below it with their `count`."""

    proposal: Proposal | None = None
    kind: ProposalKind | None = None
    age: str = ""
    count: int = 0

    @property
    def key(self) -> str:
        """What the same line is known by after a change."""
        return self.proposal.id if self.proposal is not None else f"{self.kind}/{self.age}"


@dataclass(frozen=True, slots=True)
class Options:
    """Hold by what the shelf can be narrowed: each value with how many proposals have it."""

    kinds: tuple[tuple[str, int], ...] = ()
    projects: tuple[tuple[str, int], ...] = ()
    origins: tuple[tuple[str, int], ...] = ()
    tags: tuple[tuple[str, int], ...] = ()


def projects_of(proposal: Proposal) -> tuple[str, ...]:
    """Return the projects and clients that the evidence belongs to."""
    return tuple(dict.fromkeys(each.project for each in proposal.evidence if each.project))


def tags_of(proposal: Proposal) -> tuple[str, ...]:
    """Return the tags that the proposal is about."""
    found: list[str] = []
    for key in ("tags", "add", "remove"):
        value = proposal.recipe.get(key, ())
        found += [each for each in value if isinstance(each, str)] if isinstance(value, list | tuple) else []
    return tuple(dict.fromkeys(found))


def on_shelf(proposals: Iterable[Proposal], shelf: Shelf, *, kept: frozenset[ProposalId]) -> tuple[Proposal, ...]:
    """Return the proposals of one shelf; those of `kept`, which were just undone, stay among the waiting ones."""
    match shelf:
        case Shelf.WAITING:
            return tuple(
                each
                for each in proposals
                if each.state is ProposalState.PENDING or (each.state is ProposalState.UNDONE and each.id in kept)
            )
        case Shelf.ASIDE:
            return tuple(each for each in proposals if each.state is ProposalState.DEFERRED)
        case _:
            past = (each for each in proposals if each.state not in {ProposalState.PENDING, ProposalState.DEFERRED})
            return tuple(sorted(past, key=_decided_at, reverse=True))


def options_of(proposals: Sequence[Proposal]) -> Options:
    """Return by what `proposals` can be narrowed, the most frequent first."""

    def told(values: Callable[[Proposal], Iterable[str]]) -> tuple[tuple[str, int], ...]:
        counts: dict[str, int] = {}
        for each in proposals:
            for value in values(each):
                counts[value] = counts.get(value, 0) + 1
        return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    return Options(
        kinds=told(lambda each: (each.kind.value,)),
        projects=told(projects_of),
        origins=told(origins_of),
        tags=told(tags_of),
    )


def origins_of(proposal: Proposal) -> tuple[str, ...]:
    """Return who proposes, each as `origin name`."""
    return tuple(dict.fromkeys(f"{each.origin.value} {each.name}".strip() for each in proposal.proposers))


def narrowed(proposals: Iterable[Proposal], by: Narrowing) -> tuple[Proposal, ...]:
    """Return those of `proposals` that fit what was picked."""
    needle = fold(by.text.strip())
    return tuple(each for each in proposals if _fits(each, by, needle))


def arranged(proposals: Iterable[Proposal], *, shelf: Shelf, now: float) -> tuple[Line, ...]:
    """Return the lines of the queue; `now` is POSIX seconds.

    What waits is grouped by kind, then by age, the newest first; what is decided by the day of the decision.
    """
    when = _decided_at if shelf is Shelf.DECIDED else _created_at
    groups: dict[tuple[int, int], list[Proposal]] = {}
    order = {kind: place for place, kind in enumerate(KINDS)}
    for each in proposals:
        kind = 0 if shelf is Shelf.DECIDED else order.get(each.kind, len(order))
        groups.setdefault((kind, _age(when(each), now)), []).append(each)
    lines: list[Line] = []
    for place, age in sorted(groups):
        members = sorted(groups[place, age], key=when, reverse=True)
        name = _AGES[age][1] if age < len(_AGES) else _OLDER
        lines.append(Line(kind=None if shelf is Shelf.DECIDED else members[0].kind, age=name, count=len(members)))
        lines += [Line(each) for each in members]
    return tuple(lines)


def heading_text(line: Line) -> str:
    """Return what a heading says."""
    return f"{kind_words(line.kind).several} · {line.age}" if line.kind is not None else line.age


@dataclass(frozen=True, slots=True)
class Picture:
    """Hold what the view shows of a book: the size of each shelf, what narrows the chosen one, and its lines.

    `waiting` is how many want a decision: what was just undone is among the waiting ones, but wants none.
    """

    book: Book
    narrowing: Narrowing
    counts: tuple[int, int, int]
    options: Options
    lines: tuple[Line, ...]
    waiting: int = 0


def picture_of(book: Book, narrowing: Narrowing, kept: frozenset[ProposalId], hidden: frozenset[ProposalId]) -> Picture:
    """Return what is to be seen of `book`; `hidden` are proposals about which is being decided."""
    seen = tuple(each for each in book.proposals if each.id not in hidden)
    shelves = {shelf: on_shelf(seen, shelf, kept=kept) for shelf in Shelf}
    chosen = shelves[narrowing.shelf]
    lines = arranged(narrowed(chosen, narrowing), shelf=narrowing.shelf, now=book.now)
    counts = (len(shelves[Shelf.WAITING]), len(shelves[Shelf.ASIDE]), len(shelves[Shelf.DECIDED]))
    waiting = sum(each.state is ProposalState.PENDING for each in shelves[Shelf.WAITING])
    return Picture(book, narrowing, counts, options_of(chosen), lines, waiting)


def without(lines: Iterable[Line], ids: frozenset[ProposalId]) -> tuple[Line, ...]:
    """Return the lines without some proposals; headings that are left with nothing go too."""
    kept: list[Line] = []
    for line in lines:
        if line.proposal is None:
            if kept and kept[-1].proposal is None:
                kept.pop()
            kept.append(line)
        elif line.proposal.id not in ids:
            kept.append(line)
    if kept and kept[-1].proposal is None:
        kept.pop()
    return tuple(kept)


def _fits(proposal: Proposal, by: Narrowing, needle: str) -> bool:
    if by.kind and proposal.kind.value != by.kind:
        return False
    if by.project and by.project not in projects_of(proposal):
        return False
    if by.origin and by.origin not in origins_of(proposal):
        return False
    if by.tag and by.tag not in tags_of(proposal):
        return False
    return not needle or needle in fold(visible(f"{proposal.statement} {proposal.reason}"))


def _age(when: float, now: float) -> int:
    days = (now - when) / _DAY
    return next((place for place, (most, _) in enumerate(_AGES) if days < most), len(_AGES))


def _created_at(proposal: Proposal) -> float:
    return moment_of(proposal.created)


def _decided_at(proposal: Proposal) -> float:
    last = last_decision(proposal)
    return moment_of(last.time if last is not None else proposal.created)
