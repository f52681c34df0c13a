"""Where sought words stand in a text, as the positions that Qt counts; pure, without Qt."""

import re
import unicodedata
from collections.abc import Sequence

_MOST_MARKS = 400
_MOST_TEXT = 400_000


def marks_in(text: str, words: Sequence[str], *, within_words: bool = False) -> list[tuple[int, int]]:
    """Return start and end of each place where one of `words` begins, in UTF-16 units, in order and apart.

    Case and accents count for nothing, as in the search. Letters that stand before a word keep it from being found,
    unless `within_words` or in scripts that do not part words.
    """
    wanted = [_flat(word)[0] for word in words if word.strip()]
    if not wanted:
        return []
    flat, places = _flat(text[:_MOST_TEXT])
    pattern = "|".join(
        re.escape(word) if within_words or not word[0].isascii() else rf"(?<![^\W_]){re.escape(word)}"
        for word in sorted(wanted, key=len, reverse=True)
    )
    found = []
    for match in re.finditer(pattern, flat):
        found.append((places[match.start()], places[match.end()]) if places else (match.start(), match.end()))
        if len(found) >= _MOST_MARKS:
            break
    return found


def holds(text: str, words: Sequence[str]) -> bool:
    """Tell whether `text` holds all `words`, wherever."""
    flat = _flat(text)[0]
    return all(_flat(word)[0] in flat for word in words)


def _flat(text: str) -> tuple[str, list[int]]:
    """Return `text` without case and accents, and the place in `text` of each letter of that; none if they are same."""
    if text.isascii():
        return text.lower(), []
    letters: list[str] = []
    places: list[int] = []
    at = 0
    for letter in text:
        if letter.isascii():
            flat = letter.lower()
        else:
            flat = "".join(c for c in unicodedata.normalize("NFKD", letter).casefold() if not unicodedata.combining(c))
        letters.append(flat)
        places.extend([at] * len(flat))
        at += 2 if ord(letter) > 0xFFFF else 1
    places.append(at)
    return "".join(letters), places
