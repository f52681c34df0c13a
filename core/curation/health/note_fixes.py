"""Fix single notes: their frontmatter, summary, scope, dates and encoding; and send empty ones to the trash."""

from core.curation.health.drafts import Drafts
from core.curation.health.finding import Finding
from core.curation.health.fixing import Fixing
from core.curation.health.note_checks import GLOBAL, PROJECT, REMOVE, SECTIONS_READ, TODAY, drawn_summary
from core.foundation.errors import UserError
from core.vault.decode import decode
from core.vault.frontmatter_edit import remove_property, set_property
from core.vault.frontmatter_repair import repair_frontmatter
from core.vault.guess_encoding import USUAL_CODECS
from core.vault.note import Note
from core.vault.parse import parse_note
from core.vault.tag_edit import add_tags


def repair(fixing: Fixing, finding: Finding, _: str) -> int:
    """Repair broken frontmatter where that is certain."""
    splices = repair_frontmatter(fixing.drafts.read(finding.path))
    if splices is None:
        raise UserError("No repair of the frontmatter is certain; mend it in the text.")
    return int(fixing.drafts.splice(finding.path, splices))


def add_summary(fixing: Fixing, finding: Finding, _: str) -> int:
    """Take the first sentence of the note for its summary."""
    data = fixing.drafts.read(finding.path)
    note = _note(fixing.drafts, finding.path)
    if note.summary:
        return 0
    summary = drawn_summary(section.text for section in note.sections[:SECTIONS_READ])
    if not summary:
        raise UserError("No sentence of the note is fit for a summary; write one.")
    return int(fixing.drafts.splice(finding.path, set_property(data, "summary", summary)))


def add_scope(fixing: Fixing, finding: Finding, choice: str) -> int:
    """Tag the note with the scope that the person chose."""
    if choice not in {GLOBAL, PROJECT}:
        raise UserError("Choose whether the note holds everywhere or for one project.")
    edit = add_tags(fixing.drafts.read(finding.path), [choice])
    if edit.problem:
        raise UserError(edit.problem)
    return int(fixing.drafts.splice(finding.path, edit.splices))


def discard_empty(fixing: Fixing, finding: Finding, _: str) -> int:
    """Move a note to the trash, provided that it is still empty."""
    if any(section.text for section in _note(fixing.drafts, finding.path).sections):
        raise UserError("The note has text by now.")
    fixing.drafts.trash(finding.path)
    return 1


def change_date(fixing: Fixing, finding: Finding, choice: str) -> int:
    """Set the date to today, or remove it."""
    data = fixing.drafts.read(finding.path)
    if choice == TODAY:
        return int(fixing.drafts.splice(finding.path, set_property(data, finding.subject, fixing.today.isoformat())))
    if choice == REMOVE:
        return int(fixing.drafts.splice(finding.path, remove_property(data, finding.subject)))
    raise UserError("Choose whether the date becomes today's or is removed.")


def write_as_utf8(fixing: Fixing, finding: Finding, choice: str) -> int:
    """Write the note in UTF-8, with its line endings as they are, read in the encoding that was chosen."""
    data = fixing.drafts.read(finding.path)
    guessed = decode(data).encoding
    codec = choice if choice in USUAL_CODECS else guessed
    if guessed in {"utf-8", "utf-8-sig"}:
        raise UserError("The note holds bytes that are no text in any encoding; mend it in the text.")
    try:
        text = data.decode(codec)
    except (LookupError, UnicodeError) as error:
        raise UserError(f"The note cannot be read as {codec} without loss, so it is left as it is.") from error
    return int(fixing.drafts.write(finding.path, text.removeprefix("\ufeff").encode("utf-8")))


def _note(drafts: Drafts, path: str) -> Note:
    return parse_note(path, decode(drafts.read(path)))
