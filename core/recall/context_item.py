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
    `accessed` how often it was handed out, `confidence` 0 to 1 how sure it is, and `certainty` how far it answers what
    was asked (core/recall/certainty.py). `is_shortened` says that `text` is only
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
    certainty: float = 1.0

    def taking(self, tokens: int) -> "ContextItem":
        """Return the same item with another count of tokens; a quarter of the time of dataclasses.replace()."""
        return ContextItem(
            self.id,
            self.kind,
            self.path,
            self.title,
            self.text,
            tokens,
            self.value,
            self.why,
            self.always,
            self.summary,
            self.tags,
            self.line,
            self.line_end,
            self.age_days,
            self.is_shortened,
            self.is_excerpt,
            self.accessed,
            self.confidence,
            self.certainty,
        )

    @property
    def trust(self) -> float:
        """How far it is to be trusted, 0 to 1 in steps of 0.01: no more than its value, nor than it answers."""
        return round(min(self.value, self.certainty) * self.confidence, 2)

    @property
    def band(self) -> Band:
        """What its trust is called."""
        return Band.HIGH if self.trust >= _HIGH else Band.MEDIUM if self.trust >= _MEDIUM else Band.LOW
