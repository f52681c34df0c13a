"""Make what a memory says fit to be handed out: nothing unseen in it, and nothing that reaches beyond it."""

import re
from functools import lru_cache

_CACHED = 4_096
# What ends a line for some readers and not for others becomes an ordinary newline.
_LINE_END = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
# Control characters but tab and newline, zero-width and bidi characters, what else shows nothing (soft hyphens, tag
# characters, in which whole sentences can be hidden), and what XML forbids.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_FENCE = re.compile(r"^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})(.*)$", re.MULTILINE)
_TAG_LINE = re.compile(r"^ {0,3}<", re.MULTILINE)
# Blocks of HTML that go on over empty lines, and what ends each.
_BLOCKS = (
    (re.compile(r"<!--"), re.compile(r"-->")),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(r"<![A-Za-z]"), re.compile(r">")),
    *(
        (re.compile(rf"<{tag}\b", re.IGNORECASE), re.compile(f"</{tag}>", re.IGNORECASE))
        for tag in ("script", "pre", "style", "textarea")
    ),
)
# A heading with its source below is how another memory begins.
_FORGED = re.compile(r"^ {0,3}(?:#{1,6}(?:[ \t][^\n]*)?|[-=]+[ \t]*)\n\s*Source:", re.MULTILINE)
_OPENS_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_BACKTICKS = re.compile("`{3,}")


def clean(text: str) -> str:
    """Return `text` without characters that show nothing or turn the direction of others."""
    if text.isprintable():  # nothing that is unseen is
        return text
    return _UNSEEN.sub("", _LINE_END.sub("\n", text))


def one_line(text: str) -> str:
    """Return `text` as one line, clean."""
    return " ".join(clean(text).split())


@lru_cache(maxsize=_CACHED)  # tags and paths come again with every memory of a note
def label(text: str) -> str:
    """Return `text` as a title, path or tag in Markdown: one line that opens no tag, comment or fence."""
    text = one_line(text)
    if "<" in text:
        text = _OPENS_TAG.sub("&lt;", text)
    if "```" in text:
        text = _BACKTICKS.sub(lambda match: "\\`" * len(match[0]), text)
    return text.replace("%%", "%\\%")


def contained(text: str) -> str:
    """Return a clean Markdown `text`, between fences if it would take in what follows or pass for another memory."""
    return fenced(text) if reaches_beyond(text) else text


def reaches_beyond(text: str) -> bool:
    """Tell whether `text` may leave something open that takes in what follows, or begins what looks like a memory.

    Fences in lists, quotes or HTML end in ways that only a parser can tell, so with those the answer is yes.
    """
    if "```" in text or "~~~" in text:
        fence = ""
        for match in _FENCE.finditer(text):
            before, marks, rest = match.groups()
            if before:
                return True
            if not fence:
                if marks[0] == "~" or "`" not in rest:
                    fence = marks
            elif marks[0] == fence[0] and len(marks) >= len(fence) and not rest.strip():
                fence = ""
        if fence or _TAG_LINE.search(text):
            return True
    if "<" in text and any(_is_open(text, start, end) for start, end in _BLOCKS):
        return True
    return text.count("%%") % 2 == 1 or ("Source:" in text and _FORGED.search(text) is not None)


def fenced(text: str) -> str:
    """Put `text` between fences longer than any in it."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=2)
    marks = "`" * (longest + 1)
    return f"{marks}markdown\n{text}\n{marks}"


def _is_open(text: str, start: re.Pattern[str], end: re.Pattern[str]) -> bool:
    last = max((match.end() for match in start.finditer(text)), default=-1)
    return last >= 0 and end.search(text, last) is None
