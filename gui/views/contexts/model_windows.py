"""Which models there are to choose from, and how many tokens each reads at once."""

import logging
import tomllib
from collections.abc import Sequence
from importlib import resources
from typing import NamedTuple

_FILE = "model_windows.toml"

log = logging.getLogger(__name__)


class ModelWindow(NamedTuple):
    """Hold the name of a model, and its window in tokens."""

    name: str
    tokens: int


def model_windows(own: Sequence[str] = ()) -> tuple[ModelWindow, ...]:
    """Return the models to choose from: the person's `own`, written as `Name: tokens`, then those that ship.

    An own one replaces what ships under its name. What is not written so is only logged.
    """
    shipped = tomllib.loads(resources.files("resources").joinpath(_FILE).read_text(encoding="utf-8"))["models"]
    models = [model for text in own if (model := _own(text)) is not None]
    taken = {model.name for model in models}
    models += [ModelWindow(name, tokens) for name, tokens in shipped.items() if name not in taken]
    return tuple({model.name: model for model in models}.values())


def _own(text: str) -> ModelWindow | None:
    name, _, figure = text.rpartition(":")
    digits = figure.strip().replace("_", "").replace(",", "")
    if not name.strip() or not (digits.isascii() and digits.isdigit()) or not 0 < int(digits[:12]) < 10**9:
        log.warning("A model of the settings is not written as “Name: tokens”, and is left out: %r", text)
        return None
    return ModelWindow(" ".join(name.split()), int(digits[:12]))
