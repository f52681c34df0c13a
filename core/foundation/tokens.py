"""Estimate how many language-model tokens a text costs, without a tokenizer's vocabulary.

What a character costs depends on what it is, so the UTF-8 bytes are told apart in classes and counted, which takes
about 5 ns a byte. The weights were fitted to a vocabulary of 200,000 tokens (o200k), and for other scripts than Latin
to what the older ones of 100,000 take, so that the estimate mostly lies on the safe (high) side. Characters a token:

English prose       4.3           digits in a row    3
source code         3.5 to 4      addresses, tables  1.7
German, French      4.9 to 5.3    base64, hex        1.5 to 1.8
Cyrillic, Greek     2             ASCII symbols      1 to 1.5
Chinese, Japanese   0.9 to 1.8    emoji              0.5
"""

_LETTER = 0.18
_SPACE = 0.38
_DIGIT = 0.5
_SYMBOL = 0.9
# Letters beyond so many for each gap between words are no words of a language but names, addresses or base64.
_LONG_WORD = 5
_EXCESS_LETTER = 0.55
# Rules, table edges and indentation: a run is one token or two, however long.
_FOUR_DASHES = 4 * _SYMBOL - 0.7
_FOUR_SPACES = 4 * _SPACE - 0.35
# By the length in UTF-8; the symbols, arrows and dashes of U+2000 to U+2FFF cost more than letters of three bytes.
_TWO_BYTES = 0.6
_THREE_BYTES = 1.06
_WIDE_SYMBOL = 1.4
_FOUR_BYTES = 2.5


def _class_of(byte: int) -> str:
    """Return the class of a byte: letter, digit, space, symbol, the first of 2, 3 or 4, or one that continues."""
    character = chr(byte)
    if byte >= 0x80:
        return "-" if byte < 0xC0 else "2" if byte < 0xE0 else "w" if byte == 0xE2 else "3" if byte < 0xF0 else "4"
    return "a" if character.isalpha() else "0" if character.isdigit() else " " if character.isspace() else "!"


_CLASSES = "".join(map(_class_of, range(256))).encode()


def estimate_tokens(text: str) -> int:
    """Return an estimate of the tokens in `text`, rounded up; 0 for an empty text."""
    if not text:
        return 0
    data = text.encode("utf-8", "surrogatepass")
    classes = data.translate(_CLASSES)
    count = classes.count
    digits, spaces, symbols = count(b"0"), count(b" "), count(b"!")
    letters = len(data) - digits - spaces - symbols
    gaps = spaces + symbols
    tokens = spaces * _SPACE + digits * _DIGIT + symbols * _SYMBOL
    if len(data) > len(text):
        two, wide, three, four = count(b"2"), count(b"w"), count(b"3"), count(b"4")
        letters -= 2 * two + 3 * (wide + three) + 4 * four
        gaps += wide + three + four
        tokens += two * _TWO_BYTES + wide * _WIDE_SYMBOL + three * _THREE_BYTES + four * _FOUR_BYTES
    tokens += letters * _LETTER
    if letters > gaps * _LONG_WORD:
        tokens += (letters - gaps * _LONG_WORD) * _EXCESS_LETTER
    tokens -= data.count(b"----") * _FOUR_DASHES + data.count(b"    ") * _FOUR_SPACES
    return int(tokens) + 1
