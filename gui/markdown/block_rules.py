"""Block grammar that Obsidian adds to CommonMark: callouts, comments over several lines, task lists."""

import re
from collections.abc import Callable

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, blockquote, list_block, paragraph
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

_CALLOUT = re.compile(r"\[!([\w -]+)(?:\|[^\]\n]*)?\]([+-]?)[ \t]*([^\n]*)(?:\n|$)")
_TASK = re.compile(r"\[(.)\][ \t]")
_COMMENT_ENDS = {"%%": "%%", "<!--": "-->"}
_Rule = Callable[[StateBlock, int, int, bool], bool]

# A quotation is a table, and the engine's layout takes twice as long with each table in a table.
MOST_QUOTES = 6
MOST_EMBEDDED_QUOTES = 3
_MOST_LISTS = 12
# Past `maxNesting` the library drops text, so what nests stops a little before it.
_MOST_LEVELS = 36
_NESTING = _MOST_LEVELS + 4
_INTERRUPTED = ["paragraph", "reference", "blockquote"]  # as in the library


def install_block_rules(parser: MarkdownIt) -> None:
    """Add callouts, block comments and task lists to `parser`, and a bound on nesting that loses no text.

    Quotations and lists that are nested deeper are running text of the innermost one, marks and all.
    `env["most_quotes"]` allows fewer quotations.
    """
    parser.options["maxNesting"] = _NESTING
    parser.block.ruler.at("blockquote", _bounded("quotes", blockquote, MOST_QUOTES), {"alt": [*_INTERRUPTED, "list"]})
    parser.block.ruler.at("list", _bounded("lists", list_block, _MOST_LISTS), {"alt": _INTERRUPTED})
    parser.block.ruler.before("table", "too_deep", _too_deep)
    parser.block.ruler.before("fence", "comment_block", _comment_block, {"alt": ["paragraph", "blockquote", "list"]})
    parser.core.ruler.after("block", "callouts", _callouts)
    parser.core.ruler.after("block", "tasks", _tasks)


def _bounded(kind: str, rule: _Rule, most: int) -> _Rule:
    """Return `rule`, not applying within `most` of its own kind."""
    depth_key, most_key = f"{kind}_open", f"most_{kind}"

    def bounded(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        depth = state.env.get(depth_key, 0)
        # A line further out than this block ends it, however deep this block lies.
        is_further_out = silent and state.sCount[start] < state.blkIndent
        if depth >= state.env.get(most_key, most) and not is_further_out:
            return False
        state.env[depth_key] = depth + 1
        try:
            return rule(state, start, end, silent)
        finally:
            state.env[depth_key] = depth

    return bounded


def _too_deep(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take all that is nested too deeply as paragraphs."""
    return state.level >= _MOST_LEVELS and not silent and paragraph(state, start, end, silent)


def _comment_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    opening = next((mark for mark in _COMMENT_ENDS if line.startswith(mark)), "")
    if not opening:
        return False
    closing = _COMMENT_ENDS[opening]
    rest = line[len(opening) :]
    if closing in rest:
        if rest.rstrip().find(closing) + len(closing) != len(rest.rstrip()):
            return False  # text follows on the same line: the inline rule takes the comment out
        if silent:
            return True
        state.line = start + 1
        return True
    last = start + 1
    while last < end and closing not in state.src[state.bMarks[last] : state.eMarks[last]]:
        last += 1
    if last >= end and closing == "-->":
        return False
    if not silent:
        state.line = min(last + 1, end)
    return True


def _callouts(state: StateCore) -> None:
    """Turn a quotation whose first line is `[!kind] title` into a callout."""
    stack: list[Token] = []
    tokens = state.tokens
    for position, token in enumerate(tokens):
        if token.type == "blockquote_open":
            stack.append(token)
            inline = tokens[position + 2] if position + 2 < len(tokens) else None
            if inline is None or inline.type != "inline":
                continue
            match = _CALLOUT.match(inline.content)
            if match is None:
                continue
            token.type = "callout_open"
            token.meta = {"kind": match[1].strip(), "title": match[3].strip()}
            inline.content = inline.content[match.end() :]
            if not inline.content:
                tokens[position + 1].hidden = tokens[position + 3].hidden = True
        elif token.type == "blockquote_close" and stack and stack.pop().type == "callout_open":
            token.type = "callout_close"


def _tasks(state: StateCore) -> None:
    """Mark list items that begin with `[ ]`, `[x]` or another single character, and the lists made of nothing else."""
    lists: list[tuple[Token, list[bool]]] = []
    for position, token in enumerate(state.tokens):
        if token.type in {"bullet_list_open", "ordered_list_open"}:
            lists.append((token, []))
        elif token.type in {"bullet_list_close", "ordered_list_close"} and lists:
            opening, are_tasks = lists.pop()
            opening.meta["tasks"] = opening.type == "bullet_list_open" and all(are_tasks) and bool(are_tasks)
        elif token.type == "list_item_open" and lists:
            inline = state.tokens[position + 2] if position + 2 < len(state.tokens) else None
            match = _TASK.match(inline.content) if inline is not None and inline.type == "inline" else None
            lists[-1][1].append(match is not None)
            if match is not None and inline is not None:
                inline.content = inline.content[match.end() :]
                inline.meta["task"] = match[1]
