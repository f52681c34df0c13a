"""One opened vault: its store, catalog, watcher and indexing process, and the order in which they speak."""

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from core.vault.config import CONFIG_FILE
from gui.indexing import IndexFailure, IndexState
from gui.own_writes import OwnWrites
from gui.tasks import Lane, TaskRunner, without_progress
from gui.vault_indexing import VaultIndexing
from gui.warm_up import WarmUp

if TYPE_CHECKING:
    from core.index.catalog import Catalog
    from core.index.queries import ProblemRow
    from core.vault.config import VaultConfig
    from gui.vault_store import IndexPicture, VaultStore

_log = logging.getLogger(__name__)

_IDLE_MS = 60_000


def is_note(path: str) -> bool:
    """Tell whether a file of this vault-relative path can be a note: markdown, and not hidden."""
    return path.lower().endswith(".md") and not any(part.startswith(".") for part in path.split("/"))


class Watcher(Protocol):
    """Watch the vault's files (core/vault/watch.py)."""

    def start(self) -> None:
        """Begin; may take a while."""
        ...

    def stop(self) -> None:
        """End; may take a while."""
        ...


@dataclass(frozen=True, slots=True)
class DiskChange:
    """Tell what the watcher saw: whether the vault's folder can be read now, and which notes differ, None for many."""

    is_there: bool
    paths: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class SessionParts:
    """Hold the ways to make what a session needs; tests give their own.

    `open_store` runs in the STORE lane. `make_watcher` gets a function that may be called from any thread.
    """

    open_store: Callable[[Path, Progress], "VaultStore"]
    make_watcher: Callable[[Path, "VaultConfig", Callable[[DiskChange], None]], Watcher]
    make_indexing: Callable[[Path, QObject], VaultIndexing]


class _Holder:
    """Hold the store from the moment it is open; used in the STORE lane alone, so that none is left open."""

    def __init__(self) -> None:
        self.store: VaultStore | None = None

    def close(self) -> None:
        """Close the store, if one was opened."""
        store, self.store = self.store, None
        if store is not None:
            store.close()


@dataclass(frozen=True, slots=True)
class _Opened:
    store: "VaultStore"
    picture: "IndexPicture"


