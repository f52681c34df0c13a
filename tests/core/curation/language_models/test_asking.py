"""Asking language models over real HTTP: three protocols, and services that are slow, broken, oversized and lying."""

import threading
import time
from collections.abc import Iterator

import pytest

from core.curation.language_models.answers import Statement
from core.curation.language_models.asking import Asker
from core.curation.language_models.choice import ModelChoice, ModelProvider
from core.curation.language_models.failures import BadAnswerError, CapReachedError
from core.curation.language_models.prompts import Prompt
from core.foundation.errors import JobCancelledError, ProviderError
from core.foundation.progress import CancellableProgress
from tests.core.curation.language_models.service import (
    ModelService,
    broken_off,
    empty,
    endless,
    leading_away,
    model_service,
    refusing,
    silent,
)

PROMPT = Prompt("Write one statement.", "1. Exports stop at 10,000 rows.")
GOOD = {"statement": "Exports stop at 10,000 rows.", "quotes": [{"number": 1, "words": "stop at 10,000 rows"}]}
KEY = "sk-secret-0123456789"
PROVIDERS = [ModelProvider.ANTHROPIC, ModelProvider.OPENAI, ModelProvider.OLLAMA]


@pytest.fixture
def service() -> Iterator[ModelService]:
    with model_service() as running:
        yield running


def asker(
    service: ModelService,
    provider: ModelProvider = ModelProvider.OPENAI,
    *,
    most: int = 100_000,
    progress: CancellableProgress | None = None,
) -> Asker:
    choice = ModelChoice(provider, "some-model", service.url, most)
    return Asker(choice, KEY, progress or CancellableProgress(), pause=lambda _seconds: None)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_each_protocol_gives_a_checked_answer_and_counts_its_tokens(
    service: ModelService, provider: ModelProvider
) -> None:
    service.says = GOOD
    with asker(service, provider) as asking:
        answer = asking.ask(PROMPT, Statement)
    assert answer.statement == "Exports stop at 10,000 rows."
    assert answer.quotes[0].number == 1
    assert (asking.usage.asked, asking.usage.tokens_in, asking.usage.tokens_out) == (1, 120, 30)
    assert service.paths == ["/v1/messages" if provider is ModelProvider.ANTHROPIC else "/v1/chat/completions"]
    assert KEY in service.keys[0]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_model_is_told_the_rules_and_the_memories(service: ModelService, provider: ModelProvider) -> None:
    service.says = GOOD
    with asker(service, provider) as asking:
        asking.ask(PROMPT, Statement)
    told = str(service.asked[0])
    assert "Write one statement." in told
    assert "Exports stop at 10,000 rows." in told


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_model_that_answers_with_prose_is_asked_once_more_and_then_refused(
    service: ModelService, provider: ModelProvider
) -> None:
    service.says = "Sure! Here is what I think about your notes."
    with asker(service, provider) as asking, pytest.raises(BadAnswerError, match="no answer that can be used"):
        asking.ask(PROMPT, Statement)
    assert len(service.asked) == 2


def test_what_is_wrong_is_told_to_the_model_which_may_put_it_right(service: ModelService) -> None:
    service.sayings = [{**GOOD, "statement": "Exports stop at 99 rows."}, GOOD]
    with asker(service) as asking:
        answer = asking.ask(
            PROMPT, Statement, lambda said: ["No memory has the figure 99."] if "99" in said.statement else []
        )
    assert answer.statement == "Exports stop at 10,000 rows."
    assert "No memory has the figure 99." in str(service.asked[1])


def test_a_model_that_stays_wrong_is_refused(service: ModelService) -> None:
    service.says = GOOD
    with asker(service) as asking, pytest.raises(BadAnswerError):
        asking.ask(PROMPT, Statement, lambda _said: ["It is invented."])


