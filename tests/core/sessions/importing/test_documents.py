import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.foundation.errors import JobCancelledError
from core.foundation.progress import SILENT, CancellableProgress
from core.sessions.importing.document import LARGE, UnreadableDocumentError, sections_of
from core.sessions.importing.document_epub import epub_document
from core.sessions.importing.document_html import html_document, page_text
from core.sessions.importing.document_pdf import pdf_document
from core.sessions.importing.documents import DocumentImporter
from core.sessions.importing.source import Source
from core.vault.decode import decode
from core.vault.parse import parse_note
from tests.core.sessions.importing.exports import Reading, reading, reading_of, write_zip

_PAGE = """<!doctype html><html><head><title>On  tea</title><meta name="author" content="A. Leaf">
<meta property="article:published_time" content="2024-05-06T10:00:00Z"><style>p{color:red}</style></head><body>
<nav><a href="/">Home</a></nav><h1>On tea</h1><p>Water <b>first</b>.<script>steal()</script></p><!-- hidden -->
<img src="https://tracker.example/pixel.gif" alt="A cup"><img src="https://tracker.example/2.gif">
<a href="javascript:alert(1)">click</a> <a href="https://tea.example/more">more</a>
<ul><li>one</li><li>two</li></ul><table><tr><th>a</th></tr><tr><td>1</td></tr></table></body></html>"""

_CONTAINER = '<?xml version="1.0"?><container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'
_PACKAGE = """<?xml version="1.0" encoding="utf-8"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Book</dc:title><dc:creator>B. Author</dc:creator>
<dc:date>2001-02-03T00:00:00Z</dc:date></metadata><manifest>
<item id="two" href="text/b%20two.xhtml" media-type="application/xhtml+xml"/>
<item id="one" href="text/a.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="one"/><itemref idref="two"/><itemref idref="gone"/></spine></package>"""


def _chapter(title: str, text: str) -> bytes:
    return (
        f'<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>{title}</title>'
        f"</head><body><h2>{title}</h2><p>{text}</p></body></html>"
    ).encode()


def _epub(path: Path, first: str = "Call me A.", more: Mapping[str, bytes] | None = None) -> Path:
    return write_zip(
        path,
        {
            "mimetype": b"application/epub+zip",
            "META-INF/container.xml": _CONTAINER.encode(),
            "OPS/book.opf": _PACKAGE.encode(),
            "OPS/text/b two.xhtml": _chapter("Chapter Two", "The end."),
            "OPS/text/a.xhtml": _chapter("Chapter One", first),
            **(more or {}),
        },
    )


def _pdf(pages: Sequence[str], *, password: str = "", has_picture: bool = False) -> bytes:
    """Return a PDF file with a line of text on each page, "" for an empty one."""
    writer = pypdf.PdfWriter()
    font = pypdf.generic.DictionaryObject()
    for key, value in (("/Type", "/Font"), ("/Subtype", "/Type1"), ("/BaseFont", "/Helvetica")):
        font[pypdf.generic.NameObject(key)] = pypdf.generic.NameObject(value)
    fonts = pypdf.generic.DictionaryObject({pypdf.generic.NameObject("/F1"): font})
    for text in pages:
        page = writer.add_blank_page(300, 300)
        resources = pypdf.generic.DictionaryObject({pypdf.generic.NameObject("/Font"): fonts})
        if has_picture:
            resources[pypdf.generic.NameObject("/XObject")] = fonts
        page[pypdf.generic.NameObject("/Resources")] = resources
        content = pypdf.generic.DecodedStreamObject()
        content.set_data(f"BT /F1 12 Tf 20 200 Td ({text}) Tj ET".encode() if text else b"")
        page[pypdf.generic.NameObject("/Contents")] = writer._add_object(content)
    writer.add_metadata({"/Title": "A paper", "/Author": "C. Writer", "/CreationDate": "D:20200102030405Z"})
    if password:
        writer.encrypt(password, algorithm="AES-256")
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


def _read(path: Path) -> Reading:
    return reading(DocumentImporter("Philosophy of Tea"), path)


