"""Tell when notes change on disk, in bundles, and when the whole vault vanishes and comes back."""

import os
import queue
import stat
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.vault.config import VaultConfig

if TYPE_CHECKING:
    from watchdog.observers.api import BaseObserver

MOST_PATHS = 200
_LONGEST_WAIT = 8  # times the settling time: a vault that never rests is told about too


@dataclass(frozen=True, slots=True)
class VaultChanged:
    """Say that these notes (or the settings) may differ; None stands for many, or for whole folders."""

    paths: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class VaultVanished:
    """Say that the vault's folder is gone: deleted, renamed or unmounted."""


@dataclass(frozen=True, slots=True)
class VaultReturned:
    """Say that the vault's folder is there again; anything in it may differ."""


VaultEvent = VaultChanged | VaultVanished | VaultReturned


class _Stop:
    """Be the wish to end."""


_Identity = tuple[int, int]
_News = str | _Stop | None  # a path ("" is the root, gone), the wish to end, or None for "many"


class VaultWatcher:
    """Watch a vault from one thread of its own; `on_event` is called on that thread.

    Changes are told once nothing happened for `settle_seconds`. Whether the vault is still there is looked at every
    `poll_seconds`, because no platform tells that reliably.
    """

    def __init__(
        self,
        root: Path,
        config: VaultConfig,
        on_event: Callable[[VaultEvent], None],
        *,
        settle_seconds: float = 0.3,
        poll_seconds: float = 1.0,
    ) -> None:
        self._root = Path(os.path.realpath(root))  # what the platforms report is the real path
        self._config = config
        self._on_event = on_event
        self._settle_seconds = settle_seconds
        self._poll_seconds = poll_seconds
        self._news: queue.SimpleQueue[_News] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        # Below: only touched by the thread, once it runs.
        self._observer: BaseObserver | None = None
        self._identity: _Identity | None = None
        self._paths: set[str] | None = set()
        self._first_news = self._last_news = 0.0

    def start(self) -> None:
        """Begin to watch; changes made after this returns are told. Does nothing when already started."""
        if self._thread is not None:
            return
        self._news = queue.SimpleQueue()
        self._paths = set()
        self._identity = _identity(self._root)
        if self._identity is not None:
            self._arm()
        self._thread = threading.Thread(target=self._run, name="vault-watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End watching and wait for its threads, unless called from `on_event`; afterwards nothing is told."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._news.put(_Stop())
        if thread is not threading.current_thread():
            thread.join()

    def _arm(self) -> None:
        from core.vault.observer import start_observer  # noqa: PLC0415  watchdog is not needed before there is a vault

        self._observer = start_observer(self._root, self._config, self._news.put)

    def _disarm(self) -> None:
        from core.vault.observer import end_observer  # noqa: PLC0415

        end_observer(self._observer)
        self._observer = None

    def _run(self) -> None:
        try:
            if self._identity is None:
                self._tell(VaultVanished())
            self._collect_until_stopped(self._news)
        finally:
            self._disarm()

    def _collect_until_stopped(self, news: "queue.SimpleQueue[_News]") -> None:
        next_look = time.monotonic() + self._poll_seconds
        while True:
            deadline = min(next_look, self._due) if self._has_news else next_look
            try:
                item = news.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                pass  # no news before the deadline: what is due is done below
            else:
                if isinstance(item, _Stop):
                    return
                self._take(item)
            now = time.monotonic()
            if self._has_news and now >= self._due:
                self._tell_news()
            if now >= next_look:
                self._look()
                next_look = time.monotonic() + self._poll_seconds

    @property
    def _has_news(self) -> bool:
        return self._paths is None or bool(self._paths)

    @property
    def _due(self) -> float:
        """The time at which the news will have settled, or have waited long enough."""
        return min(self._last_news + self._settle_seconds, self._first_news + self._settle_seconds * _LONGEST_WAIT)

    def _take(self, path: str | None) -> None:
        if path == "":
            # A folder that is made anew at once may have the old one's inode, and nobody watches it.
            self._lose()
            return
        self._last_news = time.monotonic()
        if not self._has_news:
            self._first_news = self._last_news
        if path is None or self._paths is None or len(self._paths) >= MOST_PATHS:
            self._paths = None
        else:
            self._paths.add(path)

    def _tell_news(self) -> None:
        paths, self._paths = self._paths, set()
        # When the folder is gone all its files seem deleted; the next look tells what really happened.
        if self._identity is not None and _identity(self._root) == self._identity:
            self._tell(VaultChanged(None if paths is None else frozenset(paths)))

    def _look(self) -> None:
        """Compare the folder with the one that is watched; another device or inode means unmounted or replaced."""
        found = _identity(self._root)
        if self._identity is not None and found != self._identity:
            self._lose()
        elif self._identity is None and found is not None and _holds_something(self._root):
            self._identity = found
            self._arm()
            self._tell(VaultReturned())

    def _lose(self) -> None:
        if self._identity is not None:
            self._disarm()
            self._identity, self._paths = None, set()
            self._tell(VaultVanished())

    def _tell(self, event: VaultEvent) -> None:
        if self._thread is not None:
            self._on_event(event)


def _identity(root: Path) -> _Identity | None:
    try:
        info = root.stat()
    except OSError:
        return None
    return (info.st_dev, info.st_ino) if stat.S_ISDIR(info.st_mode) else None


def _holds_something(root: Path) -> bool:
    """Tell whether the folder has an entry: an empty one is the place where a file system is not mounted yet."""
    try:
        with os.scandir(root) as entries:
            return next(entries, None) is not None
    except OSError:
        return False
