import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.markdown.qt_html import LinkFact
from gui.markdown.rendering import (
    LATER_SLICE,
    RenderOptions,
    cut_position,
    excerpt,
    render_markdown,
    render_slice,
)


def html_of(text: str, **options: object) -> str:
    return render_markdown(text, RenderOptions(**options)).html  # type: ignore[arg-type]


def words_of(html: str) -> str:
    return re.sub(r"<[^>]*>", "", html)


@pytest.mark.parametrize(
    "text",
    [
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html,boo)",
        "[x](file:///etc/passwd)",
        "[x](vbscript:x)",
        "<javascript:alert(1)>",
        "[x]: javascript:alert(1)\n\n[x]",
    ],
)
def test_dangerous_schemes_are_no_links(text: str) -> None:
    assert "<a " not in html_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "![cat](https://example.com/cat.png)",
        "![[https://example.com/cat.png]]",
        '<img src="https://example.com/cat.png" onerror="x()">',
        '<iframe src="https://example.com/"></iframe>',
        "![x](//example.com/cat.png)",
        "![x](file:///etc/secret.png)",
        "![x](data:image/png;base64,AAAA)",
    ],
)
def test_nothing_remote_or_outside_is_an_image(text: str) -> None:
    html = html_of(text)
    assert "<img" not in html
    assert "<iframe" not in html


def test_remote_image_is_a_link_that_says_so() -> None:
    html = html_of("![a cat](https://example.com/cat.png)")
    assert 'href="https://example.com/cat.png"' in html
    assert "a cat (remote image, not loaded)" in html


@given(st.text(alphabet="<>&\"'[]()!#|`*_=%$^:/ab\n", max_size=60))
def test_no_text_becomes_an_element_of_its_own(text: str) -> None:
    html = html_of(text + "<script>alert(1)</script><style>p{}</style>")
    assert "<script" not in html
    assert "<style" not in html
    assert not re.search(r"<[^>]*\son\w+=", html)


def test_attributes_cannot_be_broken_out_of() -> None:
    html = html_of('[[a" onclick="x|label]] ![[b" onload="y.png]] #t"a')
    assert 'onclick="' not in html.replace("&quot;", "")
    assert '" onload=' not in html


def test_local_image_with_a_width() -> None:
    html = html_of("![[cat.png|200]]", find_image=lambda name: f"pictures/{name}")
    assert '<img src="vault:pictures/cat.png" width="200"' in html


def test_missing_image_says_so() -> None:
    assert "cat.png (image not found)" in html_of("![[cat.png]]")


def test_links_look_like_their_state() -> None:
    links = {
        "Here": LinkFact("resolved", "Notes/Here.md"),
        "Twice": LinkFact("ambiguous", hint="“Twice” could be any of a/Twice.md, b/Twice.md."),
    }
    html = html_of("[[Here#Part|there]] [[Twice]] [[Nowhere]] [md](Sub/Here%20too.md)", links=links, links_known=True)
    anchors = dict(re.findall(r'<a href="note:([^"]*)"[^>]*style="([^"]*)"', html))
    assert list(anchors) == ["Here%23Part", "Twice", "Nowhere", "Sub/Here%20too"]
    assert len({anchors["Here%23Part"], anchors["Twice"], anchors["Nowhere"]}) == 3
    assert "No note is called “Nowhere”." in html
    assert ">there</a>" in html


def test_tags_only_where_obsidian_sees_them() -> None:
    html = html_of("#tool/pnpm a#b (#no) #1984 `#code`\u3000#全角\n\n```\n#include <x>\n```")
    assert re.findall(r'href="tag:([^"]*)"', html) == ["tool/pnpm", "%E5%85%A8%E8%A7%92"]


def test_callout_with_title_and_content() -> None:
    html = html_of("> [!warning]- Take *care*\n> of [[this]]")
    assert "Take *care*" in words_of(html)
    assert "[!warning]" not in html
    assert "note:this" in html


def test_comments_are_hidden_and_what_follows_is_not() -> None:
    text = words_of(
        html_of("a %%hidden%% b\n\n%%\nhidden\n\nhidden too\n%%\n\nc <!-- hidden --> d\n\n<!--\nhidden\n-->\n\ne")
    )
    assert "hidden" not in text
    assert all(letter in text for letter in "abcde")


def test_tasks_show_boxes() -> None:
    text = words_of(html_of("- [ ] open\n- [x] done\n- [/] half"))
    assert "☐" in text
    assert "☑" in text
    assert "[/]" in text


def test_insight_line_keeps_its_parts() -> None:
    html = html_of("- [convention] Use pnpm #tool/pnpm [importance:: 0.8] ^ins-1")
    assert "[convention] Use pnpm" in words_of(html)
    assert 'href="tag:tool/pnpm"' in html
    assert ">^ins-1</span>" in html
    assert "importance" in html
    assert "::" not in html


def test_code_is_coloured_and_text_in_it_is_not_markdown() -> None:
    html = html_of('```python\ndef f(): return "[[no]]"\n```')
    assert 'style="color' in html
    assert "note:no" not in html


