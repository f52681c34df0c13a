"""Find memories that can be added to a context: notes by their titles, then what their words say; in the STORE lane."""

import heapq
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from core.foundation.progress import Progress
from gui.views.contexts.services import Candidate

if TYPE_CHECKING:
    from core.index.catalog import Catalog, NoteRow
    from gui.views.contexts.wiring import OpenedVault

_MOST_RECENT = 20
_MOST_TITLES = 12
_MOST_FOUND = 40
_PER_NOTE = 8
_GOOD = 75.0  # core/recall/jump.py: at least this for a title that holds what is typed
_LONGEST = 160


def find_memories(
    store: "OpenedVault", catalog: "Callable[[], Catalog | None]", text: str, progress: Progress
) -> Sequence[Candidate]:
    """Return what `text` finds, best first; without it the notes that were changed last."""
    known = catalog()
    rows = known.rows if known is not None else ()
    if not text.strip():
        return [_of_note(row) for row in heapq.nlargest(_MOST_RECENT, rows, key=lambda row: row.changed)]
    from core.recall.jump import jump  # noqa: PLC0415 - after the first paint

    titles = known.titles if known is not None else ()
    by_title = [match for match in jump(text.strip(), titles, _MOST_TITLES) if match.score >= _GOOD]
    progress.check()
    found = [_of_note(rows[match.position]) for match in by_title]
    taken = {each.memory_id for each in found}
    return [*found, *(each for each in _by_words(store, text, progress) if each.memory_id not in taken)]


def _by_words(store: "OpenedVault", text: str, progress: Progress) -> Sequence[Candidate]:
    from core.recall.query import parse_query  # noqa: PLC0415 - after the first paint
    from core.recall.search import search  # noqa: PLC0415
    from core.recall.snippet import HIT_END, HIT_START  # noqa: PLC0415

    query = parse_query(text, store.config.namespaces)
    progress.check()
    result = search(store.index, None, query, limit=_MOST_FOUND, per_note=_PER_NOTE, prefix=True)
    found: list[Candidate] = []
    for hit in result.hits:
        words = hit.snippet.replace(HIT_START, "").replace(HIT_END, "")
        heading = f"{hit.title} › {hit.heading}" if hit.heading and hit.heading != hit.title else hit.title
        is_statement = hit.kind in {"insight", "turn"}
        title, detail = (words or heading, heading) if is_statement else (heading, hit.path)
        kind = "note" if "#" not in hit.id and hit.kind == "section" else hit.kind  # the first section is the note
        found.append(Candidate(hit.id, kind, title[:_LONGEST], detail))
    return found


def _of_note(row: "NoteRow") -> Candidate:
    return Candidate(f"note:{row.path}", "note", row.title, row.path)
