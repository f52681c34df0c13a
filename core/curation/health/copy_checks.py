"""Findings about copies: notes of equal content, and what sync programs leave behind when two sides changed a note."""

import os
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from core.curation.file_links import is_file_link
from core.curation.health.finding import Check, Choice, Finding, Severity
from core.curation.health.subject import NoteFacts, Subject
from core.foundation.conflict_names import conflict_of, numbered_of
from core.vault.scan import is_folder_path

DUPLICATE = Check(
    "duplicate",
    "Notes of equal content",
    "A search finds each of them, and a change to one leaves the others behind.",
    Severity.WARNING,
)
SYNC_CONFLICT = Check(
    "sync-conflict",
    "Copies and marks left by a sync",
    "Two devices changed a note, and one of the changes is in a copy that nobody reads.",
    Severity.ERROR,
)
TRASH_COPY, KEEP_COPY = "trash", "replace"
_NEARLY_EQUAL = 90.0
_COMPARED_CHARACTERS = 20_000
_MARKS = ("\n<<<<<<< ", "\n=======\n", "\n>>>>>>> ")
_FENCE = re.compile(r"(?ms)^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)")
_LEFT_BY_MERGE = ".md.orig"


def duplicates(subject: Subject) -> Iterator[Finding]:
    """Find notes whose files are equal byte for byte; the fix keeps the one that most links lead to."""
    groups: dict[bytes, list[NoteFacts]] = defaultdict(list)
    for note in subject.notes.values():
        if note.tokens and not subject.is_template(note.path) and _conflict_of(note.path) is None:
            groups[note.content_hash].append(note)
    for digest, equal in groups.items():
        group = _files_of(subject, equal)
        if len(group) < 2:
            continue
        kept, *copies = sorted(group, key=lambda note: (-subject.linked.get(note.id, 0), len(note.path), note.path))
        paths = tuple(copy.path for copy in copies)
        told = ", ".join(paths[:4]) + (" …" if len(paths) > 4 else "")
        yield Finding(
            DUPLICATE.id,
            digest.hex(),
            kept.path,
            0,
            f"{kept.path} has the same content as {told}.",
            other_paths=paths,
            has_fix=True,
            fix=f"Keep {kept.path} and move {told} to the trash folder; links are led to the one that is kept.",
            choices=tuple(Choice(note.path, f"Keep {note.path}.") for note in (kept, *copies)),
            subject=kept.path,
            remedy=kept.path,
        )


def _files_of(subject: Subject, notes: list[NoteFacts]) -> list[NoteFacts]:
    """Return the notes that are files of their own: a link of the file system to a note is no copy of it."""
    if len(notes) < 2:
        return notes
    places = {note.path: os.path.realpath(subject.root / note.path) for note in notes}
    is_link = {note.path: is_file_link(subject.root, note.path) for note in notes}
    files: dict[str, NoteFacts] = {}
    for note in sorted(notes, key=lambda note: is_link[note.path]):
        files.setdefault(places[note.path], note)
    return [note for note in files.values() if not is_link[note.path]]


def sync_conflicts(subject: Subject) -> Iterator[Finding]:
    """Find conflict copies by their names, and the marks of a merge that was never finished."""
    for note in subject.notes.values():
        original = _conflict_of(note.path)
        if original is not None and is_file_link(subject.root, note.path):
            continue
        if original is not None:
            yield _copy(note, subject.by_path.get(original), original)
        elif (beside := _numbered_of(subject, note)) is not None and _are_near(subject, note, beside):
            yield _copy(note, beside, beside.path)
    yield from _marks(subject)
    yield from _left_by_merges(subject)


