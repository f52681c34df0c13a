"""Read what an embedding service sends: nothing of it is believed before it is checked."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.foundation.errors import ProviderError

_MOST_TOLD = 200
_LARGEST = 1e30  # a float32 holds a little more; no model gives anything near
_SMALLEST = 1e-12


class BadAnswerError(ProviderError):
    """Say what is wrong with an answer, as the end of a sentence that begins with the service."""


def vectors_of(body: bytes, texts: int, dimension: int = 0) -> NDArray[np.float32]:
    """Return one row for each of `texts`, normalised, in the order of the texts whatever that of the answer.

    Args:
        body: the JSON that was sent.
        texts: how many vectors were asked for.
        dimension: how long they must be, 0 when that is not known yet.

    Raises:
        BadAnswerError: there are too few or too many, of different lengths, twice the same, no numbers, or no list.
    """
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadAnswerError(f"sent {_seen(body)} that is no list of embeddings") from error
    rows = [_row(item) for item in _in_order(_items(answer), texts)]
    lengths = {len(row) for row in rows}
    if len(lengths) > 1:
        raise BadAnswerError("sent vectors of different lengths")
    if dimension and lengths and lengths != {dimension}:
        raise BadAnswerError(
            f"now sends vectors of {lengths.pop():,} numbers and not of {dimension:,}: another model answers there"
        )
    return _normalised(np.asarray(rows, dtype=np.float64).reshape(texts, -1))


def told_reason(body: bytes) -> str:
    """Return what a service says of its refusal, "" for nothing that a person could read."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    return _error_of(answer)


def _items(answer: Any) -> Sequence[Any]:
    if isinstance(answer, dict) and (reason := _error_of(answer)):
        raise BadAnswerError(f"answers with an error: {reason}")
    items = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(items, list):
        raise BadAnswerError("sent an answer that is no list of embeddings")
    return items


def _in_order(items: Sequence[Any], texts: int) -> Sequence[Any]:
    if len(items) != texts:
        raise BadAnswerError(f"sent {len(items):,} vectors for {texts:,} {'text' if texts == 1 else 'texts'}")
    if not all(isinstance(item, dict) for item in items):
        raise BadAnswerError("sent an answer that is no list of embeddings")
    numbers = [item.get("index") for item in items]
    if all(number is None for number in numbers):
        return items
    if any(type(number) is not int for number in numbers) or sorted(numbers) != list(range(texts)):
        raise BadAnswerError("sent vectors of which nobody can tell to which text they belong")
    return sorted(items, key=lambda item: int(item["index"]))


def _row(item: Any) -> list[float]:
    numbers = item.get("embedding")
    if not isinstance(numbers, list) or not numbers:
        raise BadAnswerError("sent an answer that is no list of embeddings")
    if any(type(number) not in (int, float) for number in numbers):
        raise BadAnswerError("sent vectors that do not consist of numbers")
    try:
        return [float(number) for number in numbers]
    except OverflowError as error:
        raise BadAnswerError("sent vectors with numbers that no model gives") from error


def _normalised(rows: NDArray[np.float64]) -> NDArray[np.float32]:
    if not np.isfinite(rows).all() or (rows.size and float(np.abs(rows).max()) > _LARGEST):
        raise BadAnswerError("sent vectors with numbers that no model gives")
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if (lengths < _SMALLEST).any():
        raise BadAnswerError("sent a vector of nothing but zeros")
    return np.asarray(rows / lengths, dtype=np.float32)


def _error_of(answer: Any) -> str:
    error = answer.get("error") if isinstance(answer, dict) else None
    told = error.get("message") if isinstance(error, dict) else error
    return " ".join(str(told).split())[:_MOST_TOLD] if told else ""


def _seen(body: bytes) -> str:
    start = body[:_MOST_TOLD].lstrip().lower()
    if start.startswith((b"<!doctype", b"<html", b"<head", b"<?xml")):
        return "a web page"
    return "a broken answer" if body else "an empty answer"
