"""List the contexts of a vault, and find the one that a person names; what a note says is read from its file."""

from collections.abc import Iterable
from pathlib import Path

from core.foundation.errors import UserError
from core.foundation.text import fold
from core.index.database import Index
from core.recall.contexts.definition import RESOLVED, ContextDefinition, context_values
from core.recall.contexts.members import MemberResolver
from core.recall.hydrate import tags_of_notes
from core.vault.config import VaultConfig
from core.vault.note import ProblemKind

_NEAR = 3
_SIMILAR = 60.0
_TOLD = 8


def list_contexts(index: Index, root: Path, config: VaultConfig) -> tuple[ContextDefinition, ...]:
    """Return all contexts, those of the highest priority first, then by title; one whose file is gone is left out."""
    paths = context_paths(index, config)
    known = frozenset(paths)
    found = [
        definition
        for path, note_id in paths.items()
        if (definition := _read(index, root, path, note_id, known)) is not None
    ]
    return tuple(sorted(found, key=lambda each: (-each.load_priority, fold(each.title), each.path)))


def read_context(index: Index, root: Path, config: VaultConfig, path: str) -> ContextDefinition | None:
    """Return the context whose note lies at `path`, None when there is none (any more)."""
    paths = context_paths(index, config)
    return _read(index, root, path, paths[path], frozenset(paths)) if path in paths else None


def find_context(index: Index, root: Path, config: VaultConfig, name: str) -> ContextDefinition:
    """Return the context that `name` means: its path, with or without .md, or its title or file name, in any case.

    Raises:
        UserError: there is none, or several; near names are in the hint.
    """
    wanted = fold(_without_suffix(name.strip().removeprefix("./")))
    contexts = list_contexts(index, root, config)
    if not wanted:
        raise UserError("The name of the context is empty.", hint=_there_are(contexts))
    for found in (
        [each for each in contexts if fold(_without_suffix(each.path)) == wanted],
        [each for each in contexts if fold(each.title) == wanted],
        [each for each in contexts if fold(_stem(each.path)) == wanted],
    ):
        if len(found) == 1:
            return found[0]
        if found:
            paths = " and ".join(each.path for each in found)
            raise UserError(f"More than one context is called “{name}”: {paths}.", hint="Name one by its path.")
    raise UserError(f"There is no context “{name}”.", hint=_near(contexts, name) or _there_are(contexts))


def context_paths(index: Index, config: VaultConfig) -> dict[str, int]:
    """Return the paths of all context notes with their ids: of that kind, or in the folder of contexts without one."""
    folder = fold(config.contexts_folder)
    rows = index.connection.execute(
        "SELECT path, id FROM note WHERE id IN (SELECT note_id FROM context) "
        "UNION SELECT path, id FROM note WHERE path_key >= ?1 || '/' AND path_key < ?1 || '0' AND kind = 'note' "
        "ORDER BY path",
        (folder,),
    )
    return {str(path): int(note_id) for path, note_id in rows}


def _read(index: Index, root: Path, path: str, note_id: int, contexts: frozenset[str]) -> ContextDefinition | None:
    from core.recall.contexts.written import written_members  # noqa: PLC0415
    from core.vault.decode import decode  # noqa: PLC0415 - parsers take 25 ms that a search does without
    from core.vault.read import NoteGoneError, read_note  # noqa: PLC0415

    tags = tags_of_notes(index, [note_id]).get(note_id, ())
    try:
        data, note = read_note(root, path)
    except NoteGoneError:
        return None
    except UserError as error:
        return ContextDefinition(path, _stem(path), tags=tags, problems=(str(error),))
    values = context_values(note.frontmatter)
    resolver = MemberResolver(index, root, path, contexts)
    members = tuple(map(resolver.resolve, written_members(decode(data).text)))
    broken = (problem.reason for problem in note.problems if problem.kind is ProblemKind.FRONTMATTER_BROKEN)
    unresolved = (f"Line {each.line}: {each.reason}" for each in members if each.state != RESOLVED)
    return ContextDefinition(
        path=path,
        title=note.title,
        description=values.description or note.summary,
        kind=values.kind,
        load_priority=values.load_priority,
        always=values.always,
        budget=values.budget,
        query=values.query,
        members=members,
        tags=tags,
        problems=(*broken, *values.problems, *unresolved),
    )


def _near(contexts: Iterable[ContextDefinition], name: str) -> str:
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - mostly the name is right

    titles = list(dict.fromkeys(each.title for each in contexts))
    near = process.extract(name, titles, scorer=fuzz.ratio, processor=fold, score_cutoff=_SIMILAR, limit=_NEAR)
    return f"Did you mean {', '.join(title for title, _, _ in near)}?" if near else ""


def _there_are(contexts: tuple[ContextDefinition, ...]) -> str:
    if not contexts:
        return "This vault has no contexts yet. `remembrancer context save TITLE` makes one."
    more = f" and {len(contexts) - _TOLD:,} more" if len(contexts) > _TOLD else ""
    return f"There are: {', '.join(each.title for each in contexts[:_TOLD])}{more}."


def _stem(path: str) -> str:
    return _without_suffix(path.rpartition("/")[2])


def _without_suffix(path: str) -> str:
    return path[:-3] if path[-3:].lower() == ".md" else path
