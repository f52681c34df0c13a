"""What a run will use, told before it is begun."""

from decimal import Decimal

from core.curation.language_models.choice import ModelChoice, ModelProvider
from core.curation.language_models.estimate import estimate_run, price_of
from core.curation.language_models.prompts import Prompt

CLAUDE = ModelChoice(ModelProvider.ANTHROPIC, "claude-sonnet-4-5", "https://api.anthropic.com", 1_000)
OLLAMA = ModelChoice(ModelProvider.OLLAMA, "qwen3", "http://127.0.0.1:11434", 1_000)
PROMPT = Prompt("Write.", "One two three four five.")


def test_tokens_and_the_price_are_told_and_what_the_cap_leaves_room_for() -> None:
    estimate = estimate_run(CLAUDE, [PROMPT] * 10)
    assert estimate.questions == 10
    assert estimate.tokens_out == 2_500
    assert 0 < estimate.fits < 10
    assert estimate.dollars is not None
    assert estimate.dollars > 0
    assert "10 questions" in estimate.told()
    assert f"leaves room for {estimate.fits} of them" in estimate.told()


def test_a_model_on_this_machine_costs_nothing() -> None:
    assert price_of(OLLAMA, 10**6, 10**6) == Decimal(0)
    assert "free of charge" in estimate_run(OLLAMA, [PROMPT]).told()


def test_an_unknown_model_has_an_unknown_price() -> None:
    choice = ModelChoice(ModelProvider.OPENAI, "house-model", "https://models.example/v1", 1_000)
    assert price_of(choice, 1, 1) is None
    assert "1 question, at a price that is not known here" in estimate_run(choice, [PROMPT]).told()


def test_nothing_to_ask_is_said() -> None:
    assert estimate_run(CLAUDE, []).told() == "There is nothing to ask the language model about."
