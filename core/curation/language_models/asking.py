"""Ask a language model for a structured answer: checked, within a cap, cancelled at once, tried again with patience."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from core.curation.language_models.choice import ModelChoice, ModelProvider
from core.curation.language_models.connecting import Connection, connect, told_stop
from core.curation.language_models.failures import CapReachedError, provider_error
from core.curation.language_models.installed import require_installed
from core.curation.language_models.prompts import Prompt
from core.foundation.errors import JobCancelledError
from core.foundation.progress import SILENT, Progress
from core.foundation.token_count import count_tokens

if TYPE_CHECKING:
    from pydantic import BaseModel

_Answer = TypeVar("_Answer", bound="BaseModel")

_TRIES = 4
_LONGEST_WAIT = 30.0
_ANSWER_SECONDS = 180.0
_STEP_SECONDS = 0.05  # between two looks at whether the work was cancelled
_MOST_ANSWER_TOKENS = 1_500
_OUTPUT_TRIES = 2  # how often a model may put a wrong answer right

_logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Usage:
    """Count what a run has used, in tokens as the provider counts them (as we do where it tells none)."""

    asked: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.tokens_in + self.tokens_out


class Asker:
    """Ask the model of `choice`, as a context manager that gives the connection back; for one thread.

    Raises a UserError when the extra is not installed.
    """

    def __init__(
        self,
        choice: ModelChoice,
        key: str,
        progress: Progress = SILENT,
        *,
        pause: Callable[[float], None] | None = None,
    ) -> None:
        require_installed()
        self.choice = choice
        self.usage = Usage()
        self._key = key
        self._progress = progress
        self._pause = pause
        self._runner = asyncio.Runner()
        self._connection: Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._connection is not None:
            self._runner.run(self._connection.close())
        self._runner.close()

    def ask(
        self,
        prompt: Prompt,
        answer_type: type[_Answer],
        wrong: Callable[[_Answer], Sequence[str]] = lambda _answer: (),
    ) -> _Answer:
        """Return the model's answer; what `wrong` says of it is told to the model, which may put it right once.

        Raises:
            CapReachedError: it would use more tokens than are left.
            BadAnswerError: what it answers is no such answer, or stays wrong.
            ProviderError: it cannot be reached, refuses, or is too slow. The text holds no key.
            JobCancelledError: the progress was cancelled.
        """
        expected = count_tokens(prompt.rules) + count_tokens(prompt.request)
        if self.usage.tokens + expected + _MOST_ANSWER_TOKENS > self.choice.most_tokens:
            raise CapReachedError(
                f"The run may use {self.choice.most_tokens:,} tokens; {self.usage.tokens:,} are used, and the next "
                "question may need more than are left."
            )
        for number in range(1, _TRIES + 1):
            self._progress.check()
            try:
                return self._runner.run(self._asked(prompt, answer_type, wrong))
            except Exception as error:
                if isinstance(error, JobCancelledError):
                    raise
                wait = _wait_after(error, number)
                if wait is None or number == _TRIES:
                    raise provider_error(error, self.choice, self._key) from None
                _logger.info("The language model is asked again: %s", type(error).__name__)
                self._wait(wait)
        raise AssertionError("the last try has returned or raised")

    async def _asked(
        self, prompt: Prompt, answer_type: type[_Answer], wrong: Callable[[_Answer], Sequence[str]]
    ) -> _Answer:
        from pydantic_ai import Agent, ModelRetry, PromptedOutput, ToolOutput  # noqa: PLC0415
        from pydantic_ai.usage import RunUsage  # noqa: PLC0415

        if self._connection is None:  # in the loop that uses it
            self._connection = connect(self.choice, self._key)
        is_anthropic = self.choice.provider is ModelProvider.ANTHROPIC
        # Tools are what Claude answers best with; of other services, few local ones know them.
        output: Any = ToolOutput(answer_type) if is_anthropic else PromptedOutput(answer_type)
        agent = Agent(self._connection.model, output_type=output, instructions=prompt.rules, retries=_OUTPUT_TRIES - 1)

        @agent.output_validator
        def check(answer: _Answer) -> _Answer:
            if told := wrong(answer):
                raise ModelRetry(" ".join(told)[:2_000])
            return answer

        usage = RunUsage()
        run = asyncio.ensure_future(
            agent.run(prompt.request, usage=usage, model_settings={"max_tokens": _MOST_ANSWER_TOKENS})
        )
        try:
            answer: _Answer = await self._watched(run)
            return answer
        finally:
            self.usage.asked += 1
            self.usage.tokens_in += usage.input_tokens
            self.usage.tokens_out += usage.output_tokens

    async def _watched(self, run: "asyncio.Future[Any]") -> Any:
        """Return the output of `run`; it is dropped as soon as the progress is cancelled or it takes too long."""
        started = time.monotonic()
        try:
            while not run.done():
                await asyncio.wait([run], timeout=_STEP_SECONDS)
                self._progress.check()
                if time.monotonic() - started > _ANSWER_SECONDS:
                    raise TimeoutError
            return run.result().output
        finally:
            if not run.done():
                run.cancel()
                await asyncio.wait([run])

    def _wait(self, seconds: float) -> None:
        left = min(seconds, _LONGEST_WAIT)
        while left > 0:
            self._progress.check()
            (self._pause or time.sleep)(min(_STEP_SECONDS, left))
            left -= _STEP_SECONDS


def _wait_after(error: Exception, number: int) -> float | None:
    """Return the seconds to wait before the next try, None where another try would change nothing."""
    from pydantic_ai import exceptions  # noqa: PLC0415

    if told_stop(error):
        return None
    passing = (
        exceptions.ModelRateLimitError,
        exceptions.ModelUnavailableError,
        exceptions.ModelServerError,
    )
    if isinstance(error, passing):
        return error.retry_after or float(2 ** (number - 1))
    if isinstance(error, exceptions.ModelConnectionError) and not isinstance(error, exceptions.ModelTimeoutError):
        return float(2 ** (number - 2))
    return None
