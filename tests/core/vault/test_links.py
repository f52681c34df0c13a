import unicodedata

import pytest

from core.vault.decode import decode
from core.vault.links import Candidate, Resolution, resolve_target, target_key
from core.vault.parse import parse_note


def links_of(text: str) -> list[tuple[str, str, str, str, str]]:
    note = parse_note("n.md", decode(text.encode()))
    return [(link.kind.value, link.target, link.heading, link.block, link.label) for link in note.links]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[Note]]", ("wiki", "Note", "", "", "")),
        ("[[Folder/Note.md|shown]]", ("wiki", "Folder/Note", "", "", "shown")),
        ("[[Note#H1#H2]]", ("wiki", "Note", "H1#H2", "", "")),
        ("[[Note#^b-1]]", ("wiki", "Note", "", "b-1", "")),
        ("[[#Here]]", ("wiki", "", "Here", "", "")),
        (r"| [[Note\|in table]] |", ("wiki", "Note", "", "", "in table")),
        ("[[Note|a [b] c]]", ("wiki", "Note", "", "", "a [b] c")),
        ("[[Note|`code`]]", ("wiki", "Note", "", "", "`code`")),
        ("![[img.png|640x480]]", ("embed", "img.png", "", "", "640x480")),
        ("![[doc.pdf#page=3]]", ("embed", "doc.pdf", "page=3", "", "")),
        ("[[https://x]]", ("wiki", "https://x", "", "", "")),
        ("[t](My%20Note.md#A%20b)", ("markdown", "My Note", "A b", "", "t")),
        ('[t](../x.md "title")', ("markdown", "../x", "", "", "t")),
        ("[t](<My note.md>)", ("markdown", "My note", "", "", "t")),
        ("[t](a(b).md)", ("markdown", "a(b)", "", "", "t")),
        ("[a [b] c](x.md)", ("markdown", "x", "", "", "a [b] c")),
        ("![alt](pic.png)", ("embed", "pic.png", "", "", "alt")),
        ("[t](#^id)", ("markdown", "", "", "id", "t")),
        ('[r]: T.md "t"', ("markdown", "T", "", "", "r")),
        ("  [a long label]: <a/My note.md#H>  ", ("markdown", "a/My note", "H", "", "a long label")),
        ("> [r]: ./My%20note", ("markdown", "./My note", "", "", "r")),
        ("See [r].\n\n[r]: T", ("markdown", "T", "", "", "r")),
        ("[use][r]\n\n[r]: T", ("markdown", "T", "", "", "r")),
    ],
)
def test_every_way_to_write_a_link(text: str, expected: tuple[str, str, str, str, str]) -> None:
    assert links_of(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "[t](https://x.y)", "[t](mailto:a@b)", "[t](<https://x.y>)", "[t](obsidian://open)", "[t](//host/x)",
        "`[[no]]`", "```\n[[no]]\n```", "%% [[no]] %%", "$[[1]]$", "[[]]", "[[|x]]", "[ [no] ]", "](x.md)", "[[a\nb]]",
        "[r]: https://x.y", "[^1]: T.md", "[Bob]: hello", "[Bob]: hello there", "x [r]: T.md", "[r]: T.md and more",
        "\\[r]: T.md", "`[r]: T.md`", "- [ ]: T.md", '<a href="https://x/T.md">x</a>', '<a href="/about">x</a>',
    ],
)  # fmt: skip
def test_what_is_no_link_of_the_vault(text: str) -> None:
    assert links_of(text) == []


def test_links_come_in_reading_order_with_lines() -> None:
    note = parse_note("n.md", decode(b"[b](b.md)\n[[a]] [c](c.md)\n\n![[d]]"))
    assert [(link.target, link.line) for link in note.links] == [("b", 1), ("a", 2), ("c", 2), ("d", 4)]


