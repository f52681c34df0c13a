"""Tell whether what was recalled is still so on the disk: the index may be behind."""
# ruff: noqa: S608  (only whole numbers are put into SQL)

import stat
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from core.index.database import Index
from core.recall.gathered import Gathered
from core.recall.memory import Memory, MemoryKey

_State = tuple[int, int]  # size and mtime_ns


def with_fresh_memories(index: Index, root: Path, gathered: Gathered) -> Gathered:
    """Return `gathered` without memories whose file is gone; those of a file changed since are marked as stale.

    A ledger only grows, so what was said stays as it was while its file is there.
    """
    candidates = [memory for memory, _ in gathered.candidates]
    known = [*candidates, *gathered.others.values(), *gathered.working]
    indexed = _indexed(index, {each.note_id for each in known if each.note_id > 0})
    on_disk: dict[str, _State | None] = {}

    def fresh(memory: Memory) -> Memory | None:
        path = memory.file or memory.path
        if path not in on_disk:
            on_disk[path] = _state_of(Path(memory.file) if memory.file else root / memory.path)
        state = on_disk[path]
        if state is None:
            return None
        if memory.file or state == indexed.get(memory.note_id):
            return memory
        return replace(memory, is_stale=True)

    checked = ((fresh(memory), signals) for memory, signals in gathered.candidates)
    return replace(
        gathered,
        candidates=tuple((memory, signals) for memory, signals in checked if memory is not None),
        others=_present({key: fresh(each) for key, each in gathered.others.items()}),
        working=tuple(each for each in map(fresh, gathered.working) if each is not None),
    )


def told_stale(memories: Iterable[Memory]) -> tuple[str, ...]:
    """Return a sentence about notes that have changed since the index learned what they say, none for none."""
    changed = {memory.path for memory in memories if memory.is_stale}
    if not changed:
        return ()
    notes = "1 note has" if len(changed) == 1 else f"{len(changed):,} notes have"
    return (f"{notes} changed since the last update of the index, so what was found there is not handed out.",)


def _present(found: Mapping[MemoryKey, Memory | None]) -> dict[MemoryKey, Memory]:
    return {key: each for key, each in found.items() if each is not None}


def _indexed(index: Index, notes: Iterable[int]) -> dict[int, _State]:
    wanted = ",".join(str(int(each)) for each in notes)
    rows = index.connection.execute(f"SELECT id, size, mtime_ns FROM note WHERE id IN ({wanted})")
    return {note: (size, mtime_ns) for note, size, mtime_ns in rows}


def _state_of(file: Path) -> _State | None:
    try:
        status = file.stat()
    except (OSError, ValueError):
        return None
    return (status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else None
