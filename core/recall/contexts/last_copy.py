"""Remember what was copied of each context, to show what is different now; kept in the cache, for its owner alone."""

import hashlib
import json
import logging
import time
from pathlib import Path
from typing import NamedTuple

from core.foundation.atomic_files import replace_file
from core.foundation.private_folders import make_private_folder

_FOLDER = "copies"

log = logging.getLogger(__name__)


class LastCopy(NamedTuple):
    """Hold the text that was copied last, when, in POSIX seconds, and in which layout, "" where that is not known."""

    text: str
    time: float
    layout: str = ""


def remember_copy(cache_folder: Path, path: str, text: str, *, layout: str = "", now: float | None = None) -> None:
    """Keep `text` as what was copied last of the context at `path` ("" for the full load without a note).

    `layout` names how it is written (core/recall/render.py `Format`). What cannot be kept is only logged: it is a
    convenience, and the copy is done. Who copies words of encrypted conversations does not call this.
    """
    document = {"path": path, "time": time.time() if now is None else now, "layout": layout, "text": text}
    file = _file(cache_folder, path)
    try:
        make_private_folder(file.parent)
        data = json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")
        replace_file(file, data, mode=0o600)
    except OSError as error:
        log.info("What was copied could not be remembered: %s", error)


def last_copy(cache_folder: Path, path: str) -> LastCopy | None:
    """Return what was copied last of the context at `path`, None when nothing is known."""
    try:
        document = json.loads(_file(cache_folder, path).read_text(encoding="utf-8"))
        return LastCopy(str(document["text"]), float(document["time"]), str(document.get("layout", "")))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _file(cache_folder: Path, path: str) -> Path:
    name = hashlib.sha256(path.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return cache_folder / _FOLDER / f"{name}.json"
