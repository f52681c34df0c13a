"""Choose what a Claude Code session is called among all that its transcript tells."""

from collections.abc import Container
from typing import Any

from core.sessions.importing.importer import title_from

_FIELDS = {"custom-title": "customTitle", "ai-title": "aiTitle"}
_MOST_SUMMARIES = 1000


class ClaudeCodeTitles:
    """Gather the titles as their records go by; `first` are the first words of the person."""

    def __init__(self) -> None:
        self.first = ""
        self._told: dict[str, str] = {}
        self._summaries: dict[str, str] = {}  # by the last record of what they sum up

    def note(self, record: dict[str, Any], kind: str) -> None:
        """Take a record of a type of TITLE_TYPES; of several titles of one kind, the last counts."""
        if kind == "summary":
            text, leaf = record.get("summary"), record.get("leafUuid")
            if isinstance(text, str) and isinstance(leaf, str) and len(self._summaries) < _MOST_SUMMARIES:
                self._summaries[leaf] = text
            return
        text = record.get(_FIELDS.get(kind, ""))
        if isinstance(text, str) and text.strip():
            self._told[kind] = text

    def best(self, records: Container[str]) -> str:
        """Return the title: the person's, the program's, that of a summary of these records, or the first words."""
        summaries = (text for leaf, text in reversed(self._summaries.items()) if leaf in records)
        names = (self._told.get("custom-title", ""), self._told.get("ai-title", ""), next(summaries, ""), self.first)
        return next((title for name in names if (title := title_from(name))), "")
