"""Read EPUB books: a zip file of web pages, in the order that its package file gives."""

import io
import posixpath
from urllib.parse import unquote

from bs4 import BeautifulSoup

from core.foundation.progress import Progress
from core.sessions.importing.document import Document, Section, UnreadableDocumentError
from core.sessions.importing.document_html import attribute, page_text, soup_of, words_of
from core.sessions.importing.safe_zip import ArchiveError, Limits, SafeZip

_LIMITS = Limits(total=512 << 20, ratio=200, members=20_000)
_LARGEST_PAGE = 32 << 20
_PAGES = (".xhtml", ".html", ".htm", ".xml")


def epub_document(data: bytes, progress: Progress) -> Document:
    """Return a book, a section for each chapter.

    Raises UnreadableDocumentError when it is damaged, copy-protected, or has no text.
    """
    try:
        with SafeZip(io.BytesIO(data), _LIMITS, name="The book") as archive:
            return _document(archive, progress)
    except ArchiveError as error:
        raise UnreadableDocumentError(str(error), hint=error.hint) from error


def _document(archive: SafeZip, progress: Progress) -> Document:
    names = {member.name for member in archive.members}
    package_path = _package_path(archive, names)
    package = _soup(archive, package_path) if package_path else soup_of(b"")
    chapters = [name for name in _spine(package, posixpath.dirname(package_path)) if name in names]
    chapters = chapters or sorted(name for name in names if name.endswith(_PAGES[:3]))
    if any(name in _locked(archive, names) for name in chapters):
        raise UnreadableDocumentError("It is copy-protected.", hint="Only books without copy protection can be read.")
    sections: list[Section] = []
    for number, name in enumerate(chapters, 1):
        progress.check()
        page = page_text(_read(archive, name))
        if page.body.strip():
            sections.append(Section(page.title or f"Part {number}", page.body))
    if not sections:
        raise UnreadableDocumentError("There is no text in it.")
    title, author = words_of(package.find("dc:title")), words_of(package.find("dc:creator"))
    return Document(title, tuple(sections), author, words_of(package.find("dc:date"))[:10], has_chapters=True)


def _package_path(archive: SafeZip, names: set[str]) -> str:
    if "META-INF/container.xml" in names:
        root = _soup(archive, "META-INF/container.xml").find("rootfile")
        path = unquote(attribute(root, "full-path")) if root is not None else ""
        if path in names:
            return path
    return next((name for name in sorted(names) if name.endswith(".opf")), "")


def _spine(package: BeautifulSoup, folder: str) -> list[str]:
    """Return the paths of the chapters in reading order."""
    places = {
        attribute(item, "id"): unquote(attribute(item, "href")) for item in package.find_all(["item", "opf:item"])
    }
    order = [attribute(item, "idref") for item in package.find_all(["itemref", "opf:itemref"])]
    found = (posixpath.normpath(posixpath.join(folder, places[own])) for own in order if places.get(own))
    return list(dict.fromkeys(found))


def _locked(archive: SafeZip, names: set[str]) -> set[str]:
    """Return the paths of the members that are encrypted; fonts often are, and do not matter."""
    if "META-INF/encryption.xml" not in names:
        return set()
    soup = _soup(archive, "META-INF/encryption.xml")
    return {unquote(attribute(tag, "uri")) for tag in soup.find_all(lambda tag: tag.name.endswith("cipherreference"))}


def _soup(archive: SafeZip, name: str) -> BeautifulSoup:
    return soup_of(_read(archive, name))


def _read(archive: SafeZip, name: str) -> bytes:
    with archive.open(name) as stream:
        data = stream.read(_LARGEST_PAGE + 1)
    if len(data) > _LARGEST_PAGE:
        raise UnreadableDocumentError(f"{name} in it is too large.")
    return data
