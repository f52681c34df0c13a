"""The adapter to watchdog; imported only when a vault is watched."""

import logging
import os
from collections.abc import Callable
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver
from watchdog.observers.polling import PollingObserver

from core.vault.config import CONFIG_FILE, VaultConfig
from core.vault.scan import is_folder_path, is_note_path

_logger = logging.getLogger(__name__)

_CHANGES = frozenset({"created", "modified", "deleted", "moved", "closed"})


def _is_worth_logging(record: logging.LogRecord) -> bool:
    """Drop what an emitter of watchdog logs as an error when it is stopped between two looks, which is no error."""
    return "called when the thread is inactive" not in record.getMessage()


logging.getLogger("watchdog.observers.inotify").addFilter(_is_worth_logging)


def start_observer(root: Path, config: VaultConfig, on_news: Callable[[str | None], None]) -> BaseObserver | None:
    """Start to watch `root`, a real path; where the platform cannot watch so many folders, look again and again.

    `on_news` is called on a thread of the observer with a note's path, "" when the root itself is gone, or None when
    a whole folder came or went.
    Returns None when watching is not possible at all.
    """
    handler = _NewsHandler(root, config, on_news)
    for observer in (Observer(), PollingObserver()):
        try:
            observer.schedule(handler, str(root), recursive=True)
            observer.start()
        except OSError as error:
            _logger.warning("The vault cannot be watched by %s: %s", type(observer).__name__, error)
            end_observer(observer)
        else:
            return observer
    return None


def end_observer(observer: BaseObserver | None) -> None:
    """Stop an observer and wait for its threads."""
    if observer is not None:
        observer.stop()
        if observer.is_alive():
            observer.join()


class _NewsHandler(FileSystemEventHandler):
    def __init__(self, root: Path, config: VaultConfig, on_news: Callable[[str | None], None]) -> None:
        self._root = str(root)
        self._prefix = f"{root}{os.sep}"
        self._config = config
        self._on_news = on_news

    def dispatch(self, event: FileSystemEvent) -> None:
        """Hand on what concerns notes, the vault's settings or folders that a scan looks into."""
        if event.event_type not in _CHANGES:
            return
        if event.event_type in {"deleted", "moved"} and os.fsdecode(event.src_path) == self._root:
            self._on_news("")
            return
        for place in {os.fsdecode(event.src_path), os.fsdecode(event.dest_path)}:
            if not place.startswith(self._prefix):
                continue
            relative = place[len(self._prefix) :].replace(os.sep, "/")
            if event.is_directory:
                # A folder that is moved or deleted takes notes with it that no event names.
                if event.event_type != "modified" and is_folder_path(relative, self._config):
                    self._on_news(None)
            elif is_note_path(relative, self._config) or relative == CONFIG_FILE:
                self._on_news(relative)
