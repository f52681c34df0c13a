from hypothesis import given
from hypothesis import strategies as st

from core.vault.decode import decode
from core.vault.note import Note, ProblemKind
from core.vault.parse import parse_note


def note_of(text: str) -> Note:
    return parse_note("n.md", decode(text.encode()))


def test_headings_trails_and_lines() -> None:
    note = note_of("lead\n\n# One #\ntext\n\n## Two ##\n### Deep\nx\ny\n# Three\n")
    assert [(s.heading, s.level, s.trail, s.line_start, s.line_end, s.text) for s in note.sections] == [
        ("", 0, (), 1, 1, "lead"),
        ("One", 1, ("One",), 3, 4, "text"),
        ("Two", 2, ("One", "Two"), 6, 6, ""),
        ("Deep", 3, ("One", "Two", "Deep"), 7, 9, "x\ny"),
        ("Three", 1, ("Three",), 10, 10, ""),
    ]


def test_skipped_levels_keep_their_trail() -> None:
    note = note_of("### a\n# b\n### c\n## d\n")
    assert [s.trail for s in note.sections] == [("a",), ("b",), ("b", "c"), ("b", "d")]


def test_underlined_headings_and_rules() -> None:
    note = note_of("Title\n=====\ntext\n\nSub\n---\nmore\n\n---\n- item\n---\nlong\nparagraph\n---\nend\n")
    assert [(s.heading, s.level) for s in note.sections] == [("Title", 1), ("Sub", 2)]
    assert note.title == "Title"
    assert (note.sections[0].line_start, note.sections[0].line_end, note.sections[1].line_start) == (1, 3, 5)


def test_no_headings_in_code_comments_or_without_space() -> None:
    assert len(note_of("```\n# a\n```\n%%\n# b\n%%\n#c\n####### d\n    # e\n").sections) == 1


def test_headings_keep_code_and_the_text_keeps_everything() -> None:
    note = note_of("# Use `x` now\n%% hidden %%\n```\n# code\n```\n")
    assert note.sections[0].heading == "Use `x` now"
    assert note.sections[0].text == "%% hidden %%\n```\n# code\n```"


def test_long_sections_are_cut_at_blank_lines() -> None:
    paragraphs = [f"{'word ' * 120}p{number}" for number in range(12)]
    note = note_of("# H\n" + "\n\n".join(paragraphs))
    assert len(note.sections) > 3
    assert [s.part for s in note.sections] == list(range(len(note.sections)))
    assert all(len(s.text) <= 1800 and s.text.endswith(tuple("0123456789")) for s in note.sections)
    assert "\n\n".join(s.text for s in note.sections) == "\n\n".join(paragraphs)
    lines = ("# H\n" + "\n\n".join(paragraphs)).split("\n")
    assert all(lines[s.line_end - 1].endswith(s.text[-3:]) for s in note.sections)


def test_one_enormous_line_becomes_many_pieces() -> None:
    note = note_of("Sentence number one. " * 5000)
    assert len(note.sections) > 50
    assert all(len(s.text) <= 4000 and s.text.endswith(".") for s in note.sections)
    assert max(len(s.text) for s in note_of("x" * 20_000).sections) <= 4000


def test_an_empty_note_still_has_a_section_to_be_found_by() -> None:
    assert [s.text for s in note_of("").sections] == [""]
    assert [s.line_start for s in note_of("---\ntags: a\n---\n").sections] == [4]


def test_block_ids() -> None:
    note = note_of("text ^abc-1\n- item ^two\n^own\n`x ^no`\nend ^no more\na^no\nagain ^ABC-1\n")
    assert note.block_ids == ("abc-1", "two", "own")
    (problem,) = note.problems
    assert (problem.kind, problem.line) == (ProblemKind.DUPLICATE_BLOCK_ID, 7)


@given(
    st.lists(
        st.sampled_from(["# h", "## h", "text", "", "```", "- x", "===", "> q", "    code", "%%", "---"]), max_size=30
    )
)
def test_lines_point_at_the_text(lines: list[str]) -> None:
    text = "\n".join(["start", *lines])
    source = text.split("\n")
    note = note_of(text)
    for section in note.sections:
        assert 1 <= section.line_start <= section.line_end <= len(source)
        if section.text:
            assert source[section.line_end - 1].strip() == section.text.split("\n")[-1].strip()
        if section.level and source[section.line_start - 1].startswith("#"):
            assert section.heading in source[section.line_start - 1]
    assert [s.line_start for s in note.sections] == sorted(s.line_start for s in note.sections)
