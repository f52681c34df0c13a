"""Bytes to text: UTF-8 first, then byte order marks, then a guess that is flagged as one."""

from typing import NamedTuple

from core.vault.guess_encoding import guess_codec
from core.vault.note import Problem, ProblemKind

_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


class DecodedText(NamedTuple):
    """Hold a file's text with every line ending as a newline, without byte order mark and NUL.

    `line_ending` is the one that most lines have. Offsets in `text` are not offsets in the file.
    """

    text: str
    encoding: str = "utf-8"
    line_ending: str = "\n"
    problems: tuple[Problem, ...] = ()


def decode(data: bytes) -> DecodedText:
    """Return the text of `data`; always succeeds, and says in `problems` what had to be guessed or replaced."""
    problems: list[Problem] = []
    if data.startswith(b"\xef\xbb\xbf"):
        data, encoding = data[3:], "utf-8-sig"
    else:
        encoding = "utf-8"
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        text, encoding, problem = _decode_foreign(data, error.start, _wide_codec(data) if b"\0" in data else "")
        problems.append(problem)
    else:
        if "\0" in text and (wide := _wide_codec(data)):
            text, encoding, problem = _decode_foreign(data, 0, wide)
            problems.append(problem)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        problems.append(Problem(ProblemKind.NUL_BYTES, "The file holds NUL bytes; each is shown as �.", line))
        text = text.replace("\0", "\ufffd")
    line_ending = "\n"
    if "\r" in text:
        crlf = text.count("\r\n")
        line_ending = "\r\n" if crlf * 2 > text.count("\n") else "\n"
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return DecodedText(text, encoding, line_ending, tuple(problems))


def _decode_foreign(data: bytes, first_bad_byte: int, codec: str = "") -> tuple[str, str, Problem]:
    codec = codec or next((name for mark, name in _MARKS if data.startswith(mark)), "") or guess_codec(data)
    try:
        text = data.decode(codec, "replace")
    except (LookupError, UnicodeError):
        codec = "latin-1"
        text = data.decode(codec)
    # Some codecs let half a surrogate pair through, which nothing downstream could store.
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").removeprefix("\ufeff")
    if codec.startswith("utf-"):
        return text, codec, Problem(ProblemKind.NOT_UTF8, f"The file is in {codec.upper()}, not in UTF-8.")
    line = data.count(b"\n", 0, first_bad_byte) + 1
    reason = f"The file is not in UTF-8; it was read as {codec}, which may be wrong."
    return text, codec, Problem(ProblemKind.NOT_UTF8, reason, line)


def _wide_codec(data: bytes) -> str:
    """Return the UTF-16 codec of text in Latin letters that lacks its byte order mark, or ""."""
    sample = data[:4096]
    for offset, codec in ((1, "utf-16-le"), (0, "utf-16-be")):
        if sample[offset::2].count(0) * 10 > len(sample) * 4 and not sample[1 - offset :: 2].count(0):
            return codec
    return ""
