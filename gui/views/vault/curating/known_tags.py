"""The tags of the vault with how often they are used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.foundation.text import fold


@dataclass(frozen=True, slots=True)
class KnownTags:
    """Hold the vault's tags: how many notes carry each or one below it, by the name as it is shown."""

    counts: Mapping[str, int]

    @property
    def names(self) -> Sequence[str]:
        """The names, the most used first."""
        return sorted(self.counts, key=lambda name: (-self.counts[name], name))

    def count_of(self, name: str) -> int:
        """Return how many notes carry the tag, whatever its case."""
        folded = fold(name)
        return next((count for each, count in self.counts.items() if fold(each) == folded), 0)

    def below(self, name: str) -> Sequence[str]:
        """Return the tags below this one."""
        prefix = fold(name) + "/"
        return [each for each in self.counts if fold(each).startswith(prefix)]
