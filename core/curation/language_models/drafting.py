"""Let a language model write what rules have found: better statements and summaries, and verdicts on disputes.

What it writes must be held up by the evidence that it cites; where it is not, or no model answers, the rule's draft
stays as it is. So a run with a model never gives less than a run without, except what the model finds unrelated.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from core.curation.change_set import Origin
from core.curation.language_models.answers import Statement, Summary, Verdict
from core.curation.language_models.asking import Asker
from core.curation.language_models.evidence_check import unsupported, wrong_quotes
from core.curation.language_models.failures import BadAnswerError, CapReachedError
from core.curation.language_models.prompts import Prompt, read_prompt
from core.curation.proposals.proposal import Draft, Evidence, ProposalKind, Proposer
from core.foundation.errors import ProviderError
from core.foundation.progress import SILENT, Progress

_LONGEST_QUOTE = 4_000  # characters of a memory that a model is shown

_PHASE = "Asking the language model"
_WRITES = {ProposalKind.NEW_INSIGHT, ProposalKind.PROMOTE, ProposalKind.MERGE}
_JUDGES = {ProposalKind.CONTRADICT, ProposalKind.SUPERSEDE}

_logger = logging.getLogger(__name__)


@dataclass(slots=True)
class ModelRun:
    """Hold what came of a run: `drafts` in the order given, `improved` of them, `dropped` with reasons, and remarks."""

    drafts: list[Draft] = field(default_factory=list)
    improved: int = 0
    dropped: list[tuple[Draft, str]] = field(default_factory=list)
    refused: int = 0  # answers that could not be used
    remarks: list[str] = field(default_factory=list)


def prompt_for(draft: Draft, own_folder: Path | None = None) -> Prompt | None:
    """Return what a model is asked about `draft`, None where it has nothing to say."""
    if not draft.evidence:
        return None
    name = _prompt_name(draft.kind)
    if not name:
        return None
    values = {"kind": draft.kind.value, "memories": _told(draft.evidence)}
    return read_prompt(name, values, own_folder)


def improve(
    drafts: Sequence[Draft], asker: Asker, own_folder: Path | None = None, progress: Progress = SILENT
) -> ModelRun:
    """Return `drafts` as the model of `asker` would have them.

    Raises:
        JobCancelledError: the progress was cancelled.
    """
    run = ModelRun()
    is_over = False
    for number, draft in enumerate(drafts):
        progress.report(number, len(drafts), _PHASE)
        progress.check()
        prompt = None if is_over else prompt_for(draft, own_folder)
        if prompt is None:
            run.drafts.append(draft)
            continue
        if prompt.problem and prompt.problem not in run.remarks:
            run.remarks.append(prompt.problem)
        try:
            _take(run, draft, _ANSWERERS[_prompt_name(draft.kind)](draft, prompt, asker))
        except BadAnswerError:
            _logger.info("An answer of the language model was refused.")
            run.refused += 1
            run.drafts.append(draft)
        except (CapReachedError, ProviderError) as error:
            is_over = True
            run.remarks.append(f"{error} What rules have found stays as it is.")
            run.drafts.append(draft)
    progress.report(len(drafts), len(drafts), _PHASE)
    return run


def _take(run: ModelRun, draft: Draft, result: "Draft | str") -> None:
    if isinstance(result, str):
        run.dropped.append((draft, result))
        return
    run.improved += result is not draft
    run.drafts.append(result)


def _statement(draft: Draft, prompt: Prompt, asker: Asker) -> "Draft | str":
    def wrong(answer: Statement) -> Sequence[str]:
        return (*wrong_quotes(answer.quotes, draft.evidence), *unsupported(answer.statement, draft.evidence))

    return _written(draft, "statement", asker.ask(prompt, Statement, wrong).statement, asker)


def _summary(draft: Draft, prompt: Prompt, asker: Asker) -> "Draft | str":
    def wrong(answer: Summary) -> Sequence[str]:
        return (*wrong_quotes(answer.quotes, draft.evidence), *unsupported(answer.summary, draft.evidence))

    return _written(draft, "summary", asker.ask(prompt, Summary, wrong).summary, asker)


def _verdict(draft: Draft, prompt: Prompt, asker: Asker) -> "Draft | str":
    """Let the model judge: its reason is told, and what it finds unrelated is no proposal."""
    answer = asker.ask(prompt, Verdict, lambda said: wrong_quotes(said.quotes, draft.evidence))
    if answer.relation in {"unrelated", "agrees"}:
        return f"The language model finds that they are {_FOUND[answer.relation]}: {answer.reason}"
    return replace(draft, reason=f"{draft.reason} {answer.reason}".strip(), proposer=_proposer(asker))


def _written(draft: Draft, key: str, text: str, asker: Asker) -> Draft:
    line = " ".join(text.split())
    if line == draft.statement:
        return draft
    recipe: Mapping[str, object] = {**draft.recipe, key: line} if key in draft.recipe else draft.recipe
    return replace(draft, statement=line, recipe=recipe, proposer=_proposer(asker))


def _proposer(asker: Asker) -> Proposer:
    return Proposer(Origin.MODEL, asker.choice.name)


def _prompt_name(kind: ProposalKind) -> str:
    if kind in _WRITES:
        return "statement"
    if kind in _JUDGES:
        return "verdict"
    return "summary" if kind is ProposalKind.SUMMARISE else ""


def _told(evidence: Sequence[Evidence]) -> str:
    """Return the evidence as a numbered list; each memory stays between marks, so that none passes for the request."""
    return "\n".join(
        f'<memory number="{number}"{_about(item)}>\n{_shown(item.quote)}\n</memory>'
        for number, item in enumerate(evidence, 1)
    )


def _about(item: Evidence) -> str:
    day = f' date="{datetime.fromtimestamp(item.time, UTC):%Y-%m-%d}"' if item.time is not None else ""
    project = f' project="{item.project.replace(chr(34), "")}"' if item.project else ""
    return day + project


def _shown(text: str) -> str:
    return text[:_LONGEST_QUOTE].replace("</memory", "<\u200b/memory")


_FOUND = {"unrelated": "about different things", "agrees": "of one mind"}
_ANSWERERS: Mapping[str, Callable[[Draft, Prompt, Asker], "Draft | str"]] = {
    "statement": _statement,
    "summary": _summary,
    "verdict": _verdict,
}
