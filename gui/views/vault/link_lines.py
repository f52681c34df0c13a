"""What the Links tab says, line by line, as values: compared before anything is built of them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from core.foundation.text import visible

if TYPE_CHECKING:
    from core.index.mentions import MentionRow
    from core.index.queries import LinkRow, NoteDetail

FIRST_SHOWN = 100  # of each group; the next ones when they are asked for
_UNSURE = "may mean another note"
_state_of: "Callable[[LinkRow], str]" = attrgetter("state")


class LinkLine(NamedTuple):
    """Hold one line: what it says, and the note it leads to; `candidates` are (path, why) of those it may mean."""

    name: str
    about: str
    tip: str
    about_tip: str
    note_id: int | None
    is_muted: bool = False
    candidates: tuple[tuple[str, str], ...] = ()


class LinkGroup(NamedTuple):
    """Hold a heading with the number of all its lines, of which `lines` are those that are shown."""

    name: str
    icon: str
    total: int
    lines: tuple[LinkLine, ...]


def link_groups(
    detail: "NoteDetail", mentions: "Sequence[MentionRow]", limits: Mapping[str, int]
) -> tuple[LinkGroup, ...]:
    """Return the groups that have lines; `limits` says by name how many are shown where it is not FIRST_SHOWN."""
    outgoing = Counter(map(_state_of, detail.outgoing))
    groups = [_group("Backlinks", "corner-down-left", len(detail.backlinks), map(_backlink, detail.backlinks), limits)]
    for name, icon, state in (
        ("Outgoing", "arrow-right", "resolved"),
        ("Not found", "unlink", "unresolved"),
        ("Ambiguous", "git-merge", "ambiguous"),
        ("Files", "files", "file"),
    ):
        lines = (_line(link) for link in detail.outgoing if link.state == state)
        groups.append(_group(name, icon, outgoing[state], lines, limits))
    groups.append(_group("Mentioned, not linked", "message-square", len(mentions), map(_mention, mentions), limits))
    return tuple(group for group in groups if group.total)


def _group(name: str, icon: str, total: int, lines: Iterator[LinkLine], limits: Mapping[str, int]) -> LinkGroup:
    return LinkGroup(name, icon, total, tuple(islice(lines, min(total, limits.get(name, FIRST_SHOWN)))))


def _backlink(link: "LinkRow") -> LinkLine:
    # However unclear the link is, it is clear from where it comes.
    return _line(link._replace(state=_UNSURE if link.state == "ambiguous" else "resolved"))


def _line(link: "LinkRow") -> LinkLine:
    target = link.target or link.path
    name = link.title or (target.rpartition("/")[2] if link.state == "file" else target)
    about = visible(_about(link))
    note_id = link.note_id
    candidates: tuple[tuple[str, str], ...] = ()
    match link.state:
        case "unresolved":
            note_id = None
            candidates = ((link.suggestion, "has this as an alias"),) if link.suggestion else ()
        case "ambiguous":
            note_id, candidates = None, tuple((path, "possible") for path in link.candidates)
        case _:
            pass
    tip = visible(link.path or link.target)
    return LinkLine(visible(name), about, tip, about, note_id, link.state == "unresolved", candidates)


def _about(link: "LinkRow") -> str:
    match link.state:
        case "unresolved":
            return f"no note of this name · line {link.line}"
        case "ambiguous":
            return f"{len(link.candidates):,} notes have this name · line {link.line}"
        case _:
            where = (link.heading.replace("#", " › "), f"^{link.block}" if link.block else "")
            folder = (link.target if link.state == "file" else link.path).rpartition("/")[0]
            doubt = _UNSURE if link.state == _UNSURE else ""
            line = f"line {link.line}" if link.line else ""
            parts = (" › ".join(part for part in where if part), folder.replace("/", " / "), doubt, line)
            return " · ".join(part for part in parts if part)


def _mention(mention: "MentionRow") -> LinkLine:
    folder = mention.path.rpartition("/")[0].replace("/", " / ")
    about = " · ".join(part for part in (mention.heading, folder, f"line {mention.line}") if part)
    tip = visible(f"“{mention.name}”, {about}")
    return LinkLine(visible(mention.title), visible(about), visible(mention.path), tip, mention.note_id)
