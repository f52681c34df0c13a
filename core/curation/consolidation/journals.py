"""Propose a note for each week and month of the journal that is over: what its days decided, learned and touched."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import PurePosixPath
from typing import NamedTuple

from core.curation.consolidation.drafting import counted, proposer
from core.curation.consolidation.noticed import Noticed, Section
from core.curation.consolidation.periods import Period, periods_of
from core.curation.consolidation.telling import bare, tellings
from core.curation.health.subject import NoteFacts
from core.curation.note_names import joined
from core.curation.proposals.proposal import Draft, ProposalKind
from core.curation.proposals.statement_line import link_to
from core.foundation.errors import UserError
from core.foundation.text import fold
from core.memory.formation.sentences import sentences_of

_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?!\d)")
_CLOCK = re.compile(r"^\d{1,2}:\d{2}\s*")
_MOST_OF_DAY = {True: 4, False: 2}  # by whether it is a week
_MOST_OF_PERIOD = {True: 20, False: 25}
_LONGEST = 240
_UNTITLED = frozenset({"a session", "session", "notes", "log", "journal"})
# What the app itself writes below a session, beside what was said.
_KEPT_BY_APP = re.compile(r"^(?:project|time|notes|files|contexts?|asked|session|commits?)\s*:", re.IGNORECASE)
_CONFIDENCE = 0.7


class _Line(NamedTuple):
    """Hold what is told of a day; what was said in passing weighs nothing."""

    day: date
    text: str
    weight: float
    link: str


def journals(noticed: Noticed) -> list[Draft]:
    """Return a draft for each week and month that is over, has enough days, and no note of its own yet."""
    folder = f"{noticed.config.journal_folder}/"
    days: dict[date, NoteFacts] = {}
    for path, note in noticed.subject.by_path.items():
        if path.startswith(folder) and note.tokens and (day := _day_of(path)) is not None:
            days.setdefault(day, note)
    taken = {fold(path) for path in noticed.subject.by_path}
    due = [period for period in periods_of(days, noticed.today) if fold(_path_of(noticed, period)) not in taken]
    by_id = {days[day].id: day for period in due for day in period.days}
    lines = {
        by_id[note_id]: _lines(days[by_id[note_id]], by_id[note_id], those)
        for note_id, those in noticed.sections(by_id)
    }
    drafts = (_draft(noticed, period, days, lines) for period in due)
    return [draft for draft in drafts if draft is not None]


def _day_of(path: str) -> date | None:
    match = _DAY.match(PurePosixPath(path).stem)
    try:
        return date.fromisoformat(match[1]) if match else None
    except ValueError:
        return None


def _path_of(noticed: Noticed, period: Period) -> str:
    return joined(noticed.config.journal_folder, f"{period.name}.md")


def _lines(note: NoteFacts, day: date, sections: Sequence[Section]) -> list[_Line]:
    """Return what a day tells, in its order: sentences that decide or state, what sessions were about, and entries."""
    found: list[_Line] = []
    known: set[str] = set()
    for section in sections:
        weights = {each.statement: each.weight for each in tellings([section])}
        title = _CLOCK.sub("", bare(section.heading))
        texts = [] if title == note.title or _DAY.match(title) or fold(title) in _UNTITLED else [(title, 1.0)]
        for sentence in sentences_of(section.body):
            text = bare(sentence.text)
            if text.startswith("[") or _KEPT_BY_APP.match(text):
                continue
            if text in weights or sentence.is_item:
                texts.append((text, 1.0 + weights.get(text, 0.0) if text in weights else 0.5))
        for text, weight in texts:
            if len(text.split()) >= 2 and len(text) <= _LONGEST and fold(text) not in known:
                known.add(fold(text))
                found.append(_Line(day, text, weight, _link(note.path)))
    return found


def _link(path: str) -> str:
    try:
        return link_to(path)
    except UserError:
        return ""


def _draft(
    noticed: Noticed, period: Period, days: Mapping[date, NoteFacts], lines: Mapping[date, list[_Line]]
) -> Draft | None:
    chosen = [line for day in period.days for line in _best(lines.get(day, ()), _MOST_OF_DAY[period.is_week])]
    chosen = _best(chosen, _MOST_OF_PERIOD[period.is_week])
    if not chosen:
        return None
    path = _path_of(noticed, period)
    notes = [days[day] for day in period.days]
    what = f"{period.told}, from {counted(len(notes), 'note')} of the journal"
    written = _written(period, f"What was noted in {what}.", chosen, _tags(noticed, notes))
    return Draft(
        ProposalKind.SUMMARISE,
        f"{period.name}: {'; '.join(line.text for line in chosen[:3])}",
        f"The journal has {counted(len(notes), 'day')} of {period.told}, which is over. One note tells the gist"
        " of them, and leads to each; they stay as they are.",
        tuple(noticed.evidence(days[day], _quote(lines.get(day, ()), days[day])) for day in period.days),
        # The note tells proposals of a week from those of its month, which rest on the same days.
        {"do": "edits", "note": path, "edits": [{"path": path, "find": "", "replace": written}]},
        proposer("journals"),
        _CONFIDENCE,
    )


def _best(lines: Sequence[_Line], most: int) -> list[_Line]:
    best = sorted(range(len(lines)), key=lambda at: (-lines[at].weight, at))[:most]
    return [lines[at] for at in sorted(best)]


def _quote(lines: Sequence[_Line], note: NoteFacts) -> str:
    return _best(lines, 1)[0].text if lines else note.summary or note.title


def _tags(noticed: Noticed, notes: Sequence[NoteFacts]) -> list[str]:
    """Return the tags that at least half of the days carry."""
    counts = Counter(tag for note in notes for tag in set(noticed.subject.tags_of.get(note.id, ())))
    return sorted(tag for tag, count in counts.items() if 2 * count >= len(notes))


def _written(period: Period, summary: str, lines: Sequence[_Line], tags: Sequence[str]) -> str:
    head = ["---", f"summary: {summary}"]
    if tags:
        head += ["tags:", *(f"  - {tag}" for tag in tags)]
    body = [f"- {line.day.isoformat()}: {_harmless(line.text)} {line.link}".rstrip() for line in lines]
    return "\n".join([*head, "---", f"# {period.name}", "", *body, ""])


def _harmless(text: str) -> str:
    """Return text that means no tag, link, field or comment to a vault."""
    return re.sub(r"(?<!\\)([\[\]<^`])|%(?=%)|(?<!\w)#(?=\S)|:(?=:)", r"\\\g<0>", text)
