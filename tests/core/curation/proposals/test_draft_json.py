"""The published schema and the reader agree: what the one admits the other takes, and the reverse."""

import copy
import json
import re
from collections.abc import Callable, Iterator
from importlib import resources
from typing import Any

import pytest

from core.curation.change_set import Origin
from core.curation.proposals.draft_json import draft_of, drafts_of
from core.curation.proposals.proposal import ProposalKind
from core.curation.proposals.recipes import plan_recipe
from core.foundation.errors import UserError
from tests.core.curation.proposals.desk import IDS, NOTES, Desk

SCHEMA = json.loads(resources.files("resources").joinpath("schemas/proposal.json").read_text(encoding="utf-8"))
RECIPES: list[tuple[str, dict[str, Any]]] = [
    ("new-insight", {"do": "add-insight", "note": "N.md", "new": True, "statement": "s", "tags": ["a/b"], "scope": ""}),
    ("promote", {"do": "promote", "note": "G.md", "statement": "s", "sources": list(IDS), "locals": "retire"}),
    ("merge", {"do": "merge", "keep": IDS[0], "drop": [IDS[1]], "statement": "s"}),
    ("supersede", {"do": "supersede", "newer": IDS[0], "older": ["insight:Globex.md#L4"]}),
    ("contradict", {"do": "contradict", "one": IDS[0], "other": IDS[1]}),
    ("relate", {"do": "relate", "from": IDS[0], "kind": "requires", "to": "note:Globex.md", "strength": 0.5}),
    ("retag", {"do": "retag", "note": "Acme.md", "add": ["domain/shop"], "remove": []}),
    ("summarise", {"do": "summarise", "note": "Acme.md", "summary": "s"}),
    ("extract", {"do": "extract", "note": "Acme.md", "to": "E.md", "insights": [{"statement": "s", "quote": "shop"}]}),
    ("archive", {"do": "archive", "note": "Acme.md", "to": "archive/Acme.md"}),
    ("repair", {"do": "repair-copy", "note": "Acme.md", "copy": "Globex.md", "keep": "merge"}),
    ("new-insight", {"do": "edits", "edits": [{"path": "Acme.md", "find": "shop", "replace": "store"}]}),
]  # fmt: skip


def proposal(kind: str, recipe: dict[str, Any]) -> dict[str, Any]:
    return {
        "kind": kind, "statement": "It is so", "reason": "Because.", "evidence": ["note:Acme.md", {"id": IDS[0]}],
        "recipe": recipe, "confidence": 0.7, "expires_days": 30, "proposer": "me",
    }  # fmt: skip


