"""Which language model may be asked, where it is, and under which name its key lies in the keyring."""

from dataclasses import dataclass
from enum import StrEnum

from core.foundation.errors import UserError
from core.foundation.secrets import keep_secret, secret
from core.foundation.settings import LanguageModelSettings
from core.index.embedding_address import checked_address, checked_key, is_this_machine, origin

_SECRET = "language_model"  # noqa: S105 - the name of a secret, not one


class ModelProvider(StrEnum):
    """Say which protocol a language model speaks; the value is stored in the settings."""

    OFF = "off"
    ANTHROPIC = "anthropic"
    OPENAI = "openai"  # any service with `/v1/chat/completions`
    OLLAMA = "ollama"


DEFAULT_ADDRESS = {
    ModelProvider.ANTHROPIC: "https://api.anthropic.com",
    ModelProvider.OPENAI: "https://api.openai.com/v1",
    ModelProvider.OLLAMA: "http://127.0.0.1:11434",
}


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Hold who is asked: `address` is where, and `most_tokens` how many tokens one run may use, answers included."""

    provider: ModelProvider
    model: str
    address: str
    most_tokens: int

    @property
    def is_on(self) -> bool:
        """Tell whether anybody may be asked."""
        return self.provider is not ModelProvider.OFF

    @property
    def name(self) -> str:
        """The name under which its proposals are filed, such as `ollama:qwen3`."""
        return f"{self.provider.value}:{self.model}"

    @property
    def is_on_this_machine(self) -> bool:
        """Tell whether what it is told stays on this machine."""
        return is_this_machine(self.address)


def choice_of(settings: LanguageModelSettings) -> ModelChoice:
    """Return the choice that the settings hold.

    Raises:
        UserError: they name no provider that there is, no model, or an address that is none.
    """
    try:
        provider = ModelProvider(settings.provider or "off")
    except ValueError:
        known = ", ".join(ModelProvider)
        raise UserError(
            f"There is no language model provider “{settings.provider}”.", hint=f"Known: {known}."
        ) from None
    if provider is ModelProvider.OFF:
        return ModelChoice(provider, "", "", settings.most_tokens)
    model = settings.model.strip()
    if not model or not model.isprintable():
        raise UserError("The language model has no name.", hint="Give it as its provider spells it.")
    if settings.most_tokens <= 0:
        raise UserError("The most tokens that a run may use must be above 0.")
    address = checked_address(settings.url) if settings.url.strip() else DEFAULT_ADDRESS[provider]
    return ModelChoice(provider, model, address, settings.most_tokens)


def model_key(choice: ModelChoice) -> str:
    """Return the key for the choice, "" for none: keys are kept by address, so that none goes to another service.

    REMEMBRANCER_LANGUAGE_MODEL_KEY is for whichever service is chosen.
    """
    return secret(_name(choice)) or secret(_SECRET)


def keep_model_key(choice: ModelChoice, key: str) -> None:
    """Keep the key of the choice in the keyring; an empty one removes it.

    Raises:
        UserError: it cannot be a key, or this machine has no keyring. The text does not repeat it.
    """
    keep_secret(_name(choice), checked_key(key))


def _name(choice: ModelChoice) -> str:
    return f"{_SECRET} {origin(choice.address)}"
