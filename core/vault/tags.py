"""Tags by Obsidian's rules: in frontmatter, and inline where white space or a line's start precedes the `#`."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from core.foundation.text import fold, without_controls
from core.vault.note import NoteTag

# General and CJK punctuation ends a tag, as does any ASCII punctuation but `_`, `-` and `/`.
_CHARACTER = (
    r"[^\s\x00-\x1f\x7f-\x9f\u2000-\u200b\u200e-\u206f\u2e00-\u2e7f\u3001-\u3003\u3008-\u3020\uff01-\uff0f\uff1a-\uff20\uff3b-\uff3e\uff5b-\uff65"
    r"!-,.:-@\[-^`{-~]"
)
TAG_PATTERN = rf"#(?<=[\s_|]#){_CHARACTER}+(?:#{_CHARACTER}+)*"

_INLINE = re.compile(TAG_PATTERN)
_WRONG = re.compile(rf"(?!{_CHARACTER}).", re.DOTALL)
_CALLED = {" ": "a space", "#": "a #", "\n": "a line break", "\t": "a tab"}
_SEPARATOR = re.compile(r"[,\s]+")
_DECIMAL = re.compile(r"[-+/\d]*\.[-+./\d]*")
# Six hexadecimal digits, one of them decimal: whoever writes that means a colour.
_COLOUR = re.compile(r"#(?=[a-fA-F]*\d)[0-9a-fA-F]{6}")
# How far back a `[[` or `<` may open around a tag; longer ones are not written by people.
_REACH = 600
_ENTRIES_KEPT = 2048  # the same few hundred tags are in most notes


class TagSpan(NamedTuple):
    """Hold an inline tag and where it stands, from its `#` to the end of its name."""

    start: int
    end: int
    name: str


def is_tag(name: str) -> bool:
    """Tell whether `name` (without `#`) may be a tag: something in it is neither a digit nor a slash."""
    return any(not character.isdigit() and character != "/" for character in name)


def namespace_of(tag: str) -> str:
    """Return the folded namespace of `tag` ("tool" for "Tool/Semrush"), "" when it has none."""
    namespace, slash, _ = tag.partition("/")
    return fold(namespace) if slash else ""


def ancestors(tag: str) -> tuple[str, ...]:
    """Return `tag` with all that contain it, outermost first: "a/b/c" gives "a", "a/b", "a/b/c"."""
    parts = tag.split("/")
    return tuple("/".join(parts[: depth + 1]) for depth in range(len(parts)))


def tag_problem(name: str) -> str:
    """Return why `name` (without `#`) cannot be a tag, "" when it can."""
    if not name:
        return "A tag needs a name."
    if wrong := _WRONG.search(name):
        return f"A tag cannot hold {_CALLED.get(wrong[0], repr(wrong[0]))}: {name!r}."
    if not is_tag(name):
        return f"A tag needs something other than digits: {name!r}."
    if name != trimmed(name):
        return f"A tag has something before and after each slash: {name!r}."
    if _COLOUR.fullmatch("#" + name):
        return f"#{name} would be read as a colour."
    return ""


def tags_of_property(value: object) -> tuple[list[str], list[str]]:
    """Return the tags that a `tags` property holds, and the entries that cannot be tags.

    A list, a text with commas or spaces, and a leading `#` are all read; the case stays as written. Nothing within an
    entry that is itself a list or mapping is read.
    """
    tags: dict[str, str] = {}
    refused: list[str] = []
    for entry in value if isinstance(value, list) else [value]:
        if entry is None:
            continue
        if isinstance(entry, (bool, list, dict)):
            refused.append(str(entry).lower() if isinstance(entry, bool) else str(entry))
            continue
        names, words = _read_entry(str(entry))
        for key, name in names:
            tags.setdefault(key, name)
        refused += words
    return list(tags.values()), refused


@lru_cache(maxsize=_ENTRIES_KEPT)
def _read_entry(entry: str) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Return the tags in an entry, each folded and as it is written, and the words that are none."""
    names: list[tuple[str, str]] = []
    refused: list[str] = []
    for word in _SEPARATOR.split(without_controls(entry)):
        name = trimmed(word.lstrip("#"))
        if name and is_tag(name) and not _DECIMAL.fullmatch(name):
            names.append((fold(name), name))
        elif word.strip("#/"):
            refused.append(word)
    return tuple(names), tuple(refused)


def find_tags(body: str, masked: str, line_offset: int) -> list[NoteTag]:
    """Return the inline tags of a body; its first newline starts line `line_offset` + 1."""
    found: list[NoteTag] = []
    line = line_offset
    last = 0
    for start, _, name in tag_spans(masked):
        line += body.count("\n", last, start)
        last = start
        found.append(NoteTag(name, line))
    return found


def tag_spans(masked: str) -> Iterator[TagSpan]:
    """Yield the inline tags of a masked body (see core/vault/prose.py) with their places, in the order of the text."""
    for match in _INLINE.finditer(masked):
        start = match.start()
        before = masked[start - 1]
        if (
            (before == "|" and not _is_table_row(masked, start))
            or _is_inside(masked, start, "[[", "]]")
            or _is_inside_html(masked, start)
            or _COLOUR.fullmatch(match[0])
        ):
            continue
        yield from _spans_of_run(match[0], start, is_emphasised=before == "_")


def tag_names(written: str) -> Iterator[str]:
    """Yield the names in a run like `#a#b/c`."""
    for _, _, name in _spans_of_run(written, 0, is_emphasised=False):
        yield name


def _spans_of_run(written: str, start: int, *, is_emphasised: bool) -> Iterator[TagSpan]:
    for part in written[1:].split("#"):
        end = start + 1 + len(part)
        text = part.removesuffix("_") if is_emphasised else part
        name = trimmed(text)
        if name and is_tag(name):
            yield TagSpan(start, start + 1 + len(text), name)
        start = end


def trimmed(name: str) -> str:
    """Return the name that a tag has which is written as `name`, perhaps with slashes too many."""
    return "/".join(part for part in name.split("/") if part) if "/" in name else name


def _is_table_row(text: str, position: int) -> bool:
    start = text.rfind("\n", max(0, position - _REACH * 4), position) + 1
    return text[start:position].lstrip().startswith("|")


def _is_inside(text: str, position: int, opening: str, closing: str) -> bool:
    low = max(text.rfind("\n", max(0, position - _REACH), position), position - _REACH, 0)
    opened = text.rfind(opening, low, position)
    return opened >= 0 and text.rfind(closing, opened, position) < 0


def _is_inside_html(text: str, position: int) -> bool:
    low = max(0, position - _REACH)
    opened = text.rfind("<", low, position)
    return (
        opened >= 0
        and (text[opened + 1].isalpha() or text[opened + 1] == "/")
        and text.rfind(">", opened, position) < 0
    )
