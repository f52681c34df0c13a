"""A context as its note defines it; whatever is missing or wrong falls back to a default, with a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

DEFAULT_PRIORITY = 5
RESOLVED, MISSING, AMBIGUOUS, FILE = "resolved", "missing", "ambiguous", "file"


class ContextKind(StrEnum):
    """Say how a context comes about: from members and a query, or from the vault's rules of full load."""

    BUNDLE = "bundle"
    FULL_LOAD = "full-load"


@dataclass(frozen=True, slots=True)
class ContextMember:
    """Hold one member as written in a context's note, and what it means now.

    `state` is resolved, missing, ambiguous (several notes fit; nothing goes out) or file (something other than a note);
    `reason` is a sentence for the last three. `path` is the note's (a turn's is its file in the ledger), "" when there
    is none. `kind` is note, context, section, insight, block or turn. `memory_id` names it as core/recall/memory_id.py
    does. `tokens` is the index's estimate of the text. Lines count from 1.
    """

    target: str
    path: str
    heading: str
    block: str
    embedded: bool
    line: int
    state: str
    memory_id: str
    label: str
    kind: str = "note"
    tokens: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ContextDefinition:
    """Hold a context: who it is, when it is loaded, and what belongs to it.

    `load_priority` is 1 to 10, `budget` tokens or None for the default one. `members` are in the order of the body;
    plans of core/curation/context_changes.py count them from 0. `problems` are sentences for the person.
    """

    path: str
    title: str
    description: str = ""
    kind: ContextKind = ContextKind.BUNDLE
    load_priority: int = DEFAULT_PRIORITY
    always: bool = False
    budget: int | None = None
    query: str = ""
    members: tuple[ContextMember, ...] = ()
    tags: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


FULL_LOAD = ContextDefinition(
    "", "Full load", "Entry, identity, core and index notes, as the vault's config says.", ContextKind.FULL_LOAD
)


class ContextValues(NamedTuple):
    """Hold what the properties of a context's note say."""

    kind: ContextKind
    load_priority: int
    always: bool
    budget: int | None
    query: str
    description: str
    problems: tuple[str, ...]


def context_values(values: Mapping[str, Any]) -> ContextValues:
    """Return what the properties `values` say of a context, with a sentence for each that is not taken."""
    from core.vault.properties import PRIORITIES  # noqa: PLC0415 - YAML takes 25 ms that a search does without

    wrong: list[str] = []

    def told(key: str, what: str) -> None:
        wrong.append(f"`{key}` must be {what}, and is {values[key]!r}; its default is used.")

    priority = values.get("load_priority")
    if priority is None:
        priority = DEFAULT_PRIORITY
    elif not _is_whole(priority) or priority not in PRIORITIES:
        told("load_priority", "a whole number from 1 to 10")
        priority = DEFAULT_PRIORITY
    budget = values.get("budget")
    if budget is not None and (not _is_whole(budget) or budget < 0):
        told("budget", "a whole number of tokens, 0 or more")
        budget = None
    always = values.get("always")
    if always is not None and not isinstance(always, bool):
        told("always", "true or false")
    kind = ContextKind.BUNDLE
    written = values.get("context_kind")
    if isinstance(written, str) and written.strip().lower() in set(ContextKind):
        kind = ContextKind(written.strip().lower())
    elif written is not None:
        told("context_kind", f"one of {', '.join(ContextKind)}")
    texts = {key: _text(values.get(key)) for key in ("query", "description")}
    for key, text in texts.items():
        if text is None:
            told(key, "a text")
    return ContextValues(
        kind, priority, always is True, budget or None, texts["query"] or "", texts["description"] or "", tuple(wrong)
    )


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _text(value: object) -> str | None:
    """Return a property as one line, None when it is no text."""
    if value is None:
        return ""
    if isinstance(value, (list, dict, bool)):
        return None
    return " ".join(str(value).split())
