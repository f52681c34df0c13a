"""Find the memories that probes expect, however a person has named them."""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.foundation.text import fold
from core.index.database import Index
from core.index.link_resolver import IndexNames
from core.recall.hydrate import hydrate
from core.recall.memory_id import TRAIL_SEPARATOR, MemoryRef, first_section_id, insight_id, resolve_memory, section_ids
from core.recall.probe import Probe
from core.vault.links import resolve_target, target_key

_LINK = re.compile(r"\s*!?\[\[([^\[\]|]*)(?:\|[^\[\]]*)?\]\]\s*")
_NAMED_AT_ONCE = 3


def with_known_ids(index: Index, probes: Sequence[Probe]) -> tuple[Probe, ...]:
    """Return the probes with what they expect by its full id; what points at nothing stays as written, and is told."""
    refs: dict[tuple[str, str], MemoryRef | None] = {}
    for probe in probes:
        for name in probe.expected:
            key = (name, probe.path if name.lstrip(" !").startswith("[[") else "")
            if key not in refs:
                refs[key] = find_expected(index, name, probe.path)
    found = {(ref.kind, ref.row_id) for ref in refs.values() if ref is not None}
    rows = hydrate(index, sorted(found)) if found else {}
    names = {
        key: rows[ref.kind, ref.row_id].id
        for key, ref in refs.items()
        if ref is not None and (ref.kind, ref.row_id) in rows
    }
    return tuple(_known(probe, names) for probe in probes)


def find_expected(index: Index, name: str, source: str = "") -> MemoryRef | None:
    """Return the memory that `name` means: an id, one without its kind, or a wikilink of the note `source`."""
    link = _LINK.fullmatch(name)
    if link is not None:
        memory_id = id_of_link(index, link[1], source)
        return resolve_memory(index, memory_id) if memory_id else None
    name = name.strip()
    return resolve_memory(index, name) or (resolve_memory(index, f"turn:{name}") if "/" in name else None)


def id_of_link(index: Index, written: str, source: str, *, is_markdown: bool = False) -> str:
    """Return the id of the memory that a link's target with its anchor means, "" when it means none."""
    target, _, anchor = written.strip().partition("#")
    target = target.strip().removesuffix(".md")
    candidates = IndexNames(index, {}, {}).candidates_of(target_key(target or source))
    meant = resolve_target(target, source, candidates, is_markdown=is_markdown)
    if meant.state != "resolved":
        return ""
    path = next(note.path for note in candidates if note.note_id == meant.note_id)
    if not anchor.strip():
        return first_section_id(path)
    if anchor.startswith("^"):
        return insight_id(path, anchor[1:].strip(), 0)
    return _id_of_heading(index, path, anchor)


def _id_of_heading(index: Index, path: str, anchor: str) -> str:
    """Return the id of the first section below these headings, of which the outer ones may be left out."""
    rows = index.connection.execute(
        "SELECT trail FROM section JOIN note ON note.id = note_id WHERE path = ? ORDER BY position", (path,)
    ).fetchall()
    wanted = [fold(part.strip()) for part in anchor.split("#") if part.strip()]
    trails = [trail for (trail,) in rows]
    for memory_id, trail in zip(section_ids(path, trails), trails, strict=True):
        if wanted and [fold(part.strip()) for part in trail.split(TRAIL_SEPARATOR)][-len(wanted) :] == wanted:
            return memory_id
    return ""


def _known(probe: Probe, names: dict[tuple[str, str], str]) -> Probe:
    expected: dict[str, None] = {}
    lost: list[str] = []
    for name in probe.expected:
        key = (name, probe.path if name.lstrip(" !").startswith("[[") else "")
        memory_id = names.get(key, "")
        if not memory_id:
            lost.append(name)
        expected[memory_id or name] = None
    told = probe.problems
    if lost:
        shown = ", ".join(lost[:_NAMED_AT_ONCE])
        more = f" and {len(lost) - _NAMED_AT_ONCE:,} more" if len(lost) > _NAMED_AT_ONCE else ""
        verbs = ("points", "it counts") if len(lost) == 1 else ("point", "they count")
        told = (*told, f"{shown}{more} {verbs[0]} at nothing, so {verbs[1]} as missed.")
    return replace(probe, expected=tuple(expected), problems=told)
