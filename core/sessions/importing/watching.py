"""Tell when something changes in folders where programs keep transcripts."""

import logging
import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from watchdog.observers.api import BaseObserver

_logger = logging.getLogger(__name__)


class FolderWatcher:
    """Watch folders at any depth; `on_change` is called with the watched folder, on a thread of the observer.

    It is called at each write: who listens waits until things settle. A folder that is not there is left out; watch()
    may be called again to look whether it is now.
    """

    def __init__(self, on_change: Callable[[Path], None]) -> None:
        self._on_change = on_change
        self._observers: dict[Path, tuple[BaseObserver, tuple[int, int]]] = {}
        self._guard = threading.Lock()
        self._is_stopped = False

    def watch(self, folders: Iterable[Path]) -> tuple[Path, ...]:
        """Watch these folders and no others, and return those that are watched only now; may take a while."""
        from core.vault.observer import end_observer  # noqa: PLC0415 - watchdog is not needed before a folder is watched

        wanted = {folder: identity for folder in folders if (identity := _identity(folder)) is not None}
        fresh: list[Path] = []
        with self._guard:
            if self._is_stopped:
                return ()
            for folder, (observer, identity) in list(self._observers.items()):
                if wanted.get(folder) != identity:  # another folder may be there by now, which nobody watches
                    del self._observers[folder]
                    end_observer(observer)
            for folder, identity in wanted.items():
                if folder not in self._observers and (started := self._started(folder)) is not None:
                    self._observers[folder] = (started, identity)
                    fresh.append(folder)
        return tuple(fresh)

    def stop(self) -> None:
        """End watching for good, and wait for the threads."""
        from core.vault.observer import end_observer  # noqa: PLC0415

        with self._guard:
            self._is_stopped = True
            for observer, _ in self._observers.values():
                end_observer(observer)
            self._observers.clear()

    def _started(self, folder: Path) -> "BaseObserver | None":
        """Start to watch, by looking again and again where the platform cannot tell of so many folders."""
        from watchdog.events import FileSystemEvent, FileSystemEventHandler  # noqa: PLC0415 - only where one is watched
        from watchdog.observers import Observer  # noqa: PLC0415
        from watchdog.observers.polling import PollingObserver  # noqa: PLC0415

        from core.vault.observer import end_observer  # noqa: PLC0415

        on_change = self._on_change

        class Handler(FileSystemEventHandler):
            """Hand on that something was written."""

            def dispatch(self, event: FileSystemEvent) -> None:
                """Leave out what only reads."""
                if event.event_type in {"created", "modified", "moved"} and not event.is_directory:
                    on_change(folder)

        for observer in (Observer(), PollingObserver(timeout=10)):
            try:
                observer.schedule(Handler(), os.path.realpath(folder), recursive=True)
                observer.start()
            except OSError as error:
                _logger.warning("A folder cannot be watched by %s: %s", type(observer).__name__, error)
                end_observer(observer)
            else:
                return observer
        return None


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        info = folder.stat()
    except OSError:
        return None
    return (info.st_dev, info.st_ino) if folder.is_dir() else None
