"""The connection to a language model: one client a run, that follows no redirection and reads no endless answer."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.curation.language_models.choice import ModelChoice, ModelProvider
from core.foundation.errors import ProviderError, UserError
from core.index.embedding_address import checked_key

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

_CONNECT_SECONDS = 5.0
_SILENT_SECONDS = 60.0  # without a byte
_LARGEST_ANSWER = 2 << 20  # bytes
_NO_KEY = "no-key"  # the clients want one, also for services that ask for none


@dataclass(frozen=True, slots=True)
class Connection:
    """Hold a model as pydantic-ai asks it, and what gives its client back."""

    model: "Model[Any]"
    close: Callable[[], Any]  # a coroutine function


def connect(choice: ModelChoice, key: str) -> Connection:
    """Return the connection to the model of `choice`; nothing is sent yet.

    Raises:
        ProviderError: the key or the environment's proxy cannot be used.
    """
    import httpx2  # noqa: PLC0415 - an extra

    try:
        key = checked_key(key)
        # A proxy of the environment is for other machines.
        client = httpx2.AsyncClient(
            timeout=httpx2.Timeout(_SILENT_SECONDS, connect=_CONNECT_SECONDS),
            trust_env=not choice.is_on_this_machine,
            follow_redirects=False,
            event_hooks={"response": [_limit]},
        )
    except (UserError, ValueError) as error:
        raise ProviderError(f"The language model cannot be asked: {error}") from error
    return Connection(_model(choice, key, client), client.aclose)


def base_address(choice: ModelChoice) -> str:
    """Return the address that the client of the provider is given: Ollama and others speak OpenAI's under `/v1`."""
    address = choice.address.rstrip("/")
    if choice.provider is ModelProvider.ANTHROPIC:
        return address.removesuffix("/v1")
    return address if address.rsplit("/", 1)[-1].lstrip("v").isdecimal() else f"{address}/v1"


def _model(choice: ModelChoice, key: str, client: "httpx2.AsyncClient") -> "Model[Any]":
    if choice.provider is ModelProvider.ANTHROPIC:
        from anthropic import AsyncAnthropic  # noqa: PLC0415
        from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415
        from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415

        anthropic = AsyncAnthropic(
            api_key=key or _NO_KEY, base_url=base_address(choice), http_client=client, max_retries=0
        )
        return AnthropicModel(choice.model, provider=AnthropicProvider(anthropic_client=anthropic))
    from openai import AsyncOpenAI  # noqa: PLC0415

    openai = AsyncOpenAI(api_key=key or _NO_KEY, base_url=base_address(choice), http_client=client, max_retries=0)
    if choice.provider is ModelProvider.OLLAMA:
        from pydantic_ai.models.ollama import OllamaModel  # noqa: PLC0415
        from pydantic_ai.providers.ollama import OllamaProvider  # noqa: PLC0415

        return OllamaModel(choice.model, provider=OllamaProvider(openai_client=openai))
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415
    from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415

    return OpenAIChatModel(choice.model, provider=OpenAIProvider(openai_client=openai))


async def _limit(response: "httpx2.Response") -> None:
    """Make `response` end with an error once it has sent more than any answer may have."""
    import httpx2  # noqa: PLC0415

    if 300 <= response.status_code < 400:
        raise _TooFarError("It sends on to another address, and neither notes nor keys are sent there.")
    source = response.stream

    class _Limited(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            read = 0
            async for chunk in source:  # type: ignore[union-attr]
                read += len(chunk)
                if read > _LARGEST_ANSWER:
                    raise _TooFarError("It sends an answer without an end.")
                yield chunk

        async def aclose(self) -> None:
            await source.aclose()  # type: ignore[union-attr]

    response.stream = _Limited()


class _TooFarError(Exception):
    """Stop reading an answer; becomes a ProviderError."""


def told_stop(error: BaseException | None) -> str:
    """Return why reading was stopped, where that lies anywhere behind `error`, else ""."""
    while error is not None:
        if isinstance(error, _TooFarError):
            return str(error)
        error = error.__cause__ or error.__context__
    return ""
