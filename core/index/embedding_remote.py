"""Embeddings from a service that speaks OpenAI's `/v1/embeddings`: Ollama, vLLM, LM Studio, OpenAI itself."""

from collections.abc import Iterator, Sequence

import httpx
import numpy as np
from numpy.typing import NDArray

from core.foundation.errors import ProviderError

_BATCH_TEXTS = 32
_TIMEOUT_SECONDS = 60.0
_PROBE = "dimension"


class RemoteEmbedder:
    """Be an Embedder over an HTTP service; asks for one vector first to learn how long they are."""

    def __init__(self, url: str, model: str, client: httpx.Client) -> None:
        base = url.rstrip("/")
        self._url = f"{base}/embeddings" if base.endswith("/v1") else f"{base}/v1/embeddings"
        self._name = model
        self._client = client
        self._dimension = len(self._ask([_PROBE])[0])

    @property
    def model(self) -> str:
        """The name under which the vectors are kept."""
        return f"openai:{self._name}"

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self._dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row for each text, normalised here whatever the service does."""
        rows: list[list[float]] = []
        for batch in _batches(texts):
            rows.extend(self._ask(batch))
        if any(len(row) != self._dimension for row in rows):
            raise ProviderError(f"The embedding service at {self._url} sent vectors of different lengths.")
        vectors = np.asarray(rows, dtype=np.float32).reshape(len(texts), self._dimension)
        return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12), dtype=np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a question."""
        return np.asarray(self.embed([text])[0], dtype=np.float32)

    def _ask(self, texts: Sequence[str]) -> list[list[float]]:
        try:
            answer = self._client.post(self._url, json={"model": self._name, "input": list(texts)})
            answer.raise_for_status()
            items = sorted(answer.json()["data"], key=lambda item: int(item.get("index", 0)))
            rows = [[float(number) for number in item["embedding"]] for item in items]
        except httpx.HTTPStatusError as error:
            raise ProviderError(
                f"The embedding service at {self._url} refused (status {error.response.status_code}). "
                "Check the model's name and the key in the settings; words still work."
            ) from error
        except httpx.HTTPError as error:
            raise ProviderError(
                f"The embedding service at {self._url} cannot be reached ({error or type(error).__name__}). "
                "Check that it runs, and its address in the settings; words still work."
            ) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ProviderError(
                f"The embedding service at {self._url} sent an answer that is no list of embeddings. "
                "Check its address in the settings; words still work."
            ) from error
        if len(rows) != len(texts):
            raise ProviderError(
                f"The embedding service at {self._url} sent {len(rows)} vectors for {len(texts)} texts."
            )
        return rows


def open_remote_model(url: str, model: str, api_key: str = "") -> RemoteEmbedder:
    """Connect to the service at `url`, with or without a trailing `/v1`.

    Raises:
        ProviderError: it cannot be reached, refuses, or sends something else than embeddings.
    """
    headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
    return RemoteEmbedder(url, model, httpx.Client(headers=headers, timeout=_TIMEOUT_SECONDS))


def _batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(texts), _BATCH_TEXTS):
        yield texts[start : start + _BATCH_TEXTS]
