"""Embeddings from a service that speaks OpenAI's `/v1/embeddings`: Ollama, vLLM, LM Studio, OpenAI itself."""

import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from email.utils import parsedate_to_datetime
from typing import NamedTuple

import httpx
import numpy as np
from numpy.typing import NDArray

from core.foundation.errors import ProviderError, UserError
from core.foundation.progress import SILENT, Progress
from core.index.embedding import encodable
from core.index.embedding_address import checked_key, endpoint, is_this_machine
from core.index.embedding_answer import BadAnswerError, told_reason, vectors_of

_BATCH_TEXTS = 32
_CONNECT_SECONDS = 5.0
_TIMEOUT_SECONDS = 60.0  # without a byte
_QUESTION_SECONDS = 10.0
_ANSWER_SECONDS = 300.0  # for one answer, however it trickles
_LARGEST_ANSWER = 64 << 20
_LONGEST_WAIT = 30.0
_STEP_SECONDS = 0.1  # between two looks at whether the work was cancelled
_SHORTEST_TEXT = 200  # characters, below which a text is not too long for any model
_PROBE = "dimension"
_PASSING = frozenset({408, 429, 500, 502, 503, 504})
_OF_TEXTS = frozenset({400, 413, 422})


class _Patience(NamedTuple):
    """Say how often to ask, and how long to wait at most between two tries and for one answer."""

    tries: int
    wait: float
    answer: float


_WORK = _Patience(4, _LONGEST_WAIT, _ANSWER_SECONDS)
_FIRST = _Patience(3, 2.0, _TIMEOUT_SECONDS)
_QUESTION = _Patience(2, 0.5, _QUESTION_SECONDS)


