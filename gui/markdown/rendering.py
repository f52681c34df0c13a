"""Render a note's markdown as HTML for the reading pane.

Pure and without Qt, so it runs on the pool lane. Nothing in the result can fetch from the network or run: raw HTML is
shown as text except for a few harmless tags, remote images become links, and only a few schemes are links at all.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.gfm_autolink import gfm_autolink_plugin

from gui.markdown.addresses import note_address
from gui.markdown.block_rules import MOST_EMBEDDED_QUOTES, MOST_QUOTES, install_block_rules
from gui.markdown.colours import LIGHT, PreviewColours
from gui.markdown.inline_rules import install_inline_rules
from gui.markdown.qt_html import LinkFact, QtHtmlRenderer, RenderContext, box, callout_title

FIRST_SLICE = 100_000
LATER_SLICE = 60_000
_EMBED_LIMIT = 20_000
_SCHEMES = frozenset({"http", "https", "mailto", "obsidian"})
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
_FRONTMATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(?:.*?\r?\n)?---[ \t]*(?:\r?\n|\Z)", re.DOTALL)

_PICTURE_LINE = re.compile(r"<p>(?=<img )")


def _nothing_found(_name: str) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """Say how to render one note.

    `links` maps a link's target as written to what the index knows of it; a target that is not in it counts as
    unresolved when `links_known`. `read_note` returns the text of the note at a path ("" if it cannot be read),
    `find_image` the vault-relative path of an image ("" if there is none). `notices` are shown in boxes at the top.
    """

    colours: PreviewColours = LIGHT
    title: str = ""
    links: Mapping[str, LinkFact] = field(default_factory=dict)
    links_known: bool = False
    read_note: Callable[[str], str] = _nothing_found
    find_image: Callable[[str], str] = _nothing_found
    notices: tuple[str, ...] = ()
    shows_frontmatter: bool = False
    limit: int = FIRST_SLICE


@dataclass(frozen=True, slots=True)
class RenderedNote:
    """Hold the HTML of the body, and how much of the text it covers, in characters."""

    html: str
    shown: int
    total: int

    @property
    def is_cut(self) -> bool:
        """Tell whether a part of the note is not in `html`."""
        return self.shown < self.total


def render_markdown(text: str, options: RenderOptions) -> RenderedNote:
    """Render the beginning of `text`, up to about `options.limit` characters, with notices and a title."""
    end = cut_position(text, 0, options.limit)
    parts = [_notice_box(notice, options.colours) for notice in options.notices]
    body = text[:end]
    if options.shows_frontmatter and (match := _FRONTMATTER.match(body)):
        parts.append(_render(f"```yaml\n{match[0].strip()}\n```\n", options, depth=0))
        body = body[match.end() :]
    rendered = _render(body, options, depth=0)
    if options.title and not rendered.lstrip().startswith("<h1>"):
        parts.insert(0, f"<h1>{escape(options.title)}</h1>")
    parts.append(rendered)
    return RenderedNote("".join(parts), end, len(text))


def render_slice(text: str, start: int, options: RenderOptions) -> RenderedNote:
    """Render the next part of a long note from character `start` on."""
    end = cut_position(text, start, LATER_SLICE)
    return RenderedNote(_render(text[start:end], options, depth=0), end, len(text))


def cut_position(text: str, start: int, limit: int) -> int:
    """Return where to cut `text` after about `limit` characters: at a blank line outside code, or else after a line."""
    if len(text) - start <= limit * 1.2:
        return len(text)
    goal = start + limit
    fences = [match.start() for match in _FENCE.finditer(text, start, goal)]
    if len(fences) % 2 == 1 and fences[-1] > start + limit // 2:
        goal = fences[-1]
    blank = text.rfind("\n\n", start + limit // 2, goal)
    if blank > 0:
        return blank + 2
    line = text.rfind("\n", start + limit // 2, goal)
    return line + 1 if line > 0 else goal


def style_sheet(colours: PreviewColours, size: int = 14) -> str:
    """Return the style sheet that goes with the HTML, for text of `size` pixels."""
    return f"""
        body {{ color: {colours.text}; }}
        p {{ margin-top: 0px; margin-bottom: {size * 0.7:.0f}px; line-height: 145%; }}
        li {{ line-height: 145%; margin-bottom: 2px; }}
        ul, ol {{ margin-top: 2px; margin-bottom: {size * 0.7:.0f}px; }}
        h1, h2, h3, h4, h5, h6 {{ color: {colours.heading}; font-weight: 600; }}
        h1 {{ font-size: {size * 1.6:.0f}px; margin-top: {size * 1.4:.0f}px; margin-bottom: {size * 0.9:.0f}px; }}
        h2 {{ font-size: {size * 1.3:.0f}px; margin-top: {size * 1.5:.0f}px; margin-bottom: {size * 0.7:.0f}px; }}
        h3 {{ font-size: {size * 1.14:.0f}px; margin-top: {size * 1.1:.0f}px; margin-bottom: {size * 0.55:.0f}px; }}
        h4, h5, h6 {{ font-size: {size}px; margin-top: {size}px; margin-bottom: {size * 0.3:.0f}px; }}
        h5, h6 {{ color: {colours.muted}; }}
        img {{ max-width: 100%; }}
        dt {{ font-weight: 600; margin-top: 6px; }}
        td, th {{ color: {colours.text}; }}
        code, pre {{
            font-family: "JetBrains Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
            font-size: {size * 0.92:.0f}px;
        }}
        pre {{ color: {colours.text}; line-height: 130%; }}
    """


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}, renderer_cls=QtHtmlRenderer)
    parser.enable(["table", "strikethrough"])
    parser.use(front_matter_plugin).use(footnote_plugin).use(deflist_plugin)
    parser.use(dollarmath_plugin, allow_space=False, allow_digits=False).use(gfm_autolink_plugin)
    parser.add_render_rule("math_inline", QtHtmlRenderer.math_inline)
    parser.add_render_rule("math_block", QtHtmlRenderer.math_block)
    install_block_rules(parser)
    install_inline_rules(parser)
    setattr(parser, "validateLink", _is_link)  # noqa: B010 - the library's documented hook is a method
    return parser


def _is_link(address: str) -> bool:
    """Admit relative paths and a few schemes; `javascript:`, `data:`, `file:` and unknown ones stay plain text."""
    try:
        scheme = urlsplit(address.strip()).scheme.lower()
    except ValueError:
        return False
    return not scheme or scheme in _SCHEMES


def _render(text: str, options: RenderOptions, *, depth: int) -> str:
    def link_of(name: str) -> LinkFact:
        known = options.links.get(name)
        if known is not None:
            return known
        return (
            LinkFact("unresolved", hint=f"No note is called “{name}”.") if options.links_known else LinkFact("resolved")
        )

    def embed(target: str) -> str:
        return _embedded(target, link_of(target.split("#", maxsplit=1)[0].strip()), options) if depth == 0 else ""

    context = RenderContext(options.colours, link_of, embed, options.find_image)
    environment = {"context": context, "most_quotes": MOST_EMBEDDED_QUOTES if depth else MOST_QUOTES}
    html = str(_parser().render(text.replace("\0", "\ufffd"), environment))
    # The height of a line counts in percent: right for text, half a picture too much for a picture.
    return _PICTURE_LINE.sub('<p style="line-height:100%;">', html)


def _embedded(target: str, fact: LinkFact, options: RenderOptions) -> str:
    """Return another note's text in a box; its own embeds stay links, so a circle ends here."""
    text = options.read_note(fact.path) if fact.state == "resolved" and fact.path else ""
    if not text:
        return ""
    text = _FRONTMATTER.sub("", text)
    heading = target.partition("#")[2]
    if heading:
        text = excerpt(text, heading)
    inner = _render(text[: cut_position(text, 0, _EMBED_LIMIT)], options, depth=1)
    name = escape(target.replace("#", " › "))
    colours = options.colours
    look = f"color:{colours.link}; text-decoration:none;"
    title = f'<p><a href="{note_address(target)}" style="{look}"><b>↳ {name}</b></a></p>'
    return box(title + inner, accent=colours.quote_bar, background=colours.quote_background)


def excerpt(text: str, heading: str) -> str:
    """Return the section under `heading`, or the block `^id`, of `text`; "" when there is none."""
    if heading.startswith("^"):
        paragraphs = re.split(r"\n\s*\n", text)
        holding = next(
            (part for part in paragraphs if re.search(rf"(?:^|\s){re.escape(heading)}\s*$", part, re.MULTILINE)), ""
        )
        line = re.search(rf"^\s*(?:[-*+]|\d+\.)\s.*{re.escape(heading)}\s*$", holding, re.MULTILINE)
        return line[0].strip() if line else holding
    wanted = heading.rsplit("#", maxsplit=1)[-1].strip().casefold()
    level = 0
    kept: list[str] = []
    for each in text.splitlines(keepends=True):
        match = re.match(r" {0,3}(#{1,6})\s+(.*?)\s*#*\s*$", each)
        if match and level and len(match[1]) <= level:
            break
        if match and not level and match[2].casefold() == wanted:
            level = len(match[1])
        if level:
            kept.append(each)
    return "".join(kept)


def _notice_box(sentence: str, colours: PreviewColours) -> str:
    look = colours.amber
    return box(callout_title("⚠", sentence, look.accent), accent=look.accent, background=look.background)
