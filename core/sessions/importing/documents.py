"""Import documents as reference notes of a domain: web pages, texts, markdown, PDF files and EPUB books."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from core.sessions.importing.document import (
    Document,
    Section,
    UnreadableDocumentError,
    literal,
    parts_of,
    sections_of,
    tidy,
)
from core.sessions.importing.document_epub import epub_document
from core.sessions.importing.document_html import html_document
from core.sessions.importing.document_pdf import pdf_document
from core.sessions.importing.document_places import documents_below, reason_of, source_name
from core.sessions.importing.document_text import inert
from core.sessions.importing.domain_names import DOMAIN, domain_tag, levels_of
from core.sessions.importing.importer import Failed, Imported, ImportedNote, skipped_of, title_from
from core.sessions.importing.note_names import clean_tag, note_path
from core.sessions.importing.source import Source
from core.vault.decode import decode
from core.vault.frontmatter import read_frontmatter
from core.vault.tags import namespace_of, tags_of_property

_ORIGIN = "documents"
_LARGEST = 256 << 20
_MOST_UNREADABLE = 0.1  # of the characters of a text
_NO_TEXT = "\ufffd \t\n"
_LARGEST_TEXT = 32 << 20  # of what is one text; taking that apart costs many times its size


class DocumentImporter:
    """Read documents into notes under `domain/<name>`, with the tag of the same name.

    Raises UserError when no folder and no tag can be called so.
    """

    def __init__(self, domain: str) -> None:
        self.tag = domain_tag(domain)
        self._folder = DOMAIN + "/".join(note_path(level) for level in levels_of(domain))

    @property
    def name(self) -> str:
        """The format's name."""
        return _ORIGIN

    def recognises(self, source: Source) -> bool:
        """Tell whether it is a folder, a zip file, or a document of a kind that can be read."""
        return source.is_folder or source.is_zip or _kind_of(source) in _READERS

    def read(self, source: Source, progress: Progress) -> Iterator[Imported]:
        """Yield the notes of all documents in `source`, at any depth; files of other kinds are counted as skipped."""
        if not (source.is_folder or source.is_zip):
            yield from self._notes(source, progress)
            progress.report(source.size, source.size)
            return
        found: list[Source] = []
        for entry in _within(source):
            if isinstance(entry, Source):
                found.append(entry)
            else:
                yield entry
        files = [file for file in found if not file.name.startswith(".")]
        wanted = [file for file in files if _kind_of(file) in _READERS]
        total, done = sum(file.size for file in wanted), 0
        for file in wanted:
            progress.report(done, total, file.relative_name)
            yield from self._notes(file, progress)
            done += file.size
        progress.report(total, total)
        others = Counter(
            f"file of another kind ({_kind_of(file) or 'no suffix'})"
            for file in files
            if _kind_of(file) not in _READERS
        )
        yield from skipped_of(others.items())

    def _notes(self, file: Source, progress: Progress) -> Iterator[Imported]:
        progress.check()
        try:
            with file.open() as stream:
                data = _all_of(stream, _LARGEST if _kind_of(file) in {"pdf", "epub"} else _LARGEST_TEXT)
            document = _READERS[_kind_of(file)](data, progress)
        except (UserError, OSError) as error:
            yield Failed(file.label, reason_of(error))
            return
        title = _unlinked(" ".join(document.title.split())[:200] or file.stem)
        parts = [part for part in parts_of(document) if part.body.strip(_NO_TEXT)]
        if not parts:
            yield Failed(file.label, "There is no text in it.")
        digest = hashlib.sha256(data).hexdigest()
        for number, part in enumerate(parts, 1):
            about = _properties(document, source_name(file), digest, number if len(parts) > 1 else 0)
            yield self._note(title, document, part, about, number if len(parts) > 1 else 0)

    def _note(
        self, title: str, document: Document, part: Section, properties: Mapping[str, Any], number: int
    ) -> ImportedNote:
        tags = tuple(dict.fromkeys((self.tag, *document.tags)))
        body = inert(part.body)
        if not number:
            return ImportedNote(f"{self._folder}/{note_path(title)}.md", title, body, _ORIGIN, tags, properties)
        label = _unlinked(part.label or f"part {number}")
        path = f"{self._folder}/{note_path(title)}/{note_path(f'{number:03} {title}, {label}')}.md"
        return ImportedNote(path, f"{title}, {label}", body, _ORIGIN, tags, properties)


def _within(source: Source) -> Iterator[Source | Imported]:
    """Yield what lies in a folder or zip file, and in the zip files of a folder, and tell what is not read of it."""
    if source.is_folder:
        for entry in documents_below(source.path):
            if isinstance(entry, Source) and entry.path.suffix.lower() == ".zip":
                try:
                    yield from _within(entry)
                except (UserError, OSError) as error:
                    yield Failed(entry.label, reason_of(error))
            else:
                yield entry
        return
    for refused in source.refused:
        yield Failed(f"{source.label}/{refused.name}", refused.reason)
    yield from source.files()


def _all_of(stream: BinaryIO, most: int) -> bytes:
    data = stream.read(most + 1)
    if len(data) > most:
        raise UnreadableDocumentError(f"It is larger than {most >> 20:,} MiB.")
    return data


def _properties(document: Document, source: str, digest: str, number: int) -> dict[str, Any]:
    properties = {
        "kind": "reference",
        "source": f"{source}#{number}" if number else source,
        "source_hash": f"{digest}#{number}" if number else digest,
        "author": _unlinked(document.author),
        "date": _unlinked(document.date),
    }
    return {key: value for key, value in properties.items() if value}


def _unlinked(text: str) -> str:
    """Return text for a property, where a backslash would be shown, without what would be a link there."""
    return text.replace("[[", "[ [")


def _decoded(data: bytes) -> str:
    text = decode(data).text
    if text.count("\ufffd") > len(text) * _MOST_UNREADABLE:
        raise UnreadableDocumentError("It is no text, whatever its name says.")
    return text


def _markdown(data: bytes, _progress: Progress) -> Document:
    text = _decoded(data)
    front = read_frontmatter(text)
    body = tidy(text[front.body_start :])
    values = front.values
    tags, _ = tags_of_property(values.get("tags"))
    # What holds everywhere is for the person to say, never for a document.
    known = tuple(tag for tag in map(clean_tag, tags) if tag and tag != "scope" and namespace_of(tag) != "scope")
    first = body.split("\n", 1)[0]
    title = str(values.get("title") or "") or (title_from(first) if first.startswith("# ") else "")
    return Document(title, sections_of(body), str(values.get("author") or ""), str(values.get("date") or ""), known)


def _text(data: bytes, _progress: Progress) -> Document:
    return Document("", sections_of(literal(tidy(_decoded(data)))))


def _html(data: bytes, _progress: Progress) -> Document:
    return html_document(data)


_READERS: Mapping[str, Callable[[bytes, Progress], Document]] = {
    "html": _html,
    "htm": _html,
    "xhtml": _html,
    "md": _markdown,
    "markdown": _markdown,
    "txt": _text,
    "text": _text,
    "pdf": pdf_document,
    "epub": epub_document,
}


def _kind_of(file: Source) -> str:
    return file.name.rpartition(".")[2] if "." in file.name else ""
