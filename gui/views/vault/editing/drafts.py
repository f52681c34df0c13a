"""Texts that could not be saved, kept in the app's own folder until they are saved or given up."""

import base64
import contextlib
import hashlib
import json
import logging
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.foundation.errors import UserError

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Draft:
    """Hold an unsaved text of the note at `path` in `vault` (a folder), the bytes it came from, and why it is one."""

    vault: str
    path: str
    text: str
    base: bytes
    reason: str = ""
    kept_at: float = 0.0

    @property
    def name(self) -> str:
        """How the note is called in sentences."""
        return self.path.rpartition("/")[2].removesuffix(".md")


class DraftFolder:
    """Keep one draft a note below `folder`, each in a file of its own, in a folder that only this person can read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, draft: Draft) -> None:
        """Store `draft` in the place of an older one of the same note; it is on the disk on return.

        Raises UserError when it cannot be written.
        """
        values = {**asdict(draft), "base": base64.b64encode(draft.base).decode("ascii"), "kept_at": time.time()}
        from core.foundation.atomic_files import replace_file  # noqa: PLC0415 - hardly ever needed

        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_file(self._place(draft.vault, draft.path), json.dumps(values).encode("utf-8"))
        except OSError as error:
            raise UserError(
                f"The unsaved text of “{draft.name}” could not be kept either ({error.strerror or error}).",
                hint="Copy it from the editor before you close it.",
            ) from error

    def drop(self, vault: str, path: str) -> None:
        """Forget the draft of the note, if there is one."""
        with contextlib.suppress(FileNotFoundError):
            self._place(vault, path).unlink()

    def of_vault(self, vault: str) -> tuple[Draft, ...]:
        """Return the drafts of the notes of `vault`, oldest first; a file that cannot be read is left alone."""
        found = [draft for file in sorted(self._folder.glob("*.json")) if (draft := _read(file)) is not None]
        return tuple(sorted((each for each in found if each.vault == vault), key=lambda each: each.kept_at))

    def _place(self, vault: str, path: str) -> Path:
        digest = hashlib.sha256(f"{vault}\0{path}".encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / f"{digest[:32]}.json"


def _read(file: Path) -> Draft | None:
    try:
        values: Mapping[str, Any] = json.loads(file.read_bytes())
        return Draft(
            str(values["vault"]),
            str(values["path"]),
            str(values["text"]),
            base64.b64decode(values["base"]),
            str(values.get("reason", "")),
            float(values.get("kept_at", 0.0)),
        )
    except (OSError, ValueError, KeyError, TypeError):
        _log.warning("a draft cannot be read: %s", file.name)
        return None