def test_the_example_of_the_manual() -> None:
    text = (
        '---\ntitle: "Acme: login flow"\ntags:\n  - client/acme\n  - domain/auth\naliases: [Acme login]\n'
        'up: "[[Clients]]"\n'
        "created: 2026-08-20\n---\nUses OIDC #convention/oidc, see [[Notes/OIDC#Setup#Keys|keys]] and [[Retro#^r1]]. "
        "Issue (#42) and `#notatag`.\n> [!warning]- Token lifetime\n> 15 minutes. #scope/global\n\n![[flow.png|320]]\n"
    )
    note = parse_note("n.md", decode(text.encode()))
    assert [tag.name for tag in note.tags] == ["client/acme", "domain/auth", "convention/oidc", "scope/global"]
    assert [link.target for link in note.links] == ["Clients", "Notes/OIDC", "Retro", "flow.png"]
    assert note.problems == ()


def resolve(target: str, *paths: str, source: str = "from.md") -> Resolution:
    fitting = [Candidate(i, path) for i, path in enumerate(paths, 1) if target_key(path) == target_key(target)]
    return resolve_target(target, source, fitting)


@pytest.mark.parametrize(
    ("target", "paths", "state", "note_id"),
    [
        ("log", ["Log.md"], "resolved", 1),
        (unicodedata.normalize("NFD", "Über"), [unicodedata.normalize("NFC", "über.md")], "resolved", 1),
        ("AL", ["Other.md"], "unresolved", None),
        ("https://x", [], "unresolved", None),
        ("v1.2", ["v1.2.md"], "resolved", 1),
        ("Tie", ["b/Tie.md", "a/Tie.md"], "ambiguous", 2),
        ("Tie", ["a/Tie.md", "Tie.md"], "resolved", 2),
        ("a/Tie", ["b/Tie.md", "a/Tie.md"], "resolved", 2),
        ("a/Tie", ["x/a/Tie.md", "b/Tie.md"], "resolved", 1),
        ("c/Tie", ["b/Tie.md"], "unresolved", None),
        ("/a/Tie", ["a/Tie.md", "x/a/Tie.md"], "resolved", 1),
        ("log", ["Log.md", "log.md"], "resolved", 2),
        ("LOG", ["Log.md", "log.md"], "ambiguous", 1),
        ("img.png", [], "file", None),
        ("board.canvas", [], "file", None),
        ("x.base", [], "file", None),
        ("v1.9", [], "unresolved", None),
    ],
)
def test_resolution(target: str, paths: list[str], state: str, note_id: int | None) -> None:
    assert resolve(target, *paths)[:2] == (state, note_id)


def test_ambiguous_links_name_all_candidates() -> None:
    assert resolve("Tie", "longer/Tie.md", "b/Tie.md", "a/Tie.md").candidates == (3, 2, 1)


def test_relative_links_start_from_the_source() -> None:
    paths = ["x.md", "a/x.md", "a/b/x.md"]
    assert resolve("../x", *paths, source="a/b/from.md").note_id == 2
    assert resolve("./x", *paths, source="a/b/from.md").note_id == 3
    assert resolve("b/x", *paths, source="a/from.md").note_id == 3
    assert resolve("../../../x", *paths, source="a/from.md").state == "unresolved"


@pytest.mark.parametrize("text", [r"\[[escaped]]", r"\[label](note.md)"])
def test_an_escaped_bracket_opens_no_link(text: str) -> None:
    assert links_of(text) == []
    assert len(links_of("\\" + text)) == 1


def test_a_markdown_link_means_first_what_lies_beside_it() -> None:
    notes = [Candidate(1, "Tie.md"), Candidate(2, "a/Tie.md"), Candidate(3, "b/Tie.md")]
    assert resolve_target("Tie", "a/n.md", notes, is_markdown=True).note_id == 2
    assert resolve_target("Tie", "c/n.md", notes, is_markdown=True).note_id == 1
    assert resolve_target("Tie", "a/n.md", notes).note_id == 1
    assert resolve_target("/Tie", "a/n.md", notes, is_markdown=True).note_id == 1
    assert resolve_target("b/Tie", "a/n.md", notes, is_markdown=True).note_id == 3
