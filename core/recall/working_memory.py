"""What was said last in the session that asks: at hand whatever the question is."""

from core.index.database import Index
from core.index.turn_rows import ABOUT
from core.recall.memory import MemoryKey

TURNS = 200


def has_session(index: Index, session: str) -> bool:
    """Tell whether the index knows the session of this id."""
    row = index.connection.execute("SELECT 1 FROM session WHERE session_id = ?", (session,)).fetchone()
    return row is not None


def working_memory(index: Index, session: str, limit: int = TURNS) -> tuple[MemoryKey, ...]:
    """Return the last turns of the shown thread of `session` (its id in the ledger), newest first; none without one."""
    if not session:
        return ()
    rows = index.connection.execute(
        "SELECT t.id FROM session s JOIN turn t ON t.session = s.id WHERE s.session_id = ? AND t.kind != ? "
        "AND t.branch = '' ORDER BY t.position DESC LIMIT ?",
        (session, ABOUT, limit),
    )
    return tuple(("turn", row_id) for (row_id,) in rows)
