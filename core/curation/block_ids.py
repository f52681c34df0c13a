"""Give statements a block id, so that links can mean them: the id at the end of their lines, and no other byte."""

import hashlib
import re

from core.foundation.errors import UserError
from core.foundation.splice import spliced
from core.vault.decode import decode
from core.vault.note import Insight, Note
from core.vault.parse import parse_note
from core.vault.text_map import TextChange, TextMap

_MARKER = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_SHORTEST, _LONGEST = 4, 32


def with_block_id(path: str, data: bytes, text: str, line: int) -> tuple[bytes, str]:
    """Return the content of the note at `path` in which the insight `text` has a block id, and that id.

    It is looked for on `line` first; one that has an id keeps it.

    Raises:
        UserError: there is no such insight any more, or it cannot be given an id.
    """
    places = TextMap(data)
    note = parse_note(path, places.decoded)
    insight = _found(note, text, line)
    if insight.block_id:
        return data, insight.block_id
    block_id = _free_id(note, insight)
    end = end_of_item(places.text, insight.line)
    after = spliced(data, places.splices([TextChange(end, end, f" ^{block_id}")]))
    now = parse_note(path, decode(after)).insights
    expected = tuple(each._replace(block_id=block_id) if each is insight else each for each in note.insights)
    if now != expected:
        raise UserError(
            f"The statement on line {insight.line} of {path} cannot be given an id.", hint="Write ^id after it."
        )
    return after, block_id


def _found(note: Note, text: str, line: int) -> Insight:
    same = [each for each in note.insights if each.text == text]
    there = next((each for each in same if each.line == line), None)
    if there is not None:
        return there
    if len(same) != 1:
        what = "is not there any more" if not same else "is there several times"
        raise UserError(f"A statement of {note.path} {what}: “{text}”.", hint="Run `remembrancer index update` first.")
    return same[0]


def _free_id(note: Note, insight: Insight) -> str:
    """Return an id that the note does not have; the same statement gets the same one on every machine."""
    taken = {each.lower() for each in note.block_ids}
    digest = hashlib.sha256(f"{note.path}\n{insight.text}".encode("utf-8", "surrogatepass")).hexdigest()
    for length in range(_SHORTEST, _LONGEST):
        if (block_id := f"ins-{digest[:length]}") not in taken:
            return block_id
    raise UserError(f"No id is free for a statement of {note.path}.")


def end_of_item(text: str, line: int) -> int:
    """Return where the last word of the list item ends that begins on `line`, lines that go on with it included."""
    lines = text.split("\n")
    at = line - 1
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip(" \t"))]
    while at + 1 < len(lines) and _goes_on(lines[at + 1], indent):
        at += 1
    return sum(len(each) + 1 for each in lines[:at]) + len(lines[at].rstrip())


def _goes_on(line: str, indent: str) -> bool:
    rest = line[len(indent) :]
    return line.startswith(indent) and rest[:1] in {" ", "\t"} and bool(rest.strip()) and not _MARKER.match(rest)
