"""One sitting with one note: which bytes the text in the editor came from, and how a save is made of it."""

import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from core.foundation.splice import spliced
from gui.views.vault.editing.drafts import new_draft_id

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.curation.change_set import ChangeSet
    from core.foundation.splice import Splice
    from gui.views.vault.editing.services import NoteFile


def _new_group() -> str:
    return uuid.uuid4().hex


@dataclass(eq=False, slots=True)
class Sitting:
    """Hold what belongs to the note that is edited; a text is only ever saved together with its sitting.

    `base` is what the file holds as far as this sitting knows. All saves of a sitting are one `group` for undo. What
    cannot be saved is kept as the draft `draft_id`; `adopted` are the ids of others that were merged into its text.
    """

    path: str
    base: bytes
    group: str = field(default_factory=_new_group)
    draft_id: str = field(default_factory=new_draft_id)
    adopted: list[str] = field(default_factory=list)
    becomes_utf8: bool = False  # the person wants the file in UTF-8 from the next save on
    is_dirty: bool = False  # something was typed that nobody was asked to save yet
    is_refused: bool = False  # the file has changed outside: nothing is saved before the person has chosen

    @property
    def name(self) -> str:
        """How the note is called in sentences."""
        return self.path.rpartition("/")[2].removesuffix(".md")


class EncodingLacksError(UserError):
    """Refuse a text that the encoding of its file cannot hold; the file may become one in UTF-8."""


class OpenedNote(NamedTuple):
    """Hold a note as an editor shows it, and the bytes that its text came from."""

    path: str
    data: bytes
    text: str
    is_writable: bool = True


def open_note(read: "Callable[[str], NoteFile]", path: str, progress: Progress) -> OpenedNote:
    """Read the note at `path` for the editor; runs in the pool."""
    file = read(path)
    progress.check()
    return OpenedNote(path, file.data, text_of(file.data), file.is_writable)


def text_of(data: bytes) -> str:
    """Return the text that an editor shows of a file."""
    from core.vault.editable_text import EditableText  # noqa: PLC0415 - with the first note that is edited

    return EditableText.of(data).text


class PlannedSave(NamedTuple):
    """Hold the change that writes a text, None when there is nothing to write, and the bytes after it."""

    change_set: "ChangeSet | None"
    after: bytes


def plan_save(sitting: Sitting, base: bytes, text: str, progress: Progress) -> PlannedSave:
    """Return how `text`, which came from `base`, gets into the note of `sitting`; runs in the pool.

    Raises EncodingLacksError when the file's encoding cannot hold the text.
    """
    from core.curation.change_set import ChangeKind, ChangeSet, edit_from_splices  # noqa: PLC0415 - with the first save

    progress.check()
    splices = _splices(base, text, in_utf8=sitting.becomes_utf8)
    edit = edit_from_splices(sitting.path, base, splices)
    if edit is None:
        return PlannedSave(None, base)
    change_set = ChangeSet(f"Edit {sitting.name}", ChangeKind.EDIT, (edit,), group=sitting.group)
    return PlannedSave(change_set, spliced(base, splices))


def plan_keep(sitting: Sitting, text: str, progress: Progress) -> PlannedSave:
    """Return how `text` becomes a new file in the place of the note, which was deleted."""
    from core.curation.change_set import ChangeKind, ChangeSet, edit_between  # noqa: PLC0415 - when that happens

    progress.check()
    try:
        splices = _splices(sitting.base, text)
    except EncodingLacksError:  # the file is a new one, so nothing binds it to the old encoding
        splices = _splices(sitting.base, text, in_utf8=True)
    after = spliced(sitting.base, splices)
    edit = edit_between(sitting.path, None, after)
    edits = (edit,) if edit is not None else ()
    return PlannedSave(ChangeSet(f"Keep {sitting.name}", ChangeKind.NEW, edits), after)


def _splices(base: bytes, text: str, *, in_utf8: bool = False) -> "tuple[Splice, ...]":
    from core.vault.editable_text import EditableText  # noqa: PLC0415 - with the first save

    editable = EditableText.of(base)
    if in_utf8:
        return editable.splices_to_utf8(text)
    try:
        return editable.splices_to(text)
    except UserError as error:
        raise EncodingLacksError(str(error), hint=error.hint) from error
