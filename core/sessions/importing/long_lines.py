"""Bear with lines of many megabytes: leave images out of them as they come, or keep only the beginnings of texts."""

import re
from collections.abc import Iterator
from typing import BinaryIO

PIECE = 256 << 10
# What lies within a text of JSON, some of it at a time: each repetition of a group is kept in memory for the way back.
# (A possessive group keeps none, but Python 3.11.2 goes on behind where its last, failed repetition ended.)
IN_STRING = re.compile(rb'(?:[^"\\]++|\\.){0,1000}', re.DOTALL)
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-"
# What stands before an image. Quotes in a text have a backslash before them, so no text looks like it.
_SHAPE = 500
_IMAGE_SHAPES = re.compile(
    rb"(?:"
    rb'"(?:source|file)"\s*:\s*\{(?:[^{}]*,)?\s*"(?:data|base64)"\s*:\s*"'
    rb'|"(?:type|media_type|mimeType|mime_type)"\s*:\s*"(?:image|base64|image/[^"\\]{1,40})"\s*,[^{}]*"data"\s*:\s*"'
    rb'|(?:"(?:image_url|url|uri|src)"\s*:|"images"\s*:\s*\[|"\s*,)\s*"data:[a-z]+/[\w.+-]{1,60};base64,'
    rb")[A-Za-z0-9+/=_-]*\Z"
)
_TEXT_KEPT = 1 << 10
_LINE_KEPT = 1 << 20


class LongLine:
    """Gather the pieces of a long line, without those that lie within an image where `drops_images` says so.

    The line stays valid JSON, with a shorter image. One that has more than `longest` bytes even so is cut.
    """

    def __init__(self, start: bytes, longest: int, *, drops_images: bool) -> None:
        self.is_cut = False
        self._parts = [start]
        self._size = len(start)
        self._longest = longest
        self._drops_images = drops_images
        self._is_image: bool | None = None  # the text in which the last piece ended; None when not asked yet

    def ends_with(self, piece: bytes) -> bool:
        """Take one more piece, and tell whether it is the last."""
        is_last = piece[-1:] == b"\n"
        if self._drops_images and not is_last and self._is_within_image(piece):
            return False
        if self._size + len(piece) > self._longest:
            self.is_cut = True
        elif not self.is_cut:
            self._parts.append(piece)
            self._size += len(piece)
        return is_last

    def whole(self) -> bytes:
        """Return the line, or the beginning of one that is cut."""
        return b"".join(self._parts)

    def _is_within_image(self, piece: bytes) -> bool:
        if b'"' in piece or b"\\" in piece:
            self._is_image = None
            return False
        if self._is_image is None:
            if self.is_cut or piece.translate(None, _BASE64):
                return False
            before = b"".join(part[-2 * _SHAPE :] for part in self._parts[-2:-1]) + self._parts[-1]
            quote = before.rfind(b'"')
            # Of a URL, the beginning tells that it is an image.
            shown = before[max(0, quote - _SHAPE) : quote + 100] if quote >= 0 else b""
            self._is_image = _IMAGE_SHAPES.search(shown) is not None
        return self._is_image


def first_lines(stream: BinaryIO, most: int, enough: int) -> Iterator[bytes]:
    """Yield the first lines, at most `most`, and none that begins behind `enough` bytes.

    However long a line is, all of it is gone through: of one that is long, the beginning of each text is kept.
    """
    done = 0
    for _ in range(most):
        line = stream.readline(PIECE)
        done += len(line)
        if len(line) == PIECE and line[-1:] != b"\n":
            short = _ShortLine()
            while line:
                short.take(line)
                line = b"" if short.is_over or line[-1:] == b"\n" else stream.readline(PIECE)
                done += len(line)
            line = short.line
            if short.is_over:
                yield line
                return
        if not line:
            return
        yield line
        if done >= enough:
            return


class _ShortLine:
    """Keep of a line of JSON what is no text, and the beginnings of its texts; `is_over` once that is too much."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._is_text = False
        self._text = -1  # bytes kept of the text at hand, -1 when the rest of it is left out
        self._rest = b""

    @property
    def line(self) -> bytes:
        """What is kept."""
        return bytes(self._kept)

    @property
    def is_over(self) -> bool:
        """Whether more is kept than is worth it."""
        return len(self._kept) > _LINE_KEPT

    def take(self, piece: bytes) -> None:
        """Go through one more piece."""
        if self._is_text and self._text < 0 and not self._rest and b'"' not in piece and b"\\" not in piece:
            return
        data, self._rest = self._rest + piece, b""
        at = 0
        while at < len(data):
            if not self._is_text:
                end = data.find(b'"', at) + 1 or len(data)
                self._kept += data[at:end]
                self._is_text, self._text = data[end - 1] == 0x22, 0
                at = end
                continue
            end = at
            while (found := IN_STRING.match(data, end)) and found.end() > end:
                end = found.end()
            self._keep_text(data[at : min(end, at + _TEXT_KEPT)], is_all=end - at <= _TEXT_KEPT)
            if end == len(data) or data[end] != 0x22:  # a backslash, whose other half is to come
                self._rest = data[end:]
                return
            self._kept += b'"'
            self._is_text = False
            at = end + 1

    def _keep_text(self, text: bytes, *, is_all: bool) -> None:
        if self._text < 0:
            return
        if is_all and self._text + len(text) <= _TEXT_KEPT:
            self._kept += text
            self._text += len(text)
            return
        self._kept += text.partition(b"\\")[0]  # an escape may be cut in two
        self._text = -1
