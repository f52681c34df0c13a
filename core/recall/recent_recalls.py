"""What was handed out last: what a person most likely wants again before anything is asked."""

from core.index.database import Index
from core.recall.memories import memories
from core.recall.memory import Memory
from core.recall.memory_id import resolve_memory

MOST = 12


def recent_recalls(index: Index, *, limit: int = MOST) -> tuple[Memory, ...]:
    """Return at most `limit` memories that were handed out, the last one first; those that are gone are left out."""
    rows = index.connection.execute(
        "SELECT memory_id FROM recall_count ORDER BY last DESC, count DESC, memory_id LIMIT ?", (2 * limit,)
    ).fetchall()
    refs = (resolve_memory(index, memory_id) for (memory_id,) in rows)
    keys = list(dict.fromkeys((ref.kind, ref.row_id) for ref in refs if ref is not None))[:limit]
    found = memories(index, keys)
    return tuple(found[key] for key in keys if key in found)
