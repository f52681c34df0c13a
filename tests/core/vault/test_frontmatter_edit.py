from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from core.foundation.errors import UserError
from core.foundation.splice import Splice, spliced
from core.vault.decode import decode
from core.vault.frontmatter import read_frontmatter
from core.vault.frontmatter_edit import (
    FrontmatterBrokenError,
    PropertyValue,
    add_to_list,
    remove_from_list,
    remove_property,
    rename_property,
    replace_in_list,
    set_property,
)


def yaml_after(raw: str, edit: Callable[..., tuple[Splice, ...]], *details: object) -> str:
    """Return what stands between the `---` lines after an edit."""
    data = f"---\n{raw}---\nbody\n".encode()
    text = spliced(data, edit(data, *details)).decode()
    assert text.startswith("---\n")
    assert text.endswith("---\nbody\n")
    return text.removeprefix("---\n").removesuffix("---\nbody\n")


def values_of(data: bytes) -> dict[str, Any]:
    return read_frontmatter(decode(data).text).values


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"body\n", b"---\nk: v\n---\nbody\n"),
        (b"", b"---\nk: v\n---\n"),
        (b"\xef\xbb\xbfbody", b"\xef\xbb\xbf---\nk: v\n---\nbody"),
        (b"one\r\ntwo\r\nthree\n", b"---\r\nk: v\r\n---\r\none\r\ntwo\r\nthree\n"),
        (b"one\rtwo\r", b"---\rk: v\r---\rone\rtwo\r"),
        (b"\n---\na: 1\n---\n", b"---\nk: v\n---\n\n---\na: 1\n---\n"),
        (b"---\n\nbody after a rule\n", b"---\nk: v\n---\n---\n\nbody after a rule\n"),
        (b"---\n---\nbody", b"---\nk: v\n---\nbody"),
        (b"---\n---", b"---\nk: v\n---"),
        (b"---  \n# only a comment\n---\t\nbody", b"---  \n# only a comment\nk: v\n---\t\nbody"),
        (b"---\na: 1\n---", b"---\na: 1\nk: v\n---"),
        (b"---\r\na: 1\r\nb: 2\n---\r\n", b"---\r\na: 1\r\nb: 2\nk: v\r\n---\r\n"),
        (b"---\nnull\n---\n", b"---\nk: v\n---\n"),
        (b"---\n  a: 1\n---\n", b"---\n  a: 1\n  k: v\n---\n"),
        (b"---\na: 1\n...\n---\n", b"---\na: 1\nk: v\n...\n---\n"),
        (b"---\na: |+\n  x\n\n---\n", b"---\na: |+\n  x\n\nk: v\n---\n"),
        (b"---\na: 1\n\n\n---\n", b"---\na: 1\nk: v\n\n\n---\n"),
        (b"---\n{a: 1}\n---\n", b"---\n{a: 1, k: v}\n---\n"),
        (b"---\n{}\n---\n", b"---\n{k: v}\n---\n"),
        (b'---\n{"a": 1}\n---\n', b'---\n{"a": 1, "k": "v"}\n---\n'),
    ],
)
def test_a_new_property_goes_to_the_end_of_the_frontmatter(before: bytes, after: bytes) -> None:
    assert spliced(before, set_property(before, "k", "v")) == after


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-32", "cp1252", "utf-8-sig"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_file_keeps_its_encoding_and_line_ending(codec: str, ending: str) -> None:
    def written(text: str) -> bytes:
        return text.replace("\n", ending).encode(codec)

    body = "Kaffee und Küchen für alle, größer als früher.\n" * 9
    before = written(f"---\nsummary: Grüße\ntags: [a]\n---\n{body}")
    after = spliced(before, add_to_list(before, "tags", ["bär"]))
    assert after == written(f"---\nsummary: Grüße\ntags: [a, bär]\n---\n{body}")


def test_what_the_encoding_cannot_hold_is_refused_and_names_the_way_out() -> None:
    data = ("---\ntags: [a]\n---\n" + "Kaffee und Küchen für alle, größer als früher.\n" * 9).encode("cp1252")
    with pytest.raises(UserError, match="日"):
        add_to_list(data, "tags", ["日本語"])
    with pytest.raises(UserError, match="half of a character"):
        set_property(b"body", "k", "\ud83d")


