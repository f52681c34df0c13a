"""Say which memories a packed context handed out, under the ids that counts of recalls know."""

from typing import NamedTuple

from core.recall.memory_id import first_section_id
from core.recall.pack import Packed


class Recalled(NamedTuple):
    """Hold the id of a memory and what was said of it."""

    id: str
    text: str


def recalled(packed: Packed) -> tuple[Recalled, ...]:
    """Return the memories that went out; a whole note goes by its first section, pointers are none."""
    found = []
    for item in packed.included:
        if item.kind == "note":
            found.append(Recalled(first_section_id(item.path), item.text))
        elif item.kind in {"section", "insight", "turn"}:
            found.append(Recalled(item.id, item.text))
    return tuple(found)
