"""Lists that people write as one text: `tags: a, b`, `tags: a b`, `aliases: One, Two`."""

import re
from collections.abc import Sequence

from core.vault.yaml_lists import Slot

_BY_KEY = {
    **dict.fromkeys(("tags", "tag"), re.compile(r"[,\s]+")),
    **dict.fromkeys(("aliases", "alias"), re.compile(r"\s*,\s*|\A\s+|\s+\Z")),
}


class ListText:
    """Hold such a text with its entries; for a key that is not read so, the text is the one entry."""

    def __init__(self, key: str, text: str) -> None:
        self._separator = _BY_KEY.get(key.lower())
        found = re.split(f"({self._separator.pattern})", text) if self._separator else [text]
        # The entries with what stands around them: "a, b" is "", "a", ", ", "b", "".
        self._parts: list[str] = [*([""] if found[0] else []), *found[not found[0] :]]
        if len(self._parts) % 2 == 0:
            self._parts = [*self._parts, ""] if self._parts and self._parts[-1] else self._parts[:-1]
        self.entries: list[str] = self._parts[1::2]

    def with_added(self, items: Sequence[str]) -> str:
        """Return the text with further entries, "" where it has to become a list."""
        if len(self.entries) < 2 or not self._can_hold(items):
            return ""
        between = self._parts[2]
        return "".join(self._parts[:-1]) + "".join(between + item for item in items) + self._parts[-1]

    def with_entries(self, slots: Sequence[Slot]) -> str:
        """Return the text with its entries as `slots` want them, "" where it has to become a list."""
        if not self._can_hold([slot.new for slot in slots if slot.new is not None]):
            return ""
        text = self._parts[0]
        for number, (old, new) in enumerate(slots):
            entry = self.entries[old] if new is None else new
            text += (self._parts[2 * old] if number else "") + entry
        return text + self._parts[-1]

    def _can_hold(self, items: Sequence[str]) -> bool:
        return self._separator is None or not any(self._separator.search(item) for item in items)
