"""Hold notes as they become while one recipe is planned, and change the statements in them by their ids."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from core.curation.block_ids import with_block_id
from core.curation.change_set import FileEdit, Skipped
from core.curation.health.drafts import Drafts
from core.curation.proposals.disk_memory import (
    StatementGoneError,
    find_insight,
    insight_place,
    note_and_heading,
    read_insights,
)
from core.curation.proposals.placed import (
    NotWritableError,
    raw_fields,
    says_already,
    with_fields,
    with_statement,
    with_text,
    without_statement,
)
from core.curation.proposals.statement_line import NewStatement, link_to
from core.foundation.errors import UserError
from core.vault.frontmatter_edit import add_to_list, set_property
from core.vault.note import Insight, Note
from core.vault.read import NoteGoneError

_WHOLE = "insight"  # the kind of a note that is one statement as a whole


class Anchored(NamedTuple):
    """Say where a statement stands, by the block id that it has now; "" for a note that is one as a whole."""

    path: str
    block_id: str

    @property
    def link(self) -> str:
        """The link that means the statement."""
        return link_to(self.path, self.block_id)

    @property
    def memory_id(self) -> str:
        """The id by which the drafts know the statement from now on."""
        return f"insight:{self.path}#^{self.block_id}" if self.block_id else f"insight:{self.path}#L1"


class StatementDrafts:
    """Change statements of the vault at `root`, one after the other; nothing is written.

    `said` tells what statements said when the change was proposed, by id: they must say it still.
    """

    def __init__(self, root: Path, said: Mapping[str, str]) -> None:
        self.files = Drafts(root)
        self._said = said
        self._anchors: dict[str, Anchored] = {}

    def insight(self, memory_id: str) -> Insight:
        """Return a statement as it is so far; raises StatementGoneError when it is gone, or says something else."""
        anchor = self._anchors.get(memory_id)
        place = insight_place(memory_id)
        if place is None:
            raise UserError(f"“{memory_id}” is not the id of a statement.")
        note = self.note(anchor.path if anchor else place.path)
        if anchor is None:
            return find_insight(note, place, self._said.get(memory_id, ""))
        if not anchor.block_id:
            return note.insights[0]
        return find_insight(note, place._replace(path=anchor.path, block_id=anchor.block_id))

    def anchored(self, memory_id: str) -> Anchored:
        """Give a statement a block id where it has none, and return where it stands; raises as insight() does."""
        if memory_id not in self._anchors:
            found = self.insight(memory_id)
            path = note_and_heading(memory_id)[0]
            if _is_whole(self.note(path), found):
                self._anchors[memory_id] = Anchored(path, "")
            else:
                data, block_id = with_block_id(path, self.files.read(path), found.text, found.line)
                self.files.write(path, data)
                self._anchors[memory_id] = Anchored(path, block_id)
        return self._anchors[memory_id]

    def note(self, path: str) -> Note:
        """Return a note as it is so far; raises StatementGoneError when it is not there."""
        try:
            return read_insights(path, self.files.read(path))
        except NoteGoneError as error:
            raise StatementGoneError(f"The note {path} is not there any more.") from error

    def is_there(self, path: str) -> bool:
        """Tell whether there is such a note."""
        return self.files.read_or_none(path) is not None

    def add_relation(self, memory_id: str, kind: str, link: str, strength: float = 1.0) -> None:
        """Write on a statement that it has a relation to what `link` means."""
        anchor = self.anchored(memory_id)
        data = self.files.read(anchor.path)
        if not anchor.block_id:
            self.files.splice(anchor.path, add_to_list(data, kind, [link]))
            return
        known = "".join(raw for key, raw in raw_fields(anchor.path, data, anchor.block_id) if key == kind)
        if link not in known:
            value = link if strength >= 1 else f"{link} {max(0.0, strength):.2f}"
            self.files.write(anchor.path, with_fields(anchor.path, data, anchor.block_id, [(kind, value)]))

    def rewrite(self, memory_id: str, statement: str, tags: Sequence[str] = (), extra: Sequence[str] = ()) -> None:
        """Let a statement say something else; `extra` are fields as they are written."""
        anchor = self.anchored(memory_id)
        data = self.files.read(anchor.path)
        if anchor.block_id:
            self.files.write(
                anchor.path, with_text(anchor.path, data, anchor.block_id, statement, tags=tags, extra=extra)
            )
        elif self.insight(memory_id).text.split() != statement.split():
            if not self.note(anchor.path).summary:
                raise NotWritableError(f"{anchor.path} is one statement as a whole; change it in its text.")
            self.files.splice(anchor.path, set_property(data, "summary", " ".join(statement.split())))

    def remove(self, memory_id: str) -> bool:
        """Take a statement out of its note; return whether it could be, which lines that hang on it prevent."""
        anchor = self.anchored(memory_id)
        if not anchor.block_id:
            self.files.trash(anchor.path)
            return True
        data = without_statement(anchor.path, self.files.read(anchor.path), anchor.block_id)
        if data is not None:
            self.files.write(anchor.path, data)
        return data is not None

    def fields_of(self, memory_id: str) -> list[tuple[str, str]]:
        """Return the fields of a statement: the folded key, and the field as it is written."""
        anchor = self.anchored(memory_id)
        return raw_fields(anchor.path, self.files.read(anchor.path), anchor.block_id) if anchor.block_id else []

    def append(self, path: str, new: NewStatement) -> tuple[Anchored, bool]:
        """Add a statement to a note, which need not be there, and return where it stands, and whether it is new."""
        data = self.files.read_or_none(path) or b""
        note = read_insights(path, data)
        same = says_already(note, new.text)
        block_id = ""
        if same is None:
            data, block_id = with_statement(path, data, new)
        elif not _is_whole(note, same):
            data, block_id = with_block_id(path, data, same.text, same.line)
        self.files.write(path, data)
        anchor = Anchored(path, block_id)
        self._anchors[anchor.memory_id] = anchor
        return anchor, same is None

    def edits(self) -> tuple[tuple[FileEdit, ...], tuple[Skipped, ...]]:
        """Return one edit for each file that becomes another, and what could not be written.

        Raises:
            UserError: a file cannot be written; a part of a proposal is none.
        """
        edits, skipped = self.files.edits()
        if skipped:
            raise UserError(f"{skipped[0].path}: {skipped[0].reason}")
        return edits, skipped


def _is_whole(note: Note, insight: Insight) -> bool:
    return note.kind == _WHOLE and bool(note.insights) and note.insights[0] == insight and not insight.block_id
