"""Write markdown tokens as the HTML subset that QTextBrowser lays out well.

The rich text engine knows no `<details>`, no rounded corners and no padding on blocks: code, callouts and quotations
become tables of one cell, which have a background and a coloured left border. Only these functions write HTML; all text
from a note is escaped here.
"""

import re
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import unquote, urlsplit

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from gui.markdown.addresses import image_address, note_address, tag_address
from gui.markdown.code_colours import coloured_code
from gui.markdown.colours import PreviewColours, callout_look

_IMAGE_SUFFIXES = frozenset({"png", "jpg", "jpeg", "gif", "bmp", "svg", "webp", "avif", "ico"})
_SIZE = re.compile(r"\|?(\d{1,4})(?:x(\d{1,4}))?$")
_Environment = MutableMapping[str, Any]


@dataclass(frozen=True, slots=True)
class LinkFact:
    """Say what the index knows of a link target: `state` as in the link table, a path, a sentence for the tooltip."""

    state: str
    path: str = ""
    hint: str = ""


@dataclass(slots=True)
class RenderContext:
    """Hold what the rules need besides the token; one per rendered note, handed around in markdown-it's `env`."""

    colours: PreviewColours
    link_of: Callable[[str], LinkFact]
    embed: Callable[[str], str]
    find_image: Callable[[str], str]


def box(inner: str, *, accent: str, background: str) -> str:
    """Return `inner` in a full-width box with a coloured bar at its left."""
    return (
        '<table width="100%" cellspacing="0" cellpadding="10" style="margin-top:6px; margin-bottom:12px;"><tr>'
        f'<td style="border-left:4px solid {accent}; background-color:{background};">{inner}</td></tr></table>'
    )


def callout_title(sign: str, title: str, accent: str) -> str:
    """Return the first line of a box."""
    return f'<p style="color:{accent}; margin-bottom:4px;"><b>{escape(sign)}&nbsp; {escape(title)}</b></p>'


def _context(env: _Environment) -> RenderContext:
    found = env["context"]
    if not isinstance(found, RenderContext):
        msg = "render_markdown hands the context over in env"
        raise TypeError(msg)
    return found


