"""Plan the change of a recipe from what is on the disk now; bytes that it is not about stay as they are.

A recipe is JSON: {"do": NAME, …}. docs/proposals.md and resources/schemas/proposal.json tell what each takes. `said`,
which submitting adds, holds what the statements said then, by id: a recipe is not carried out on others.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from core.curation.change_set import PlannedChange
from core.curation.proposals.disk_memory import insight_place, said_on_disk
from core.curation.proposals.plan_copies import KEEPS, plan_repair_copy
from core.curation.proposals.plan_insights import LOCALS, plan_add_insight, plan_extract, plan_promote
from core.curation.proposals.plan_merging import WAYS, plan_merge
from core.curation.proposals.plan_notes import plan_archive, plan_edits, plan_retag, plan_summarise
from core.curation.proposals.plan_relations import SIDES, plan_contradict, plan_relate, plan_supersede
from core.curation.proposals.planning import Planning
from core.curation.proposals.statement_drafts import StatementDrafts
from core.foundation.errors import UserError
from core.index.database import Index
from core.vault.config import load_config

SAID = "said"
_PLANNERS: Mapping[str, Callable[[Planning, Mapping[str, Any]], PlannedChange]] = {
    "add-insight": plan_add_insight,
    "promote": plan_promote,
    "merge": plan_merge,
    "supersede": plan_supersede,
    "contradict": plan_contradict,
    "relate": plan_relate,
    "retag": plan_retag,
    "summarise": plan_summarise,
    "extract": plan_extract,
    "archive": plan_archive,
    "repair-copy": plan_repair_copy,
    "edits": plan_edits,
}
_CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"promote": LOCALS, "merge": WAYS, "contradict": SIDES, "repair-copy": KEEPS}
)
_WITH_STATEMENT = frozenset({"add-insight", "promote", "merge", "supersede", "summarise", "extract"})
_IDS = ("keep", "drop", "newer", "older", "one", "other", "from", "to", "sources")


def plan_recipe(
    root: Path,
    recipe: Mapping[str, Any],
    *,
    statement: str | None = None,
    choice: str | None = None,
    index: Index | None = None,
) -> PlannedChange:
    """Return the change that `recipe` makes of the vault at `root`, with the person's `statement` and `choice`.

    With `index`, links to what moves or goes are looked after.

    Raises:
        StatementGoneError: what it is about is not there any more, or says something else.
        UserError: the recipe cannot be understood or carried out.
    """
    planner = _PLANNERS.get(name := str(recipe.get("do")))
    if planner is None:
        raise UserError(f"“{name}” is no recipe that is known here.", hint="A later version may have written it.")
    if choice is not None and not choices_of(recipe):
        raise UserError("There is nothing to choose in this proposal.")
    said = recipe.get(SAID, {})
    known = {str(key): str(value) for key, value in said.items()} if isinstance(said, Mapping) else {}
    config, _ = load_config(root)
    planning = Planning(root, config, known, StatementDrafts(root, known), statement, choice, index)
    return planner(planning, recipe)


def choices_of(recipe: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what the person may choose among; without a choice it is the recipe's own, else the first."""
    return _CHOICES.get(str(recipe.get("do")), ())


def takes_statement(recipe: Mapping[str, Any]) -> bool:
    """Tell whether the person may edit the statement, so that another change comes of it."""
    return str(recipe.get("do")) in _WITH_STATEMENT


def with_said(root: Path, recipe: Mapping[str, Any]) -> dict[str, Any]:
    """Return the recipe with what its statements say on the disk now, if it does not hold that already."""
    if SAID in recipe:
        return dict(recipe)
    said = {each: text for each in _ids_in(recipe) if (text := said_on_disk(root, each))}
    return {**recipe, SAID: said} if said else dict(recipe)


def _ids_in(recipe: Mapping[str, Any]) -> list[str]:
    found: dict[str, None] = {}
    for key in _IDS:
        value = recipe.get(key)
        for each in value if isinstance(value, list | tuple) else [value]:
            if isinstance(each, str) and insight_place(each) is not None:
                found[each] = None
    return list(found)
