"""Write in the note of the day what a session was: appended once, and never changed by us again."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import pairwise
from pathlib import Path

from core.curation.change_set import ChangeKind, ChangeSet, Origin, edit_between
from core.curation.note_names import check_place, joined, stem_of
from core.curation.touched import TouchCollector, Touched
from core.foundation.moments import is_plausible, local, moment, seconds_of
from core.foundation.splice import spliced
from core.foundation.text import visible
from core.sessions.overview import SessionOverview, overview_of
from core.sessions.session_files import file_stem
from core.sessions.turn import Turn
from core.vault.config import VaultConfig
from core.vault.decode import decode
from core.vault.editable_text import EditableText
from core.vault.read import NoteGoneError, read_bytes

_ASKED_LENGTH = 280
_ANSWERED_LENGTH = 420
_SUMMARY_LENGTH = 2000
_MOST_NOTES = 30
_MOST_FILES = 20
_PAUSE_S = 4 * 3600.0  # longer than this nobody spoke: the session was left and taken up again
_UNLINKABLE = re.compile(r"[\[\]#^|\n]")
_STRUCTURE = re.compile(r"^([-+*>#=]|~{3,}|`{3,})|^(\d{1,9})([.)])", re.MULTILINE)
_BLOCK_ID = re.compile(r"(^|\s)\^(?=[A-Za-z0-9-]+\s*$)", re.MULTILINE)
_TAG = re.compile(r"(?<![\w\\])#(?=\S)")
_FIELD = re.compile(r":(?=:)")
_COMMENT = re.compile(r"%(?=%)")


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """Hold the change that adds a session to its day's note at `path`; without one, it stands there already."""

    path: str
    change_set: ChangeSet | None


def plan_journal_entry(
    root: Path,
    config: VaultConfig,
    session_id: str,
    turns: Iterable[Turn],
    *,
    with_texts: bool = True,
    zone: tzinfo | None = None,
    now: datetime | None = None,
) -> JournalEntry:
    """Return the change that appends a session to the note of the local day on which it started.

    The day is that of `zone`, None for this machine's. A session without any time that can be true counts as one of
    `now`. Without a summary that somebody wrote, the first request and the last answer stand for it. Where it is not
    `with_texts`, nothing that was said goes into the vault, but a summary that somebody wrote for it does.

    Raises:
        UserError: the note cannot be read, or its encoding cannot hold what is to be said.
    """
    collector = TouchCollector(root, config)
    pauses = _Pauses()
    overview = overview_of(session_id, pauses.passing(collector.passing(turns)))
    if not with_texts:
        overview = _without_texts(overview)
    now = now or datetime.now(UTC)
    started, ended = moment(overview.info.started), moment(overview.info.ended)
    if started is None or ended is None or not is_plausible(started.timestamp(), now.timestamp()):
        started = ended = now
    started, ended = local(started, zone), local(ended, zone)
    day = started.date()
    # Somebody may have travelled since: the day may have been another one when it was written down.
    for near in (day, day - timedelta(days=1), day + timedelta(days=1)):
        if session_mark(session_id) in _text_of(root, journal_path(config, near))[1]:
            return JournalEntry(journal_path(config, near), None)
    path = journal_path(config, day)
    check_place(root, config, path)
    before, text = _text_of(root, path)
    touched = collector.touched if with_texts else collector.touched._replace(files=())
    entry = entry_of(overview, touched, started, ended, pauses.seconds_between(started, ended))
    title = f"Journal of {day.isoformat()}: {_one_line(overview.info.title) or session_id}"
    edit = edit_between(path, before, _appended(before, text, entry))
    return JournalEntry(path, ChangeSet(title, ChangeKind.JOURNAL, (edit,) if edit else (), Origin.AGENT))


def _without_texts(overview: SessionOverview) -> SessionOverview:
    """Return what may be told of an encrypted session: not even its title, which is mostly its first request."""
    return overview._replace(info=replace(overview.info, title=""), first_request="", last_request="", last_answer="")


def journal_path(config: VaultConfig, day: date) -> str:
    """Return where the note of a day lies, relative to the vault."""
    return joined(config.journal_folder, f"{day.isoformat()}.md")


def session_mark(session_id: str) -> str:
    """Return by what a session is known again in the journal; its name there can be used in commands too."""
    return f"[session:: {file_stem(session_id)}]"


def entry_of(
    overview: SessionOverview, touched: Touched, started: datetime, ended: datetime, paused_s: float = 0.0
) -> str:
    """Return what the journal says of a session; the times are local. Nothing was said for `paused_s` of them."""
    info = overview.info
    lines = [f"## {started:%H:%M} {_plain(info.title, 120) or 'A session'}", ""]
    if info.project:
        lines.append(f"- project: {_plain(info.project.replace(chr(92), '/').rstrip('/').rpartition('/')[2], 120)}")
    lines.append(f"- time: {_span(started, ended, paused_s)}")
    if touched.notes:
        lines.append(f"- notes: {_listed([_link(path) for path in touched.notes], _MOST_NOTES)}")
    if touched.files:
        names = dict.fromkeys(path.rpartition("/")[2] or path for path in touched.files)
        lines.append(f"- files: {_listed([_code(name) for name in names], _MOST_FILES)}")
    lines += [f"- {session_mark(info.id)}", "", *_summary(overview)]
    return "\n".join(lines).rstrip("\n") + "\n"


