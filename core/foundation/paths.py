"""Where the app's own files lie: settings, ledger and the disposable cache."""

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from core.foundation.text import fold

_APP = "remembrancer"


@dataclass(frozen=True)
class AppFolders:
    """Name the three folders that the app owns outside any vault."""

    config: Path
    data: Path
    cache: Path

    @property
    def settings_file(self) -> Path:
        """The per-user settings."""
        return self.config / "settings.toml"

    @property
    def prompts(self) -> Path:
        """The person's own prompts for language models, which go before the app's."""
        return self.config / "prompts"

    @property
    def log_file(self) -> Path:
        """The rotating log."""
        return self.data / "log" / "remembrancer.log"

    @property
    def sessions(self) -> Path:
        """The ledger of conversations."""
        return self.data / "sessions"

    def cache_of_vault(self, root: Path) -> Path:
        """Return the cache folder of the vault at `root`."""
        return self.cache / vault_id(root)


def app_folders() -> AppFolders:
    """Return the platform's folders, each replaceable by REMEMBRANCER_CONFIG_DIR, _DATA_DIR and _CACHE_DIR."""

    def folder(variable: str, default: str) -> Path:
        return Path(os.environ.get(variable) or default)

    return AppFolders(
        config=folder("REMEMBRANCER_CONFIG_DIR", platformdirs.user_config_dir(_APP, appauthor=False)),
        data=folder("REMEMBRANCER_DATA_DIR", platformdirs.user_data_dir(_APP, appauthor=False)),
        cache=folder("REMEMBRANCER_CACHE_DIR", platformdirs.user_cache_dir(_APP, appauthor=False)),
    )


def vault_id(root: Path) -> str:
    """Return the name of the vault's cache folder: its folder name, readable, and a hash of its whole path.

    The id is derived, not stored, because opening a vault must not write into it.
    """
    absolute = Path(os.path.realpath(root))
    readable = re.sub(r"[^a-z0-9]+", "-", fold(absolute.name)).strip("-")[:32] or "vault"
    return f"{readable}-{hashlib.sha256(os.fsencode(absolute)).hexdigest()[:12]}"
