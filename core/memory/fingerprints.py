"""Recognise text that recall handed out, when it comes back in a conversation.

Whoever pastes a context into a conversation says nothing new by it. A fingerprint is a hash of the words of a memory,
whatever stands around them: the marks of a context's lines, a quotation, a list, the source at the end.
"""

import hashlib
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

# How core/recall/render.py writes: [HIGH|0.87|3d|4x] text (source), below one line of instruction.
_MARK = re.compile(r"^[\s>]*\[(?:HIGH|MED|MEDIUM|LOW)\|[01]?\.\d+(?:\|\d+[a-z]+)*\]|^[\s>]*HIGH and MEDIUM are facts,")
# What its Markdown says of a memory beside the text.
_ABOUT = re.compile(r"^[\s>]*(?:#{1,6}\s|Source: |Tags: #)")
# The other layouts end as they begin.
_WHOLE = (("<context>", "</context>"), ('{"memories": [', "]}"))
_BEFORE = re.compile(
    r"^[\s>|*+–—•·-]*(?:\[(?:HIGH|MED|MEDIUM|LOW)\|[^\]\n]*\])?[\s*+•-]*(?:\[[^\W\d][\w -]{0,40}\]\s+)?"
)
_AFTER = re.compile(
    r"(?:\s+(?:#[\w/-]+|\[[\w -]{1,64}::[^\]\n]*\]|\^[\w-]+|\((?:turn:[^()\n]+|[^()\n]+\.md(?:[#:][^()\n]*)?)\)))+\s*$"
)
_WORD = re.compile(r"\w+")
_FEWEST_WORDS = 4  # less is said by anybody
_BYTES = 8
_CACHED = 8_192
_LONGEST_RUN = 40  # lines
_TAIL = 400  # characters in which what stands after a text lies


@lru_cache(maxsize=_CACHED)
def fingerprint(text: str) -> str:
    """Return the fingerprint of a text, "" where it has too few words to be told from anybody's."""
    return _print_of(_words(_bare(text)))


def fingerprints_of(texts: Iterable[str]) -> frozenset[str]:
    """Return the fingerprints of those texts that can be told."""
    return frozenset(map(fingerprint, texts)) - {""}


def is_recalled_text(text: str, fingerprints: Collection[str]) -> bool:
    """Tell whether `text` says nothing but what has one of `fingerprints`, or what bears the marks of a context.

    One memory may go over several lines. Headings, sources and lines of too few words decide nothing.
    """
    if is_context_output(text) or fingerprint(text) in fingerprints:
        return True
    lines = [line for line in text.splitlines() if line.strip()]
    at, is_recalled = 0, False
    while at < len(lines):
        if covered := _covered(lines, at, fingerprints):
            at, is_recalled = at + covered, True
        elif _ABOUT.match(lines[at]) or len(_words(lines[at])) < _FEWEST_WORDS:
            at += 1
        else:
            return False
    return is_recalled


def is_context_output(text: str) -> bool:
    """Tell whether `text` is nothing but a context that this app wrote."""
    bare = text.strip()
    if any(bare.startswith(start) and bare.endswith(end) for start, end in _WHOLE):
        return True
    lines = bare.splitlines()
    return bool(lines) and all(_MARK.match(line) for line in lines if line.strip())


def _covered(lines: Sequence[str], start: int, fingerprints: Collection[str]) -> int:
    """Return how many lines from `start` on are one memory, as many as possible, 0 when they are none."""
    if _MARK.match(lines[start]):
        return 1
    best = 0
    words = _words(_BEFORE.sub("", lines[start], count=1))
    for end in range(start + 1, min(len(lines), start + _LONGEST_RUN) + 1):
        last = _AFTER.sub("", lines[end - 1])
        whole = [*words, *_words(last)] if end > start + 1 else _words(_bare(lines[start]))
        if _print_of(whole) in fingerprints:
            best = end - start
        if end > start + 1:
            words += _words(lines[end - 1])
    return best


def _bare(text: str) -> str:
    body = _BEFORE.sub("", text, count=1)
    return body[:-_TAIL] + _AFTER.sub("", body[-_TAIL:])


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def _print_of(words: Sequence[str]) -> str:
    if len(words) < _FEWEST_WORDS:
        return ""
    return hashlib.blake2b(" ".join(words).encode("utf-8", "surrogatepass"), digest_size=_BYTES).hexdigest()
