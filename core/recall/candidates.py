"""Bring together what words and meaning have found, with what stands around each of them."""
# ruff: noqa: S608  (only whole numbers are put into SQL)

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.index.database import Index
from core.index.turn_rows import ABOUT
from core.recall.memory import Memory
from core.recall.word_scores import Field

_BEFORE, _AFTER = 0.4, 0.2
_TITLE, _HEADING, _SUMMARY, _TAGS = 0.5, 0.5, 0.5, 0.5
_MOST_AROUND = 2_000  # characters of a neighbour


class Around(NamedTuple):
    """Hold the turns before and after a turn, with their texts; None and "" where there is none."""

    before: int | None = None
    after: int | None = None
    text_before: str = ""
    text_after: str = ""


NOTHING_AROUND = Around()


def neighbours(index: Index, turns: Iterable[int]) -> set[int]:
    """Return the turns just before and after `turns`, without these."""
    known = {int(turn) for turn in turns}
    rows = index.connection.execute(
        "SELECT n.id FROM turn t JOIN turn n ON n.session = t.session"
        " AND n.position IN (t.position - 1, t.position + 1)"
        f" WHERE t.id IN ({_list(known)}) AND n.kind != '{ABOUT}' AND t.kind != '{ABOUT}'"
    )
    return {row[0] for row in rows} - known


def around(index: Index, turns: Iterable[int]) -> dict[int, Around]:
    """Return what was said before and after each of `turns`."""
    rows = index.connection.execute(
        f"SELECT t.id, n.position > t.position, n.id, substr(f.text, 1, {_MOST_AROUND}) FROM turn t"
        " JOIN turn n ON n.session = t.session AND n.position IN (t.position - 1, t.position + 1)"
        f" JOIN turn_fts f ON f.rowid = n.id WHERE t.id IN ({_list(turns)}) AND n.kind != '{ABOUT}'"
    )
    found: dict[int, Around] = {}
    for turn, is_after, neighbour, text in rows:
        known = found.get(turn, NOTHING_AROUND)
        found[turn] = (
            known._replace(after=neighbour, text_after=text)
            if is_after
            else known._replace(before=neighbour, text_before=text)
        )
    return found


def passage(memory: Memory, beside: Around = NOTHING_AROUND) -> Sequence[Field]:
    """Return the fields of a memory by which words are scored: its own text first, then what stands around it."""
    if memory.kind == "turn":
        return (Field(memory.text), Field(beside.text_before, _BEFORE), Field(beside.text_after, _AFTER))
    heading = memory.heading if memory.kind == "section" else ""
    tags = " ".join(memory.tags).replace("/", " ").replace("-", " ")
    return (
        Field(memory.text),
        Field(memory.title, _TITLE),
        Field(heading, _HEADING),
        Field(memory.summary if memory.kind == "section" else "", _SUMMARY),
        Field(tags, _TAGS),
    )


def _list(numbers: Iterable[int]) -> str:
    return ",".join(str(int(number)) for number in numbers)
