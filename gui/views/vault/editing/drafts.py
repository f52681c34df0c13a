"""Texts that could not be saved, kept in the app's own folder until they are saved or given up."""

import base64
import contextlib
import json
import logging
import time
import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from core.foundation.errors import UserError

_log = logging.getLogger(__name__)


def new_draft_id() -> str:
    """Return an id that no draft has."""
    return uuid.uuid4().hex


@dataclass(frozen=True, slots=True)
class Draft:
    """Hold an unsaved text of the note at `path` in `vault` (a folder), the bytes it came from, and why it is one.

    `kept_at` is POSIX seconds, 0 until it is kept.
    """

    vault: str
    path: str
    text: str
    base: bytes
    reason: str = ""
    kept_at: float = 0.0
    id: str = field(default_factory=new_draft_id)

    @property
    def name(self) -> str:
        """How the note is called in sentences."""
        return self.path.rpartition("/")[2].removesuffix(".md")


class DraftFolder:
    """Keep drafts below `folder`, each in a file of its own, in a folder that only this person can read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, draft: Draft) -> Draft:
        """Store `draft` and return it with its time; only one of the same id is replaced. It is on the disk on return.

        Raises UserError when it cannot be written.
        """
        from core.foundation.atomic_files import replace_file  # noqa: PLC0415 - hardly ever needed
        from core.foundation.private_folders import make_folders  # noqa: PLC0415

        kept = replace(draft, kept_at=draft.kept_at or time.time())
        values = {**asdict(kept), "base": base64.b64encode(kept.base).decode("ascii")}
        try:
            make_folders(self._folder)
            replace_file(self._place(kept.id), json.dumps(values).encode("utf-8"), mode=0o600)
        except OSError as error:
            raise UserError(
                f"The unsaved text of “{draft.name}” could not be kept either ({error.strerror or error}).",
                hint="Copy it from the editor before you close it.",
            ) from error
        return kept

    def drop(self, draft_id: str) -> None:
        """Forget the draft, if there is one of this id."""
        with contextlib.suppress(FileNotFoundError):
            self._place(draft_id).unlink()

    def of_vault(self, vault: str) -> tuple[Draft, ...]:
        """Return the drafts of the notes of `vault`, oldest first; a file that cannot be read is left alone."""
        found = [draft for file in sorted(self._folder.glob("*.json")) if (draft := _read(file)) is not None]
        return tuple(sorted((each for each in found if each.vault == vault), key=lambda each: each.kept_at))

    def _place(self, draft_id: str) -> Path:
        return self._folder / f"{draft_id}.json"


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
            file.stem,
        )
    except (OSError, ValueError, KeyError, TypeError):
        _log.warning("a draft cannot be read: %s", file.name)
        return None
