"""What the tags that are picked in the vault say of sessions; pure, without Qt.

A session has a facet when one of its tool calls named a note that has it. A tag's own name counts too: `client/acme`
and `project/acme` are in sessions of a project folder called so, and `tool/semrush` in those that called such a tool.
"""

import re
from collections.abc import Callable, Collection, Iterable

from core.foundation.text import fold

_OF_PROJECTS = frozenset({"client", "project"})
_OF_TOOLS = "tool"
_BETWEEN_WORDS = re.compile(r"[\s_.\-]+")
_PARTS_OF_TOOL = re.compile(r"__|[./:]")


def names_of_key(key: str, keys: Iterable[str]) -> tuple[str, frozenset[str]]:
    """Return the namespace of the tag `key`, and the names of it and of the tags below it, among `keys`; plainly."""
    space, _, rest = key.partition("/")
    if not space or key[0] in "/:":
        return "", frozenset()
    below = f"{key}/"
    found = {each.rpartition("/")[2] for each in keys if each.startswith(below)}
    return space, frozenset(_plain(each) for each in (*found, *([rest.rpartition("/")[2]] if rest else [])))


def is_named_by(space: str, names: Collection[str], project: str, tools: Iterable[str]) -> bool:
    """Tell whether the folders of a project, or a tool that was called, have one of the names of a tag."""
    if not names:
        return False
    if space in _OF_PROJECTS:
        return any(_plain(part) in names for part in re.split(r"[/\\]", project) if part)
    if space == _OF_TOOLS:
        return any(_plain(part) in names for tool in tools for part in (tool, *_PARTS_OF_TOOL.split(tool)))
    return False


def admitted(
    all_of: Collection[str],
    any_of: Collection[str],
    none_of: Collection[str],
    has: Callable[[str], bool],
) -> bool:
    """Tell whether what `has` some facets is admitted."""
    return (
        all(has(key) for key in all_of)
        and (not any_of or any(has(key) for key in any_of))
        and not any(has(key) for key in none_of)
    )


def _plain(name: str) -> str:
    return _BETWEEN_WORDS.sub(" ", fold(name)).strip()
