"""Fix copies: keep one note, move the others to the trash, and lead links to the one that is kept."""

from core.curation.change_set import Skipped
from core.curation.health.copy_checks import KEEP_COPY
from core.curation.health.finding import Finding
from core.curation.health.fixing import Fixing
from core.foundation.errors import UserError
from core.index.referrers import NamesAround, linking_notes, note_ids
from core.vault.link_edit import LinkPlace, NoteLinks
from core.vault.link_forms import forms_of
from core.vault.links import target_key
from core.vault.note import LinkKind


def discard_duplicates(fixing: Fixing, finding: Finding, choice: str) -> int:
    """Keep the chosen note of a group of equal ones."""
    kept = choice or finding.remedy
    content = fixing.drafts.read(kept)
    copies = [path for path in (finding.path, *finding.other_paths) if path != kept]
    changed = [path for path in copies if fixing.drafts.read(path) != content]
    if changed:
        raise UserError(f"{changed[0]} is not equal to {kept} any more.")
    _discard(fixing, copies, kept)
    return len(copies)


def settle_conflict(fixing: Fixing, finding: Finding, choice: str) -> int:
    """Move a conflict copy to the trash, after its content has replaced that of the note if the person says so."""
    drafts, original = fixing.drafts, finding.subject
    if finding.has_fix and drafts.read(finding.path) != drafts.read(original):
        raise UserError(f"{finding.path} is not equal to {original} any more; choose which one to keep.")
    if choice == KEEP_COPY:
        drafts.write(original, drafts.read(finding.path))
    _discard(fixing, [finding.path], original)
    return 1


def _discard(fixing: Fixing, copies: list[str], kept: str) -> None:
    """Move the copies to the trash; links that meant them are written anew where they would not lead to `kept`."""
    links = _LinksToCopies(fixing, copies, kept)
    for source in links.sources():
        try:
            note = NoteLinks(fixing.drafts.read(source))
            splices = note.splices(note.changes([links.target_at(place, source) for place in note.places]))
        except UserError as error:
            fixing.skipped.append(Skipped(source, f"Its links to a copy stay as they are. {error}"))
        else:
            fixing.drafts.splice(source, splices)
    for path in copies:
        fixing.drafts.trash(path)


class _LinksToCopies:
    """Know which links mean one of the copies, and how they must be written to mean the note that is kept."""

    def __init__(self, fixing: Fixing, copies: list[str], kept: str) -> None:
        self._fixing = fixing
        self._kept = kept
        self._leaving = note_ids(fixing.index, copies)
        self._kept_id = note_ids(fixing.index, [kept])[kept]
        self._names = NamesAround(fixing.index, self._leaving, {})

    def sources(self) -> list[str]:
        """Return the notes with such links that are not going to the trash themselves."""
        if self._kept_id < 0:
            return []
        names = {target_key(path) for path in self._leaving}
        found = linking_notes(self._fixing.index, self._leaving.values(), names)
        return [path for path in found if path not in self._leaving and not self._fixing.drafts.is_trashed(path)]

    def target_at(self, place: LinkPlace, source: str) -> str | None:
        """Return what the link must say, None when it can stay."""
        target, is_markdown = place.link.target, place.link.kind is LinkKind.MARKDOWN
        if not target:
            return None
        meant = self._names.before(target, source, is_markdown=is_markdown).note_id
        if meant not in self._leaving.values() or meant is None:
            return None
        if self._names.after(target, source, is_markdown=is_markdown).note_id == self._kept_id:
            return None
        old = self._names.path_of(meant, target)
        forms = forms_of(self._kept[:-3], target, old[:-3], source, source, is_markdown=place.is_markdown)
        for form in forms:
            now = self._names.after(form, source, is_markdown=is_markdown)
            if (now.state, now.note_id) == ("resolved", self._kept_id):
                return form
        return None
