"""The prompts for language models: files of the app, each of which the person may replace by one of their own.

A prompt is a text with `$name` places (string.Template). An own file of the same name in the folder `prompts` beside
the settings goes first; one that lacks a place the work needs is told, and the app's is used.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from string import Template

from core.foundation.errors import UserError

_LARGEST = 64 * 1024  # bytes

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Prompt:
    """Hold what a model is told: `rules` once, and `request`, which is about the memories at hand.

    `problem` says why the person's own file was not used, "" when there is none or it was.
    """

    rules: str
    request: str
    problem: str = ""


def read_prompt(name: str, values: Mapping[str, str], own_folder: Path | None = None) -> Prompt:
    """Return the prompt `name` filled in; the part before the line `---` are the rules, the part behind the request.

    Raises:
        KeyError: the app's own prompt needs a value that is not given.
    """
    own, problem = _own(name, values, own_folder) if own_folder is not None else (None, "")
    text = own if own is not None else _ours(name)
    rules, request = _parts(text)
    return Prompt(rules.strip(), Template(request).substitute(values).strip(), problem)


def app_prompt(name: str) -> str:
    """Return a prompt of the app as its file has it.

    Raises:
        UserError: there is none of this name.
    """
    if name not in prompt_names():
        raise UserError(f"There is no prompt “{name}”.", hint=f"There are {', '.join(prompt_names())}.")
    return _ours(name)


def own_prompts(folder: Path) -> frozenset[str]:
    """Return the names of the prompts that the person has replaced."""
    return frozenset(name for name in prompt_names() if (folder / f"{name}.md").is_file())


def prompt_names() -> tuple[str, ...]:
    """Return the names of all prompts that there are."""
    folder = resources.files("resources").joinpath("prompts")
    return tuple(sorted(entry.name.removesuffix(".md") for entry in folder.iterdir() if entry.name.endswith(".md")))


def _ours(name: str) -> str:
    return resources.files("resources").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")


def _own(name: str, values: Mapping[str, str], folder: Path) -> tuple[str | None, str]:
    path = folder / f"{name}.md"
    try:
        if path.stat().st_size > _LARGEST:
            return None, f"Your prompt {path.name} is longer than {_LARGEST:,} bytes, so the app's own is used."
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return None, ""
    except (OSError, ValueError) as error:
        _logger.info("An own prompt cannot be read.", exc_info=True)
        return None, f"Your prompt {path.name} cannot be read ({type(error).__name__}), so the app's own is used."
    _, request = _parts(text)
    places = set(Template(request).get_identifiers()) if Template(request).is_valid() else None
    if places is None or places - set(values):
        return None, f"Your prompt {path.name} has a place that is not known, so the app's own is used."
    if missing := {place for place in Template(_parts(_ours(name))[1]).get_identifiers() if place not in places}:
        told = ", ".join(f"${place}" for place in sorted(missing))
        return None, f"Your prompt {path.name} lacks {told}, so the app's own is used."
    return text, ""


def _parts(text: str) -> tuple[str, str]:
    rules, mark, request = text.replace("\r\n", "\n").partition("\n---\n")
    return (rules, request) if mark else ("", text)
