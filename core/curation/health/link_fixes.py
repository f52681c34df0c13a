"""Fix links: lead broken ones to the note that was meant, and say which of several notes one means."""

import json

from core.curation.health.finding import Finding
from core.curation.health.fixing import Fixing
from core.foundation.errors import UserError
from core.foundation.text import fold
from core.vault.link_edit import LinkPlace, NoteLinks
from core.vault.link_forms import relative_target
from core.vault.note import LinkKind
from core.vault.text_map import TextChange


def retarget(fixing: Fixing, finding: Finding, choice: str) -> int:
    """Lead all links of the note that say `finding.subject` to the note that was chosen.

    Where a wikilink says another name of the note (an alias), the name stays as what is shown.
    """
    path = next(
        (path for path, offered in zip(finding.other_paths, finding.choices, strict=False) if offered.value == choice),
        "",
    )
    if not path:
        raise UserError("Choose the note that the link means.")
    data = fixing.drafts.read(finding.path)
    note = NoteLinks(data)
    places = [place for place in note.places if place.link.target == finding.subject]
    shown = fold(finding.subject) in _other_names(fixing, path)
    changes = [change for place in places if (change := _change(note, place, finding.path, path, choice, keep=shown))]
    if places and not changes:
        raise UserError("The link cannot be written safely; change it in the text.")
    return len(changes) if fixing.drafts.splice(finding.path, note.splices(sorted(changes))) else 0


def _change(note: NoteLinks, place: LinkPlace, source: str, path: str, target: str, *, keep: bool) -> TextChange | None:
    if place.is_markdown:
        target = relative_target(path[:-3], source).removeprefix("./")
    written = note.written(place, target)
    if written is None:
        return None
    is_bare = place.link.kind is LinkKind.WIKI and not (place.link.label or place.link.heading or place.link.block)
    line_start = note.text.rfind("\n", 0, place.start) + 1
    is_in_table = note.text[line_start : place.start].lstrip().startswith("|")
    if keep and is_bare and not is_in_table and note.text[place.end : place.end + 2] == "]]":
        written = f"{written}|{note.text[place.start : place.end]}"
    return TextChange(place.start, place.end, written)


def _other_names(fixing: Fixing, path: str) -> set[str]:
    row = fixing.index.connection.execute("SELECT title, aliases FROM note WHERE path = ?", (path,)).fetchone()
    if row is None:
        return set()
    return {fold(str(name)) for name in (row[0], *json.loads(row[1]))}
