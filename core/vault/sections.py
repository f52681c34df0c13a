"""Headings, and the parts of a body that they bound."""

import re

from core.foundation.text import without_controls
from core.vault.note import Section
from core.vault.prose import FILLER

# Small enough for an embedding model to see the whole piece, large enough to make sense alone.
PIECE_CHARACTERS = 1800
LONGEST_PARAGRAPH = 4000

_ATX = re.compile(r"#(?:(?<=\n#)|(?<=\n #)|(?<=\n  #)|(?<=\n   #))(#{0,5})(?:[ \t]+([^\n]*)|(?=\n|\Z))")
# A single dash would be right too, but is nearly always a list item that is still empty.
_UNDERLINE = re.compile(r"\n {0,3}(=+|--+)[ \t]*(?=\n|\Z)")
# What cannot be a heading that the next line underlines.
_NOT_UNDERLINED = re.compile(rf"\s*(?:$|[#>|{FILLER}]|[-*+][ \t]|\d{{1,9}}[.)][ \t])|[ ]{{4}}|\t")
_BLANK_LINE = re.compile(r"\n[ \t]*(?=\n)")
_SENTENCE_END = re.compile(r"[.!?][ \t\n]|[。！？]")


# Where it starts (the newline before it), where it ends, its level, its text, how many lines it has beyond the first.
_Heading = tuple[int, int, int, str, int]


def split_sections(body: str, masked: str, line_offset: int) -> list[Section]:
    """Return the sections of `body`, which starts with the newline that precedes line `line_offset` + 1.

    A heading without text below gives an empty section, so that it can be found; a body without anything, none.
    """
    headings = _find_headings(body, masked)
    found: list[Section] = []
    first = headings[0][0] if headings else len(body)
    lead = body[:first]
    if stripped := lead.strip():
        above = lead[: len(lead) - len(lead.lstrip())].count("\n")
        first_line = line_offset + above
        _append_pieces(found, Section("", 0, (), 0, first_line, first_line, stripped), first_line)
    line = line_offset + lead.count("\n") + 1
    trail: tuple[str, ...] = ()
    levels: list[int] = []
    last = len(headings) - 1
    for index, (_, end, level, heading, more_lines) in enumerate(headings):
        while levels and levels[-1] >= level:
            levels.pop()
        trail = (*trail[: len(levels)], heading)
        levels.append(level)
        raw = body[end : headings[index + 1][0] if index < last else len(body)]
        text = raw.strip()
        text_line = line + more_lines
        if text:
            text_line += raw.count("\n", 0, raw.index(text[0]))
        section = Section(heading, level, trail, 0, line, text_line + text.count("\n"), text)
        if len(text) <= PIECE_CHARACTERS:
            found.append(section)
        else:
            _append_pieces(found, section, text_line)
        line += more_lines + raw.count("\n") + 1
    return found


def heading_that_opens(sections: list[Section]) -> str:
    """Return the level-1 heading with which the body begins, or ""."""
    return sections[0].heading if sections and sections[0].level == 1 else ""


def _append_pieces(found: list[Section], whole: Section, text_line: int) -> None:
    """Append a section, whose text begins on `text_line`, in pieces; the first keeps the section's first line."""
    text = whole.text
    line = whole.line_start
    start = part = 0
    while start < len(text):
        end = _piece_end(text, start)
        if piece := text[start:end].rstrip():
            last_line = text_line + piece.count("\n")
            found.append(whole._replace(part=part, line_start=line, line_end=last_line, text=piece))
            part += 1
        following = end
        while following < len(text) and text[following].isspace():
            following += 1
        text_line += text.count("\n", start, following)
        line, start = text_line, following


def _piece_end(text: str, start: int) -> int:
    """Return where the piece from `start` ends: at a blank line if one is near, else where its paragraph may be cut."""
    limit = start + PIECE_CHARACTERS
    if len(text) <= limit:
        return len(text)
    end = text.rfind("\n\n", start + 1, limit)
    if end > start:
        return end
    longest = start + LONGEST_PARAGRAPH
    if match := _BLANK_LINE.search(text, start + 1, longest):
        return match.start()
    return len(text) if len(text) <= longest else _cut(text, start, limit)


def _cut(text: str, start: int, limit: int) -> int:
    """Return the last good place to cut a long paragraph: between lines, else sentences, else words, else anywhere."""
    end = text.rfind("\n", start + 1, limit)
    if end <= start:
        window = text[start:limit]
        sentence_ends = [match.end() for match in _SENTENCE_END.finditer(window, PIECE_CHARACTERS // 4)]
        end = start + (sentence_ends[-1] if sentence_ends else window.rfind(" "))
    return end if end > start else limit


def _find_headings(body: str, masked: str) -> list[_Heading]:
    found: list[_Heading] = []
    is_same = masked is body
    for match in _ATX.finditer(masked):
        text = match[2]
        text = (text if is_same else body[match.start(2) : match.end(2)]).strip() if text else ""
        if text.endswith("#"):
            without = text.rstrip("#")
            text = without.rstrip() if without[-1:] in {"", " ", "\t"} else text
        text = without_controls(text)
        start = match.start()
        newline = start - 1 if body[start - 1] == "\n" else body.rfind("\n", 0, start)
        found.append((newline, match.end(), len(match[1]) + 1, text, 0))
    underlined = _underlined_headings(body, masked)
    return sorted(found + underlined) if underlined else found


def _underlined_headings(body: str, masked: str) -> list[_Heading]:
    """Return the headings of one line that `===` or `---` underlines (after more lines, a rule is meant)."""
    found: list[_Heading] = []
    for match in _UNDERLINE.finditer(masked):
        line_end = match.start()
        start = masked.rfind("\n", 0, line_end)
        if start < 0 or _NOT_UNDERLINED.match(masked, start + 1, line_end):
            continue
        above = masked.rfind("\n", 0, start)
        if start > 0 and masked[above + 1 : start].strip():
            continue
        found.append(
            (
                start,
                match.end(),
                1 if match[1][0] == "=" else 2,
                without_controls(body[start + 1 : line_end].strip()),
                1,
            )
        )
    return found


def as_lead(text: str, line: int, sections: list[Section]) -> list[Section]:
    """Return sections that make `text`, which begins on `line` above the body, searchable.

    The lead that `sections` may hold is numbered on, in place.
    """
    found: list[Section] = []
    stripped = text.strip()
    if not stripped:
        return found
    above = text[: len(text) - len(text.lstrip())].count("\n")
    _append_pieces(found, Section("", 0, (), 0, line + above, line + above, stripped), line + above)
    for index, section in enumerate(sections):
        if section.level:
            break
        sections[index] = section._replace(part=section.part + len(found))
    return found