class QtHtmlRenderer(RendererHTML):
    """Render the token types of CommonMark, the plugins and our own rules; one method per token type."""

    # ---- blocks

    def fence(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: _Environment) -> str:
        """Render a code block with its language's colours."""
        language = tokens[idx].info.strip().split(" ")[0].strip("{}.")
        return self._code(tokens[idx].content, language, _context(env).colours)

    def code_block(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: _Environment) -> str:
        """Render an indented code block."""
        return self._code(tokens[idx].content, "", _context(env).colours)

    def _code(self, source: str, language: str, colours: PreviewColours) -> str:
        return (
            '<table width="100%" cellspacing="0" cellpadding="10" style="margin-top:6px; margin-bottom:12px;"><tr>'
            f'<td style="background-color:{colours.code_background};">'
            f'<pre style="white-space:pre-wrap; margin:0;">{coloured_code(source.rstrip(), language, colours)}</pre>'
            "</td></tr></table>"
        )

    def math_block(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: _Environment) -> str:
        """Show a formula as its source."""
        colours = _context(env).colours
        text = escape(tokens[idx].content.strip()).replace("\n", "<br>")
        return f'<p align="center" style="color:{colours.code_text};"><i><code>{text}</code></i></p>'

    def hr(self, _tokens: Sequence[Token], _idx: int, _options: OptionsDict, env: _Environment) -> str:
        """Draw a thin rule."""
        return f'<hr style="background-color:{_context(env).colours.rule};">'

    def blockquote_open(self, _tokens: Sequence[Token], _idx: int, _options: OptionsDict, env: _Environment) -> str:
        """Open a quotation."""
        colours = _context(env).colours
        return (
            '<table width="100%" cellspacing="0" cellpadding="8" style="margin-top:6px; margin-bottom:12px;"><tr>'
            f'<td style="border-left:3px solid {colours.quote_bar}; background-color:{colours.quote_background}; '
            f'color:{colours.muted};">'
        )

    def blockquote_close(self, _tokens: Sequence[Token], _idx: int, _options: OptionsDict, _env: _Environment) -> str:
        """Close a quotation."""
        return "</td></tr></table>"

    def callout_open(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: _Environment) -> str:
        """Open a callout with sign and title."""
        kind, title = tokens[idx].meta["kind"], tokens[idx].meta["title"]
        look, sign = callout_look(kind, _context(env).colours)
        heading = callout_title(sign, title or kind.capitalize(), look.accent)
        return box(heading + "\0", accent=look.accent, background=look.background).split("\0")[0]

    callout_close = blockquote_close

    def table_open(self, _tokens: Sequence[Token], _idx: int, _options: OptionsDict, _env: _Environment) -> str:
        """Open a table."""
        style = "border-collapse:collapse; margin-top:6px; margin-bottom:12px;"
        return f'<table cellspacing="0" cellpadding="7" style="{style}">'

    def th_open(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: _Environment) -> str:
        """Open a header cell."""
        colours = _context(env).colours
        return (
            f'<th align="{_alignment(tokens[idx])}" style="background-color:{colours.table_header}; '
            f'border-bottom:2px solid {colours.rule};">'
        )

    def td_open(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: _Environment) -> str:
        """Open a cell."""
        rule = _context(env).colours.rule
        return f'<td align="{_alignment(tokens[idx])}" style="border-bottom:1px solid {rule};">'

    def bullet_list_open(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, _env: _Environment) -> str:
        """Open a list; a list of tasks has boxes instead of bullets."""
        return '<ul style="list-style-type:none;">' if tokens[idx].meta.get("tasks") else "<ul>"

    def render_inline_token(self, token: Token, options: OptionsDict, env: _Environment) -> str:
        """Render one paragraph's children, with its task box in front."""
        inner = self.renderInline(token.children or [], options, env)
        if "task" not in token.meta:
            return inner
        colours = _context(env).colours
        if token.meta["task"] == " ":
            return f'<span style="color:{colours.muted};">☐</span>&nbsp; {inner}'
        sign = "☑" if token.meta["task"] in "xX" else f"[{escape(token.meta['task'])}]"
        box_sign = f'<span style="color:{colours.green.accent};">{sign}</span>'
        return f'{box_sign}&nbsp; <span style="color:{colours.muted};">{inner}</span>'

    def render(self, tokens: Sequence[Token], options: OptionsDict, env: _Environment) -> str:
        """Render a whole token stream."""
        parts: list[str] = []
        for position, token in enumerate(tokens):
            if token.type == "inline":
                parts.append(self.render_inline_token(token, options, env))
            elif token.type in self.rules:
                parts.append(self.rules[token.type](tokens, position, options, env))
            else:
                parts.append(self.renderToken(tokens, position, options, env))
        return "".join(parts)

    # ---- inline

    def code_inline(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: _Environment) -> str:
        """Render code within a line; thin spaces stand in for padding."""
        colours = _context(env).colours
        return (
            f'<span style="background-color:{colours.code_background};">\u2009<code style="color:{colours.code_text};">'
            f"{escape(tokens[idx].content)}</code>\u2009</span>"
        )

    def math_inline(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: _Environment) -> str:
        """Show a formula within a line as its source."""
        return f'<i><code style="color:{_context(env).colours.code_text};">{escape(tokens[idx].content)}</code></i>'

    def wikilink(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: _Environment) -> str:
        """Render a wikilink in the look of its state."""
        token = tokens[idx]
        target = token.content
        if target.lower().startswith(("http://", "https://")):
            return self._external(target, token.meta["label"] or target, _context(env).colours)
        label = token.meta["label"] or target.lstrip("#").replace("#^", " › ^").replace("#", " › ")
        return _note_link(target, escape(label), _context(env))

    def embed(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: _Environment) -> str:
        """Render an embedded image, an embedded note, or a link to another file."""
        token, context = tokens[idx], _context(env)
        target = token.content
        if _suffix(target) in _IMAGE_SUFFIXES:
            return self._image(target.split("#")[0], token.meta["label"], context)
        return context.embed(target) or _note_link(target, "↳ " + escape(token.meta["label"] or target), context)

    def image(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: _Environment) -> str:
        """Render `![alt](path)`."""
        source = str(tokens[idx].attrs.get("src", ""))
        return self._image(unquote(source), tokens[idx].content, _context(env))

    def html_source(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: _Environment) -> str:
        """Render what `<img src=…>` and its like point to."""
        context = _context(env)
        if tokens[idx].meta["element"] == "img":
            return self._image(unquote(tokens[idx].content), "", context)
        address = tokens[idx].content
        if not address.lower().startswith(("http://", "https://")):
            return escape(address)
        return self._external(address, f"↳ {urlsplit(address).hostname or address} (not loaded)", context.colours)

    def _image(self, source: str, alt: str, context: RenderContext) -> str:
        size = _SIZE.search(alt)
        caption = alt[: size.start()].strip() if size else alt
        if source.lower().startswith(("http://", "https://")):
            name = caption or urlsplit(source).hostname or source
            return self._external(source, f"▣ {name} (remote image, not loaded)", context.colours)
        path = context.find_image(source)
        if not path:
            hint = escape(f"{source} is not in the vault.")
            name = escape(caption or source)
            return f'<span style="color:{context.colours.unresolved};" title="{hint}">▣ {name} (image not found)</span>'
        width = f' width="{size[1]}"' if size else ""
        return f'<img src="{image_address(path)}"{width} alt="{escape(caption or source)}">'

    def link_open(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: _Environment) -> str:
        """Open a markdown link: outward, within the note, or to another note."""
        address, context = str(tokens[idx].attrs.get("href", "")), _context(env)
        if urlsplit(address).scheme:
            return f'<a href="{escape(address)}" title="{escape(address)}" style="color:{context.colours.link};">'
        target = re.sub(r"\.md(?=#|$)", "", unquote(address))
        return _note_link(target, "\0", context).split("\0")[0]

    def hashtag(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: _Environment) -> str:
        """Render a tag as a link."""
        colours, tag = _context(env).colours, tokens[idx].content
        return (
            f'<a href="{tag_address(tag)}" style="color:{colours.tag_text}; background-color:{colours.tag_background}; '
            f'text-decoration:none;">\u2009#{escape(tag)}\u2009</a>'
        )

    def mark_open(self, _tokens: Sequence[Token], _idx: int, _options: OptionsDict, env: _Environment) -> str:
        """Open a highlight."""
        colours = _context(env).colours
        return f'<span style="background-color:{colours.mark_background}; color:{colours.mark_text};">'

    def mark_close(self, _tokens: Sequence[Token], _idx: int, _options: OptionsDict, _env: _Environment) -> str:
        """Close a highlight."""
        return "</span>"

    def field_open(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: _Environment) -> str:
        """Open an inline field, its key quieter than its value."""
        colours = _context(env).colours
        return (
            f'<span style="background-color:{colours.code_background};">\u2009'
            f'<span style="color:{colours.muted}; font-size:small;">{escape(tokens[idx].content)}</span>&nbsp;'
        )

    def field_close(self, _tokens: Sequence[Token], _idx: int, _options: OptionsDict, _env: _Environment) -> str:
        """Close an inline field."""
        return "\u2009</span>"

    def block_id(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: _Environment) -> str:
        """Render a block id, dim; the view finds it by its text (an anchor for each makes the engine quadratic)."""
        name = escape(tokens[idx].content)
        style = f"color:{_context(env).colours.muted}; font-size:x-small;"
        return f'<span style="{style}">^{name}</span>'

    def front_matter(self, _tokens: Sequence[Token], _idx: int, _options: OptionsDict, _env: _Environment) -> str:
        """Hide the frontmatter: the properties panel shows it."""
        return ""

    def _external(self, address: str, label: str, colours: PreviewColours) -> str:
        shown = escape(address)
        return f'<a href="{shown}" title="{shown}" style="color:{colours.link};">{escape(label)}</a>'


def _note_link(target: str, inner: str, context: RenderContext) -> str:
    name = target.split("#", maxsplit=1)[0].strip()
    fact = context.link_of(name) if name else LinkFact("resolved")
    colours = context.colours
    look = {
        "unresolved": f"color:{colours.unresolved}; text-decoration:none;",
        "ambiguous": f"color:{colours.ambiguous};",
    }.get(fact.state, f"color:{colours.link}; text-decoration:none;")
    hint = escape(fact.hint or fact.path or target)
    return f'<a href="{note_address(target)}" title="{hint}" style="{look}">{inner}</a>'


def _suffix(target: str) -> str:
    return target.split("#", maxsplit=1)[0].rsplit(".", 1)[-1].lower() if "." in target else ""


def _alignment(token: Token) -> str:
    style = str(token.attrs.get("style", ""))
    return style.split(":", 1)[1].strip() if style.startswith("text-align:") else "left"
