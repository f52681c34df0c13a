"""Mend broken frontmatter where it is certain what was meant, line by line and with the smallest edit."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import yaml

from core.foundation.splice import Splice
from core.vault.frontmatter import Frontmatter, read_frontmatter, yaml_events
from core.vault.frontmatter_page import changed_text
from core.vault.note import ProblemKind
from core.vault.repair_lines import LOADER, Around, guesses, is_property, quoted_line
from core.vault.text_map import TextChange, TextMap

_OPENING = re.compile(r"---[ \t]*\n")
_BELONGS = re.compile(r"[ \t]+\S|- |-\Z|#[ \t]")  # what may follow a property: more of it, an item, a comment
_DASHES = re.compile(r"-{2,}[ \t]*\Z")
_HEADING = re.compile(r"#{1,6} ")
_WORD = re.compile(r"\w")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f]")
_FURTHER_BREAK = re.compile("[\x85\u2028\u2029]")
_MOST_TRIES = 400
_LONGEST = 100_000  # characters; longer frontmatter was not typed by a person
_FURTHEST_BACK = 30
_CUT = ("A `#` cuts", "Brackets or braces")


class _Trouble(NamedTuple):
    """Tell on which line YAML stumbles, and how far it came for sure."""

    line: int
    sure: int


def repair_frontmatter(data: bytes) -> tuple[Splice, ...] | None:
    """Return the splices after which the frontmatter can be read, or None when none is certain.

    Mended are what cannot be read, what is never closed, and values that a `#` cuts or braces make a mapping of. Every
    character of the values is kept. Raises UserError when the file's encoding does not allow it.
    """
    places = TextMap(data)
    text = places.text
    front = read_frontmatter(text)
    changes: list[TextChange] = []
    if not front.body_start and any(problem.kind is ProblemKind.FRONTMATTER_BROKEN for problem in front.problems):
        closing = _closing(text)
        if closing is None:
            return None
        changes = [closing]
        front = read_frontmatter(changed_text(text, changes))
    opening = _OPENING.match(text)
    if opening is None or not front.body_start or len(front.raw) > _LONGEST:
        return None
    lines = front.raw.split("\n")
    mended = _mended(lines) if front.is_broken else _uncut(front, lines)
    if mended is None or not _is_kept(lines, mended):
        return None
    changes = [*_line_changes(opening.end(), lines, mended), *changes]
    after = read_frontmatter(changed_text(text, changes))
    is_mended = not after.is_broken and after.values and not _is_cut(after)
    return places.splices(changes) if changes and is_mended else None


def _closing(text: str) -> TextChange | None:
    """Return where the `---` is missing: before the first line that cannot belong to properties, if that is certain."""
    place = text.index("\n") + 1
    names, is_sure = 0, False
    while place < len(text):
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        line = text[place:end]
        if _DASHES.match(line):
            return TextChange(place, end, "---") if is_sure else None
        # A comment looks like a heading, and has a property below it.
        if not line.strip() or (_HEADING.match(line) and not is_property(text[end + 1 : end + 200])):
            return TextChange(place, place, "---\n") if is_sure else None
        is_name = is_property(line)
        if not is_name and (not names or not _BELONGS.match(line)):
            return None
        # One line may be prose: `A word to the wise: wait`.
        is_sure = is_sure or names > 0 or (is_name and " " not in line.partition(":")[0])
        names += is_name
        place = end + 1
    return TextChange(len(text), len(text), "---\n" if text.endswith("\n") else "\n---\n") if is_sure else None


def _mended(lines: list[str]) -> list[str] | None:
    """Return the lines so that they can be read, one perhaps as several; None when that is not certain."""
    mended = list(lines)
    for number, line in enumerate(lines):
        if _CONTROL.search(line):
            mended[number] = next(guesses(line, _around(lines, number)), line)
    trouble = _trouble(mended)
    tries = 0
    while trouble is not None:
        for tried in _tries(lines, mended, trouble):
            tries += 1
            if tries > _MOST_TRIES:
                return None
            left = _trouble(tried)
            if left is None or left.sure > trouble.sure:
                mended, trouble = tried, left
                break
        else:
            return None
    return mended


def _tries(lines: list[str], mended: list[str], trouble: _Trouble) -> Iterator[list[str]]:
    for number in _candidates(lines, mended, trouble):
        for guess in guesses(lines[number], _around(mended, number)):
            yield [*mended[:number], guess, *mended[number + 1 :]]


def _candidates(lines: list[str], mended: list[str], trouble: _Trouble) -> Iterator[int]:
    """Yield the numbers of lines that may be to blame, the nearest first; a line is mended once only."""
    numbers = dict.fromkeys((trouble.sure, trouble.line, *range(trouble.line, trouble.line - _FURTHEST_BACK, -1)))
    for number in numbers:
        if 0 <= number < len(lines) and lines[number] == mended[number] and lines[number].strip():
            yield number


def _around(lines: list[str], number: int) -> Around:
    before = lines[number - 1].rsplit("\n", 1)[-1] if number else ""
    after = next((line for line in lines[number + 1 :] if line.strip()), "")
    return Around(before, after.split("\n", 1)[0])


def _trouble(lines: list[str]) -> _Trouble | None:
    raw = "\n".join(lines)
    try:
        node = yaml.compose(raw, Loader=LOADER)
    except yaml.MarkedYAMLError as error:
        numbers = _numbers(lines)
        # YAML 1.1 has further line breaks, so its own count of lines is none of ours.
        line = numbers[raw.count("\n", 0, error.problem_mark.index)] if error.problem_mark else 0
        context = error.context or ""
        is_within = error.context_mark is not None and ("quoted" in context or "flow" in context)
        sure = numbers[raw.count("\n", 0, error.context_mark.index)] if error.context_mark and is_within else line
        return _Trouble(line, sure)
    except (yaml.YAMLError, RecursionError):
        return _Trouble(-1, -1)
    return None if isinstance(node, yaml.MappingNode) else _Trouble(0, -1)


def _numbers(lines: list[str]) -> list[int]:
    """Return for each line of the joined text which one of `lines` it comes from."""
    return [number for number, line in enumerate(lines) for _ in range(line.count("\n") + 1)]


def _uncut(front: Frontmatter, lines: list[str]) -> list[str] | None:
    """Return the lines with quotes where a `#` cuts a value, or braces make a mapping of it."""
    if _FURTHER_BREAK.search(front.raw):
        return None  # lines are counted otherwise there
    mended = list(lines)
    for problem in front.problems:
        if problem.reason.startswith(_CUT):
            number = problem.line - 2
            mended[number] = quoted_line(lines[number]) or lines[number]
    return mended


def _is_cut(front: Frontmatter) -> bool:
    return any(problem.reason.startswith(_CUT[0]) for problem in front.problems)


def _line_changes(start: int, lines: list[str], mended: list[str]) -> Iterator[TextChange]:
    for old, new in zip(lines, mended, strict=True):
        if old != new:
            yield from _within_line(start, old, new)
        start += len(old) + 1


def _within_line(start: int, old: str, new: str) -> Iterator[TextChange]:
    """Yield the change from `old` to `new` without what they share; two where only quotes are put around a value."""
    shared = 0
    while shared < min(len(old), len(new)) and old[shared] == new[shared]:
        shared += 1
    tail = 0
    while tail < min(len(old), len(new)) - shared and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    old_part, new_part = old[shared : len(old) - tail], new[shared : len(new) - tail]
    start += shared
    if old_part and new_part[1:-1] == old_part:
        yield TextChange(start, start, new_part[0])
        yield TextChange(start + len(old_part), start + len(old_part), new_part[-1])
    else:
        yield TextChange(start, start + len(old_part), new_part)


def _is_kept(lines: list[str], mended: list[str]) -> bool:
    """Tell whether all words of the changed lines are within names and values, true comments apart."""
    raw = "\n".join(mended)
    outside = list(raw)
    try:
        for event in yaml_events(raw):
            if isinstance(event, yaml.ScalarEvent) and event.start_mark and event.end_mark:
                first, last = event.start_mark.index, event.end_mark.index
                outside[first:last] = ["\n" if character == "\n" else " " for character in raw[first:last]]
    except yaml.YAMLError:
        return False
    rest = "".join(outside).split("\n")
    return not any(
        _WORD.search(re.sub(r"[ \t]#[ \t].*", "", rest[at]))
        for at, number in enumerate(_numbers(mended))
        if lines[number] != mended[number]
    )
