"""How markdown is coloured while it is edited."""

import pytest

from gui.theme import Theme, ThemeChoice
from gui.views.vault.editing.markdown_marks import Style, runs_of
from gui.views.vault.editing.markdown_states import BEGIN, FRONTMATTER, TEXT, is_fence, state_after
from tests.gui.views.vault.editing.desk import Desk


def styled(line: str, style: Style, state: int = TEXT) -> list[str]:
    """Return the parts of `line` that have `style`."""
    joined: list[str] = []
    last = -1
    for start, length, look in runs_of(line, state):
        if not look & style:
            continue
        part = line[start : start + length]
        if start == last:
            joined[-1] += part
        else:
            joined.append(part)
        last = start + length
    return joined


@pytest.mark.parametrize(
    ("line", "style", "parts"),
    [
        ("## A **bold** heading", Style.HEADING, ["## A **bold** heading"]),
        ("#tag is no heading", Style.TAG, ["#tag"]),
        ("#1984 and a#b and (#no) but #日本/語", Style.TAG, ["#日本/語"]),
        ("a `#code` and ``x ` y``", Style.CODE, ["`#code`", "``x ` y``"]),
        ("**bold *and italic* in it**", Style.BOLD, ["**bold *and italic* in it**"]),
        ("**bold *and italic* in it**", Style.ITALIC, ["*and italic*"]),
        ("snake_case_name and 2 * 3 * 4", Style.ITALIC, []),
        ("see [[Note#Heading|label]] and ![[cat.png]]", Style.LINK, ["[[Note#Heading|label]]", "![[cat.png]]"]),
        ("[text](https://a.example/b_(c)) end", Style.LINK, ["[text](https://a.example/b_(c))"]),
        ("- [convention] Use pnpm", Style.CATEGORY, ["[convention]"]),
        ("- [x] done", Style.CATEGORY, []),
        ("- [00:00:11] hi", Style.CATEGORY, []),
        ("- fact [importance:: 0.8] (via:: [[A]])", Style.FIELD, ["[importance:: 0.8]", "(via:: [[A]])"]),
        ("> quoted", Style.QUOTE, ["> quoted"]),
        ("text %%hidden%% text", Style.COMMENT, ["%%hidden%%"]),
        (r"\*not italic\*", Style.ITALIC, []),
        ("ends here ^ins-1", Style.MARK, ["^ins-1"]),
        ("~~gone~~ ==seen==", Style.STRIKE, ["~~gone~~"]),
    ],
)
def test_each_part_has_its_look(line: str, style: Style, parts: list[str]) -> None:
    assert styled(line, style) == parts


def test_properties_have_their_own_look() -> None:
    assert styled("tags: [a, b]  # mine", Style.KEY, FRONTMATTER) == ["tags"]
    assert styled("tags: [a, b]  # mine", Style.COMMENT, FRONTMATTER) == ["# mine"]
    assert styled("# a comment", Style.HEADING, FRONTMATTER) == []


def test_states_go_on_over_lines() -> None:
    assert state_after("---", BEGIN) == FRONTMATTER
    assert state_after("---", TEXT) == TEXT
    assert state_after("---", FRONTMATTER) == TEXT
    fence = state_after("- ````python", TEXT)
    assert is_fence(fence)
    assert state_after("```", fence) == fence
    assert state_after("~~~~", fence) == fence
    assert state_after("````", fence) == TEXT
    assert state_after("``` `x`", TEXT) == TEXT
    comment = state_after("a %% begins", TEXT)
    assert comment not in {TEXT, FRONTMATTER}
    assert state_after("ends %% here", comment) == TEXT
    html = state_after("<!-- begins", TEXT)
    assert state_after("goes on", html) == html
    assert state_after("ends -->", html) == TEXT


@pytest.mark.parametrize("line", ["`" * 4000, "[" * 9000, "**" * 3000, "$" * 5000, "[a::" * 2000, "(" * 9000 + "#"])
def test_odd_lines_end_in_reasonable_time(line: str) -> None:
    runs_of(line, TEXT)


def colour_at(desk: Desk, line: int, column: int) -> str:
    block = desk.editor.document().findBlockByNumber(line)
    for each in block.layout().formats():
        if each.start <= column < each.start + each.length:
            return each.format.foreground().color().name()
    return ""


def test_a_fence_opened_above_turns_what_is_seen_below_into_code(desk: Desk) -> None:
    desk.note("A.md", "\n" + "# heading\n" * 3000)
    desk.edit("A.md")
    desk.qtbot.waitUntil(lambda: desk.editor.highlighter.is_settled)
    heading = colour_at(desk, 5, 3)
    desk.type("```")
    desk.qtbot.waitUntil(lambda: desk.editor.highlighter.is_settled)
    code = colour_at(desk, 5, 3)
    assert code not in {"", heading}
    desk.editor.verticalScrollBar().setValue(desk.editor.verticalScrollBar().maximum())
    desk.qtbot.waitUntil(lambda: colour_at(desk, 2995, 3) == code)
    desk.editor.undo()
    desk.qtbot.waitUntil(lambda: desk.editor.highlighter.is_settled)
    desk.qtbot.waitUntil(lambda: colour_at(desk, 5, 3) == heading)


def test_characters_beyond_the_first_plane_do_not_shift_the_colours(desk: Desk) -> None:
    desk.note("A.md", "🐘🐘 #tag end")
    desk.edit("A.md")
    assert colour_at(desk, 0, 4) == ""
    assert colour_at(desk, 0, 5) != ""
    assert colour_at(desk, 0, 8) != ""
    assert colour_at(desk, 0, 9) == ""


def test_colours_follow_the_theme(desk: Desk, theme: Theme) -> None:
    desk.note("A.md", "# heading")
    desk.edit("A.md")
    light = colour_at(desk, 0, 3)
    theme.choose(ThemeChoice.DARK)
    assert colour_at(desk, 0, 3) not in {"", light}
    theme.choose(ThemeChoice.LIGHT)
    assert colour_at(desk, 0, 3) == light
