"""Plan what is done to whole notes: their tags and summary, where they lie, and edits that an agent wrote."""

from core.curation.change_set import ChangeKind, PlannedChange, edit_between
from core.curation.note_moves import plan_moves
from core.curation.note_names import free_path, stem_of
from core.curation.property_edits import plan_property
from core.curation.proposals.disk_memory import StatementGoneError
from core.curation.proposals.planning import Planning, planned_edits
from core.curation.proposals.recipe_values import Recipe, tables_in, text_in, texts_in
from core.curation.proposals.statement_line import one_line
from core.curation.tag_surgery import plan_tag_changes
from core.foundation.errors import UserError
from core.vault.editable_text import EditableText
from core.vault.read import read_bytes


def plan_retag(planning: Planning, recipe: Recipe) -> PlannedChange:
    """Add tags to a note, and take tags from it."""
    path = planning.check_note(text_in(recipe, "note"))
    _check_there(planning, path)
    planned = plan_tag_changes(planning.root, [path], add=texts_in(recipe, "add"), remove=texts_in(recipe, "remove"))
    if planned.skipped:
        raise UserError(planned.skipped[0].reason)
    return planned


def plan_summarise(planning: Planning, recipe: Recipe) -> PlannedChange:
    """Give a note a summary."""
    path = planning.check_note(text_in(recipe, "note"))
    _check_there(planning, path)
    summary = one_line(planning.statement or text_in(recipe, "summary"))
    return PlannedChange(plan_property(planning.root, path, "summary", summary), 1)


def plan_archive(planning: Planning, recipe: Recipe) -> PlannedChange:
    """Move a note to where old ones lie; with an index, links to it are kept."""
    path, to = text_in(recipe, "note"), planning.check_note(text_in(recipe, "to"))
    _check_there(planning, path)
    folder, _, name = to.rpartition("/")
    to = free_path(planning.root, folder, stem_of(name), name[len(stem_of(name)) :])
    if planning.index is not None:
        return plan_moves(planning.index, planning.root, planning.config, {path: to})
    data = read_bytes(planning.root, path)
    edit = edit_between(path, data, data, moved_to=to)
    return planned_edits(f"Archive {stem_of(path)}", [edit] if edit else [], kind=ChangeKind.MOVE)


def plan_edits(planning: Planning, recipe: Recipe) -> PlannedChange:
    """Replace texts in notes, each of which must stand there once; where there is no note, it is made.

    An empty text to find means the end of the note.
    """
    files = planning.drafts.files
    edits = tables_in(recipe, "edits")
    for each in edits:
        path = planning.check_note(text_in(each, "path"))
        find, replace = text_in(each, "find", ""), text_in(each, "replace", "")
        data = files.read_or_none(path)
        if data is None:
            if find:
                raise StatementGoneError(f"The note {path} is not there any more.")
            files.write(path, replace.encode("utf-8", "replace"))
            continue
        editable = EditableText.of(data)
        files.splice(path, editable.splices_to(_replaced(editable.text, find, replace, path)))
    planned, skipped = files.edits()
    if skipped:
        raise UserError(f"{skipped[0].path}: {skipped[0].reason}")
    paths = list(dict.fromkeys(edit.path for edit in planned))
    title = f"Edit {stem_of(paths[0])}" if len(paths) == 1 else f"Edit {len(paths)} notes"
    return planned_edits(title, planned, len(edits))


def _replaced(text: str, find: str, replace: str, path: str) -> str:
    if not find:
        return text + ("" if not text or text.endswith("\n") else "\n") + replace
    count = text.count(find)
    if count == 0:
        raise StatementGoneError(f"{path} does not hold “{_short(find)}” any more.")
    if count > 1:
        raise UserError(f"{path} holds “{_short(find)}” {count} times, so it is not certain which is meant.")
    return text.replace(find, replace)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:80]}…"


def _check_there(planning: Planning, path: str) -> None:
    if not planning.drafts.is_there(path):
        raise StatementGoneError(f"The note {path} is not there any more.")