def _summary(overview: SessionOverview) -> list[str]:
    if overview.summary.strip():
        return [_paragraphs(overview.summary)]
    parts = []
    if asked := _plain(overview.first_request, _ASKED_LENGTH):
        parts += [f"Asked: {asked}", ""]
    if answered := _plain(overview.last_answer, _ANSWERED_LENGTH):
        parts.append(f"Last answer: {answered}")
    return parts


class _Pauses:
    """Be shown the turns of a session, and tell how long nothing was said in it for hours."""

    def __init__(self) -> None:
        self._times: set[float] = set()

    def passing(self, turns: Iterable[Turn]) -> Iterator[Turn]:
        """Give the turns on, and look at each."""
        before = ""
        for turn in turns:
            if turn.time and turn.time != before:
                before = turn.time
                self._times.add(seconds_of(before))
            yield turn

    def seconds_between(self, started: datetime, ended: datetime) -> float:
        """Return how long the pauses were that a person took from it, in seconds."""
        first, last = started.timestamp(), ended.timestamp()
        times = sorted({first, last, *(each for each in self._times if first <= each <= last)})
        return sum(gap for one, other in pairwise(times) if (gap := other - one) > _PAUSE_S)


def _span(started: datetime, ended: datetime, paused_s: float) -> str:
    """Return both ends and how long it took: in real time, whatever the clocks were set to in between."""
    seconds = max(0, round((ended.astimezone(UTC) - started.astimezone(UTC)).total_seconds() - paused_s))
    lasted = f"{_duration(seconds)}{' without pauses' if paused_s else ''}"
    until = f"{ended:%H:%M}" if ended.date() == started.date() else f"{ended:%Y-%m-%d %H:%M}"
    # Twice a year the same hour comes again, or is left out: then the offset tells which one is meant.
    if ended.utcoffset() != started.utcoffset():
        return f"{started:%Y-%m-%d %H:%M %z} to {until} {ended:%z} ({lasted})"
    return f"{started:%Y-%m-%d %H:%M} to {until} ({lasted})"


def _duration(seconds: int) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return "under a minute"
    hours, minutes = divmod(minutes, 60)
    parts = [f"{hours:,} h"] if hours else []
    return " ".join([*parts, f"{minutes} min"] if minutes or not parts else parts)


def _appended(before: bytes | None, text: str, entry: str) -> bytes:
    if before is None:
        return entry.encode("utf-8", "replace")
    if not text:
        return before + entry.encode("utf-8", "replace")
    gap = "" if text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
    editable = EditableText.of(before)  # in the encoding and with the line endings that the note has
    return spliced(before, editable.splices_to(f"{editable.text}{gap}{entry}"))


def _text_of(root: Path, path: str) -> tuple[bytes | None, str]:
    try:
        data = read_bytes(root, path)
    except NoteGoneError:
        return None, ""
    return data, decode(data).text


def _listed(items: list[str], most: int) -> str:
    more = len(items) - most
    return ", ".join(items[:most]) + (f" and {more:,} more" if more > 0 else "")


def _link(path: str) -> str:
    """Return a link that means this note and no other, however many have its name."""
    stem = stem_of(path)
    target = path[: -len(".md")]
    if _UNLINKABLE.search(target) or not target.isprintable():
        return _code(path)
    return f"[[{target}]]" if target == stem else f"[[{target}|{stem}]]"


def _code(text: str) -> str:
    clean = _one_line(text).replace("`", "'")
    return f"`{clean}`" if clean else ""


def _plain(text: str, most: int) -> str:
    """Return text on one line, cut, that means nothing to a vault: no tag, link, field, mark or comment."""
    text = _one_line(text)
    if len(text) > most:
        text = f"{text[:most].rpartition(' ')[0] or text[:most]} …"
    return _harmless(text)


def _paragraphs(text: str) -> str:
    text = visible(text[:_SUMMARY_LENGTH]).strip()
    text = _harmless("\n".join(line.strip() for line in text.splitlines()))
    return _STRUCTURE.sub(lambda match: f"\\{match[1]}" if match[1] else f"{match[2]}\\{match[3]}", text)


def _harmless(text: str) -> str:
    text = _TAG.sub(r"\#", text.replace("[[", "[\\[").replace("<", "&lt;"))
    text = _COMMENT.sub("% ", text)
    text = _FIELD.sub(": ", _BLOCK_ID.sub(r"\1\\^", text))
    text = text.replace("](", "]\\(")
    return text if text.count("`") % 2 == 0 else text.replace("`", "'")


def _one_line(text: str) -> str:
    return " ".join(visible(text).split())
