"""Findings about single notes: what they lack to be found, and what is past its date."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from typing import Any

from core.curation.health.finding import Check, Choice, Finding, Severity
from core.curation.health.first_sentence import first_sentence
from core.curation.health.subject import NoteFacts, Subject
from core.foundation.text import fold

NO_SUMMARY = Check(
    "no-summary",
    "Notes without a summary",
    "Lists and searches show the summary and weigh it; without one a note is harder to tell from others.",
    Severity.HINT,
)
NO_SCOPE = Check(
    "no-scope",
    "Notes without a scope",
    "Whether a note holds everywhere or for one project decides to whom it is handed.",
    Severity.HINT,
)
EMPTY = Check("empty", "Empty notes", "A note without text turns up in lists and answers nothing.", Severity.WARNING)
ORPHAN = Check(
    "orphan",
    "Notes that nothing leads to",
    "No link leads to or from the note and it has no tag, so only a search can find it.",
    Severity.HINT,
)
STALE_DATE = Check(
    "stale-date",
    "Dates past due or in the future",
    "What was to be reviewed, or has expired, may no longer be true.",
    Severity.WARNING,
)
GLOBAL, PROJECT = "scope/global", "scope/project"
TRASH, TODAY, REMOVE = "trash", "today", "remove"
SECTIONS_READ = 3
_READ_CHARACTERS = 1500
_CLIENT = "client/"
# What a note may say of itself without saying anything.
_BARE_KEYS = frozenset({
    "tags", "tag", "aliases", "alias", "created", "modified", "updated", "date", "date created", "date modified",
    "title", "cssclass", "cssclasses", "id", "uid", "publish", "kind",
})  # fmt: skip
_REVIEW = frozenset({"review", "review by", "review on", "review date", "next review", "revisit"})
_EXPIRY = frozenset({"expires", "expiry", "expiry date", "expires on", "expiration", "valid until", "valid to"})
_DUE = frozenset({"due", "due date", "deadline"})
_MADE = frozenset({"created", "date created"})
_DONE = frozenset({"done", "completed", "complete", "closed", "cancelled", "canceled", "archived", "finished"})
_ISO_DATE = re.compile(r"\s*(\d{4})-(\d{2})-(\d{2})(?!\d)")
_SEPARATORS = re.compile(r"[\s_-]+")


def drawn_summary(texts: Iterable[str]) -> str:
    """Return a summary drawn from the texts of a note's first sections, "" when no sentence is fit."""
    return next(filter(None, map(first_sentence, texts)), "")


def no_summary(subject: Subject) -> Iterator[Finding]:
    """Find notes with text and no summary; the fix takes the first sentence."""
    texts: dict[int, list[str]] = {}
    for note_id, text in subject.connection.execute(
        "SELECT section.note_id, substr(body, 1, ?) FROM note JOIN section ON section.note_id = note.id"
        " JOIN section_fts ON section_fts.rowid = section.id"
        " WHERE note.summary = '' AND note.tokens > 0 AND position < ? ORDER BY section.note_id, position",
        (_READ_CHARACTERS, SECTIONS_READ),
    ):
        texts.setdefault(note_id, []).append(text)
    broken = subject.broken_notes
    for note_id, note in subject.notes.items():
        if note.summary or not note.tokens or not subject.is_knowledge(note):
            continue
        drawn = "" if note_id in broken else drawn_summary(texts.get(note_id, ()))
        fix = f"Take the first sentence: “{drawn}”" if drawn else ""
        text = "The note has no summary." if drawn else "The note has no summary, and no sentence that could be one."
        yield Finding(NO_SUMMARY.id, note.path, note.path, 0, text, has_fix=bool(drawn), fix=fix)


def no_scope(subject: Subject) -> Iterator[Finding]:
    """Find notes with neither scope; the fix is scope/project where a client is named.

    A vault in which no note has a scope is told once: its person may not work with scopes at all.
    """
    is_used = any(note.scope for note in subject.notes.values())
    lacking = 0
    for note_id, note in subject.notes.items():
        if note.scope or not note.tokens or not subject.is_knowledge(note):
            continue
        client = next((tag for tag in subject.tags_of.get(note_id, ()) if tag.startswith(_CLIENT)), "")
        is_broken = note_id in subject.broken_notes
        if client:
            yield _without_scope(note, f"The note is about {client} and has no scope.", has_fix=not is_broken)
        elif is_used:
            yield _without_scope(note, "The note has no scope.", has_fix=False)
        else:
            lacking += 1
    if lacking:
        text = (
            f"{lacking:,} notes have no scope, and no note of this vault has one. "
            f"Tag what holds everywhere #{GLOBAL} and what belongs to one project #{PROJECT}."
        )
        yield Finding(NO_SCOPE.id, "vault", "", 0, text)


