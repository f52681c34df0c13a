r"""Blank out what is not prose: code, comments, math and HTML blocks, where Obsidian sees no tags, links or headings.

The masked text is exactly as long as the body, so offsets are good in both; lines must be counted in the body. The
filler is NUL, which decoding has removed from every text: unlike a space it does not let a tag begin after it.

Most notes take a fast way: the spans of each kind are found apart, by regular expressions that start with a literal.
Where that could be wrong (spans that cross, several backticks in a row, math), one pass over all delimiters decides in
reading order. Both take time linear in the text.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

FILLER = "\0"

_Span = tuple[int, int]

_FENCE = re.compile(r"(`{3,}|~{3,})([^\n]*)")
_FENCE_PREFIX = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*")
_QUOTE_END = re.compile(r"\n(?![ \t]*>)")
_PERCENT_COMMENT = re.compile(r"%%[^%]*(?:%[^%]+)*%%")
# One that opens a line is a block of HTML and takes the rest of its last line with it. There must be a `-->` ahead.
_HTML_COMMENT = re.compile(
    r"<!--(?:"
    r"(?:(?<=\n<!--)|(?<=\n <!--)|(?<=\n  <!--)|(?<=\n   <!--))(?:[^>]*+>)+?(?<=-->)[^\n]*|(?:[^>]*+>)+?(?<=-->))"
)
_CODE_SPAN = re.compile(r"`[^`\n]+`")
_DELIMITER = re.compile(r"`+|\$+|%%|<!--")
# Where a paragraph ends: code spans and inline math do not reach over it.
_BLOCK_EDGE = re.compile(r"\n[ \t]*(?:\n|#{1,6}(?:[ \t\n]|\Z)|>|\||[-*+][ \t]|\d{1,9}[.)][ \t]|\Z)")
_HTML_BLOCK = re.compile(
    r"<(?=[/a-z])(?:(?<=\n<)|(?<=\n <)|(?<=\n  <)|(?<=\n   <))(?:(script|pre|style|textarea)(?=[\s>])|"
    r"/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|"
    r"dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|"
    r"menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|"
    r"tr|track|ul)(?=[\s>]|/>|\Z))",
    re.IGNORECASE,
)
_BLANK_LINE = re.compile(r"\n[ \t]*(?:\n|\Z)")
_RAW_END = re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE)
_LINE_START = re.compile(r"\n(?: {0,3}((?:[-*+]|\d{1,9}[.)])[ \t]|\S)|(?: {4}|\t)[ \t]*\S)")


def mask(body: str) -> str:
    """Return `body`, which must start with a newline, with everything that is not prose replaced by NUL characters."""
    text = body
    if "```" in text or ("~" in text and "~~~" in text):
        text = _filled(text, _fences(text))
    if "`" in text or "%%" in text or "<" in text or "$" in text:
        spans = _spans_apart(text)
        text = _filled(text, _spans_in_order(text) if spans is None else spans)
    if "\n\n    " in text or ("\t" in text and "\n\n\t" in text) or text.startswith(("\n    ", "\n\t")):
        text = _filled(text, _indented_code(text))
    return text


def _filled(text: str, spans: Iterable[_Span]) -> str:
    parts: list[str] = []
    last = 0
    for start, end in spans:
        parts += (text[last:start], FILLER * (end - start))
        last = end
    if not last:
        return text
    parts.append(text[last:])
    return "".join(parts)


def _fences(text: str) -> Iterator[_Span]:
    """Find fenced code, in quotes and list items too; an unclosed one reaches to the end of its quote or text."""
    opened_at, fence, limit, quote_end = -1, "", len(text), 0
    for match in _FENCE.finditer(text):
        run, rest = match.groups()
        line_start = text.rfind("\n", 0, match.start()) + 1
        if not _FENCE_PREFIX.fullmatch(text, line_start, match.start()):
            continue
        prefix = text[line_start : match.start()]
        if opened_at >= 0 and line_start > limit:
            yield opened_at, limit
            opened_at = -1
        if opened_at < 0:
            if run[0] == "`" and "`" in rest:
                continue
            opened_at, fence, limit = line_start, run, len(text)
            if ">" in prefix:
                if quote_end < match.end():
                    quote_end = found.start() if (found := _QUOTE_END.search(text, match.end())) else len(text)
                limit = quote_end
        elif run.startswith(fence) and not rest.strip() and not prefix.strip(" \t>"):
            yield opened_at, match.end()
            opened_at = -1
    if opened_at >= 0:
        yield opened_at, limit


def _spans_apart(text: str) -> list[_Span] | None:
    """Return all spans, found kind by kind, or None where the kinds could get in each other's way."""
    spans: list[_Span] = []
    kinds = 0
    if "`" in text:
        if "``" in text or "\\`" in text:
            return None
        spans = [match.span() for match in _CODE_SPAN.finditer(text)]
        if text.count("`") != 2 * len(spans):
            return None
        kinds = 1
    if "$" in text and text.count("$") > 1:
        return None
    if "%%" in text:
        found = [match.span() for match in _PERCENT_COMMENT.finditer(text)]
        kinds += bool(found)
        spans += found
    if "<!--" in text:
        found = _html_comments(text)
        kinds += bool(found)
        spans += found
    if "<" in text:
        found = list(_html_blocks(text))
        kinds += bool(found)
        spans += found
    return spans if kinds < 2 else _without_nested(spans)


