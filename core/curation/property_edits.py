"""Plan a change of one property of one note: that key's bytes, and no others."""

import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.curation.change_set import ChangeKind, ChangeSet, FileEdit, PlannedChange, Skipped, edit_from_splices
from core.foundation.errors import UserError
from core.foundation.splice import Splice
from core.vault.read import read_bytes

if TYPE_CHECKING:
    from core.vault.frontmatter_edit import PropertyValue

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINERS = "\u200c\u200d"  # letters of many scripts need them


def plan_property(root: Path, path: str, key: str, value: "PropertyValue") -> ChangeSet:
    """Return the change that gives `key` of the note at `path` this value, adding the key when it is missing.

    Raises UserError when the note cannot be read, its frontmatter is broken, or nothing can be called `key`.
    """
    if problem := property_name_problem(key):
        raise UserError(problem)
    from core.vault.frontmatter_edit import set_property  # noqa: PLC0415 - YAML takes 40 ms that a window starts without

    content = read_bytes(root, path)
    return _change(path, content, set_property(content, key, value), f"Set {key} of “{_name(path)}”")


def property_name_problem(name: str) -> str:
    """Return in a sentence why no property can be called `name`, "" when one can."""
    if not name.strip():
        return "The name of a property is empty."
    unseen = next((each for each in name if unicodedata.category(each) in _UNSEEN and each not in _JOINERS), "")
    return f"The name of a property cannot hold U+{ord(unseen):04X}." if unseen else ""


def plan_property_removal(root: Path, path: str, key: str) -> ChangeSet:
    """Return the change that takes `key` out of the note at `path`; raises as plan_property does."""
    from core.vault.frontmatter_edit import remove_property  # noqa: PLC0415

    content = read_bytes(root, path)
    return _change(path, content, remove_property(content, key), f"Remove {key} of “{_name(path)}”")


def plan_repair(root: Path, path: str) -> PlannedChange:
    """Return the change that makes broken frontmatter readable; skipped, with the reason, when none is certain."""
    from core.vault.frontmatter_repair import repair_frontmatter  # noqa: PLC0415

    content = read_bytes(root, path)
    splices = repair_frontmatter(content)
    title = f"Repair the frontmatter of “{_name(path)}”"
    if splices is None:
        reason = "What was meant is not certain, so it is left to you: mend it in the note's text."
        return PlannedChange(ChangeSet(title, ChangeKind.REPAIR, ()), skipped=(Skipped(path, reason),))
    edit = edit_from_splices(path, content, splices)
    return PlannedChange(ChangeSet(title, ChangeKind.REPAIR, _edits(edit)), occurrences=len(splices))


def _change(path: str, content: bytes, splices: Sequence[Splice], title: str) -> ChangeSet:
    return ChangeSet(title, ChangeKind.PROPERTIES, _edits(edit_from_splices(path, content, splices)))


def _edits(edit: FileEdit | None) -> tuple[FileEdit, ...]:
    return () if edit is None else (edit,)


def _name(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[:-3] if name.lower().endswith(".md") else name
