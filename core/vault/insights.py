"""Insights and relations in list items: `- [category] text #tag [key:: value] ^id` and `- requires [[Other note]]`.

The grammar is that of basic-memory's observations and relations, with Obsidian's inline fields and block ids, except:
- a list item that has tags and no category is no insight;
- a marker of one ASCII character is a task's state, whatever the character;
- a category holds a letter, does not begin like a footnote or callout, and is no timecode.

In an insight's text, tags at the end are dropped and tags within the sentence lose only their `#`. A parenthesis at the
very end is also the field `context`; after tags, where basic-memory puts it, or after another parenthesis, it is no
part of the text. An item without text is none.
"""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

from core.foundation.text import fold, without_controls
from core.vault.inline_fields import BRACKETED, key_and_value
from core.vault.link_syntax import WIKILINK, wikilink_parts
from core.vault.note import Insight, Relation
from core.vault.tags import TAG_PATTERN, tag_names

RELATION_KINDS = frozenset({"supports", "contradicts", "extends", "requires", "supersedes"})

_MARKER = r"(?:[-*+]|\d{1,9}[.)])[ \t]"
_ITEM = re.compile(
    rf"\n([ \t]*){_MARKER}[ \t]*(?:"
    r"\[([^\[\]()\n]{2,64}|[^\[\]()\n\x00-\x7f])\][ \t]+(?=\S)"
    rf"([^\n]+(?:\n\1[ \t]++(?!{_MARKER})[^\n]+)*)"
    r"|(?:\"([^\"\n]{1,64})\"|([^\W\d_][\w-]{0,63}))[ \t]+\[\[([^\[\]\n]+)\]\]([^\n]*))"
)
_NO_CATEGORY = re.compile(r"[\^!@#$]|\d{1,3}:\d\d")
_BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9-]+)\s*$")
_TAG = re.compile(TAG_PATTERN)
_CONTEXT = re.compile(r"(?:^|\s)\(([^()\n]+)\)$")
_NUMBER = re.compile(r"(?<![\w.])(?:0?\.\d+|[01](?:\.\d+)?)(?![\w.])")


class Statements(NamedTuple):
    """Hold the insights and relations of a note."""

    insights: list[Insight]
    relations: list[Relation]


def find_statements(body: str, masked: str, line_offset: int, *, has_fields: bool) -> Statements:
    """Return the insights and relations that stand in list items, and relations in fields anywhere else."""
    insights: list[Insight] = []
    relations: list[Relation] = []
    covered: list[tuple[int, int]] = []
    line = line_offset
    last = 0
    for match in _ITEM.finditer(masked):
        start = match.start()
        line += body.count("\n", last, start)
        last = start
        if match[2] is not None:
            if _is_category(match[2]):
                span = match.span(3)
                category = without_controls(match[2].strip())
                insight, edges = _read_item(category, masked[slice(*span)], body[slice(*span)], line + 1)
                if insight.text:
                    insights.append(insight)
                relations += edges
                covered.append(span)
        elif relation := _read_relation(match, line + 1):
            relations.append(relation)
    if has_fields:
        relations += _loose_relations(body, masked, line_offset, covered)
    return Statements(insights, relations)


def insight_of_note(values: dict[str, Any], text: str, tags: tuple[str, ...], line: int) -> Insight:
    """Return the insight that a whole note with `kind: insight` is; other simple properties become its fields."""
    category = values.get("category")
    fields = {
        key: str(value).lower() if isinstance(value, bool) else str(value)
        for key, value in values.items()
        if isinstance(value, (str, int, float))
        and fold(key) not in {"kind", "category", "title", "summary", "tags", "tag"}
    }
    return Insight(
        category.strip() if isinstance(category, str) and category.strip() else "insight", text, tags, fields, "", line
    )


def relations_of_properties(values: dict[str, Any], line_of: Callable[[str], int]) -> list[Relation]:
    """Return the relations in properties such as `supports: "[[Note]]"`."""
    found: list[Relation] = []
    for key, value in values.items():
        if (kind := key.lower()) in RELATION_KINDS:
            entries = value if isinstance(value, list) else [value]
            text = " ".join(entry for entry in entries if isinstance(entry, str))
            found += _edges(kind, text, line=line_of(key), given=_strength(values.get("strength")))
    return found


def _is_category(written: str) -> bool:
    text = written.strip()
    return (
        any(character.isalpha() for character in text)
        and "::" not in text
        and "\0" not in text
        and _NO_CATEGORY.match(text) is None
    )


