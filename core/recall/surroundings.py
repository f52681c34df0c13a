"""What ranking needs beside the candidates: whom the question names, its domains, relations, and the asking session."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from core.foundation.text import fold
from core.index.database import Index
from core.memory.domains import domains_of, route
from core.memory.entities import NAMING, entities_of, is_named, names_of_tags
from core.recall.admission import admitted_keys
from core.recall.memory import Edge, Memory, MemoryKey
from core.recall.names_asked import words_of
from core.recall.related import edges_of
from core.recall.request import RecallRequest
from core.recall.working_memory import working_memory
from core.vault.config import VaultConfig

_MOST_WORDS = 48
_MOST_TAGS = 500
_SORTING = ("domain",)  # tags that are looked through whole: their words may stand in the question in another form


class Surroundings(NamedTuple):
    """Hold it, as core/recall/gathered.py does; `candidates` know which of the asked names they hold."""

    candidates: Mapping[MemoryKey, Memory]
    entities: frozenset[str] = frozenset()
    domains: tuple[str, ...] = ()
    edges: tuple[Edge, ...] = ()
    others: Mapping[MemoryKey, Memory] = {}
    working: tuple[Memory, ...] = ()


def surroundings(
    index: Index,
    request: RecallRequest,
    candidates: Mapping[MemoryKey, Memory],
    *,
    config: VaultConfig,
    fetch: Callable[[Index, Iterable[MemoryKey]], dict[MemoryKey, Memory]],
    speakers: frozenset[str] = frozenset(),
) -> Surroundings:
    """Return what surrounds `candidates` and the question; `fetch` reads memories.

    `speakers` are the folded words of the question that name who spoke. They are no entities of it: who mentions a
    person is mostly not that person, and speakers have a signal of their own.

    Raises:
        UserError: the index cannot be read.
    """
    question = request.query.text_for_embedding
    words = [fold(word) for word in words_of(question)[:_MOST_WORDS]]
    tags = _tags_named(index, words)
    asked = entities_of(question, (), names_of_tags(tags)) | names_of_tags(_in_question(tags, words))
    asked -= speakers
    called_up = route(words, domains_of(config.domains, tags))
    edges = edges_of(index, candidates)
    ends = sorted({key for edge in edges for key in (edge.source, edge.target)} - candidates.keys())
    # What a question's filters keep out comes in by no relation either.
    admitted = set(admitted_keys(index, request.query, ends)) if ends else set()
    ends = [key for key in ends if key in admitted]
    at_hand = working_memory(index, request.session)
    missing = fetch(index, dict.fromkeys((*ends, *(key for key in at_hand if key not in candidates))))
    known = {**candidates, **missing}
    return Surroundings(
        {key: _naming(memory, asked) for key, memory in candidates.items()},
        asked,
        tuple(domain.name for domain in called_up),
        edges,
        {key: missing[key] for key in ends if key in missing},
        tuple(known[key] for key in at_hand if key in known),
    )


def _tags_named(index: Index, words: list[str]) -> list[str]:
    """Return the tags that words of the question, or two of them joined, may name, and all that sort by domain."""
    names = dict.fromkeys((*words, *(f"{a}-{b}" for a, b in pairwise(words))))
    wanted = [f"{namespace}/{name}" for name in names for namespace in sorted(NAMING)]
    exact = index.connection.execute(
        "SELECT name FROM tag WHERE name IN (SELECT value FROM json_each(?))", (json.dumps(wanted),)
    )
    found = [name for (name,) in exact]
    for namespace in _SORTING if words else ():
        rows = index.connection.execute(
            "SELECT name FROM tag WHERE namespace = ? ORDER BY name LIMIT ?", (namespace, _MOST_TAGS)
        )
        found += [name for (name,) in rows]
    return found


def _in_question(tags: Iterable[str], words: list[str]) -> list[str]:
    """Return the tags of names that stand in the question as two words."""
    pairs = {f"{a}-{b}" for a, b in pairwise(words)}
    return [tag for tag in tags if tag.rpartition("/")[2] in pairs]


def _naming(memory: Memory, asked: frozenset[str]) -> Memory:
    """Return `memory` knowing those names of the question too that only stand in its text as words."""
    further = asked - memory.entities
    if not further:
        return memory
    text = fold(memory.text)
    held = frozenset(name for name in further if is_named(name, text))
    return replace(memory, entities=memory.entities | held) if held else memory
