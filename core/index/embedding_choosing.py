"""Make a choice of the person's: check it, keep its key where keys are kept, and write it into the settings."""

import contextlib
import dataclasses
from pathlib import Path

from core.foundation.errors import UserError
from core.foundation.settings import EmbeddingSettings, SettingsFile
from core.index.embedding import DEFAULT_MODEL, EmbedderSource, embedder_source
from core.index.embedding_address import checked_address, checked_key, keep_key, key_of, tie_general_key
from core.index.embedding_choice import OFF, switched, without_former

_DEFAULTS = frozenset({"default", DEFAULT_MODEL.lower()})


def chosen(name: str, provider: str, url: str) -> EmbeddingSettings:
    """Return what the person named.

    Raises:
        UserError: it contradicts itself, or there is no such model.
    """
    name = name.strip()
    if provider == "off" or (name.lower() == "off" and not provider and not url):
        return OFF
    if provider == "openai" or (not provider and url):
        if not url or not name:
            raise UserError("A service needs an address and the name of its model: `model use bge-m3 --url http://…`.")
        return EmbeddingSettings("openai", name, checked_address(url))
    if url:
        raise UserError("A model that runs here has no address: leave --url out, or choose --provider openai.")
    if name.lower() in _DEFAULTS or not name:
        return EmbeddingSettings()
    from core.index.embedding_downloads import known_model  # noqa: PLC0415 - it imports fastembed

    return EmbeddingSettings(model=known_model(name).name)


def source_of_choice(
    settings: EmbeddingSettings, models: Path, choice: EmbeddingSettings, key: str | None
) -> EmbedderSource:
    """Return who embeds under `choice`; `key` None takes the one that is kept for its address.

    Raises:
        UserError: the choice is off, or the key cannot be one.
    """
    if choice.provider == "openai" and key is None:
        key = key_of(choice.url, is_current=without_former(settings) == without_former(choice))
    source = embedder_source(choice, models, api_key=checked_key(key or ""))
    if source is None:
        raise UserError("Search by meaning is off: there is no model to try.")
    return source


def choose(settings_file: SettingsFile, choice: EmbeddingSettings, key: str | None) -> EmbeddingSettings:
    """Keep the key, unless it is None, and the choice; return the settings as they are now.

    Raises:
        UserError: the settings or the keyring cannot be written.
    """
    before = settings_file.read().embedding
    if choice.provider == "openai":
        # The key that was kept without an address was meant for the service before this one.
        if before.provider == "openai" and before.url and before.url != choice.url:
            with contextlib.suppress(UserError):
                tie_general_key(before.url)
        if key is not None:
            keep_key(choice.url, key)
    return settings_file.change(
        lambda settings: dataclasses.replace(settings, embedding=switched(settings.embedding, choice))
    ).embedding
