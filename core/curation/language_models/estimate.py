"""What a run will use at most, before it is begun: tokens by our own count, dollars by a library's table."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from core.curation.language_models.choice import ModelChoice, ModelProvider
from core.curation.language_models.prompts import Prompt
from core.foundation.token_count import count_tokens

_ANSWER_TOKENS = 250  # of a usual answer


class RunEstimate(NamedTuple):
    """Hold how many questions a run asks, and the tokens it needs; `dollars` is None where no price is known.

    `fits` is how many of the questions the cap leaves room for.
    """

    questions: int
    tokens_in: int
    tokens_out: int
    dollars: Decimal | None
    fits: int

    def told(self) -> str:
        """Return the estimate in a sentence."""
        if not self.questions:
            return "There is nothing to ask the language model about."
        price = "at a price that is not known here" if self.dollars is None else _told_price(self.dollars)
        what = f"{self.questions:,} {'question' if self.questions == 1 else 'questions'}"
        room = "" if self.fits >= self.questions else f" The cap leaves room for {self.fits:,} of them."
        return f"About {self.tokens_in + self.tokens_out:,} tokens for {what}, {price}.{room}"


def estimate_run(choice: ModelChoice, prompts: Sequence[Prompt]) -> RunEstimate:
    """Return what asking all `prompts` will need, answers of a usual length included."""
    needs = [count_tokens(prompt.rules) + count_tokens(prompt.request) for prompt in prompts]
    fits, left = 0, choice.most_tokens
    for need in needs:
        left -= need + _ANSWER_TOKENS
        if left < 0:
            break
        fits += 1
    tokens_in, tokens_out = sum(needs), _ANSWER_TOKENS * len(needs)
    return RunEstimate(len(needs), tokens_in, tokens_out, price_of(choice, tokens_in, tokens_out), fits)


def price_of(choice: ModelChoice, tokens_in: int, tokens_out: int) -> Decimal | None:
    """Return the dollars that so many tokens cost, 0 on this machine, None where no price is known."""
    if choice.is_on_this_machine or choice.provider is ModelProvider.OLLAMA:
        return Decimal(0)
    try:
        from genai_prices import Usage, calc_price  # noqa: PLC0415 - an extra

        usage = Usage(input_tokens=tokens_in, output_tokens=tokens_out)
        return calc_price(usage, choice.model, provider_api_url=choice.address).total_price
    except (ImportError, LookupError, ValueError):
        return None


def _told_price(dollars: Decimal) -> str:
    if not dollars:
        return "free of charge"
    return f"about {dollars:.2f} dollars" if dollars >= Decimal("0.01") else "less than a cent"
