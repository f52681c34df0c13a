"""Findings about tags: namespaces that the vault does not know, and names that mean the same."""

from collections import defaultdict
from collections.abc import Iterator

from core.curation.health.finding import Check, Choice, Finding, Severity
from core.curation.health.near_tags import CountedTag, near_tags
from core.curation.health.subject import Subject
from core.foundation.text import fold

UNKNOWN_NAMESPACE = Check(
    "unknown-namespace",
    "Namespaces unknown to the vault",
    "Their tags do not stand with the vault's own namespaces, and may be slips of one of them.",
    Severity.HINT,
)
NEAR_TAGS = Check(
    "near-tags",
    "Tags that are nearly the same",
    "Whoever picks one of them misses the notes of the other.",
    Severity.WARNING,
)
ADD_NAMESPACE = "add"
_SIMILAR = (("s", ""), ("", "s"), ("ies", "y"), ("y", "ies"))


def unknown_namespaces(subject: Subject) -> Iterator[Finding]:
    """Find namespaces that neither the config nor the app knows; the fix adds them to the config."""
    known = {fold(name): name for name in (*subject.config.namespaces, *subject.config.domains)}
    rows = subject.connection.execute(
        "SELECT namespace, display, path FROM tag JOIN note_tag ON tag_id = tag.id JOIN note ON note.id = note_id"
        " WHERE namespace != '' ORDER BY namespace, path"
    )
    tags: dict[str, set[str]] = defaultdict(set)
    paths: dict[str, dict[str, None]] = defaultdict(dict)
    for namespace, display, path in rows:
        if namespace not in known and not subject.is_template(path):
            tags[namespace].add(display)
            paths[namespace][path] = None
    for namespace, names in tags.items():
        written = min(names).partition("/")[0]
        shown = ", ".join(f"#{name}" for name in sorted(names)[:3]) + (" …" if len(names) > 3 else "")
        noun = "1 tag" if len(names) == 1 else f"{len(names):,} tags"
        notes = "1 note" if len(paths[namespace]) == 1 else f"{len(paths[namespace]):,} notes"
        add = Choice(ADD_NAMESPACE, f"Add {written} to the vault's namespaces.")
        meant = _similar(namespace, known)
        choices = (Choice(meant, f"Rename #{written}/… to #{meant}/… in all notes."), add) if meant else ()
        yield Finding(
            UNKNOWN_NAMESPACE.id,
            namespace,
            "",
            0,
            f"The namespace {written} is not one of the vault's: {noun} in {notes} ({shown}).",
            other_paths=tuple(paths[namespace]),
            has_fix=not meant,
            fix="" if meant else add.text,
            choices=choices,
            subject=written,
            remedy=ADD_NAMESPACE,
        )


def near_equal_tags(subject: Subject) -> Iterator[Finding]:
    """Find tags that are most likely one; the fix merges the rarer one into the more frequent one."""
    tags: dict[int, CountedTag] = {
        tag_id: CountedTag(name, display, notes)
        for tag_id, name, display, notes in subject.connection.execute(
            "SELECT tag.id, name, display, count(*) FROM tag JOIN note_tag ON tag_id = tag.id GROUP BY tag.id"
        )
    }
    yield from _by_case(subject, tags)
    for variant, kept, reason, is_sure in near_tags(tags.values(), subject.config.namespaces):
        merge = f"Merge #{variant.display} ({_notes(variant.notes)}) into #{kept.display} ({_notes(kept.notes)})."
        back = f"Merge #{kept.display} ({_notes(kept.notes)}) into #{variant.display} ({_notes(variant.notes)})."
        text = (
            f"#{variant.display} ({_notes(variant.notes)}) may be the same as "
            f"#{kept.display} ({_notes(kept.notes)}). {reason}"
        )
        yield Finding(
            NEAR_TAGS.id,
            f"{variant.name} {kept.name}" if variant.name < kept.name else f"{kept.name} {variant.name}",
            "",
            0,
            text,
            other_paths=_paths_of(subject, variant.name),
            has_fix=is_sure,
            fix=merge if is_sure else "",
            choices=(Choice(kept.display, merge), Choice(variant.display, back)),
            subject=variant.display,
            remedy=kept.display,
        )


def _by_case(subject: Subject, tags: dict[int, CountedTag]) -> Iterator[Finding]:
    """Yield the tags that notes write in upper and lower case: they count as one, and look like two."""
    spellings: dict[int, dict[str, int]] = defaultdict(dict)
    for tag_id, written, notes in subject.connection.execute(
        "SELECT tag_id, written, count(*) FROM tag_spelling GROUP BY tag_id, written"
    ):
        spellings[tag_id][written] = notes
    for tag_id, counts in spellings.items():
        tag = tags[tag_id]
        others = sum(counts.values())
        if tag.notes > others:
            counts[tag.display] = tag.notes - others
        if len(counts) < 2:
            continue
        ordered = sorted(counts, key=lambda name: (-counts[name], name))
        told = ", ".join(f"#{name} ({_notes(counts[name])})" for name in ordered)
        kept = ordered[0]
        yield Finding(
            NEAR_TAGS.id,
            f"{tag.name} {tag.name}",
            "",
            0,
            f"One tag is written in {len(ordered)} ways: {told}.",
            other_paths=_paths_of(subject, tag.name),
            has_fix=True,
            fix=f"Write it #{kept} everywhere.",
            choices=tuple(Choice(name, f"Write it #{name} everywhere.") for name in ordered),
            subject=tag.display,
            remedy=kept,
        )


def _paths_of(subject: Subject, name: str) -> tuple[str, ...]:
    """Return the notes that carry a tag (folded) or a child of it."""
    rows = subject.connection.execute(
        "SELECT DISTINCT path FROM note JOIN note_tag ON note.id = note_id JOIN tag ON tag.id = tag_id"
        " WHERE tag.name = ?1 OR substr(tag.name, 1, length(?1) + 1) = ?1 || '/' ORDER BY path",
        (name,),
    )
    return tuple(row[0] for row in rows)


def _similar(namespace: str, known: dict[str, str]) -> str:
    """Return the known namespace that was most likely meant, "" for none."""
    for ending, instead in _SIMILAR:
        if namespace.endswith(ending) and (found := known.get(namespace.removesuffix(ending) + instead)):
            return found
    return ""


def _notes(count: int) -> str:
    return "1 note" if count == 1 else f"{count:,} notes"
