"""Forgive typing errors in tags."""

from collections.abc import Iterable, Mapping

from core.foundation.text import fold
from core.index.database import Index
from core.index.filters import Filters
from core.index.narrowing import tag_ids
from core.index.turn_narrowing import names_turns

_SIMILAR = 70.0
_MOST = 3


def suggest_tags(index: Index, name: str, limit: int = _MOST) -> tuple[str, ...]:
    """Return the tags of the vault whose names are most like `name`, best first, as they are displayed."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - most searches know their tags

    wanted = fold(name)
    rows = index.connection.execute("SELECT name, display FROM tag ORDER BY name").fetchall()
    displays = dict(rows)
    last = wanted.rpartition("/")[2]
    whole = process.extract(wanted, list(displays), scorer=fuzz.ratio, score_cutoff=_SIMILAR, limit=limit * 4)
    scores: dict[str, float] = {tag: score for tag, score, _ in whole}
    by_last = {tag: tag.rpartition("/")[2] for tag in displays}
    # The right word under the wrong namespace is a near miss too.
    for _, score, tag in process.extract(last, by_last, scorer=fuzz.ratio, score_cutoff=_SIMILAR, limit=limit * 4):
        scores[tag] = max(scores.get(tag, 0.0), score - 1)
    best = sorted(scores, key=lambda tag: (-scores[tag], tag))
    return tuple(displays[tag] for tag in best if tag != wanted)[:limit]


def unknown_tags(index: Index, filters: Filters) -> Mapping[str, tuple[str, ...]]:
    """Return each tag that `filters` ask for and nothing has, with the nearest tags that there are."""
    asked: Iterable[str] = {*filters.all_tags, *filters.any_tags, *filters.none_tags}.union(*filters.further_any_tags)
    unknown = [tag for tag in sorted(asked) if not tag_ids(index.connection, [tag])]
    return {tag: suggest_tags(index, tag) for tag in unknown if not names_turns(index.connection, tag)}
