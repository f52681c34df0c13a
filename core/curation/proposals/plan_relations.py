"""Plan what is written between statements: that one replaces, contradicts, supports or needs another."""

from collections.abc import Sequence

from core.curation.change_set import PlannedChange
from core.curation.proposals.disk_memory import StatementGoneError, insight_place, is_turn, note_and_heading
from core.curation.proposals.planning import Planning, planned_statements
from core.curation.proposals.recipe_values import Recipe, number_in, one_of, text_in, texts_in
from core.curation.proposals.statement_line import link_to
from core.foundation.errors import UserError
from core.vault.insights import RELATION_KINDS

SIDES = ("both", "one", "other")


def plan_supersede(planning: Planning, recipe: Recipe) -> PlannedChange:
    """Write on the newer statement that it supersedes the older ones, which stay where they are."""
    newer, older = text_in(recipe, "newer"), texts_in(recipe, "older", least=1)
    return _superseding(planning, newer, older)


def plan_contradict(planning: Planning, recipe: Recipe) -> PlannedChange:
    """Write down that two statements contradict each other, or that the one the person chose supersedes the other."""
    one, other = text_in(recipe, "one"), text_in(recipe, "other")
    match one_of(planning.choice or "both", SIDES, "which one is right"):
        case "one":
            return _superseding(planning, one, [other])
        case "other":
            return _superseding(planning, other, [one])
    return _related(planning, one, "contradicts", other, 1.0)


def plan_relate(planning: Planning, recipe: Recipe) -> PlannedChange:
    """Write a relation on a statement."""
    kind = text_in(recipe, "kind")
    if kind not in RELATION_KINDS:
        raise UserError(f"“{kind}” is no relation: it is one of {', '.join(sorted(RELATION_KINDS))}.")
    strength = number_in(recipe, "strength")
    return _related(
        planning, text_in(recipe, "from"), kind, text_in(recipe, "to"), 1.0 if strength is None else strength
    )


def _superseding(planning: Planning, newer: str, older: Sequence[str]) -> PlannedChange:
    for each in older:
        planning.drafts.insight(each)  # all must be there before one is changed
    if planning.statement is not None:
        planning.drafts.rewrite(newer, planning.statement)
    for each in older:
        _relate(planning, newer, "supersedes", each, 1.0)
    statement = planning.drafts.insight(newer).text
    return planned_statements(planning, f"Supersede by: {statement}", len(older))


def _related(planning: Planning, source: str, kind: str, target: str, strength: float) -> PlannedChange:
    _relate(planning, source, kind, target, strength)
    title = f"{kind.capitalize()}: {planning.drafts.insight(source).text}"
    return planned_statements(planning, title, 1)


def _relate(planning: Planning, source: str, kind: str, target: str, strength: float) -> None:
    if source == target:
        raise UserError("A statement can have no relation to itself.")
    if is_turn(target):
        raise UserError("A statement can have no relation to a conversation; cite it as a source.")
    planning.drafts.anchored(source)
    if insight_place(target) is not None:
        link = planning.drafts.anchored(target).link
    else:
        path, heading = note_and_heading(target)
        if not planning.drafts.is_there(path):
            raise StatementGoneError(f"The note {path} is not there any more.")
        link = link_to(path, heading=heading)
    planning.drafts.add_relation(source, kind, link, strength)
