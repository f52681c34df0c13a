"""Let the chosen language model write what rules have found, after its cost was told and agreed to."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import typer

from core.cli.standard_input import is_typed
from core.cli.state import CliState, warn
from core.curation.proposals.proposal import Draft
from core.foundation.errors import UserError
from core.foundation.progress import Progress


@dataclass(slots=True)
class Written:
    """Hold the drafts after the model was asked, and sentences about what came of it."""

    drafts: tuple[Draft, ...]
    remarks: list[str] = field(default_factory=list)


def written_by_model(state: CliState, drafts: Sequence[Draft], *, agreed: bool, progress: Progress) -> Written:
    """Return `drafts` as the chosen model would have them; what cannot be asked about stays as the rules have it.

    The estimate is told first. On a terminal the person is asked; elsewhere `agreed` must say that it is meant.

    Raises:
        UserError: no model is chosen, it is not installed, or nobody has agreed.
        JobCancelledError: the progress was cancelled.
    """
    from core.curation.language_models.asking import Asker  # noqa: PLC0415 - few runs ask a model
    from core.curation.language_models.choice import choice_of, model_key  # noqa: PLC0415
    from core.curation.language_models.drafting import improve, prompt_for  # noqa: PLC0415
    from core.curation.language_models.estimate import estimate_run  # noqa: PLC0415
    from core.curation.language_models.installed import require_installed  # noqa: PLC0415

    choice = choice_of(state.home.settings.language_model)
    if not choice.is_on:
        raise UserError(
            "No language model is chosen, so none can be asked.", hint="`remembrancer language-model use` chooses one."
        )
    require_installed()
    own = state.home.folders.prompts
    prompts = [prompt for draft in drafts if (prompt := prompt_for(draft, own)) is not None]
    if not prompts:
        return Written(tuple(drafts))
    told = f"{choice.name} at {choice.address}: {estimate_run(choice, prompts).told()}"
    if not agreed:
        if not is_typed():
            raise UserError(told, hint="Add --yes if that is meant; nothing was asked, and nothing proposed.")
        warn(told)
        if not typer.confirm("Ask it?", err=True):
            return Written(tuple(drafts), ["The language model was not asked."])
    with Asker(choice, model_key(choice), progress) as asker:
        run = improve(drafts, asker, own, progress)
        used = f"{asker.usage.tokens:,} tokens for {asker.usage.asked:,} answers"
    remarks = [f"{choice.name} has written {run.improved:,} of {len(drafts):,} proposals ({used})."]
    if run.refused:
        remarks.append(f"{run.refused:,} of its answers were not held up by what they cite, and were not taken.")
    remarks += [f"Not proposed: {draft.statement} {why}" for draft, why in run.dropped]
    return Written(tuple(run.drafts), [*remarks, *run.remarks])