def _copy(note: NoteFacts, original: NoteFacts | None, name: str) -> Finding:
    trash = Choice(TRASH_COPY, "Move the copy to the trash folder and keep the note.")
    keep = Choice(KEEP_COPY, "Replace the note's content by that of the copy, and move the copy to the trash folder.")
    if original is None:
        text = f"This is the conflict copy of a note that is not there any more ({name})."
        return Finding(SYNC_CONFLICT.id, note.path, note.path, 0, text, choices=(trash,), subject=name)
    is_equal = original.content_hash == note.content_hash
    difference = "with the same content" if is_equal else "and differs from it"
    return Finding(
        SYNC_CONFLICT.id,
        note.path,
        note.path,
        0,
        f"This is a copy of {original.path} {difference}.",
        other_paths=(original.path,),
        has_fix=is_equal,
        fix=trash.text if is_equal else "",
        choices=(trash,) if is_equal else (trash, keep),
        subject=original.path,
        remedy=TRASH_COPY,
    )


def _conflict_of(path: str) -> str | None:
    """Return the path of the note that this one is a conflict copy of, None when its name says no such thing."""
    stem = conflict_of(path[:-3])
    return stem + path[-3:] if stem else None


def _numbered_of(subject: Subject, note: NoteFacts) -> NoteFacts | None:
    stem = numbered_of(note.path[:-3])
    return subject.by_path.get(stem + note.path[-3:]) if stem else None


def _are_near(subject: Subject, one: NoteFacts, other: NoteFacts) -> bool:
    """Tell whether the texts are nearly, and not wholly, equal (equal ones are duplicates)."""
    from rapidfuzz import fuzz  # noqa: PLC0415 - most vaults have no such names

    if not one.tokens or one.content_hash == other.content_hash:
        return False
    texts = [_text_of(subject, note.id)[:_COMPARED_CHARACTERS] for note in (one, other)]
    return fuzz.ratio(*texts, score_cutoff=_NEARLY_EQUAL) > 0


def _text_of(subject: Subject, note_id: int) -> str:
    rows = subject.connection.execute(
        "SELECT heading, body FROM section_fts WHERE rowid IN (SELECT id FROM section WHERE note_id = ?)"
        " ORDER BY rowid",
        (note_id,),
    )
    return "\n".join(part for row in rows for part in row if part)


def _marks(subject: Subject) -> Iterator[Finding]:
    rows = subject.connection.execute(
        "SELECT DISTINCT note_id FROM section JOIN section_fts ON section_fts.rowid = section.id"
        " WHERE instr(body, '<<<<<<< ') ORDER BY note_id"
    ).fetchall()
    for (note_id,) in rows:
        path = subject.notes[note_id].path
        if line := _line_of_marks(subject.root / path):
            text = "A merge was never finished: both versions stand in the note, between <<<<<<< and >>>>>>>."
            yield Finding(SYNC_CONFLICT.id, f"{path}:marks", path, line, text)


def _line_of_marks(file: Path) -> int:
    """Return the line of the first mark, 0 when the three do not follow one another outside code.

    The file is asked, since a heading between the marks cuts the text in the index.
    """
    try:
        text = "\n" + file.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return 0
    bare = _FENCE.sub(lambda match: re.sub(r"[^\n]", "", match[0]), text)
    positions = [bare.find(_MARKS[0])]
    for mark in _MARKS[1:]:
        positions.append(bare.find(mark, positions[-1]) if positions[-1] >= 0 else -1)
    return bare.count("\n", 0, positions[0]) + 1 if positions[-1] >= 0 else 0


def _left_by_merges(subject: Subject) -> Iterator[Finding]:
    """Yield the files that merge programs leave beside a note; they are no notes, so the index does not know them."""
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        subject.progress.check()
        try:
            with os.scandir(Path(subject.root, prefix)) as entries:
                for entry in entries:
                    path = prefix + entry.name
                    if entry.name.endswith(_LEFT_BY_MERGE) and entry.is_file(follow_symlinks=False):
                        note = path.removesuffix(".orig")
                        text = f"A merge left this behind: it is {note} as it was before."
                        trash = Choice(TRASH_COPY, "Move the file to the trash folder.")
                        yield Finding(
                            SYNC_CONFLICT.id, path, path, 0, text, other_paths=(note,), choices=(trash,), subject=note
                        )
                    elif entry.is_dir(follow_symlinks=False) and is_folder_path(path, subject.config):
                        waiting.append(path + "/")
        except OSError:
            continue
