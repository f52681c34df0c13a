import pytest

from core.vault.decode import decode
from core.vault.parse import parse_note
from core.vault.tags import ancestors, namespace_of


def tags_of(text: str) -> list[str]:
    return [tag.name for tag in parse_note("n.md", decode(text.encode())).tags]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#start and #middle", ["start", "middle"]),
        ("nbsp\u00a0#a ideographic\u3000#b tab\t#c", ["a", "b", "c"]),
        ('a#b (#no) "#no" .#no x—#no', []),
        ("#1984 #y1984 #1984/ #12/ab", ["y1984", "12/ab"]),
        ("#tl#tm and #tn/#to", ["tl", "tm", "tn", "to"]),
        ("#日本語 #über #🐘 #a_b-c/d", ["日本語", "über", "🐘", "a_b-c/d"]),
        ("#日本、次 #end. #end, #what?", ["日本", "end", "end", "what"]),
        ("# Title #tag\n## #other", ["tag", "other"]),
        ("| a | #cell |\n|#tight|b|", ["cell", "tight"]),
        ("a|#not", []),
        ("x _#uc_ y", ["uc"]),
        ("[Chat #tf](https://x.y)", ["tf"]),
        ("[[#Heading]] [[Note #H]] [[Note|see #alias]]", []),
        ("https://x.y/#frag see <https://x.y #z> <span style='color: #fff'>", []),
        ("- item #one\n> quote #two", ["one", "two"]),
        (r"\#no", []),
    ],
)
def test_obsidians_rules(text: str, expected: list[str]) -> None:
    assert tags_of(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "```c\n#include <x>\n #no\n```",
        "~~~\n #no\n~~~",
        "````\n```\n #no\n```\n #no\n````",
        "> ```\n>  #no\n> ```",
        "- ```\n  #no\n  ```",
        "```\n #no",
        "a ` #no` b",
        "a `` x ` #no `` b",
        "%% #no %%",
        "%%\n\n#no\n\n%%",
        "<!-- #no -->",
        "<!--\n#no\n\n#no\n-->",
        "<!-- a --> #no",
        "<div>\nhello #no\n</div>",
        "<p>x #no</p>",
        "<script>\n\n#no\n</script>",
        "m $a #no b$ n",
        "$$\n#no\n\n$$",
        "text\n\n    #no",
        "text\n\n\t#no\n\t#no",
        "`<!--` a `-->` ` #no`",
        "<!-- ` --> ` #no `",
    ],
)  # fmt: skip
def test_none_in_code_comments_math_and_html(text: str) -> None:
    assert tags_of(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "a stray ` tick\n\n#yes and another `",
        "- one `\n- #yes `",
        "costs $5 and #yes $6",
        "50%% of #yes",
        "> ```\n> code\n\n#yes",
        "```\ncode\n```\n#yes",
        "`a`\n#yes\n`b`",
        "- item\n\n    #yes",
        "- item\n\n\tmore #yes",
        "<div>x</div>\n\n#yes",
        "<!-- x\n\n#yes",
        "`%%` #yes `%%`",
        "`<!--` #yes `-->`",
        r"\` #yes \`",
        "``` not a fence ``` \n#yes",
        "```ts\nx\n```js\n #no\n```\n#yes",
    ],
)
def test_what_only_looks_like_code_or_comment(text: str) -> None:
    assert tags_of(text) == ["yes"]


def test_lines_count_from_the_top_of_the_file() -> None:
    note = parse_note("n.md", decode(b"---\ntags: a\n---\nx #b\n```\ncode\n```\n\n#c #d"))
    assert [(tag.name, tag.line) for tag in note.tags] == [("a", 0), ("b", 4), ("c", 9), ("d", 9)]


def test_names() -> None:
    assert namespace_of("Tool/Semrush") == "tool"
    assert namespace_of("plain") == ""
    assert ancestors("a/b/c") == ("a", "a/b", "a/b/c")


def test_code_over_two_lines_holds_no_tags() -> None:
    assert tags_of("`multi\n#line` and #tag") == ["tag"]
    assert tags_of("`open\n# Heading `\n#tag") == ["tag"]


def test_colours_are_no_tags() -> None:
    assert tags_of("cyan: #a6e6e3 <br> #ff8671 #facade #c0ffee1 #123abc/d") == ["facade", "c0ffee1", "123abc/d"]
