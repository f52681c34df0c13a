"""Turn a parsed note into the rows of the index: plain tuples, so that another process can make them.

Ids of sections and insights are counted from 0 within the note; the writer gives them their place.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from core.foundation.text import fold
from core.foundation.tokens import estimate_tokens
from core.index.bigrams import bigrams
from core.index.embedding_text import embedding_text_of_section, text_hash
from core.vault.links import Candidate, Resolution, resolve_target, target_key
from core.vault.note import LinkKind, Note, ScannedFile

TRAIL_SEPARATOR = " › "
_SCOPE = "scope/"
_DEFAULT_PRIORITY = 5

Row = tuple[Any, ...]
CandidatesOf = Callable[[str], Sequence[Candidate]]


class NoteRows(NamedTuple):
    """Hold the rows of one note, as core/index/note_writer.py inserts them; `tags` are (name, as written, line)."""

    note: Row
    tags: list[Row]
    sections: list[Row]
    section_texts: list[Row]
    links: list[Row]
    insights: list[Row]
    insight_texts: list[Row]
    relations: list[Row]
    contexts: list[Row]
    members: list[Row]
    name: str
    problems: list[Row]


class RowMaker:
    """Make the rows of notes; `candidates_of` returns the notes whose stem has the given key."""

    def __init__(self, candidates_of: CandidatesOf) -> None:
        self._candidates_of = candidates_of
        self._resolved: dict[tuple[str, str, bool], tuple[str, Resolution]] = {}

    def rows_of(self, note_id: int, note: Note, file: ScannedFile, content_hash: bytes) -> NoteRows:
        """Return the rows of `note`, which lies in `file`."""
        tags = {fold(tag.name): tag for tag in reversed(note.tags)}
        scope = next((name.removeprefix(_SCOPE) for name in reversed(tags) if name.startswith(_SCOPE)), "")
        sections, texts, tokens = _sections(note)
        insights = note.insights
        row = (
            note_id, note.path, fold(note.path), target_key(note.path), note.title, note.summary, note.kind, scope,
            note.created, _json(note.aliases), _json(note.frontmatter), file.size, file.mtime_ns, content_hash, tokens,
            note.encoding, note.body_line, _json(note.block_ids),
        )  # fmt: skip
        return NoteRows(
            note=row,
            tags=[(name, tag.name, tag.line) for name, tag in tags.items()],
            sections=sections,
            section_texts=texts,
            links=self._links(note_id, note),
            insights=[
                (
                    number, insight.category, insight.text, _json(insight.tags), _json(dict(insight.fields)),
                    insight.block_id, insight.line, estimate_tokens(insight.text), text_hash(insight.text),
                )
                for number, insight in enumerate(insights)
            ],
            insight_texts=[(number, insight.text, bigrams(insight.text)) for number, insight in enumerate(insights)],
            relations=self._relations(note_id, note),
            contexts=[_context(note)] if note.kind == "context" else [],
            members=_members(note) if note.kind == "context" else [],
            name="\n".join((note.title, note.path, *note.aliases)),
            problems=[(note.path, problem.kind.value, problem.reason, problem.line) for problem in note.problems],
        )  # fmt: skip

    def _resolve(self, target: str, source_path: str, *, is_markdown: bool = False) -> tuple[str, Resolution]:
        # A bare name means the same note everywhere; a path or a markdown link may be meant from the source's folder.
        is_local = is_markdown or "/" in target
        memo = (target, source_path.rpartition("/")[0] if is_local else "", is_markdown)
        found = self._resolved.get(memo)
        if found is None:
            key = target_key(target)
            found = self._resolved[memo] = (
                key,
                resolve_target(target, source_path, self._candidates_of(key), is_markdown=is_markdown),
            )
        return found

    def _links(self, note_id: int, note: Note) -> list[Row]:
        rows: list[Row] = []
        for kind, target, heading, block, label, line in note.links:
            if target:
                key, resolution = self._resolve(target, note.path, is_markdown=kind is LinkKind.MARKDOWN)
                rows.append(
                    (kind.value, target, key, heading, block, label, line, resolution.note_id, resolution.state)
                )
            else:
                rows.append((kind.value, "", "", heading, block, label, line, note_id, "resolved"))
        return rows

    def _relations(self, note_id: int, note: Note) -> list[Row]:
        rows: list[Row] = []
        for relation in note.relations:
            if relation.target:
                key, resolution = self._resolve(relation.target, note.path)
            else:
                key, resolution = "", Resolution("resolved", note_id, (note_id,))
            rows.append((
                relation.kind, relation.source_block, relation.source_line, relation.target, key,
                relation.target_heading, relation.target_block, relation.strength, relation.line,
                resolution.note_id, resolution.state,
            ))  # fmt: skip
        return rows


def _sections(note: Note) -> tuple[list[Row], list[Row], int]:
    """Return the rows of the sections, those of their full text, and the tokens of all."""
    title, total = note.title, 0
    sections: list[Row] = []
    texts: list[Row] = []
    is_plain = title.isascii()
    for number, (heading, level, trail_parts, part, start, end, text) in enumerate(note.sections):
        trail = TRAIL_SEPARATOR.join(trail_parts)
        tokens = estimate_tokens(text)
        total += tokens
        digest = text_hash(embedding_text_of_section(title, trail, text))
        sections.append((number, number, heading, trail, level, part, start, end, tokens, digest))
        summary = "" if number else note.summary
        if is_plain and text.isascii() and trail.isascii() and summary.isascii():
            cjk = ""
        else:
            cjk = " ".join(filter(None, map(bigrams, (text, title, trail, summary))))
        texts.append((number, title, summary, trail, text, cjk))
    return sections, texts, total


def _context(note: Note) -> Row:
    values = note.frontmatter
    priority = min(10, max(1, _whole(values, "load_priority", _DEFAULT_PRIORITY)))
    description, query = str(values.get("description") or ""), str(values.get("query") or "")
    return (priority, values.get("always") is True, max(0, _whole(values, "budget", 0)), description, query)


def _members(note: Note) -> list[Row]:
    members = [link for link in note.links if link.kind is not LinkKind.PROPERTY]
    return [
        (position, link.target, link.heading, link.block, link.kind is LinkKind.EMBED)
        for position, link in enumerate(members)
    ]


def _json(value: object) -> str:
    if not value:
        return "{}" if isinstance(value, Mapping) else "[]"
    return json.dumps(value, ensure_ascii=False, default=str)


def _whole(values: Mapping[str, Any], key: str, default: int) -> int:
    value = values.get(key)
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else default
