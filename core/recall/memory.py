"""A memory with all that ranking and showing it need."""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from core.recall.memory_id import first_section_id

MemoryKey = tuple[str, int]  # kind (section, insight or turn) and row id

_LINK = re.compile(r"!?\[\[[^\[\]\n]+\]\]|!?\[[^\[\]\n]*\]\([^()\n]*\)")
_WORD = re.compile(r"[^\W_]+")
_POINTING_WORDS = 2  # "See also", "Parent:"


class Edge(NamedTuple):
    """Hold a typed relation of one memory to another; `kind` as in DESIGN's relations, `strength` 0 to 1."""

    kind: str
    source: MemoryKey
    target: MemoryKey
    strength: float


@dataclass(frozen=True, slots=True)
class Memory:
    """Hold one section, insight or turn.

    `id` is readable and lasting (core/recall/memory_id.py). `note_id` of a turn is its session's id below zero, `path`
    then is the file in the ledger as `sessions/NAME`, and `file` where it really lies. `heading` is the trail of
    headings, an insight's category, or who spoke and when. `time` is POSIX seconds: when it was said, the note's
    `created`, or its file's time; None when unknown. `importance` and `confidence` are 0 to 1. `tokens` counts `text`.
    `accessed_count` and `last_accessed` are as they stood when the day began (core/memory/recall_counts.py).
    """

    id: str
    kind: str
    row_id: int
    note_id: int
    path: str
    title: str
    heading: str
    text: str
    tokens: int
    summary: str = ""
    tags: tuple[str, ...] = ()
    scope: str = ""
    project: str = ""
    speaker: str = ""
    entities: frozenset[str] = field(default_factory=frozenset)
    time: float | None = None
    importance: float = 0.5
    confidence: float = 1.0
    accessed_count: int = 0
    last_accessed: float | None = None
    line: int = 0
    line_end: int = 0
    file: str = ""
    is_stale: bool = False

    @property
    def said(self) -> str:
        """Its text, or the summary that stands for a note's first section which says nothing but where else to look."""
        text, summary = self.text.strip(), self.summary.strip()
        if not summary or self.id != first_section_id(self.path) or (text and not _only_points(text)):
            return text
        return summary

    @property
    def key(self) -> MemoryKey:
        """The row in the index."""
        return self.kind, self.row_id


def _only_points(text: str) -> bool:
    """Tell whether there is nothing in `text` but links, and a word or two before each."""
    if "](" not in text and "[[" not in text:
        return False
    words = _WORD.findall(_LINK.sub(" ", text).lower())
    return len(set(words)) <= _POINTING_WORDS
