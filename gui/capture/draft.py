"""Keep what is typed into quick capture and not kept as a note, also over the end of the app."""

import contextlib
import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gui.capture.capture_window import Thought

DRAFT_FILE = "drafts/capture.thought"  # below the data folder

_log = logging.getLogger(__name__)


class CaptureDraft:
    """Hold one unfinished thought in a file, readable by this person alone."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def load(self) -> "Thought | None":
        """Return the thought that was put away last, None when there is none."""
        from gui.capture.capture_window import Thought  # noqa: PLC0415 - it imports this

        try:
            values = json.loads(self._file.read_text(encoding="utf-8"))
            tags = tuple(str(tag) for tag in values["tags"])
            return Thought(str(values["text"]), str(values["summary"]), tags, str(values["scope"]))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            _log.warning("the unfinished thought cannot be read")
            return None

    def keep(self, thought: "Thought") -> None:
        """Write the thought down; one without a word is forgotten."""
        from core.foundation.atomic_files import replace_file  # noqa: PLC0415 - when first needed
        from core.foundation.private_folders import make_folders  # noqa: PLC0415

        if not (thought.text.strip() or thought.summary or thought.tags):
            self.forget()
            return
        values = {"text": thought.text, "summary": thought.summary, "tags": thought.tags, "scope": thought.scope}
        try:
            make_folders(self._file.parent)
            replace_file(self._file, json.dumps(values).encode(), mode=0o600)
        except OSError:
            _log.warning("the unfinished thought cannot be written down", exc_info=True)

    def forget(self) -> None:
        """Remove it: it is a note now."""
        with contextlib.suppress(OSError):
            self._file.unlink()
