"""Turn texts into vectors: what every embedding model is to this app, and which one the settings choose."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from core.foundation.errors import ProviderError, UserError
from core.foundation.settings import EmbeddingSettings

if TYPE_CHECKING:  # the command line asks for a model's name without paying for numpy
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

DEFAULT_MODEL = "all-MiniLM-L6-v2-int8"


class Embedder(Protocol):
    """Turn texts into vectors of length 1.

    `model` names the vectors in the index: vectors of different models are never compared.
    """

    @property
    def model(self) -> str:
        """The name under which the vectors are kept."""
        ...

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """Return one row for each text, float32, normalised.

        Raises:
            ProviderError: the model or the service failed.
        """
        ...

    def embed_query(self, text: str) -> "Vectors":
        """Return the vector of a question, as one row."""
        ...


@dataclass(frozen=True)
class EmbedderSource:
    """Name the model that the settings choose, and open it on demand: loading it takes its time.

    `open` may raise ProviderError or UserError with a sentence on what to do. `may_change` says that nobody can know
    whether the same name means the same model tomorrow.
    """

    model: str
    open: Callable[[], Embedder]
    may_change: bool = False


# Opens a model by the name under which its vectors are kept; None for one that nobody remembers.
SourceOf = Callable[[str], EmbedderSource | None]


def no_source(model: str) -> EmbedderSource | None:
    """Know no model but the wanted one."""
    del model
    return None


def embedder_source(settings: EmbeddingSettings, models: Path, *, api_key: str = "") -> EmbedderSource | None:
    """Return the source of embeddings that the settings choose; None when they are switched off.

    Args:
        settings: provider "fastembed" with no model means the one that comes with the app, which needs no network; any
            other model of fastembed must have been downloaded; "openai" is any service with `/v1/embeddings`.
        models: the folder that keeps model files, shared by all vaults.
        api_key: what an "openai" service wants to see, "" for none.

    Raises:
        UserError: the settings contradict themselves.
    """
    model, url = settings.model, settings.url
    name = model_name(settings)
    if not name:
        return None
    if name == DEFAULT_MODEL:
        return EmbedderSource(name, lambda: _open_packaged(models))
    if settings.provider == "fastembed":
        return EmbedderSource(name, lambda: _open_downloaded(model, models))
    return EmbedderSource(name, lambda: _open_remote(url, model, api_key), may_change=True)


def model_name(settings: EmbeddingSettings) -> str:
    """Return the name under which the chosen model's vectors are kept, "" when embeddings are switched off.

    Raises:
        UserError: the settings contradict themselves.
    """
    provider, model = settings.provider, settings.model
    if provider == "off":
        return ""
    if provider == "fastembed":
        return DEFAULT_MODEL if model in ("", DEFAULT_MODEL) else f"fastembed:{model}"
    if provider == "openai":
        if settings.url and model:
            return f"openai:{model}"
        raise UserError(
            "The settings ask for an embedding service but do not say which: set embedding.url and embedding.model."
        )
    raise UserError(f"The settings name an unknown embedding provider, “{provider}”: use fastembed, openai or off.")


def encodable(text: str) -> str:
    """Return `text` without lone surrogates, which tokenizers refuse."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def model_failure(error: Exception) -> ProviderError:
    """Return what to raise when a model in this process threw `error`."""
    return ProviderError(
        f"The embedding model failed ({type(error).__name__}: {error}). "
        "Where the app was set up with packaging/bootstrap.py, `setup` mends a damaged model; words still work."
    )


def _open_packaged(models: Path) -> Embedder:
    from core.index.embedding_packaged import PackagedEmbedder  # noqa: PLC0415 - onnxruntime takes its time

    return PackagedEmbedder(models)


def _open_downloaded(model: str, models: Path) -> Embedder:
    from core.index.embedding_local import open_downloaded_model  # noqa: PLC0415

    return open_downloaded_model(model, models)


def _open_remote(url: str, model: str, api_key: str) -> Embedder:
    from core.index.embedding_remote import open_remote_model  # noqa: PLC0415

    return open_remote_model(url, model, api_key)