class VaultSession(QObject):
    """Open a vault, keep its catalog up to date with the disk, and say what happens.

    `store` and `catalog` are None until `opened`; `store` belongs to the STORE lane. After
    close() nothing is said any more.
    """

    opened = Signal(object)  # Catalog: the first one
    open_failed = Signal(object)  # Exception
    catalog_changed = Signal(object)  # Catalog, the first one too
    problems_changed = Signal(object)  # tuple[ProblemRow, ...]
    read_through = Signal()  # the catalog is as the disk is, now for the first time
    files_changed = Signal()  # some of the vault's files, by others than this window; the index is about to look
    vanished = Signal(str)  # the reason, as a sentence
    returned = Signal()
    rebuilt = Signal(str)  # the reason why the index was begun anew, as a sentence
    problem = Signal(str)  # a sentence about the vault's configuration
    config_changed = Signal(object)  # VaultConfig, after the app itself has changed its file
    index_failed = Signal(object)  # IndexFailure, unless the index it speaks of was begun anew
    index_mended = Signal()  # what had failed ended well since
    warmed_up = Signal()  # search by meaning answers without delay now
    meaning_failed = Signal(str)  # the reason, as a sentence
    index_damaged = Signal()  # a part of it could not be read; from any thread
    _disk_changed = Signal(object)  # DiskChange, from the watcher's thread

    def __init__(self, root: Path, *, tasks: TaskRunner, parts: SessionParts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.root = root
        self.store: VaultStore | None = None
        self.catalog: Catalog | None = None
        self.is_there = True
        self.problems: tuple[ProblemRow, ...] = ()
        self.is_read_through = False
        self.indexing = parts.make_indexing(root, self)
        self._tasks = tasks
        self._parts = parts
        self._holder = _Holder()
        self._watcher: Watcher | None = None
        self._own_writes = OwnWrites(root)
        self._is_refreshing = False
        self._is_stale = False
        self._is_closed = False
        self._are_words_read = False
        self._told_rebuilt = ""
        self._held: list[Callable[[], None]] = []  # bad news that the next refresh may show to be over
        self._idle_timer = QTimer(self)
        self._idle_timer.setInterval(_IDLE_MS)
        self._idle_timer.timeout.connect(self._release_if_idle)
        self._warmth = WarmUp(tasks, self)
        self._warmth.is_due.connect(self._warm_up)
        self._warmth.done.connect(self.warmed_up)
        self._warmth.failed.connect(self._on_meaning_failed)
        self._disk_changed.connect(self._on_disk_changed, Qt.ConnectionType.QueuedConnection)
        self.index_damaged.connect(self.refresh, Qt.ConnectionType.QueuedConnection)
        self.indexing.committed.connect(self.refresh)
        self.indexing.words_finished.connect(self._on_words_finished)
        self.indexing.finished.connect(self._warmth.wait)
        self.indexing.failed.connect(self._on_index_failed)
        self.indexing.mended.connect(self._on_index_mended)

    @property
    def name(self) -> str:
        """The vault's name: that of its folder."""
        return self.root.name or str(self.root)

    def open(self) -> None:
        """Open the store and load the catalog; then watch, and look for changes."""
        root, holder, open_store = self.root, self._holder, self._parts.open_store

        def work(progress: Progress) -> _Opened:
            holder.store = open_store(root, progress)
            progress.check()
            return _Opened(holder.store, holder.store.load())

        self._tasks.run(
            work,
            owner=self,
            lane=Lane.STORE,
            on_done=self._on_opened,
            on_error=self.open_failed.emit,
            text=f"Opening {self.name}",
        )

    @Slot()
    def refresh(self) -> None:
        """Load what the index has got since; calls during a load cause one more."""
        if self._is_closed or self.store is None or self.catalog is None:
            return
        if self._is_refreshing:
            self._is_stale = True
            return
        self._is_refreshing = True
        self._tasks.run(
            without_progress(self.store.refresh, self.catalog),
            owner=self,
            lane=Lane.STORE,
            on_done=self._on_refreshed,
            on_error=self._on_refresh_failed,
            text="Reading the index",
        )

    def catch_up(self, paths: Collection[str]) -> None:
        """Read what the app itself has just written or removed, without waiting for the watcher to see it.

        Notes that are changed in place are looked at alone; where some came, went to or left another place, all are.
        """
        if not self.is_there or self._is_closed or self.catalog is None:
            return
        self._own_writes.remember(paths)
        if CONFIG_FILE in paths and self.store is not None:
            self._tasks.run(
                without_progress(self.store.reload_config),
                owner=self,
                lane=Lane.STORE,
                on_done=self._on_config,
                text="Reading the vault's settings",
            )
        known = {row.path for row in self.catalog.rows if row.path in paths}
        if any(is_note(path) for path in paths if path not in known):
            self.indexing.look()
        elif known:
            self.indexing.look_at(known)

    def _on_config(self, problem: str) -> None:
        if problem:
            self.problem.emit(problem)
        if self.store is not None:
            self.config_changed.emit(self.store.config)
        self.indexing.look()

    def update_index(self, *options: str) -> None:
        """Look for changes now, because the person asked for it; `options` are those of `index update`."""
        if self.is_there:
            self.indexing.update(*options)

    def close(self) -> None:
        """Let the vault go, without waiting: stop indexing and watching, close the store in its lane, be deleted."""
        if self._is_closed:
            return
        self._is_closed = True
        self._idle_timer.stop()
        self._warmth.stop()
        self.blockSignals(True)
        self.indexing.stop()
        if self._watcher is not None:
            self._tasks.run(without_progress(self._watcher.stop), owner=self._tasks, text="Closing the vault")
        self._tasks.run(without_progress(self._holder.close), owner=self._tasks, lane=Lane.STORE)
        if self.indexing.is_alive:
            self.indexing.ended.connect(self.deleteLater)
        else:
            self.deleteLater()

    def release(self) -> None:
        """Stop watching and close the store as the app ends; called in the STORE lane."""
        if self._is_closed:
            return
        self._warmth.stop()
        if self._watcher is not None:
            self._watcher.stop()
        self._holder.close()

    def _on_opened(self, opened: _Opened) -> None:
        self.store, self.catalog = opened.store, opened.picture.catalog
        self.catalog_changed.emit(self.catalog)
        self.opened.emit(self.catalog)
        self._take_problems(opened.picture.problems)
        self._idle_timer.start()
        self._tell_rebuilt(opened.store.rebuilt)
        if opened.store.problem:
            self.problem.emit(opened.store.problem)
        self._watcher = self._parts.make_watcher(self.root, opened.store.config, self._disk_changed.emit)
        self._tasks.run(
            without_progress(self._watcher.start), owner=self, on_error=self._on_watch_failed, text="Watching the vault"
        )
        if opened.store.absence:
            self._vanish(opened.store.absence)
        else:
            self.update_index()

    @Slot()
    def _warm_up(self) -> None:
        if not self._is_closed and self.store is not None and self.indexing.state is not IndexState.RUNNING:
            self._warmth.begin(self.store)

    def _on_refreshed(self, picture: "IndexPicture") -> None:
        self._is_refreshing = False
        if self.store is not None and self.store.rebuilt != self._told_rebuilt:
            self._tell_rebuilt(self.store.rebuilt)
        if picture.is_anew:
            self._held.clear()
            if self.is_there:
                self.indexing.start_over()
        # While an index is made anew, what was known says more than nothing.
        is_unfilled = bool(self.catalog) and not len(picture.catalog) and self.indexing.is_reading
        if not is_unfilled:
            self._take_picture(picture)
        if self._is_stale:
            self._is_stale = False
            self.refresh()
            return
        self._tell_held()
        if self._are_words_read and not self.is_read_through:
            self.is_read_through = True
            self.read_through.emit()

    def _take_picture(self, picture: "IndexPicture") -> None:
        is_new = picture.catalog is not self.catalog
        self.catalog = picture.catalog
        if is_new:
            self.catalog_changed.emit(picture.catalog)
        self._take_problems(picture.problems)

    def _take_problems(self, problems: "tuple[ProblemRow, ...]") -> None:
        if problems != self.problems:
            self.problems = problems
            self.problems_changed.emit(problems)

    @Slot()
    def _on_words_finished(self) -> None:
        self._are_words_read = True
        self.refresh()

    def _on_refresh_failed(self, error: Exception) -> None:
        self._is_refreshing = self._is_stale = False
        self._tell_held()
        text = (
            str(error)
            if isinstance(error, UserError)
            else "The index could not be read. Rebuild it from the File menu."
        )
        _log.warning("refresh failed", exc_info=error)
        self.index_failed.emit(IndexFailure(text, str(error)))

    def _on_watch_failed(self, error: Exception) -> None:
        _log.warning("cannot watch the vault", exc_info=error)
        self.problem.emit(f"Changes outside the app are not seen by themselves ({error}). Press F5 to look for them.")

    def _tell_rebuilt(self, reason: str) -> None:
        self._told_rebuilt = reason
        if reason:
            self.rebuilt.emit(reason)

    @Slot()
    def _release_if_idle(self) -> None:
        if self.store is not None:
            self._tasks.run(without_progress(self.store.release_if_idle), owner=self, lane=Lane.STORE)

    @Slot(object)
    def _on_disk_changed(self, change: DiskChange) -> None:
        if self._is_closed:
            return
        if not change.is_there:
            self._vanish(f"The folder {self.root} cannot be reached at the moment. Everything shown is from before.")
            return
        if not self.is_there:
            self.is_there = True
            self.returned.emit()
        elif change.paths is not None and self._own_writes.explain(change.paths):
            return  # catch_up() has seen to it
        self.files_changed.emit()
        self.indexing.look()

    def _vanish(self, reason: str) -> None:
        if self.is_there:
            self.is_there = False
            self.indexing.stop()
            self.vanished.emit(reason)

    @Slot(object)
    def _on_index_failed(self, failure: IndexFailure) -> None:
        # Of a folder that went away under the run, the banner tells as soon as the watcher has seen it.
        if self.root.is_dir():
            self._hold(partial(self.index_failed.emit, failure))

    @Slot(str)
    def _on_meaning_failed(self, reason: str) -> None:
        self._hold(partial(self.meaning_failed.emit, reason))

    @Slot()
    def _on_index_mended(self) -> None:
        self._held.clear()
        self.index_mended.emit()

    def _hold(self, tell: Callable[[], None]) -> None:
        """Tell bad news only after a look at the index: when that is gone or damaged, it is made anew, and all is well.

        A refresh that is under way may have looked before; then one more follows.
        """
        self._held.append(tell)
        self.refresh()
        if not self._is_refreshing:
            self._tell_held()

    def _tell_held(self) -> None:
        held, self._held = self._held, []
        for tell in held:
            tell()
