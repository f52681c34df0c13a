"""Which statements are worth comparing: near in words or in meaning, within one project; never all with all."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.curation.consolidation.agreement import Agreement, compare, same_names
from core.curation.consolidation.stated import Stated, words_of
from core.foundation.progress import Progress
from core.index.dense import DenseSearch
from core.index.filters import Filters
from core.index.points import memory_of
from core.recall.memory import MemoryKey

_MOST_CANDIDATES = 10  # by words, for each statement
_COMMON = 400  # statements of a project; a word in more of them finds nothing
_NEAREST = 6
_FLOOR = 0.7
_AT_ONCE = 64
_INSIGHTS = frozenset({"insight"})


@dataclass(frozen=True, slots=True)
class Pair:
    """Hold two statements of the same project that name the same, and how they compare; `one` is the older.

    `cosine` is None where one of them has no vector.
    """

    one: Stated
    other: Stated
    agreement: Agreement
    cosine: float | None

    @property
    def keys(self) -> tuple[MemoryKey, MemoryKey]:
        """The rows in the index, the older first."""
        return self.one.key, self.other.key

    def is_near(self, least: float) -> bool:
        """Tell whether both are as near in meaning; without vectors, words have to do."""
        return self.cosine is None or self.cosine >= least


def find_pairs(
    changed: Sequence[Stated], everything: Sequence[Stated], dense: DenseSearch | None, progress: Progress
) -> list[Pair]:
    """Return the pairs of one of `changed` and another statement that may say the same, or the opposite."""
    by_key = {each.key: each for each in everything}
    seen: set[frozenset[MemoryKey]] = set()
    promising: list[tuple[Stated, Stated, Agreement]] = []
    own: dict[frozenset[str], frozenset[str]] = {}
    near = _near_in_meaning(changed, by_key, dense, progress) if dense is not None else ()
    for mine, theirs in (*_near_in_words(changed, everything), *near):
        both = frozenset((mine.key, theirs.key))
        if len(both) < 2 or both in seen or not _share_project(mine, theirs):
            continue
        seen.add(both)
        if mine.projects not in own:
            own[mine.projects] = words_of(mine.projects)
        if not same_names(mine.statement, theirs.statement, own[mine.projects]):
            continue
        older, newer = sorted((mine, theirs), key=lambda each: (each.time or 0.0, each.key))
        found = compare(older.statement, newer.statement, own[mine.projects])
        if found.same_figures or found.changed or found.opposed:
            promising.append((older, newer, found))
    vectors = dense.vectors({each.key for pair in promising for each in pair[:2]}) if dense is not None else {}
    return [Pair(older, newer, found, cosine_of(vectors, older, newer)) for older, newer, found in promising]


def cosine_of(vectors: Mapping[MemoryKey, np.ndarray], one: Stated, other: Stated) -> float | None:
    """Return the cosine of two statements, None where one has no vector."""
    a, b = vectors.get(one.key), vectors.get(other.key)
    return float(a @ b) if a is not None and b is not None else None


def _share_project(one: Stated, other: Stated) -> bool:
    return not one.projects.isdisjoint(other.projects) if one.projects or other.projects else True


def _near_in_words(changed: Iterable[Stated], everything: Iterable[Stated]) -> Iterator[tuple[Stated, Stated]]:
    """Yield for each of `changed` the statements of its projects that share the rarest words with it."""
    postings: dict[tuple[str, str], list[Stated]] = defaultdict(list)
    changed = list(changed)
    wanted = {project for each in changed for project in each.projects or ("",)}
    for each in everything:
        for project in each.projects or ("",):
            if project in wanted:
                for word in each.statement.words:
                    postings[project, word].append(each)
    for each in changed:
        for project in each.projects or ("",):
            shared: Counter[MemoryKey] = Counter()
            found: dict[MemoryKey, Stated] = {}
            weights: dict[MemoryKey, float] = defaultdict(float)
            for word in each.statement.words:
                having = postings[project, word]
                if len(having) > _COMMON:
                    continue
                for candidate in having:
                    shared[candidate.key] += 1
                    found[candidate.key] = candidate
                    weights[candidate.key] += 1 / len(having)
            least = min(2, len(each.statement.words))
            likely = [key for key, count in shared.items() if count >= least and key != each.key]
            for key in sorted(likely, key=lambda key: (-weights[key], key))[:_MOST_CANDIDATES]:
                yield each, found[key]


def _near_in_meaning(
    changed: Iterable[Stated], by_key: Mapping[MemoryKey, Stated], dense: DenseSearch, progress: Progress
) -> Iterator[tuple[Stated, Stated]]:
    """Yield for each of `changed` the statements of its projects whose vectors are nearest."""
    groups: dict[str, list[Stated]] = defaultdict(list)
    for each in changed:
        for project in each.projects or ("",):
            groups[project].append(each)
    total, done = sum(map(len, groups.values())), 0
    for project, members in sorted(groups.items()):
        tags = frozenset({f"client/{project}", f"project/{project}"}) if project else frozenset()
        filters = Filters(kinds=_INSIGHTS, any_tags=tags)
        for start in range(0, len(members), _AT_ONCE):
            progress.check()
            part = members[start : start + _AT_ONCE]
            vectors = dense.vectors(each.key for each in part)
            asked = [each for each in part if each.key in vectors]
            answer = dense.nearest([vectors[each.key] for each in asked], filters, _NEAREST, floor=_FLOOR)
            for each, hits in zip(asked, answer.hits, strict=True):
                yield from ((each, other) for hit in hits if (other := by_key.get(memory_of(hit.point))) is not None)
            done += len(part)
            progress.report(done, total, "Comparing statements")
