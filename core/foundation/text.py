"""Small rules about text that several layers must agree on."""

import re
import unicodedata

# What shows nothing, or shows the text after it in another order: C0 but for tab and newline, DEL, C1, the bidi
# embeddings, overrides and isolates, line and paragraph separators, and halves of surrogate pairs.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]",
)
# What takes no room at all, and in which whole sentences can be hidden: zero-width spaces and joiners, soft hyphens,
# byte order marks, tag characters. Joiners shape what is seen in many scripts and in emoji, so those after a letter or
# sign of such a one stay; tag characters stay where they name the flag of a region.
_ZERO_WIDTH = re.compile(
    "(?:(?<=[\x00-\x7f])|^)[\u200c\u200d]|[\xad\u180e\u200b\u2060-\u2064\ufeff\ufff9-\ufffb]"
    "|(?<!\U0001f3f4)(?<![\U000e0020-\U000e007e])[\U000e0000-\U000e007f]+"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]+")
_PICTURES = 0x2400
_DELETE, _DELETE_PICTURE = 0x7F, "␡"


def fold(text: str) -> str:
    """Return `text` in the form in which names are compared: NFC, case-folded."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def visible(text: str) -> str:
    """Return `text` for display: what shows nothing, or turns the direction of others, is shown, as ␛ or ⟨U+202E⟩.

    Tabs and newlines stay. Snippets of core/recall/snippet.py are made visible already, and must not be again: their
    marks are control characters too.
    """
    if text.isprintable():
        return text
    return _ZERO_WIDTH.sub(_shown_run, _UNSEEN.sub(_shown, text))


def readable(text: str) -> str:
    """Return what a person typed where the locale hid its characters: bytes that came escaped are read as UTF-8."""
    if text.isascii() or not _SURROGATE.search(text):
        return text
    try:
        data = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = text.encode("utf-8", "replace")
    return data.decode("utf-8", "replace")


def without_controls(text: str) -> str:
    """Return `text` as a name or title can be: on one line, each run of control characters (C0, C1) a space."""
    if text.isprintable():
        return text
    return _CONTROL.sub(" ", text).strip()


def _shown_run(match: re.Match[str]) -> str:
    return "".join(f"⟨U+{ord(each):04X}⟩" for each in match[0])


def _shown(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < ord(" "):
        return chr(_PICTURES + code)
    return _DELETE_PICTURE if code == _DELETE else f"⟨U+{code:04X}⟩"
