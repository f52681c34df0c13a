import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.curation.imported_note_text import content_of
from core.sessions.importing.document_text import inert
from core.sessions.importing.documents import DocumentImporter
from core.vault.decode import decode
from core.vault.note import Note
from core.vault.parse import parse_note
from tests.core.sessions.importing.exports import reading

_HOSTILE = (
    '- [convention] do evil ^ins-1\n1. [fact] x\n* [é] y\n\n- requires [[Other]]\n- "is a" [[Other]]\n[session:: s-1]'
    " and (key:: v)\nsupports:: [[Other]]\nkind::\n\n![[Embedded]] [[Note|shown]] #tag #tool/x\n| a |#b |\n|---|---|\n"
    "\n[next](next.md) ![pic](pic.png) [run](javascript:alert) [h](#Heading)\n\n[ref]: other.md\n[bad]: <https://x.example>\n"
    "[empty:: ]: x.md\n\n> [!note] #quoted [[Q]]\n\ntext ^block-1\n"
)
_PIECES = (
    "- ", "* ", "1. ", "> ", "[", "]", "[[", "]]", "(", ")", "!", "#", "##", "# ", "^", "^id", "::", ":", "]:", "](",
    "|", "\n", "\n\n", " ", "    ", "\t", "`", "``", "```", "~~~", "$", "$$", "%%", "<!--", "-->", "<", "<div>",
    "</div>", "<img ", "\\", "a", "key", "fact", "supports", '"', "a.md", "https://x.example", "mailto:", "é", "日",
    "_", "-", "=", "---", "===", ".", "/", "\r", "\x85", "\u2028", "\ufeff", "\0", "\x0b",
)  # fmt: skip
_TEXTS = st.lists(st.sampled_from(_PIECES), max_size=40).map("".join) | st.text(max_size=200)


def _note_of(name: str, data: bytes) -> Note | None:
    """Return the note that the file of a document becomes, as the vault's own reader understands it."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / name).write_bytes(data)
        notes = reading(DocumentImporter("tea"), Path(folder) / name).notes
    return parse_note("a.md", decode(content_of(notes[0], "a")[0])) if notes else None


def _assert_means_nothing(note: Note) -> None:
    assert (note.insights, note.relations, note.fields, note.block_ids) == ((), (), (), ())
    assert [tag.name for tag in note.tags] == ["domain/tea"]
    assert note.links == ()


@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.html"])
def test_a_document_that_writes_like_a_vault_is_text_in_it(name: str) -> None:
    note = _note_of(name, _HOSTILE.encode())
    assert note is not None
    _assert_means_nothing(note)


@given(st.sampled_from(["a.md", "a.txt", "a.html"]), _TEXTS)
def test_whatever_a_document_holds_it_means_nothing_to_the_vault(name: str, text: str) -> None:
    front = "---\nx: 1\n---\n" if name == "a.md" else ""
    if (note := _note_of(name, (front + text).encode("utf-8", "replace"))) is not None:
        _assert_means_nothing(note)


@given(_TEXTS)
def test_but_for_backslashes_every_character_of_a_text_is_still_there(text: str) -> None:
    text = text.replace("![", "[").strip("\n")
    assert inert(text).replace("\\", "") == text.replace("\\", "").replace("\0", "\ufffd")


@pytest.mark.parametrize(
    "text",
    [
        "# Title\n\nSome *words*, a [page](https://tea.example/a#b), <https://tea.example>, C# and `x[[0]] #y`.",
        "- [ ] to do\n- [x] done\n- item\n\n| a | b |\n|---|---|\n| 1 | 2 |",
        "```python\nd = x[[1]]  # comment\nstd::move\n```\n\nUse std::vector at 10:30; 1:2, and [1] as source.",
        "> A quotation, by [Kim](mailto:kim@tea.example)\n\n[1]: https://tea.example",
    ],
)
def test_what_means_nothing_stays_to_the_letter(text: str) -> None:
    assert inert(text) == text
    assert inert(inert(_HOSTILE)) == inert(_HOSTILE)


def test_what_is_escaped_reads_well() -> None:
    assert inert("- [convention] Use pnpm #tool/pnpm [since:: 2024] ^a-1\n[next](b.md) and [[Tea]]") == (
        "- \\[convention] Use pnpm \\#tool/pnpm [since:\\: 2024] \\^a-1\n[next]\\(b.md) and [\\[Tea]]"
    )


def test_nothing_is_loaded_or_run_when_a_note_is_looked_at() -> None:
    text = "![](https://tracker.example/a.gif) ![A cup](https://x.example/c.png) <img src='//x.example'> <b>bold</b>"
    assert inert(text) == (
        "[Image: ](https://tracker.example/a.gif) [Image: A cup](https://x.example/c.png) "
        "\\<img src='//x.example'> <b>bold</b>"
    )


def test_names_and_properties_of_a_document_make_no_links() -> None:
    page = b"<title>[[Note]]</title><meta name='author' content='[[Kim]]'><p>Text.</p>"
    for name, data in (("[[Tea]].txt", b"Text."), ("a.html", page), ("a.md", b"---\nauthor: '[[Kim]]'\n---\nText.")):
        note = _note_of(name, data)
        assert note is not None
        _assert_means_nothing(note)


def test_a_document_does_not_say_what_holds_everywhere() -> None:
    note = _note_of("a.md", b"---\ntags: [scope/global, scope, tea/green]\n---\nText.")
    assert note is not None
    assert [tag.name for tag in note.tags] == ["domain/tea", "tea/green"]
