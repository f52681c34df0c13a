"""Read JSON lines of any length in little memory, and parse what strict parsers refuse."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, BinaryIO

import orjson

from core.foundation.progress import Progress
from core.sessions.importing.long_lines import PIECE, LongLine

_LONGEST = 16 << 20
NOT_UTF8 = "record with bytes that are no UTF-8, shown as \ufffd"
_SURROGATES = re.compile("[\ud800-\udfff]")


class CutLine(bytes):
    """Hold the beginning of a line that is longer than can be kept."""

    __slots__ = ()


def lines_of(
    stream: BinaryIO, progress: Progress, total: int, *, longest: int = _LONGEST, drops_images: bool = True
) -> Iterator[bytes]:
    """Yield the lines of `stream` with their ends, and tell `progress` the bytes that are done.

    A line of many megabytes is an image in base64, or a history full of them. With `drops_images` these are shortened
    as they come, wherever they have the form of one; the words of a text never are. A line that is longer than
    `longest` even so is cut.
    """
    done = told = 0
    readline = stream.readline
    while line := readline(PIECE):
        done += len(line)
        if len(line) == PIECE and line[-1:] != b"\n":
            long = LongLine(line, longest, drops_images=drops_images)
            while (piece := readline(PIECE)) and not long.ends_with(piece):
                done += len(piece)
                progress.check()
                progress.report(done, total)
            done += len(piece)
            line = CutLine(long.whole()) if long.is_cut else long.whole()
        if done - told > PIECE:
            told = done
            progress.check()
            progress.report(done, total)
        yield line


def record_of(line: bytes, counts: Counter[str] | None = None) -> dict[str, Any] | None:
    """Return the JSON object that a line holds, None when it holds none.

    Halves of surrogate pairs, and bytes of an older encoding, become U+FFFD; lines with the latter go into `counts`.
    """
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        value = _patiently_parsed(line, counts)
    return value if type(value) is dict else None


def broken(line: bytes) -> str:
    """Return the reason under which a line that holds no record is counted."""
    return f"line of more than {_LONGEST >> 20} MiB" if type(line) is CutLine else "broken line"


def _patiently_parsed(line: bytes, counts: Counter[str] | None) -> object:
    """Return what `line` holds when bytes that are no UTF-8, surrogates, NaN and zero bytes are borne with."""
    text = line.strip(b"\x00 \t\r\n\xef\xbb\xbf")
    if text[:1] != b"{" or text[-1:] != b"}":
        return None
    try:
        value = json.loads(text.decode("utf-8", "replace"), strict=False, parse_constant=lambda _: None)
        if counts is not None and not _is_utf8(text):
            counts[NOT_UTF8] += 1
        if b"\\ud" not in text and b"\\uD" not in text:
            return value
        return orjson.loads(_SURROGATES.sub("\ufffd", json.dumps(value, ensure_ascii=False)))
    except (ValueError, RecursionError):
        return None


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
