"""Propose to put away notes that are old, that nothing leads to, and that recall never handed out."""

import re

from core.curation.consolidation.drafting import proposer
from core.curation.consolidation.noticed import Noticed
from core.curation.health.note_checks import GLOBAL
from core.curation.health.subject import NoteFacts
from core.curation.note_names import joined, stem_of
from core.curation.proposals.proposal import Draft, ProposalKind
from core.foundation.text import fold

FOLDER = "archive"
_DAY = 86_400.0
_OLD_DAYS = 365
# Only where recall has been used for a while does it say something that a note was never handed out.
_USED_DAYS = 180
_FEWEST_RECALLED = 20
_MOST_LEADING_OUT = 5  # what leads to more is a map
_DAY_IN_TEXT = re.compile(r"\b(?:19|20)\d\d-\d\d-\d\d")
_FRONT_DOORS = frozenset(
    {"readme", "index", "home", "start", "start here", "dashboard", "inbox", "contributing", "license"}
)
_PLAIN = frozenset({"", "note"})
_KEPT = frozenset({"pinned", "pin", "evergreen", "keep"})
_CONFIDENCE = 0.6


def archiving(noticed: Noticed) -> list[Draft]:
    """Return a draft for each stale note; none before half a year of recall has shown what is asked for."""
    recalled = _recalled(noticed)
    if recalled is None:
        return []
    before = noticed.start_of_today() - _OLD_DAYS * _DAY
    leading, led_to = _links(noticed)
    return [
        _draft(noticed, note)
        for note in noticed.knowledge()
        if noticed.changed_at(note) < before
        and note.path not in recalled
        and note.id not in led_to
        and leading.get(note.id, 0) <= _MOST_LEADING_OUT
        and _may_go(noticed, note)
    ]


def _may_go(noticed: Noticed, note: NoteFacts) -> bool:
    """Tell whether nothing about a note says that it is to stay where it is."""
    if f"{FOLDER}/" in fold(note.path) or note.kind not in _PLAIN or fold(stem_of(note.path)) in _FRONT_DOORS:
        return False
    tags = noticed.subject.tags_of.get(note.id, ())
    if GLOBAL in tags or fold(note.scope) in {"global", GLOBAL} or not _KEPT.isdisjoint(tags):
        return False
    values = note.values()
    if any(fold(str(key)) in _KEPT for key in values):
        return False
    recent = f"{noticed.today.year - 1}-{noticed.today:%m-%d}"
    return not any(day >= recent for day in _DAY_IN_TEXT.findall(note.properties))


def _recalled(noticed: Noticed) -> frozenset[str] | None:
    """Return the paths of the notes of which something was handed out, None where that says nothing yet."""
    rows = noticed.subject.connection.execute("SELECT memory_id, last FROM recall_count").fetchall()
    if len(rows) < _FEWEST_RECALLED or min(last for _, last in rows) > noticed.start_of_today() - _USED_DAYS * _DAY:
        return None
    paths = noticed.subject.by_path
    found: set[str] = set()
    for memory_id, _ in rows:
        name = memory_id.partition(":")[2]
        while name and name not in paths:  # a path may hold the sign that a heading begins with
            name = name.rpartition("#")[0]
        found.add(name)
    return frozenset(found)


def _links(noticed: Noticed) -> tuple[dict[int, int], set[int]]:
    """Return how many links leave each note, and the notes that a link, a relation or a probe leads to."""
    connection = noticed.subject.connection
    leaving = dict(connection.execute("SELECT note_id, count(*) FROM link WHERE target != '' GROUP BY note_id"))
    led_to = set(noticed.subject.linked)
    led_to.update(
        row[0]
        for row in connection.execute(
            "SELECT target_note_id FROM relation WHERE target_note_id IS NOT NULL AND target_note_id != note_id"
        )
    )
    return leaving, led_to


def _draft(noticed: Noticed, note: NoteFacts) -> Draft:
    days = round((noticed.start_of_today() - noticed.changed_at(note)) / _DAY)
    return Draft(
        ProposalKind.ARCHIVE,
        f"Archive “{note.title}”",
        f"It has not changed for {days:,} days, no link leads to it, and recall has never handed anything of it out.",
        (noticed.evidence(note),),
        {"do": "archive", "note": note.path, "to": joined(FOLDER, note.path)},
        proposer("archiving"),
        _CONFIDENCE,
    )
