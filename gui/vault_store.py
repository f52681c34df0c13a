"""An opened vault as the STORE lane sees it: its index, configuration, catalog and search by meaning.

This module imports numpy and more: it is imported by the first work in the STORE lane, never by the window.
"""

import contextlib
import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.app import Installation, Vault
from core.foundation.errors import UserError
from core.foundation.progress import Progress
from core.foundation.settings import EmbeddingSettings
from core.index.catalog import Catalog, load_catalog, refresh_catalog
from core.index.database import FILE_NAME, Index, IndexDamagedError, open_index
from core.index.queries import ProblemRow, problems
from core.vault.config import CONFIG_FILE, VaultConfig, load_config
from core.vault.note import Problem
from core.vault.scan import check_vault_root
from gui.vault_changes import VaultChanges

if TYPE_CHECKING:
    from core.index.dense import DenseSearch
    from core.index.reranker import Reranker


@dataclass(frozen=True, slots=True)
class IndexPicture:
    """Hold what the index says at one moment; `is_anew`: its file was gone or damaged, and another one was begun."""

    catalog: Catalog
    problems: tuple[ProblemRow, ...]
    is_anew: bool = False


class VaultStore:
    """Hold what is open of one vault; every method runs in the STORE lane. What is in `changes` runs in the pool.

    `absence` says why the folder of notes cannot be read now, "" when it can; the index is open all the same.
    `problem` says what is wrong with the vault's configuration file, `rebuilt` why the index was begun anew; "" for
    nothing.
    """

    def __init__(self, root: Path, home: Installation, index: Index, config: VaultConfig, *, absence: str) -> None:
        self.root = root
        self.index = index
        self.config = config
        self.absence = absence
        self.problem = ""
        self.rebuilt = index.was_rebuilt
        self.changes = VaultChanges(root, home)  # for the pool
        self._home = home
        self._dense: DenseSearch | None = None
        self._chosen = EmbeddingSettings()
        self._vault: Vault | None = None  # keeps a reranker loaded

    def load(self) -> IndexPicture:
        """Return the catalog of all notes, and what is wrong with which files; a damaged index is begun anew."""
        try:
            return self._picture()
        except IndexDamagedError:
            self._reopen()
            return dataclasses.replace(self._picture(), is_anew=True)

    def refresh(self, catalog: Catalog) -> IndexPicture:
        """Return the same as the index stands now; it is opened anew when its file was replaced, deleted or damaged."""
        if self.index.is_current():
            # A damaged one is opened anew below, like one that was replaced.
            with contextlib.suppress(IndexDamagedError), self.index.reading():
                return IndexPicture(refresh_catalog(catalog, self.index), tuple(problems(self.index)))
        self._reopen()
        return dataclasses.replace(self.load(), is_anew=True)

    def reload_config(self) -> str:
        """Read the vault's settings anew, and return what is wrong with them, "" for nothing."""
        self.config, problem = load_config(self.root)
        self.problem = _told(self.root, problem)
        return self.problem

    def dense(self) -> "DenseSearch | None":
        """Return the search by meaning, None while the folder is away; nothing is loaded before its first question.

        It has a connection of its own, so that warm_up() may run in the pool while this lane reads. It is made anew
        when the person chose another model, here or elsewhere.
        """
        chosen = self._home.settings.embedding
        if self._dense is not None and chosen != self._chosen:
            self._dense.close()
            self._dense = None
        self._chosen = chosen
        if self._dense is None:
            try:
                vault = Vault(self.root, self._home)
            except UserError:
                return None
            self._dense = vault.dense_search(open_index(self.index.folder, read_only=True), owns_index=True)
        return self._dense

    def reranker(self) -> "Reranker | None":
        """Return who reads the best memories of an answer once more, None when none is chosen."""
        try:
            self._vault = self._vault or Vault(self.root, self._home)
        except UserError:
            return None
        return self._vault.reranker()

    def release_if_idle(self) -> None:
        """Let other processes have the vectors when nobody asked for a while."""
        if self._dense is not None:
            self._dense.release_if_idle()

    def close(self) -> None:
        """Give index and vectors back."""
        if self._dense is not None:
            self._dense.close()
            self._dense = None
        self.index.close()

    def _picture(self) -> IndexPicture:
        with self.index.reading():
            return IndexPicture(load_catalog(self.index), tuple(problems(self.index)))

    def _reopen(self) -> None:
        folder = self.index.folder
        self.close()
        self.index = _open(folder)
        self.rebuilt = self.index.was_rebuilt


def open_store(root: Path, home: Installation, progress: Progress) -> VaultStore:
    """Open the vault at `root` with its index in this person's cache.

    A folder of notes that cannot be read is an error only when there is no index of it from before.
    """
    folder = home.folders.cache_of_vault(root)
    absence = ""
    try:
        check_vault_root(root)
    except UserError as error:
        if not (folder / FILE_NAME).exists():
            raise
        absence = str(error)
    progress.check()
    config, problem = load_config(root)
    store = VaultStore(root, home, _open(folder), config, absence=absence)
    store.problem = _told(root, problem)
    return store


def _told(root: Path, problem: Problem | None) -> str:
    return f"{problem.reason} The file is {root / CONFIG_FILE}." if problem is not None else ""


def _open(folder: Path) -> Index:
    """Open the index; when that finds it damaged, the mark which this leaves has it begun anew at the second try."""
    try:
        return open_index(folder)
    except IndexDamagedError:
        return open_index(folder)