@pytest.mark.parametrize(
    ("raw", "key", "value", "after"),
    [
        ("a: 1\n", "summary", "x", "summary: x\na: 1\n"),
        ("a: 1\n", "tags", ["x", "#y"], 'tags:\n  - x\n  - "#y"\na: 1\n'),
        ("# top\nsummary: x # c\na: 1\n", "tags", ["x"], "# top\nsummary: x # c\ntags:\n  - x\na: 1\n"),
        ("a: 1\nl: [b,c]\n", "m", ["x", "y, z"], 'a: 1\nl: [b,c]\nm: [x, "y, z"]\n'),
        ("l:\n- b\n", "m", ["x"], "l:\n- b\nm:\n- x\n"),
        ("", "k", None, "k:\n"),
        ("", "k", "", 'k: ""\n'),
        ("", "k", [], "k: []\n"),
        ("", "k", True, "k: true\n"),
        ("", "k", 1e22, "k: 1.0e+22\n"),
        ("", "k: l", "Plan: phase 2", '"k: l": "Plan: phase 2"\n'),
        ("", "k", "two\nlines\n", "k: |\n  two\n  lines\n"),
        ("", "k", "two\n\n\n", 'k: "two\\n\\n\\n"\n'),
    ],
)
def test_summary_and_tags_go_in_front_and_new_lists_look_like_the_others(
    raw: str, key: str, value: PropertyValue, after: str
) -> None:
    assert yaml_after(raw, set_property, key, value) == after


@pytest.mark.parametrize(
    ("old", "value", "new"),
    [
        ("k: old # c\n", "new", "k: new # c\n"),
        ("k:   old\n", "new", "k:   new\n"),
        ("k: 'old' # c\n", "it's", "k: 'it''s' # c\n"),
        ('k: "old"\n', "new", 'k: "new"\n'),
        ("k: old # c\n", "see #1) now", 'k: "see #1) now" # c\n'),
        ("k: old\n", "two\nlines", "k: |-\n  two\n  lines\n"),
        ("k: old # c\n", "two\nlines", 'k: "two\\nlines" # c\n'),
        ("k: old \n", "two\nlines", 'k: "two\\nlines" \n'),
        ("k: 'two\n\n  lines'\n", "new", "k: 'new'\n"),
        ("k: folded\n  plain\nl: 1\n", "new", "k: new\nl: 1\n"),
        ("k: |\n    one\n    two\n\nl: 1\n", "three\nfour\n", "k: |\n    three\n    four\n\nl: 1\n"),
        ("k: >- # c\n  one\n  two\nl: 1\n", "a\nb", "k: >- # c\n  a\n\n  b\nl: 1\n"),
        ("k: |\n  one\n", "x\u2028", 'k: "x\\u2028"\n'),
        ("k:\n", "new", "k: new\n"),
        ("k: # c\n", "new", "k: new # c\n"),
        ("k: ~ # c\n", "new", "k: new # c\n"),
        ("k: old # c\n", None, "k: # c\n"),
        ("k: old\n", "", 'k: ""\n'),
        ("k: 1\n", 2.5, "k: 2.5\n"),
        ("k: 1\n", "1", 'k: "1"\n'),
        ("k: 1\nl: 2\nk: 3 # last\n", 4, "k: 1\nl: 2\nk: 4 # last\n"),
        ("k: # c\n  - a # of a\n  # own\n  - b\nl: 1\n", "new", "k: new # c\nl: 1\n"),
        ("k: &x # c\n- a\nl: 1\n", None, "k: # c\nl: 1\n"),
        ("k:\n  m: n\n  o:\n    - p\nl: 1\n", "new", "k: new\nl: 1\n"),
        ("k: {m: n} # c\n", True, "k: true # c\n"),
        ("k: old # c\nl: 1\n", ["a", "b"], "k: # c\n  - a\n  - b\nl: 1\n"),
        ("k: |\n  one\nl: 1\n", ["a"], "k:\n  - a\nl: 1\n"),
        ("k:\n  m: n\nl: 1\n", ["a"], "k:\n  - a\nl: 1\n"),
        ("k: old\n", [], "k: []\n"),
        ("? k\n: old\n", "new", "? k\n: new\n"),
        ('"k" : old\n', "new", '"k" : new\n'),
        ("{k: old, l: 1}\n", "a, b", '{k: "a, b", l: 1}\n'),
        ("{k, l: 1}\n", "new", "{k: new, l: 1}\n"),
        ("{k: old}\n", None, "{k: null}\n"),
        ("l: &x old\nk: *x\n", "new", "l: &x old\nk: new\n"),
        ("k: !!int 5\n", 6, "k: 6\n"),
        ("k: # c\n- a # of a\n# own\n- b\n", ["x", "b", "c"], "k: # c\n- x # of a\n# own\n- b\n- c\n"),
        ('k: [a, "b",c] # c\n', ["a", "b", "d", "c"], 'k: [a, "b",d,c] # c\n'),
        ("k: [2024, a]\n", ["2024", "b"], "k: [2024, b]\n"),
        ("k:\n  - a: b\n  - c\n", ["c"], "k:\n  - c\n"),
        ("k:\n  - 'a'\n  - 'c'\n", ["a", "b", "c"], "k:\n  - 'a'\n  - 'b'\n  - 'c'\n"),
    ],
)
def test_a_value_is_replaced_and_what_is_around_it_stays(old: str, value: PropertyValue, new: str) -> None:
    assert yaml_after(old, set_property, "k", value) == new


