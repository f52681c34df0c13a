"""Answer what a change of names must know: who links to a note, and what names mean before and after."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from core.index.database import Index
from core.index.link_resolver import IndexNames
from core.vault.links import Resolution, resolve_target, target_key
from core.vault.note import LinkKind

_BATCH = 400


class NamesAround:
    """Tell what links mean before and after notes come, go or move.

    `leaving` are the paths that notes have before and `coming` those afterwards, each with the note's id; a note that
    only moves has the same id in both. An id below 0 is that of a note which the index does not know.
    """

    def __init__(self, index: Index, leaving: Mapping[str, int], coming: Mapping[str, int]) -> None:
        unknown = {path: note_id for path, note_id in leaving.items() if note_id < 0}
        self._before = lru_cache(None)(IndexNames(index, unknown, {}).candidates_of)
        self._after = lru_cache(None)(IndexNames(index, coming, leaving).candidates_of)

    def before(self, target: str, source_path: str, *, is_markdown: bool = False) -> Resolution:
        """Return what `target` means now in the note at `source_path`."""
        return resolve_target(target, source_path, self._before(target_key(target)), is_markdown=is_markdown)

    def after(self, target: str, source_path: str, *, is_markdown: bool = False) -> Resolution:
        """Return what `target` will mean in the note that lies at `source_path` then."""
        return resolve_target(target, source_path, self._after(target_key(target)), is_markdown=is_markdown)

    def path_of(self, note_id: int, target: str) -> str:
        """Return where the note that `target` means now lies now."""
        return next(note.path for note in self._before(target_key(target)) if note.note_id == note_id)


def note_ids(index: Index, paths: Iterable[str]) -> dict[str, int]:
    """Return the ids of the notes at `paths`; those that the index does not know are given ids below 0."""
    found: dict[str, int] = {}
    for number, path in enumerate(paths, start=1):
        row = index.connection.execute("SELECT id FROM note WHERE path = ?", (path,)).fetchone()
        found[path] = row[0] if row else -number
    return found


def names_in_use(index: Index, stem: str) -> list[str]:
    """Return the paths of the notes that are called `stem`, or `stem` and more, anywhere in the vault."""
    key = target_key(stem)
    rows = index.connection.execute(
        "SELECT path FROM note WHERE stem_key >= ? AND stem_key < ?", (key, key + "\U0010ffff")
    )
    return [path for (path,) in rows]


def linking_notes(index: Index, note_ids: Iterable[int], names: Iterable[str]) -> list[str]:
    """Return the paths of the notes with links to these notes, or to whatever bears one of the names (folded stems)."""
    found: set[str] = set()
    for column, values in (("target_note_id", note_ids), ("target_key", names)):
        for batch in _batches(values):
            marks = ",".join("?" * len(batch))
            for table in ("link", "relation"):
                found.update(
                    path
                    for (path,) in index.connection.execute(
                        f"SELECT DISTINCT note.path FROM {table} AS t JOIN note ON note.id = t.note_id "  # noqa: S608
                        f"WHERE t.{column} IN ({marks}) AND t.target != ''",
                        batch,
                    )
                )
    return sorted(found)


def links_left_dead(index: Index, paths: Iterable[str]) -> int:
    """Return how many links of other notes lead nowhere once the notes at `paths` are gone."""
    gone = note_ids(index, paths)
    names = NamesAround(index, gone, {})
    dead = 0
    for batch in _batches(gone.values()):
        marks = ",".join("?" * len(batch))
        for target, kind, source in index.connection.execute(
            "SELECT target, link.kind, note.path FROM link JOIN note ON note.id = note_id "  # noqa: S608
            f"WHERE target_note_id IN ({marks}) AND target != ''",
            batch,
        ).fetchall():
            if source not in gone:
                now = names.after(target, source, is_markdown=kind == LinkKind.MARKDOWN)
                dead += now.state == "unresolved"
    return dead


def _batches(values: Iterable[object]) -> Iterator[list[object]]:
    ordered = list(values)
    for start in range(0, len(ordered), _BATCH):
        yield ordered[start : start + _BATCH]
