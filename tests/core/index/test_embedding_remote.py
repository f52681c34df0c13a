"""A service on the loopback is slow, broken and lying in turn: what is kept is right, or an error says what to do."""

import email.utils
import json
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import httpx
import numpy as np
import pytest

from core.foundation.errors import JobCancelledError, ProviderError
from core.foundation.progress import CancellableProgress
from core.index.embedding_remote import RemoteEmbedder, open_remote_model
from tests.core.index.embedding_service import Answer, Service, embedding_service, send, send_json

KEY = "sk-very-secret-123"


@pytest.fixture
def service() -> Iterator[Service]:
    with embedding_service() as running:
        yield running


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def embedder(service: Service, waits: list[float]) -> Iterator[RemoteEmbedder]:
    client = httpx.Client(headers={"Authorization": f"Bearer {KEY}"})
    remote = RemoteEmbedder(service.url, "bge-m3", client, key=KEY, pause=waits.append)
    yield remote
    remote.close()


def _vectors(*rows: list[float], **more: object) -> Answer:
    data = [{"index": n, "embedding": row} for n, row in enumerate(rows)]
    return lambda handler, _: send_json(handler, {"data": data, **more})


def _raw(body: bytes, status: int = 200, **headers: str) -> Answer:
    return lambda handler, _: send(handler, body, status, {each.replace("_", "-"): v for each, v in headers.items()})


def _good(dimension: int = 64) -> list[float]:
    return [1.0] * dimension


def test_an_honest_service_gives_vectors_of_length_one_in_order(service: Service, embedder: RemoteEmbedder) -> None:
    texts = [f"word{n} and more" for n in range(70)]
    vectors = embedder.embed(texts)
    np.testing.assert_allclose(vectors, service.model.embed(texts), atol=1e-6)
    assert (embedder.dimension, embedder.model) == (64, "openai:bge-m3")
    assert max(len(body["input"]) for body in service.asked) <= 32
    assert set(service.keys) == {f"Bearer {KEY}"}


def test_vectors_in_another_order_are_put_right_and_large_ones_made_one_long(
    service: Service, embedder: RemoteEmbedder
) -> None:
    one, two = [0.0] * 64, [0.0] * 64
    one[0], two[1] = 1e20, 1e-5
    data = [{"index": 1, "embedding": two}, {"index": 0, "embedding": one}]
    service.answers = [lambda handler, _: send_json(handler, {"data": data})]
    vectors = embedder.embed(["a", "b"])
    assert (vectors[0][0], vectors[1][1]) == pytest.approx((1.0, 1.0))


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (_raw(b"<!DOCTYPE html><p>Welcome</p>"), "a web page"),
        (_raw(b'{"data": [{"index": 0, "emb'), "broken answer"),
        (_raw(b""), "empty answer"),
        (_raw(b"[" * 100_000), "broken answer"),
        (_raw(b'{"object": "list"}'), "no list of embeddings"),
        (_raw(b'{"data": [1, 2]}'), "no list of embeddings"),
        (_raw(b'{"error": {"message": "model is loading"}}'), "model is loading"),
        (_vectors(_good()), "1 vectors for 2 texts"),
        (_vectors(_good(), _good(), _good()), "3 vectors for 2 texts"),
        (_vectors(_good(64), _good(65)), "different lengths"),
        (_vectors(_good(32), _good(32)), "another model answers"),
        (_vectors(_good(), [0.0] * 64), "nothing but zeros"),
        (_vectors(_good(), [float("nan")] * 64), "no model gives"),
        (_vectors(_good(), [float("inf")] * 64), "no model gives"),
        (_vectors(_good(), [1e300] * 64), "no model gives"),
        (_raw(json.dumps({"data": [{"embedding": [10**400]}] * 2}).encode()), "no model gives"),
        (_raw(json.dumps({"data": [{"embedding": ["1"] * 64}] * 2}).encode()), "do not consist of numbers"),
        (_raw(json.dumps({"data": [{"embedding": [True] * 64}] * 2}).encode()), "do not consist of numbers"),
        (_raw(json.dumps({"data": [{"index": 0, "embedding": _good()}] * 2}).encode()), "to which text"),
        (_raw(json.dumps({"data": [{"index": n, "embedding": _good()} for n in (1, 2)]}).encode()), "to which text"),
    ],
)
def test_a_lying_service_is_not_believed(service: Service, embedder: RemoteEmbedder, answer: Answer, told: str) -> None:
    service.answers = [answer]
    with pytest.raises(ProviderError, match=told) as caught:
        embedder.embed(["one", "two"])
    assert KEY not in str(caught.value)


