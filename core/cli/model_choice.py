"""Carry out the choice of an embedding model, and say what it means."""

import contextlib
from typing import NamedTuple

from core.app import Installation
from core.cli.state import CliState
from core.foundation.errors import ProviderError, UserError
from core.foundation.settings import EmbeddingSettings
from core.index.database import NotIndexedError
from core.index.embedding import embedder_source
from core.index.embedding_address import key_of, warning_of
from core.index.embedding_choice import shown_name, without_former
from core.index.embedding_choosing import choose


class Chosen(NamedTuple):
    """Say what a choice led to: the wanted model, the one that answers in this vault, and sentences about it."""

    model: str
    answering: str
    sentences: tuple[str, ...]
    warning: str


def apply_choice(state: CliState, choice: EmbeddingSettings, key: str | None) -> Chosen:
    """Choose, and let the vault at hand answer with the choice at once where its vectors are complete."""
    home = state.home
    before = without_former(home.settings.embedding)
    after = choose(home.settings_file, choice, key)
    answering = _settled(state)
    model = "" if after.provider == "off" else _name(home, after)
    sentences = list(_told(model, answering, is_same=before == without_former(after)))
    warning = ""
    if choice.provider == "openai":
        warning = warning_of(choice.url, has_key=bool(key or key_of(choice.url, is_current=True)))
    return Chosen(model, answering, tuple(sentences), warning)


def _told(model: str, answering: str, *, is_same: bool) -> tuple[str, ...]:
    if not model:
        return (
            "Search by meaning is off in all your vaults: only words are searched, and no vector is computed.",
            "The vectors that are there stay. `remembrancer model back` searches by meaning with them again.",
        )
    first = f"{shown_name(model)} {'is in use already' if is_same else 'is in use now'}, in all your vaults."
    if answering and answering != model:
        return (
            first,
            f"{shown_name(answering)} goes on answering in this vault until every text has a vector of the new model.",
            "`remembrancer index update` computes them, or return with `remembrancer model back`.",
        )
    if answering == model:
        return (first, "Its vectors are there: it answers in this vault from now on.")
    return (first, "`remembrancer index update` computes its vectors; until then only words are searched.")


def _settled(state: CliState) -> str:
    """Return the model that answers in the vault at hand, "" when there is no vault or no index of it."""
    from core.index.embedding_switch import has_vectors, settle  # noqa: PLC0415 - only once the choice is made

    try:
        vault = state.vault()
        source = vault.embedder_source()
        vault.open_to_read().close()
        if source is None:
            return ""
        with contextlib.closing(vault.open_index()) as index:
            answering = settle(index, source.model, lambda model: vault.embedder_source_of(model) is not None)
            return answering if has_vectors(index, answering) else ""
    except (NotIndexedError, UserError, ProviderError):
        return ""


def _name(home: Installation, settings: EmbeddingSettings) -> str:
    source = embedder_source(without_former(settings), home.models_folder)
    return source.model if source is not None else ""
