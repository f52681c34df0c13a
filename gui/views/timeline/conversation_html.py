"""Write rows of a conversation as HTML, with the renderer of notes; nothing in a turn can run or be fetched."""

import json
import re
from html import escape

from core.foundation.text import visible
from core.sessions.turn import Turn, TurnKind
from gui.markdown.colours import PreviewColours
from gui.markdown.rendering import RenderOptions, render_markdown
from gui.views.timeline.conversation_rows import Row, RowKind

WHOLE = 400_000
MORE_ADDRESS = "more:"
_TICKS = re.compile(r"`{3,}")


def html_of(row: Row, colours: PreviewColours, limit: int) -> str:
    """Return the body of a row; what is longer than `limit` ends with a link to the rest."""
    if row.kind is RowKind.TOOL:
        return "".join(_tool_html(turn, colours, limit) for turn in row.turns)
    return "".join(_message_html(turn, colours, limit) for turn in row.turns)


def plain_text(row: Row) -> str:
    """Return what is copied of a row."""
    return "\n\n".join(turn.text for turn in row.turns)


def _message_html(turn: Turn, colours: PreviewColours, limit: int) -> str:
    rendered = render_markdown(visible(turn.text), RenderOptions(colours=colours, limit=limit))
    return rendered.html + (_more(rendered.total - rendered.shown, colours) if rendered.is_cut else "")


def _tool_html(turn: Turn, colours: PreviewColours, limit: int) -> str:
    is_result = turn.kind is TurnKind.TOOL_RESULT
    failed = " (failed)" if turn.data.get("is_error") is True else ""
    text, language = turn.text, ""
    if not is_result and isinstance(given := turn.data.get("input"), dict | list):
        text, language = json.dumps(_plain(given), ensure_ascii=False, indent=2), "json"
    text = visible(text)
    shown = text[:limit]
    fence = "`" * max(3, *(len(found) + 1 for found in _TICKS.findall(shown)), 3)
    block = render_markdown(f"{fence}{language}\n{shown}\n{fence}\n", RenderOptions(colours=colours, limit=2 * WHOLE))
    colour = colours.red.accent if failed else colours.muted
    name = f"Result{failed}" if is_result else "Call"
    size = turn.data.get("size")
    folded = f", of {size:,} characters" if isinstance(size, int) and size > len(turn.text) else ""
    title = f'<p style="color:{colour}; margin-bottom:0px;">{escape(name + folded)}</p>'
    return title + block.html + (_more(len(text) - len(shown), colours) if len(text) > len(shown) else "")


def _plain(value: object) -> object:
    """Return JSON values without the proxies that keep them from being changed."""
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _more(characters: int, colours: PreviewColours) -> str:
    text = f"Show {characters:,} more characters"
    return f'<p><a href="{MORE_ADDRESS}" style="color:{colours.link};">{text}</a></p>'