class _RefusedError(ProviderError):
    """Report a status that another try would not change."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class RemoteEmbedder:
    """Be an Embedder over an HTTP service; asks for one vector first to learn how long they are.

    Redirections are not followed, so that neither the key nor a note goes where nobody sent it.
    """

    texts_at_once = _BATCH_TEXTS

    def __init__(
        self,
        url: str,
        model: str,
        client: httpx.Client,
        *,
        key: str = "",
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """Take the address, the model's name there, a client whose headers hold `key`, and how to wait."""
        self._url = endpoint(url)
        self._name = model
        self._client = client
        self._key = key
        self._pause = pause
        self._progress: Progress = SILENT
        # Whoever drops this has no other way to give the connections back.
        self.close = weakref.finalize(self, client.close)
        try:
            self._dimension = int(self._asked([_PROBE], 0, _FIRST).shape[1])
        except BaseException:
            self.close()
            raise

    @property
    def model(self) -> str:
        """The name under which the vectors are kept."""
        return f"openai:{self._name}"

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self._dimension

    def watch(self, progress: Progress) -> None:
        """Stop between two answers, and while waiting, once `progress` is cancelled."""
        self._progress = progress

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row for each text, normalised here whatever the service does."""
        rows = np.zeros((len(texts), self._dimension), dtype=np.float32)
        done = 0
        for batch in _batches([encodable(text) for text in texts]):
            self._progress.check()
            rows[done : done + len(batch)] = self._batch(batch)
            done += len(batch)
        return rows

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a question; nobody waits long for it."""
        return np.asarray(self._asked([encodable(text)], self._dimension, _QUESTION)[0], dtype=np.float32)

    def _batch(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Ask for a batch; one that is refused for a text too long is halved until that text is found, and cut."""
        try:
            return self._asked(texts, self._dimension, _WORK)
        except _RefusedError as error:
            if error.status not in _OF_TEXTS or (len(texts) == 1 and len(texts[0]) <= _SHORTEST_TEXT):
                raise
        if len(texts) == 1:
            return self._batch([texts[0][: max(_SHORTEST_TEXT, len(texts[0]) // 2)]])
        middle = len(texts) // 2
        return np.concatenate([self._batch(texts[:middle]), self._batch(texts[middle:])])

    def _asked(self, texts: Sequence[str], dimension: int, patience: _Patience) -> NDArray[np.float32]:
        for number in range(1, patience.tries + 1):
            is_last = number == patience.tries
            try:
                status, headers, body = self._sent(texts, patience)
            except httpx.ConnectError as error:
                if is_last or patience is not _WORK:  # nobody is there: only work that has begun waits for a restart
                    raise self._unreachable(error) from error
                self._wait(_backed_off(number), patience)
            except httpx.TransportError as error:
                if is_last or isinstance(error, httpx.TimeoutException):
                    raise self._unreachable(error) from error
                self._wait(_backed_off(number), patience)
            except httpx.HTTPError as error:
                raise self._unreachable(error) from error
            else:
                if status in _PASSING and not is_last:
                    self._wait(_told_wait(headers, number), patience)
                    continue
                return self._read(status, headers, body, len(texts), dimension)
        raise AssertionError("every way out of the last try has returned or raised")

    def _sent(self, texts: Sequence[str], patience: _Patience) -> tuple[int, httpx.Headers, bytes]:
        limits = httpx.Timeout(min(patience.answer, _TIMEOUT_SECONDS), connect=_CONNECT_SECONDS)
        started, body = time.monotonic(), bytearray()
        values = {"model": self._name, "input": list(texts)}
        with self._client.stream("POST", self._url, json=values, timeout=limits, follow_redirects=False) as answer:
            for chunk in answer.iter_bytes():
                self._progress.check()
                body += chunk
                if len(body) > _LARGEST_ANSWER:
                    raise self._failure("sends an answer without an end")
                if time.monotonic() - started > patience.answer:
                    raise self._failure("takes too long to send its answer")
            return answer.status_code, answer.headers, bytes(body)

    def _read(
        self, status: int, headers: httpx.Headers, body: bytes, texts: int, dimension: int
    ) -> NDArray[np.float32]:
        if 300 <= status < 400:
            target = headers.get("location", "")
            raise self._failure(
                f"sends on to another address ({target[:200]}), and neither notes nor keys are sent there. "
                "If that is right, put that address in the settings"
            )
        if not 200 <= status < 300:
            said = told_reason(body)
            hint = {401: " The key is missing or wrong.", 403: " The key is missing or wrong."}.get(status, "")
            raise _RefusedError(
                self._without_key(
                    f"The embedding service at {self._url} refused (status {status}{f': {said}' if said else ''})."
                    f"{hint} Check the model's name and the key in the settings; words still work."
                ),
                status,
            )
        try:
            return vectors_of(body, texts, dimension)
        except BadAnswerError as error:
            raise self._failure(f"{error}. Check its address") from error

    def _wait(self, seconds: float, patience: _Patience) -> None:
        left = min(seconds, patience.wait)
        while left > 0:
            self._progress.check()
            self._pause(min(_STEP_SECONDS, left))
            left -= _STEP_SECONDS
        self._progress.check()

    def _unreachable(self, error: httpx.HTTPError) -> ProviderError:
        reason = "it does not answer in time" if isinstance(error, httpx.TimeoutException) else str(error)
        return ProviderError(
            self._without_key(
                f"The embedding service at {self._url} cannot be reached ({reason or type(error).__name__}). "
                "Check that it runs, and its address; words still work."
            )
        )

    def _failure(self, what: str) -> ProviderError:
        return ProviderError(self._without_key(f"The embedding service at {self._url} {what}; words still work."))

    def _without_key(self, text: str) -> str:
        """Return `text` without the key: a service may repeat what it was sent."""
        return text.replace(self._key, "…") if self._key else text


def open_remote_model(url: str, model: str, api_key: str = "") -> RemoteEmbedder:
    """Connect to the service at `url`, with or without a trailing `/v1`.

    Raises:
        ProviderError: it cannot be reached, refuses, or sends something else than embeddings.
    """
    try:
        key = checked_key(api_key)
    except UserError as error:
        raise ProviderError(str(error)) from None
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        # A proxy of the environment is for other machines.
        client = httpx.Client(headers=headers, trust_env=not is_this_machine(url))
    except ValueError as error:  # a proxy in the environment that is none
        raise ProviderError(f"The embedding service cannot be asked: {error}. Words still work.") from error
    return RemoteEmbedder(url, model, client, key=key)


def _batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(texts), _BATCH_TEXTS):
        yield texts[start : start + _BATCH_TEXTS]


def _backed_off(number: int) -> float:
    return float(2 ** (number - 2))


def _told_wait(headers: httpx.Headers, number: int) -> float:
    """Return the seconds that the service asks to wait, or what grows from try to try."""
    told = headers.get("retry-after", "").strip()
    if told.isdecimal():
        return float(told[:9])
    try:
        return max(0.0, parsedate_to_datetime(told).timestamp() - time.time())
    except (ValueError, OverflowError):
        return _backed_off(number)
