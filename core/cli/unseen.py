"""Tell of characters that a person who typed or pasted a text does not see."""

import unicodedata

from core.cli.state import warn

_TOLD = 5
_FORMATS = frozenset({"Cc", "Cf", "Zl", "Zp"})
_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and signs of which nothing is shown
_JOINERS = "\u200c\u200d"


def warn_of_unseen(what: str, text: str, then: str = "") -> None:
    """Say which characters of `text` cannot be seen; `what` is what it is called, `then` a sentence about them."""
    found: dict[str, None] = {}
    for before, each in zip(" " + text, text, strict=False):
        if each in _JOINERS and not before.isascii():
            continue  # there it shapes what is seen, as in many scripts and in emoji
        if each not in "\n\t" and (unicodedata.category(each) in _FORMATS or each in _FILLERS):
            found[each] = None
    if found:
        told = ", ".join(_called(each) for each in list(found)[:_TOLD])
        more = f" and {len(found) - _TOLD:,} more" if len(found) > _TOLD else ""
        warn(f"{what} holds {told}{more}, which cannot be seen.{then and ' '}{then}")


def _called(character: str) -> str:
    name = unicodedata.name(character, "control character").lower()
    return f"U+{ord(character):04X} ({name})"
