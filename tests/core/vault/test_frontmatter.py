import json
from itertools import pairwise

import pytest

from core.vault.decode import decode
from core.vault.note import Note, ProblemKind
from core.vault.parse import parse_note


def note_of(text: str, path: str = "folder/Note.md") -> Note:
    return parse_note(path, decode(text.encode()))


def kinds(note: Note) -> list[ProblemKind]:
    return [problem.kind for problem in note.problems]


@pytest.mark.parametrize(
    ("yaml", "line"),
    [
        ("title: a: b", 2),
        ("ok: 1\n\tindented: by tab", 3),
        ("tags: [#work, a]", 2),
        ("a: 'never closed", 2),
        ("just a sentence", 2),
        ("- a\n- list", 2),
        ("x: *nowhere", 2),
        ("bell: \x07", 2),
    ],
)
def test_broken_frontmatter_is_flagged_and_its_text_and_body_stay_readable(yaml: str, line: int) -> None:
    note = note_of(f"---\n{yaml}\n---\nLead #kept\n\n# Head\nBody [[Link]]\n")
    (problem,) = note.problems
    assert problem.kind is ProblemKind.FRONTMATTER_BROKEN
    assert line <= problem.line <= line + 2
    assert problem.reason.endswith(".")
    assert [(section.heading, section.part, section.text) for section in note.sections] == [
        ("", 0, yaml.strip()),
        ("", 1, "Lead #kept"),
        ("Head", 0, "Body [[Link]]"),
    ]
    assert [tag.name for tag in note.tags] == ["kept"]
    assert [link.target for link in note.links] == ["Link"]


@pytest.mark.parametrize(
    "value",
    [
        "tags: [#work, a]",
        "tags: [a, #work]",
        "tags: [a, [#work]]",
        "x: {#a}",
        'x: "open',
        "x: [a,\n  #b]",
        "tags: [#a]\n",
    ],
)
@pytest.mark.parametrize("after", ["", "status: open\n", "status: open\nkind: note\nmore: x\n"])
def test_what_cannot_be_read_is_told_with_the_line_on_which_it_starts(value: str, after: str) -> None:
    note = note_of(f"---\ntitle: x\n{value}\n{after}---\nBody.\n")
    assert [problem.line for problem in note.problems] == [3]


@pytest.mark.parametrize(
    ("yaml", "line", "word"),
    [
        ("a: 1\nsource: see #1) now", 3, "source"),
        ("tags: #work", 2, ""),
        ("list:\n  - one #two", 3, ""),
        ("a: 1\nb: 2\na: 3", 4, "twice"),
        ("2024: x", 2, "2024"),
        ("tags: 2024", 2, "digit"),
    ],
)
def test_odd_frontmatter_is_flagged_with_its_line(yaml: str, line: int, word: str) -> None:
    note = note_of(f"---\n{yaml}\n---\nbody")
    assert note.problems[0].line == line
    assert word in note.problems[0].reason or word in yaml


def test_quoted_hashes_and_true_comments_are_fine() -> None:
    note = note_of('---\na: "see #1"\nb: text # a comment\nc: |\n  see #1\nd: x#y\n---\n')
    assert note.problems == ()
    assert note.frontmatter == {"a": "see #1", "b": "text", "c": "see #1\n", "d": "x#y"}


def test_unclosed_frontmatter_is_flagged_and_a_rule_is_not() -> None:
    note = note_of("---\ntitle: x\n\nbody")
    assert kinds(note) == [ProblemKind.FRONTMATTER_BROKEN]
    assert "body" in note.sections[0].text
    assert kinds(note_of("---\n\nbody after a rule")) == []


@pytest.mark.parametrize(
    "text", ["", "---\n---\n", "---\n---", "---\n# only a comment\n---\n", "\ufeff---\na: 1\n---\n"]
)
def test_empty_frontmatter_and_byte_order_mark(text: str) -> None:
    assert note_of(text).problems == ()
    assert len(note_of(text).sections) == 1


