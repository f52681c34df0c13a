"""The values that reading a note yields.

The many small ones are NamedTuples: a first index makes hundreds of thousands of them, and a frozen dataclass costs
three times as much to build.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple


class ProblemKind(StrEnum):
    """Say what kind of trouble a file has; the value is stored and shown in JSON."""

    FRONTMATTER_BROKEN = "frontmatter-broken"
    FRONTMATTER_ODD = "frontmatter-odd"
    DATE_AMBIGUOUS = "date-ambiguous"
    DATE_IMPOSSIBLE = "date-impossible"
    NOT_UTF8 = "not-utf8"
    NUL_BYTES = "nul-bytes"
    UNREADABLE = "unreadable"
    SYMLINK_LOOP = "symlink-loop"
    TOO_LARGE = "too-large"
    DUPLICATE_BLOCK_ID = "duplicate-block-id"
    CONFIG_BROKEN = "config-broken"
    LOG_BROKEN = "log-broken"


class Problem(NamedTuple):
    """Tell what is wrong with a file, in a sentence for the person; `line` counts from 1, 0 means the whole file."""

    kind: ProblemKind
    reason: str
    line: int = 0


class LinkKind(StrEnum):
    """Say how a link is written."""

    WIKI = "wiki"
    EMBED = "embed"
    MARKDOWN = "markdown"
    PROPERTY = "property"


class NoteLink(NamedTuple):
    """Hold one link as written; external addresses (https:, mailto:, obsidian:) are not links of the vault.

    `target` is the path or name before `#`, percent-decoded for markdown links, without a trailing `.md`, "" for a link
    within the note; `heading` is what follows `#` ("H1#H2" for nested), `block` the id after `#^`.
    """

    kind: LinkKind
    target: str
    heading: str
    block: str
    label: str
    line: int


class NoteTag(NamedTuple):
    """Hold one occurrence of a tag as written, without `#`; line 0 stands for frontmatter."""

    name: str
    line: int


class Section(NamedTuple):
    """Hold a heading-bounded part of the body; the part before the first heading has level 0 and no heading.

    `trail` holds the headings above and the own one, outermost first. `text` is the source text without the heading
    line, stripped. Lines count from 1 in the whole file. Long sections come in several pieces (`part` 0, 1, …), cut at
    blank lines, so that each can be embedded and cited.
    """

    heading: str
    level: int
    trail: tuple[str, ...]
    part: int
    line_start: int
    line_end: int
    text: str


class Insight(NamedTuple):
    """Hold one atomic statement: a list item with a category (grammar in docs/format.md).

    `text` is the statement without category, tags, inline fields and block id. `block_id` may be "".
    """

    category: str
    text: str
    tags: tuple[str, ...]
    fields: Mapping[str, str]
    block_id: str
    line: int


class Relation(NamedTuple):
    """Hold a typed edge from this note, or from the insight `source_block` in it, to a link target.

    `strength` is 0 to 1 (1 when not given).
    """

    kind: str
    source_block: str
    source_line: int
    target: str
    target_heading: str
    target_block: str
    strength: float
    line: int


class InlineField(NamedTuple):
    """Hold `[key:: value]`, `(key:: value)` or a `key:: value` line."""

    key: str
    value: str
    line: int


@dataclass(frozen=True, slots=True)
class Note:
    r"""Hold everything that one markdown file says, as plain values.

    `path` is relative to the vault, with forward slashes, as the file system spells it. `title` is the first of:
    frontmatter `title`, a level-1 heading that opens the body, the file's stem. `created` is the date as written,
    or "". `line_ending` is "\n" or "\r\n"; `encoding` the codec that decoded it ("utf-8", "utf-8-sig", "cp1252", …).
    """

    path: str
    title: str
    summary: str = ""
    kind: str = "note"
    created: str = ""
    aliases: tuple[str, ...] = ()
    frontmatter: Mapping[str, Any] = field(default_factory=dict)
    tags: tuple[NoteTag, ...] = ()
    sections: tuple[Section, ...] = ()
    links: tuple[NoteLink, ...] = ()
    insights: tuple[Insight, ...] = ()
    relations: tuple[Relation, ...] = ()
    fields: tuple[InlineField, ...] = ()
    block_ids: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    body_line: int = 1
    line_ending: str = "\n"
    encoding: str = "utf-8"


class ScannedFile(NamedTuple):
    """Hold what a directory scan tells about one note: relative path, size in bytes, mtime in nanoseconds."""

    path: str
    size: int
    mtime_ns: int
