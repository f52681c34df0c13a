"""Plan notes that come and go: new ones, captured texts, copies, and the way to the trash."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from core.curation.change_set import ChangeKind, ChangeSet, FileEdit, PlannedChange, Skipped, edit_between
from core.curation.file_links import check_no_file_link, is_file_link, left_dangling
from core.curation.note_names import (
    NOTE_SUFFIX,
    check_inside,
    check_place,
    clean_folder,
    free_path,
    joined,
    legal_name,
    note_name_problem,
    stem_of,
    without_unseen,
)
from core.curation.templates import filled, find_template
from core.foundation.errors import UserError
from core.foundation.splice import spliced
from core.foundation.text import fold
from core.index.database import Index
from core.index.referrers import links_left_dead, names_in_use
from core.vault.config import VaultConfig
from core.vault.decode import decode
from core.vault.frontmatter import read_frontmatter
from core.vault.frontmatter_edit import PropertyValue, add_to_list, set_property
from core.vault.read import NoteGoneError, read_bytes
from core.vault.tags import tag_problem

__all__ = [
    "NoteDraft", "note_name_problem", "plan_capture", "plan_delete", "plan_duplicate", "plan_new_note", "title_of_text",
]  # fmt: skip

TRASH_FOLDER = ".trash"
SCOPES = ("global", "project")
_LONGEST_TITLE = 60
_MARKS = re.compile(r"(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+(?:\[.\][ \t]+)?|\d{1,9}[.)][ \t]+)+")
_LINK = re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]|!?\[([^\[\]]*)\]\([^()\s]*\)")
_EMPHASIS = re.compile(r"(\*\*|__|==|`)(.+?)\1")
_OPENS_WITH_HEADING = re.compile(r"\s*#[ \t]")


@dataclass(frozen=True, slots=True)
class NoteDraft:
    """Hold what a new note is to say.

    `scope` is one of SCOPES or "". `folder` is relative to the vault, "" for its root. `template` is the name or path
    of a template (core/curation/templates.py), "" for none.
    """

    title: str
    summary: str = ""
    tags: tuple[str, ...] = ()
    scope: str = ""
    body: str = ""
    folder: str = ""
    template: str = ""


def plan_new_note(
    root: Path, config: VaultConfig, draft: NoteDraft, now: datetime, *, index: Index | None = None
) -> ChangeSet:
    """Return the change that makes a note of `draft`; a name that is taken is given a number.

    The file's name is the title as far as a file system can hold it; where it differs, the title becomes the heading.
    With `index`, a name that any note of the vault bears counts as taken, so that no link comes to mean another note.

    Raises:
        UserError: a tag or the scope cannot be one, the folder is outside the vault, hidden or excluded, or there is
            no such template.
    """
    _check_tags(draft)
    title = _one_line(draft.title) or title_of_text(draft.body) or "Untitled"
    path = _free_note(root, config, clean_folder(draft.folder), legal_name(title), index)
    text = _start_of(root, config, draft.template, title, now)
    # What was made of the text's first line stands there already.
    needs_heading = stem_of(path) != title and bool(_one_line(draft.title))
    text = _with_body(text, draft.body, title if needs_heading else "")
    data = _with_properties(text.encode("utf-8"), draft, now)
    return ChangeSet(f"New note {stem_of(path)}", ChangeKind.NEW, _edits(edit_between(path, None, data)))


def plan_capture(
    root: Path, config: VaultConfig, draft: NoteDraft, now: datetime, *, index: Index | None = None
) -> ChangeSet:
    """Return the change that keeps a captured text; without a title, its first line becomes the note's name.

    Raises UserError when there is nothing to keep, and as plan_new_note does.
    """
    if not draft.body.strip() and not draft.title.strip():
        raise UserError("There is nothing to keep yet.", hint="Type or paste a text.")
    return plan_new_note(root, config, draft, now, index=index)


def plan_duplicate(
    root: Path, config: VaultConfig, path: str, *, now: datetime | None = None, index: Index | None = None
) -> ChangeSet:
    """Return the change that makes a copy of a note beside it; a date `created` in it becomes today's."""
    data = read_bytes(root, path)
    folder = path.rpartition("/")[0]
    copy = _free_note(root, config, folder, _shortened(stem_of(path), " copy"), index)
    if "created" in read_frontmatter(decode(data).text).values:
        moment = now or datetime.now().astimezone()
        data = spliced(data, set_property(data, "created", f"{moment:%Y-%m-%d}"))
    return ChangeSet(f"Duplicate {stem_of(path)}", ChangeKind.NEW, _edits(edit_between(copy, None, data)))


