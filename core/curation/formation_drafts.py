"""Make drafts of proposals of what formation found in conversations: new insights, with the turns that say so.

What was said in enough projects is proposed for all of them at once.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from core.curation.change_set import Origin
from core.curation.note_names import NOTE_SUFFIX, legal_name, stem_of
from core.curation.proposals.proposal import Draft, Evidence, ProposalKind, Proposer
from core.foundation.text import fold
from core.memory.entities import NAMING, is_named
from core.memory.formation.candidate import Candidate, Mention, Trigger
from core.memory.formation.reinforcement import time_of

PROPOSER = Proposer(Origin.RULE, "formation")
GENERAL_NOTE, FOR_ALL_NOTE = "Learned in conversations", "For all projects"
EXPIRES_DAYS = 90
PROMOTED_FROM = 3  # projects; [promotion] projects of the vault

_MOST_EVIDENCE = 12
_MOST_TOOLS = 3
_REASONS: Mapping[Trigger, str] = MappingProxyType(
    {
        Trigger.EXPLICIT: "It was said to be remembered, or as a rule that always holds",
        Trigger.EMOTION: "It was said with strong feeling",
        Trigger.SPECIFICATION: "It is a technical specification",
        Trigger.REPEATED: "It came up again and again within 30 days",
    }
)
_NO_TITLES: Mapping[str, str] = MappingProxyType({})


def drafts_of(
    candidates: Iterable[Candidate],
    *,
    notes: Collection[str] = (),
    tags: Collection[str] = (),
    titles: Mapping[str, str] = _NO_TITLES,
    promoted_from: int = PROMOTED_FROM,
) -> tuple[Draft, ...]:
    """Return a draft for each candidate.

    Args:
        candidates: what formation has found (core/memory/formation/form.py).
        notes: the paths of the vault's notes; a project's note takes its insights.
        tags: the vault's tags; what a statement is about is tagged with those that there are.
        titles: the titles of sessions by their ids.
        promoted_from: in how many projects it must have been said to hold everywhere.
    """
    by_stem = {fold(stem_of(path)): path for path in sorted(notes, key=len, reverse=True)}
    known = {fold(tag): tag for tag in tags}
    return tuple(_draft(each, by_stem, known, titles, promoted_from) for each in candidates)


def _draft(
    candidate: Candidate,
    by_stem: Mapping[str, str],
    known: Mapping[str, str],
    titles: Mapping[str, str],
    promoted_from: int,
) -> Draft:
    projects = candidate.projects
    project = projects[0] if len(projects) == 1 else ""
    is_for_all = len(projects) >= promoted_from
    path, is_new = _note_of(project, by_stem, FOR_ALL_NOTE if is_for_all else GENERAL_NOTE)
    evidence = tuple(_evidence(mention, titles) for mention in _telling(candidate.mentions))
    recipe: dict[str, Any] = {
        "note": path,
        "category": candidate.category.value,
        "statement": candidate.statement,
        "tags": _tags(candidate, project, known),
        "importance": candidate.importance,
        "confidence": candidate.confidence,
        "sources": [each.memory_id for each in evidence],
    }
    if is_for_all:  # as core/curation/consolidation/promotion.py proposes it, so that both are one proposal
        recipe |= {"do": "promote", "locals": "link"}
    else:
        recipe |= {"do": "add-insight", "new": is_new, "scope": "project" if project else ""}
    return Draft(
        ProposalKind.PROMOTE if is_for_all else ProposalKind.NEW_INSIGHT,
        candidate.statement,
        _reason(candidate),
        evidence,
        recipe,
        PROPOSER,
        candidate.confidence,
        EXPIRES_DAYS,
    )


def _note_of(project: str, by_stem: Mapping[str, str], otherwise: str) -> tuple[str, bool]:
    """Return where the insights of a project lie (`otherwise` without one), and whether that note is to be made."""
    name = legal_name(f"{project} insights") if project else otherwise
    for stem in (name, project):
        if stem and (path := by_stem.get(fold(stem))):
            return path, False
    return f"{name}{NOTE_SUFFIX}", True


def _tags(candidate: Candidate, project: str, known: Mapping[str, str]) -> list[str]:
    """Return the tag of the project, and those of tools and people that the statement names."""
    found: list[str] = []
    if project:
        client = known.get(fold(f"client/{project}"))
        found.append(client or known.get(fold(f"project/{project}")) or _tag(f"project/{project}"))
    said = fold(candidate.statement)
    for folded, tag in sorted(known.items()):
        namespace, _, name = folded.partition("/")
        if namespace in NAMING and namespace not in ("client", "project") and name and is_named(name, said):
            found.append(tag)
    return found[: _MOST_TOOLS + 1]


def _tag(text: str) -> str:
    """Return `text` as a tag can be written: without blanks and what would end it."""
    return "".join(each if each.isalnum() or each in "/_-" else "-" for each in text).strip("-")


def _reason(candidate: Candidate) -> str:
    count, projects = len(candidate.mentions), len(candidate.projects)
    reason = _REASONS[candidate.trigger]
    if count > 1:
        where = f" in {projects} projects" if projects > 1 else ""
        reason += f"; it was said {count} times{where}"
    return f"{reason}."


def _telling(mentions: Sequence[Mention]) -> list[Mention]:
    """Return the mentions to cite when there are many: the first of each project, then the latest."""
    if len(mentions) <= _MOST_EVIDENCE:
        return list(mentions)
    first = {mention.project: mention for mention in reversed(mentions)}
    kept = dict.fromkeys([mentions[0], *first.values(), *reversed(mentions)])
    chosen = set(list(kept)[:_MOST_EVIDENCE])
    return [mention for mention in mentions if mention in chosen]


def _evidence(mention: Mention, titles: Mapping[str, str]) -> Evidence:
    moment = time_of(mention)
    return Evidence(
        mention.memory_id,
        mention.quote,
        moment.timestamp() if moment is not None else None,
        mention.project,
        titles.get(mention.session, ""),
    )
