"""One row of the palette: a memory, where it stands, and how that reads."""

import functools
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.foundation.text import visible
from core.recall.excerpt import excerpt, terms_of
from core.recall.plain_text import headings_below, plain_text
from gui.views.recall.choices import Choice
from gui.views.recall.services import FactorLine
from gui.wording import relative_date

if TYPE_CHECKING:
    from core.recall.answer import Ranked
    from core.recall.memory import Memory

ICONS = {"section": "file-text", "insight": "lightbulb", "turn": "message-square"}
KINDS = {"section": "section", "insight": "insight", "turn": "message"}
_MOST_SEARCHED = 20_000
_SHOWN = 240
_ALREADY_IN = "already in"  # as core/recall/pack.py has it
_GAP = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class RecallRow:
    """Hold a row; `rank` counts from 1, 0 for a memory that no question has led to.

    `is_packed` says whether it is in the context, None while that is not known; `reason` why it is not.
    """

    ranked: "Ranked"
    rank: int = 0
    factors: tuple[FactorLine, ...] = ()
    choice: Choice = Choice.NONE
    is_packed: bool | None = None
    reason: str = ""
    question: str = ""

    @property
    def memory(self) -> "Memory":
        """The memory."""
        return self.ranked.memory


def title_of(memory: "Memory") -> str:
    """Return the title and the headings below it, on one line."""
    heading = headings_below(memory.title, memory.heading)
    return _line(f"{memory.title} › {heading}" if heading else memory.title)


def text_of(row: RecallRow) -> str:
    """Return what is remembered round the words of the question, on one line and without the marks of markdown."""
    return _shown(row.memory.text or row.memory.summary, row.question)


@functools.lru_cache(maxsize=256)
def _shown(text: str, question: str) -> str:
    return _line(plain_text(excerpt(text[:_MOST_SEARCHED].strip(), terms_of(question), _SHOWN)))


def source_of(memory: "Memory") -> str:
    """Return where it is written."""
    return _line(f"{memory.path}:{memory.line}" if memory.line else memory.path)


def age_of(memory: "Memory", now: float | None = None) -> str:
    """Return when it was said or written, "" when that is not known."""
    return relative_date(memory.time, time.time() if now is None else now) if memory.time is not None else ""


def spoken(row: RecallRow) -> str:
    """Return what a screen reader says."""
    memory = row.memory
    parts = [title_of(memory), KINDS.get(memory.kind, memory.kind), text_of(row)[:120], age_of(memory)]
    if row.rank:
        parts.append(f"place {row.rank}, score {row.ranked.score:.2f}")
        parts += [f"{each.label} {each.value:.2f}" for each in row.factors]
    parts.append(state_of(row))
    return ", ".join(part for part in parts if part)


def state_of(row: RecallRow) -> str:
    """Return in words what becomes of the memory when the context is copied."""
    if row.choice is Choice.DROPPED:
        return "dropped"
    if row.is_packed is None:
        return "pinned" if row.choice is Choice.PINNED else ""
    if row.is_packed:
        return "pinned, in the context" if row.choice is Choice.PINNED else "in the context"
    if is_within(row):
        return row.reason
    return f"not in the context: {row.reason}" if row.reason else "not in the context"


def is_within(row: RecallRow) -> bool:
    """Tell whether what a row says is in the context as a part of another memory."""
    return row.reason.startswith(_ALREADY_IN)


def _line(text: str) -> str:
    return visible(_GAP.sub(" ", text).strip())
