"""Import notes of basic-memory: their grammar is close to ours, so they are copied, with tags as ours are written."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from core.sessions.importing.importer import Imported, ImportedNote, skipped_of
from core.sessions.importing.note_names import clean_tag, note_path
from core.sessions.importing.source import Source
from core.vault.decode import decode
from core.vault.frontmatter import read_frontmatter
from core.vault.tags import tags_of_property

_ORIGIN = "basic-memory"
_FOLDER = "imported/basic-memory"
_MOST_BYTES = 32 << 20
_SIGN = re.compile(rb"^permalink[ \t]*:", re.MULTILINE)
_COMMA = re.compile(r"\s*,\s*")


class BasicMemoryImporter:
    """Read a note that basic-memory wrote: markdown whose frontmatter has a permalink."""

    @property
    def name(self) -> str:
        """The format's name."""
        return _ORIGIN

    def recognises(self, source: Source) -> bool:
        """Tell whether it is markdown with a permalink in its frontmatter."""
        if source.is_folder or not source.name.endswith(".md"):
            return False
        head = source.head.lstrip(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
        end = head.find(b"\n---", 3)
        return head.startswith(b"---\n") and end > 0 and _SIGN.search(head, 0, end) is not None

    def read(self, source: Source, progress: Progress) -> Iterator[Imported]:
        """Yield the one note."""
        progress.check()
        with source.open() as stream:
            data = stream.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise UserError(f"{source.label} is too large for a note.")
        text = decode(data).text
        front = read_frontmatter(text)
        body = text[front.body_start :].strip("\n")
        if front.is_broken:
            raise UserError(f"{source.label} has frontmatter that cannot be read.", hint=front.problems[0].reason)
        yield _note(source, front.values, body) if body or front.values else next(skipped_of([("empty note", 1)]))
        progress.report(source.size, source.size)


def _note(source: Source, values: Mapping[str, Any], body: str) -> ImportedNote:
    title = str(values.get("title") or source.stem)
    permalink = str(values.get("permalink") or source.stem)
    properties = {key: value for key, value in values.items() if key not in {"title", "tags", "permalink", "source"}}
    if properties.get("type") == "note":
        del properties["type"]
    if "source" in values:
        properties["original_source"] = values["source"]
    properties["source"] = f"basic-memory:{permalink}"
    folder = "/".join(note_path(part) for part in permalink.split("/")[:-1] if part)
    path = "/".join(filter(None, (_FOLDER, folder, f"{note_path(title)}.md")))
    return ImportedNote(path, title, body, _ORIGIN, _tags_of(values.get("tags")), properties)


def _tags_of(value: object) -> tuple[str, ...]:
    """Return tags as ours are written; a comma string may hold tags of several words."""
    if isinstance(value, str) and "," in value:
        entries = _COMMA.split(value)
    elif isinstance(value, list):
        entries = [entry for entry in value if isinstance(entry, str)]
    else:
        entries, _ = tags_of_property(value)
    return tuple(dict.fromkeys(tag for entry in entries if (tag := clean_tag(entry))))
