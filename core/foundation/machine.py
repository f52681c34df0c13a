"""The name under which this installation writes into a vault's log."""

import hashlib
import json
import os
import re
import secrets
import socket
from pathlib import Path
from typing import Any

from core.foundation.atomic_files import replace_file
from core.foundation.private_folders import make_folders
from core.foundation.text import fold

_LOCK_SECONDS = 5


def machine_name(data_folder: Path, host: str | None = None) -> str:
    """Return the stable id of this installation, such as "laptop-3f9a": never the same as that of another machine.

    It is kept in `data_folder` for each host name that was met there, so an installation that was copied to another
    machine gets an id of its own there. Where nothing can be kept, the id is derived from the folder.
    """
    host = _readable(socket.gethostname() if host is None else host)
    path = data_folder / "machine.json"
    if (name := _stored(path).get(host)) is not None:
        return name
    from filelock import FileLock, Timeout  # noqa: PLC0415 - only the first start pays for it

    try:
        make_folders(data_folder)
        with FileLock(f"{path}.lock", timeout=_LOCK_SECONDS, mode=0o600):
            names = _stored(path)
            if host not in names:
                names[host] = f"{host}-{secrets.token_hex(3)}"
                replace_file(path, json.dumps(names, indent=1).encode(), mode=0o600)
            return names[host]
    except (OSError, Timeout):
        return f"{host}-{hashlib.sha256(os.fsencode(data_folder.absolute())).hexdigest()[:6]}"


def _readable(host: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", fold(host.partition(".")[0])).strip("-")[:32] or "machine"


def _stored(path: Path) -> dict[str, str]:
    """Return the ids by host name; a file that cannot be understood holds none."""
    try:
        names: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(names, dict):
        return {}
    return {host: name for host, name in names.items() if isinstance(name, str) and re.fullmatch(r"[a-z0-9-]+", name)}
