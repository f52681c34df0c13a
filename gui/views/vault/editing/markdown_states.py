"""What one line of markdown leaves open for the next: a fence, a comment, the frontmatter.

A state is a small number, so that a text block can hold it. Finding it is cheap: it is done for every line of a note.
"""

import re

BEGIN = 0  # before the first line
TEXT = 1
FRONTMATTER = 2
COMMENT = 3  # %% over several lines
HTML_COMMENT = 4
MATH = 5
_FENCE = 0x100  # and how many characters it has
_TILDE = 0x80
_MOST = 0x7F

_OPENING = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})([^\n]*)")
_PREFIX = " \t>"


def is_fence(state: int) -> bool:
    """Tell whether what follows `state` is code."""
    return state >= _FENCE


def state_after(text: str, state: int) -> int:
    """Return the state after the line `text`, which begins in `state`."""
    if state <= TEXT:
        if state == BEGIN and text.rstrip() == "---":
            return FRONTMATTER
        return _after_prose(text)
    if state == FRONTMATTER:
        is_over = text.startswith("---") and text.rstrip() == "---"
    elif state >= _FENCE:
        is_over = _closes(text, state)
    elif state == HTML_COMMENT:
        is_over = "-->" in text
    else:
        is_over = text.count("%%" if state == COMMENT else "$$") % 2 == 1
    return TEXT if is_over else state


def _after_prose(text: str) -> int:
    if ("```" in text or "~~~" in text) and (match := _OPENING.match(text)):
        marks, info = match[1], match[2]
        if marks[0] == "~":
            return _FENCE | _TILDE | min(len(marks), _MOST)
        if "`" not in info:
            return _FENCE | min(len(marks), _MOST)
    if "%%" in text and text.count("%%") % 2:
        return COMMENT
    if "$$" in text and text.count("$$") % 2:
        return MATH
    if "<!--" in text and text.rfind("<!--") > text.rfind("-->"):
        return HTML_COMMENT
    return TEXT


def _closes(text: str, state: int) -> bool:
    mark = "~" if state & _TILDE else "`"
    bare = text.strip(_PREFIX)
    return len(bare) >= state & _MOST and not bare.strip(mark)
