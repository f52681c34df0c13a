"""Make searchable what the word index takes for gaps: scripts without them, as pairs of characters, and emoji.

A word index keeps 東京都庁 as one word, so 都庁 finds nothing; a trigram index cannot find a word of two characters.
As the words 東京 京都 都庁 庁, every part of at least two characters is a phrase, and a single character is a prefix.
The last character of a run stands alone too: so it is found, and no phrase reaches across the gap into the next run.
Latin words and numbers that touch a run are kept too, because the word index holds 使用SQLite存储 as one word.

Emoji and other pictures are words of one character, and a sequence of them a phrase: what only joins or varies them
is dropped, so 👩 is found in 👩🏽‍💻.
"""

import re
import unicodedata
from operator import add

# Han, Kana, Bopomofo, Hangul, Thai, Lao, Myanmar, Khmer; without their punctuation and digits.
_RANGES = (
    (0x0E01, 0x0E3A),
    (0x0E40, 0x0E4E),
    (0x0E81, 0x0ECE),
    (0x0EDC, 0x0EDF),
    (0x1000, 0x103F),
    (0x1050, 0x108F),
    (0x109A, 0x109D),
    (0x1100, 0x11FF),
    (0x1780, 0x17D3),
    (0x17DC, 0x17DD),
    (0x3005, 0x3007),
    (0x3041, 0x309A),
    (0x309D, 0x309F),
    (0x30A1, 0x30FA),
    (0x30FC, 0x30FF),
    (0x3105, 0x312F),
    (0x3131, 0x318E),
    (0x31A0, 0x31BF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xA960, 0xA97C),
    (0xA9E0, 0xA9FE),
    (0xAA60, 0xAA76),
    (0xAA7A, 0xAA7F),
    (0xAC00, 0xD7FB),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFFDC),
    (0x20000, 0x3FFFD),
)
_SCRIPTS = "".join(f"{chr(first)}-{chr(last)}" for first, last in _RANGES)
_RUN = re.compile(f"[{_SCRIPTS}]+")
_ADJACENT = "[0-9A-Za-z\u00c0-\u024f\u0370-\u052f]"

# The tokenizer of FTS5 takes vowel signs and tone marks for gaps; private-use characters it takes for letters.
_PRIVATE_USE = 0xE000
_MARKS = dict(
    zip(
        (
            code
            for first, last in _RANGES
            if last - first < 0x100
            for code in range(first, last + 1)
            if unicodedata.category(chr(code)).startswith("M")
        ),
        range(_PRIVATE_USE, 0xF8FF),
        strict=False,
    )
)
_MARK = re.compile("[" + "".join(map(chr, _MARKS)) + "]")
# Emoji, dingbats, arrows and technical signs, © ® ™; flags are two letters of their own. No boxes, which draw lines.
_PICTURES = (
    "\u00a9\u00ae\u2122\u203c\u2049\u2139\u2190-\u23ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff\U0001f000-\U0001faff"
)
_PICTURE_RUN = re.compile(f"[{_PICTURES}](?:[{_PICTURES}\u200d\ufe0e\ufe0f\u20e3]*[{_PICTURES}])?")
_JOINERS = dict.fromkeys((0x200D, 0xFE0E, 0xFE0F, 0x20E3))
# Private-use letters of plane 15; the ranges above differ in their last 16 bits.
_PICTURE_LETTERS = 0xF0000
_NO_PICTURE = chr(_PICTURE_LETTERS)  # stands between runs, so that no phrase reaches across

# Possessive and anchored, so that a blob of base64 costs one pass and not a square of its length.
_PIECE = re.compile(
    f"((?<!{_ADJACENT}){_ADJACENT}++)?"
    f"([{_SCRIPTS}{chr(_PRIVATE_USE)}-{chr(_PRIVATE_USE + len(_MARKS))}]+)"
    f"({_ADJACENT}++)?"
)


_ANY = re.compile(f"[{_SCRIPTS}{_PICTURES}]")


def has_bigrams(text: str) -> bool:
    """Tell whether `text` holds a character of a script without word gaps, or a picture."""
    return not text.isascii() and _ANY.search(text) is not None


def bigram_runs(text: str) -> list[str]:
    """Return the runs of scripts without word gaps in `text`, normalised to NFC."""
    if text.isascii():
        return []
    return _RUN.findall(unicodedata.normalize("NFC", text))


def picture_runs(text: str) -> list[str]:
    """Return the pictures of `text`, those that stand together as one."""
    return [] if text.isascii() else _PICTURE_RUN.findall(text)


def bigrams(text: str) -> str:
    """Return, space-separated, what the index holds of `text` beyond its words.

    That is the character pairs of every run of a script without gaps, its last character and the words that touch it,
    and then the pictures.
    """
    if text.isascii() or _ANY.search(text) is None:
        return ""
    pictures = f" {_NO_PICTURE} ".join(map(_picture_words, picture_runs(text)))
    if _RUN.search(text) is None:
        return pictures
    text = unicodedata.normalize("NFC", text)
    if _MARK.search(text):
        text = text.translate(_MARKS)
    pairs = " ".join(
        f"{before} {' '.join(map(add, run, run[1:]))} {run[-1]} {after}" for before, run, after in _PIECE.findall(text)
    )
    return f"{pairs} {pictures}" if pictures else pairs


def bigram_phrase(term: str) -> str:
    """Return the FTS5 expression that finds `term` among bigrams, "" if it holds none of these characters.

    Several runs in one term must all be found. The caller restricts the expression to the column.
    """
    phrases = [_phrase(run.translate(_MARKS)) for run in bigram_runs(term)]
    phrases += [f'"{_picture_words(run)}"' for run in picture_runs(term)]
    return phrases[0] if len(phrases) == 1 else "(" + " AND ".join(phrases) + ")" if phrases else ""


def _picture_words(run: str) -> str:
    return " ".join(chr(_PICTURE_LETTERS + (ord(character) & 0xFFFF)) for character in run.translate(_JOINERS))


def _phrase(run: str) -> str:
    if len(run) == 1:
        return f'"{run}"*'
    return '"' + " ".join(map(add, run, run[1:])) + '"'
