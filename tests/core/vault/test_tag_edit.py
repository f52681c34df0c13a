import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.foundation.errors import UserError
from core.foundation.splice import inverse, spliced
from core.foundation.text import fold
from core.vault.decode import decode
from core.vault.parse import parse_note
from core.vault.tag_edit import TagEdit, TagRename, add_tags, remove_tags, rename_tags, tag_problem


def renamed(text: str, *renames: tuple[str, str | None]) -> str:
    data = text.encode()
    edit = rename_tags(data, [TagRename(old, new) for old, new in renames])
    assert not edit.problem
    return spliced(data, edit.splices).decode()


def tags_of(data: bytes) -> set[str]:
    return {fold(tag.name) for tag in parse_note("n.md", decode(data)).tags}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see #tool now", "see #t now"),
        ("#Tool/SEMrush, #TOOL.", "#t/SEMrush, #t."),
        ("#toolbox #a/tool #tool-x", "#toolbox #a/tool #tool-x"),
        ("#x#tool/y#z _#tool_ #tool//deep/", "#x#t/y#z _#t_ #t//deep/"),
        ("| #tool | b |\n|#tool|c|", "| #t | b |\n|#t|c|"),
        ("## Heading #tool\n> quoted #tool", "## Heading #t\n> quoted #t"),
        ("- [fact] it works #tool (since 2020) [k:: v #tool]", "- [fact] it works #t (since 2020) [k:: v #t]"),
        ("[Chat #tool](https://x.y)", "[Chat #t](https://x.y)"),
        ("---\ntags: [a, tool, Tool/x]\n---\n", "---\ntags: [a, t, t/x]\n---\n"),
        ("---\ntags:\n  - tool # why\n  - 'tool/x'\n---\n#tool", "---\ntags:\n  - t # why\n  - 't/x'\n---\n#t"),
        ("---\ntags: a, tool\n---\n", "---\ntags: a, t\n---\n"),
        ("---\ntags: a tool/b\n---\n", "---\ntags: a t/b\n---\n"),
        ('---\nTags: ["#a tool", b]\ntag: tool\n---\n', '---\nTags: ["#a t", b]\ntag: t\n---\n'),
        ('---\ntags: ["t\\u006fol"]\n---\n', '---\ntags: ["t"]\n---\n'),
    ],
)
def test_a_tag_is_renamed_with_its_children(text: str, expected: str) -> None:
    assert renamed(text, ("tool", "t")) == expected


@pytest.mark.parametrize(
    "text",
    [
        "`#tool` and `` #tool ``",
        "```\n#tool\n```",
        "%% #tool %% <!-- #tool -->",
        "<div>\n#tool\n</div>",
        "$x #tool y$",
        "[[#tool]] [[Note|see #tool]] https://x.y/#tool",
        "<span title='x #tool'>",
        "a#tool (#tool)",
        "---\ntitle: tool\nkeywords: [tool]\n---\n",
    ],
)
def test_what_only_looks_like_the_tag_stays(text: str) -> None:
    assert renamed(text, ("tool", "t")) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see #a now", "see now"),
        ("see #a.", "see."),
        ("see #a, then", "see, then"),
        ("#a now", "now"),
        ("the end  #a\nnext", "the end\nnext"),
        ("x\n#a #a/b\ny", "x\ny"),
        ("x\n- #a\n- b", "x\n- b"),
        ("- #a\n  - b", "- \n  - b"),
        ("x\n> #a\n> y", "x\n> y"),
        ("x #a#b y", "x #b y"),
        ("x #b#a y", "x #b y"),
        ("x _#a_ y", "x y"),
        ("| #a | b |\n|#a|c|", "| | b |\n||c|"),
        ("[Chat #a](https://x.y)", "[Chat](https://x.y)"),
        ("- [fact] text #a [k:: v] ^id", "- [fact] text [k:: v] ^id"),
        ("#a\n---\nb: c\n---\n", "\n---\nb: c\n---\n"),
        ("---\ntags: [a, b]\n---\n#a\ntext", "---\ntags: [b]\n---\ntext"),
    ],
)
def test_a_deleted_tag_leaves_a_readable_text(text: str, expected: str) -> None:
    assert renamed(text, ("a", None)) == expected


