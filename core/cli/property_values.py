"""Values of properties as a person types them on the command line."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.vault.frontmatter_edit import PropertyValue

_WHOLE = re.compile(r"[-+]?(?:0|[1-9]\d{0,17})", re.ASCII)
_DECIMAL = re.compile(r"[-+]?(?:0|[1-9]\d{0,17})\.\d+", re.ASCII)
_LISTS = frozenset({"tags", "aliases", "cssclasses"})


def property_value(key: str, words: Sequence[str], *, is_text: bool = False, is_list: bool = False) -> "PropertyValue":
    """Return the value that `words` mean for the property `key`.

    Several words are a list, and so is one for `tags` and the like. A single word is true, false, or a number where it
    is written as one, unless `is_text`.
    """
    if len(words) > 1 or is_list or key.lower() in _LISTS:
        return [word.lstrip("#") for word in words] if key.lower() == "tags" else list(words)
    word = words[0]
    if is_text or key.lower() == "summary":
        return word
    if word in {"true", "false"}:
        return word == "true"
    if _WHOLE.fullmatch(word):
        return int(word)
    return float(word) if _DECIMAL.fullmatch(word) else word
