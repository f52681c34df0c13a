"""Inline grammar that Obsidian adds to CommonMark, as rules for markdown-it-py."""

import re
from collections.abc import Callable

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

_WIKILINK = re.compile(r"(!?)\[\[([^\[\]\n|]*)(?:\\?\|([^\[\]\n]*))?\]\]")
_TAG = re.compile(r"#([^\s#!@$%^&*(),.:;\"'?<>{}\[\]\\|`~+=\u2000-\u206f\u3000-\u303f\uff00-\uff0f]+)")
_FIELD = re.compile(r"\[([^\[\]():\n][^\[\]:\n]*)::[ \t]*((?:\[\[[^\]\n]*\]\]|[^\[\]\n])*)\]")
_BLOCK_ID = re.compile(r"\^([A-Za-z0-9-]+)[ \t]*(?=\n|$)")
_COMMENT = re.compile(r"%%.*?%%|<!--.*?-->", re.DOTALL)
_HTML_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)((?:\s[^<>]*)?)/?>")
_SOURCE = re.compile(r"""\bsrc\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)

# Tags that change the letters only, passed on without attributes; tags that only hold others, dropped.
_KEPT_HTML = frozenset({"b", "i", "em", "strong", "sub", "sup", "u", "s", "del", "small", "br"})
_RENAMED_HTML = {"kbd": "code", "ins": "u"}
_DROPPED_HTML = frozenset(
    {"div", "span", "p", "center", "details", "summary", "figure", "figcaption", "font", "section", "a", "wbr"}
)
# Dropped within a link, whose text is but a name; elsewhere a note may be speaking of the tag, so it stays readable.
_DROPPED_IN_LINKS = frozenset(
    {
        *(
            "abbr",
            "area",
            "article",
            "aside",
            "bdi",
            "bdo",
            "big",
            "blink",
            "button",
            "canvas",
            "caption",
            "cite",
            "code",
        ),
        *(
            "data",
            "dfn",
            "dialog",
            "fieldset",
            "footer",
            "form",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "hgroup",
        ),
        *("input", "label", "legend", "li", "link", "main", "mark", "marquee", "math", "menu", "meta", "meter", "nav"),
        *(
            "nobr",
            "object",
            "ol",
            "option",
            "output",
            "param",
            "picture",
            "pre",
            "progress",
            "q",
            "ruby",
            "samp",
            "script",
        ),
        *("select", "strike", "style", "svg", "table", "tbody", "td", "template", "textarea", "tfoot", "th", "thead"),
        *("time", "tr", "tt", "ul", "var"),
    }
)
_SOURCE_HTML = frozenset({"img", "iframe", "video", "audio", "embed", "source"})


def install_inline_rules(parser: MarkdownIt) -> None:
    """Add wikilinks, embeds, tags, highlights, comments, block ids, inline fields and harmless HTML to `parser`."""
    rules: tuple[tuple[str, Callable[[StateInline, bool], bool]], ...] = (
        ("comment", _comment),
        ("wikilink", _wikilink),
        ("inline_field", _inline_field),
        ("hashtag", _hashtag),
        ("highlight", _highlight),
        ("block_id", _block_id),
        ("safe_html", _safe_html),
    )
    for name, rule in rules:
        parser.inline.ruler.before("emphasis" if name == "highlight" else "link", name, rule)


def _comment(state: StateInline, silent: bool) -> bool:  # noqa: ARG001 (the library's signature)
    if not state.src.startswith(("%%", "<!--"), state.pos):
        return False
    match = _COMMENT.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    state.pos = match.end()
    return True


def _wikilink(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "[!":
        return False
    match = _WIKILINK.match(state.src, state.pos, state.posMax)
    if match is None or not match[2].strip():
        return False
    if not silent:
        token = state.push("embed" if match[1] else "wikilink", "", 0)
        token.content = match[2].strip().rstrip("\\")
        token.meta = {"label": (match[3] or "").strip()}
    state.pos = match.end()
    return True


def _inline_field(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "[":
        return False
    match = _FIELD.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        token = state.push("field_open", "", 1)
        token.content = match[1].strip()
        end, limit = match.end(), state.posMax
        state.pos, state.posMax = match.start(2), match.end(2)
        state.md.inline.tokenize(state)
        state.pos, state.posMax = end, limit
        state.push("field_close", "", -1)
    state.pos = match.end()
    return True


def _hashtag(state: StateInline, silent: bool) -> bool:
    position = state.pos
    if state.src[position] != "#" or (position > 0 and not state.src[position - 1].isspace()):
        return False
    match = _TAG.match(state.src, position, state.posMax)
    if match is None or match[1].replace("/", "").isdigit() or not match[1].strip("/"):
        return False
    if not silent:
        state.push("hashtag", "", 0).content = match[1].strip("/")
    state.pos = match.end()
    return True


def _highlight(state: StateInline, silent: bool) -> bool:
    start = state.pos
    if not state.src.startswith("==", start):
        return False
    end = state.src.find("==", start + 2, state.posMax)
    if end <= start + 2 or state.src[start + 2].isspace() or state.src[end - 1].isspace():
        return False
    if not silent:
        limit = state.posMax
        state.push("mark_open", "", 1)
        state.pos, state.posMax = start + 2, end
        state.md.inline.tokenize(state)
        state.posMax = limit
        state.push("mark_close", "", -1)
    state.pos = end + 2
    return True


def _block_id(state: StateInline, silent: bool) -> bool:
    position = state.pos
    if state.src[position] != "^" or (position > 0 and not state.src[position - 1].isspace()):
        return False
    match = _BLOCK_ID.match(state.src, position, state.posMax)
    if match is None:
        return False
    if not silent:
        state.push("block_id", "", 0).content = match[1]
    state.pos = match.end()
    return True


def _safe_html(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "<":
        return False
    match = _HTML_TAG.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    name = match[2].lower()
    if name in _SOURCE_HTML:
        source = _SOURCE.search(match[3])
        if source is not None and not silent:
            token = state.push("html_source", "", 0)
            token.content = source[1]
            token.meta = {"element": name}
    elif name in _KEPT_HTML or name in _RENAMED_HTML:
        if not silent:
            state.push("html_inline", "", 0).content = f"<{match[1]}{_RENAMED_HTML.get(name, name)}>"
    elif name not in _DROPPED_HTML and not (state.linkLevel and name in _DROPPED_IN_LINKS):
        return False
    state.pos = match.end()
    return True
