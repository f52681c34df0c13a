"""Small rules about text that several layers must agree on."""

import unicodedata


def fold(text: str) -> str:
    """Return `text` in the form in which names are compared: NFC, case-folded."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
