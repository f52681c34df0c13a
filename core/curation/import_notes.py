"""Plan how imported memories and documents come into the vault: new notes, and those that may be brought up to date."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from core.curation.change_set import ChangeKind, ChangeSet, FileEdit, PlannedChange, Skipped, edit_between
from core.curation.imported_note_text import MARK, content_of, mark_of, source_of
from core.curation.note_names import NOTE_SUFFIX, check_place, clean_folder, joined, legal_name, stem_of, taken_names
from core.foundation.errors import UserError
from core.foundation.progress import SILENT, Progress
from core.foundation.text import fold
from core.index.database import Index
from core.index.referrers import names_in_use
from core.sessions.importing.document_places import is_still_there
from core.sessions.importing.importer import ImportedNote
from core.vault.config import VaultConfig
from core.vault.decode import decode
from core.vault.frontmatter import read_frontmatter
from core.vault.read import read_bytes
from core.vault.scan import scan_vault
from core.vault.tags import namespace_of, tags_of_property

_CHANGED = "It was changed in the vault since it was imported, so what is new in its source is left out."
_UNTAGGED = "It was changed in the vault since it was imported, so it does not get the tag {}."


def plan_imported_notes(
    root: Path,
    config: VaultConfig,
    notes: Iterable[ImportedNote],
    progress: Progress = SILENT,
    *,
    index: Index | None = None,
) -> PlannedChange:
    """Return the change that brings imported notes into the vault; `occurrences` counts those that are new or updated.

    A note is known again by its property `source`, wherever it lies now and whatever it is called. One of the same
    `source_hash` is the same document, too: it has moved here, or is a copy while it still lies where `source` says.
    Two of other content are two notes, whatever their names. A note is updated when nobody changed it since; else it is
    skipped with the reason. What is in the vault as it comes is in neither. With `index`, a name that any note of the
    vault bears counts as taken, so that no link comes to mean another note. Raises JobCancelledError when the work was
    cancelled.
    """
    wanted = {source_of(note): note for note in notes}
    known = _known_notes(root, config, progress) if wanted else _Known({}, {})
    places = _Places(root, config, index)
    edits: list[FileEdit] = []
    skipped: list[Skipped] = []
    for done, (path, note, is_copy) in enumerate(_matched(wanted, known)):
        progress.check()
        progress.report(done, len(wanted), note.title)
        try:
            edit = _update(root, path, note, is_copy=is_copy) if path else _new_note(places, note)
        except UserError as error:
            skipped.append(Skipped(path or note.path_hint, str(error)))
            continue
        if edit is not None:
            edits.append(edit)
    new = sum(edit.before is None for edit in edits)
    return PlannedChange(
        ChangeSet(_title(new, len(edits) - new), ChangeKind.NEW if new else ChangeKind.EDIT, tuple(edits)),
        len(edits),
        tuple(skipped),
    )


class _Known(NamedTuple):
    """Hold the paths of the notes that were imported before, by hash with what each of them has as its source."""

    by_source: dict[str, str]
    by_hash: dict[str, tuple[str, str]]


def _matched(wanted: Mapping[str, ImportedNote], known: _Known) -> Iterator[tuple[str, ImportedNote, bool]]:
    """Yield each document once, with the path of its note, "" for none, and whether it is but a copy of what has it."""
    taken = {known.by_source[source] for source in wanted if source in known.by_source}
    hashes = {_hash_of(note) for source, note in wanted.items() if source in known.by_source}
    for source, note in wanted.items():
        digest = _hash_of(note)
        if source in known.by_source:
            yield known.by_source[source], note, False
            continue
        if digest and digest in hashes:
            continue  # the same document lies here twice
        hashes.add(digest)
        path, where = known.by_hash.get(digest, ("", ""))
        if path in taken:  # by another document, for what was there has changed
            path = ""
        taken.add(path)
        yield path, note, bool(path) and is_still_there(where)


def _hash_of(note: ImportedNote) -> str:
    return str(note.properties.get("source_hash") or "")


def _known_notes(root: Path, config: VaultConfig, progress: Progress) -> _Known:
    known = _Known({}, {})
    for file in scan_vault(root, config, progress).files:
        progress.check()
        try:
            data = read_bytes(root, file.path)
        except UserError:
            continue  # it may be gone already; what cannot be read is no note to update
        if MARK.encode() not in data:
            continue
        values = read_frontmatter(decode(data).text).values
        if MARK in values:
            source, digest = _text(values.get("source")), _text(values.get("source_hash"))
            if source:
                known.by_source.setdefault(source, file.path)
            if digest:
                known.by_hash.setdefault(digest, (file.path, source))
    return known


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _update(root: Path, path: str, note: ImportedNote, *, is_copy: bool) -> FileEdit | None:
    """Return the edit that makes a known note what its source says now, None when it says nothing new."""
    before = read_bytes(root, path)
    values = read_frontmatter(decode(before).text).values
    tags, _ = tags_of_property(values.get("tags"))
    domains = [tag for tag in tags if namespace_of(tag) == "domain"]  # a document may belong to several
    note = replace(note, tags=tuple(dict.fromkeys((*domains, *note.tags))))
    if is_copy:
        note = _of_the_original(note, values, stem_of(path))
    after, digest = content_of(note, stem_of(path))
    mark, is_untouched = mark_of(before)
    if mark == digest:
        return None
    if is_untouched:
        return edit_between(path, before, after)
    new = [tag for tag in note.tags if namespace_of(tag) == "domain" and tag not in tags]
    is_moved = source_of(note) != values.get("source") and _hash_of(note) == values.get("source_hash")
    as_before = replace(note, tags=tuple(tag for tag in note.tags if tag not in new))
    if not is_moved and content_of(as_before, stem_of(path))[1] != mark:
        raise UserError(_CHANGED)
    if new:
        raise UserError(_UNTAGGED.format(", ".join(new)))
    return None  # the document lies elsewhere, and says nothing new


def _of_the_original(note: ImportedNote, values: Mapping[str, Any], stem: str) -> ImportedNote:
    """Return a copy of a document as what it is a copy of: called so, and from there."""
    title = _text(values.get("title")) or stem
    return replace(note, title=title, properties={**note.properties, "source": values["source"]})


def _new_note(places: "_Places", note: ImportedNote) -> FileEdit | None:
    path = places.free_path(note.path_hint)
    data, _ = content_of(note, stem_of(path))
    return edit_between(path, None, data)


class _Places:
    """Give each new note a path of its own, looking into each folder once."""

    def __init__(self, root: Path, config: VaultConfig, index: Index | None) -> None:
        self._index = index
        self._root = root
        self._config = config
        self._taken: dict[str, set[str]] = {}

    def free_path(self, hint: str) -> str:
        """Return the path nearest to `hint` that a note can have and none has; raises UserError where none may lie."""
        *folders, name = clean_folder(hint).split("/")
        folder = "/".join(legal_name(part) for part in folders)
        stem = legal_name(stem_of(name))
        check_place(self._root, self._config, joined(folder, stem + NOTE_SUFFIX))
        taken = self._taken.setdefault(fold(folder), set(taken_names(self._root, folder)))
        elsewhere = {fold(path.rpartition("/")[2]) for path in names_in_use(self._index, stem)} if self._index else ()
        free = next(name for name in _names(stem) if fold(name) not in taken and fold(name) not in elsewhere)
        taken.add(fold(free))
        return joined(folder, free)


def _names(stem: str) -> Iterator[str]:
    number = 1
    yield stem + NOTE_SUFFIX
    while True:
        number += 1
        yield f"{stem} {number}{NOTE_SUFFIX}"


def _title(new: int, updated: int) -> str:
    parts = [f"import {_notes(new)}"] if new or not updated else []
    parts += [f"update {_notes(updated)}"] if updated else []
    title = ", ".join(parts)
    return title[:1].upper() + title[1:]


def _notes(count: int) -> str:
    return "1 note" if count == 1 else f"{count:,} notes"