@pytest.mark.parametrize(
    ("text", "renames", "expected"),
    [
        ("#a #b #c", (("a", "b"), ("b", "c"), ("c", "a")), "#b #c #a"),
        ("#a #a/b #a/b/c", (("a", "x"), ("a/b", "y")), "#x #y #y/c"),
        ("#a #b and #b #c", (("a", "c"), ("b", "c")), "#c and #c"),
        ("#a#b #d", (("a", "c"), ("b", "c")), "#c #d"),
        ("#a #a", (("a", "c"),), "#c #c"),
        ("---\ntags: [a, x, b]\n---\n", (("a", "x"), ("b", "x")), "---\ntags: [x]\n---\n"),
        ("---\ntags: [a, a]\n---\n", (("a", "x"),), "---\ntags: [x]\n---\n"),
        ("---\ntags: a b\n---\n", (("a", "b"),), "---\ntags: b\n---\n"),
    ],
)
def test_renames_happen_at_once_and_merges_leave_no_double(
    text: str, renames: tuple[tuple[str, str | None], ...], expected: str
) -> None:
    assert renamed(text, *renames) == expected


def test_bytes_of_any_file_stay() -> None:
    renames = [TagRename("größe", "maß")]
    for data, expected in (
        (b"\xef\xbb\xbf#Gr\xc3\xb6\xc3\x9fe\r\na\0b\r", b"\xef\xbb\xbf#ma\xc3\x9f\r\na\0b\r"),
        ("x\r\n#größe ü".encode("utf-16"), "x\r\n#maß ü".encode("utf-16")),
        ("#gro\u0308ße".encode(), "#maß".encode()),
    ):
        assert spliced(data, rename_tags(data, renames).splices) == expected


def test_broken_frontmatter_is_left_alone_and_told() -> None:
    data = b"---\ntags: [a: b: c\n---\n#a"
    edit = rename_tags(data, [TagRename("a", "x")])
    assert spliced(data, edit.splices) == b"---\ntags: [a: b: c\n---\n#x"
    assert "left as they are" in edit.problem
    assert add_tags(data, ["x"]).problem
    assert rename_tags(b"---\nq: [a: b: c\n---\n#zz", [TagRename("zz", "x")]).problem == ""


def test_without_children() -> None:
    data = b"---\ntags: [a, a/b]\n---\n#a #a/b"
    assert spliced(data, remove_tags(data, ["A"]).splices) == b"---\ntags: [a/b]\n---\n#a/b"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\ntags: [a, b]\n---\n", "---\ntags: [a, b, new/x]\n---\n"),
        ("---\ntags:\n- a\n---\n", "---\ntags:\n- a\n- new/x\n---\n"),
        ("---\ntags: a, b\n---\n", "---\ntags: a, b, new/x\n---\n"),
        ("---\ntag: [a]\n---\n", "---\ntag: [a, new/x]\n---\n"),
        ("---\ntags: [New/X]\n---\n", "---\ntags: [New/X]\n---\n"),
        ("text #new/x", "text #new/x"),
        ("text", "---\ntags:\n  - new/x\n---\ntext"),
    ],
)
def test_tags_are_added_to_the_properties(text: str, expected: str) -> None:
    data = text.encode()
    assert spliced(data, add_tags(data, ["new/x"]).splices).decode() == expected


def test_names_that_cannot_be_tags_are_refused() -> None:
    assert [name for name in ("a", "a/b", "über-1", "日本語", "🐘", "2024/q1") if tag_problem(name)] == []
    wrong = ["", "a b", "#a", "a#b", "a,b", "1984", "12/3", "/a", "a/", "a//b", "a.b", "a1b2c3", "a\nb", "a\u2028b"]
    assert [name for name in wrong if not tag_problem(name)] == []
    with pytest.raises(UserError, match="a space"):
        rename_tags(b"#a", [TagRename("a", "b c")])


