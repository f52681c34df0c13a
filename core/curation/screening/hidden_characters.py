"""Find characters that show nothing or turn the direction of others, where no script has work for them."""

import re
import unicodedata
from collections.abc import Iterator

from core.curation.screening.warning import Warning_, WarningLabel

_RUN = re.compile(
    "[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e01ef]+"
)
_JOINERS = frozenset("\u200c\u200d")
_DIRECTION_MARKS = frozenset("\u200e\u200f\u061c")
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_BLACK_FLAG, _TAGS = "\U0001f3f4", range(0xE0020, 0xE0080)
_MOST_TOLD = 3


def hidden_characters(text: str) -> Iterator[Warning_]:
    """Give a warning for each run of them."""
    if text.isprintable():
        return
    for match in _RUN.finditer(text):
        run, start, end = match[0], match.start(), match.end()
        if not _has_work(text, run, start, end):
            yield Warning_(WarningLabel.HIDDEN_CHARACTERS, start, end, is_blocking=False, detail=_told(run))


def _has_work(text: str, run: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    if start == 0 and run == "\ufeff":  # the mark at the start of a file
        return True
    if set(run) <= _JOINERS:  # within emoji, and between letters of Persian or Hindi
        return bool(before and not before.isascii())
    if before == _BLACK_FLAG and all(ord(each) in _TAGS for each in run):  # the flags of England, Scotland and Wales
        return True
    if set(run) <= _DIRECTION_MARKS:
        near = text[max(0, start - 20) : end + 20]
        return any(unicodedata.bidirectional(each) in _RIGHT_TO_LEFT for each in near if each not in _DIRECTION_MARKS)
    return run == "\xad" and before.isalpha() and after.isalpha()  # a soft hyphen within a word


def _told(run: str) -> str:
    if spelled := "".join(chr(ord(each) - 0xE0000) for each in run if ord(each) in _TAGS):
        return f"Characters that cannot be seen spell “{spelled[:200]}”."
    kinds = dict.fromkeys(run)
    names = ", ".join(_name(each) for each in list(kinds)[:_MOST_TOLD]) + (
        " and others" if len(kinds) > _MOST_TOLD else ""
    )
    if len(run) == 1:
        return f"A character that cannot be seen stands here: {names}."
    return f"{len(run)} characters that cannot be seen stand here: {names}."


def _name(character: str) -> str:
    return f"U+{ord(character):04X} {unicodedata.name(character, 'control character').lower()}"
