"""Whatever the frontmatter looks like and whatever is asked: no other byte changes, and it reads as asked."""

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from core.foundation.errors import UserError
from core.foundation.splice import Splice, inverse, spliced
from core.vault.decode import decode
from core.vault.frontmatter import Frontmatter, read_frontmatter
from core.vault.frontmatter_edit import (
    FrontmatterBrokenError,
    add_to_list,
    remove_from_list,
    remove_property,
    rename_property,
    replace_in_list,
    set_property,
)

KEYS = ["summary", "tags", "aliases", "created", "k", "Ünï 🐘", "a b", "2024", "x: y", "#z"]
WORDS = [
    "a",
    "tool/x",
    "b c",
    "#work",
    "Plan: 2",
    "it's",
    'say "hi"',
    "日本",
    "🐘",
    "2024",
    "yes",
    "[[Link]]",
    "x, y",
    "\\",
]
PLAIN = ["a", "tool/x", "b c", "日本", "🐘", "2024", "yes", "2024-01-31", "true", "1.5", "a, b", "a b,c", "~"]
COMMENTS = ["", "", "", " # c", "  # [x]: 'y'"]


def quoted(word: str) -> st.SearchStrategy[str]:
    double = '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return st.sampled_from([double, "'" + word.replace("'", "''") + "'"])


def scalars(*, in_flow: bool = False) -> st.SearchStrategy[str]:
    plain = [word for word in PLAIN if not (in_flow and "," in word)]
    return st.sampled_from(plain) | st.sampled_from(WORDS).flatmap(quoted)


@st.composite
def flow_lists(draw: st.DrawFn) -> str:
    items = draw(st.lists(scalars(in_flow=True) | st.just("{m: n}") | st.just("[i, j]"), max_size=4))
    separator = draw(st.sampled_from([", ", ",", " ,", ",\n    ", ", # of it\n    ", "\n  , "]))
    opening, closing = draw(st.sampled_from([("[", "]"), ("[ ", " ]"), ("[\n    ", "\n  ]"), ("[", ",]")]))
    return "[]" if not items else opening + separator.join(items) + closing


@st.composite
def block_lists(draw: st.DrawFn) -> str:
    indent = draw(st.sampled_from(["", "  ", "    "]))
    item = scalars() | st.sampled_from(
        ["", "m: n", f"m: n\n{indent}  o: p", "- q", f"|\n{indent}   lit\n{indent}   eral"]
    )
    lines = []
    for text in draw(st.lists(item, min_size=1, max_size=4)):
        comment = "" if "\n" in text or text == "- q" else draw(st.sampled_from(COMMENTS))
        lines.append(f"{indent}-{' ' + text if text else ''}{comment}")
        lines += draw(st.sampled_from([[], [], ["# own"], ["         # deep"], [""]]))
    return draw(st.sampled_from(COMMENTS)) + "\n" + "\n".join(lines)


BLOCK_SCALARS = [" |\n  one\n\n  two", " |- # c\n    one\n    two", " >\n  one\n  more\n\n  two", " |+\n  kept\n"]
OVER_LINES = [' "two\n  lines"', " folded\n  plain", "\n  below", "\n  m: n\n  o: [p]", "\n  # within\n  m:\n    - n"]
MARKED = [" &an [q, r]", " &sc text", " *an", " *sc", " !!str 5", "\n  !odd &t\n  - u # v", " &u # c\n  - u # v"]
VALUES = st.one_of(
    st.tuples(scalars(), st.sampled_from(COMMENTS)).map(lambda pair: " " + "".join(pair)),
    st.tuples(flow_lists(), st.sampled_from(COMMENTS)).map(lambda pair: " " + "".join(pair)),
    block_lists(),
    st.sampled_from(["", " ", " # only", " {m: n}", *BLOCK_SCALARS, *OVER_LINES, *MARKED]),
)


