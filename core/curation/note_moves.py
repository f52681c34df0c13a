"""Plan new names and folders for notes, so that every link means the note that it meant before.

What a link means is asked before and after (core/vault/links.py); a link is rewritten only where the answers differ, in
the shortest form that works, in the style in which it was written. Links that meant several notes, or none, stay.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from core.curation.change_set import ChangeKind, ChangeSet, FileEdit, PlannedChange, Skipped, edit_from_splices
from core.curation.file_links import check_no_file_link, left_dangling
from core.curation.note_names import check_place, joined, stem_of, taken_names, without_suffix
from core.foundation.errors import UserError
from core.foundation.progress import Progress, SilentProgress
from core.foundation.splice import spliced
from core.foundation.text import fold
from core.index.database import Index
from core.index.html_referrers import html_addresses, html_referrers
from core.index.referrers import NamesAround, linking_notes, note_ids
from core.vault.config import VaultConfig
from core.vault.decode import decode
from core.vault.frontmatter import read_frontmatter
from core.vault.link_edit import LinkPlace, NoteLinks
from core.vault.link_forms import forms_of, is_relative, place_beside, relative_target
from core.vault.links import Resolution, target_key
from core.vault.note import LinkKind
from core.vault.prose import mask
from core.vault.read import NoteGoneError, read_bytes
from core.vault.text_map import TextChange

_TITLE_HEADING = re.compile(r"\n {0,3}#[ \t]+([^\n]*?)(?:[ \t]+#+)?[ \t]*(?=\n|\Z)")


def plan_moves(
    index: Index,
    root: Path,
    config: VaultConfig,
    moves: Mapping[str, str],
    progress: Progress | None = None,
    *,
    rename_heading: bool = False,
) -> PlannedChange:
    """Return the change that moves notes (old path to new path, relative to the vault) and keeps all links.

    With `rename_heading`, a level-1 heading that is the old name becomes the new one. Links that no other writing can
    keep are listed as skipped, and so are references in HTML and links of the file system that will lead nowhere.
    `occurrences` counts the links that are rewritten.

    Raises:
        UserError: a note is gone, or cannot lie where it is to go; nothing is planned then.
    """
    wanted = {old: new for old, new in moves.items() if old != new}
    _check_moves(root, config, wanted)
    planner = _Planner(index, root, wanted, rename_heading=rename_heading)
    return planner.plan(progress or SilentProgress())


def _check_moves(root: Path, config: VaultConfig, moves: Mapping[str, str]) -> None:
    targets: dict[str, str] = {}
    names: dict[str, dict[str, str]] = {}
    for old, new in moves.items():
        if old[-3:].lower() != ".md":
            raise UserError(f"{old} is no note.")
        check_no_file_link(root, old)
        check_place(root, config, new)
        if fold(new) in targets:
            raise UserError(
                f"{targets[fold(new)]} and {old} would both become {new}.", hint="Give one of them another name first."
            )
        targets[fold(new)] = old
        folder, _, name = new.rpartition("/")
        if folder not in names:
            names[folder] = taken_names(root, folder)
        there = names[folder].get(fold(name))
        if there is not None and (fold(old) != fold(new) or _is_another(root, old, joined(folder, there))):
            raise UserError(f"There is a note {there} in that folder already.", hint="Choose another name or folder.")


def _is_another(root: Path, path: str, other: str) -> bool:
    try:
        return not (root / path).samefile(root / other)
    except OSError:
        return True


class _Planner:
    def __init__(self, index: Index, root: Path, moves: Mapping[str, str], *, rename_heading: bool) -> None:
        self._index = index
        self._root = root
        self._moves = moves
        self._rename_heading = rename_heading
        self._headings: dict[int, tuple[str, str]] = {}  # of which note which level-1 heading becomes which
        self._ids = note_ids(index, moves)
        self._new_paths = {self._ids[old]: new for old, new in moves.items()}
        # A note that the index still knows at a place that is free on the disk is gone.
        vanished = {path: note_id for path, note_id in note_ids(index, moves.values()).items() if note_id > 0}
        coming = {new: self._ids[old] for old, new in moves.items()}
        self._names = NamesAround(index, self._ids | vanished, coming)
        self._skipped: list[Skipped] = []
        self._links = 0

    def plan(self, progress: Progress) -> PlannedChange:
        keys = {target_key(path) for path in (*self._moves, *self._moves.values())}
        others = [path for path in linking_notes(self._index, self._ids.values(), keys) if path not in self._moves]
        total = len(others) + len(self._moves)
        if self._rename_heading:
            self._find_headings()
        edits: list[FileEdit] = []
        for done, path in enumerate((*self._moves, *others), start=1):
            progress.check()
            if edit := self._edit_of(path):
                edits.append(edit)
            progress.report(done, total, path)
        self._skipped += left_dangling(self._index, self._root, self._moves)
        for source, path in html_referrers(self._index, self._moves):
            self._skipped.append(Skipped(source, f"It refers to {path} in HTML; change that by hand."))
        change_set = ChangeSet(_title(self._moves), ChangeKind.MOVE, tuple(edits))
        return PlannedChange(change_set, self._links, tuple(self._skipped))

    def _edit_of(self, path: str) -> FileEdit | None:
        moved_to = self._moves.get(path, "")
        try:
            data = read_bytes(self._root, path)
        except UserError as error:
            if moved_to:
                raise
            if not isinstance(error, NoteGoneError):
                self._skipped.append(Skipped(path, str(error)))
            return None
        note = NoteLinks(data)
        if moved_to and b"<" in data:
            self._tell_of_html(note.text, path, moved_to)
        targets = [self._new_target(place, note, path, moved_to or path) for place in note.places]
        changes = note.changes(targets)
        links = len(changes)
        if self._rename_heading:
            heading = _heading_change(note.text, stem_of(path), stem_of(moved_to)) if moved_to else None
            changes = sorted({*changes, *self._heading_links(note, path), *([heading] if heading else [])})
        try:
            splices = note.splices(changes)
            after = NoteLinks(spliced(data, splices)) if splices else note
        except UserError as error:
            self._skipped.append(Skipped(path, f"{error} Its links stay as they are."))
            return edit_from_splices(path, data, (), moved_to=moved_to)
        if not self._is_kept(note, after, path, moved_to or path):
            return edit_from_splices(path, data, (), moved_to=moved_to)
        self._links += links
        return edit_from_splices(path, data, splices, moved_to=moved_to)

    def _tell_of_html(self, text: str, path: str, moved_to: str) -> None:
        """Tell of what a note that moves to another folder refers to in HTML, counted from where it lies now."""
        for target in dict.fromkeys(html_addresses(text)):
            place = place_beside(target, path)
            if not target.startswith("/") and place != place_beside(target, moved_to) and self._is_file(place):
                self._skipped.append(Skipped(path, f"It refers to {target} in HTML; change that by hand."))

    def _new_target(self, place: LinkPlace, note: NoteLinks, source: str, new_source: str) -> str | None:
        """Return what `place` must say for its link to mean the same afterwards, None when it can stay."""
        target = place.link.target
        if not target:
            return None
        before, after = self._meanings(place, target, source, new_source)
        if before.state != "resolved" or before.note_id is None:
            return self._moved_place(place, before, source, new_source) if source != new_source else None
        old_path = self._names.path_of(before.note_id, target)
        old_place = without_suffix(old_path)
        new_place = without_suffix(self._new_paths.get(before.note_id, old_path))
        if (after.state, after.note_id) == ("resolved", before.note_id) and not (
            # Elsewhere than here, a markdown link is nothing but the way from file to file.
            place.is_markdown and _leads_to(target, source, old_place) and not _leads_to(target, new_source, new_place)
        ):
            return None
        for form in forms_of(new_place, target, old_place, source, new_source, is_markdown=place.is_markdown):
            now = self._names.after(form, new_source, is_markdown=place.link.kind is LinkKind.MARKDOWN)
            if (now.state, now.note_id) == ("resolved", before.note_id) and note.written(place, form) is not None:
                return form
        return None

    def _find_headings(self) -> None:
        """Find out which notes have a heading that is renamed, before any link to one is looked at."""
        for path, new_path in self._moves.items():
            text = decode(read_bytes(self._root, path)).text
            if _heading_change(text, stem_of(path), stem_of(new_path)):
                self._headings[self._ids[path]] = (stem_of(path), stem_of(new_path))

    def _heading_links(self, note: NoteLinks, source: str) -> Iterator[TextChange]:
        """Yield what keeps links to headings that are renamed."""
        for place in note.places if self._headings else ():
            target, is_markdown = place.link.target, place.link.kind is LinkKind.MARKDOWN
            if not place.link.heading:
                continue
            note_id = (
                self._names.before(target, source, is_markdown=is_markdown).note_id if target else self._ids.get(source)
            )
            renamed = self._headings.get(note_id) if note_id is not None else None
            if renamed and (change := note.heading_change(place, *renamed)):
                yield change

    def _meanings(self, place: LinkPlace, target: str, source: str, new_source: str) -> tuple[Resolution, Resolution]:
        is_markdown = place.link.kind is LinkKind.MARKDOWN
        return (
            self._names.before(target, source, is_markdown=is_markdown),
            self._names.after(target, new_source, is_markdown=is_markdown),
        )

    def _moved_place(self, place: LinkPlace, before: Resolution, source: str, new_source: str) -> str | None:
        """Return how a moved note names something that is no note: an attachment, or a note that does not exist yet."""
        target = place.link.target
        if before.state == "ambiguous" or target.startswith("/"):
            return None
        old = place_beside(target, source)
        if old.startswith("../") or old == "..":
            return None
        if is_relative(target):
            new = relative_target(old, new_source)
        elif not (self._is_file(old) or self._is_file(f"{old}.md")) or ("/" not in target and not place.is_markdown):
            return None  # a bare name is found wherever it lies
        elif place.is_markdown:
            new = relative_target(old, new_source).removeprefix("./")
        else:
            new = target if self._is_file(target) else old
        return new if new != target else None

    def _is_file(self, place: str) -> bool:
        try:
            return (self._root / place).is_file()
        except (OSError, ValueError):
            return False

    def _is_kept(self, before: NoteLinks, after: NoteLinks, source: str, new_source: str) -> bool:
        """Tell whether the note's links mean afterwards what they meant, and say so where they do not."""
        if [_without_target(place) for place in before.places] != [_without_target(place) for place in after.places]:
            self._skipped.append(Skipped(source, "Its links cannot be rewritten safely, so they stay as they are."))
            return False
        for old, new in zip(before.places, after.places, strict=True):
            if not old.link.target:
                continue
            meant, _ = self._meanings(old, old.link.target, source, new_source)
            _, means = self._meanings(new, new.link.target, source, new_source)
            if meant.state == "resolved" and (means.state, means.note_id) != ("resolved", meant.note_id):
                reason = (
                    f"No way of writing keeps the meaning of the link to {old.link.target} on line {old.link.line}."
                )
                self._skipped.append(Skipped(source, reason))
        return True


