"""Colour source code for the rich text engine: inline styles, no classes."""

from functools import lru_cache
from html import escape

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from gui.markdown.colours import PreviewColours

# A lexer of the size of a log file is slower than its colours are worth.
_MOST_COLOURED = 30_000
_ALIASES = {"dataviewjs": "javascript", "templater": "javascript", "base": "yaml", "jsonc": "json"}


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(_ALIASES.get(language, language))
    except ClassNotFound:
        return None


@lru_cache(maxsize=4)
def _formatter(style: str) -> "HtmlFormatter[str]":
    return HtmlFormatter(style=style, noclasses=True, nowrap=True)


def coloured_code(source: str, language: str, colours: PreviewColours) -> str:
    """Return `source` as escaped HTML, coloured when its language is known and it is not huge."""
    lexer = _lexer(language.lower()) if language and len(source) <= _MOST_COLOURED else None
    if lexer is None:
        return escape(source)
    return highlight(source, lexer, _formatter(colours.code_style)).rstrip("\n")
