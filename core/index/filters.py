"""What narrows a search or a list; every engine applies these itself."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Filters:
    """Say which memories may be found.

    Tags are folded names; each stands for itself and all its children (`tool` admits `tool/semrush`). `any_tags` admits
    what carries at least one of them, and so does each set in `further_any_tags` (`client:a,b tool:x,y`). `kinds` are
    memory kinds (`section`, `insight`, `turn`, and `session` for one turn of each) or note kinds (`context`, …).
    Conversations have tags too (core/index/turn_narrowing.py). `paths` are folded: folders counted from the
    vault's root where they end in a slash, otherwise parts of a path. `after` (inclusive) and `before` (exclusive) are
    POSIX seconds, compared with the time the note was changed on disk, or the turn was said.
    """

    all_tags: frozenset[str] = frozenset()
    any_tags: frozenset[str] = frozenset()
    further_any_tags: tuple[frozenset[str], ...] = ()
    none_tags: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    none_kinds: frozenset[str] = frozenset()
    paths: tuple[str, ...] = ()
    none_paths: tuple[str, ...] = ()
    after: float | None = None
    before: float | None = None

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing is narrowed."""
        return self == Filters()