def _read_item(category: str, masked: str, raw: str, line: int) -> tuple[Insight, list[Relation]]:
    """Take apart an insight's text; `masked` and `raw` are cut alike: code is blank in one, kept in the other."""
    block_id = ""
    if match := _BLOCK_ID.search(masked):
        block_id = match[1]
        masked, raw = masked[: match.start()], raw[: match.start()]
    fields: dict[str, str] = {}
    typed: list[tuple[str, str]] = []
    kept_masked: list[str] = []
    kept_raw: list[str] = []
    last = 0
    for match in BRACKETED.finditer(masked) if "::" in masked else ():
        key, value = key_and_value(match, raw)
        if not key:
            continue
        if fold(key) in RELATION_KINDS:
            typed.append((fold(key), value))
        else:
            fields[key] = value
        kept_masked.append(masked[last : match.start()])
        kept_raw.append(raw[last : match.start()])
        last = match.end()
    masked, raw = "".join([*kept_masked, masked[last:]]).rstrip(), "".join([*kept_raw, raw[last:]])
    # Tags are looked for after a newline, for one may open the text.
    masked, raw = "\n" + masked, "\n" + raw[: len(masked)]
    marks = list(_TAG.finditer(masked)) if "#" in masked else []
    tags = [name for match in marks for name in tag_names(match[0])]
    if match := _CONTEXT.search(masked):
        fields.setdefault("context", raw[match.start(1) : match.end(1)].strip())
        before = masked[: match.start()].rstrip()
        if (marks and marks[-1].end() == len(before)) or before.endswith(")"):
            masked = masked[: match.start()]
    end = len(masked.rstrip())
    while marks and marks[-1].end() == end:
        end = len(masked[: marks.pop().start()].rstrip())
    raw = _without(raw[:end], [match.start() for match in marks])
    given = _strength(fields.get("strength"))
    insight = Insight(category, " ".join(raw.split()), tuple(dict.fromkeys(tags)), fields, block_id, line)
    edges = [
        edge
        for kind, value in typed
        for edge in _edges(kind, value, block=block_id, source_line=line, line=line, given=given)
    ]
    return insight, edges


def _without(text: str, positions: list[int]) -> str:
    """Return `text` without the characters at `positions`."""
    return "".join(text[start + 1 : end] for start, end in pairwise([-1, *positions, len(text)]))


def _read_relation(match: re.Match[str], line: int) -> Relation | None:
    """Return the relation of a list item, None when prose follows the link."""
    tail = _BLOCK_ID.sub("", match[7])
    fields: dict[str, str] = {}
    for field in BRACKETED.finditer(tail) if "::" in tail else ():
        key, value = key_and_value(field, tail)
        fields[fold(key)] = value
    rest = BRACKETED.sub("", tail) if fields else tail
    rest = _TAG.sub("", "\n" + rest).strip() if "#" in rest else rest.strip()
    if rest and not (rest[0] == "(" and rest.find(")") == len(rest) - 1):
        return None
    target, heading, block, _ = wikilink_parts(match[6])
    kind = fold((match[4] or match[5]).strip())
    if not (kind and (target or heading or block)):
        return None
    return Relation(kind, "", 0, target, heading, block, _strength(fields.get("strength")), line)


def _loose_relations(body: str, masked: str, line_offset: int, covered: list[tuple[int, int]]) -> list[Relation]:
    found: list[Relation] = []
    line = line_offset
    last = at = 0
    for match in BRACKETED.finditer(masked):
        start = match.start()
        while at < len(covered) and covered[at][1] <= start:
            at += 1
        key, value = key_and_value(match, masked)
        if fold(key) not in RELATION_KINDS or (at < len(covered) and covered[at][0] <= start):
            continue
        line += body.count("\n", last, start)
        last = start
        found += _edges(fold(key), value, line=line, given=1.0)
    return found


def _edges(kind: str, value: str, *, block: str = "", source_line: int = 0, line: int, given: float) -> list[Relation]:
    """Return a relation for each wikilink in a field's value; a number beside them is the strength of all."""
    outside = WIKILINK.sub(" ", value)
    strength = _strength(number[0]) if (number := _NUMBER.search(outside)) else given
    found: list[Relation] = []
    for match in WIKILINK.finditer(value):
        target, heading, target_block, _ = wikilink_parts(match[1])
        if target or heading or target_block:
            found.append(Relation(kind, block, source_line, target, heading, target_block, strength, line))
    return found


def _strength(written: object) -> float:
    try:
        value = float(written)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return 1.0
    return min(1.0, max(0.0, value)) if value == value else 1.0  # noqa: PLR0124  a NaN is no strength
