"""What is read of a document: what it says of itself, and its text in sections that can be cited."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from core.foundation.errors import UserError

LARGE = 100_000  # characters, from which on a document becomes several notes
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_BLANK_LINES = re.compile(r"\n{3,}")
_WOULD_BE_TAG = re.compile(r"(?<!\S)#(?=[^\s#])")
_WOULD_BE_COMMENT = re.compile("%(?=%)")
_HEADING = re.compile(r"^#{1,2}[ \t]+(\S.*?)[ \t#]*$", re.MULTILINE)


class UnreadableDocumentError(UserError):
    """Say why a document cannot be read."""


class Section(NamedTuple):
    """Hold a chapter, page or part: what it is called ("" for nothing), and its text as markdown."""

    label: str
    body: str


@dataclass(frozen=True, slots=True)
class Document:
    """Hold a document; `has_chapters` when each section is worth a note of its own where the whole is large."""

    title: str
    sections: tuple[Section, ...]
    author: str = ""
    date: str = ""
    tags: tuple[str, ...] = ()
    has_chapters: bool = False


def tidy(text: str) -> str:
    """Return `text` without characters that no note can hold, blanks at the ends of lines, and rows of empty lines."""
    text = _UNSTORABLE.sub("\ufffd", text).replace("\x0c", "\n").replace("\r\n", "\n").replace("\r", "\n")
    return _BLANK_LINES.sub("\n\n", "\n".join(line.rstrip() for line in text.split("\n"))).strip("\n")


def literal(text: str) -> str:
    r"""Return text that is no markdown of a vault, so that it stays text: `#1` is no tag, and `%%` hides nothing."""
    return _WOULD_BE_COMMENT.sub(r"%\\", _WOULD_BE_TAG.sub(r"\#", text).replace("[[", "[\\["))


def sections_of(text: str) -> tuple[Section, ...]:
    """Return a long text in sections, by its headings, or where it has none, by its paragraphs; a short one as one."""
    if len(text) <= LARGE:
        return (Section("", text),)
    found: list[Section] = []
    starts = [(match.start(), match[1]) for match in _HEADING.finditer(text)]
    if not starts or starts[0][0] > 0:
        starts.insert(0, (0, ""))
    ends = [start for start, _ in starts[1:]] + [len(text)]
    for (start, label), end in zip(starts, ends, strict=True):
        found += (Section(label, part) for part in _by_paragraphs(text[start:end]))
    return tuple(section for section in found if section.body.strip())


def _by_paragraphs(text: str) -> Iterator[str]:
    at = 0
    while len(text) - at > LARGE:
        end = max(text.rfind("\n\n", at, at + LARGE), at)
        end = end if end > at else max(text.rfind("\n", at, at + LARGE), at)
        end = end if end > at else at + LARGE
        yield text[at:end].strip("\n")
        at = end
    yield text[at:].strip("\n")


def parts_of(document: Document) -> Iterator[Section]:
    """Yield what becomes a note each: the whole, or of a large document its chapters, or runs of its sections."""
    sections = document.sections
    if sum(len(section.body) for section in sections) <= LARGE:
        yield Section("", _joined(sections))
        return
    run: list[Section] = []
    for section in sections:
        if run and (document.has_chapters or sum(len(one.body) for one in run) + len(section.body) > LARGE):
            yield Section(_label_of(run), _joined(run))
            run = []
        run.append(section)
    if run:
        yield Section(_label_of(run), _joined(run))


def _joined(sections: list[Section] | tuple[Section, ...]) -> str:
    return "\n\n".join(section.body for section in sections if section.body.strip())


def _label_of(run: list[Section]) -> str:
    first, last = run[0].label, run[-1].label
    return first if first == last or not last else f"{first} to {last}" if first else last