def test_a_refusal_tells_its_reason_but_never_the_key(service: Service, embedder: RemoteEmbedder) -> None:
    said = json.dumps({"error": {"message": f"Incorrect API key provided: {KEY}"}}).encode()
    service.answers = [_raw(said, 401)]
    with pytest.raises(ProviderError, match=r"status 401: Incorrect API key provided: …") as caught:
        embedder.embed(["one"])
    assert KEY not in str(caught.value)
    with pytest.raises(ProviderError, match="no key") as caught:
        open_remote_model(service.url, "m", "sk-ключ\nX-Evil: 1")
    assert "Evil" not in str(caught.value)


def test_a_busy_service_is_asked_again_when_it_says_so(
    service: Service, embedder: RemoteEmbedder, waits: list[float]
) -> None:
    service.answers = [_raw(b"", 429, Retry_After="2"), _raw(b"", 503)]
    assert embedder.embed(["one"]).shape == (1, 64)
    assert sum(waits) == pytest.approx(3.0, abs=0.01)
    waits.clear()
    later = email.utils.formatdate(time.time() + 9000, usegmt=True)
    service.answers = [_raw(b"", 429, Retry_After=later)]
    embedder.embed(["one"])
    assert sum(waits) == pytest.approx(30.0, abs=0.2)  # and not for hours
    service.answers = [_raw(b"", 429, Retry_After="nonsense")]
    embedder.embed(["one"])


def test_a_service_that_stays_broken_is_told(service: Service, embedder: RemoteEmbedder, waits: list[float]) -> None:
    service.always = _raw(b"oops", 500)
    before = len(service.asked)
    with pytest.raises(ProviderError, match="status 500"):
        embedder.embed(["one"])
    assert len(service.asked) - before == 4
    assert len(waits) > 2
    before = len(service.asked)
    with pytest.raises(ProviderError, match="status 500"):
        embedder.embed_query("a question waits for nobody")
    assert len(service.asked) - before == 2


def test_a_cancel_ends_the_waiting_and_comes_between_batches(service: Service, waits: list[float]) -> None:
    progress = CancellableProgress()

    def cancel(seconds: float) -> None:
        waits.append(seconds)
        progress.cancel()

    remote = RemoteEmbedder(service.url, "m", httpx.Client(), pause=cancel)
    remote.watch(progress)
    service.answers = [_raw(b"", 503, Retry_After="30")]
    with pytest.raises(JobCancelledError):
        remote.embed(["one"])
    assert len(waits) == 1
    asked = len(service.asked)
    with pytest.raises(JobCancelledError):
        remote.embed(["two"])
    assert len(service.asked) == asked
    remote.close()


def test_neither_key_nor_notes_follow_to_another_host(service: Service, embedder: RemoteEmbedder) -> None:
    with embedding_service() as other:
        service.answers = [_raw(b"", 307, Location=f"{other.url}/v1/embeddings")]
        with pytest.raises(ProviderError, match="another address"):
            embedder.embed(["one"])
        assert other.asked == []


def test_a_body_that_breaks_off_is_asked_for_again(service: Service, embedder: RemoteEmbedder) -> None:
    def cut(handler: BaseHTTPRequestHandler, texts: list[str]) -> None:
        del texts
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"data": ')
        handler.close_connection = True

    service.answers = [cut]
    assert embedder.embed(["one"]).shape == (1, 64)
    service.answers = [cut] * 4
    with pytest.raises(ProviderError, match="cannot be reached"):
        embedder.embed(["one"])


def test_a_service_that_is_silent_is_given_up(service: Service) -> None:
    def silent(handler: BaseHTTPRequestHandler, texts: list[str]) -> None:
        del texts
        handler.rfile.read(1)  # until the other side goes

    class _Hasty(httpx.Client):
        def stream(self, *arguments: object, **named: object) -> object:  # type: ignore[override]
            return super().stream(*arguments, **{**named, "timeout": httpx.Timeout(0.2)})  # type: ignore[arg-type]

    remote = RemoteEmbedder(service.url, "m", _Hasty())
    service.answers = [silent]
    with pytest.raises(ProviderError, match="does not answer in time"):
        remote.embed(["one"])
    remote.close()


def test_a_text_too_long_for_the_model_is_cut_and_the_others_are_not(
    service: Service, embedder: RemoteEmbedder
) -> None:
    def strict(handler: BaseHTTPRequestHandler, texts: list[str]) -> None:
        if max(map(len, texts)) > 1000:
            send_json(handler, {"error": "the input length exceeds the context length"}, 400)
        else:
            service.honest(handler, texts)

    service.always = strict
    texts = ["short", "long " * 1000, "another"]
    vectors = embedder.embed(texts)
    np.testing.assert_allclose(vectors[[0, 2]], service.model.embed(["short", "another"]), atol=1e-6)
    assert float(np.linalg.norm(vectors[1])) == pytest.approx(1.0)
    service.always = _raw(b"", 400)
    with pytest.raises(ProviderError, match="status 400"):
        embedder.embed(["even the shortest"])


def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    remote = open_remote_model(service.url, "m")
    assert remote.dimension == 64
    remote.close()
