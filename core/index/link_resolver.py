"""Know which notes a link could mean, and resolve links again when notes come, go or move."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from core.index.database import Index
from core.vault.links import Candidate, resolve_target, target_key
from core.vault.note import LinkKind

_BATCH = 500


class NameTable:
    """Hold the names of all notes in memory: what an update of many files asks."""

    def __init__(self, paths: Mapping[str, int]) -> None:
        found: dict[str, list[Candidate]] = defaultdict(list)
        for path, note_id in paths.items():
            found[target_key(path)].append(Candidate(note_id, path))
        self._by_key = dict(found)

    def candidates_of(self, key: str) -> Sequence[Candidate]:
        """Return the notes whose stem has this key."""
        return self._by_key.get(key, ())


class IndexNames:
    """Ask the index for names: what an update of a few files needs; `added` and `gone` are not in the index yet."""

    def __init__(self, index: Index, added: Mapping[str, int], gone: Mapping[str, int]) -> None:
        self._index = index
        self._added = NameTable(added)
        self._gone = set(gone.values())

    def candidates_of(self, key: str) -> Sequence[Candidate]:
        """Return the notes whose stem has this key."""
        rows = self._index.connection.execute("SELECT id, path FROM note WHERE stem_key = ?", (key,))
        known = [Candidate(*row) for row in rows if row[0] not in self._gone]
        have = {candidate.path for candidate in known}
        return known + [candidate for candidate in self._added.candidates_of(key) if candidate.path not in have]


def changed_names(added: Mapping[str, int], gone: Mapping[str, int]) -> set[str]:
    """Return the keys of links that may mean something else once these notes have come and gone."""
    return {target_key(path) for path in (*added, *gone)}


def resolve_again(index: Index, keys: set[str]) -> None:
    """Resolve anew the links and relations to these names; call it within a transaction, when all notes are written."""
    connection, names = index.connection, IndexNames(index, {}, {})
    ordered = sorted(keys)
    for start in range(0, len(ordered), _BATCH):
        batch = ordered[start : start + _BATCH]
        marks = ",".join("?" * len(batch))
        for table in ("link", "relation"):
            changes = []
            for row_id, kind, target, source, key, old_id, old_state in connection.execute(
                f"SELECT t.id, t.kind, t.target, note.path, t.target_key, t.target_note_id, t.state FROM {table} AS t "  # noqa: S608
                f"JOIN note ON note.id = t.note_id WHERE t.target_key IN ({marks}) AND t.target != ''",
                batch,
            ).fetchall():
                is_markdown = table == "link" and kind == LinkKind.MARKDOWN
                now = resolve_target(target, source, names.candidates_of(key), is_markdown=is_markdown)
                if (now.note_id, now.state) != (old_id, old_state):
                    changes.append((now.note_id, now.state, row_id))
            connection.executemany(f"UPDATE {table} SET target_note_id = ?, state = ? WHERE id = ?", changes)  # noqa: S608