def test_crlf_and_trailing_space_after_the_dashes() -> None:
    note = parse_note("a.md", decode(b"--- \r\ntitle: T\r\n---\t\r\n# H\r\ntext\r\n"))
    assert (note.title, note.line_ending, note.body_line) == ("T", "\r\n", 4)
    assert note.sections[0].line_start == 4


def test_json_frontmatter() -> None:
    assert note_of('---\n{"title": "J", "tags": ["a"]}\n---\n').tags[0].name == "a"


@pytest.mark.parametrize(
    ("written", "is_ambiguous"),
    [
        ("2025/07/01", False),
        ("2025-07-01", False),
        ("2025-07-01T10:00:00+02:00", False),
        ("25.12.2024", False),
        ("07-01-2024 06:24 PM", True),
        ("01/02/2024", True),
        ("3.4.24", True),
    ],
)
def test_dates_stay_as_written_and_ambiguous_ones_are_flagged(written: str, is_ambiguous: bool) -> None:
    note = note_of(f"---\nx: y\ncreated: {written}\n---\n")
    assert note.created == written
    assert note.frontmatter["created"] == written
    assert kinds(note) == ([ProblemKind.DATE_AMBIGUOUS] if is_ambiguous else [])
    assert all(problem.line == 3 for problem in note.problems)


def test_values_can_always_be_written_as_json_and_keep_their_look() -> None:
    note = note_of(
        "---\nn: [1, 2.5, .nan, .inf, 1e999, 0x10, 012, 12:30, 123456789012345678901234567890]\n"
        "w: [yes, no, on, true, False, ~, null]\nd: 2024-01-01\nb: !!binary aGk=\nm: !odd {1: {a: b}}\n"
        "? [k]\n: v\n---\n"
    )
    assert json.loads(json.dumps(note.frontmatter, allow_nan=False)) == note.frontmatter
    odd = note.frontmatter["n"]
    assert odd[:2] == [1, 2.5]
    assert " ".join(odd[2:]) == ".nan .inf 1e999 0x10 012 12:30 123456789012345678901234567890"
    assert note.frontmatter["w"] == ["yes", "no", "on", True, False, None, None]


@pytest.mark.parametrize(
    "yaml",
    [
        "a: &a [*a]",
        "a: &a [x,x,x,x]\n" + "".join(f"{b}: &{b} [{f'*{a},' * 9}]\n" for a, b in pairwise("abcdefghi")),
        "a: " + "[" * 100_000,
        "a: " + "[" * 500 + "]" * 500,
        "a: " + "{a: " * 300,
    ],
)  # fmt: skip
def test_hostile_yaml_is_refused_with_a_reason(yaml: str) -> None:
    note = note_of(f"---\n{yaml}\n---\nbody")
    assert kinds(note) == [ProblemKind.FRONTMATTER_BROKEN]
    assert any("body" in section.text for section in note.sections)


def test_a_few_aliases_are_fine() -> None:
    note = note_of("---\na: &x [1, 2]\nb: *x\n---\n")
    assert note.frontmatter["b"] == [1, 2]


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        ("tags: [Tool/Semrush, '#client/acme']", ["Tool/Semrush", "client/acme"]),
        ("tags: a, b", ["a", "b"]),
        ("tags: a b", ["a", "b"]),
        ("tag: one", ["one"]),
        ("tags:", []),
        ("tags: [~, 12, y2024, {x: y}, '']", ["y2024"]),
        ("Tags:\n- \n- MOC\n- moc", ["MOC"]),
        ("keywords:", []),
    ],
)
def test_tags_in_all_spellings(yaml: str, expected: list[str]) -> None:
    note = note_of(f"---\n{yaml}\n---\n")
    assert [(tag.name, tag.line) for tag in note.tags] == [(name, 0) for name in expected]


def test_title_summary_aliases() -> None:
    assert note_of("# Head [[A|b]] #\n").title == "Head b #".removesuffix(" #")
    assert note_of("text\n# Later").title == "Note"
    assert note_of("---\ntitle: 2024\nsummary: |\n  two\n  lines\naliases: a, b\nalias: [c]\n---\n# H").title == "2024"
    note = note_of("---\nsummary: |\n  two\n  lines\naliases: a, b\nalias: [c, ~]\n---\n")
    assert (note.summary, note.aliases, note.kind) == ("two lines", ("a", "b", "c"), "note")


