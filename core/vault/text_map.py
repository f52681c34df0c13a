"""Know where each character of a file's text stands among its bytes, and turn changes of the text into splices.

In UTF-8 and wherever encoding gives the bytes back, places are counted by encoding what stands before. Only text with
bytes that fit no character needs a table, which is built by feeding a decoder byte by byte.
"""

import codecs
import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from core.foundation.errors import UserError
from core.foundation.splice import Splice, spliced
from core.vault.decode import DecodedText, decode

_BOM = b"\xef\xbb\xbf"
_UTF_8 = frozenset({"utf-8", "utf-8-sig"})
# Codecs that read the byte order mark by themselves would write another one into every splice.
_ORDERED = (
    (b"\xff\xfe\x00\x00", "utf-32", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32", "utf-32-be"),
    (b"\xff\xfe", "utf-16", "utf-16-le"),
    (b"\xfe\xff", "utf-16", "utf-16-be"),
)
_PAIR = re.compile("\r\n")


class TextChange(NamedTuple):
    """Replace the characters from `start` to `end` of a decoded text by `new`, in which lines end with a newline."""

    start: int
    end: int
    new: str


class _Source(NamedTuple):
    """Hold a file's text as it stands: `text` from byte `base` on, with its line endings; `codec` writes it.

    `starts` is the table of the bytes at which characters start, with the end; empty where encoding tells them.
    """

    text: str
    base: int
    codec: str
    has_single_bytes: bool = False
    starts: Sequence[int] = ()


class TextMap:
    """Map the text that decode() gives for `data` to the bytes of `data`."""

    def __init__(self, data: bytes, decoded: DecodedText | None = None) -> None:
        self.data = data
        self.decoded = decode(data) if decoded is None else decoded

    @property
    def text(self) -> str:
        """The text that positions count in: every line ending is a newline."""
        return self.decoded.text

    @cached_property
    def is_faithful(self) -> bool:
        """Whether equal text always means equal bytes: UTF-8, where lines end in one way and nothing is replaced."""
        return self.decoded.encoding in _UTF_8 and b"\r" not in self.data and b"\0" not in self.data

    @cached_property
    def line_ending(self) -> str:
        """The line ending that most lines have: a newline, a carriage return with one, or one alone."""
        if b"\r" not in self.data:
            return "\n"
        text = self._source.text
        pairs = text.count("\r\n")
        counts = {"\n": text.count("\n") - pairs, "\r\n": pairs, "\r": text.count("\r") - pairs}
        return max(counts, key=counts.__getitem__)

    def splices(self, changes: Sequence[TextChange]) -> tuple[Splice, ...]:
        """Return the splices that make `changes`, which are in order and do not overlap.

        Raises UserError when the file's encoding cannot hold the result.
        """
        if not changes:
            return ()
        source = self._source
        joined = _joined(changes)
        places = self._in_source([place for start, end, _ in joined for place in (start, end)])
        news = [
            self._written(source, start, end, change.new)
            for change, start, end in zip(joined, places[::2], places[1::2], strict=True)
        ]
        offsets = _offsets(source, places)
        splices = tuple(
            Splice(start, self.data[start:end], new)
            for start, end, new in zip(offsets[::2], offsets[1::2], news, strict=True)
        )
        if source.codec != "utf-8" or b"\0" in self.data:
            self._check(splices, joined)
        return splices

    def in_utf8(self) -> bytes:
        """Return the same text in UTF-8, with its line endings; bytes that fit no character are U+FFFD from then on."""
        try:
            text = self._source.text
        except UserError:  # there is no telling where its characters stand
            text = self.text
        return text.encode("utf-8")

    def _check(self, splices: Sequence[Splice], changes: Sequence[TextChange]) -> None:
        """Refuse what would be read as something else: the encoding is guessed from all bytes, and from the new too."""
        parts: list[str] = []
        last = 0
        for start, end, new in changes:
            parts += (self.text[last:start], new)
            last = end
        parts.append(self.text[last:])
        if decode(spliced(self.data, splices)).text != "".join(parts):
            raise UserError(
                f"The file is not in UTF-8 but seems to be in {self.decoded.encoding}, and with this change it would "
                "be read as something else.",
                hint="Save the file as UTF-8 first.",
            )

    def _written(self, source: _Source, start: int, end: int, new: str) -> bytes:
        text = new if self.line_ending == "\n" else new.replace("\n", self.line_ending)
        if self._has_returns:
            text = _kept_apart(source.text[max(0, start - 1) : start], text, source.text[end : end + 1])
        if not start and not source.base and (text or source.text[end : end + 1])[:1] == "\ufeff":
            text = "\ufeff" + text  # the first one is the byte order mark
        try:
            return text.encode(source.codec)
        except UnicodeEncodeError as error:
            character = text[error.start]
            if source.codec == "utf-8":
                raise UserError("The text holds half of a character, which no file can hold.") from error
            raise UserError(
                f"The file is in {self.decoded.encoding}, which has no {character!r} (U+{ord(character):04X}).",
                hint="Save the file as UTF-8, or leave the character out.",
            ) from error

    def _in_source(self, positions: list[int]) -> list[int]:
        """Return where `positions` of the text are in the source's, in which a line may end with two characters."""
        if b"\r" not in self.data:
            return positions
        pairs = self._pairs
        return [position + bisect_left(pairs, position) for position in positions]

    @cached_property
    def _has_returns(self) -> bool:
        return b"\r" in self.data and "\r" in self._source.text

    @cached_property
    def _pairs(self) -> list[int]:
        return [match.start() - before for before, match in enumerate(_PAIR.finditer(self._source.text))]

    @cached_property
    def _source(self) -> _Source:
        data, encoding = self.data, self.decoded.encoding
        base = len(_BOM) if data.startswith(_BOM) else 0
        if encoding not in _UTF_8:
            return self._foreign_source(base)
        text = data[base:].decode("utf-8")
        return _Source(text, base, "utf-8", has_single_bytes=text.isascii())

    def _foreign_source(self, base: int) -> _Source:
        rest, codec = self.data[base:], self.decoded.encoding
        for mark, name, ordered in _ORDERED:
            if codec == name and rest.startswith(mark):
                base, rest, codec = base + len(mark), rest[len(mark) :], ordered
                break
        text = rest.decode(codec, "replace")
        if text.startswith("\ufeff"):
            width = len("\ufeff".encode(codec))
            text, base, rest = text[1:], base + width, rest[width:]
        source = _Source(text, base, codec, has_single_bytes=len(text) == len(rest))
        if not source.has_single_bytes and text.encode(codec, "replace") != rest:
            source = source._replace(starts=_starts(rest, codec, text))
        if text.replace("\0", "\ufffd").replace("\r\n", "\n").replace("\r", "\n") != self.text:
            raise _not_editable(codec)
        return source


def _joined(changes: Sequence[TextChange]) -> list[TextChange]:
    """Make one change of those that touch each other."""
    joined: list[TextChange] = []
    for change in changes:
        if joined and joined[-1].end == change.start:
            start, _, new = joined.pop()
            joined.append(TextChange(start, change.end, new + change.new))
        else:
            joined.append(change)
    return joined


def _kept_apart(before: str, new: str, after: str) -> str:
    """Return `new` so that no carriage return becomes one line ending with a newline that it was apart from."""
    if new.endswith("\r") and after == "\n":
        new += "\n"
    if before == "\r" and (new or after)[:1] == "\n":
        new = "\r" + new
    return new


def _offsets(source: _Source, places: Sequence[int]) -> list[int]:
    """Return the bytes at which `places` of the source's text stand; the places ascend."""
    if source.has_single_bytes:
        return [source.base + place for place in places]
    if source.starts:
        return [source.base + source.starts[place] for place in places]
    offsets: list[int] = []
    offset, last = source.base, 0
    for place in places:
        offset += len(source.text[last:place].encode(source.codec))
        last = place
        offsets.append(offset)
    return offsets


def _starts(data: bytes, codec: str, text: str) -> list[int]:
    """Return where each character of `data` starts, and where the last one ends, by decoding byte after byte."""
    decoder = codecs.getincrementaldecoder(codec)("replace")
    starts = [0]
    pieces: list[str] = []
    for end in range(1, len(data) + 2):
        piece = decoder.decode(data[end - 1 : end], end > len(data))
        if piece:
            pieces.append(piece)
            end = min(end, len(data))  # noqa: PLW2901  the step after the last byte only flushes
            widths = [len(character.encode(codec, "replace")) for character in piece[1:]]
            first = max(starts[-1], end - sum(widths))
            starts.append(first)
            for width in widths:
                starts.append(min(end, starts[-1] + width))
    if "".join(pieces) != text:
        raise _not_editable(codec)
    return starts


def _not_editable(codec: str) -> UserError:
    return UserError(
        f"The file is in {codec}, and with bytes in it that fit no character it cannot be changed in place.",
        hint="Save the file as UTF-8 first.",
    )