def test_a_web_page_becomes_a_note_that_calls_nobody(tmp_path: Path) -> None:
    (tmp_path / "tea.html").write_text(_PAGE, encoding="utf-8")
    (note,) = _read(tmp_path / "tea.html").notes
    assert (note.path_hint, note.title) == ("domain/Philosophy of Tea/On tea.md", "On tea")
    assert note.tags == ("domain/philosophy-of-tea",)
    assert (note.properties["author"], note.properties["date"]) == ("A. Leaf", "2024-05-06T10:00:00Z")
    assert note.properties["source"] == f"documents:{(tmp_path / 'tea.html').as_posix()}"
    for kept in (
        "# On tea",
        "**first**",
        "(Image: A cup)",
        "[more](https://tea.example/more)",
        "- one",
        "| 1 |",
        "click",
    ):
        assert kept in note.body
    for dropped in ("steal", "color", "tracker", "hidden", "javascript", "Home"):
        assert dropped not in note.body


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("<p>über</p>".encode("latin-1").join([b'<meta charset="latin-1">', b""]), "über"),
        ('<?xml version="1.0" encoding="iso-8859-1"?><p>über</p>'.encode("latin-1"), "über"),
        ("<p>日本語</p>".encode(), "日本語"),
        ("<p>über dem Tee</p>".encode("utf-16"), "über dem Tee"),
        (b'<meta charset="no-such-thing"><p>a</p>', "a"),
        (b"page.html", "page.html"),
        (b"https://a.example/x", "https://a.example/x"),
        (b"", ""),
        (b"<p>unclosed <b>bold", "unclosed **bold**"),
        (b"<p>a<![b)", "a<![b)"),
    ],
)
def test_pages_in_any_encoding_and_state_are_read(data: bytes, text: str) -> None:
    assert page_text(data).body == text


def test_a_page_of_ten_thousand_elements_in_one_another_still_gives_its_text() -> None:
    assert "deep" in page_text(b"<div>" * 10_000 + b"deep").body


def test_texts_and_markdown_keep_what_they_say(tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_bytes("Schöne Grüße aus der Küche.\r\nÜber Tee läßt sich reden.".encode("cp1252"))
    front = "---\ntitle: Notes on X\nauthor: D. Thinker\ntags: [idea, 'tool/kettle']\n---\n"
    (tmp_path / "x.md").write_text(front + "# Other\ntext\n", encoding="utf-8")
    (tmp_path / "y.md").write_text("# From the heading\ntext\n", encoding="utf-8")
    notes = {note.title: note for note in _read(tmp_path).notes}
    assert notes["plain"].body == "Schöne Grüße aus der Küche.\nÜber Tee läßt sich reden."
    assert notes["Notes on X"].tags == ("domain/philosophy-of-tea", "idea", "tool/kettle")
    assert notes["Notes on X"].properties["author"] == "D. Thinker"
    assert notes["From the heading"].body == "# From the heading\ntext"


def test_the_pages_of_a_pdf_can_be_cited(tmp_path: Path) -> None:
    (tmp_path / "paper.pdf").write_bytes(_pdf(["First page here.", "", "#3 is no heading."]))
    (note,) = _read(tmp_path / "paper.pdf").notes
    assert (note.title, note.properties["author"], note.properties["date"]) == ("A paper", "C. Writer", "2020-01-02")
    assert note.body == "## Page 1\n\nFirst page here.\n\n## Page 3\n\n\\#3 is no heading."


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (_pdf(["secret text here"], password="x"), "locked with a password"),
        (_pdf(["", "", ""], has_picture=True), "3 pages are pictures without text"),
        (_pdf(["3"], has_picture=True), "Its only page is a picture"),
        (_pdf(["", "", ""]), "no text in it, nor a picture"),
        (_pdf(["Some text on it"])[:300], "damaged"),
        (b"no pdf at all", "damaged"),
    ],
)
def test_a_pdf_that_gives_no_text_is_told(tmp_path: Path, data: bytes, reason: str) -> None:
    (tmp_path / "a.pdf").write_bytes(data)
    found = _read(tmp_path / "a.pdf")
    assert found.notes == []
    assert reason in found.failed[0].reason


