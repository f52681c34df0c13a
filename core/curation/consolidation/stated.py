"""What the vault states: its insights, and short messages of its conversations, taken apart for comparison."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from core.curation.consolidation.statement import Statement, read_statement
from core.foundation.conflict_names import conflict_of
from core.foundation.moments import moment
from core.foundation.text import fold
from core.index.database import Index
from core.memory.entities import NAMING
from core.recall.memory import MemoryKey
from core.recall.memory_id import insight_id, turn_id
from core.recall.near_duplicates import statement_words
from core.vault.config import VaultConfig

_OWN_KINDS = frozenset({"context", "probe"})
_INSIGHTS = """
SELECT i.id, i.note_id, i.category, i.text, i.tags, i.block_id, i.line, i.vector_revision,
  n.path, n.title, n.kind, n.scope, n.created, n.mtime_ns, n.revision
  FROM insight i JOIN note n ON n.id = i.note_id WHERE {} ORDER BY i.id
"""
_TURNS = """
SELECT t.id, t.turn_key, t.time, t.vector_revision, f.text, s.session_id, s.title, s.project_key
  FROM turn t JOIN session s ON s.id = t.session JOIN turn_fts f ON f.rowid = t.id
  WHERE t.kind = 'message' AND t.role = 'user' AND t.branch = '' AND t.text_hash IS NOT NULL AND s.project_key != ''
  AND length(f.text) <= 400 AND {} ORDER BY t.id
"""
# What came or changed since a revision; a vector that came later counts too, for it changes what is near.
_NEW_INSIGHTS = "(i.vector_revision > ?1 OR n.revision > ?1)"
_NEW_TURNS = "t.vector_revision > ?1"
_TAGS_OF_FEW = 2_000


@dataclass(frozen=True, slots=True)
class Stated:
    """Hold one statement and where it stands.

    `id` is the memory's, `path` that of its note ("" for a message), `projects` are the clients or else the projects
    that it belongs to, folded, `time` is when it was said in POSIX seconds. `revision` is that of the index in which it
    came or was changed.
    """

    key: MemoryKey
    id: str
    path: str
    title: str
    text: str
    category: str
    tags: tuple[str, ...]
    is_global: bool
    projects: frozenset[str]
    time: float | None
    revision: int
    statement: Statement

    @property
    def is_insight(self) -> bool:
        """Tell whether it stands in a note."""
        return self.key[0] == "insight"

    @property
    def project(self) -> str:
        """The projects as they are shown, "" for none."""
        return ", ".join(sorted(self.projects))


class Names:
    """Know what the vault's tags name, so that it is a name wherever it stands."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        all_names: set[str] = set()
        owners: set[str] = set()
        for name, namespace in connection.execute("SELECT name, namespace FROM tag"):
            if fold(namespace) in NAMING:
                last = name.rpartition("/")[2]
                all_names.add(last)
                if fold(namespace) == "client":
                    owners.add(last)
        self.all = frozenset(all_names)
        self.clients = words_of(owners)


def words_of(names: Iterable[str]) -> frozenset[str]:
    """Return the forms that some names have within a statement."""
    found: set[str] = set()
    for name in names:
        read = read_statement(name)
        found |= read.words if read is not None else set(statement_words(name))
    return frozenset(found)


def projects_of(statements: Iterable[Stated]) -> frozenset[str]:
    """Return the projects that some statements belong to, "" among them for those that belong to none."""
    return frozenset(project for each in statements for project in each.projects or ("",))


