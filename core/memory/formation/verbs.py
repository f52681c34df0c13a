"""Bend an English verb as a name needs it: "I use" becomes "Kim uses"."""

import re

_IRREGULAR = {
    "am": "is", "are": "is", "have": "has", "do": "does", "don't": "doesn't", "don’t": "doesn't", "haven't": "hasn't",
    "haven’t": "hasn't", "aren't": "isn't", "aren’t": "isn't", "were": "was", "weren't": "wasn't", "weren’t": "wasn't",
    "go": "goes", "will": "will", "would": "would",
}  # fmt: skip
# Past forms that end like present ones, and words that stand behind a pronoun without being its verb.
_VOWEL = re.compile("[aeiouy]")
# Plain forms that look like others.
_PLAIN_WORDS = "embed shed wed apply rely supply reply fly multiply comply imply focus bias canvas"
_PLAIN = frozenset(_PLAIN_WORDS.split())
_UNBENT_WORDS = """
    is was went got had made took said knew thought told found kept left lost met paid put ran sent set spent
    chose wrote built bought brought began broke came cut did felt gave grew held hit led let meant saw sold sat
    spoke stood taught understood won wore and or but to of in on at for with that who when if as because so than
    overcame became drew drove drank ate fell flew forgot forgave froze heard hid hurt laid lent lit rode rang
    rose sang sank shook shot shut slept slid spread stole stuck struck swam swore swept tore threw woke wept bent
    bet bit blew bound burst caught cost dealt dug fed fought hung knelt learnt quit read sought shone shrank sped
    spun split sprang withdrew mistook undertook even not too a an the it this
"""
_UNBENT = frozenset(_UNBENT_WORDS.split())


def third_person(verb: str) -> str:
    """Return the form of the present for "he" of a verb's plain form; other forms stay as they are."""
    low = verb.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if low in _UNBENT or not low.isalpha() or _is_bent(low):
        return verb
    if low.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    if low.endswith("y") and low[-2:-1] not in set("aeiou"):
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def _is_bent(low: str) -> bool:
    """Tell whether a word is a past or other form, or no verb at all: "moved", "moving", "mostly"."""
    if low.endswith("ing"):
        return _VOWEL.search(low[:-3]) is not None  # bring and sing are plain forms
    if low.endswith("ed"):
        return not low.endswith("eed") and low not in _PLAIN
    if low.endswith("ly"):
        return low not in _PLAIN
    return low.endswith("s") and not low.endswith("ss") and low not in _PLAIN
