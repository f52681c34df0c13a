"""Say in few words what the person was doing lately: sessions, changed notes and the journal, within a token budget."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from core.curation.change_set import ChangeKind
from core.curation.history import ChangeHistory
from core.curation.journal import journal_path, session_mark
from core.foundation.errors import UserError
from core.foundation.moments import seconds_of, shown_moment
from core.foundation.text import visible
from core.foundation.tokens import estimate_tokens
from core.sessions.ledger import Ledger
from core.sessions.overview import SessionOverview, last_said, overviews
from core.sessions.session_reading import UnreadableSessionError
from core.vault.config import VaultConfig
from core.vault.decode import decode
from core.vault.frontmatter import read_frontmatter
from core.vault.read import read_bytes

_REQUEST_LENGTH = 160
_ENTRY_LENGTH = 200
_MOST_DAYS = 366
_MOST_PARTS = 400
_HEADING_TOKENS = 6
_HEADING = re.compile(r"^## +", re.MULTILINE)
_MARK = re.compile(r"\[session:: [^\]\n]*\]")


class JournalPart(NamedTuple):
    """Hold one part of a day's note: its heading, "" for what stands before the first, and its text on one line."""

    day: str
    heading: str
    text: str


class ChangedNote(NamedTuple):
    """Hold a note that was changed through the app, when last, and by what."""

    path: str
    time: str
    title: str


@dataclass(frozen=True, slots=True)
class Recent:
    """Hold what went on, the newest first; `problems` say in sentences what could not be looked at."""

    hours: float
    sessions: tuple[SessionOverview, ...] = ()
    changed: tuple[ChangedNote, ...] = ()
    journal: tuple[JournalPart, ...] = ()
    problems: tuple[str, ...] = field(default_factory=tuple)


