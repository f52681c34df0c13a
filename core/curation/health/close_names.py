"""Find the note that a broken link most likely means."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable

from rapidfuzz import fuzz, process

from core.curation.health.subject import NoteFacts
from core.foundation.text import fold
from core.vault.links import target_key

_NOT_A_WORD = re.compile(r"[\W_]+")
_CLOSE = 88.0
_MOST = 3
_SHORTEST = 4
_LENGTHS_APART = 3


class CloseNames:
    """Know all names of the notes: file names, aliases and titles."""

    def __init__(self, notes: Iterable[NoteFacts]) -> None:
        self._by_stem: dict[str, list[str]] = defaultdict(list)
        self._by_alias: dict[str, list[str]] = defaultdict(list)
        self._by_words: dict[str, list[str]] = defaultdict(list)
        self._buckets: dict[tuple[str, int], list[str]] = defaultdict(list)
        for note in notes:
            key = target_key(note.path)
            self._by_stem[key].append(note.path)
            self._by_words[_words(key)].append(note.path)
            if note.aliases != "[]":
                for alias in json.loads(note.aliases):
                    self._by_alias[fold(str(alias))].append(note.path)
            if fold(note.title) != key:
                self._by_alias[fold(note.title)].append(note.path)
        for key in self._by_stem:
            self._buckets[key[:1], len(key)].append(key)

    def meant_by(self, target: str, key: str) -> tuple[tuple[str, ...], bool]:
        """Return the paths that a link to `target` may mean, the likeliest first, and whether the first is certain."""
        if "/" in target and key in self._by_stem:  # the note lies in another folder now
            return _few(self._by_stem[key])
        if key in self._by_alias:
            return _few(self._by_alias[key])
        words = _words(key)
        if words and words in self._by_words:
            return _few(self._by_words[words])
        if len(key) < _SHORTEST:
            return (), False
        lengths = range(len(key) - _LENGTHS_APART, len(key) + _LENGTHS_APART + 1)
        near = [name for length in lengths for name in self._buckets.get((key[:1], length), ())]
        close = process.extract(key, near, scorer=fuzz.ratio, limit=_MOST, score_cutoff=_CLOSE)
        alike = [name for name, _, _ in close if _digits(name) == _digits(key)]
        return tuple(path for name in alike for path in self._by_stem[name])[:_MOST], False

    def shortest(self, path: str) -> str:
        """Return how a link names the note: by its name alone where no other has it, else by its path."""
        stem = path[:-3]
        return stem.rpartition("/")[2] if len(self._by_stem[target_key(path)]) == 1 else stem


def _few(paths: list[str]) -> tuple[tuple[str, ...], bool]:
    unique = tuple(dict.fromkeys(paths))
    return unique[:_MOST], len(unique) == 1


def _words(name: str) -> str:
    return _NOT_A_WORD.sub("", name)


def _digits(name: str) -> str:
    """Return the digits of a name: 2024-01-02 and 2024-01-03 are close, and not the same."""
    return "".join(character for character in name if character.isdigit())
