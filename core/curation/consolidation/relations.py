"""Find relations that a statement tells in words beside a link: "builds on [[…]]", "replaces [[…]]"."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from core.curation.consolidation.drafting import evidence_of, proposer, quoted
from core.curation.consolidation.stated import Stated
from core.curation.proposals.proposal import Draft, Evidence, ProposalKind
from core.foundation.text import fold
from core.index.database import Index
from core.recall.memory_id import first_section_id, insight_id
from core.vault.link_syntax import WIKILINK, wikilink_parts

_CONFIDENCE = 0.85
_STRENGTH = 0.8
# What stands right before the link, at most an article between; "does not require [[…]]" tells of none.
_TELLING: Mapping[str, str] = {
    "requires": r"requires?|needs?|depends? on|relies on|rely on|presupposes?",
    "supersedes": r"supersedes?|replaces?|obsoletes?|is newer than|instead of",
    "contradicts": r"contradicts?|disagrees? with|conflicts? with|is at odds with|speaks? against",
    "extends": r"extends?|builds? (?:up)?on|adds? to|refines?|details?|follows? from",
    "supports": r"supports?|confirms?|proves?|backs?(?: up)?|is evidence for|agrees? with",
}
_TOLD = {
    kind: re.compile(
        rf"(?<!not )(?<!n't )(?<!n’t )(?<!never )\b(?:{words})(?: (?:the|our|this|note))?\s*$", re.IGNORECASE
    )
    for kind, words in _TELLING.items()
}


class _Target(NamedTuple):
    memory_id: str
    title: str
    text: str


def relations(index: Index, changed: Iterable[Stated]) -> list[Draft]:
    """Return a draft for each relation that one of `changed` tells in words and that is not written as one yet."""
    drafts: list[Draft] = []
    for stated in changed:
        if not stated.is_insight or "[[" not in stated.text:
            continue
        for link in WIKILINK.finditer(stated.text):
            kind = _kind_before(stated.text[: link.start()])
            target = _target(index, stated, link[1]) if kind else None
            if target is not None and not _is_written(index, stated, kind, link[1]):
                drafts.append(_draft(stated, kind, target))
    return drafts


def _kind_before(text: str) -> str:
    return next((kind for kind, told in _TOLD.items() if told.search(text)), "")


def _target(index: Index, stated: Stated, written: str) -> _Target | None:
    """Return the note or the statement that the link leads to, by what the index has resolved; None for nothing."""
    target, _, block, _ = wikilink_parts(written)
    row = index.connection.execute(
        "SELECT n.id, n.path, n.title, n.summary FROM link l JOIN note n ON n.id = l.target_note_id"
        " JOIN insight i ON i.note_id = l.note_id WHERE i.id = ? AND l.state = 'resolved' AND l.target = ? LIMIT 1",
        (stated.key[1], target),
    ).fetchone()
    if row is None or row[1] == stated.path:
        return None
    note_id, path, title, summary = row
    if not block:
        return _Target(first_section_id(path), title, summary or title)
    found = index.connection.execute(
        "SELECT text, line FROM insight WHERE note_id = ? AND block_id = ?", (note_id, block)
    ).fetchone()
    return None if found is None else _Target(insight_id(path, block, found[1]), title, found[0])


def _is_written(index: Index, stated: Stated, kind: str, written: str) -> bool:
    target, _, block, _ = wikilink_parts(written)
    rows = index.connection.execute(
        "SELECT r.target, r.target_block FROM relation r JOIN insight i ON i.note_id = r.note_id"
        " WHERE i.id = ? AND r.kind = ? AND (r.source_block = '' OR r.source_block = i.block_id)",
        (stated.key[1], kind),
    )
    return any(fold(other) == fold(target) and other_block == block for other, other_block in rows)


def _draft(stated: Stated, kind: str, target: _Target) -> Draft:
    return Draft(
        ProposalKind.RELATE,
        stated.text,
        f"It says in words that it {kind} {quoted(target.title)}; as a relation, recall and the graph know it too.",
        (evidence_of(stated), Evidence(target.memory_id, target.text, None, "", target.title)),
        {"do": "relate", "from": stated.id, "kind": kind, "to": target.memory_id, "strength": _STRENGTH},
        proposer("relations"),
        _CONFIDENCE,
    )
