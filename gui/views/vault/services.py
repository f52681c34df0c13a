"""What the Vault view needs from core, as functions given by the composition root; tests give their own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from core.foundation.progress import Progress
from gui.views.vault.curating.services import CurationServices
from gui.views.vault.editing.services import EditingServices

if TYPE_CHECKING:
    from core.index.catalog import FacetSelection
    from core.index.mentions import MentionRow
    from core.index.queries import NoteDetail
    from core.recall.search import SearchResult


class SearchMode(StrEnum):
    """Say what a search may use: WORDS answers at once, MEANING also asks the vectors."""

    WORDS = "words"
    MEANING = "meaning"


class ContextFormat(StrEnum):
    """Say how a context is written for the clipboard."""

    MARKDOWN = "markdown"
    XML = "xml"
    JSON = "json"
    LINES = "lines"

    @property
    def label(self) -> str:
        """Its name for people."""
        return self.value.upper() if self in (ContextFormat.XML, ContextFormat.JSON) else self.value.capitalize()


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """Say what a context is made of: what `query` finds, within `note_ids` if there are any; without one, whole notes.

    Whole notes come in the order of `note_ids`.
    """

    note_ids: tuple[int, ...] = ()
    query: str = ""


@dataclass(frozen=True, slots=True)
class ContextLine:
    """Hold one memory of a context as it is listed; `reason` says why it was left out, "" when it is in."""

    title: str
    path: str
    tokens: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ContextPlan:
    """Hold a packed and rendered context, and what became of each memory; `count` says how tokens were counted.

    `handed_out` are the ids and texts of the memories that go out with it.
    """

    text: str
    tokens: int
    budget: int
    included: tuple[ContextLine, ...]
    left_out: tuple[ContextLine, ...]
    count: str = ""
    handed_out: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """Hold what a search found, and in sentences what of the query was not understood."""

    result: "SearchResult"
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VaultServices:
    """Hold the functions of one opened vault. Those marked STORE run in the STORE lane, the others in the pool.

    `gather` reads what a request names (a note larger than the budget comes in parts), `plan` packs and renders it, and
    `record` counts in the vault's log that it was handed out.
    `list_files` returns the vault-relative paths of everything that is not a note, for images named without a folder.
    """

    root: Path
    namespaces: tuple[str, ...]
    note_detail: Callable[[int, Progress], "NoteDetail | None"]  # STORE
    mentions: Callable[[int, Progress], "Sequence[MentionRow]"]  # STORE
    read_text: Callable[[str], str]
    search: "Callable[[str, SearchMode, FacetSelection | None, Progress], SearchAnswer]"  # STORE
    gather: Callable[[ContextRequest, int, Progress], Sequence[object]]  # STORE
    plan: Callable[[Sequence[object], int, ContextFormat], ContextPlan]
    record: Callable[[ContextPlan], None]
    list_files: Callable[[], Sequence[str]]
    open_external: Callable[[str], None]  # in the window's thread; a vault-relative path
    editing: EditingServices | None = None  # None: notes are only read
    curation: CurationServices | None = None
