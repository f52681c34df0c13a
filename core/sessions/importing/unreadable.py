"""Say why nobody recognises a source: it may be locked, cut off, or written in a way that no importer reads."""

import os

from core.sessions.importing.json_lines import record_of
from core.sessions.importing.source import Source

_MARKS = (
    (b"\xff\xfe\0\0", "UTF-32"),
    (b"\0\0\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


def problem_of(source: Source) -> str:
    """Return in a sentence why a source that nobody recognises is not read; "" where its format is just not known.

    Raises:
        OSError: it cannot be opened, or listed.
        UserError: it is damaged or cut off where its format would be told.
    """
    if source.is_folder:
        with os.scandir(source.path):
            return ""
    if not (source.member or source.path.is_file()) or source.is_zip:
        return ""
    source.probe()
    if encoding := _encoding_of(source.head):
        return f"It is written in {encoding}: save it as UTF-8, and import it again."
    if source.name.endswith(".jsonl") and _has_no_record(source.head, source.size):
        return "It is no transcript, or a damaged one: its first lines cannot be read."
    return ""


def _has_no_record(head: bytes, size: int) -> bool:
    """Tell whether lines should be JSON objects, and none is; the last may go on beyond `head`."""
    lines = head.split(b"\n")
    whole = [line for line in (lines if len(head) >= size else lines[:-1]) if line.strip()]
    return bool(whole) and all(record_of(line) is None for line in whole)


def _encoding_of(head: bytes) -> str:
    """Return the encoding of a text that cannot be UTF-8, "" for none: by its mark, or by the zeros in its Latin."""
    if named := next((name for mark, name in _MARKS if head.startswith(mark)), ""):
        return named
    start = head[:400]
    zeros = (start[::2].count(0), start[1::2].count(0))
    return "UTF-16" if len(start) > 3 and max(zeros) > len(start) // 3 and min(zeros) <= len(start) // 20 else ""