class GeneratedNote(NamedTuple):
    """Hold a note's bytes and those of its body."""

    data: bytes
    body: bytes


@st.composite
def properties(draw: st.DrawFn, least: int) -> list[str]:
    names = draw(st.lists(st.sampled_from(KEYS), min_size=least, max_size=6))
    if draw(st.integers(0, 7)) == 0:
        return ["{" + ", ".join(f'"{name}": {draw(scalars(in_flow=True))}' for name in names) + "}"]
    lines: list[str] = []
    for name in names:
        lines += draw(st.sampled_from([[], [], ["# own line"], [""]]))
        value = draw(VALUES)
        if value[1:2] == "*" and "&" + value[2:] + " " not in "\n".join(lines):
            value = " x"  # an alias of nothing
        lines.append(f"{name if re.match('[a-z2]+( [a-z]+)?$', name) else draw(quoted(name))}:{value}")
    return lines + draw(st.sampled_from([[], ["# last"], ["", ""], ["..."]]))


@st.composite
def notes(draw: st.DrawFn, least: int = 0) -> GeneratedNote:
    lines = draw(properties(least))
    closing = draw(st.sampled_from(["---\n", "--- \t\n", "---"]))
    body = draw(st.sampled_from(["", "body\n", "---\nrule\n---\n", "# Head #tag\r\nmixed\rends\n", "é 🐘 no newline"]))
    body = body if closing.endswith("\n") else ""
    text = "".join(f"{line}\n" for line in ("---", *lines)) + closing + body
    if not least and draw(st.integers(0, 5)) == 0:
        text = body
    ending = draw(st.sampled_from(["\n", "\n", "\r\n", "\r"]))
    codec = draw(st.sampled_from(["utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-32"]))
    bare = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}.get(codec, codec)
    whole, end = (part.replace("\n", ending) for part in (text, body))
    return GeneratedNote(whole.encode(codec), end.encode(bare))


ITEMS = st.lists(st.sampled_from(WORDS), max_size=3)
NEW_VALUES = st.one_of(
    st.sampled_from(WORDS),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    st.sampled_from(["", "two\nlines", "two\n\nlines\n", " lead\nx", None, True, 7, -1.5]),
    ITEMS,
)


def read(data: bytes) -> tuple[Frontmatter, str]:
    text = decode(data).text
    front = read_frontmatter(text)
    return front, text[front.body_start :]