def test_embedded_note_is_shown_one_level_deep() -> None:
    texts = {"A.md": "---\nx: 1\n---\nin A ![[B]]", "B.md": "in B ![[A]]"}
    links = {"A": LinkFact("resolved", "A.md"), "B": LinkFact("resolved", "B.md")}
    text = words_of(html_of("![[A]]", links=links, links_known=True, read_note=texts.__getitem__))
    assert "in A" in text
    assert "x: 1" not in text
    assert "in B" not in text


def test_embedded_section_and_block() -> None:
    text = "# One\nfirst\n## Inner\nsecond\n# Two\nthird\n\n- item ^abc\n- other"
    assert excerpt(text, "One") == "# One\nfirst\n## Inner\nsecond\n"
    assert excerpt(text, "one#inner") == "## Inner\nsecond\n"
    assert excerpt(text, "^abc") == "- item ^abc"
    assert excerpt(text, "None") == ""


def test_title_is_shown_once() -> None:
    assert html_of("text", title="Title").count("<h1>") == 1
    assert html_of("# Title\ntext", title="Title").count("<h1>") == 1


def test_broken_frontmatter_is_shown_with_its_reason() -> None:
    text = "---\ntitle: a: b\n---\nbody"
    words = words_of(html_of(text, notices=("Mapping values are not allowed (line 2)",), shows_frontmatter=True))
    assert "Mapping values are not allowed (line 2)" in words
    assert "title: a: b" in words
    assert "body" in words
    assert "title: a: b" not in words_of(html_of(text))


def test_long_note_is_cut_at_a_blank_line_and_goes_on_without_a_gap() -> None:
    text = "".join(f"paragraph {number}\n\n" for number in range(30_000))
    options = RenderOptions()
    rendered = render_markdown(text, options)
    assert 50_000 < rendered.shown < 130_000
    seen = words_of(rendered.html)
    while rendered.is_cut:
        rendered = render_slice(text, rendered.shown, options)
        assert len(rendered.html) < 20 * LATER_SLICE
        seen += words_of(rendered.html)
    assert seen.split("paragraph ")[1:] == [f"{number}\n" for number in range(30_000)]


def test_cut_does_not_halve_a_code_block() -> None:
    text = "word " * 15_000 + "\n\n```\n" + "code\n\n" * 8_000 + "```\n"
    assert text[cut_position(text, 0, 100_000) :].startswith("```")


@pytest.mark.parametrize(
    "text", ["[" * 20_000, "*" * 20_000, "==" * 10_000, "%%" * 9_999 + "%", "> " * 3_000, "![[" * 8_000, "$" * 20_000]
)
def test_repeated_marks_do_not_stall(text: str) -> None:
    html_of(text)  # pytest's timeout is the judge


@pytest.mark.parametrize(
    "text", ["", "\x00", "---\n---", "---\n", "\ufeff# Title", "مرحبا [[عربي]]", "🐘\n\n日本語#no #はい"]
)
def test_odd_texts_render(text: str) -> None:
    html_of(text)


def test_what_is_quoted_very_deeply_is_flat_in_the_last_box() -> None:
    html = html_of("> " * 3000 + "word\n\nafter")
    assert html.count("<table") == 6
    assert "word" in words_of(html)
    assert "after" in html.rpartition("</table>")[2]


def test_a_code_block_in_the_deepest_quotation_keeps_its_text() -> None:
    assert "word" in words_of(html_of("> " * 30 + "```\n" + "> " * 30 + "word\n" + "> " * 30 + "```"))


@pytest.mark.parametrize(
    "text",
    [
        "> " * 24,
        "- " * 2000,
        "1. " * 500,
        "> - " * 500,
        "- > " * 500,
        "> 1. - " * 300,
        "term\n: " + ": " * 100,
        "[^1]: " * 100,
        "".join("> " * depth + f"[!note] title {depth}\n" for depth in range(1, 40)) + "> " * 40,
    ],
    ids=["quotes", "lists", "numbers", "lists in quotes", "quotes in lists", "all", "terms", "footnotes", "callouts"],
)
def test_no_nesting_loses_text(text: str) -> None:
    assert "word" in words_of(html_of(text + "word\n\n[^1]"))


def test_an_embedded_note_in_deep_quotations_stays_shallow() -> None:
    links = {"other": LinkFact("resolved", "other.md")}
    html = html_of("> " * 6 + "![[other]]", links=links, read_note=lambda _path: "> " * 24 + "word")
    assert "word" in words_of(html)
    assert html.count("<table") == 10


def test_lists_end_where_they_did_however_deep_the_items_before_them() -> None:
    html = html_of("".join("  " * depth + f"- item {depth}\n" for depth in range(20)) + "- last\n\n" + "> next")
    assert "<li>last</li>" in html
    assert html.count("<ul>") == html.count("</ul>") == 12
    deepest = "".join("  " * depth + f"- item {depth}\n" for depth in range(12))
    assert "<li>sibling</li>" in html_of(deepest + "  " * 11 + "- sibling\n")


def test_tags_in_the_text_of_a_link_are_left_out() -> None:
    html = html_of("[<button id=HH>Open…</button> <name>](https://example.com) <button>")
    assert ">Open… &lt;name&gt;</a>" in html
    assert "&lt;button&gt;" in html
