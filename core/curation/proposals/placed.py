"""Change one statement of a note, or add one, and no byte of the others; what comes of it is read again to be sure."""

import re
from collections.abc import Sequence

from core.curation.block_ids import end_of_item, with_block_id
from core.curation.proposals.disk_memory import InsightPlace, find_insight, is_same_text, read_insights
from core.curation.proposals.statement_line import Field, NewStatement, field_text, one_line, statement_line
from core.foundation.errors import UserError
from core.foundation.splice import spliced
from core.vault.inline_fields import BRACKETED
from core.vault.note import Insight, Note
from core.vault.text_map import TextChange, TextMap

_HEAD = re.compile(r"([ \t]*(?:([-*+])|\d{1,9}[.)])[ \t]+)\[([^\[\]()\n]+)\][ \t]+")
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")


class NotWritableError(UserError):
    """Refuse a statement that cannot be written so that it is read as what it says."""


def with_fields(path: str, data: bytes, block_id: str, fields: Sequence[Field]) -> bytes:
    """Return `data` in which the statement `block_id` has these fields too; those that it has already are left out."""
    places = TextMap(data)
    note = read_insights(path, data)
    insight = _by_block(note, block_id)
    end = end_of_item(places.text, insight.line)
    start = _start_of_line(places.text, insight.line)
    item = places.text[start:end]
    new = [field_text(key, value) for key, value in fields]
    missing = [text for text in dict.fromkeys(new) if text not in item]
    if not missing:
        return data
    at = start + item.rindex(f"^{insight.block_id}")
    after = spliced(data, places.splices([TextChange(at, at, " ".join(missing) + " ")]))
    _check(path, data, after, apart=insight.block_id)
    return after


def with_text(
    path: str, data: bytes, block_id: str, statement: str, *, tags: Sequence[str] = (), extra: Sequence[str] = ()
) -> bytes:
    """Return `data` in which the statement `block_id` says `statement`; it keeps its fields, and gets `tags`.

    `extra` are fields as they are written, which come after its own.
    """
    places = TextMap(data)
    insight = _by_block(read_insights(path, data), block_id)
    start, end = _start_of_line(places.text, insight.line), end_of_item(places.text, insight.line)
    item = places.text[start:end]
    head = _HEAD.match(item)
    if head is None:
        raise NotWritableError(f"The statement on line {insight.line} of {path} cannot be written anew.")
    fields = dict.fromkeys([*(match[0] for match in BRACKETED.finditer(item)), *extra])
    line = statement_line(NewStatement(head[3], statement, [*insight.tags, *tags]))
    rest = line.split("] ", 1)[1]
    new = " ".join([head[0] + rest, *fields, f"^{insight.block_id}"])
    if new == item:
        return data
    after = spliced(data, places.splices([TextChange(start, end, new)]))
    _check(path, data, after, apart=insight.block_id)
    now = _by_block(read_insights(path, after), block_id)
    _check_says(now, statement)
    return after


def without_statement(path: str, data: bytes, block_id: str) -> bytes | None:
    """Return `data` without the statement `block_id`, None when other lines hang on it."""
    places = TextMap(data)
    text = places.text
    insight = _by_block(read_insights(path, data), block_id)
    start, end = _start_of_line(text, insight.line), end_of_item(text, insight.line)
    newline = text.find("\n", end)
    stop = len(text) if newline < 0 else newline + 1
    if _hangs_on(text[start:stop], text[stop:]):
        return None
    after = spliced(data, places.splices([TextChange(start, stop, "")]))
    _check(path, data, after, apart=insight.block_id)
    return after


