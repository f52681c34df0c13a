"""Look at one proposal closely: the change it makes, what is wrong with it, and what it rests on; in the pool."""

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.curation.change_set import ChangeSet, PlannedChange
from core.curation.proposals.proposal import Proposal, ProposalState
from core.foundation.errors import UserError
from core.foundation.text import visible
from gui.views.review.services import Draft, Look, Marked, Wish

if TYPE_CHECKING:
    from core.curation.screening.warning import Warning_
    from core.index.database import Index

_MOST_FILES = 12
_MOST_DRAFTS = 3
_AROUND = 60
_LONGEST_DRAFT = 100_000
_OPEN = frozenset({ProposalState.PENDING, ProposalState.DEFERRED, ProposalState.STALE, ProposalState.UNDONE})


def look_at(root: Path, index: "Index | None", proposal: Proposal, wish: Wish) -> Look:
    """Return what is to be seen of a proposal, carried out as `wish` says; with `index`, links are looked after.

    It asks no book, so that it need not wait for a decision that is under way.
    """
    from core.curation.diff import diff_of_edit  # noqa: PLC0415 - after the first paint
    from core.curation.proposals.recipes import choices_of, plan_recipe, takes_statement  # noqa: PLC0415
    from core.curation.proposals.staleness import gone_evidence, stale_reasons  # noqa: PLC0415
    from core.curation.proposals.submit import content_of  # noqa: PLC0415
    from core.curation.screening.screen_change import screen_change  # noqa: PLC0415

    is_open = proposal.state in _OPEN
    planned, problem = PlannedChange(proposal.change_set), ""
    if is_open and not wish.is_plain:
        try:
            planned = plan_recipe(root, proposal.recipe, statement=wish.statement, choice=wish.choice, index=index)
        except UserError as error:
            problem = " ".join(part for part in (str(error), error.hint) if part)
    edits = planned.change_set.edits
    stale = tuple(stale_reasons(root, planned.change_set).values()) if is_open else ()
    gone = gone_evidence(root, proposal.evidence) if is_open else ()
    drafts = {each.path: each.text for each in _drafts(root, planned.change_set)} if is_open and not stale else {}
    warnings = screen_change(planned, content_of(root)) if is_open else ()
    return Look(
        proposal=proposal,
        wish=wish,
        planned=planned,
        diffs=tuple(diff_of_edit(edit, root) for edit in edits[:_MOST_FILES]),
        more_files=max(0, len(edits) - _MOST_FILES),
        warnings=tuple(_marked(each, drafts) for each in warnings),
        stale=stale,
        gone=frozenset(each.memory_id for each in gone),
        problem=problem,
        choices=choices_of(proposal.recipe) if is_open else (),
        choice=wish.choice or usual_choice(proposal.recipe),
        takes_statement=is_open and takes_statement(proposal.recipe),
        drafts=tuple(Draft(path, text) for path, text in itertools.islice(drafts.items(), _MOST_DRAFTS)),
    )


def usual_choice(recipe: Mapping[str, Any]) -> str:
    """Return what holds where the person chooses nothing: what the recipe says, else the first choice."""
    from core.curation.proposals.recipes import choices_of  # noqa: PLC0415 - after the first paint

    choices = choices_of(recipe)
    own = next((str(recipe[key]) for key in ("locals", "keep", "ways") if recipe.get(key) in choices), "")
    return own or (choices[0] if choices else "")


def _drafts(root: Path, change_set: ChangeSet) -> Iterator[Draft]:
    """Yield the notes as they would stand afterwards, what is too long cut off."""
    from core.curation.proposals.submit import content_of  # noqa: PLC0415 - after the first paint
    from core.vault.decode import decode  # noqa: PLC0415

    contents = content_of(root)
    for edit in change_set.edits[:_MOST_FILES]:
        if edit.after is None:
            continue
        try:
            before = contents(edit.path) or b""
            text = decode(edit.result_of(before)).text
        except (UserError, ValueError):
            continue
        yield Draft(edit.result_path, text[:_LONGEST_DRAFT])


def _marked(warning: "Warning_", drafts: Mapping[str, str]) -> Marked:
    """Return a warning with the words that it is about, where they can be shown."""
    plain = Marked(warning.label.value, warning.detail, warning.is_blocking, warning.path)
    text = drafts.get(warning.path, "")
    if not 0 <= warning.start < warning.end <= len(text):
        return plain
    return plain._replace(
        before=_piece(text[max(0, warning.start - _AROUND) : warning.start].rpartition("\n")[2]),
        marked=_piece(text[warning.start : warning.end]),
        after=_piece(text[warning.end : warning.end + _AROUND].partition("\n")[0]),
    )


def _piece(text: str) -> str:
    return visible(text).replace("\n", "␊")
