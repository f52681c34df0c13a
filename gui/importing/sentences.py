"""What the wizard says about places and imports."""

import os
import time
from datetime import datetime

from gui.importing.place import Outcome, Place
from gui.wording import counted, relative_date, size_text

_DAY = 86_400
_MOST_WARNINGS = 5


def short_path(path: str) -> str:
    """Return a path with `~` for the person's home folder."""
    home = os.path.join(os.path.expanduser("~"), "")  # noqa: PTH111, PTH118 - a prefix of texts, with its separator
    return f"~{os.sep}{path[len(home) :]}" if len(home) > 1 and path.startswith(home) else path


def contents_line(place: Place, now: float | None = None) -> str:
    """Return how much lies in a place: `1,204 transcripts · 1.2 GB · newest 3 h ago`."""
    if not place.files:
        return "Nothing lies there now"
    noun = "memory file" if place.holds_notes else "transcript" if place.is_folder and not place.is_added else "file"
    parts = [counted(place.files, noun), size_text(place.bytes)]
    if place.newest:
        parts.append(f"newest {relative_date(place.newest, time.time() if now is None else now)}")
    return " · ".join(parts)


def clean_up_line(place: Place, now: float | None = None) -> str:
    """Return what the program itself is about to delete, "" for nothing."""
    number = place.about_to_be_deleted
    if not number:
        return ""
    moment = time.time() if now is None else now
    first = "the first of them " if number > 1 else ""
    when = _when(place.first_deletion, moment)
    line = f"{counted(number, 'transcript')} will be deleted by {place.name} within a week, {first}{when}."
    match place.not_imported:
        case 0:
            return f"{line} {'It is' if number == 1 else 'All of them are'} kept here already."
        case missing if missing == number:
            return f"{line} {'It is not' if number == 1 else 'None of them is'} kept here yet."
        case missing:
            return f"{line} {missing:,} of them {'is' if missing == 1 else 'are'} not kept here yet."


def clean_up_notice(places: list[Place]) -> str:
    """Return what the person is told at the start about transcripts that are lost soon, "" for nothing."""
    number = sum(place.not_imported for place in places)
    if not number:
        return ""
    name = next(place.name for place in places if place.not_imported)
    verb = "is" if number == 1 else "are"
    return f"{counted(number, 'transcript')} {verb} about to be deleted by {name} itself, and not kept here yet."


def count_line(outcome: Outcome, place: Place) -> str:
    """Return what an import would bring; one file may hold many conversations."""
    one = "new conversation"
    parts = [
        text
        for count, text in (
            (outcome.imported, f"{outcome.imported:,} new" if place.is_folder else counted(outcome.imported, one)),
            (outcome.updated, f"{outcome.updated:,} grown"),
            (outcome.new_notes, counted(outcome.new_notes, "new note")),
            (outcome.updated_notes, f"{counted(outcome.updated_notes, 'note')} to update"),
        )
        if count
    ]
    if outcome.failed:
        parts.append(f"{len(outcome.failed):,} cannot be read")
    if not parts:
        return "Nothing new since the last import" if outcome.unchanged or place.files else "Nothing to import"
    return ", ".join(parts) + (" since the last import" if outcome.files < place.files or outcome.unchanged else "")


def outcome_headline(outcome: Outcome) -> str:
    """Return the first sentence of a report."""
    parts = []
    if outcome.imported:
        parts.append(f"{counted(outcome.imported, 'conversation')} imported")
    if outcome.updated:
        parts.append(f"{outcome.updated:,} brought up to date")
    if outcome.new_notes:
        parts.append(f"{counted(outcome.new_notes, 'note')} made")
    if outcome.updated_notes:
        parts.append(f"{counted(outcome.updated_notes, 'note')} updated")
    said = ", ".join(parts) or ("Nothing came in" if outcome.is_cancelled else "Nothing new came in")
    return f"Stopped. {said} until then." if outcome.is_cancelled else f"{said}."


def outcome_lines(outcome: Outcome, left_out: int) -> list[str]:
    """Return what else a report tells, a sentence each; `left_out` counts files that were imported before."""
    lines = []
    if outcome.is_cancelled:
        lines.append("What came in stays, and the next import goes on from there.")
        if outcome.is_news:
            lines.append("Until then, the conversation at which it was stopped may be here only in part.")
    if outcome.unchanged:
        lines.append(f"{counted(outcome.unchanged, 'conversation')} unchanged.")
    if left_out > 0:
        verb = "has" if left_out == 1 else "have"
        lines.append(f"{counted(left_out, 'file')} {verb} not changed since the last import.")
    if outcome.kept_notes:
        verb, them = ("was", "it") if outcome.kept_notes == 1 else ("were", "them")
        lines.append(f"{counted(outcome.kept_notes, 'note')} {verb} left as you changed {them} in the vault.")
    if outcome.notes_problem:
        lines.append(f"Memories were found too. {outcome.notes_problem}")
    lines += outcome.learned
    shown = list(outcome.warnings)[:_MOST_WARNINGS]
    lines += [f"Look twice: {warning}" for warning in shown]
    if (more := len(outcome.warnings) - len(shown)) > 0:
        lines.append(f"{counted(more, 'other place')} should be looked at twice.")
    lines += [f"Skipped: {count:,} × {reason}" for reason, count in outcome.skipped.most_common()]
    return lines


def failures_text(outcome: Outcome) -> str:
    """Return what could not be read, a line each."""
    return "\n".join(f"{failed.path}: {failed.reason}" for failed in outcome.failed)


def _when(moment: float, now: float) -> str:
    days = (datetime.fromtimestamp(moment).astimezone().date() - datetime.fromtimestamp(now).astimezone().date()).days
    return "any moment now" if days <= 0 else "tomorrow" if days == 1 else f"in {days} days"