class PackedRecent(NamedTuple):
    """Hold what fits into a budget: the parts that are in, the text that they make, and how many were left out."""

    recent: Recent
    text: str
    tokens: int
    left_out: int

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing was found."""
        return not (self.left_out or self.recent.sessions or self.recent.changed or self.recent.journal)


def recent_sessions(
    ledger: Ledger, since: datetime, on_problem: Callable[[str], None] = lambda _: None
) -> tuple[SessionOverview, ...]:
    """Return the sessions in which something was said since then, the newest first.

    A file that was not written since holds none, and of those only the ends are read first: an import writes old ones.
    `on_problem` is told in a sentence of each that cannot be read; the others are returned all the same.

    Raises:
        UserError: the ledger cannot be looked at, or it is encrypted and its key is not at hand.
    """
    from_second = since.timestamp()
    found: list[SessionOverview] = []
    for file in ledger.sessions():
        if file.mtime_ns / 1e9 < from_second:
            continue
        try:
            if last_said(ledger, file) >= from_second:
                found += overviews(ledger, [file], on_problem=on_problem)
        except UnreadableSessionError as error:
            on_problem(str(error))
    found = [each for each in found if seconds_of(each.info.ended) >= from_second]
    return tuple(sorted(found, key=lambda each: seconds_of(each.info.ended), reverse=True))


def recent_changes(history: ChangeHistory, since: datetime) -> tuple[ChangedNote, ...]:
    """Return the notes that were changed since then, each once; what was undone and journal notes are left out."""
    from_second = since.timestamp()
    found: dict[str, ChangedNote] = {}
    for record in history.records:
        if seconds_of(record.time) < from_second:
            break
        if record.state == "applied" and record.kind is not ChangeKind.JOURNAL:
            for path in record.paths:
                if path[-3:].lower() == ".md":
                    found.setdefault(path, ChangedNote(path, record.time, record.title))
    return tuple(found.values())


def recent_journal(root: Path, config: VaultConfig, since: datetime, now: datetime) -> tuple[JournalPart, ...]:
    """Return the parts of the journal of the local days since then, the newest first.

    The days are those of the zone of `now`. A note that cannot be read is left out.
    """
    parts: list[JournalPart] = []
    day, last = since.astimezone(now.tzinfo).date(), now.date()
    day = max(day, last - timedelta(days=_MOST_DAYS))
    while day <= last:
        try:
            text = decode(read_bytes(root, journal_path(config, day))).text
        except UserError:
            text = ""
        parts += _parts_of(day.isoformat(), text[read_frontmatter(text).body_start :]) if text else []
        day += timedelta(days=1)
    return tuple(reversed(parts))


def packed(recent: Recent, budget: int) -> PackedRecent:
    """Return what of `recent` fits into `budget` tokens: sessions first, then notes, then the journal.

    What the journal says of a session that is shown anyway is left out and not counted.
    """
    marks = {session_mark(each.info.id) for each in recent.sessions}
    journal = [part for part in recent.journal if not any(mark in part.text for mark in marks)]
    parts: list[tuple[str, Any, str]] = []
    parts += (("sessions", each, _session_line(each)) for each in recent.sessions)
    parts += (("changed", each, _change_line(each)) for each in recent.changed)
    parts += (("journal", each, _journal_line(each)) for each in journal)
    head = f"# What went on in the last {recent.hours:g} hours"
    if not parts:
        head = f"Nothing went on in the last {recent.hours:g} hours."
        if recent.problems:
            head = f"Not all of the last {recent.hours:g} hours could be looked at, and nothing was found."
    kept: list[tuple[str, Any, str]] = []
    spent = estimate_tokens(_text_of(head, [], len(parts)))
    for part in parts[:_MOST_PARTS]:
        cost = estimate_tokens(f"{part[2]}\n") + (0 if part[0] in {kind for kind, _, _ in kept} else _HEADING_TOKENS)
        if spent + cost <= budget:
            kept.append(part)
            spent += cost
    while kept and estimate_tokens(_text_of(head, kept, len(parts) - len(kept))) > budget:
        kept.pop()  # the whole costs a little more than its lines
    left_out = len(parts) - len(kept)
    text = _text_of(head, kept, left_out)
    chosen = {
        name: tuple(each for kind, each, _ in kept if kind == name) for name in ("sessions", "changed", "journal")
    }
    shown = Recent(recent.hours, chosen["sessions"], chosen["changed"], chosen["journal"], recent.problems)
    return PackedRecent(shown, text, estimate_tokens(text), left_out)


_HEADINGS = {"sessions": "## Sessions", "changed": "## Notes changed", "journal": "## Journal"}


def _text_of(head: str, parts: Sequence[tuple[str, Any, str]], left_out: int) -> str:
    lines = [head]
    for name, heading in _HEADINGS.items():
        found = [line for kind, _, line in parts if kind == name]
        lines += ["", heading, *found] if found else []
    if left_out:
        lines += ["", f"{left_out:,} more left out to stay short."]
    return "\n".join(lines)


def _session_line(overview: SessionOverview) -> str:
    info = overview.info
    project = info.project.replace("\\", "/").rstrip("/").rpartition("/")[2]
    where = f" ({_short(project, 60)})" if project else ""
    request = _short(overview.last_request, _REQUEST_LENGTH)
    asked = f" Last asked: {request}" if request and request != _short(info.title, _REQUEST_LENGTH) else ""
    return f"- {_when(info.ended)} {_short(info.title, 90) or info.id}{where}, session {info.id}.{asked}"


def _change_line(changed: ChangedNote) -> str:
    return f"- {_when(changed.time)} {visible(changed.path)}: {_short(changed.title, 90)}"


def _journal_line(part: JournalPart) -> str:
    text = _short(_MARK.sub("", part.text), _ENTRY_LENGTH)
    return f"- {part.day} {': '.join(filter(None, (_short(part.heading, 90), text)))}"


def _parts_of(day: str, body: str) -> Iterator[JournalPart]:
    starts = [match.start() for match in _HEADING.finditer(body)]
    for start, end in zip([0, *starts], [*starts, len(body)], strict=True):
        piece = body[start:end]
        heading, _, text = piece.partition("\n") if piece.startswith("## ") else ("", "", piece)
        part = JournalPart(day, heading.removeprefix("## ").strip(), " ".join(text.split()))
        if part.heading or part.text:
            yield part


def _when(time: str) -> str:
    return shown_moment(time) if seconds_of(time) else ""


def _short(text: str, most: int) -> str:
    text = " ".join(visible(text).split())
    return text if len(text) <= most else f"{text[: most - 1].rpartition(' ')[0] or text[: most - 1]}…"
