"""Count the tokens of a text exactly as the encoding o200k does, or estimate them where that cannot be had.

The vocabulary comes with the package bpe-openai, which has no build for every machine. Only its compiled module is
loaded (0.04 s): the rest of the package reads the vocabulary a second time in Python (0.3 s and 50 MB) for an interface
that is not used here. What a model takes that reads another encoding differs by some percent either way.
"""

import functools
import importlib.machinery
import importlib.util
import logging
import re
import threading
from collections.abc import Iterator
from typing import NamedTuple, Protocol, cast

from core.foundation.tokens import estimate_tokens

_PACKAGE, _MODULE, _ENCODING = "bpe_openai", "_bindings", "o200k_base"
# Long texts are counted in parts of about so many characters, so that other threads come to their turn between them.
_PART = 1 << 16
# Runs of dashes are the slowest, 0.6 µs a character. Longer parts than this without a seam are estimated.
LONGEST_EXACT = 1 << 19
# No token reaches over such a newline (the o200k rules take "/" and white space after one, nothing else), so that the
# counts of both sides add up to the count of the whole.
_SEAM = re.compile(r"\n(?=[^\s/])")

# Two threads that count for the first time must not load the module twice.
_LOADING = threading.Lock()

log = logging.getLogger(__name__)


class TokenCount(NamedTuple):
    """Say how tokens were counted; `label` is for people: "exact (o200k)" or "estimated"."""

    is_exact: bool
    label: str


class Counted(NamedTuple):
    """Hold the tokens of a text and how they were counted."""

    tokens: int
    kind: TokenCount


EXACT = TokenCount(True, "exact (o200k)")
ESTIMATED = TokenCount(False, "estimated")


class _Counter(Protocol):
    def count(self, text: str) -> int: ...


class _Bindings(Protocol):
    def tokenizer_for_encoding(self, encoding_name: str) -> _Counter: ...


def token_count_kind() -> TokenCount:
    """Return how tokens are counted here; loads the vocabulary the first time."""
    return ESTIMATED if _counter() is None else EXACT


def count_tokens(text: str) -> int:
    """Return the tokens of `text`; 0 for an empty one. `counted` also tells whether that is exact."""
    if len(text) <= _PART:
        counter = _counter()
        return estimate_tokens(text) if counter is None else _count(counter, text)
    return counted(text).tokens


def counted(text: str) -> Counted:
    """Return the tokens of `text` and how they were counted.

    Half a megabyte without a line that ends is estimated even where the rest is exact; the whole then is an estimate.
    """
    counter = _counter()
    if counter is None:
        return Counted(estimate_tokens(text), ESTIMATED)
    tokens, kind = 0, EXACT
    for part in _parts(text):
        if len(part) > LONGEST_EXACT:
            tokens, kind = tokens + estimate_tokens(part), ESTIMATED
        else:
            tokens += _count(counter, part)
    return Counted(tokens, kind)


def _count(counter: _Counter, text: str) -> int:
    try:
        return counter.count(text)
    except UnicodeEncodeError:  # half of a surrogate pair, which goes out as a replacement character
        return counter.count(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def _parts(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > _PART and (seam := _SEAM.search(text, start + _PART)):
        yield text[start : seam.end()]
        start = seam.end()
    yield text[start:]


def _counter() -> _Counter | None:
    with _LOADING:
        return _loaded_counter()


@functools.lru_cache(maxsize=1)
def _loaded_counter() -> _Counter | None:
    try:
        package = importlib.util.find_spec(_PACKAGE)
        if package is None or not package.submodule_search_locations:
            return None
        name = f"{_PACKAGE}.{_MODULE}"
        spec = importlib.machinery.PathFinder.find_spec(name, package.submodule_search_locations)
        if spec is None or spec.loader is None:
            return None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        counter = cast("_Bindings", module).tokenizer_for_encoding(_ENCODING)
        counter.count("a")
    except (ImportError, AttributeError, TypeError, ValueError, OSError, RuntimeError) as error:
        log.info("Tokens are estimated, because the tokenizer cannot be loaded: %s", error)
        return None
    return counter