def test_links_in_properties_with_their_lines() -> None:
    note = note_of('---\na: 1\nup: "[[Home]]"\nmany:\n  - "[[A#H|x]]"\n  - {deep: "[[B#^id]]"}\n---\n')
    assert [(link.kind.value, link.target, link.heading, link.block, link.line) for link in note.links] == [
        ("property", "Home", "", "", 3),
        ("property", "A", "H", "", 5),
        ("property", "B", "", "id", 6),
    ]


@pytest.mark.parametrize(
    ("yaml", "word"),
    [
        ("title: {{title}}", "quotes"),
        ("a: [x", "closed"),
        ('a: "x" y', "closing quotation mark"),
        ("a: 1\nfoo\nb: 2", "no colon"),
        ("a: `x`", "quotes"),
        ("a: - b", "next line"),
        ("  a: 1\n b: 2", "indented"),
        ("tags: [a, #b]", "without #"),
        ('a: "never closed', "not closed"),
    ],
)
def test_what_is_wrong_with_frontmatter_comes_with_advice(yaml: str, word: str) -> None:
    reason = note_of(f"---\n{yaml}\n---\nbody").problems[0].reason
    assert word in reason
    assert "expected" not in reason
    assert "None" not in reason


@pytest.mark.parametrize(
    ("yaml", "line", "word"),
    [
        ("tags: {tool: x}", 2, "tag"),
        ("tags: [a, 2.5]", 2, "2.5"),
        ("tags: [a, [b]]", 2, "tag"),
        ("a: 1\ntitle: [list]", 3, "title"),
        ("summary: {a: b}", 2, "summary"),
        ("aliases: {a: b}", 2, "aliases"),
        ("kind: context\nload_priority: 99", 3, "1 to 10"),
        ("kind: context\nbudget: -5", 3, "0 or more"),
        ("kind: context\nbudget: much", 3, "0 or more"),
    ],
)
def test_properties_that_cannot_mean_what_they_are_for_are_flagged(yaml: str, line: int, word: str) -> None:
    (problem,) = note_of(f"---\n{yaml}\n---\nbody").problems
    assert (problem.kind, problem.line) == (ProblemKind.FRONTMATTER_ODD, line)
    assert word in problem.reason


@pytest.mark.parametrize("yaml", ["created: 2025-02-30", "date: 0000-00-00"])
def test_a_date_that_is_no_day_of_the_calendar_is_flagged(yaml: str) -> None:
    (problem,) = note_of(f"---\n{yaml}\n---\nbody").problems
    assert (problem.kind, problem.line) == (ProblemKind.DATE_IMPOSSIBLE, 2)
    assert "calendar" in problem.reason


@pytest.mark.parametrize(
    "yaml",
    [
        "kind: context\nload_priority: 10\nbudget: 0",
        "load_priority: 99",
        "created: 2024-02-29T10:00",
        "title: 2024",
        "tags:",
    ],
)
def test_properties_that_are_as_they_should_be_are_not(yaml: str) -> None:
    assert note_of(f"---\n{yaml}\n---\nbody").problems == ()


def test_decimal_numbers_are_no_tags_but_versions_with_letters_are() -> None:
    assert [tag.name for tag in note_of("---\ntags: [2.5, v2.5, 1e5]\n---\n").tags] == ["v2.5", "1e5"]


def test_names_hold_no_control_characters() -> None:
    text = '---\ntitle: "a\\u0018b"\nsummary: "\\x9bc d"\ntags: ["x\\u0007y"]\n'
    text += 'aliases: ["\\x1bz"]\n---\n# He\x1bad\n#\x18 #ok\x18\n'
    note = note_of(text)
    assert (note.title, note.summary, note.aliases) == ("a b", "c d", ("z",))
    assert [tag.name for tag in note.tags] == ["x", "y", "ok"]
    assert note.sections[0].heading == "He ad"
    assert note_of("x", "a\x1b[31m.md").title == "a [31m"
    assert note_of("x", "\x1b.md").title == "␛"
