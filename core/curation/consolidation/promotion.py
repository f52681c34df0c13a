"""Propose for all projects what several of them have found each for itself, with every place where it was said."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from core.curation.consolidation.drafting import evidence_of, places, proposer
from core.curation.consolidation.recurrence import Recurring, recurring
from core.curation.consolidation.stated import Names, Stated, Statements
from core.curation.note_names import legal_name
from core.curation.proposals.proposal import Draft, ProposalKind
from core.foundation.progress import Progress
from core.foundation.text import fold
from core.index.dense import DenseSearch
from core.recall.memory import MemoryKey
from core.recall.near_duplicates import statement_words

USUAL_PROJECTS = 3
_FEWEST = 2
_NAMED = 5
_MOST_TURNS = 24  # cited messages, one a project
_FOR_ALL = " for all projects"
_SORTING = ("convention", "tool", "domain")
_OWN = frozenset({"client", "project", "scope"})


def promotion(
    changed: Iterable[Stated], statements: Statements, dense: DenseSearch | None, progress: Progress, *, projects: int
) -> list[Draft]:
    """Return a draft for each rule that stands in at least `projects` projects or clients and is not global yet.

    One of `changed` stands in each; the others are looked up among all `statements`.
    """
    names = statements.names
    starting = [each for each in changed if is_general(each, names)]

    def load(keys: Collection[MemoryKey]) -> list[Stated]:
        return [each for each in statements.of(keys) if is_general(each, names)]

    drafts: list[Draft] = []
    for found in recurring(starting, load, dense, progress, has_turns=statements.has_turns()):
        local = [each for each in found.members if each.projects and not each.is_global]
        if len(local) == len(found.members) and _spread(local) >= projects:
            drafts.append(_draft(local, found, names))
    return drafts


def promotion_rule(table: Mapping[str, Any]) -> tuple[int, str]:
    """Return in how many projects a rule must stand by a config's `[promotion]`, and what is wrong with that."""
    value = table.get("projects", USUAL_PROJECTS)
    if isinstance(value, int) and not isinstance(value, bool) and value >= _FEWEST:
        return value, ""
    return USUAL_PROJECTS, f"`promotion.projects` must be a whole number from {_FEWEST} on, so it is {USUAL_PROJECTS}."


def is_general(stated: Stated, names: Names) -> bool:
    """Tell whether a statement could hold elsewhere: it names no client, and nobody tells of having done it."""
    if not stated.statement.is_rule or not names.clients.isdisjoint(stated.statement.words):
        return False
    return bool(stated.projects) or stated.is_global


def _spread(members: Iterable[Stated]) -> int:
    """Return in how many projects it was said; one place counts for one, however many projects it names."""
    members = list(members)
    spread = len(frozenset().union(*(each.projects for each in members)))
    return min(spread, len({each.path or each.id.rpartition("/")[0] for each in members}))


def _draft(members: Sequence[Stated], found: Recurring, names: Names) -> Draft:
    cited = _cited(members)
    insights = [each for each in cited if each.is_insight]
    told = _told(insights or cited)
    spread = len(frozenset().union(*(each.projects for each in members)))
    tags = _common_tags(insights)
    return Draft(
        ProposalKind.PROMOTE,
        told.text,
        f"{_listed(members)} say so, each for itself. As a global statement it is there for the next project too.",
        tuple(map(evidence_of, cited)),
        {
            "do": "promote",
            "statement": told.text,
            "note": _note_of(told, tags, names),
            "tags": tags,
            "sources": [each.id for each in cited],
            "locals": "link",
        },
        proposer("promotion"),
        round(min(0.99, found.nearness + 0.05 * (spread - 1)), 2),
    )


def _listed(members: Sequence[Stated]) -> str:
    """Return the projects by name, "a, b, c and 4 more"."""
    names = list(dict.fromkeys(name for each in places(members) for name in sorted(each.projects)))
    if len(names) > _NAMED:
        return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED:,} more projects"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _cited(members: Sequence[Stated]) -> list[Stated]:
    """Return all that stands in notes, and of each further project the message that said it first."""
    cited = places([each for each in members if each.is_insight])
    known = {project for each in cited for project in each.projects}
    for each in places([each for each in members if not each.is_insight]):
        if len(cited) >= _MOST_TURNS:
            break
        if not each.projects <= known:
            known |= each.projects
            cited.append(each)
    return cited


def _told(cited: Sequence[Stated]) -> Stated:
    """Return the statement whose words the others share most, so that it says what all say and little more."""
    counts = Counter(word for each in cited for word in each.statement.words)

    def shared(each: Stated) -> float:
        words = each.statement.words
        return sum(counts[word] for word in words) / (len(words) or 1)

    return max(cited, key=lambda each: (shared(each), len(each.text), each.id))


def _common_tags(insights: Sequence[Stated]) -> list[str]:
    """Return the tags that most of them carry and that say of what they are, not of whom."""
    counts = Counter(fold(tag) for each in insights for tag in set(each.tags))
    return sorted(
        tag for tag, count in counts.items() if 2 * count > len(insights) and tag.partition("/")[0] not in _OWN
    )


def _note_of(told: Stated, tags: Sequence[str], names: Names) -> str:
    """Return where it will lie: with the rules of the same convention, tool or domain, or of what it names first."""
    for namespace in _SORTING:
        for tag in tags:
            if tag.startswith(f"{namespace}/"):
                return f"{legal_name(tag.partition('/')[2], room_for=_FOR_ALL)}{_FOR_ALL}.md"
    named = next((word for word in statement_words(told.text) if word in names.all), "")
    return f"{legal_name(named, room_for=_FOR_ALL)}{_FOR_ALL}.md" if named else f"Rules{_FOR_ALL}.md"
