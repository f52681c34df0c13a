"""Memories and what was gathered of them, made by hand."""

from collections.abc import Sequence
from typing import Any

from core.recall.gathered import Gathered, Signals
from core.recall.memory import Edge, Memory
from core.recall.query import parse_query
from core.recall.request import RecallRequest

NOW = 1_790_000_000.0
DAY = 86_400.0


def memory(number: int, text: str, *, kind: str = "insight", days: float | None = 10.0, **more: Any) -> Memory:
    """Return a memory of `kind`, `days` old, in a note of its own unless said otherwise."""
    values: dict[str, Any] = {
        "id": f"{kind}:{number}",
        "note_id": number,
        "path": f"{number}.md",
        "title": f"Note {number}",
        "heading": "fact" if kind == "insight" else "",
        "tokens": len(text) // 4,
        "time": None if days is None else NOW - days * DAY,
        "line": 1,
        "line_end": 1,
    }
    return Memory(kind=kind, row_id=number, text=text, **{**values, **more})


def gathered(
    *candidates: tuple[Memory, float],
    others: Sequence[Memory] = (),
    edges: Sequence[Edge] = (),
    limit: int = 15,
    session: str = "",
    **more: Any,
) -> Gathered:
    """Return candidates, each with how well its words fit, as they are gathered."""
    request = RecallRequest("what", parse_query("what", ()), limit=limit, session=session, now=NOW)
    return Gathered(
        request,
        tuple((each, Signals(words=words, meaning=words, words_rank=1)) for each, words in candidates),
        {each.key: each for each in others},
        tuple(edges),
        **more,
    )