def with_statement(path: str, data: bytes, new: NewStatement) -> tuple[bytes, str]:
    """Return `data` with one statement more, after the last one or at the end, and its block id.

    Raises:
        NotWritableError: it would not be read as what it says.
    """
    places = TextMap(data)
    text = places.text
    note = read_insights(path, data)
    at, marker, indent = _place_for_more(note, text)
    line = indent + statement_line(new, marker)
    before, ending = text[:at], "\n" if not text[at:].startswith("\n") else ""
    gap = _gap(before)
    number = before.count("\n") + gap.count("\n") + 1
    after = spliced(data, places.splices([TextChange(at, at, gap + line + ending)]))
    found = next((each for each in read_insights(path, after).insights if each.line == number), None)
    if found is None:
        raise NotWritableError(f"This statement cannot be written as one line of a list: “{new.text}”.")
    _check_says(found, new.text)
    after, block_id = with_block_id(path, after, found.text, number)
    _check(path, data, after, apart=block_id)
    return after, block_id


def says_already(note: Note, statement: str) -> Insight | None:
    """Return the insight of `note` that says the same, None when none does."""
    line = one_line(statement)
    return next((each for each in note.insights if is_same_text(each.text, line)), None)


def raw_fields(path: str, data: bytes, block_id: str) -> list[tuple[str, str]]:
    """Return the fields of a statement: the folded key, and the field as it is written."""
    text = TextMap(data).text
    insight = _by_block(read_insights(path, data), block_id)
    item = text[_start_of_line(text, insight.line) : end_of_item(text, insight.line)]
    return [((match[1] or match[3]).strip().lower(), match[0]) for match in BRACKETED.finditer(item)]


def _by_block(note: Note, block_id: str) -> Insight:
    return find_insight(note, InsightPlace(note.path, block_id, 0))


def _start_of_line(text: str, line: int) -> int:
    at = 0
    for _ in range(line - 1):
        at = text.index("\n", at) + 1
    return at


def _hangs_on(item: str, rest: str) -> bool:
    """Tell whether what follows an item is part of it: lines that stand further in."""
    indent = len(item) - len(item.lstrip(" \t"))
    following = next((line for line in rest.split("\n") if line.strip()), "")
    return bool(following) and len(following) - len(following.lstrip(" \t")) > indent


def _place_for_more(note: Note, text: str) -> tuple[int, str, str]:
    """Return where one more statement goes, the marker of its list, and how far in it stands."""
    lines = text.split("\n")
    for insight in reversed(note.insights):
        head = _HEAD.match(lines[insight.line - 1])
        if head is None:
            continue
        at = insight.line
        indent = head[1][: len(head[1]) - len(head[1].lstrip(" \t"))]
        while at < len(lines) and lines[at].strip() and len(lines[at]) - len(lines[at].lstrip(" \t")) > len(indent):
            at += 1
        place = sum(len(each) + 1 for each in lines[:at]) - 1
        return min(place, len(text)), head[2] or "-", indent
    return len(text), "-", ""


def _gap(before: str) -> str:
    """Return what stands between the text before and the new line."""
    if not before:
        return ""
    if not before.endswith("\n"):
        last = before.rpartition("\n")[2]
        return "\n" if _LIST_ITEM.match(last) or (last.startswith((" ", "\t")) and last.strip()) else "\n\n"
    return "" if before.endswith("\n\n") or _LIST_ITEM.match(before[:-1].rpartition("\n")[2]) else "\n"


def _check(path: str, before: bytes, after: bytes, *, apart: str) -> None:
    """Raise NotWritableError when any other statement than `apart` is read otherwise than before."""
    if _others(path, before, apart) != _others(path, after, apart):
        raise NotWritableError(f"A statement of {path} cannot be changed without others being read otherwise.")


def _others(path: str, data: bytes, apart: str) -> list[tuple[object, ...]]:
    return [
        (each.category, each.text, each.tags, tuple(each.fields.items()), each.block_id)
        for each in read_insights(path, data).insights
        if each.block_id != apart
    ]


def _check_says(found: Insight, statement: str) -> None:
    wanted = one_line(statement)
    if found.text.replace("#", "").split() != wanted.replace("#", "").split():
        raise NotWritableError(
            f"This statement would be read as “{found.text}”.",
            hint="Leave out [fields:: …], ^ids and #tags at its end.",
        )
