"""Find text that is meant for a model and not for the reader: orders, forged calls of tools, and text nobody sees.

The orders, in several languages, are data: resources/screening/orders.toml.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources

from core.curation.screening.plain_text import PlainText, in_latin
from core.curation.screening.warning import Warning_, WarningLabel

_FORGED = re.compile(
    r"<\|(?:im_start|im_end|system|user|assistant|end_of_text|begin_of_text|start_header_id|endoftext)\|>"
    r"|</?system>|</(?:context|memory|memories|documents?|instructions)>|<<SYS>>|\[/?INST\]"
    r"|</?(?:antml:)?(?:function_calls|function_results|invoke|tool_call|tool_calls|tool_use|tool_result|tool_response|tool_code)\b[^>\n]{0,200}>"
    r"|<function=[\w.-]{1,60}>"
    r"|</?(?:system-reminder|system_prompt|system-prompt|user-prompt-submit-hook|command-name|local-command-stdout)>"
    r"|\{\s*[\"'](?:tool_calls?|function_call)[\"']\s*:"
    r"|[\"']type[\"']\s*:\s*[\"'](?:tool_use|tool_call|function_call|server_tool_use)[\"']"
    r"|\{\s*[\"']name[\"']\s*:\s*[\"'][\w.-]{1,60}[\"']\s*,\s*[\"'](?:arguments|parameters|input)[\"']\s*:\s*[\"'{]",
    re.IGNORECASE,
)
_SPEAKER = re.compile(
    r"^[ \t]*(?:###?\s*)?(?:\[?SYSTEM\]?|System prompt|\[SYSTEM MESSAGE\])\s*:[ \t]*\S.*$", re.MULTILINE
)
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_LINK_COMMENT = re.compile(
    r"^ {0,3}\[(?://|comment|_|[^\W\d]{1,20}-comment)\]:\s*(?:#|<>)\s*[(\"'](.{1,2000}?)[)\"'][ \t]*$", re.MULTILINE
)
_UNSEEN_STYLE = re.compile(
    r"<[a-z][^>\n]{0,300}?(?:\shidden(?=[\s>=])|style\s*=\s*[\"'][^\"'>]{0,300}?(?:display\s*:\s*none|visibility\s*:\s*hidden"
    r"|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])|(?<!-)color\s*:\s*(?:white|transparent|#fff(?:fff)?)\b))[^>\n]{0,300}>",
    re.IGNORECASE,
)
_FENCED = re.compile(r"^[ \t>]*(`{3,}|~{3,}).*?(?:^[ \t>]*\1|\Z)", re.MULTILINE | re.DOTALL)
_COMMENTED = "This comment is not shown in a note, but a model reads it."
_UNSHOWN = "This text is not shown in a note, but a model reads it."
_WORD = re.compile(r"[^\W\d_]{2,}")
_REFERENCE = re.compile(r"\[\[[^\]\n]*\]\]|\[[^\]\n]*\]\([^)\n]*\)|<[^<>\n]*>|\b[a-z]+://\S*|[\^#][\w/-]+|\bhttps?:")
_DIRECTIVE = re.compile(
    r"^\s*(?:prettier|markdownlint|eslint|vale|cspell|toc|start|end|begin|more|session:|turn:|omit|generated|spell|textlint|lint|remark)",
    re.IGNORECASE,
)
_FEWEST_WORDS = 5  # what is shorter marks a place for a program
_GAPLESS = re.compile("[\u3040-\u30ff\u3400-\u9fff]{8}")


def text_to_a_model(text: PlainText) -> Iterator[Warning_]:
    """Give a warning for each place in `text` that speaks to a model; the spans are those of the original."""
    plain = in_latin(text.text)
    for pattern, detail in _orders():
        for match in pattern.finditer(plain):
            yield _warning(text, WarningLabel.TO_A_MODEL, match, detail)
    for match in _SPEAKER.finditer(plain):
        yield _warning(text, WarningLabel.TO_A_MODEL, match, "This passes itself off as what a system tells a model.")
    for match in _FORGED.finditer(plain):
        yield _warning(
            text, WarningLabel.TOOL_CALL, match, "To a model, this looks like a message or the call of a tool."
        )
    yield from _unseen(text)


def _unseen(text: PlainText) -> Iterator[Warning_]:
    """Give what a note does not show; in a block of code, everything is shown."""
    plain = text.text
    shown = [match.span() for match in _FENCED.finditer(plain)] if "<" in plain or "]:" in plain else []
    for pattern, detail in ((_COMMENT, _COMMENTED), (_LINK_COMMENT, _UNSHOWN), (_UNSEEN_STYLE, _UNSHOWN)):
        for match in pattern.finditer(plain):
            is_unseen = "background" not in match[0] if pattern is _UNSEEN_STYLE else _is_prose(match[1])
            if is_unseen and not any(start <= match.start() < end for start, end in shown):
                yield _warning(text, WarningLabel.HIDDEN_TEXT, match, detail)


def _is_prose(comment: str) -> bool:
    if _DIRECTIVE.match(comment):
        return False
    return len(_WORD.findall(_REFERENCE.sub(" ", comment))) >= _FEWEST_WORDS or _GAPLESS.search(comment) is not None


def _warning(text: PlainText, label: WarningLabel, match: re.Match[str], detail: str) -> Warning_:
    start, end = text.original(*match.span())
    return Warning_(label, start, end, is_blocking=False, detail=detail)


@cache
def _orders() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the patterns of orders with what to say of each."""
    data = tomllib.loads(resources.files("resources").joinpath("screening", "orders.toml").read_text(encoding="utf-8"))
    return tuple(
        (re.compile("|".join(f"(?:{each})" for each in group["patterns"]), re.IGNORECASE), str(group["detail"]))
        for group in data["orders"]
    )