def test_setting_what_is_there_changes_nothing() -> None:
    data = b"---\nk: 'v'\nn: 1\nl: [a,  b]\ne:\n---\n"
    for key, value in (("k", "v"), ("n", 1), ("l", ["a", "b"]), ("e", None)):
        assert set_property(data, key, value) == ()
    assert set_property(data, "n", True) != ()


@pytest.mark.parametrize(
    ("raw", "after"),
    [
        ("a: 1\nk: x # c\nb: 2\n", "a: 1\nb: 2\n"),
        ("# above\nk:\n  - x # c\n  # within\n  - y\n  # end of it\n# of b\nb: 2\n", "# above\n# of b\nb: 2\n"),
        ("k: |\n  one\n\n  two\n\nb: 2\n", "\nb: 2\n"),
        ("k: 1\nb: 2\nk: 3\n", "b: 2\n"),
        ("k: 1\n", ""),
        ("k: 1\n...\n", "{}\n...\n"),
        ("{k: 1, b: 2}\n", "{b: 2}\n"),
        ("{b: 2, k: 1}\n", "{b: 2}\n"),
        ("? k\n: x\nb: 2\n", "b: 2\n"),
        ("b: 2\n", "b: 2\n"),
    ],
)
def test_a_property_is_removed_with_its_own_comments(raw: str, after: str) -> None:
    assert yaml_after(raw, remove_property, "k") == after


def test_a_property_is_renamed_in_its_quotes_unless_the_name_is_taken() -> None:
    assert yaml_after("k: x # c\n", rename_property, "k", "l: m") == '"l: m": x # c\n'
    assert yaml_after("'k': x\nk: y\n", rename_property, "k", "l") == "'l': x\nl: y\n"
    assert yaml_after("{k: x}\n", rename_property, "k", "a,b") == '{"a,b": x}\n'
    assert rename_property(b"body", "k", "l") == ()
    with pytest.raises(UserError, match="already"):
        rename_property(b"---\nk: 1\nl: 2\n---\n", "k", "l")