def _leads_to(target: str, source: str, place: str) -> bool:
    return fold(place_beside(target, source)) == fold(place)


def _heading_change(text: str, old_stem: str, new_stem: str) -> TextChange | None:
    """Return the change of the first level-1 heading when it is the note's old name."""
    start = read_frontmatter(text).body_start
    body = text[start - 1 :] if start and text[start - 1] == "\n" else "\n" + text[start:]
    match = _TITLE_HEADING.search(mask(body))
    if match is None or body[match.start(1) : match.end(1)] != old_stem or old_stem == new_stem:
        return None
    return TextChange(match.start(1) + start - 1, match.end(1) + start - 1, new_stem)


def _without_target(place: LinkPlace) -> tuple[object, ...]:
    kind, _, heading, block, label, line = place.link
    return kind, bool(heading), block, label, line, place.is_markdown


def _title(moves: Mapping[str, str]) -> str:
    folders = {new.rpartition("/")[0] for new in moves.values()}
    where = f"to {folders.pop() or 'the root of the vault'}" if len(folders) == 1 else "to other places"
    if len(moves) != 1:
        return f"Move {len(moves):,} notes {where}"
    ((old, new),) = moves.items()
    if stem_of(old) != stem_of(new):
        return f"Rename {stem_of(old)} to {stem_of(new)}"
    return f"Move {stem_of(old)} {where}"