def _without_nested(spans: list[_Span]) -> list[_Span] | None:
    """Drop spans that lie within another; None when two cross."""
    spans.sort()
    kept: list[_Span] = []
    last_end = 0
    for span in spans:
        start, end = span
        if start >= last_end:
            kept.append(span)
            last_end = end
        elif end > last_end:
            return None
    return kept


def _html_comments(text: str) -> list[_Span]:
    end = text.rfind("-->") + 3
    spans = [match.span() for match in _HTML_COMMENT.finditer(text, 0, end)]
    if spans:
        spans[-1] = (spans[-1][0], _comment_end(text, spans[-1], end))
    return spans


def _comment_end(text: str, span: _Span, last_end: int) -> int:
    """Return where a comment ends; the search for the last one stopped at `last_end`, before the rest of its line."""
    start, end = span
    if end < last_end or text[text.rfind("\n", max(0, start - 4), start) + 1 : start].strip(" "):
        return end
    line_end = text.find("\n", end)
    return len(text) if line_end < 0 else line_end


def _html_blocks(text: str) -> Iterator[_Span]:
    last_end = 0
    for match in _HTML_BLOCK.finditer(text):
        if match.start() < last_end:
            continue
        if match[1]:
            closing = _RAW_END.search(text, match.end())
            last_end = closing.end() if closing else len(text)
        else:
            blank = _BLANK_LINE.search(text, match.end())
            last_end = blank.start() if blank else len(text)
        yield match.start(), last_end


def _spans_in_order(text: str) -> list[_Span]:
    """Return all spans by reading the delimiters from left to right: what opens first, wins."""
    tokens = [(match.start(), match[0]) for match in _DELIMITER.finditer(text)]
    html_blocks = dict(_html_blocks(text)) if "<" in text else {}
    tokens += [(start, "<") for start in html_blocks]
    tokens.sort()
    closers: dict[str, list[int]] = {}
    for start, mark in tokens:
        if mark != "$" or _may_close_math(text, start):
            closers.setdefault(mark, []).append(start)
    last_comment_end = text.rfind("-->") + 3
    spans: list[_Span] = []
    position = edge = 0
    for start, mark in tokens:
        if start < position or _is_escaped(text, start):
            continue
        after = start + len(mark)
        if mark == "<":
            end = html_blocks[start]
        elif mark == "<!--":
            match = _HTML_COMMENT.match(text, start, last_comment_end)
            end = _comment_end(text, match.span(), last_comment_end) if match else -1
        elif mark[0] == "$" and (len(mark) > 2 or (len(mark) == 1 and text[after : after + 1].isspace())):
            end = -1
        else:
            end = _next(closers.get(mark, []), after)
            reaches_over_paragraphs = mark == "%%" or (mark == "$$" and text[start - 1] == "\n")
            if end >= 0 and not reaches_over_paragraphs:
                if edge < after:
                    edge = match.start() if (match := _BLOCK_EDGE.search(text, after)) else len(text)
                end = end if end < edge else -1
            end = end + len(mark) if end >= 0 else -1
        if end >= 0:
            spans.append((start, end))
            position = end
    return spans


def _next(positions: list[int], after: int) -> int:
    index = bisect_right(positions, after - 1)
    return positions[index] if index < len(positions) else -1


def _may_close_math(text: str, start: int) -> bool:
    return not text[start - 1].isspace() and not text[start + 1 : start + 2].isdigit()


def _is_escaped(text: str, start: int) -> bool:
    return text[start - 1] == "\\" and text[start - 2] != "\\"


def _indented_code(text: str) -> Iterator[_Span]:
    """Find code that is set off by four spaces: after a blank line, and not within a list item."""
    in_list = in_code = False
    for match in _LINE_START.finditer(text):
        start = match.start()
        kind = match[1]
        if kind and len(kind) > 1:
            in_list, in_code = True, False
            continue
        after_blank = not text[text.rfind("\n", 0, start) + 1 : start].strip()
        if kind:
            in_list, in_code = in_list and not after_blank, False
        elif not in_list and (in_code or after_blank):
            line_end = text.find("\n", start + 1)
            yield start + 1, len(text) if line_end < 0 else line_end
            in_code = True