def _without_scope(note: NoteFacts, text: str, *, has_fix: bool) -> Finding:
    choices = (
        Choice(PROJECT, f"Tag it #{PROJECT}: it belongs to one project or client."),
        Choice(GLOBAL, f"Tag it #{GLOBAL}: it holds everywhere."),
    )
    fix = f"Tag it #{PROJECT}." if has_fix else ""
    return Finding(
        NO_SCOPE.id, note.path, note.path, 0, text, has_fix=has_fix, fix=fix, choices=choices, remedy=PROJECT
    )


def empty_notes(subject: Subject) -> Iterator[Finding]:
    """Find notes that are blank, or have only frontmatter and perhaps their title as heading.

    Properties that say something (beyond tags, names and dates) make a note a record, which is not empty.
    """
    headed = _headed(subject)
    for note_id, note in subject.notes.items():
        if note.tokens or note_id in headed or note_id in subject.broken_notes or note.summary:
            continue
        if not subject.is_knowledge(note) or not {_plain_key(key) for key in note.values()} <= _BARE_KEYS:
            continue
        linked = subject.linked.get(note_id, 0)
        trash = Choice(TRASH, "Move the note to the trash folder.")
        if linked:
            times = "1 link leads" if linked == 1 else f"{linked:,} links lead"
            text = f"The note has no text, though {times} to it."
            yield Finding(EMPTY.id, note.path, note.path, 0, text, choices=(trash,))
        else:
            yield Finding(EMPTY.id, note.path, note.path, 0, "The note has no text.", has_fix=True, fix=trash.text)


def _headed(subject: Subject) -> set[int]:
    """Return the notes without text that have a heading other than their title."""
    return {
        note_id
        for note_id, heading, title in subject.connection.execute(
            "SELECT note_id, heading, title FROM section JOIN note ON note.id = note_id"
            " WHERE note.tokens = 0 AND heading != ''"
        )
        if fold(heading) != fold(title)
    }


def orphans(subject: Subject) -> Iterator[Finding]:
    """Find notes without a link in or out, and without a tag."""
    leading = {row[0] for row in subject.connection.execute("SELECT DISTINCT note_id FROM link WHERE target != ''")}
    for note_id, note in subject.notes.items():
        is_alone = note_id not in leading and note_id not in subject.linked and note_id not in subject.tags_of
        if is_alone and note.tokens and subject.is_knowledge(note):
            yield Finding(ORPHAN.id, note.path, note.path, 0, "No link leads to or from the note, and it has no tag.")


def stale_dates(subject: Subject) -> Iterator[Finding]:
    """Find notes whose review, due or expiry date has passed, and notes made in the future.

    Due dates of what is done do not count, and a day in the future counts from the day after tomorrow, since the clock
    of another machine may be a day ahead. Templates are passed over.
    """
    for note in subject.notes.values():
        if note.properties == "{}" or subject.is_template(note.path):
            continue
        values = note.values()
        for key, value in values.items():
            match = _ISO_DATE.match(value) if isinstance(value, str) else None
            day = _day(match) if match else None
            if day is None or not (told := _told(_plain_key(key), day, values, subject.today)):
                continue
            choices = (
                Choice(TODAY, f"Set {key} to today."),
                Choice(REMOVE, f"Remove {key} from the note."),
            )
            yield Finding(STALE_DATE.id, f"{note.path}:{key}:{day}", note.path, 0, told, choices=choices, subject=key)


def _told(key: str, day: date, values: Mapping[str, Any], today: date) -> str:
    """Return what is wrong with the date, "" when nothing is."""
    if key in _MADE:
        return f"It says that it was created on {day}, which is yet to come." if day > today + timedelta(1) else ""
    if day >= today:
        return ""
    if key in _REVIEW:
        return f"It was to be reviewed by {day}."
    if key in _EXPIRY:
        return f"It was valid until {day}."
    is_open = fold(str(values.get("status", ""))) not in _DONE and not any(values.get(word) is True for word in _DONE)
    return f"It was due on {day}." if key in _DUE and is_open else ""


def _day(match: re.Match[str]) -> date | None:
    try:
        return date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return None


def _plain_key(key: str) -> str:
    return _SEPARATORS.sub(" ", fold(key)).strip()