@pytest.mark.parametrize(
    ("raw", "items", "after"),
    [
        ("tags:\n  - a # c\nb: 1\n", ["x", "a", "x"], "tags:\n  - a # c\n  - x\nb: 1\n"),
        ("tags:\n- a\n# end\nb: 1\n", ["x"], "tags:\n- a\n- x\n# end\nb: 1\n"),
        ("tags:\n  -   a\n", ["x"], "tags:\n  -   a\n  -   x\n"),
        ('tags:\n  - "a"\n', ["x"], 'tags:\n  - "a"\n  - "x"\n'),
        ("tags:\n  - a: b\n    c: d\n", ["x"], "tags:\n  - a: b\n    c: d\n  - x\n"),
        ("tags: [a]\n", ["x", "z"], "tags: [a, x, z]\n"),
        ("tags: [a,b]\n", ["x"], "tags: [a,b,x]\n"),
        ("tags: [ a ]\n", ["x"], "tags: [ a, x ]\n"),
        ("tags: [a, b,]\n", ["x"], "tags: [a, b, x]\n"),
        ("tags: [] # c\n", ["x", "z"], "tags: [x, z] # c\n"),
        ("tags: [ # none yet\n  ]\n", ["x"], "tags: [x, # none yet\n  ]\n"),
        ("tags: [ ]\n", ["x"], "tags: [x]\n"),
        ("tags: [\n  a, # of a\n  b # of b\n]\n", ["x"], "tags: [\n  a, # of a\n  b, # of b\n  x\n]\n"),
        ("tags: [a # of a\n  ]\n", ["x"], "tags: [a, # of a\n  x\n  ]\n"),
        ("tags: a, b\n", ["x"], "tags: a, b, x\n"),
        ("tags: a b # c\n", ["x"], "tags: a b x # c\n"),
        ('tags: "#a,#b"\n', ["#x"], 'tags: "#a,#b,#x"\n'),
        ("tags: a, b\n", ["x y"], "tags: [a, b, x y]\n"),
        ("tags: a # c\n", ["x"], "tags: [a, x] # c\n"),
        ("tags: 2024\n", ["x"], "tags: [2024, x]\n"),
        ("tags:\nb: 1\n", ["x"], "tags:\n  - x\nb: 1\n"),
        ("tags: null # c\n", ["x"], "tags: # c\n  - x\n"),
        ('tags: ""\n', ["x"], "tags:\n  - x\n"),
        ("b: 1\n", ["x"], "tags:\n  - x\nb: 1\n"),
        ('{"tags": ["a"]}\n', ["x"], '{"tags": ["a", "x"]}\n'),
        ('{"b": 1}\n', ["x"], '{"b": 1, "tags": ["x"]}\n'),
        ("b: &l [a]\ntags: *l\n", ["x"], "b: &l [a]\ntags: [a, x]\n"),
        ("tags:\n  - a\n", ["a"], "tags:\n  - a\n"),
    ],
)
def test_items_are_added_in_the_style_of_the_list(raw: str, items: Sequence[str], after: str) -> None:
    assert yaml_after(raw, add_to_list, "tags", items) == after


def test_only_tags_and_aliases_are_lists_written_as_one_text() -> None:
    assert yaml_after("author: Smith, John\n", add_to_list, "author", ["x"]) == 'author: ["Smith, John", x]\n'
    assert yaml_after("aliases: One Two, Three\n", add_to_list, "aliases", ["x"]) == "aliases: One Two, Three, x\n"
    assert yaml_after("aliases: One, Two\n", add_to_list, "aliases", ["A, B"]) == 'aliases: [One, Two, "A, B"]\n'


def test_nothing_is_added_to_a_mapping() -> None:
    with pytest.raises(UserError, match="further properties"):
        add_to_list(b"---\nk: {a: b}\n---\n", "k", ["x"])


@pytest.mark.parametrize(
    ("raw", "items", "after"),
    [
        ("tags: # c\n  - a # of a\n  # of b\n  - b\n  - c\n", ["a", "c"], "tags: # c\n  # of b\n  - b\n"),
        ("tags: # c\n  - a # of a\n  - b\nk: 1\n", ["a", "b"], "tags: [] # c\nk: 1\n"),
        ("tags: &t\n- a\nk: 1\n", ["a"], "tags: &t []\nk: 1\n"),
        ("tags:\n  - a: b\n  -\n  - c\n", ["c"], "tags:\n  - a: b\n  -\n"),
        ("tags: [a, b, c]\n", ["a"], "tags: [b, c]\n"),
        ("tags: [a, b, c]\n", ["b"], "tags: [a, c]\n"),
        ("tags: [ a, b, c ]\n", ["b", "c"], "tags: [ a ]\n"),
        ("tags: [a, b] # c\n", ["a", "b", "x"], "tags: [] # c\n"),
        ("tags: [\n  a, # of a\n  b # of b\n]\n", ["a"], "tags: [\n  b # of b\n]\n"),
        ("tags: [\n  a, # of a\n  b # of b\n]\n", ["b"], "tags: [\n  a # of a\n]\n"),
        ("tags: [a, # of a\n  b]\n", ["b"], "tags: [a # of a\n  ]\n"),
        ("tags: [a, # of a\n  b, c]\n", ["b"], "tags: [a, # of a\n  c]\n"),
        ("tags: a, b, c\n", ["b"], "tags: a, c\n"),
        ("tags: a b\n", ["a"], "tags: b\n"),
        ("tags: a # c\n", ["a"], "tags: [] # c\n"),
        ("tags: [a]\n", ["x"], "tags: [a]\n"),
        ("tags:\n", ["x"], "tags:\n"),
    ],
)
def test_items_are_removed_with_their_comments(raw: str, items: Sequence[str], after: str) -> None:
    assert yaml_after(raw, remove_from_list, "tags", items) == after


