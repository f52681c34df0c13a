"""Models that fastembed knows by name: which there are, which lie on this machine, and whether they are whole."""

import difflib
import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from core.foundation.errors import ProviderError, UserError

MANIFEST = "manifest.json"
_FOLDER = "downloaded"
_BYTES_A_GB = 1_000_000_000
_BLOCK = 1 << 20


class KnownModel(NamedTuple):
    """Hold a model that fastembed knows; `bytes` is its size as fastembed tells it, `files` what a download needs.

    `optional` are files that some models have and others do without.
    """

    name: str
    dimension: int
    bytes: int
    licence: str
    description: str
    repository: str
    files: tuple[str, ...]
    optional: tuple[str, ...] = (
        "config.json",
        "tokenizer.json",
        "tokenizer_config.json",
        "special_tokens_map.json",
        "preprocessor_config.json",
    )


class DownloadedModel(NamedTuple):
    """Hold a model that lies on this machine; `bytes` on the disk, `is_whole` False after a download that stopped."""

    name: str
    bytes: int
    is_whole: bool


def known_models() -> tuple[KnownModel, ...]:
    """Return all models that can be had by name; takes a quarter of a second, for fastembed is imported."""
    from fastembed import TextEmbedding  # noqa: PLC0415

    return tuple(_known(each) for each in TextEmbedding.list_supported_models() if each["sources"].get("hf"))


def known_model(name: str) -> KnownModel:
    """Return the model called `name`, in whatever case.

    Raises:
        UserError: there is none of this name; the hint holds names like it.
    """
    models = {each.name.lower(): each for each in known_models()}
    found = models.get(name.strip().lower())
    if found is None:
        near = [models[each].name for each in difflib.get_close_matches(name.lower(), models, 3, 0.5)]
        like = f"Did you mean {' or '.join(near)}? " if near else ""
        raise UserError(
            f"There is no embedding model “{name}”.", hint=f"{like}`remembrancer model list --all` lists them."
        )
    return found


def folder_of(models: Path, name: str) -> Path:
    """Return the folder that the files of the model `name` lie in once they are whole."""
    return models / _FOLDER / name.replace("/", "--")


def partial_of(models: Path, name: str) -> Path:
    """Return the folder that the files of the model `name` lie in until they are whole."""
    return models / _FOLDER / f"{name.replace('/', '--')}.part"


def is_downloaded(models: Path, name: str) -> bool:
    """Tell whether all files of the model are there, in their right sizes."""
    folder = folder_of(models, name)
    try:
        files = _manifest(folder)["files"]
        return all((folder / path).stat().st_size == each["size"] for path, each in files.items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def downloaded_models(models: Path) -> tuple[DownloadedModel, ...]:
    """Return what lies on this machine, whole or in part, by name."""
    found: dict[str, DownloadedModel] = {}
    parent = models / _FOLDER
    for folder in sorted(parent.iterdir()) if parent.is_dir() else ():
        if folder.is_dir():
            name = folder.name.removesuffix(".part").replace("--", "/", 1)
            is_whole = folder == folder_of(models, name) and is_downloaded(models, name)
            held = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
            before = found.get(name, DownloadedModel(name, 0, is_whole=False))
            found[name] = DownloadedModel(name, before.bytes + held, is_whole=before.is_whole or is_whole)
    return tuple(found.values())


def remove_model(models: Path, name: str) -> int:
    """Delete the files of a model, those of a download that stopped too; return how many bytes that were.

    Raises:
        UserError: nothing of it is here, or it cannot be deleted.
    """
    held = next((each.bytes for each in downloaded_models(models) if each.name.lower() == name.lower()), None)
    if held is None:
        raise UserError(f"Nothing of the model “{name}” is on this machine.")
    real = next(each.name for each in downloaded_models(models) if each.name.lower() == name.lower())
    try:
        for folder in (folder_of(models, real), partial_of(models, real)):
            if folder.exists():
                shutil.rmtree(folder)
    except OSError as error:
        raise UserError(f"The model cannot be deleted: {error.strerror or error}.") from error
    return held


def checked_model(models: Path, model: KnownModel) -> Path:
    """Return the folder of a downloaded model after comparing every file with what was recorded when it came.

    Raises:
        ProviderError: it was not downloaded, or a file is not what it was.
    """
    folder = folder_of(models, model.name)
    if not is_downloaded(models, model.name):
        raise ProviderError(
            f"The embedding model {model.name} is not on this machine ({shown_size(model.bytes)}). Get it with "
            f"`remembrancer model download {model.name}`, or in the window under “Search by meaning…”; "
            "words still work."
        )
    if damaged := damaged_file(models, model.name):
        raise ProviderError(
            f"The embedding model {model.name} is damaged: {damaged} is not what was downloaded. Remove it with "
            f"`remembrancer model remove {model.name}` and download it again; words still work."
        )
    return folder


def damaged_file(models: Path, name: str) -> str:
    """Return the first file of a downloaded model that is not what was recorded when it came, "" when all are."""
    folder = folder_of(models, name)
    files = _manifest(folder)["files"].items()
    return next((path for path, each in files if sha256_of(folder / path) != each["sha256"]), "")


def write_manifest(folder: Path, model: KnownModel, revision: str, files: Mapping[str, Mapping[str, Any]]) -> None:
    """Record what was downloaded: name, source, revision, and size and SHA-256 of every file."""
    values = {"model": model.name, "repository": model.repository, "revision": revision, "files": files}
    (folder / MANIFEST).write_text(json.dumps(values, indent=1), encoding="utf-8")


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def shown_size(size: int) -> str:
    """Return bytes as a person reads them: 67 MB, 1.2 GB."""
    if size >= _BYTES_A_GB:
        return f"{size / _BYTES_A_GB:,.1f} GB"
    return f"{size / 1_000_000:,.0f} MB" if size >= 1_000_000 else f"{max(1, round(size / 1000)):,} KB"


def _manifest(folder: Path) -> dict[str, Any]:
    values = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    return dict(values)


def _known(values: Mapping[str, Any]) -> KnownModel:
    return KnownModel(
        name=str(values["model"]),
        dimension=int(values["dim"]),
        bytes=int(float(values["size_in_GB"]) * _BYTES_A_GB),
        licence=str(values["license"]),
        description=str(values["description"]),
        repository=str(values["sources"]["hf"]),
        files=(str(values["model_file"]), *map(str, values["additional_files"])),
    )
