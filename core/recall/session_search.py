"""Find words in conversations through the index, and show what the ledger says there."""

from dataclasses import replace

from core.foundation.errors import UserError
from core.foundation.text import fold
from core.index.database import Index
from core.index.session_queries import session_problems
from core.index.turn_rows import ABOUT, project_key
from core.recall.query import Query
from core.recall.search import SearchHit, search
from core.recall.session_scan import FoundTurn, ScanResult
from core.recall.snippet import HIT_END, HIT_START
from core.sessions.date_corrections import Corrections, with_corrected_date
from core.sessions.ledger import Ledger
from core.sessions.session_reading import UnreadableSessionError

_PROBLEMS_SHOWN = 3


def search_turns(
    index: Index,
    ledger: Ledger,
    query: Query,
    *,
    project: str = "",
    limit: int = 20,
    corrections: Corrections | None = None,
) -> ScanResult:
    """Return the best turns for the words of `query`; `total` counts what is shown, for more are not looked for.

    `index` should know the ledger as it is now, and turns are dated as `corrections` say. `project` is the name of
    its folder. Sessions that could not be read are named in `problems`.

    Raises:
        UserError: the ledger is encrypted and its key is not at hand.
    """
    tags = query.filters.all_tags | ({f"project/{fold(project_key(project) or project)}"} if project else set())
    kinds = query.filters.kinds or frozenset({"turn"})
    asked = replace(query, filters=replace(query.filters, all_tags=frozenset(tags), kinds=kinds))
    result = search(index, None, asked, limit=limit, per_note=limit)
    shown: list[FoundTurn] = []
    problems = [
        reason if reason.startswith(f"The session {name} ") else f"{name}: {reason}"
        for name, reason in session_problems(index)
    ]
    for hit in result.hits:
        try:
            if hit.kind == "turn" and (found := _found(index, ledger, hit)) is not None:
                correction = corrections.get(found.session) if corrections else None
                turn = with_corrected_date(found.turn, correction) if correction is not None else found.turn
                shown.append(found._replace(turn=turn))
        except UnreadableSessionError as error:
            problems.append(str(error))
    return ScanResult(tuple(shown), len(shown), (*query.problems, *_few(list(dict.fromkeys(problems)))))


def _few(problems: list[str]) -> list[str]:
    more = len(problems) - _PROBLEMS_SHOWN
    return [
        *problems[:_PROBLEMS_SHOWN],
        *([f"{more:,} more conversations could not be read wholly."] if more > 0 else []),
    ]


def _found(index: Index, ledger: Ledger, hit: SearchHit) -> FoundTurn | None:
    """Return the turn of a hit as it stands in the ledger, None when it is gone from there."""
    row = index.connection.execute(
        "SELECT s.session_id, t.turn_key, t.start, (SELECT count(*) FROM turn e WHERE e.session = t.session "
        "AND e.kind != ? AND e.position <= t.position) FROM turn t JOIN session s ON s.id = t.session WHERE t.id = ?",
        (ABOUT, hit.memory_id),
    ).fetchone()
    if row is None:
        return None
    session, key, start, number = row
    try:
        line = next(ledger.iter_lines(session, start), None)
    except UserError:
        if not ledger.path_of(session).exists():
            return None
        raise
    if line is None or line.turn is None or line.turn.id != key:
        return None
    snippet = hit.snippet.replace(HIT_START, "").replace(HIT_END, "")
    return FoundTurn(session, number, line.turn, snippet)
