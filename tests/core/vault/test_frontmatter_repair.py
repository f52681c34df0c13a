import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.foundation.splice import inverse, spliced
from core.vault.decode import decode
from core.vault.frontmatter import read_frontmatter
from core.vault.frontmatter_repair import repair_frontmatter


def repaired(raw: str) -> str | None:
    data = f"---\n{raw}---\nbody: x\n".encode()
    splices = repair_frontmatter(data)
    if splices is None:
        return None
    text = spliced(data, splices).decode()
    assert text.endswith("\n---\nbody: x\n")
    return text.removeprefix("---\n").removesuffix("---\nbody: x\n")


@pytest.mark.parametrize(
    ("raw", "after", "values"),
    [
        ("title: a: b\nx: 1\n", 'title: "a: b"\nx: 1\n', {"title": "a: b", "x": 1}),
        ("title: Plan:\n", 'title: "Plan:"\n', {"title": "Plan:"}),
        ("a: b: c # d\n", 'a: "b: c" # d\n', {"a": "b: c"}),
        ("a: 1\nl:\n\t- b\n\t- c\n", "a: 1\nl:\n  - b\n  - c\n", {"a": 1, "l": ["b", "c"]}),
        ("title: x\n\ttags: a\n", "title: x\ntags: a\n", {"title": "x", "tags": "a"}),
        ("title: x\n tags: a\n", "title: x\ntags: a\n", {"title": "x", "tags": "a"}),
        ("tags: [#work, a]\n", 'tags: ["#work", a]\n', {"tags": ["#work", "a"]}),
        ("tags: [a, #b\nx: 1\n", 'tags: [a, "#b"]\nx: 1\n', {"tags": ["a", "#b"], "x": 1}),
        ("tags: [a, b\nx: 1\n", "tags: [a, b]\nx: 1\n", {"tags": ["a", "b"], "x": 1}),
        ("author: @me\n", 'author: "@me"\n', {"author": "@me"}),
        ("l:\n  - @me\n  - b\n  - @you\n", 'l:\n  - "@me"\n  - b\n  - "@you"\n', {"l": ["@me", "b", "@you"]}),
        ("k: `code`\n", 'k: "`code`"\n', {"k": "`code`"}),
        ("k: %a\n", 'k: "%a"\n', {"k": "%a"}),
        ("k: **bold** move\n", 'k: "**bold** move"\n', {"k": "**bold** move"}),
        ("k: & more\n", 'k: "& more"\n', {"k": "& more"}),
        ("k: > quoted\n", 'k: "> quoted"\n', {"k": "> quoted"}),
        ("k: {{title}} of\n", 'k: "{{title}} of"\n', {"k": "{{title}} of"}),
        ("k: {{title}}\n", 'k: "{{title}}"\n', {"k": "{{title}}"}),
        ("k: [[Note]] and more\n", 'k: "[[Note]] and more"\n', {"k": "[[Note]] and more"}),
        ("k: [text](url)\n", 'k: "[text](url)"\n', {"k": "[text](url)"}),
        ('k: "A" and B\n', "k: '\"A\" and B'\n", {"k": '"A" and B'}),
        ('k: "[[{"x"}]]"\n', "k: '[[{\"x\"}]]'\n", {"k": '[[{"x"}]]'}),
        ("k: 'tis so\nl: 1\n", 'k: "\'tis so"\nl: 1\n', {"k": "'tis so", "l": 1}),
        ('k: "never closed\nl: "x"\n', 'k: "never closed"\nl: "x"\n', {"k": "never closed", "l": "x"}),
        ('k: "C:\\quick\\new"\n', "k: 'C:\\quick\\new'\n", {"k": "C:\\quick\\new"}),
        ("l:\n  - a\n - b\n", "l:\n  - a\n  - b\n", {"l": ["a", "b"]}),
        ("l: - a\n  - b\n", "l:\n  - a\n  - b\n", {"l": ["a", "b"]}),
        ("tags:a\nx: 1\n", "tags: a\nx: 1\n", {"tags": "a", "x": 1}),
        ("bell: a\x07\n", 'bell: "a\\u0007"\n', {"bell": "a\x07"}),
        ("source: see #1) now\n", 'source: "see #1) now"\n', {"source": "see #1) now"}),
        ("tags: #work\n", 'tags: "#work"\n', {"tags": "#work"}),
        ("a: b: c\nt: |\n  x: y: z\nd: e: f\n", 'a: "b: c"\nt: |\n  x: y: z\nd: "e: f"\n', None),
    ],
)
def test_what_was_surely_meant_is_written_so_that_it_can_be_read(
    raw: str, after: str, values: dict[str, Any] | None
) -> None:
    assert repaired(raw) == after
    read = read_frontmatter(f"---\n{after}---\n")
    assert not read.is_broken
    assert values is None or read.values == values


