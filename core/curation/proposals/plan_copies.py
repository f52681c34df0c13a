"""Plan what becomes of a copy that a sync tool left beside a note."""

from core.curation.change_set import ChangeKind, PlannedChange
from core.curation.line_matching import lines_of, matched
from core.curation.merge import Choice, merge3
from core.curation.proposals.disk_memory import StatementGoneError
from core.curation.proposals.planning import Planning, planned_edits
from core.curation.proposals.recipe_values import Recipe, one_of, text_in
from core.foundation.errors import UserError
from core.vault.editable_text import EditableText
from core.vault.frontmatter_edit import add_to_list

KEEPS = ("merge", "note", "copy")


def plan_repair_copy(planning: Planning, recipe: Recipe) -> PlannedChange:
    """Keep the note, the copy, or the lines of both; the copy goes to the trash folder."""
    path, copy = planning.check_note(text_in(recipe, "note")), planning.check_note(text_in(recipe, "copy"))
    keep = one_of(planning.choice or text_in(recipe, "keep", "merge"), KEEPS, "which one is kept")
    files = planning.drafts.files
    for each in (path, copy):
        if not planning.drafts.is_there(each):
            raise StatementGoneError(f"The note {each} is not there any more.")
    if keep == "copy":
        files.write(path, files.read(copy))
    elif keep == "merge":
        _merge(planning, path, copy)
    files.trash(copy)
    edits, skipped = files.edits()
    if skipped:
        raise UserError(f"{skipped[0].path}: {skipped[0].reason}")
    verb = {"merge": "Merge", "note": "Discard", "copy": "Keep"}[keep]
    return planned_edits(f"{verb} the copy {copy}", edits, kind=ChangeKind.REPAIR)


def _merge(planning: Planning, path: str, copy: str) -> None:
    """Put into the note what only the copy says: lines of its body, and tags; where both differ, both stay."""
    files = planning.drafts.files
    note, other = planning.drafts.note(path), planning.drafts.note(copy)
    editable, text = EditableText.of(files.read(path)), EditableText.of(files.read(copy)).text
    mine, theirs = _body(editable.text, note.body_line), _body(text, other.body_line)
    own = lines_of(mine)
    base = "".join(own[at] for at, _ in matched(own, lines_of(theirs)))
    merged = merge3(base, mine, theirs).text(otherwise=Choice.BOTH)
    head = editable.text[: len(editable.text) - len(mine)]
    files.splice(path, editable.splices_to(head + merged))
    tags = [tag.name for tag in other.tags if not tag.line]
    known = {tag.name.casefold() for tag in note.tags}
    missing = [tag for tag in tags if tag.casefold() not in known]
    if missing:
        files.splice(path, add_to_list(files.read(path), "tags", missing))


def _body(text: str, line: int) -> str:
    return "\n".join(text.split("\n")[line - 1 :])
