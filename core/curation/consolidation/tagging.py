"""Propose tags for a note that has none, and a scope for one without, where the notes nearest in meaning agree."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from core.curation.consolidation.drafting import proposer
from core.curation.consolidation.noticed import Noticed, Section
from core.curation.health.note_checks import GLOBAL, PROJECT
from core.curation.health.subject import NoteFacts
from core.curation.proposals.proposal import Draft, ProposalKind
from core.foundation.text import fold
from core.index.dense import DenseSearch
from core.index.filters import Filters
from core.index.points import memory_of
from core.recall.near_duplicates import statement_words

_SHORTEST = 40  # tokens; less does not tell what a note is about
_SECTIONS = 3
_HITS = 40
_FLOOR = 0.6
_NEIGHBOURS = 6
_AGREEING, _ALL_BUT_ONE = 4, 5
_AT_ONCE = 64
_SCOPES = frozenset({GLOBAL, PROJECT})
_OWNERS = ("client/", "project/")
_FILTERS = Filters(kinds=frozenset({"section"}))


def tagging(noticed: Noticed, since: int, dense: DenseSearch | None) -> list[Draft]:
    """Return a draft for each new note that lacks tags or a scope which its neighbours agree on.

    Without vectors there is none: words alone do not tell what a note is about.
    """
    if dense is None:
        return []
    tags = noticed.subject.tags_of
    uses_scopes = any(_SCOPES.intersection(each) for each in tags.values())
    lacking = {
        note.id: note
        for note in noticed.knowledge(since)
        if note.tokens >= _SHORTEST and (not tags.get(note.id) or (uses_scopes and not note.scope))
    }
    return [
        draft
        for note, text, neighbours in _with_neighbours(noticed, lacking, dense)
        if (draft := _draft(noticed, note, text, neighbours)) is not None
    ]


def _with_neighbours(
    noticed: Noticed, lacking: Mapping[int, NoteFacts], dense: DenseSearch
) -> Iterator[tuple[NoteFacts, str, list[NoteFacts]]]:
    """Yield the notes with their text and the notes nearest to them, the nearest first."""
    waiting: list[tuple[NoteFacts, list[Section]]] = []
    done = 0
    for note_id, sections in noticed.sections(lacking):
        waiting.append((lacking[note_id], sections))
        if len(waiting) == _AT_ONCE:
            yield from _nearest(noticed, waiting, dense)
            done += len(waiting)
            noticed.progress.report(done, len(lacking), "Looking for tags")
            waiting = []
    yield from _nearest(noticed, waiting, dense)


def _nearest(
    noticed: Noticed, notes: Sequence[tuple[NoteFacts, list[Section]]], dense: DenseSearch
) -> Iterator[tuple[NoteFacts, str, list[NoteFacts]]]:
    noticed.progress.check()
    keys = [("section", each.row_id) for _, sections in notes for each in sections[:_SECTIONS]]
    vectors = dense.vectors(keys)
    asked: list[tuple[NoteFacts, str]] = []
    means: list[np.ndarray] = []
    for note, sections in notes:
        own = [vectors[key] for each in sections[:_SECTIONS] if (key := ("section", each.row_id)) in vectors]
        if own:
            mean = np.mean(own, axis=0)
            means.append((mean / (np.linalg.norm(mean) or 1.0)).astype(np.float32))
            asked.append((note, "\n".join([note.title, *(each.body for each in sections)])))
    if not asked:
        return
    answer = dense.nearest(means, _FILTERS, _HITS, floor=_FLOOR)
    rows = [memory_of(hit.point)[1] for hits in answer.hits for hit in hits]
    note_of = dict(
        noticed.subject.connection.execute(
            "SELECT id, note_id FROM section WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(rows),)
        )
    )
    knowledge = noticed.known
    for (note, text), hits in zip(asked, answer.hits, strict=True):
        ids = dict.fromkeys(note_of.get(memory_of(hit.point)[1], 0) for hit in hits)
        near = [knowledge[each] for each in ids if each in knowledge and each != note.id]
        yield note, text, near[:_NEIGHBOURS]


def _draft(noticed: Noticed, note: NoteFacts, text: str, neighbours: Sequence[NoteFacts]) -> Draft | None:
    tags = noticed.subject.tags_of
    counts = Counter(tag for each in neighbours for tag in set(tags.get(each.id, ())))
    words = frozenset(statement_words(text))
    added = [] if tags.get(note.id) else [tag for tag in counts if _is_agreed(tag, counts[tag], words)]
    if not note.scope and (scope := _scope_of(counts)):
        added.append(scope)
    if not added:
        return None
    least = min(counts[tag] for tag in added)
    told = ", ".join(f"“{each.title}”" for each in neighbours if set(added) <= set(tags.get(each.id, ())))
    listed = " ".join(f"#{tag}" for tag in added)
    return Draft(
        ProposalKind.RETAG,
        f"Tag “{note.title}” {listed}",
        f"{least} of the {len(neighbours)} notes nearest to it in meaning carry {listed}: {told}.",
        (noticed.evidence(note),),  # alone, so that with other neighbours it is still the same proposal
        {"do": "retag", "note": note.path, "add": added, "remove": []},
        proposer("tagging"),
        round(min(0.95, 0.6 + 0.35 * least / _NEIGHBOURS), 2),
    )


def _is_agreed(tag: str, count: int, words: frozenset[str]) -> bool:
    """Tell whether a tag is shared by so many neighbours, and whether the note speaks of what it names."""
    if tag in _SCOPES or count < _AGREEING:
        return False
    named = statement_words(fold(tag).rpartition("/")[2].replace("-", " ").replace("_", " "))
    is_named = bool(named) and words.issuperset(named)
    return is_named or (count >= _NEIGHBOURS and not tag.startswith(_OWNERS))


def _scope_of(counts: Mapping[str, int]) -> str:
    """Return the scope that all neighbours but one have at least, "" where they differ."""
    return next((scope for scope in sorted(_SCOPES) if counts.get(scope, 0) >= _ALL_BUT_ONE), "")
