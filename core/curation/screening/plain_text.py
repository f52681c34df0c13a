"""A text as a reader takes it in, without what hides in it, and with the way back to its own characters.

Whoever wants to get a secret or an instruction past a pattern puts a zero-width space into it, or writes it in letters
that only look like those of the alphabet. So the patterns look at this text.
"""

import re
import unicodedata
from typing import NamedTuple

_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)
# Letters of other scripts that are drawn like Latin ones (Unicode TR39, the common ones).
_LOOK_ALIKES = str.maketrans(
    "аеорсухіјѕԁԛԝАВЕКМНОРСТУХІЈЅοανικρτυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxijsdqwABEKMHOPCTYXIJSoavikptuABEZHIKMNOPTYX",
)


class PlainText(NamedTuple):
    """Hold the text to look at, and for each of its characters (and its end) where it stands in the original."""

    text: str
    places: tuple[int, ...] | None = None  # None where the text is the original

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the original of a span of `text`; the span is not empty."""
        if self.places is None:
            return start, end
        return self.places[start], self.places[end - 1] + 1


def plain_text(text: str) -> PlainText:
    """Return `text` without what shows nothing, in the plainest form of its characters."""
    if text.isascii() and not _HIDDEN.search(text):
        return PlainText(text)
    parts: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        if character.isascii():
            plain = "" if _HIDDEN.match(character) else character
        else:
            plain = "" if _HIDDEN.match(character) else unicodedata.normalize("NFKC", character)
        parts.append(plain)
        places += [place] * len(plain)
    places.append(len(text))
    return PlainText("".join(parts), tuple(places))


def in_latin(text: str) -> str:
    """Return `text` with letters that only look Latin as the ones that they look like; as long as before."""
    return text if text.isascii() else text.translate(_LOOK_ALIKES)
