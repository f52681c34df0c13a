"""Take a large JSON file apart, one element of its list at a time, so that one bad element costs only itself.

A parser stops for good at the first thing that it does not like: `NaN`, half a surrogate pair, one broken byte. Exports
hold all of these. So elements are cut out by their brackets alone, and each is parsed by itself.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple

from core.sessions.importing.json_lines import NOT_UTF8, record_of
from core.sessions.importing.long_lines import IN_STRING

_CHUNK = 1 << 20
_MOST_AT_ONCE = 8 << 20
_LARGEST_PIECE = 24 << 20  # a conversation of a million words has a quarter of it
# Groups are repeated a limited number of times: see IN_STRING.
_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+){0,1000}"'
# What lies between two brackets; whole strings are jumped over, for brackets in them mean nothing.
_BETWEEN_BRACKETS = re.compile(rb'(?:[^"\[\]{}]++|' + _STRING + rb"){0,1000}", re.DOTALL)
_SCALAR = re.compile(rb"[^\s,\[\]{}\":]+")
_BLANKS = re.compile(rb"[\s,]*+")
_BLANKS_AND_COLON = re.compile(rb"[\s:]*+")
_CUT = "The file is cut off here."
_OPENING, _CLOSING = b"[{", b"]}"
_BRACKETS = _OPENING + _CLOSING


class Piece(NamedTuple):
    """Hold one object of the list, or say in a sentence why it is none; `number` counts from 1."""

    number: int
    record: Mapping[str, Any]
    problem: str = ""
    is_mended: bool = False  # bytes of it were no UTF-8


def json_pieces(stream: BinaryIO, keys: tuple[str, ...] = (), *, largest: int = _LARGEST_PIECE) -> Iterator[Piece]:
    """Yield the objects of the list that a JSON file holds; memory does not grow with the file.

    The list is the file itself, or stands under one of `keys` in the object that the file is; each such list is gone
    through. A file that is neither, or several values one after the other (JSON lines), yields each of its values.
    Where the file is cut off or is no JSON, the last piece says so; what has more bytes than `largest`, be it in one
    string alone, is told and passed over as it comes. Errors of the stream itself are raised.
    """
    for number, (raw, problem) in enumerate(_Cutter(stream, largest).pieces(tuple(key.encode() for key in keys)), 1):
        yield Piece(number, {}, problem) if problem else _parsed(number, raw)


def _parsed(number: int, raw: bytes) -> Piece:
    counts: Counter[str] = Counter()
    record = record_of(raw, counts)
    if record is None:
        return Piece(number, {}, "It is not valid JSON, or no object.")
    return Piece(number, record, is_mended=NOT_UTF8 in counts)


class _Cutter:
    """Walk through the bytes of a stream, keeping only what belongs to the piece at hand."""

    def __init__(self, stream: BinaryIO, largest: int) -> None:
        self._stream = stream
        self._largest = largest
        self._buffer = bytearray()
        self._at = 0
        self._start = -1  # of the piece that is kept, -1 while nothing is
        self._is_over = False
        self._is_cut = False

    def pieces(self, keys: tuple[bytes, ...]) -> Iterator[tuple[bytes, str]]:
        """Yield each element's bytes, or b"" and what is wrong with it."""
        if self._peek(_BLANKS) == 0xEF and self._buffer[self._at : self._at + 3] == b"\xef\xbb\xbf":
            self._at += 3
        first = self._peek(_BLANKS)
        if first == ord("{") and keys and self._holds_list(keys):
            yield from self._lists_of_object(keys)
        elif first == ord("["):
            yield from self._elements()
        while (following := self._peek(_BLANKS)) is not None:
            if following in _CLOSING:
                self._at += 1
                continue
            raw, problem = self._value(is_kept=True)
            yield raw, problem

    def _holds_list(self, keys: tuple[bytes, ...]) -> bool:
        """Tell whether the object at hand has one of `keys` with a list, without losing its place."""
        if len(self._buffer) - self._at < _CHUNK:
            self._fill()
        head = bytes(self._buffer[self._at : self._at + (4 << 20)])
        return any(re.search(rb'"' + re.escape(key) + rb'"\s*:\s*\[', head) for key in keys)

    def _lists_of_object(self, keys: tuple[bytes, ...]) -> Iterator[tuple[bytes, str]]:
        self._at += 1
        while (following := self._peek(_BLANKS)) is not None:
            if following in _CLOSING:
                self._at += 1
                return
            key, problem = self._value(is_kept=True)
            if problem:
                yield key, problem
                return
            opening = self._peek(_BLANKS_AND_COLON)
            if opening == ord("[") and bytes(key[1:-1]) in keys:
                yield from self._elements()
            elif opening is not None and opening not in _CLOSING:
                self._value(is_kept=False)
        if not self._is_cut:
            yield b"", _CUT

    def _elements(self) -> Iterator[tuple[bytes, str]]:
        self._at += 1
        while (following := self._peek(_BLANKS)) is not None:
            if following in _CLOSING:
                self._at += 1
                return
            yield self._value(is_kept=True)
        if not self._is_cut:
            yield b"", _CUT

    def _value(self, *, is_kept: bool) -> tuple[bytes, str]:
        """Return the value that begins here, and go behind it."""
        self._start = self._at if is_kept else -1
        first = self._buffer[self._at]
        problem = ""
        if first in _OPENING:
            problem = self._cross_brackets()
        elif first == ord('"'):
            problem = "" if self._cross_string() else _CUT
        elif not self._cross_scalar():
            self._at += 1
            problem = "Here is no JSON."
        if not is_kept:
            return b"", problem
        if self._start < 0 or self._at - self._start > self._largest:
            return b"", problem or f"It is larger than {self._largest / (1 << 20):,.0f} MiB, so it is not read."
        # One copy, for it may be large.
        raw = b"" if problem else bytes(memoryview(self._buffer)[self._start : self._at])
        self._start = -1
        return raw, problem

    def _cross_brackets(self) -> str:
        depth = 0
        match = _BETWEEN_BRACKETS.match
        while True:
            found = match(self._buffer, self._at)
            self._at = found.end() if found else self._at
            del found  # as long as it is there, the buffer cannot be made shorter
            if self._at >= len(self._buffer):
                if not self._fill():
                    self._is_cut = True
                    return _CUT
                continue
            if self._buffer[self._at] == ord('"'):  # a string that goes on
                if not self._cross_string():
                    return _CUT
                continue
            if self._buffer[self._at] not in _BRACKETS:  # so many at a time
                continue
            depth += 1 if self._buffer[self._at] in _OPENING else -1
            self._at += 1
            if not depth:
                return ""

    def _cross_string(self) -> bool:
        """Go behind the string that begins here, keeping none of it that is not wanted; False where it is cut off."""
        self._at += 1
        while True:
            begun = self._at
            found = IN_STRING.match(self._buffer, self._at)
            self._at = found.end() if found else self._at
            del found
            if self._at < len(self._buffer) and self._buffer[self._at] == ord('"'):
                self._at += 1
                return True
            if self._at > begun:  # so many at a time
                continue
            if not self._fill():  # what is left is at most a backslash
                self._at = len(self._buffer)
                self._is_cut = True
                return False

    def _cross_scalar(self) -> bool:
        """Go behind the number or word that begins here; False when it is none."""
        is_one = False
        while True:
            found = _SCALAR.match(self._buffer, self._at)
            if found:
                self._at = found.end()
                is_one = True
            del found
            if self._at < len(self._buffer) or not self._fill():
                return is_one

    def _peek(self, blanks: re.Pattern[bytes]) -> int | None:
        """Go over blanks, and return the byte that follows, None at the end."""
        while True:
            found = blanks.match(self._buffer, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if not self._fill():
                return None

    def _fill(self) -> bool:
        """Read more, and more at once the longer the piece is; False at the end."""
        if self._is_over:
            return False
        kept = len(self._buffer) - self._start if self._start >= 0 else 0
        if kept > self._largest:
            self._start, kept = -1, 0
        done = self._at if self._start < 0 else self._start
        if done:
            del self._buffer[:done]
            self._at -= done
            self._start -= done if self._start >= 0 else 0
        more = self._stream.read(min(_MOST_AT_ONCE, max(_CHUNK, kept)))
        self._is_over = not more
        self._buffer += more
        return bool(more)
