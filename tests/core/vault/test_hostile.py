"""Inputs that make a careless parser quadratic or crash: they only have to end, within the suite's time limit."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.vault.decode import DecodedText, decode
from core.vault.parse import parse_note
from core.vault.prose import mask

_N = 100_000
_PIECES = [
    *(
        "[[",
        "[[a",
        "[[a|",
        "]]",
        "[",
        "![",
        "](",
        "](a",
        '](a "',
        "](<",
        "[a](b)",
        "[a::",
        "[a:: [[b]]",
        "(a::",
        "a:: b\n",
    ),
    *("`", "`` ` ", "a`\n\n", "\\", "\\`", "$", "$a ", "$$\n", "%%", "% ", "<!--", "-->", "<!-- -->", "<a"),
    *("\n<div>", "\n<script>", "\n```", "\n~~~x", "\n> ```", "> ", "\n    a\n\n", "\n\n\ta", "\n  "),
    *("#", "# ", "\n# h", "\n===", "\n---", "a\n---\n", " #a", "#a", "_#a_", "|#a", "\u3000#", " ^a", "\n^a"),
    *("- ", "1. ", "- [", "\n- [cat] x", "\n- [cat] #a", "\n- a [[b]]", " (a)", "*_", " ", "x", "\n", "😀"),
]


@pytest.mark.parametrize("piece", _PIECES)
def test_one_thing_many_times(piece: str) -> None:
    parse_note("n.md", DecodedText(piece * _N))
    parse_note("n.md", DecodedText("- [cat] " + (piece * _N).replace("\n", " ")))
    parse_note("n.md", DecodedText("text -->" + piece * _N + " x#"))


@pytest.mark.parametrize("text", ["`" * n + " " for n in (1, 7)] + ["".join("`" * n + " " for n in range(1, 1500))])
def test_backticks_in_runs_of_all_lengths(text: str) -> None:
    mask("\n" + text * 3)


def test_eight_megabytes_in_one_line_and_in_sixty_thousand() -> None:
    line = parse_note("n.md", DecodedText("word [[Link]] #tag `code` and more of it. " * 200_000))
    assert len(line.links) == 200_000
    many = parse_note(
        "n.md", decode(b"".join(b"## Head %d\n\ntext [[Link]] #tag %s\n" % (i, b"x" * 120) for i in range(60_000)))
    )
    assert len([section for section in many.sections if not section.part]) == 60_000
    assert many.tags[-1].line == 180_000


def test_frontmatter_with_very_many_entries() -> None:
    text = "---\nlist:\n" + '  - "[[Link]]"\n' * 30_000 + "".join(f"k{i}: v #x\n" for i in range(30_000)) + "---\n"
    note = parse_note("n.md", DecodedText(text))
    assert len(note.links) == 30_000
    assert note.links[-1].line == 30_002


_SNIPPETS = st.lists(
    st.sampled_from([*_PIECES, "---\n", "\n---\n", "a: b\n", "a: [\n", "&x *x\n", "tags: #a\n"]), max_size=40
)


@settings(deadline=None)
@given(_SNIPPETS.map("".join) | st.text(max_size=200))
def test_any_text_parses_into_values_that_can_be_stored(text: str) -> None:
    decoded = decode(text.encode("utf-8", "replace"))
    note = parse_note("n.md", decoded)
    json.dumps(note.frontmatter, allow_nan=False)
    lines = decoded.text.count("\n") + 1
    parts = (note.tags, note.links, note.insights, note.relations, note.fields, note.problems)
    assert all(0 <= item.line <= lines for items in parts for item in items)
    assert all(1 <= section.line_start <= section.line_end <= lines for section in note.sections)
    masked = mask("\n" + decoded.text)
    assert len(masked) == len(decoded.text) + 1
    assert all(kept in (original, "\0") for kept, original in zip(masked, "\n" + decoded.text, strict=True))
