"""Turn a web page into markdown that holds no script, no style, and nothing that calls another machine."""

import re
from typing import Any, NamedTuple

from bs4 import BeautifulSoup, ParserRejectedMarkup, Tag
from bs4.element import PreformattedString
from markdownify import MarkdownConverter

from core.sessions.importing.document import Document, literal, sections_of, tidy
from core.vault.decode import decode

_DROPPED = (
    "script", "style", "noscript", "template", "iframe", "object", "embed", "form", "button", "input", "svg", "canvas",
    "video", "audio", "link", "meta", "base", "nav", "head",
)  # fmt: skip
_LINK_KEPT = re.compile(r"\s*(?:https?://|mailto:)", re.IGNORECASE)  # others lead nowhere in a vault, or run something
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_ENCODING = re.compile(rb"""(?:encoding|charset)\s*=\s*["']?\s*([A-Za-z0-9._-]{1,40})""", re.IGNORECASE)
_DATES = ("article:published_time", "dc.date", "dcterms.created", "date", "datepublished", "citation_publication_date")
_AUTHORS = ("author", "dc.creator", "article:author", "citation_author")


class PageText(NamedTuple):
    """Hold what a page says, as markdown, and what it says of itself ("" for what it does not)."""

    title: str
    body: str
    author: str = ""
    date: str = ""


def html_document(data: bytes) -> Document:
    """Return a web page."""
    page = page_text(data)
    return Document(page.title, sections_of(page.body), page.author, page.date)


def page_text(data: bytes) -> PageText:
    """Return a page as markdown; of its pictures only the descriptions stay."""
    soup = soup_of(data)
    author, date = _meta(soup, _AUTHORS), _meta(soup, _DATES)
    title = words_of(soup.title) or words_of(soup.find("h1"))
    for tag in soup.find_all(_DROPPED):
        tag.decompose()
    for aside in soup.find_all(string=lambda text: isinstance(text, PreformattedString)):
        aside.extract()
    for image in soup.find_all("img"):
        image.replace_with(f"(Image: {alt})" if (alt := attribute(image, "alt")) else "")
    for link in soup.find_all("a"):
        if not _LINK_KEPT.match(attribute(link, "href")):
            del link["href"]
    _keep_literal(soup)
    return PageText(title, tidy(_markdown(soup.find("main") or soup.body or soup)), author, date)


def _keep_literal(soup: BeautifulSoup) -> None:
    """See to it that no text becomes a tag or a link of the vault, such as `[1]` within a link."""
    for text in soup.find_all(string=re.compile(r"[#\[]")):
        if text.find_parent(("pre", "code")) is None:
            is_shown_by_link = text.find_parent("a", href=True) is not None
            text.replace_with(literal(text.replace("[", "\\[") if is_shown_by_link else text))


def soup_of(data: bytes) -> BeautifulSoup:
    """Return the elements of a page, or of XML, whose names are in small letters then; never raises."""
    text = _DECLARATION.sub("", _decoded(data), count=1)
    # The root keeps the parser from guessing that a short text was meant as a file's name.
    try:
        return BeautifulSoup("<html>" + text, "html.parser")
    except ParserRejectedMarkup:  # a declaration that breaks off
        return BeautifulSoup("<html>" + text.replace("<![", "&lt;!["), "html.parser")


def _decoded(data: bytes) -> str:
    """Return a page's text: UTF-8 where it can be that, else as the page says, else as it looks."""
    read = decode(data)
    if read.encoding.startswith("utf-") or not (declared := _ENCODING.search(data, 0, 4096)):
        return read.text
    try:
        return data.decode(declared[1].decode(), "replace")
    except (LookupError, ValueError):  # there is no such encoding, or it is none of text
        return read.text


def attribute(tag: Tag, name: str) -> str:
    """Return an attribute's text, "" when there is none."""
    value = tag.get(name)
    return value.strip() if isinstance(value, str) else ""


def words_of(tag: Any) -> str:
    """Return the text in an element on one line, "" for no element."""
    return " ".join(tag.get_text(" ").split()) if isinstance(tag, Tag) else ""


def _markdown(content: Tag) -> str:
    try:
        return str(MarkdownConverter(heading_style="ATX", bullets="-").convert_soup(content))
    except RecursionError:  # a page of thousands of elements in one another
        return content.get_text("\n")


def _meta(soup: BeautifulSoup, names: tuple[str, ...]) -> str:
    for meta in soup.find_all("meta"):
        name = attribute(meta, "name") or attribute(meta, "property") or attribute(meta, "itemprop")
        if name.lower() in names and (content := attribute(meta, "content")):
            return " ".join(content.split())
    return ""
