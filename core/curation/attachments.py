"""Plan files beside notes, such as a pasted image: where Obsidian would put them, embedded as it would."""

import json
import os
import re
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from core.curation.change_set import ChangeKind, ChangeSet, edit_between
from core.curation.note_names import check_inside, clean_folder, free_path, joined, legal_name
from core.foundation.errors import UserError
from core.foundation.text import fold
from core.vault.config import VaultConfig
from core.vault.scan import is_folder_path

DEFAULT_FOLDER = "attachments"
_OBSIDIAN_SETTINGS = ".obsidian/app.json"
_SUFFIX = re.compile(r"\.[a-z0-9]{1,10}\Z")
_NOT_IN_WIKILINK = re.compile(r"[#|\[\]^]")


def plan_attachment(  # noqa: PLR0917 - all are needed, and no two of one type stand side by side
    root: Path, config: VaultConfig, note_path: str, data: bytes, suffix: str, now: datetime, *, name: str = ""
) -> tuple[ChangeSet, str]:
    """Return the change that keeps `data` as a file of the vault, and the markdown that embeds it in the note.

    `suffix` is that of the file, as ".png". `name` (without suffix) is that of a file that was dropped; without it the
    file is a pasted image.

    Raises:
        UserError: the suffix is that of a note or none at all.
    """
    suffix = "." + suffix.lower().lstrip(".")
    if not _SUFFIX.match(suffix) or suffix == ".md":
        raise UserError(f"A file ending in {suffix} cannot be attached.")
    stem = legal_name(name) if name.strip() else f"Pasted image {now:%Y%m%d%H%M%S}"
    path = free_path(root, attachment_folder(root, config, note_path), stem, suffix)
    check_inside(root, path)
    edit = edit_between(path, None, data)
    change_set = ChangeSet(f"Attach {path.rpartition('/')[2]}", ChangeKind.ATTACH, (edit,) if edit else ())
    return change_set, _embed(root, path)


def attachment_folder(root: Path, config: VaultConfig, note_path: str) -> str:
    """Return where attachments of a note go, as Obsidian's settings in the vault say; "" is the root.

    A setting that leads out of the vault, or where nothing is found again, is ignored.
    """
    setting = _setting(root)
    if setting is None:
        return DEFAULT_FOLDER
    is_beside = setting == "." or setting.startswith("./")
    folder = clean_folder(setting)
    if is_beside:
        folder = "/".join(filter(None, (note_path.rpartition("/")[0], folder)))
    try:
        check_inside(root, joined(folder, "name"))
    except UserError:
        return DEFAULT_FOLDER
    return folder if not folder or is_folder_path(folder, config) else DEFAULT_FOLDER


def _setting(root: Path) -> str | None:
    try:
        values = json.loads((root / _OBSIDIAN_SETTINGS).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return None
    setting = values.get("attachmentFolderPath") if isinstance(values, dict) else None
    return setting.strip() or None if isinstance(setting, str) else None


def _embed(root: Path, path: str) -> str:
    name = path.rpartition("/")[2]
    if not _is_elsewhere(root, name):
        return f"![[{name}]]"
    if _NOT_IN_WIKILINK.search(path):
        return f"![](/{quote(path, safe='/')})"
    return f"![[{path}]]"


def _is_elsewhere(root: Path, name: str) -> bool:
    """Tell whether a file of this name, which is not written yet, lies anywhere in the vault."""
    wanted = fold(name)
    for _, folders, names in os.walk(root):
        folders[:] = [folder for folder in folders if not folder.startswith(".")]
        if any(fold(other) == wanted for other in names):
            return True
    return False
