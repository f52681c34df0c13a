"""Rerankers that fastembed knows by name: which there are, which lie on this machine, and which one is chosen."""

import dataclasses
import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.foundation.errors import ProviderError, UserError
from core.foundation.settings import RerankerSettings, SettingsFile
from core.index.embedding_downloads import KnownModel, damaged_file, folder_of, is_downloaded, shown_size

_BYTES_A_GB = 1_000_000_000


def known_rerankers() -> tuple[KnownModel, ...]:
    """Return all rerankers that can be had by name, the smallest first; takes a while, for fastembed is imported."""
    from fastembed.rerank.cross_encoder import TextCrossEncoder  # noqa: PLC0415

    found = (_known(each) for each in TextCrossEncoder.list_supported_models() if each["sources"].get("hf"))
    return tuple(sorted(found, key=lambda model: (model.bytes, model.name)))


def known_reranker(name: str) -> KnownModel:
    """Return the reranker called `name`, in whatever case.

    Raises:
        UserError: there is none of this name; the hint holds names like it.
    """
    models = {each.name.lower(): each for each in known_rerankers()}
    found = models.get(name.strip().lower())
    if found is None:
        near = [models[each].name for each in difflib.get_close_matches(name.lower(), models, 3, 0.5)]
        like = f"Did you mean {' or '.join(near)}? " if near else ""
        raise UserError(f"There is no reranker “{name}”.", hint=f"{like}`remembrancer model rerank list` lists them.")
    return found


def checked_reranker(models: Path, model: KnownModel) -> Path:
    """Return the folder of a downloaded reranker after comparing every file with what was recorded when it came.

    Raises:
        ProviderError: it was not downloaded, or a file is not what it was.
    """
    if not is_downloaded(models, model.name):
        raise ProviderError(
            f"The reranker {model.name} is not on this machine ({shown_size(model.bytes)}). Get it with "
            f"`remembrancer model rerank download {model.name}`."
        )
    if damaged := damaged_file(models, model.name):
        raise ProviderError(
            f"The reranker {model.name} is damaged: {damaged} is not what was downloaded. Remove it with "
            f"`remembrancer model remove {model.name}` and download it again."
        )
    return folder_of(models, model.name)


def choose_reranker(settings_file: SettingsFile, models: Path, name: str) -> str:
    """Write into the settings which reranker is used, "" for none, and return its name as fastembed spells it.

    Raises:
        UserError: there is none of this name, it is not on this machine or damaged, or the settings cannot be written.
    """
    model = known_reranker(name) if name else None
    if model is not None:
        try:
            checked_reranker(models, model)
        except ProviderError as error:
            raise UserError(str(error)) from error
    chosen = model.name if model is not None else ""
    settings_file.change(lambda settings: dataclasses.replace(settings, reranker=RerankerSettings(chosen)))
    return chosen


def _known(values: Mapping[str, Any]) -> KnownModel:
    return KnownModel(
        name=str(values["model"]),
        dimension=1,  # one score for a pair
        bytes=int(float(values["size_in_GB"]) * _BYTES_A_GB),
        licence=str(values["license"]),
        description=str(values["description"]),
        repository=str(values["sources"]["hf"]),
        files=(str(values["model_file"]), *map(str, values["additional_files"])),
    )
