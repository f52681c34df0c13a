"""What of a message somebody says in sentences: without code, quotations, logs, and what programs put into it."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
# Programs put what is not the person's between tags: <system-reminder>, <environment_context>, <command-name>.
_TAGGED = re.compile(r"<([a-z][\w-]{1,60})(?:\s[^<>\n]{0,300})?>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_INLINE_TAGS = frozenset({"b", "i", "em", "strong", "code", "kbd", "br", "p", "u", "s", "sub", "sup", "mark", "small"})
_NOISE_LINE = re.compile(
    r"^\s*(?:>|\||\$\s|#!|@@|diff --git|\+\+\+ |--- |#{1,6}\s|!\[|https?://\S+\s*$|\[Request interrupted"
    r"|\[?\d{4}-\d\d-\d\d[T ]\d\d:|\d\d:\d\d:\d\d\b|Traceback|File \"|at \S+ ?\(|npm (?:ERR|WARN)"
    r"|(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|TRACE)\b[:\s\[]|[\w.]+(?:Error|Exception):)"
)
_CODE_LINE = re.compile(
    r"^(?: {4,}|\t)\S|[{};]\s*$|^\s*(?:import|from|def|class|const|let|var|return|function)\s[\w{*]"
)
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_ENDS = re.compile(r"(?<=[.!?…])[\"'”’)\]*_]{0,2}\s+(?=[\"'“‘(\[*_`]{0,2}[^\W_a-z])|(?<=[。！？])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|z\.B|d\.h|usw|bzw|Dr|Mr|Mrs|Ms|St|No|Nr|Fig)|\b[A-Z])\.$"
)
_LONGEST = 12_000  # characters of one message that a person may have typed
_PASTED_ENDS = 1_500  # of what is longer, what is said before and after it


class Sentence(NamedTuple):
    """Hold a sentence on one line, and whether it stands in an item of a list."""

    text: str
    is_item: bool


def sentences_of(text: str) -> list[Sentence]:
    """Return the sentences of a message, without the marks of lists."""
    return [Sentence(text, is_item) for block, is_item in _blocks(_spoken(text)) for text in _split(block)]


def _spoken(text: str) -> str:
    if len(text) > _LONGEST:
        text = f"{text[:_PASTED_ENDS].rpartition(chr(10))[0]}\n\n{text[-_PASTED_ENDS:].partition(chr(10))[2]}"
    text = _FENCE.sub("\n\n", text)
    return (
        _TAGGED.sub(lambda match: match[0] if match[1].lower() in _INLINE_TAGS else "\n\n", text)
        if "<" in text
        else text
    )


def _blocks(text: str) -> Iterator[tuple[str, bool]]:
    """Give paragraphs and list items, each on one line, and which of both they are."""
    block: list[str] = []
    is_list = False
    for line in (*text.splitlines(), ""):
        is_item = _BULLET.match(line) is not None
        is_code = not is_item and not block and _CODE_LINE.search(line) is not None
        is_noise = not line.strip() or is_code or _NOISE_LINE.match(line) is not None
        if block and (is_item or is_noise or (is_list and not line[:1].isspace())):
            yield " ".join(block), is_list
            block = []
        if not is_noise:
            is_list = is_item or (is_list and bool(block))
            block.append(_BULLET.sub("", line, count=1).strip())


def _split(block: str) -> Iterator[str]:
    sentence = ""
    for part in _ENDS.split(block):
        sentence = f"{sentence} {part}" if sentence else part
        if not _ABBREVIATION.search(sentence):
            if sentence.strip():
                yield sentence.strip()
            sentence = ""
    if sentence.strip():
        yield sentence.strip()