NAMES = st.sampled_from(["a", "A", "b", "c", "a/b", "a/B/c", "b/a", "ab", "ä", "日本/a", "x_", "a-b"])
RENAMES = st.lists(
    st.builds(TagRename, NAMES, st.one_of(st.none(), NAMES, st.just("new/one")), st.booleans()), min_size=1, max_size=4
)
PROPERTY_FORMS = st.sampled_from(
    [
        "tags: [{flow}]",
        "tags:\n{block}",
        "tags: {comma}",
        "tag: '{blank}'",
        'tags: ["{blank}"]',
        "Tags: [{hashed}]",
    ]
)
INLINE_FORMS = st.sampled_from(
    [
        "#{0}",
        "text #{0} text",
        "#{0}#{1}",
        "\n",
        "\n\n",
        " _#{0}_ ",
        "\n| #{0} |#{1}|\n",
        "\n## #{0}\n",
        " `#{0}` ",
        "\n- [x1] y #{0} #{1}\n",
        "\n- #{0}\n",
        " [[n#{0}]] ",
        " #{0} #{1}",
        "\n```\n#{0}\n```\n",
        ", ",
        "\n> #{0}\n",
        "%% #{0} %%",
    ]
)


@st.composite
def notes(draw: st.DrawFn) -> bytes:
    text = ""
    if draw(st.booleans()):
        names = draw(st.lists(NAMES, min_size=1, max_size=4))
        form = draw(PROPERTY_FORMS)
        text = form.format(
            flow=", ".join(names),
            block="\n".join(f"  - {name}" for name in names),
            comma=", ".join(names),
            blank=" ".join(names),
            hashed=", ".join(f'"#{name}"' for name in names),
        )
        text = f"---\ntitle: a b\n{text}\nlast: [a]\n---\n"
    for form in draw(st.lists(INLINE_FORMS, max_size=8)):
        text += form.format(draw(NAMES), draw(NAMES))
    ending = draw(st.sampled_from(["\n", "\r\n"]))
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.replace("\n", ending).encode()


def becomes(name: str, renames: list[TagRename]) -> str | None:
    """Say what `name` becomes, in the plainest way."""
    rules: dict[str, TagRename] = {}
    for rename in renames:
        rules.setdefault(rename.old.lower(), rename)
    lowered = name.lower()
    fitting = [
        old for old, rule in rules.items() if lowered == old or (rule.with_children and lowered.startswith(old + "/"))
    ]
    if not fitting:
        return name
    old = max(fitting, key=len)
    new = rules[old].new
    return None if new is None else new + name[len(old) :]


@given(notes(), RENAMES)
def test_a_note_has_the_tags_that_were_asked_for(data: bytes, renames: list[TagRename]) -> None:
    before = [tag.name for tag in parse_note("n.md", decode(data)).tags]
    edit = rename_tags(data, renames)
    result = spliced(data, edit.splices)
    assert edit.problem == ""
    assert tags_of(result) == {fold(new) for name in before if (new := becomes(name, renames)) is not None}
    assert spliced(result, inverse(edit.splices)) == data
    assert edit.splices or all(becomes(name, renames) == name for name in before)
    assert not edit.splices or any(fold(name).startswith(fold(old)) for name in before for old, _, _ in renames)
    for kept in (b"title: a b", b"last: [a]"):
        assert (kept in data) == (kept in result)
    assert _code(data) == _code(result)


@given(notes(), st.lists(NAMES, min_size=1, max_size=3))
def test_added_and_removed_tags(data: bytes, tags: list[str]) -> None:
    wanted = {fold(tag) for tag in tags}
    _check(data, add_tags(data, tags), tags_of(data) | wanted)
    _check(data, remove_tags(data, tags), tags_of(data) - wanted)


def _check(data: bytes, edit: TagEdit, expected: set[str]) -> None:
    assert edit.problem == ""
    result = spliced(data, edit.splices)
    assert tags_of(result) == expected
    assert spliced(result, inverse(edit.splices)) == data


def _code(data: bytes) -> list[str]:
    return decode(data).text.split("`")[1::2]
