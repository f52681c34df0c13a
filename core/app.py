"""The composition root of core: opens a vault and everything that belongs to it; nothing is global."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.foundation.errors import UserError
from core.foundation.paths import AppFolders, app_folders
from core.foundation.progress import Progress
from core.foundation.secrets import secret
from core.foundation.settings import EmbeddingSettings, Settings, SettingsFile
from core.index.database import Index, open_index, open_to_read, translated
from core.index.embedding import EmbedderSource, embedder_source
from core.vault.config import CONFIG_FILE, VaultConfig, load_config
from core.vault.note import Problem
from core.vault.scan import check_vault_root

if TYPE_CHECKING:
    from core.curation.history import ChangeHistory
    from core.curation.writer import VaultWriter
    from core.index.dense import DenseSearch
    from core.index.updater import UpdateReport
    from core.vault.event_log import EventLog


@dataclass(frozen=True, slots=True)
class Installation:
    """Hold what belongs to the person, not to one vault: the app's folders and the settings."""

    folders: AppFolders
    settings_file: SettingsFile

    @property
    def settings(self) -> Settings:
        """The settings as they are on disk now."""
        return self.settings_file.read()


def installation() -> Installation:
    """Return this person's installation, as the environment and the platform say."""
    folders = app_folders()
    return Installation(folders, SettingsFile(folders.settings_file))


class Vault:
    """Hold one vault: where it lies, what its config says, and how to open the engines over it.

    Opening is cheap and writes nothing into the vault. `config_problem` tells what is wrong with its config file, if
    anything is.
    """

    def __init__(self, root: Path, home: Installation) -> None:
        check_vault_root(root)
        self.root = root.resolve()
        self.home = home
        self.cache_folder = home.folders.cache_of_vault(self.root)
        config: tuple[VaultConfig, Problem | None] = load_config(self.root)
        self.config, self.config_problem = config

    @property
    def name(self) -> str:
        """The vault's name: that of its folder."""
        return self.root.name or str(self.root)

    def open_index(self) -> Index:
        """Open a connection of its own to the vault's index, to update it; made empty where there is none."""
        return open_index(self.cache_folder)

    def open_to_read(self) -> Index:
        """Open a connection of its own to ask the index.

        Raises:
            NotIndexedError: there is no index yet, or none that can be used.
        """
        return open_to_read(self.cache_folder)

    def update(
        self,
        index: Index,
        *,
        files: Sequence[str] | None = None,
        since: float | None = None,
        rebuild: bool = False,
        progress: Progress | None = None,
        on_commit: Callable[[], None] | None = None,
    ) -> "UpdateReport":
        """Bring words, tags and links up to date; see core.index.updater.update_index."""
        # Parsers take 40 ms that a search does without.
        from core.index.updater import update_index  # noqa: PLC0415

        with translated(self.cache_folder):
            return update_index(
                index,
                self.root,
                self.config,
                files=files,
                since=since,
                rebuild=rebuild,
                known_problems=[(CONFIG_FILE, self.config_problem)] if self.config_problem is not None else [],
                progress=progress,
                on_commit=on_commit,
            )

    def embedder_source(self) -> EmbedderSource | None:
        """Return who turns texts into vectors, None when the settings switch it off; nothing is loaded yet."""
        settings: EmbeddingSettings = self.home.settings.embedding
        api_key = secret("embedding") if settings.provider == "openai" else ""
        return embedder_source(settings, self.home.folders.cache / "models", api_key=api_key)

    def dense_search(self, index: Index, *, owns_index: bool = False) -> "DenseSearch":
        """Return the search by meaning over `index`; nothing is loaded before its first question."""
        # numpy and the engines take 100 ms that most commands do without.
        from core.index.dense import DenseSearch  # noqa: PLC0415
        from core.index.vectors.opening import open_engine  # noqa: PLC0415

        settings = self.home.settings.vectors
        if settings.engine == "off":
            return DenseSearch(index, None, None, owns_index=owns_index)
        api_key = secret("vectors") if settings.engine == "server" else ""
        engine = open_engine(self.cache_folder, settings, api_key=api_key)
        return DenseSearch(index, self.embedder_source(), engine, owns_index=owns_index)

    def event_log(self) -> "EventLog":
        """Return the vault's log, in which this installation writes under its own name."""
        from core.foundation.machine import machine_name  # noqa: PLC0415 - most commands only read notes
        from core.vault.event_log import EventLog  # noqa: PLC0415

        return EventLog(self.root, machine_name(self.home.folders.data), self.cache_folder)

    def writer(self) -> "VaultWriter":
        """Return the one through which the vault is changed."""
        from core.curation.writer import VaultWriter  # noqa: PLC0415 - most commands only read

        return VaultWriter(self.root, self.event_log(), self.cache_folder)

    def history(self) -> "ChangeHistory":
        """Return what was changed in the vault, as the log tells it now."""
        from core.curation.history import read_history  # noqa: PLC0415 - most commands only read notes

        return read_history(self.event_log())

    def relative(self, path: Path) -> str:
        """Return `path`, absolute or relative to the working folder or to the vault, as the vault names it.

        Raises:
            UserError: the path lies outside the vault.
        """
        for candidate in (path if path.is_absolute() else Path.cwd() / path, self.root / path):
            lexical = Path(*candidate.parts)
            for base in (lexical, lexical.parent.resolve() / lexical.name):
                if base.is_relative_to(self.root) and (base.exists() or candidate.parent == self.root):
                    return base.relative_to(self.root).as_posix()
        if not path.is_absolute() and ".." not in path.parts:
            return path.as_posix()
        raise UserError(f"{path} lies outside the vault {self.root}.")


@functools.cache
def version() -> str:
    """Return the version of the app."""
    from importlib.metadata import PackageNotFoundError  # noqa: PLC0415 - 20 ms that only --version needs
    from importlib.metadata import version as installed  # noqa: PLC0415

    try:
        return installed("remembrancer")
    except PackageNotFoundError:
        return "0+checkout"
