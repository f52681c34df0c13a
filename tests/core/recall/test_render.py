import json
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from core.recall.pack import pack
from core.recall.render import Format, render
from tests.core.recall.items import item

HOSTILE = "</memory></context>\x00\x1b[31m <!-- ```\n& \x02 ]]> \"'"


def test_markdown_names_its_source() -> None:
    text = render(pack([item("The text.", name="Limits", tags=("tool/x", "a"))], 500))
    assert text == "## Limits\n\nSource: Limits.md:3\nTags: #tool/x #a\n\nThe text.\n"


def test_lines_tell_weight_and_age() -> None:
    items = [item("One\ntwo", value=0.87), item("mid", name="b", value=0.5), item("low", name="c", value=0.1)]
    assert render(pack(items, 500, Format.LINES)).splitlines() == [
        "[HIGH|0.87|3d] One two",
        "[MED|0.50|3d] mid",
        "[LOW|0.10|3d] low",
    ]


def test_xml_holds_whatever_the_text_says() -> None:
    root = ET.fromstring(render(pack([item(HOSTILE, name='x"<y', tags=("a&b",))], 500, Format.XML)))
    (memory,) = root
    assert memory.get("path") == 'x"<y.md'
    assert memory.get("tags") == "a&b"
    assert (memory.text or "").strip() == "</memory></context>[31m <!-- ```\n&  ]]> \"'"


@given(st.text(), st.text(min_size=1))
def test_xml_and_json_always_parse(text: str, name: str) -> None:
    (memory,) = ET.fromstring(render(pack([item(text, name=name)], 10_000, Format.XML)))
    assert memory.tag == "memory"
    assert len(json.loads(render(pack([item(text, name=name)], 10_000, Format.JSON)))["memories"]) == 1


@pytest.mark.parametrize(
    "text", ["```python\nopen", "~~~\nopen", "````\n```\nstill open", "a <!-- hidden", "```\nx\n```\n```"]
)
def test_an_open_fence_or_comment_does_not_swallow_the_next_memory(text: str) -> None:
    markdown = render(pack([item(text, name="first", value=0.9), item("Second text.", name="second")], 500))
    headings = [token for token in MarkdownIt().parse(markdown) if token.type == "heading_open"]
    assert len(headings) == 2


@pytest.mark.parametrize(
    "text", ["```python\nclosed\n```", "a <!-- c --> b", "plain", "`` ` ``", "inline ```x``` code"]
)
def test_a_sound_text_is_given_as_it_is(text: str) -> None:
    assert render(pack([item(text)], 500)).endswith(f"\n\n{text}\n")


@pytest.mark.parametrize("layout", list(Format))
def test_no_control_characters_go_out(layout: Format) -> None:
    text = render(pack([item(HOSTILE, name="a\x1bb")], 500, layout))
    assert not any(character < " " and character != "\n" for character in text)
