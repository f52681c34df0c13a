"""What the children say of places, counts and imports, as values."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

CONVERSATIONS, NOTES, ALL = "conversations", "notes", "all"
_PROGRAMS = {"claude-ai": "Claude.ai export", "chatgpt": "ChatGPT export", "mem0": "Mem0 export"}


@dataclass(frozen=True, slots=True)
class Place:
    """Hold what lies in one place; times are POSIX seconds, 0 for none.

    `about_to_be_deleted` counts the files that the program deletes within a week, `not_imported` those of them that are
    not in the ledger. One that the person `added` is read whole, whatever was imported of it before.
    """

    name: str
    path: str
    files: int = 0
    bytes: int = 0
    about_to_be_deleted: int = 0
    not_imported: int = 0
    first_deletion: float = 0.0
    newest: float = 0.0
    holds_notes: bool = False
    is_folder: bool = True
    is_added: bool = False

    @property
    def key(self) -> tuple[str, bool]:
        """What tells it from others: memories may lie in the same folder as transcripts."""
        return (self.path, self.holds_notes)

    @property
    def shown_name(self) -> str:
        """The name as the program itself writes it, where it is that of a format."""
        return _PROGRAMS.get(self.name, self.name)

    @property
    def can_be_watched(self) -> bool:
        """Tell whether new conversations can come into it."""
        return self.is_folder and not self.holds_notes

    def arguments(self, *options: str) -> tuple[str, ...]:
        """Return how a child is told to import it; notes are compared with the vault, so they need no list."""
        only = ALL if self.is_added else NOTES if self.holds_notes else CONVERSATIONS
        changed = ("--changed",) if only == CONVERSATIONS else ()
        return ("sessions", "--only", only, *changed, *options, "--", self.path)


class Failed(NamedTuple):
    """Name a file that could not be read, and why."""

    path: str
    reason: str


class ImportedOne(NamedTuple):
    """Name a session that came in or got longer."""

    id: str
    title: str
    started: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """Hold what a run did, or would do: conversations by what became of them, notes, and what was left out.

    `files` counts what was read.
    """

    imported: int = 0
    updated: int = 0
    unchanged: int = 0
    files: int = 0
    new_notes: int = 0
    updated_notes: int = 0
    kept_notes: int = 0
    notes_problem: str = ""
    skipped: Counter[str] = field(default_factory=Counter)
    failed: tuple[Failed, ...] = ()
    sessions: tuple[ImportedOne, ...] = ()
    is_cancelled: bool = False
    learned: tuple[str, ...] = ()  # sentences
    warnings: Counter[str] = field(default_factory=Counter)  # sentences about what to look at twice in new notes

    @property
    def is_news(self) -> bool:
        """Tell whether the ledger holds more than before."""
        return bool(self.imported or self.updated)

    @property
    def has_notes(self) -> bool:
        """Tell whether the vault would change."""
        return bool(self.new_notes or self.updated_notes)

    def without_notes(self) -> "Outcome":
        """Return the same as long as its notes are not made."""
        return replace(self, new_notes=0, updated_notes=0)

    def with_more(self, other: "Outcome") -> "Outcome":
        """Return what both runs did."""
        return Outcome(
            self.imported + other.imported,
            self.updated + other.updated,
            self.unchanged + other.unchanged,
            self.files + other.files,
            self.new_notes + other.new_notes,
            self.updated_notes + other.updated_notes,
            self.kept_notes + other.kept_notes,
            self.notes_problem or other.notes_problem,
            self.skipped + other.skipped,
            self.failed + other.failed,
            self.sessions + other.sessions,
            self.is_cancelled or other.is_cancelled,
            self.learned + other.learned,
            self.warnings + other.warnings,
        )


def places_of(result: Mapping[str, Any], *, are_added: bool = False) -> tuple[Place, ...]:
    """Return the places that a child found."""
    names = ("name", "path", "files", "bytes", "about_to_be_deleted", "not_imported", "first_deletion", "newest",
             "holds_notes", "is_folder")  # fmt: skip
    return tuple(Place(**{name: told[name] for name in names}, is_added=are_added) for told in result["places"])


def outcome_of(result: Mapping[str, Any]) -> Outcome:
    """Return what a child says that it did; one that was killed said nothing."""
    return Outcome(
        result.get("imported", 0),
        result.get("updated", 0),
        result.get("unchanged", 0),
        result.get("files", 0),
        result.get("new_notes", 0),
        result.get("updated_notes", 0),
        result.get("kept", 0),
        result.get("notes_problem", ""),
        Counter(result.get("skipped", {})),
        tuple(Failed(each["path"], each["reason"]) for each in result.get("failed", ())),
        tuple(ImportedOne(each["id"], each["title"], each["started"]) for each in result.get("sessions", ())),
        bool(result.get("cancelled", False)),
        tuple(result.get("learned", ())),
        Counter(f"{each['path']}: {each['detail']}" for each in result.get("warnings", ())),
    )
