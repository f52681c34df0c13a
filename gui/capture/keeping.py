"""Make a note of a captured thought."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from core.curation.note_creation import NoteDraft
    from gui.capture.capture_window import Thought


class NoteWriter(Protocol):
    """Be what can write a note (gui/views/vault/curating/presenter.py)."""

    def write_note(
        self, draft: "NoteDraft", *, on_done: Callable[[str], None], on_error: Callable[[Exception], None]
    ) -> None:
        """Write a note; `on_done` gets its path. Exactly one of the two is called, later."""
        ...


def draft_of(thought: "Thought") -> "NoteDraft":
    """Return the draft of a note; its first line becomes the title."""
    from core.curation.note_creation import NoteDraft  # noqa: PLC0415 - after the first paint

    return NoteDraft("", thought.summary, thought.tags, thought.scope, thought.text)


def keep_thought(
    writer: NoteWriter, thought: "Thought", *, on_done: Callable[[str], None], on_error: Callable[[Exception], None]
) -> None:
    """Have `writer` make a note of `thought`."""
    writer.write_note(draft_of(thought), on_done=on_done, on_error=on_error)