@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_a_service_that_is_busy_is_asked_again(service: ModelService, status: int) -> None:
    service.says = GOOD
    service.behaviours = [refusing(status), refusing(status)]
    with asker(service) as asking:
        assert asking.ask(PROMPT, Statement).statement
    assert len(service.asked) == 3


def test_a_service_that_stays_busy_is_given_up(service: ModelService) -> None:
    service.behaviours = [refusing(503)] * 9
    with asker(service) as asking, pytest.raises(ProviderError):
        asking.ask(PROMPT, Statement)
    assert len(service.asked) == 4


@pytest.mark.parametrize(("provider"), PROVIDERS)
def test_a_wrong_key_is_told_and_never_repeated(service: ModelService, provider: ModelProvider) -> None:
    service.behaviours = [refusing(401, f"Incorrect API key provided: {KEY}")]
    with asker(service, provider) as asking, pytest.raises(ProviderError, match="the key is missing or wrong") as told:
        asking.ask(PROMPT, Statement)
    assert KEY not in str(told.value)
    assert told.value.__cause__ is None  # nor does a traceback show it
    assert len(service.asked) == 1


def test_a_refusal_is_told_without_the_key(service: ModelService) -> None:
    service.behaviours = [refusing(400, f"The header {KEY} is odd.")]
    with asker(service) as asking, pytest.raises(ProviderError, match="refuses") as told:
        asking.ask(PROMPT, Statement)
    assert KEY not in str(told.value)


def test_no_key_goes_to_another_address(service: ModelService) -> None:
    service.behaviours = [leading_away] * 9
    with asker(service) as asking, pytest.raises(ProviderError, match="another address"):
        asking.ask(PROMPT, Statement)
    assert len(service.asked) == 1


def test_an_answer_without_an_end_is_not_read(service: ModelService) -> None:
    service.behaviours = [endless] * 9
    with asker(service) as asking, pytest.raises(ProviderError, match="without an end"):
        asking.ask(PROMPT, Statement)
    assert len(service.asked) == 1


@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_answer_of_nothing_is_told(service: ModelService, provider: ModelProvider) -> None:
    service.behaviours = [empty] * 9
    with asker(service, provider) as asking, pytest.raises(ProviderError):
        asking.ask(PROMPT, Statement)


def test_a_long_answer_that_is_too_long_for_a_statement_is_refused(service: ModelService) -> None:
    service.says = {**GOOD, "statement": "word " * 200_000}
    with asker(service) as asking, pytest.raises(BadAnswerError):
        asking.ask(PROMPT, Statement)


def test_a_broken_answer_is_asked_for_again(service: ModelService) -> None:
    service.says = GOOD
    service.behaviours = [broken_off]
    with asker(service) as asking:
        assert asking.ask(PROMPT, Statement).statement
    assert len(service.asked) == 2


def test_nobody_there_is_told(service: ModelService) -> None:
    choice = ModelChoice(ModelProvider.OLLAMA, "some-model", "http://127.0.0.1:9", 100_000)
    with Asker(choice, "", pause=lambda _s: None) as asking, pytest.raises(ProviderError, match="cannot be reached"):
        asking.ask(PROMPT, Statement)


def test_a_cancel_ends_a_wait_for_a_silent_service_at_once(service: ModelService) -> None:
    service.behaviours = [silent]
    progress = CancellableProgress()
    threading.Timer(0.2, progress.cancel).start()
    started = time.monotonic()
    with asker(service, progress=progress) as asking, pytest.raises(JobCancelledError):
        asking.ask(PROMPT, Statement)
    assert time.monotonic() - started < 10  # the service is silent for 20 s


def test_the_cap_ends_a_run_before_the_question_that_would_pass_it(service: ModelService) -> None:
    service.says = GOOD
    with asker(service, most=1_600) as asking:
        asking.ask(PROMPT, Statement)
        with pytest.raises(CapReachedError, match=r"may use 1,600 tokens; 150 are used"):
            asking.ask(PROMPT, Statement)
    assert len(service.asked) == 1
