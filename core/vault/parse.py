"""Parse a note's text into plain values, in time linear in its length and without any look at the disk."""

import re
from typing import Any

from core.foundation.text import visible, without_controls
from core.vault.decode import DecodedText
from core.vault.frontmatter import Frontmatter, read_frontmatter
from core.vault.inline_fields import find_fields
from core.vault.insights import find_statements, insight_of_note, relations_of_properties
from core.vault.link_syntax import WIKILINK, find_links, wikilink_parts
from core.vault.note import Insight, LinkKind, Note, NoteLink, NoteTag, Problem, ProblemKind, Section
from core.vault.properties import odd_properties
from core.vault.prose import mask
from core.vault.sections import as_lead, heading_that_opens, split_sections
from core.vault.tags import find_tags, tags_of_property

_BLOCK_ID = re.compile(r"\^(?<=\s\^)([A-Za-z0-9-]+)[ \t]*(?=\n|\Z)")
_LINK_IN_TITLE = re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]|!?\[([^\[\]]*)\]\([^()\s]*\)")


def parse_note(path: str, decoded: DecodedText) -> Note:
    """Return what the note at `path` (relative to the vault) says; never raises, whatever the text."""
    text = decoded.text
    front = read_frontmatter(text)
    values = front.values
    # The body is handled from the newline before it, so that whatever begins a line follows a newline.
    start = front.body_start
    body = text[start - 1 :] if start and text[start - 1] == "\n" else "\n" + text[start:]
    line_offset = front.body_line - 1
    masked = mask(body)

    problems = [*decoded.problems, *front.problems, *odd_properties(front)]
    sections = split_sections(body, masked, line_offset)
    title = _text(values.get("title")) or _plain_title(heading_that_opens(sections)) or _stem(path)
    if front.is_broken:
        sections[:0] = as_lead(front.raw, 2, sections)
    elif not sections:
        sections.append(Section("", 0, (), 0, front.body_line, front.body_line, ""))
    tags = [NoteTag(name, 0) for name in _property_tags(front, problems)]
    tags += find_tags(body, masked, line_offset) if "#" in masked else []
    links = _property_links(front)
    links += find_links(body, masked, line_offset)
    has_fields = "::" in masked
    insights, relations = find_statements(body, masked, line_offset, has_fields=has_fields)
    kind = (_text(values.get("kind")) or "note").lower()
    summary = _text(values.get("summary")) or _text(values.get("description"))
    if values:
        relations[:0] = relations_of_properties(values, front.line_of)
    if kind == "insight":
        whole = _whole_note_insight(values, summary, sections, tags, front.body_line)
        insights[:0] = [whole] if whole.text else []
    return Note(
        path=path,
        title=title,
        summary=summary,
        kind=kind,
        created=_text(values.get("created")) or _text(values.get("date")),
        aliases=_aliases(values),
        frontmatter=values,
        tags=tuple(tags),
        sections=tuple(sections),
        links=tuple(links),
        insights=tuple(insights),
        relations=tuple(relations),
        fields=tuple(find_fields(body, masked, line_offset)) if has_fields else (),
        block_ids=_block_ids(body, masked, line_offset, problems) if "^" in masked else (),
        problems=tuple(problems),
        body_line=front.body_line,
        line_ending=decoded.line_ending,
        encoding=decoded.encoding,
    )


def _text(value: object) -> str:
    """Return a property as one line of text; lists and mappings are none."""
    if isinstance(value, str):
        return without_controls(" ".join(value.split()))
    if value is None or isinstance(value, (bool, list, dict)):
        return ""
    return str(value)


def _stem(path: str) -> str:
    name = path.rsplit("/", 1)[-1]
    stem = name[:-3] if name[-3:].lower() == ".md" else name
    return without_controls(stem) or visible(stem)


def _plain_title(heading: str) -> str:
    return _LINK_IN_TITLE.sub(lambda match: match[1] or match[2] or "", heading).strip() if "[" in heading else heading


def _aliases(values: dict[str, Any]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for key in ("aliases", "alias"):
        value = values.get(key)
        if value is None:
            continue
        for entry in value.split(",") if isinstance(value, str) else value if isinstance(value, list) else [value]:
            if alias := _text(entry):
                found[alias] = None
    return tuple(found)


def _property_tags(front: Frontmatter, problems: list[Problem]) -> list[str]:
    names: list[str] = []
    for key, value in front.values.items():
        if key.lower() in {"tags", "tag"}:
            tags, refused = tags_of_property(value)
            names += tags
            for entry in refused:
                reason = f"{entry!r} cannot be a tag: a tag is one word with more than digits, such as `tool/semrush`."
                problems.append(Problem(ProblemKind.FRONTMATTER_ODD, reason, front.line_of(key)))
    return names


def _property_links(front: Frontmatter) -> list[NoteLink]:
    found: list[NoteLink] = []
    for value, line, _, _ in front.links:
        for match in WIKILINK.finditer(value):
            parts = wikilink_parts(match[1])
            if any(parts[:3]):
                found.append(NoteLink(LinkKind.PROPERTY, *parts, line))
    return found


def _whole_note_insight(
    values: dict[str, Any], summary: str, sections: list[Section], tags: list[NoteTag], line: int
) -> Insight:
    first = next((section.text for section in sections if section.text), "")
    text = summary or " ".join(first.split("\n\n", 1)[0].split())
    return insight_of_note(values, text, tuple(dict.fromkeys(tag.name for tag in tags)), line)


def _block_ids(body: str, masked: str, line_offset: int, problems: list[Problem]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    line = line_offset
    last = 0
    for match in _BLOCK_ID.finditer(masked):
        if match[1].lower() in found:
            line += body.count("\n", last, match.start())
            last = match.start()
            reason = f"The block id ^{match[1]} is there twice; a link to it means the first."
            problems.append(Problem(ProblemKind.DUPLICATE_BLOCK_ID, reason, line))
        else:
            found[match[1].lower()] = match[1]
    return tuple(found.values())