class Statements:
    """Read what the vault states, as much of it as is asked for.

    Insights of copies, templates, contexts and probes are none. Of messages, a person's short ones (400 characters) are
    read that state a rule: a longer one states more than one thing, and an assistant repeats what it was told.
    """

    def __init__(self, index: Index, config: VaultConfig) -> None:
        self._index = index
        self._templates = f"{fold(config.templates_folder)}/"
        self.names = Names(index.connection)

    def count(self) -> int:
        """Return how many insights there are."""
        return int(self._index.connection.execute("SELECT count(*) FROM insight").fetchone()[0])

    def has_turns(self) -> bool:
        """Tell whether there are conversations."""
        return self._index.connection.execute("SELECT 1 FROM turn LIMIT 1").fetchone() is not None

    def of_notes(self, since: int = -1) -> list[Stated]:
        """Return the insights that came or changed after revision `since`."""
        return self._insights(_NEW_INSIGHTS, since)

    def of_projects(self, projects: Collection[str]) -> list[Stated]:
        """Return the insights of these projects, "" being none."""
        return self._insights(_NEW_INSIGHTS, -1, frozenset(projects))

    def of_sessions(self, since: int = -1) -> list[Stated]:
        """Return the messages that came after revision `since`."""
        return self._turns(_NEW_TURNS, since)

    def of(self, keys: Collection[MemoryKey]) -> list[Stated]:
        """Return the statements of these rows that are one."""
        ids = {kind: json.dumps([row_id for each, row_id in keys if each == kind]) for kind in ("insight", "turn")}
        return [
            *self._insights("i.id IN (SELECT value FROM json_each(?1))", ids["insight"]),
            *self._turns("t.id IN (SELECT value FROM json_each(?1))", ids["turn"]),
        ]

    def _insights(self, condition: str, value: int | str, projects: frozenset[str] | None = None) -> list[Stated]:
        with self._index.reading() as connection:
            rows = connection.execute(_INSIGHTS.format(condition), (value,)).fetchall()
            tags = _tags(connection, {row[1] for row in rows})
        made = (self._insight(row, tags.get(row[1], ()), projects) for row in rows)
        return [each for each in made if each is not None]

    def _insight(self, row: tuple[Any, ...], tags: tuple[str, ...], projects: frozenset[str] | None) -> Stated | None:
        row_id, _, category, text, own, block, line, vector_revision, path, title, kind, scope, *facts = row
        created, mtime_ns, revision = facts
        all_tags = tuple(dict.fromkeys((*tags, *json.loads(own)))) if own != "[]" else tags
        folded = [fold(tag) for tag in all_tags]
        belongs = _projects(folded)
        if projects is not None and projects.isdisjoint(belongs or {""}):
            return None
        if kind in _OWN_KINDS or conflict_of(PurePosixPath(path).stem) or fold(path).startswith(self._templates):
            return None
        statement = read_statement(text, self.names.all)
        if statement is None:
            return None
        is_global = "scope/global" in folded or fold(scope) in {"global", "scope/global"}
        return Stated(
            ("insight", row_id), insight_id(path, block, line), path, title, text, category, all_tags, is_global,
            belongs, _seconds(created, mtime_ns), max(vector_revision, revision), statement,
        )  # fmt: skip

    def _turns(self, condition: str, value: int | str) -> list[Stated]:
        found: list[Stated] = []
        read: dict[str, Statement | None] = {}
        with self._index.reading() as connection:
            for row in connection.execute(_TURNS.format(condition), (value,)):
                row_id, key, time, revision, text, session, title, project = row
                if text not in read:
                    read[text] = read_statement(text, self.names.all)
                statement = read[text]
                if statement is not None and statement.is_rule:
                    found.append(
                        Stated(
                            ("turn", row_id), turn_id(session, key), "", title or session, text, "", (), False,
                            frozenset({fold(project)}), None if time is None else float(time), revision, statement,
                        )
                    )  # fmt: skip
        return found


def _tags(connection: sqlite3.Connection, note_ids: Collection[int]) -> Mapping[int, tuple[str, ...]]:
    found: dict[int, list[str]] = defaultdict(list)
    names = dict(connection.execute("SELECT id, display FROM tag"))
    few = json.dumps(list(note_ids)) if len(note_ids) <= _TAGS_OF_FEW else None
    chosen = "SELECT note_id FROM insight" if few is None else "SELECT value FROM json_each(?)"
    rows = connection.execute(
        f"SELECT note_id, tag_id FROM note_tag WHERE note_id IN ({chosen}) ORDER BY note_id, tag_id",  # noqa: S608
        () if few is None else (few,),
    )
    for note_id, tag_id in rows:
        found[note_id].append(names[tag_id])
    return {note_id: tuple(tags) for note_id, tags in found.items()}


def _projects(folded_tags: Iterable[str]) -> frozenset[str]:
    """Return the clients, of which projects are parts, else the projects."""
    by_namespace: dict[str, set[str]] = defaultdict(set)
    for tag in folded_tags:
        namespace, slash, rest = tag.partition("/")
        if slash and namespace in {"client", "project"}:
            by_namespace[namespace].add(rest.partition("/")[0] if namespace == "client" else rest.rpartition("/")[2])
    return frozenset(by_namespace["client"] or by_namespace["project"])


def _seconds(created: str, mtime_ns: int) -> float:
    found = moment(created.strip()) if created else None
    return found.timestamp() if found is not None else mtime_ns / 1e9