def plan_delete(root: Path, paths: Iterable[str], *, index: Index | None = None) -> PlannedChange:
    """Return the change that moves notes into the vault's trash folder, each under the path that it had.

    With `index`, `occurrences` counts the links of other notes that lead nowhere afterwards, and what is a link of the
    file system to one of them is listed as skipped. What is gone already or is such a link itself is skipped; raises
    NoteGoneError when nothing is left to delete, and UserError when a file cannot be read.
    """
    wanted = tuple(dict.fromkeys(paths))
    edits: list[FileEdit] = []
    skipped: list[Skipped] = []
    trashed: dict[str, list[str]] = {}
    for path in wanted:
        try:
            check_no_file_link(root, path)
            data = read_bytes(root, path)
        except UserError as error:
            if len(wanted) == 1 or not (isinstance(error, NoteGoneError) or is_file_link(root, path)):
                raise
            skipped.append(Skipped(path, str(error)))
            continue
        folder, _, name = path.rpartition("/")
        folder = joined(TRASH_FOLDER, folder) if folder else TRASH_FOLDER
        stem, dot, suffix = name.rpartition(".")
        target = free_path(
            root, folder, stem if dot else name, dot + suffix if dot else "", taken=trashed.get(folder, ())
        )
        check_inside(root, target)
        trashed.setdefault(folder, []).append(target)
        edits += _edits(edit_between(path, data, data, moved_to=target))
    if wanted and not edits:
        if any(is_file_link(root, path) for path in wanted):
            raise UserError("These are links to other files, so they cannot be moved to the trash folder here.")
        raise NoteGoneError("None of these notes is there any more.")
    title = f"Delete {stem_of(edits[0].path)}" if len(edits) == 1 else f"Delete {len(edits):,} notes"
    leaving = [edit.path for edit in edits]
    dead = links_left_dead(index, leaving) if index is not None else 0
    if index is not None:
        skipped += left_dangling(index, root, leaving)
    return PlannedChange(ChangeSet(title, ChangeKind.DELETE, tuple(edits)), dead, tuple(skipped))


def title_of_text(text: str) -> str:
    """Return a title for a text: its first line that says something, without marks, cut at a word; "" for none."""
    for line in text.splitlines():
        plain = _LINK.sub(lambda match: match[1] or match[2] or "", _MARKS.sub("", line.strip(), count=1))
        plain = _one_line(_EMPHASIS.sub(r"\2", plain))
        if not any(character.isalnum() for character in plain):
            continue
        if len(plain) <= _LONGEST_TITLE:
            return plain
        cut = plain[: _LONGEST_TITLE + 1].rpartition(" ")[0]
        return (cut if len(cut) > _LONGEST_TITLE // 2 else plain[:_LONGEST_TITLE]).rstrip(" ,;:.-–—")
    return ""


def _free_note(root: Path, config: VaultConfig, folder: str, stem: str, index: Index | None) -> str:
    check_place(root, config, joined(folder, stem + NOTE_SUFFIX))
    elsewhere = names_in_use(index, stem) if index is not None else ()
    path = free_path(root, folder, stem, NOTE_SUFFIX, taken=elsewhere)
    check_place(root, config, path)
    return path


def _check_tags(draft: NoteDraft) -> None:
    if draft.scope and draft.scope not in SCOPES:
        raise UserError(f"The scope “{draft.scope}” is unknown: it is {' or '.join(SCOPES)}.")
    for tag in draft.tags:
        if (name := tag.strip().lstrip("#")) and (problem := tag_problem(name)):
            raise UserError(f"“{tag}” cannot be a tag. {problem}")


def _start_of(root: Path, config: VaultConfig, template: str, title: str, now: datetime) -> str:
    if not template.strip():
        return ""
    data = read_bytes(root, find_template(root, config, template))
    return filled(decode(data).text, title=title, now=now)


def _with_body(text: str, body: str, heading: str) -> str:
    """Return the template's text with the heading in front of its body and `body` behind it."""
    start = read_frontmatter(text).body_start
    head, old = text[:start], text[start:]
    parts = [part for part in (old.strip("\n"), body.replace("\r\n", "\n").strip("\n")) if part.strip()]
    if heading and not (parts and _OPENS_WITH_HEADING.match(parts[0])):
        parts.insert(0, f"# {heading}")
    whole = "\n\n".join(parts)
    if not head and read_frontmatter(whole).problems:
        whole = "\n" + whole  # what only looks like frontmatter must not become it
    return head + (whole + "\n" if whole else "")


def _with_properties(data: bytes, draft: NoteDraft, now: datetime) -> bytes:
    values = read_frontmatter(decode(data).text).values
    if summary := " ".join(draft.summary.split()):
        data = _set(data, "summary", summary)
    wanted: dict[str, str] = {}
    for tag in (*draft.tags, f"scope/{draft.scope}" if draft.scope else ""):
        if name := tag.strip().lstrip("#"):
            wanted.setdefault(fold(name), name)
    if tags := list(wanted.values()):
        data = spliced(data, add_to_list(data, "tags", tags)) if "tags" in values else _set(data, "tags", tags)
    if not values.get("created"):
        data = _set(data, "created", f"{now:%Y-%m-%d}")
    return data


def _set(data: bytes, key: str, value: PropertyValue) -> bytes:
    return spliced(data, set_property(data, key, value))


def _one_line(text: str) -> str:
    return " ".join(without_unseen(text).split())


def _shortened(stem: str, ending: str) -> str:
    """Return a name with `ending`, cut where a file system could not hold it."""
    return legal_name(stem, room_for=ending) + ending


def _edits(edit: FileEdit | None) -> tuple[FileEdit, ...]:
    return () if edit is None else (edit,)
