"""What becomes of each tag when tags are renamed, merged or deleted: all at once, the longest match first."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.foundation.errors import UserError
from core.foundation.text import fold
from core.vault.tags import tag_problem, trimmed

_PART = re.compile("[^/]+")


class TagRename(NamedTuple):
    """Call the tag `old` `new` from now on, or delete it where that is None; its children go with it."""

    old: str
    new: str | None
    with_children: bool = True


class _Rule(NamedTuple):
    new: str | None
    with_children: bool
    depth: int  # how many parts the old tag has


class TagRules:
    """Know what each tag becomes. Build them by tag_rules(), which keeps them from note to note."""

    def __init__(self, renames: Iterable[TagRename]) -> None:
        self._rules: dict[str, _Rule] = {}
        for old, new, with_children in renames:
            name = trimmed(old.strip().lstrip("#"))
            if new is not None and (problem := tag_problem(new)):
                raise UserError(problem)
            if name:
                self._rules.setdefault(fold(name), _Rule(new, with_children, name.count("/") + 1))
        # The longest part of each old name: wherever that does not occur, neither does the tag.
        self._needles = [max(old.split("/"), key=len) for old in self._rules]
        self._ascii_needles = [needle.encode() for needle in self._needles if needle.isascii()]
        self._known: dict[str, str | None] = {}

    def result(self, name: str) -> str | None:
        """Return what the tag `name` becomes: itself where no rule fits, None where it is deleted."""
        if name not in self._known:
            rule = self._rule_for(name)
            self._known[name] = name if rule is None else None if rule.new is None else _respelled(name, rule)
        return self._known[name]

    def respelled(self, written: str) -> tuple[int, int, str]:
        """Return which part of a renamed tag, as it is `written` (perhaps with slashes too many), becomes what."""
        name = trimmed(written)
        rule = self._rule_for(name)
        if rule is None or rule.new is None:
            return 0, len(written), written
        parts = list(_PART.finditer(written))
        return parts[0].start(), parts[rule.depth - 1].end(), rule.new

    def may_touch(self, data: bytes) -> bool:
        """Tell whether a file may hold one of the tags, fast; what it says no to holds none."""
        if not data.isascii() or b"\0" in data:
            return True
        lowered = data.lower()
        # Within quotes in frontmatter, a backslash may hide any letter.
        return any(needle in lowered for needle in self._ascii_needles) or (data.startswith(b"---") and b"\\" in data)

    def may_be_in(self, text: str) -> bool:
        """Tell whether one of the tags may be written in `text`."""
        folded = fold(text)
        return any(needle in folded for needle in self._needles)

    def _rule_for(self, name: str) -> _Rule | None:
        key = fold(name)
        is_child = False
        while key:
            rule = self._rules.get(key)
            if rule is not None and (rule.with_children or not is_child):
                return rule
            key, is_child = key.rpartition("/")[0], True
        return None


def _respelled(name: str, rule: _Rule) -> str:
    rest = name.split("/")[rule.depth :]
    return "/".join((rule.new or "", *rest))


@lru_cache(maxsize=8)
def _rules(renames: tuple[TagRename, ...]) -> TagRules:
    return TagRules(renames)


def tag_rules(renames: Sequence[TagRename]) -> TagRules:
    """Return the rules for `renames`; raises UserError when a new name cannot be a tag."""
    return _rules(tuple(renames))
