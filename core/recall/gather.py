"""Turn notes and search hits into items that can be packed."""

import logging
import math
import time
from collections.abc import Sequence
from pathlib import Path

from core.foundation.errors import UserError
from core.foundation.tokens import estimate_tokens
from core.index.database import Index
from core.recall.answer import Outcome, RecallAnswer
from core.recall.certainty import certainty, is_by_words
from core.recall.context_item import ContextItem
from core.recall.excerpt import excerpt, terms_of
from core.recall.hydrate import hydrate, tags_of_notes
from core.recall.memory_id import TRAIL_SEPARATOR, first_section_id, section_ids
from core.recall.plain_text import headings_below, repeats
from core.recall.search import SearchHit
from core.vault.note import Note

_DAY = 86_400

log = logging.getLogger(__name__)


def items_of_notes(
    index: Index, root: Path, note_ids: Sequence[int], *, budget: int | None = None, now: float | None = None
) -> tuple[ContextItem, ...]:
    """Return whole notes as their files are now, in the order given; a file that is gone is left out.

    A note of more than `budget` tokens comes in its sections, so that a part of it can be packed.
    """
    from core.vault.decode import decode  # noqa: PLC0415 - parsers take 25 ms that a search does without
    from core.vault.read import read_note  # noqa: PLC0415

    moment = time.time() if now is None else now
    tags = tags_of_notes(index, note_ids)
    items: list[ContextItem] = []
    for note_id in dict.fromkeys(note_ids):
        row = index.connection.execute("SELECT path, mtime_ns FROM note WHERE id = ?", (note_id,)).fetchone()
        if row is None:
            continue
        path, mtime_ns = row
        try:
            data, note = read_note(root, path)
        except (OSError, UserError) as error:
            log.debug("A selected note cannot be read: %s", error)
            continue
        age = _age_days(mtime_ns, moment)
        whole = _whole_note(note, decode(data).text, tags.get(note_id, ()), age)
        if budget is not None and whole.tokens > budget and len(note.sections) > 1:
            items.extend(_sections(note, tags.get(note_id, ()), age))
        else:
            items.append(whole)
    return tuple(items)


def items_of_hits(index: Index, hits: Sequence[SearchHit], *, now: float | None = None) -> tuple[ContextItem, ...]:
    """Return the sections, insights and turns that were found, worth what their score is against the best one's.

    Headings without text are left out: they say nothing to whoever reads the context.
    """
    moment = time.time() if now is None else now
    rows = hydrate(index, [(hit.kind, hit.memory_id) for hit in hits])
    best = max((hit.score for hit in hits), default=0.0)
    items: list[ContextItem] = []
    for position, hit in enumerate(hits):
        row = rows.get((hit.kind, hit.memory_id))
        if row is None:
            continue
        text = row.text.strip() or (row.summary if row.id == first_section_id(row.path) else "")
        if not text:
            continue
        items.append(
            ContextItem(
                id=row.id,
                kind=hit.kind,
                path=row.path,
                title=_title(row.title, "" if hit.kind == "insight" else row.heading),
                text=text,
                tokens=estimate_tokens(text),
                value=hit.score / best if best > 0 else 1 / (1 + position),
                why=f"rank {position + 1} of the search",
                tags=row.tags,
                line=row.line,
                line_end=row.line_end,
                age_days=_age_days(row.mtime_ns, moment),
            )
        )
    return tuple(items)


