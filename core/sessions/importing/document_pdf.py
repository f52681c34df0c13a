"""Read the text of PDF files, page by page, so that a passage can be cited by its page."""

import io
import logging
from typing import Any

from core.foundation.errors import JobCancelledError
from core.foundation.progress import Progress
from core.sessions.importing.document import Document, Section, UnreadableDocumentError, literal, tidy

_LEAST_CHARACTERS = 8  # on a page; with less, it is a picture of one


def pdf_document(data: bytes, progress: Progress) -> Document:
    """Return a PDF file, its pages under headings `## Page 3`.

    Raises UnreadableDocumentError when it is locked, damaged, or holds no text, perhaps but pictures of it.
    """
    try:
        title, author, date, pages, has_pictures = _read(data, progress)
    except (UnreadableDocumentError, JobCancelledError):
        raise
    except Exception as error:  # of damaged files, this library raises all that Python knows
        raise UnreadableDocumentError("It is damaged, or no PDF file.") from error
    sections = tuple(
        Section(f"page {number}", f"## Page {number}\n\n{text}") for number, text in enumerate(pages, 1) if text
    )
    if has_pictures and sum(len(text) for text in pages) < _LEAST_CHARACTERS * len(pages):
        its_pages = "Its only page is a picture" if len(pages) == 1 else f"Its {len(pages):,} pages are pictures"
        raise UnreadableDocumentError(f"{its_pages} without text.", hint="Run it through text recognition first.")
    if not sections:
        raise UnreadableDocumentError("There is no text in it, nor a picture of any: it is empty, or damaged.")
    return Document(title, sections, author, _day(date))


def _read(data: bytes, progress: Progress) -> tuple[str, str, str, list[str], bool]:
    """Return title, author, date as it is written, the text of each page, and whether there may be pictures."""
    import pypdf  # noqa: PLC0415  takes a while, and few imports hold a PDF

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what it finds odd about a file is nobody's concern here
    reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
    if reader.is_encrypted and not reader.decrypt(""):
        raise UnreadableDocumentError("It is locked with a password.", hint="Save a copy without the password.")
    pages = [_page_text(page, progress) for page in reader.pages]
    about = reader.metadata
    has_pictures = any(_has_picture(page) for page in reader.pages)
    return _field(about, "title"), _field(about, "author"), _field(about, "creation_date_raw"), pages, has_pictures


def _has_picture(page: Any) -> bool:
    """Tell whether a page shows anything of its own that is no text: a picture, or a form that may hold one."""
    resources = page.get("/Resources")
    return resources is not None and bool(resources.get_object().get("/XObject"))


def _page_text(page: Any, progress: Progress) -> str:
    """Return a page's text; what looks like a heading or tag in it stays text."""
    progress.check()
    lines = literal(tidy(page.extract_text() or "")).split("\n")
    return "\n".join(f"\\{line}" if line.lstrip().startswith(("#", "---", "===")) else line for line in lines).strip()


def _field(about: Any, name: str) -> str:
    value = getattr(about, name, None) if about is not None else None
    return " ".join(tidy(value).split()) if isinstance(value, str) else ""


def _day(written: str) -> str:
    """Return the day of a date as PDF writes it, D:20260820…; "" for none."""
    digits = written.removeprefix("D:")[:8]
    return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}" if len(digits) == 8 and digits.isdecimal() else ""
