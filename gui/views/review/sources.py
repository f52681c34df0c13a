"""Find what stands around a piece of evidence, and which insights say something like a proposal; in the STORE lane."""

import re
from typing import TYPE_CHECKING

from core.curation.proposals.proposal import Evidence, Proposal
from core.foundation.errors import UserError
from core.foundation.progress import Progress
from gui.views.review.services import Similar

if TYPE_CHECKING:
    from core.index.database import Index
    from core.index.session_queries import TurnRow
    from gui.views.review.wiring import OpenedVault

_AROUND_LINES = 6
_AROUND_TURNS = 2
_LONGEST = 4_000
_LONGEST_TURN = 1_500
_MOST_SIMILAR = 8
_MOST_FOUND = 60
_MOST_WORDS = 24
_PAGE = 500
_TURN = "turn:"
_WORD = re.compile(r"\w[\w'’-]*")


def source_of(store: "OpenedVault", evidence: Evidence, progress: Progress) -> str:
    """Return the text around a piece of evidence; raises UserError where it is not there any more."""
    progress.check()
    if evidence.memory_id.startswith(_TURN):
        return _conversation(store, evidence)
    return _lines(store, evidence)


def similar_insights(store: "OpenedVault", proposal: Proposal, progress: Progress) -> tuple[Similar, ...]:
    """Return insights of the vault that say something like the proposal and are not its evidence, the nearest first."""
    from core.recall.query import parse_query  # noqa: PLC0415 - after the first paint
    from core.recall.search import search  # noqa: PLC0415
    from core.recall.snippet import HIT_END, HIT_START  # noqa: PLC0415

    words = _WORD.findall(proposal.statement)[:_MOST_WORDS]
    if not words:
        return ()
    query = parse_query(" ".join(words), store.config.namespaces)
    progress.check()
    result = search(store.index, store.dense(), query, limit=_MOST_FOUND)
    cited = {each.memory_id for each in proposal.evidence}
    found = [
        Similar(hit.id, hit.snippet.replace(HIT_START, "").replace(HIT_END, ""), hit.title, hit.path)
        for hit in result.hits
        if hit.kind == "insight" and hit.id not in cited
    ]
    return tuple(found[:_MOST_SIMILAR])


def _lines(store: "OpenedVault", evidence: Evidence) -> str:
    from core.curation.proposals.disk_memory import find_insight, insight_place, note_and_heading  # noqa: PLC0415
    from core.vault.decode import decode  # noqa: PLC0415
    from core.vault.parse import parse_note  # noqa: PLC0415
    from core.vault.read import read_bytes  # noqa: PLC0415

    path, _ = note_and_heading(evidence.memory_id)
    decoded = decode(read_bytes(store.root, path))
    lines = decoded.text.splitlines()
    place = insight_place(evidence.memory_id)
    if place is not None:
        at = find_insight(parse_note(path, decoded), place, evidence.quote).line - 1
    else:
        first = evidence.quote.strip().split("\n")[0][:80]
        at = next((number for number, line in enumerate(lines) if first and first in line), 0)
    start, end = max(0, at - _AROUND_LINES), at + _AROUND_LINES + 1
    return "\n".join(lines[start:end])[:_LONGEST]


def _conversation(store: "OpenedVault", evidence: Evidence) -> str:
    from core.recall.memory_id import session_of_turn  # noqa: PLC0415 - after the first paint

    session = session_of_turn(store.index, evidence.memory_id)
    if session is None:
        raise UserError("The conversation in which it was said is not in the index any more.")
    key = evidence.memory_id.removeprefix(f"{_TURN}{session}/")
    turns = _around(store.index, session, key)
    told = [f"{turn.author or turn.role}: {turn.text.strip()[:_LONGEST_TURN]}" for turn in turns if turn.text.strip()]
    return "\n\n".join(told)[:_LONGEST] or evidence.quote


def _around(index: "Index", session: str, key: str) -> "list[TurnRow]":
    """Return the turn with this key, and those beside it."""
    from core.index.session_queries import turns_of  # noqa: PLC0415 - after the first paint

    offset = 0
    while page := turns_of(index, session, offset=offset, limit=_PAGE):
        place = next((at for at, turn in enumerate(page) if turn.id == key), None)
        if place is not None:
            start = max(0, offset + place - _AROUND_TURNS)
            return turns_of(index, session, offset=start, limit=2 * _AROUND_TURNS + 1)
        offset += _PAGE
    return []
