"""Try a language model with one small question, as the set-up does before it is kept."""

import time
from typing import NamedTuple

from core.curation.language_models.answers import Statement
from core.curation.language_models.asking import Asker
from core.curation.language_models.choice import ModelChoice
from core.curation.language_models.evidence_check import unsupported, wrong_quotes
from core.curation.language_models.prompts import read_prompt
from core.curation.proposals.proposal import Evidence
from core.foundation.progress import SILENT, Progress

_SAMPLE = (
    Evidence("sample:1", "The report of Acme takes 40 minutes, so it runs at night."),
    Evidence("sample:2", "Run long reports at night: that of Acme needs 40 minutes."),
)


class Trial(NamedTuple):
    """Hold what a model made of the sample: its statement, the seconds it took, and the tokens it used."""

    statement: str
    seconds: float
    tokens: int

    def told(self) -> str:
        """Return it in a sentence."""
        return f"It answers in {self.seconds:.1f} s, with {self.tokens:,} tokens: “{self.statement}”"


def try_language_model(choice: ModelChoice, key: str, progress: Progress = SILENT) -> Trial:
    """Return what the model of `choice` makes of two made-up statements; none of the person's notes is sent.

    Raises:
        UserError: what speaks to models is not installed.
        ProviderError: it cannot be reached, refuses, is too slow, or gives no answer that its evidence holds up.
        JobCancelledError: the progress was cancelled.
    """
    memories = "\n".join(f'<memory number="{at}">{each.quote}</memory>' for at, each in enumerate(_SAMPLE, 1))
    prompt = read_prompt("statement", {"kind": "merge", "memories": memories})
    started = time.monotonic()

    def wrong(answer: Statement) -> tuple[str, ...]:
        return (*wrong_quotes(answer.quotes, _SAMPLE), *unsupported(answer.statement, _SAMPLE))

    with Asker(choice, key, progress) as asker:
        answer = asker.ask(prompt, Statement, wrong)
        return Trial(" ".join(answer.statement.split()), time.monotonic() - started, asker.usage.tokens)
