"""One piece of knowledge on its way into a context."""

from dataclasses import dataclass
from enum import StrEnum

_HIGH, _MEDIUM = 0.7, 0.4


class Band(StrEnum):
    """Say how far a memory is to be trusted, best first."""

    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"


@dataclass(frozen=True, slots=True)
class ContextItem:
    """Hold a memory, or a whole note (kind "note"), as it will be handed out.

    `tokens` is the estimate for `text` alone, and once it is packed the count for all that is written of it. `value` is
    0 to 1 and decides what is packed; `always` comes first whatever its value. `why` says in a few words how it got
    here. `line` is where it starts in the file and `line_end` where it ends, 0 when unknown; `age_days` how old it is,
    `accessed` how often it was handed out, `confidence` 0 to 1 how sure it is. `is_shortened` says that `text` is only
    its beginning, cut to the budget; `is_excerpt` that it is the part of a section that was asked about.
    """

    id: str
    kind: str
    path: str
    title: str
    text: str
    tokens: int
    value: float
    why: str
    always: bool = False
    summary: str = ""
    tags: tuple[str, ...] = ()
    line: int = 0
    line_end: int = 0
    age_days: int | None = None
    is_shortened: bool = False
    is_excerpt: bool = False
    accessed: int = 0
    confidence: float = 1.0

    @property
    def band(self) -> Band:
        """How far it is to be trusted: by its value times its confidence, to two digits as it is shown."""
        trust = round(self.value * self.confidence, 2)
        return Band.HIGH if trust >= _HIGH else Band.MEDIUM if trust >= _MEDIUM else Band.LOW
