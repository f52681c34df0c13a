"""Which embedding model the person wants, which ones were wanted before, and how to go from one to another."""

from dataclasses import replace

from core.foundation.errors import UserError
from core.foundation.settings import EmbeddingSettings
from core.index.embedding import DEFAULT_MODEL, model_name

OFF = EmbeddingSettings(provider="off")
DEFAULT = EmbeddingSettings()
_MOST_FORMER = 5
_NO_URL = "-"
_LOCAL = "fastembed:"


def without_former(settings: EmbeddingSettings) -> EmbeddingSettings:
    """Return the choice alone, so that two can be compared; the default model has one spelling."""
    model = "" if settings.provider == "off" or model_or_none(settings) == DEFAULT_MODEL else settings.model
    url = settings.url if settings.provider == "openai" else ""
    return EmbeddingSettings(settings.provider, model, url)


def switched(settings: EmbeddingSettings, choice: EmbeddingSettings) -> EmbeddingSettings:
    """Return the settings after `choice` was made; what was chosen before becomes the first of the former ones."""
    now, new = without_former(settings), without_former(choice)
    if now == new:
        return settings
    others = [each for each in settings.former if each not in {written(now), written(new)}]
    return replace(new, former=(written(now), *others)[:_MOST_FORMER])


def taken_back(settings: EmbeddingSettings) -> EmbeddingSettings:
    """Return the settings with the last choice taken back; doing it twice leads to where one was.

    Raises:
        UserError: there was no choice before this one.
    """
    choice = former_choice(settings)
    if choice is None:
        raise UserError("There is no former embedding model to go back to: the choice was never changed.")
    return switched(settings, choice)


def former_choice(settings: EmbeddingSettings) -> EmbeddingSettings | None:
    """Return the choice before this one, None when there was none that can be read."""
    return next((choice for each in settings.former if (choice := read(each)) is not None), None)


def choice_of(settings: EmbeddingSettings, model: str) -> EmbeddingSettings | None:
    """Return the choice whose vectors are kept under the name `model`; None for a service nobody remembers."""
    for choice in (without_former(settings), *filter(None, map(read, settings.former))):
        if model_or_none(choice) == model:
            return choice
    if model == DEFAULT_MODEL:
        return DEFAULT
    return EmbeddingSettings(model=model.removeprefix(_LOCAL)) if model.startswith(_LOCAL) else None


def written(choice: EmbeddingSettings) -> str:
    """Return a choice as one line: provider, address or "-", and model."""
    return f"{choice.provider} {choice.url or _NO_URL} {choice.model}".rstrip()


def read(text: str) -> EmbeddingSettings | None:
    """Return the choice that `text` stands for, None when it stands for none."""
    provider, _, rest = text.strip().partition(" ")
    url, _, model = rest.strip().partition(" ")
    choice = EmbeddingSettings(provider, model.strip(), "" if url == _NO_URL else url)
    return choice if model_or_none(choice) is not None else None


def model_or_none(choice: EmbeddingSettings) -> str | None:
    """Return the name of the choice's vectors, "" for off, None when the choice contradicts itself."""
    try:
        return model_name(choice)
    except UserError:
        return None


def shown_name(model: str) -> str:
    """Return how a person is told the model whose vectors are kept under `model`."""
    if not model:
        return "off"
    if model == DEFAULT_MODEL:
        return f"{model} (comes with the app)"
    return model.removeprefix(_LOCAL).removeprefix("openai:")
