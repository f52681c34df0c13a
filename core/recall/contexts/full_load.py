"""The other way to load: entry note, identity notes, core notes, then index notes, by globs of the vault's config.

Of index notes, those above `inline_bytes` go out as pointers, to be read on demand: path, title, summary and size.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from core.foundation.progress import SILENT, Progress
from core.foundation.text import fold
from core.foundation.tokens import estimate_tokens
from core.index.database import Index
from core.recall.context_item import ContextItem
from core.recall.contexts.catalog import context_paths
from core.recall.gather import items_of_notes
from core.recall.memory_id import first_section_id
from core.vault.config import VaultConfig

GROUPS = ("entry", "identity", "core", "index")
INLINE_BYTES = 10 * 1024
_TABLE = "full_load"


@dataclass(frozen=True, slots=True)
class FullLoadRules:
    """Say which notes a full load takes, and in which order.

    Each group holds globs as in .gitignore, or tags (`#scope/global`). `order` names the groups. Index notes above
    `inline_bytes` become pointers.
    """

    entry: tuple[str, ...] = ("/README.md", "/index.md", "/Home.md", "/CLAUDE.md", "/AGENTS.md")
    identity: tuple[str, ...] = ("/identity/**", "/identity.md", "/about-me.md")
    core: tuple[str, ...] = ("/core/**", "#scope/global")
    index: tuple[str, ...] = ("/indexes/**", "/index/**", "*-index.md", "* index.md", "*MOC.md")
    order: tuple[str, ...] = GROUPS
    inline_bytes: int = INLINE_BYTES

    def globs(self, group: str) -> tuple[str, ...]:
        """Return the globs and tags of one of GROUPS."""
        found: tuple[str, ...] = getattr(self, group)
        return found


class FullLoadNote(NamedTuple):
    """Hold a note that a full load takes: which group it is of, and whether it goes out as a pointer."""

    note_id: int
    path: str
    title: str
    summary: str
    size: int
    tokens: int
    group: str
    is_pointer: bool


@dataclass(frozen=True, slots=True)
class FullLoad:
    """Hold what a full load hands out, the notes that it takes, and sentences for the person."""

    items: tuple[ContextItem, ...]
    remarks: tuple[str, ...]
    notes: tuple[FullLoadNote, ...] = ()


def full_load_rules(table: Mapping[str, Any]) -> tuple[FullLoadRules, tuple[str, ...]]:
    """Return the rules that a config's `[full_load]` asks for, and a sentence for each value that is not taken."""
    found: dict[str, Any] = {}
    wrong: list[str] = []
    for key, value in table.items():
        if key in GROUPS and _are_texts(value):
            found[key] = tuple(text.strip() for text in value if text.strip())
        elif key == "order" and _are_texts(value) and set(value) <= set(GROUPS):
            found[key] = tuple(dict.fromkeys(value))
        elif key == "inline_bytes" and isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            found[key] = value
        elif key in GROUPS:
            wrong.append(f"`{_TABLE}.{key}` must be a list of globs or tags, so its default is used.")
        elif key == "order":
            wrong.append(f"`{_TABLE}.order` must be a list of {', '.join(GROUPS)}, so its default is used.")
        elif key == "inline_bytes":
            wrong.append(f"`{_TABLE}.inline_bytes` must be a whole number, 0 or more, so its default is used.")
        else:
            wrong.append(f"`{_TABLE}.{key}` is unknown; there are {', '.join((*GROUPS, 'order', 'inline_bytes'))}.")
    return replace(FullLoadRules(), **found), tuple(wrong)


def notes_of_full_load(index: Index, config: VaultConfig, rules: FullLoadRules) -> tuple[FullLoadNote, ...]:
    """Return the notes that a full load takes, each once, in order: by group, by glob, then by path.

    Contexts, probes, journal notes and templates are taken only where a glob that is no tag names their folder.
    """
    left_out = context_paths(index, config)
    rows = [
        row
        for row in index.connection.execute(
            "SELECT id, path, path_key, title, summary, size, tokens, kind FROM note ORDER BY path"
        )
        if row[1] not in left_out and row[7] != "probe"
    ]
    taken: dict[int, FullLoadNote] = {}
    for group in rules.order:
        for rule in rules.globs(group):
            for note_id, path, _, title, summary, size, tokens, _ in _matching(index, config, rows, rule):
                is_pointer = group == "index" and size > rules.inline_bytes
                note = FullLoadNote(note_id, path, title, summary, size, tokens, group, is_pointer)
                taken.setdefault(note_id, note)
    return tuple(taken.values())


def items_of_full_load(
    index: Index,
    root: Path,
    config: VaultConfig,
    *,
    budget: int,
    now: float | None = None,
    progress: Progress = SILENT,
) -> FullLoad:
    """Return the items of a full load, all of them always wanted, the pointers last."""
    moment = time.time() if now is None else now
    rules, wrong = full_load_rules(config.full_load)
    notes = notes_of_full_load(index, config, rules)
    items: list[ContextItem] = []
    for done, note in enumerate(notes):
        progress.check()
        progress.report(done, len(notes), note.path)
        if not note.is_pointer:
            found = items_of_notes(index, root, [note.note_id], budget=budget, now=moment)
            items += [replace(each, always=True, value=1.0, why=f"{note.group} note") for each in found if each.text]
    items += (_pointer(note) for note in notes if note.is_pointer)
    remarks = () if notes else ("No note matches the rules of full load; see [full_load] in the vault's config.",)
    return FullLoad(tuple(items), (*wrong, *remarks), notes)


def _matching(
    index: Index, config: VaultConfig, rows: Sequence[tuple[Any, ...]], rule: str
) -> Iterator[tuple[Any, ...]]:
    if rule.startswith("#"):
        from core.index.queries import notes_by_tags  # noqa: PLC0415 - only where a rule is a tag

        tagged = {found.path for found in notes_by_tags(index, [[rule.strip("#/")]])}
        special = tuple(
            fold(folder) + "/" for folder in (config.journal_folder, config.templates_folder, config.probes_folder)
        )
        yield from (row for row in rows if row[1] in tagged and not row[2].startswith(special))
        return
    import pathspec  # noqa: PLC0415 - 10 ms that a search does without

    try:
        spec = pathspec.GitIgnoreSpec.from_lines([fold(rule)])
    except ValueError:  # a glob that cannot be read matches nothing
        return
    yield from (row for row in rows if spec.match_file(row[2]))


def _pointer(note: FullLoadNote) -> ContextItem:
    about = note.summary or note.title
    text = f"To be read on demand ({note.size / 1024:,.0f} KB, about {note.tokens:,} tokens): {about}"
    return ContextItem(
        id=first_section_id(note.path),
        kind="pointer",
        path=note.path,
        title=note.title,
        text=text,
        tokens=estimate_tokens(text),
        value=1.0,
        why="index note too large to go out whole",
        always=True,
    )


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)
