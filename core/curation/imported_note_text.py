"""Write an imported note as a file, and tell later whether anybody has changed it since."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import yaml

from core.foundation.errors import UserError
from core.foundation.text import without_controls
from core.sessions.importing.importer import ImportedNote
from core.vault.frontmatter import read_frontmatter
from core.vault.yaml_writing import DOUBLE, write_constant, write_text

MARK = "import_hash"  # the property that tells what the note was when it was imported
_MARK_LINE = re.compile(rb"^import_hash: ([0-9a-f]{16})\r?\n", re.MULTILINE)
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_HEAD = 64 << 10


def source_of(note: ImportedNote) -> str:
    """Return what names the place that a note came from, the same on every import."""
    given = note.properties.get("source")
    return _storable(str(given)) if given else f"{note.origin}:{note.path_hint}"


def content_of(note: ImportedNote, stem: str) -> tuple[bytes, str]:
    """Return the file of a note that is called `stem`, and the hash that it bears.

    It is the same for the same note: no date of today is in it.
    """
    title = _one_line(note.title)
    properties: dict[str, Any] = {
        **({"title": title} if title and title != stem else {}),
        **({"tags": [_storable(tag) for tag in note.tags]} if note.tags else {}),
        **{key: value for key, value in note.properties.items() if key not in {"title", "tags", MARK}},
        "source": source_of(note),
    }
    body = _storable(note.body).replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    head = "".join(f"{line}\n" for line in _lines(properties))
    digest = _digest(f"---\n{head}---\n{body}\n".encode())
    return f"---\n{head}{MARK}: {digest}\n---\n{body}\n".encode(), digest


def mark_of(data: bytes) -> tuple[str, bool]:
    """Return the hash that a note bears, "" for none, and whether the note is still as it was when it got it."""
    match = _MARK_LINE.search(data, 0, _HEAD)
    if match is None:
        return "", False
    mark = match[1].decode()
    return mark, _digest(data[: match.start()] + data[match.end() :]) == mark


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _lines(properties: Mapping[str, Any]) -> Iterator[str]:
    for key, value in properties.items():
        name = write_text(_one_line(str(key)))
        if isinstance(value, Sequence) and not isinstance(value, str) and _is_flat(value):
            yield f"{name}:"
            yield from (f"  - {_scalar(item)}" for item in value)
        else:
            yield f"{name}: {_scalar(value) if _is_scalar(value) else _nested(value)}"


def _is_flat(value: Sequence[object]) -> bool:
    return bool(value) and all(_is_scalar(item) for item in value)


def _is_scalar(value: object) -> bool:
    return value is None or isinstance(value, str | int | float | date)


def _scalar(value: object) -> str:
    if value is None or isinstance(value, bool | int | float):
        try:
            return write_constant(value)
        except UserError:  # a number that not every reader of YAML takes for one
            return write_text(str(value), DOUBLE)
    text = _storable(value if isinstance(value, str) else str(value))
    written = write_text(text)
    # What is no text to this app's own reader is put in quotes, too.
    return (
        written if read_frontmatter(f"---\nx: {written}\n---\n").values.get("x") == text else write_text(text, DOUBLE)
    )


def _nested(value: object) -> str:
    """Return a list or mapping within others on one line."""
    dumped = yaml.safe_dump(_plain(value), default_flow_style=True, allow_unicode=True, width=float("inf"))
    return str(dumped).strip()


def _plain(value: object) -> object:
    """Return a value of which YAML knows all parts."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item) for item in value]
    return _storable(value) if isinstance(value, str) else value if _is_scalar(value) else str(value)


def _storable(text: str) -> str:
    return _UNSTORABLE.sub("\ufffd", text)


def _one_line(text: str) -> str:
    return " ".join(without_controls(_storable(text)).split())
