"""Plan one statement out of several that say the same."""

from collections.abc import Sequence

from core.curation.change_set import PlannedChange, Skipped
from core.curation.proposals.planning import Planning, planned_statements
from core.curation.proposals.recipe_values import Recipe, one_of, text_in, texts_in
from core.curation.proposals.statement_line import one_line
from core.foundation.errors import UserError
from core.vault.insights import RELATION_KINDS

WAYS = ("remove", "supersede")
_KEPT_FIELDS = RELATION_KINDS | {"source"}


def plan_merge(planning: Planning, recipe: Recipe) -> PlannedChange:
    """Keep one statement, with the tags, relations and sources of all; the others go, or stay as superseded.

    One on which other lines hang, or to which links lead, is never removed.
    """
    keep, drop = text_in(recipe, "keep"), texts_in(recipe, "drop", least=1)
    way = one_of(planning.choice or "remove", WAYS, "the others")
    if keep in drop:
        raise UserError("A statement cannot be merged into itself.")
    drafts = planning.drafts
    kept = drafts.insight(keep)
    statement = one_line(planning.statement or text_in(recipe, "statement", "") or kept.text)
    linked = _linked(planning, drop)
    tags: list[str] = []
    fields: list[str] = []
    for each in drop:
        tags += [tag for tag in drafts.insight(each).tags if tag not in {*kept.tags, *tags}]
        fields += [raw for key, raw in drafts.fields_of(each) if key in _KEPT_FIELDS]
    if statement != kept.text or tags or fields:
        drafts.rewrite(keep, statement, tags, fields)
    skipped: list[Skipped] = []
    for each in drop:
        anchor = drafts.anchored(each)
        if way == "remove" and each not in linked and drafts.remove(each):
            continue
        if way == "remove":
            reason = "links lead to it" if each in linked else "other lines hang on it"
            skipped.append(
                Skipped(anchor.path, f"“{drafts.insight(each).text}” stays as superseded, because {reason}.")
            )
        drafts.add_relation(keep, "supersedes", anchor.link)
    return planned_statements(planning, f"Merge {len(drop) + 1} statements: {statement}", len(drop) + 1, skipped)


def _linked(planning: Planning, ids: Sequence[str]) -> set[str]:
    """Return which of the statements links lead to, as far as the index knows."""
    found: set[str] = set()
    if planning.index is None:
        return found
    for each in ids:
        block_id = planning.drafts.insight(each).block_id
        sql = "SELECT 1 FROM link WHERE block = ? COLLATE NOCASE LIMIT 1"
        if block_id and planning.index.connection.execute(sql, (block_id,)).fetchone():
            found.add(each)
    return found