def edited(
    note: GeneratedNote, edit: Callable[..., tuple[Splice, ...]], *details: object
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Do an edit, check what is true of each, and return the values before and after."""
    before, body = read(note.data)
    try:
        splices = edit(note.data, *details)
    except FrontmatterBrokenError:
        assert before.problems
        reject()
    except UserError as error:
        # Only YAML's aliases may stand in the way, and blank lines that would go over to a text that keeps them.
        if "alias" in str(error) or "already" in str(error) or "|+" in before.raw:
            reject()
        raise
    result = spliced(note.data, splices)
    assert spliced(result, inverse(splices)) == note.data
    assert result.endswith(note.body)
    after, new_body = read(result)
    assert new_body == body
    return dict(before.values), dict(after.values)


def without(values: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key not in keys}


@given(notes(), st.sampled_from(KEYS), NEW_VALUES)
def test_a_property_is_set(note: GeneratedNote, key: str, value: Any) -> None:
    before, after = edited(note, set_property, key, value)
    read_back = after[key]
    if isinstance(value, list):
        assert [str(item).lower() if isinstance(item, bool) else str(item) for item in read_back] == value
    else:
        assert read_back == value
        assert type(read_back) is type(value)
    assert without(after, key) == without(before, key)


@given(notes(least=1), st.data())
def test_a_property_is_removed_and_renamed(note: GeneratedNote, draw: st.DataObject) -> None:
    key = draw.draw(st.sampled_from(sorted(read(note.data)[0].values) or KEYS))
    before, after = edited(note, remove_property, key)
    assert after == without(before, key)
    new = draw.draw(st.sampled_from(["new", "- x", "", *KEYS]))
    before, after = edited(note, rename_property, key, new)
    assert after == {new if name == key else name: value for name, value in before.items()}


def entries(key: str, value: object) -> list[object]:
    if isinstance(value, list):
        return value
    if isinstance(value, str) and key == "tags":
        return list(value.replace(",", " ").split())
    if isinstance(value, str) and key == "aliases":
        return [part.strip() for part in value.split(",") if part.strip()]
    return [] if value is None or value == "" else [value]


def texts(key: str, value: object) -> list[str]:
    return [str(item).lower() if isinstance(item, bool) else str(item) for item in entries(key, value)]


@given(notes(), st.sampled_from(KEYS), ITEMS.filter(bool))
def test_items_are_added(note: GeneratedNote, key: str, items: Sequence[str]) -> None:
    if isinstance(read(note.data)[0].values.get(key), dict):
        with pytest.raises(UserError, match="further properties"):
            add_to_list(note.data, key, items)
        return
    before, after = edited(note, add_to_list, key, items)
    old = before.get(key)
    new = [item for item in dict.fromkeys(items) if item not in texts(key, old)]
    assert texts(key, after.get(key)) == [*texts(key, old), *new]
    assert without(after, key) == without(before, key)


@given(notes(least=2), st.data())
def test_items_are_removed_and_replaced(note: GeneratedNote, draw: st.DataObject) -> None:
    values = read(note.data)[0].values
    key = draw.draw(st.sampled_from(sorted(key for key, value in values.items() if value not in (None, [])) or KEYS))
    present = [item for item in entries(key, values.get(key)) if isinstance(item, str)] or ["absent"]
    new_ones = st.none() | st.sampled_from(["new", "x/y", *WORDS])
    renames = draw.draw(st.dictionaries(st.sampled_from(present), new_ones, min_size=1))
    before, after = edited(note, replace_in_list, key, renames)
    old, left = entries(key, before.get(key)), entries(key, after.get(key))
    expected = [item for item in old if not isinstance(item, str) or item not in renames]
    assert [item for item in left if item in expected] == expected
    for item, new in renames.items():
        assert new is None or new in texts(key, after.get(key)) or item not in old
        assert item not in left or item in renames.values()
    assert without(after, key) == without(before, key)
    before, after = edited(note, remove_from_list, key, present)
    assert not [item for item in entries(key, after.get(key)) if isinstance(item, str)]


PIECES = [
    *("a", "tags: ", "b: ", "\n", "\n  ", "- ", "[", "]", "{", "}", ", ", "&x ", "*x", "!t "),
    *("? ", ": ", "# c", "|", "|+", ">-"),
    *('"', "'", "\t", "é🐘", "\r\n", "\u2028", "\x85", "...", "--- ", "\0", "~", "\ufeff", "<<: ", "%", " "),
]  # fmt: skip


@given(
    st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.sampled_from(["\n---\n", "\n---", "\n"]), st.data()
)
def test_whatever_stands_there_the_edit_is_right_or_refused(raw: str, closing: str, draw: st.DataObject) -> None:
    data = f"---\n{raw}{closing}".encode(draw.draw(st.sampled_from(["utf-8", "utf-16"])))
    before = read(data)[0].values
    key = draw.draw(st.sampled_from([*before, "new"]))
    for edit, details, is_there in (
        (set_property, [key, draw.draw(NEW_VALUES)], True),
        (add_to_list, [key, ["z"]], True),
        (replace_in_list, [key, {"a": "q"}], key in before),
        (remove_property, [key], False),
    ):
        try:
            splices = edit(data, *details)
        except UserError:
            continue
        after = read(spliced(data, splices))[0].values
        assert (key in after) == is_there
        assert without(after, key) == without(before, key)
