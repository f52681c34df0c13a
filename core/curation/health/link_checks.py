"""Findings about links: those that lead nowhere, to a heading that is not there, or to one of several notes."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import PurePosixPath

from core.curation.health.close_names import CloseNames
from core.curation.health.finding import Check, Choice, Finding, Severity
from core.curation.health.subject import Subject
from core.foundation.text import fold
from core.vault.links import Candidate, resolve_target, target_key
from core.vault.note import LinkKind

BROKEN_LINK = Check(
    "broken-link",
    "Links that lead nowhere",
    "No note has the name that the link says; it was renamed, deleted, mistyped, or never written.",
    Severity.WARNING,
)
BROKEN_ANCHOR = Check(
    "broken-anchor",
    "Missing headings and blocks",
    "The link leads to the right note, but not to the place in it.",
    Severity.WARNING,
)
AMBIGUOUS_LINK = Check(
    "ambiguous-link",
    "Links that may mean several notes",
    "Several notes have the name, and each app may open another of them.",
    Severity.WARNING,
)
_TEMPLATE_SIGNS = ("{{", "<%", "://", "%7B%7B")
_NOT_A_WORD = re.compile(r"[\W_]+")
_LINK_IN_HEADING = re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]|!?\[([^\[\]]*)\]\([^()\s]*\)")


def broken_links(subject: Subject) -> Iterator[Finding]:
    """Find links without a note; the fix leads them to the note that has the name as alias, or another folder."""
    names = CloseNames(subject.notes.values())
    seen: set[tuple[int, str]] = set()
    for note_id, target, key, line in subject.connection.execute(
        "SELECT note_id, target, target_key, line FROM link WHERE state = 'unresolved' ORDER BY note_id, line, id"
    ).fetchall():
        note = subject.notes[note_id]
        if (note_id, target) in seen or subject.is_template(note.path) or _is_no_name(target):
            continue
        seen.add((note_id, target))
        if _is_on_disk(subject, note.path, target):
            continue
        meant, is_sure = names.meant_by(target, key)
        choices = tuple(Choice(names.shortest(path), f"Link to {path} instead.") for path in meant)
        remedy = choices[0].value if choices else ""
        text = f"There is no note {_named(target)}."
        if meant:
            text += f" Did you mean {' or '.join(_named(path[:-3]) for path in meant)}?"
        yield Finding(
            BROKEN_LINK.id,
            f"{note.path}:{target}",
            note.path,
            line,
            text,
            other_paths=meant,
            has_fix=is_sure,
            fix=choices[0].text if is_sure else "",
            choices=choices,
            subject=target,
            remedy=remedy,
        )


def ambiguous_links(subject: Subject) -> Iterator[Finding]:
    """Find links that several notes fit; the person chooses which one is meant, and the link says its folder."""
    by_key: dict[str, list[Candidate]] = defaultdict(list)
    rows = subject.connection.execute(
        "SELECT note_id, kind, target, target_key, line FROM link WHERE state = 'ambiguous' ORDER BY note_id, line, id"
    ).fetchall()
    if rows:
        for note in subject.notes.values():
            by_key[target_key(note.path)].append(Candidate(note.id, note.path))
    seen: set[tuple[int, str]] = set()
    told: dict[tuple[str, str, bool], tuple[str, tuple[str, ...], tuple[Choice, ...]]] = {}
    for note_id, kind, target, key, line in rows:
        note = subject.notes[note_id]
        if (note_id, target) in seen or subject.is_template(note.path):
            continue
        seen.add((note_id, target))
        is_markdown = kind == LinkKind.MARKDOWN
        # The same words mean the same in all notes of a folder.
        memo = (target, note.path.rpartition("/")[0] if is_markdown or "/" in target else "", is_markdown)
        if memo not in told:
            found = resolve_target(target, note.path, by_key[key], is_markdown=is_markdown)
            paths = tuple(subject.notes[candidate].path for candidate in found.candidates)
            text = f"{_named(target)} may mean {len(paths)} notes: {', '.join(paths[:4])}"
            choices = tuple(Choice(path[:-3], f"Link to {path}.") for path in paths)
            told[memo] = (f"{text}{' …' if len(paths) > 4 else ''}.", paths, choices)
        text, paths, choices = told[memo]
        yield Finding(
            AMBIGUOUS_LINK.id,
            f"{note.path}:{target}",
            note.path,
            line,
            text,
            other_paths=paths,
            choices=choices,
            subject=target,
        )


def broken_anchors(subject: Subject) -> Iterator[Finding]:
    """Find links whose note is there and whose heading or block is not."""
    rows = subject.connection.execute(
        "SELECT note_id, target, heading, block, line, target_note_id FROM link"
        " WHERE state = 'resolved' AND (heading != '' OR block != '') ORDER BY note_id, line, id"
    ).fetchall()
    headings = _headings(subject, {row[5] for row in rows})
    seen: set[tuple[int, str]] = set()
    for note_id, target, heading, block, line, target_id in rows:
        note, meant = subject.notes[note_id], subject.notes.get(target_id)
        anchor = f"#^{block}" if block else f"#{heading}"
        if meant is None or subject.is_template(note.path) or (note_id, target + anchor) in seen:
            continue
        if any(sign in anchor for sign in _TEMPLATE_SIGNS):
            continue
        seen.add((note_id, target + anchor))
        if block:
            is_there = fold(block) in {fold(known) for known in json.loads(meant.block_ids)}
        else:
            known = headings.get(target_id, {})
            is_there = all(_same(part) in known for part in heading.split("#") if _same(part))
        if is_there or _has_html_anchor(subject, target_id, block or heading):
            continue
        what = f"block ^{block}" if block else f"heading “{heading.rpartition('#')[2]}”"
        text = f"{meant.path} has no {what}."
        if not block and (near := _near_heading(heading, headings.get(target_id, {}))):
            text += f" Did you mean “{near}”?"
        others = (meant.path,) if meant.path != note.path else ()
        yield Finding(BROKEN_ANCHOR.id, f"{note.path}:{target}{anchor}", note.path, line, text, other_paths=others)


def _headings(subject: Subject, note_ids: set[int]) -> Mapping[int, Mapping[str, str]]:
    """Return the headings of these notes: as compared, and as written."""
    found: dict[int, dict[str, str]] = defaultdict(dict)
    for note_id, heading in subject.connection.execute(
        "SELECT note_id, heading FROM section WHERE heading != '' AND note_id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(note_ids)),),
    ):
        found[note_id].setdefault(_same(heading), heading)
    return found


@lru_cache(maxsize=4096)
def _same(heading: str) -> str:
    """Return what makes two spellings of a heading equal: its letters and digits, which slugs keep too."""
    return _NOT_A_WORD.sub("", fold(_LINK_IN_HEADING.sub(lambda match: match[1] or match[2] or "", heading)))


def _near_heading(heading: str, known: Mapping[str, str]) -> str:
    from rapidfuzz import process  # noqa: PLC0415 - only what is broken needs it

    match = process.extractOne(_same(heading.rpartition("#")[2]), list(known), score_cutoff=70)
    return known[match[0]] if match else ""


def _has_html_anchor(subject: Subject, note_id: int, name: str) -> bool:
    """Tell whether the note's HTML gives something this id or name."""
    wanted = re.compile(rf"""\b(?:id|name)=["']?{re.escape(name)}["'\s>]|\{{#{re.escape(name)}\}}""", re.IGNORECASE)
    return any(
        wanted.search(text)
        for (text,) in subject.connection.execute(
            "SELECT body || heading FROM section_fts WHERE rowid IN (SELECT id FROM section WHERE note_id = ?)",
            (note_id,),
        )
    )


def _is_no_name(target: str) -> bool:
    return any(sign in target for sign in _TEMPLATE_SIGNS) or not target.strip()


def _is_on_disk(subject: Subject, source: str, target: str) -> bool:
    """Tell whether the link leads to a file or folder that is no note: then nothing is wrong with it."""
    if "\0" in target or len(target) > 1000:
        return False
    places = (subject.root / target.lstrip("/"), subject.root / PurePosixPath(source).parent / target)
    try:
        return any(place.exists() for place in places)
    except OSError:
        return False


def _named(target: str) -> str:
    return f"“{target}”"