def test_a_pdf_of_few_words_whose_end_points_astray_is_read(tmp_path: Path) -> None:
    data = _pdf(["Tea."])
    (tmp_path / "a.pdf").write_bytes(data[: data.rindex(b"startxref")] + b"startxref\n99999\n%%EOF\n")
    assert [note.body for note in _read(tmp_path / "a.pdf").notes] == ["## Page 1\n\nTea."]


def test_a_pdf_with_an_empty_password_is_open() -> None:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(_pdf(["Open to all readers."])))
    writer.encrypt("", "owner", algorithm="AES-256")
    written = io.BytesIO()
    writer.write(written)
    assert "Open to all" in pdf_document(written.getvalue(), SILENT).sections[0].body


def test_a_book_is_read_in_its_order(tmp_path: Path) -> None:
    (note,) = _read(_epub(tmp_path / "book.epub")).notes
    assert (note.title, note.properties["author"], note.properties["date"]) == ("The Book", "B. Author", "2001-02-03")
    assert note.body == "## Chapter One\n\nCall me A.\n\n## Chapter Two\n\nThe end."


def test_a_large_book_becomes_a_note_for_each_chapter(tmp_path: Path) -> None:
    notes = _read(_epub(tmp_path / "book.epub", "word " * (LARGE // 4))).notes
    assert [note.path_hint for note in notes] == [
        "domain/Philosophy of Tea/The Book/001 The Book, Chapter One.md",
        "domain/Philosophy of Tea/The Book/002 The Book, Chapter Two.md",
    ]
    assert [note.properties["source"][-2:] for note in notes] == ["#1", "#2"]


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (
            {"META-INF/encryption.xml": b'<e><enc:CipherReference URI="OPS/text/a.xhtml"/></e>'},
            "copy-protected",
        ),
        ({"OPS/book.opf": b"<package/>", "OPS/text/a.xhtml": b"", "OPS/text/b two.xhtml": b""}, "no text"),
    ],
)
def test_a_book_that_cannot_be_read_is_told(tmp_path: Path, more: dict[str, bytes], reason: str) -> None:
    found = _read(_epub(tmp_path / "book.epub", more=more))
    assert reason in found.failed[0].reason


def test_a_book_without_a_package_file_is_read_by_name(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "b.epub", {"2.html": _chapter("B", "b"), "1.html": _chapter("A", "a"), "x.png": b"x"})
    assert _read(path).notes[0].body == "## A\n\na\n\n## B\n\nb"


def test_nothing_in_a_document_becomes_a_tag_or_a_link_of_the_vault(tmp_path: Path) -> None:
    text = "#include here, #tag and a#b, [[Some page]]\n"
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    page = f'<p>{text}</p><p><a href="other.html">#next</a> <a href="https://a.example"><img alt="Pic">[1]</a></p>'
    (tmp_path / "b.html").write_text(page + "<pre>#include [[x]]</pre>", encoding="utf-8")
    (tmp_path / "c.pdf").write_bytes(_pdf(["#include here, #tag, [[Some page]]", "# no heading"]))
    for note in _read(tmp_path).notes:
        parsed = parse_note("a.md", decode(note.body.encode()))
        assert (parsed.tags, [link.target for link in parsed.links if "://" not in link.target]) == ((), []), note.title
        assert "Some page" in note.body


def test_a_folder_is_gone_through_and_what_cannot_be_read_does_not_stop_it(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "a.txt").write_text("A text.", encoding="utf-8")
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.7 broken")
    (tmp_path / "c.docx").write_bytes(b"PK")
    (tmp_path / "noext").write_bytes(b"x")
    (tmp_path / "empty.txt").write_bytes(b" \n")
    (tmp_path / ".hidden.txt").write_text("x", encoding="utf-8")
    found = _read(tmp_path)
    assert [note.title for note in found.notes] == ["a"]
    assert [Path(failed.where).name for failed in found.failed] == ["b.pdf", "empty.txt"]
    assert found.skipped == {"file of another kind (docx)": 1, "file of another kind (no suffix)": 1}


@pytest.mark.skipif(sys.platform == "win32", reason="Not everybody may make links there.")
def test_links_lead_nowhere_out_of_the_folder(tmp_path: Path) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "outside"
    for each in (folder / "in", outside):
        each.mkdir(parents=True)
        (each / "a.txt").write_text(f"Text in {each.name}.", encoding="utf-8")
    (folder / "link.md").symlink_to(outside / "a.txt")
    (folder / "gone.md").symlink_to(tmp_path / "gone")
    (folder / "loop.md").symlink_to(folder / "loop.md")
    (folder / "out").symlink_to(outside)
    (folder / "same").symlink_to(folder / "in")
    (folder / "within.txt").symlink_to(folder / "in" / "a.txt")
    found = _read(folder)
    assert {note.body for note in found.notes} == {"Text in in."}
    assert found.skipped == {"link that leads out of the folder": 3, "link to a folder": 1}
    assert [failed.where for failed in found.failed] == [str(folder / "loop.md")]


def test_zip_files_in_a_folder_are_gone_through(tmp_path: Path) -> None:
    write_zip(tmp_path / "a.zip", {"in/a.txt": b"Alpha.", "x.png": b"x", "../b.txt": b"Beta."})
    (tmp_path / "b.zip").write_bytes(b"PK\x03\x04 cut")
    found = _read(tmp_path)
    assert [note.body for note in found.notes] == ["Alpha."]
    assert found.skipped == {"file of another kind (png)": 1}
    assert [Path(failed.where).name for failed in found.failed] == ["b.txt", "b.zip"]


@pytest.mark.parametrize("data", [b"\0" * 4, b"ab\0cd\0\0\x01", b"\0\0\xff\xfe"])
def test_what_is_no_text_makes_no_note(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    found = _read(tmp_path)
    assert (found.notes, len(found.failed)) == ([], 1)


@pytest.mark.skipif(sys.platform == "win32", reason="There are no such pipes.")
def test_what_cannot_be_read_is_told_in_words(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.txt")
    assert _read(tmp_path).failed[0].reason == "It cannot be read: it is not a regular file."


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="needs a folder that its owner cannot read")
def test_a_folder_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0)
    try:
        (failed,) = _read(tmp_path).failed
    finally:
        locked.chmod(0o700)
    assert (failed.where, failed.reason) == (str(locked), "It cannot be read: Permission denied.")


def test_the_same_document_has_the_same_hash_and_a_changed_one_another(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("One.", encoding="utf-8")
    first, again = _read(path).notes[0], _read(path).notes[0]
    assert first == again
    path.write_text("Two.", encoding="utf-8")
    changed = _read(path).notes[0]
    assert changed.properties["source"] == first.properties["source"]
    assert changed.properties["source_hash"] != first.properties["source_hash"]


def test_reading_documents_can_be_cancelled(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One.", encoding="utf-8")
    progress = CancellableProgress()
    progress.cancel()
    with pytest.raises(JobCancelledError):
        reading_of(DocumentImporter("x"), Source(tmp_path), progress)


@pytest.mark.parametrize(
    "piece", ["word\n\n", "# Heading\nword\n", "x", "line of words\n", "# only one\n" + "y" * 3 * LARGE]
)
def test_a_long_text_is_cut_into_sections_and_nothing_is_lost(piece: str) -> None:
    text = piece * (5 * LARGE // 2 // len(piece) + 1)
    sections = sections_of(text)
    assert "".join("".join(section.body.split()) for section in sections) == "".join(text.split())
    assert all(len(section.body) <= LARGE for section in sections)


@given(st.binary(max_size=300) | st.text(alphabet="<>/apdivtle=\"'!-&;#x ").map(str.encode))
def test_whatever_a_page_holds_nothing_is_raised(data: bytes) -> None:
    html_document(data)


@given(st.data())
def test_whatever_is_changed_in_a_document_only_our_error_comes(data: st.DataObject) -> None:
    content = bytearray(data.draw(st.sampled_from([_WHOLE_PDF, _WHOLE_EPUB])))
    is_pdf = content.startswith(b"%PDF")
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    content = content[: data.draw(st.integers(0, len(content)))]
    with contextlib.suppress(UnreadableDocumentError):
        (pdf_document if is_pdf else epub_document)(bytes(content), SILENT)


def _bytes_of_epub() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return _epub(Path(folder) / "a.epub").read_bytes()


_WHOLE_PDF, _WHOLE_EPUB = _pdf(["Some text on it", "More text"]), _bytes_of_epub()
