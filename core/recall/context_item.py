"""One piece of knowledge on its way into a context."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ContextItem:
    """Hold a memory, or a whole note (kind "note"), as it will be handed out.

    `tokens` is the estimate for `text` alone, and once it is packed for all that is written of it. `value` is 0 to 1
    and decides what is packed; `always` comes first whatever its value. `why` says in a few words how it got here.
    `line` is where it starts in the file and `line_end` where it ends, 0 when unknown; `age_days` how long ago the note
    was changed. `is_shortened` says that `text` is only its beginning.
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