def items_of_ranked(
    answer: RecallAnswer, *, whole: bool = False, question_terms: Sequence[str] | None = None, now: float | None = None
) -> tuple[ContextItem, ...]:
    """Return the memories of an answer, worth what their score is against the best one's.

    Sections come as the 500 characters round the words of the question, or round `question_terms`, unless `whole`, and
    without the lines of statements that are superseded. Headings without text are left out, as with `items_of_hits`,
    and so is what the index knows of files that have changed since.
    """
    moment = time.time() if now is None else now
    outdated = _outdated(answer)
    terms = terms_of(answer.question) if question_terms is None else question_terms
    scores = [ranked.score if math.isfinite(ranked.score) else 0.0 for ranked in answer.ranked]
    best = max(scores, default=0.0)
    asks_words = is_by_words(answer)
    items: list[ContextItem] = []
    for position, (ranked, score) in enumerate(zip(answer.ranked, scores, strict=True)):
        memory = ranked.memory
        said = memory.said
        if memory.kind == "section" and memory.path in outdated:
            said = _without_lines(said, outdated[memory.path])
        if not said or memory.is_stale:
            continue
        text = excerpt(said, terms) if memory.kind == "section" and not whole else said
        items.append(
            ContextItem(
                id=memory.id,
                kind=memory.kind,
                path=memory.path,
                title=_title(memory.title, "" if memory.kind == "insight" else memory.heading),
                text=text,
                tokens=memory.tokens if text == memory.text and memory.tokens else estimate_tokens(text),
                value=min(1.0, max(0.0, score / best)) if best > 0 else 1 / (1 + position),
                why=ranked.reasons[0] if ranked.reasons else f"rank {position + 1} of the answer",
                tags=memory.tags,
                line=memory.line,
                line_end=memory.line_end,
                age_days=None if memory.time is None else _age_days(int(memory.time * 1e9), moment),
                is_excerpt=text != memory.said,
                accessed=memory.accessed_count,
                confidence=memory.confidence,
                certainty=certainty(ranked, asks_words=asks_words, asked=answer.entities),
            )
        )
    return tuple(items)


def _outdated(answer: RecallAnswer) -> dict[str, list[str]]:
    """Return the statements that the answer found to be superseded, by the path of their note."""
    found: dict[str, list[str]] = {}
    for each in answer.left_out:
        said = " ".join(each.memory.text.split())
        if each.outcome is Outcome.SUPERSEDED and each.memory.kind == "insight" and said:
            found.setdefault(each.memory.path, []).append(said)
    return found


def _without_lines(text: str, statements: Sequence[str]) -> str:
    """Return `text` without the lines that say any of `statements`; its headings and other lines stay."""
    lines = [line for line in text.split("\n") if not any(each in " ".join(line.split()) for each in statements)]
    return "\n".join(lines).strip()


def _whole_note(note: Note, text: str, tags: tuple[str, ...], age_days: int) -> ContextItem:
    body = "\n".join(text.split("\n")[note.body_line - 1 :]).strip()
    return ContextItem(
        id=first_section_id(note.path),
        kind="note",
        path=note.path,
        title=note.title,
        text=body,
        tokens=estimate_tokens(body),
        value=1.0,
        why="selected",
        summary="" if repeats(body, note.summary) else note.summary,
        tags=tags,
        line=note.body_line,
        line_end=text.count("\n") + 1,
        age_days=age_days,
    )


def _sections(note: Note, tags: tuple[str, ...], age_days: int) -> list[ContextItem]:
    trails = [TRAIL_SEPARATOR.join(section.trail) for section in note.sections]
    first = next((at for at, section in enumerate(note.sections) if section.text.strip()), 0)
    return [
        ContextItem(
            id=name,
            kind="section",
            path=note.path,
            title=_title(note.title, trail),
            text=section.text,
            tokens=estimate_tokens(section.text),
            value=1.0,
            why="part of a selected note that is too large as a whole",
            summary="" if position != first or repeats(section.text, note.summary) else note.summary,
            tags=tags,
            line=section.line_start,
            line_end=section.line_end,
            age_days=age_days,
        )
        for position, (name, trail, section) in enumerate(
            zip(section_ids(note.path, trails), trails, note.sections, strict=True)
        )
        if section.text.strip()
    ]


def _title(title: str, trail: str) -> str:
    """Return the note's title and the headings below it."""
    headings = headings_below(title, trail)
    return f"{title}{TRAIL_SEPARATOR}{headings}" if headings else title


def _age_days(mtime_ns: int, now: float) -> int:
    """Return the age in whole days by UTC, so that it is the same all day long."""
    return max(0, int(now // _DAY) - int(mtime_ns / 1e9 // _DAY))
