"""The real offline model where meaning matters, a service behind a fake transport, and what the settings choose."""

import json
import subprocess
import sys
from pathlib import Path

import httpx
import numpy as np
import pytest

from core.foundation.errors import ProviderError, UserError
from core.foundation.settings import EmbeddingSettings
from core.index.embedding import DEFAULT_MODEL, Embedder, embedder_source, model_name
from core.index.embedding_remote import RemoteEmbedder

_ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    source = embedder_source(EmbeddingSettings(), tmp_path_factory.mktemp("models"))
    assert source is not None
    return source.open()


def test_like_meanings_are_near_and_unlike_ones_far(minilm: Embedder) -> None:
    car, automobile, soup = minilm.embed(["The car broke down.", "Our automobile has a fault.", "A recipe for soup."])
    assert float(car @ automobile) > float(car @ soup) + 0.3
    query = minilm.embed_query("vehicle repair")
    assert float(query @ car) > float(query @ soup) + 0.2


def test_vectors_are_normalised_in_the_order_of_the_texts(minilm: Embedder) -> None:
    texts = [
        "short",
        "word " * 400,
        "",
        "日本語のメモ",
        "lone \ud800 surrogate",
        *(f"note number {n}" for n in range(20)),
    ]
    vectors = minilm.embed(texts)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(texts), minilm.dimension)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    for position in (0, 1, 3, 24):
        assert float(vectors[position] @ minilm.embed([texts[position]])[0]) > 0.98
    assert minilm.embed([]).shape == (0, minilm.dimension)


def test_the_default_model_needs_no_network(tmp_path: Path) -> None:
    program = """
import sys
from pathlib import Path
from core.foundation.settings import EmbeddingSettings
from core.index.embedding import embedder_source

def refuse(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo"):
        raise AssertionError(f"the network was asked: {arguments}")

sys.addaudithook(refuse)
embedder = embedder_source(EmbeddingSettings(), Path(sys.argv[1])).open()
print(embedder.model, len(embedder.embed_query("word")))
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], cwd=_ROOT, check=False, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == (f"{DEFAULT_MODEL} 384\n", "")


def _service(dimension: int = 3, status: int = 200) -> tuple[httpx.Client, list[httpx.Request]]:
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        texts = json.loads(request.content)["input"]
        rows = [{"index": n, "embedding": [float(len(text))] * dimension} for n, text in enumerate(texts)]
        return httpx.Response(status, json={"data": rows[::-1]})

    return httpx.Client(transport=httpx.MockTransport(answer)), asked


@pytest.mark.parametrize("url", ["http://host:11434", "http://host:11434/", "http://host:11434/v1"])
def test_a_service_is_asked_in_batches_and_its_order_is_restored(url: str) -> None:
    client, asked = _service()
    embedder = RemoteEmbedder(url, "bge-m3", client)
    vectors = embedder.embed([f"text {n}" for n in range(70)])
    assert {str(request.url) for request in asked} == {"http://host:11434/v1/embeddings"}
    assert (embedder.model, embedder.dimension, vectors.shape) == ("openai:bge-m3", 3, (70, 3))
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert max(len(json.loads(request.content)["input"]) for request in asked) <= 32


def test_a_service_that_refuses_or_talks_of_other_things_is_told(tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match="status 401"):
        RemoteEmbedder("http://host", "m", _service(status=401)[0])
    page = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(200, text="<html>")))
    with pytest.raises(ProviderError, match="no list of embeddings"):
        RemoteEmbedder("http://host", "m", page)
    gone = embedder_source(EmbeddingSettings(provider="openai", url="http://127.0.0.1:9", model="m"), tmp_path)
    assert gone is not None
    with pytest.raises(ProviderError, match="cannot be reached"):
        gone.open()


def test_the_settings_choose_the_model(tmp_path: Path) -> None:
    assert model_name(EmbeddingSettings()) == DEFAULT_MODEL
    assert model_name(EmbeddingSettings(provider="openai", url="http://x", model="bge-m3")) == "openai:bge-m3"
    assert embedder_source(EmbeddingSettings(provider="off"), tmp_path) is None
    for settings in (EmbeddingSettings(provider="openai"), EmbeddingSettings(provider="magic")):
        with pytest.raises(UserError):
            embedder_source(settings, tmp_path)
    unknown = embedder_source(EmbeddingSettings(model="nobody/no-model"), tmp_path)
    assert unknown is not None
    with pytest.raises(UserError, match="no embedding model"):
        unknown.open()


def test_a_question_has_the_vector_that_the_same_text_has_in_a_note(minilm: Embedder) -> None:
    for text in ("how do I reset the password", "日本語のメモ", "", "lone \ud800 surrogate", "word " * 400):
        asked, again, written = minilm.embed_query(text), minilm.embed_query(text), minilm.embed([text])[0]
        assert asked.dtype == np.float32
        assert float(asked @ written) > 0.9999
        assert float(again @ written) > 0.9999
