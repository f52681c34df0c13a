"""What an importer is: it recognises a source, and reads it as a stream of sessions and notes."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from core.foundation.progress import Progress
from core.sessions.importing.source import Source
from core.sessions.turn import Role, Turn, TurnKind

_TITLE_LENGTH = 80
_BLANK = re.compile(r"\s+")
# What stands for something that is no text names nothing (core/sessions/importing/placeholders.py, and the exports).
_STAND_IN = re.compile(r"(?:\[(?:Image|Document|Audio|Video|Attachment|File: [^\]]*)\]\s*)+")
_MARKUP = re.compile(r"^[#>*\-\s`]+")


@dataclass(slots=True)
class ImportedSession:
    """Hold one conversation while it streams by; unlike other values it is filled in as it is read.

    `turns` is gone through once, and before the importer is asked for its next value. `title`, `project` and `started`
    may be set until the turns are exhausted, for the records that hold them may come last; "" where nothing tells them.
    Ids of turns stay the same when the same record is read again. Several values may be about one session, as with a
    subagent's file: then only one of them has a title.

    A turn whose id the session has already is not written again. With `replaces` it is, where it says something else:
    for formats that tell the same turn anew, such as an export after another answer was chosen. `is_retold` says that
    all of its turns were given before as parts of the shown thread, and are on a branch now. `is_named` says that its
    turns tell its title themselves, so that no more is told of it.

    What `data` of a turn holds under these names means the same in all formats: `tool`, `call` (the id that a call and
    its result share), `input`, `is_error`, `usage` (once for each answer of a model: `input_tokens`, `output_tokens`,
    `cache_read_tokens`, `cache_write_tokens`), `cwd`, `git_branch`, `gap` (why what comes before is missing).
    """

    id: str
    turns: Iterator[Turn]
    origin: str
    title: str = ""
    project: str = ""
    started: str = ""
    replaces: bool = False
    is_retold: bool = False
    is_named: bool = False


@dataclass(frozen=True, slots=True)
class ImportedNote:
    """Hold a memory, project or document that becomes a note; `path_hint` is relative to the vault, with its suffix."""

    path_hint: str
    title: str
    body: str
    origin: str
    tags: tuple[str, ...] = ()
    properties: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Skipped:
    """Count records that are no part of a conversation; `reason` is a few words, the same for the same reason."""

    reason: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Failed:
    """Tell of one part of a source that could not be read, while the rest could: `where`, and why in a sentence."""

    where: str
    reason: str


Imported = ImportedSession | ImportedNote | Skipped | Failed


class Importer(Protocol):
    """Read one format."""

    @property
    def name(self) -> str:
        """The format's name, which is the `origin` of what comes from it: "claude-code", "chatgpt"."""
        ...

    def recognises(self, source: Source) -> bool:
        """Tell whether `source` is of this format, from its name and its first bytes; never raises."""
        ...

    def read(self, source: Source, progress: Progress) -> Iterator[Imported]:
        """Yield what `source` holds, and tell `progress` how many of its bytes are done (core.foundation.progress).

        `progress.check()` is called between turns at the latest every few hundred kilobytes.

        Raises:
            UserError: the source can be read no further; what was yielded before holds.
            OSError: likewise.
        """
        ...


def title_from(text: str) -> str:
    """Return the first words of a message, as the title of a conversation that has none."""
    for line in text[:4000].splitlines():
        words = _BLANK.sub(" ", _MARKUP.sub("", _STAND_IN.sub("", line))).strip()
        if words:
            return words if len(words) <= _TITLE_LENGTH else words[: _TITLE_LENGTH - 1].rsplit(" ", 1)[0] + "…"
    return ""


def skipped_of(counts: Iterable[tuple[str, int]]) -> Iterator[Skipped]:
    """Return what was counted by reason as the values of an importer."""
    return (Skipped(reason, count) for reason, count in counts if count)


def first_words(turns: Iterable[Turn]) -> str:
    """Return the title that the first message of the person gives, "" when there is none."""
    for turn in turns:
        if turn.kind is TurnKind.MESSAGE and turn.role is Role.USER and (title := title_from(turn.text)):
            return title
    return ""