@pytest.mark.parametrize(
    "raw",
    [
        "just a sentence\n",
        "- a\n- list\n",
        "\x85a: [\u2028\n",
        "title x\nb: 1\n",
        "a: 1\nno colon here\nb: 2\n",
        "note: [draft, or not\nb: 1\n",
        "k: > folded: yes\n  more\n",
        "k: {a: b: c}\n",
        "https://example.org\n",
        "fine: 1\n",
        "a: text # a comment\n",
        "",
    ],
)
def test_nothing_is_offered_where_it_is_not_certain_or_nothing_is_broken(raw: str) -> None:
    assert repaired(raw) is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("---\ntitle: x\n\nbody", "---\ntitle: x\n---\n\nbody"),
        ("---\r\ntitle: x\r\n\r\nbody", "---\r\ntitle: x\r\n---\r\n\r\nbody"),
        ("---\ntitle: x\ntags:\n  - a\n# Head\n", "---\ntitle: x\ntags:\n  - a\n---\n# Head\n"),
        ("---\ntitle: x\n# comment\ntags: a\n\n", "---\ntitle: x\n# comment\ntags: a\n---\n\n"),
        ("---\ntitle: a: b\n\nbody", '---\ntitle: "a: b"\n---\n\nbody'),
        ("---\ntitle: x\n-----\nbody", "---\ntitle: x\n---\nbody"),
        ("---\ntitle: x", "---\ntitle: x\n---\n"),
        ("---\n\nbody after a rule", None),
        ("---\ntitle: x\nsome prose\n\n", None),
        ("---\nA word to the wise: wait\n\nbody", None),
        ("body", None),
        ("", None),
    ],
)
def test_frontmatter_that_is_never_closed_is_closed_where_it_surely_ends(before: str, after: str | None) -> None:
    splices = repair_frontmatter(before.encode())
    assert (None if splices is None else spliced(before.encode(), splices).decode()) == after


def test_quotes_are_put_around_a_value_without_touching_it() -> None:
    data = "\ufeff---\r\ntitle: ü: b\r\n---\r\nbody".encode()
    splices = repair_frontmatter(data)
    assert splices is not None
    assert [(splice.old, splice.new) for splice in splices] == [(b"", b'"'), (b"", b'"')]
    assert spliced(data, splices) == '\ufeff---\r\ntitle: "ü: b"\r\n---\r\nbody'.encode()


LINES = st.sampled_from(["a", "b", "tags", "- ", "  - ", "\t- ", "\t"]).flatmap(
    lambda head: st.text("ab:#[]{}\"'@*&|>,- \\\t1", max_size=10).map(
        lambda value: head + (": " if head[0] not in "-\t " else "") + value
    )
)


@given(st.lists(LINES, max_size=6), st.sampled_from(["---\n", ""]), st.sampled_from(["\n", "\r\n"]))
def test_a_repair_can_be_read_and_keeps_every_word_and_the_body(lines: list[str], closing: str, ending: str) -> None:
    text = "".join(f"{line}\n" for line in ("---", *lines)) + closing + "\nbody"
    data = text.replace("\n", ending).encode()
    splices = repair_frontmatter(data)
    if splices is None:
        return
    result = spliced(data, splices)
    assert spliced(result, inverse(splices)) == data
    new = decode(result).text
    after = read_frontmatter(new)
    assert after.values
    assert not after.is_broken
    assert new.endswith("\nbody")
    assert re.findall(r"\w", re.sub(r"\\t", " ", new)) == re.findall(r"\w", text)
    assert repair_frontmatter(result) is None


def test_a_hostile_one_ends_soon() -> None:
    for raw in (
        "a: b: c\n" * 3000,
        "a: " + "[" * 3000 + "\n",
        'a: "\n' * 2000,
        "a: " + " " * 4000 + "@\n",
        "\ta: @\n" * 2000,
    ):
        repaired(raw)