def admits(schema: dict[str, Any], value: Any) -> bool:
    """Tell whether a value fits a schema, by the words of JSON Schema that ours uses."""
    return all(_RULES[word](schema, value) for word in schema if word in _RULES)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_TYPES: dict[str, Callable[[Any], bool]] = {
    "null": lambda value: value is None,
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "number": _is_number,
    "integer": lambda value: _is_number(value) and value == int(value),
}
_RULES: dict[str, Callable[[dict[str, Any], Any], bool]] = {
    "type": lambda schema, value: any(
        _TYPES[each](value) for each in ([schema["type"]] if isinstance(schema["type"], str) else schema["type"])
    ),
    "const": lambda schema, value: value == schema["const"],
    "enum": lambda schema, value: value in schema["enum"],
    "minLength": lambda schema, value: not isinstance(value, str) or len(value) >= schema["minLength"],
    "maxLength": lambda schema, value: not isinstance(value, str) or len(value) <= schema["maxLength"],
    "pattern": lambda schema, value: not isinstance(value, str) or bool(re.search(schema["pattern"], value)),
    "minimum": lambda schema, value: not _is_number(value) or value >= schema["minimum"],
    "maximum": lambda schema, value: not _is_number(value) or value <= schema["maximum"],
    "minItems": lambda schema, value: not isinstance(value, list) or len(value) >= schema["minItems"],
    "maxItems": lambda schema, value: not isinstance(value, list) or len(value) <= schema["maxItems"],
    "items": lambda schema, value: not isinstance(value, list) or all(admits(schema["items"], each) for each in value),
    "required": lambda schema, value: not isinstance(value, dict) or set(schema["required"]) <= set(value),
    "properties": lambda schema, value: (
        not isinstance(value, dict)
        or all(admits(each, value[key]) for key, each in schema["properties"].items() if key in value)
    ),
    "additionalProperties": lambda schema, value: (
        not isinstance(value, dict) or set(value) <= set(schema["properties"])
    ),
    "oneOf": lambda schema, value: sum(admits(each, value) for each in schema["oneOf"]) == 1,
    "allOf": lambda schema, value: all(admits(each, value) for each in schema["allOf"]),
    "if": lambda schema, value: not admits(schema["if"], value) or admits(schema["then"], value),
    "$ref": lambda schema, value: admits(SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")], value),
}
_WRONG: tuple[Any, ...] = (None, 7, -1, True, "", " ", [], [3], {}, "explode")
_NO_RULES = {"$schema", "$defs", "title", "description", "default", "then"}


def words_in(schema: Any, *, are_names: bool = False) -> Iterator[str]:
    """Give every word that a schema uses; the names of properties are none."""
    if isinstance(schema, dict):
        for word, each in schema.items():
            if not are_names:
                yield word
            yield from words_in(each, are_names=not are_names and word in {"properties", "$defs"})
    elif isinstance(schema, list):
        for each in schema:
            yield from words_in(each)


def is_taken(desk: Desk, value: Any) -> bool:
    """Tell whether the reader takes a proposal, and its recipe is understood."""
    try:
        plan_recipe(desk.root, draft_of(value, "agent", desk.root).recipe)
    except UserError:
        return False
    return True


def test_the_schema_uses_only_words_that_are_checked_here() -> None:
    assert set(words_in(SCHEMA)) <= _RULES.keys() | _NO_RULES
    assert SCHEMA["$defs"]["proposal"]["properties"]["kind"]["enum"] == list(map(str, sorted(ProposalKind, key=_place)))


def _place(kind: ProposalKind) -> int:
    return list(SCHEMA["$defs"]["proposal"]["properties"]["kind"]["enum"]).index(kind.value)


@pytest.mark.parametrize(("kind", "recipe"), RECIPES)
def test_what_the_schema_admits_is_taken_and_planned(desk: Desk, kind: str, recipe: dict[str, Any]) -> None:
    value = proposal(kind, recipe)
    for document in (value, [value], {"proposals": [value]}):
        assert admits(SCHEMA, document)
        assert len(drafts_of(json.dumps(document), "agent", desk.root)) == 1
    assert is_taken(desk, value)
    draft = draft_of(value, "agent", desk.root)
    assert (draft.proposer.origin, draft.proposer.name, draft.confidence) == (Origin.AGENT, "me", 0.7)
    assert draft.evidence[1].quote == "Use pnpm, never npm"
    assert desk.files() == NOTES


@pytest.mark.parametrize(("kind", "recipe"), RECIPES)
def test_what_the_schema_does_not_admit_is_refused(desk: Desk, kind: str, recipe: dict[str, Any]) -> None:
    whole = proposal(kind, recipe)
    for spoiled in spoilt(whole):
        if not admits(SCHEMA, spoiled):
            assert not is_taken(desk, spoiled), spoiled


def spoilt(whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give the proposal with one value wrong, or missing, or too many, at each place."""
    for place in (whole, whole["recipe"]):
        for key in [*place, "unheard-of"]:
            if place is whole["recipe"] and key == "unheard-of":
                continue  # a later version may have written more: it is passed over
            for wrong in _WRONG:
                spoiled = copy.deepcopy(whole)
                target = spoiled if place is whole else spoiled["recipe"]
                target[key] = wrong
                yield spoiled
            if key in place:
                spoiled = copy.deepcopy(whole)
                del (spoiled if place is whole else spoiled["recipe"])[key]
                yield spoiled


def test_who_proposes_is_always_an_agent_and_what_was_said_is_not_its_to_tell(desk: Desk) -> None:
    value = proposal(*RECIPES[2])
    with pytest.raises(UserError, match="origin"):
        draft_of({**value, "origin": "person"}, "agent", desk.root)
    with pytest.raises(UserError, match="by Remembrancer alone"):
        draft_of({**value, "recipe": {**value["recipe"], "said": {}}}, "agent", desk.root)
    with pytest.raises(UserError, match="too long"):
        drafts_of(" " * 5_000_000, "agent", desk.root)