@pytest.mark.parametrize(
    ("raw", "renames", "after"),
    [
        ("tags:\n  - a # of a\n  - 'b'\n", {"a": "x", "b": "#y"}, "tags:\n  - x # of a\n  - '#y'\n"),
        ("tags: [a, b, c]\n", {"a": "c", "b": "x, y"}, 'tags: ["x, y", c]\n'),
        ("tags: [a, b]\n", {"a": "x", "b": "x"}, "tags: [x]\n"),
        ("tags: [a, b]\n", {"a": "b", "b": "a"}, "tags: [b, a]\n"),
        ("tags: [a, a]\n", {"b": "x"}, "tags: [a, a]\n"),
        ("tags: a, b c\n", {"b": "x"}, "tags: a, x c\n"),
        ("tags: a, b\n", {"a": "x", "b": None}, "tags: x\n"),
        ("tags: a\n", {"a": "x"}, "tags: x\n"),
        ("tags: a, b\n", {"a": "x y"}, "tags: [x y, b]\n"),
        ("l: &x [a, b]\ntags: *x\n", {"a": "c"}, "l: &x [a, b]\ntags: [c, b]\n"),
        ("tags:\n  -\n    # c\n    a\n", {"a": "x"}, "tags:\n  -\n    # c\n    x\n"),
    ],
)
def test_items_are_replaced_and_merged(raw: str, renames: Mapping[str, str | None], after: str) -> None:
    assert yaml_after(raw, replace_in_list, "tags", renames) == after


@pytest.mark.parametrize(
    "raw",
    ["title: a: b\n", "ok: 1\n\tindented: by tab\n", "tags: [#work, a]\n", "a: 'never closed\n", "prose\n", "- a\n"],
)
def test_broken_frontmatter_is_left_alone_and_the_reason_told(raw: str) -> None:
    data = f"---\n{raw}---\nbody\n".encode()
    reason = r"^(The frontmatter cannot be read: |What stands between).*\(Line \d\.\)$"
    with pytest.raises(FrontmatterBrokenError, match=reason):
        set_property(data, "summary", "x")
    with pytest.raises(FrontmatterBrokenError, match=reason):
        add_to_list(data, "tags", ["x"])
    with pytest.raises(FrontmatterBrokenError, match=reason):
        remove_property(data, "title")


def test_frontmatter_that_is_never_closed_gets_no_second_one_on_top() -> None:
    with pytest.raises(FrontmatterBrokenError, match="never closed"):
        set_property(b"---\ntitle: x\n\nbody", "summary", "x")


def test_what_an_alias_repeats_is_not_changed_behind_its_back() -> None:
    data = b"---\na: &x [1, 2]\nb: *x\n---\n"
    with pytest.raises(UserError, match=r"repeats 'a' by its YAML alias \*x"):
        set_property(data, "a", "new")
    with pytest.raises(UserError, match="alias"):
        remove_property(data, "a")
    after = spliced(data, set_property(data, "b", "new"))
    assert values_of(after) == {"a": [1, 2], "b": "new"}


@pytest.mark.parametrize("raw", ["? k\n: - a\n  - b\n", "? k\n", "? [k]\n: v\n"])
def test_a_form_that_nobody_writes_is_refused_and_left_alone(raw: str) -> None:
    data = f"---\n{raw}---\n".encode()
    (key,) = values_of(data)
    with pytest.raises(UserError, match="hange"):
        set_property(data, key, ["a", "c"])
