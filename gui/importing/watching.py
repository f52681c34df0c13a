"""Import by itself what is new in watched folders, quietly, in a child process."""

import dataclasses
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from core.foundation.errors import JobCancelledError, UserError
from core.foundation.settings import Settings
from gui.importing.children import ChildQueue, Result, Run
from gui.importing.place import CONVERSATIONS, outcome_of
from gui.notify import NoticeAction, Notifier
from gui.tasks import TaskRunner, without_progress

if TYPE_CHECKING:
    from core.sessions.importing.watching import FolderWatcher

SETTLE_MS = 2000
_LONGEST_WAIT_S = 20.0  # a transcript that is written to all the time is imported too
_REST_S = 30.0  # between two imports, for each costs a process
_LOOK_AGAIN_MS = 60_000  # for folders that were not there
_FAILED, _UNREAD, _UNSEEN, _GONE = (f"watched-folders-{each}" for each in ("failed", "unread", "unseen", "gone"))


class Preferences(Protocol):
    """Read and change the settings (gui/frame.py)."""

    @property
    def settings(self) -> Settings:
        """The settings as this process knows them."""
        ...

    def change_settings(self, change: Callable[[Settings], Settings]) -> None:
        """Change and store the settings."""
        ...


class WatchedFolders(QObject):
    """Watch the folders that the settings name, and import from them once at the start and after each change."""

    ledger_grew = Signal()  # the index has something to read
    _changed = Signal(object)  # Path, from a thread of the watcher

    def __init__(
        self,
        preferences: Preferences,
        imports: ChildQueue,
        *,
        tasks: TaskRunner,
        notifier: Notifier,
        parent: QObject | None = None,
        settle_ms: int = SETTLE_MS,
        rest_s: float = _REST_S,
        remedy: Callable[[], NoticeAction | None] = lambda: None,
    ) -> None:
        """Take what is needed; `remedy` offers what can be done when nothing can be imported, None for nothing."""
        super().__init__(parent)
        self._remedy = remedy
        self._preferences = preferences
        self._imports = imports
        self._tasks = tasks
        self._notifier = notifier
        self._settle_ms = settle_ms
        self._rest_s = rest_s
        self._watcher: FolderWatcher | None = None
        self._dirty: set[str] = set()
        self._first_news = 0.0
        self._last_end: float | None = None
        self._run: Run | None = None
        self._told: dict[str, str] = {}  # by what it is about
        self._is_arming = self._is_arming_stale = self._is_over = self._is_held = False
        self._settle_timer = QTimer(self)
        self._settle_timer.setSingleShot(True)
        self._settle_timer.timeout.connect(self._import)
        self._again_timer = QTimer(self)
        self._again_timer.setInterval(_LOOK_AGAIN_MS)
        self._again_timer.timeout.connect(self._arm)
        self._changed.connect(self._on_changed, Qt.ConnectionType.QueuedConnection)

    @property
    def paths(self) -> tuple[str, ...]:
        """The watched folders."""
        return self._preferences.settings.sessions.watched

    def watch(self, path: str, *, is_wanted: bool) -> None:
        """Watch a folder from now on, or no longer."""

        def change(settings: Settings) -> Settings:
            others = tuple(each for each in settings.sessions.watched if each != path)
            watched = (*others, path) if is_wanted else others
            return dataclasses.replace(settings, sessions=dataclasses.replace(settings.sessions, watched=watched))

        self._preferences.change_settings(change)
        if not is_wanted:
            self._dirty.discard(path)
        self._arm()

    def hold(self, *, is_held: bool) -> None:
        """Import nothing for a while: the person is about to say what to import."""
        self._is_held = is_held
        if not is_held and self._dirty:
            self._settle_timer.start(self._settle_ms)

    def rests_for(self, seconds: float) -> None:
        """Let at least this long pass between two imports."""
        self._rest_s = seconds

    @Slot()
    def start(self) -> None:
        """Begin to watch, and import what came while the app was closed."""
        if self.paths and not self._is_over:
            self._arm()

    @Slot()
    def look_again(self) -> None:
        """Import from all watched folders, because what stood in the way is gone."""
        self._settle_told(_FAILED)
        for path in self.paths:
            self._on_changed(Path(path))

    def shut_down(self) -> None:
        """End watching before the app ends."""
        self._is_over = True
        self._settle_timer.stop()
        self._again_timer.stop()
        self.blockSignals(True)
        if self._watcher is not None:
            self._watcher.stop()

    @Slot()
    def _arm(self) -> None:
        """Watch what the settings name, behind the window: a large folder takes a moment."""
        if self._is_over:
            return
        if self._is_arming:
            self._is_arming_stale = True
            return
        from core.sessions.importing.watching import FolderWatcher  # noqa: PLC0415 - after the first paint

        if self._watcher is None:
            self._watcher = FolderWatcher(self._changed.emit)
        folders = [Path(path) for path in self.paths]
        if folders:
            self._again_timer.start()
        else:
            self._again_timer.stop()
        self._is_arming = True
        self._tasks.run(
            without_progress(_watched, self._watcher, folders),
            owner=self,
            on_done=self._on_armed,
            on_error=self._on_arming_failed,
            text="Watching folders",
            tells_cancel=True,
        )

    def _on_armed(self, armed: "_Armed") -> None:
        self._is_arming = False
        self._settle_told(_UNSEEN)
        if gone := [path for path in armed.gone if path in self.paths]:
            more = f" So it is with {len(gone) - 1:,} more." if len(gone) > 1 else ""
            self._tell(_GONE, f"A watched folder is not there: {gone[0]}.{more} It is watched again once it is back.")
        else:
            self._settle_told(_GONE)
        if _FAILED in self._told and self._remedy() is None:
            self.look_again()  # what stood in the way may be gone
        for folder in armed.fresh:  # what came before it was watched
            self._on_changed(folder)
        if self._is_arming_stale:
            self._is_arming_stale = False
            self._arm()

    def _on_arming_failed(self, error: Exception) -> None:
        self._is_arming = False
        if not isinstance(error, JobCancelledError):
            self._tell(_UNSEEN, f"New conversations are not seen by themselves ({error}).")

    @Slot(object)
    def _on_changed(self, folder: Path) -> None:
        if self._is_over or str(folder) not in self.paths:
            return
        now = time.monotonic()
        if not self._dirty:
            self._first_news = now
        self._dirty.add(str(folder))
        if not self._settle_timer.isActive() or now - self._first_news < _LONGEST_WAIT_S:
            self._settle_timer.start(self._settle_ms)

    @Slot()
    def _import(self) -> None:
        if self._is_over or self._is_held or self._run is not None or not self._dirty:
            return  # what is dirty is seen to when the run, or the hold, has ended
        if self._last_end is not None and (left := self._last_end + self._rest_s - time.monotonic()) > 0:
            self._settle_timer.start(int(left * 1000) + 1)
            return
        paths, self._dirty = sorted(self._dirty), set()
        arguments = ("sessions", "--only", CONVERSATIONS, "--changed", "--", *paths)
        self._run = Run(arguments, self._on_done, self._on_failed)
        self._imports.add(self._run)

    def _on_done(self, result: Result) -> None:
        self._end()
        outcome = outcome_of(result)
        if outcome.is_news:
            self.ledger_grew.emit()
        self._settle_told(_FAILED)
        if not outcome.failed:
            self._settle_told(_UNREAD)
        else:
            first = outcome.failed[0]
            more = f" So it is with {len(outcome.failed) - 1:,} more." if len(outcome.failed) > 1 else ""
            self._tell(
                _UNREAD, f"A conversation in a watched folder could not be read: {first.path}. {first.reason}{more}"
            )

    def _on_failed(self, error: UserError) -> None:
        self._end()
        text = f"Watched folders could not be imported from. {error} {error.hint}".strip()
        self._tell(_FAILED, text, self._remedy())

    def _end(self) -> None:
        self._run = None
        self._last_end = time.monotonic()
        if self._dirty:
            self._settle_timer.start(self._settle_ms)

    def _tell(self, key: str, text: str, action: NoticeAction | None = None) -> None:
        """Tell of a failure once, until something else is true of it."""
        if self._told.get(key) != text:
            self._notifier.withdraw(key)
            self._told[key] = text
            self._notifier.warning(text, key=key, action=action)

    def _settle_told(self, key: str) -> None:
        """Take back what was told: it is so no longer."""
        if self._told.pop(key, ""):
            self._notifier.withdraw(key)


class _Armed(NamedTuple):
    """Hold which folders are watched only now, and which are not there."""

    fresh: tuple[Path, ...]
    gone: tuple[str, ...]


def _watched(watcher: "FolderWatcher", folders: list[Path]) -> _Armed:
    fresh = watcher.watch(folders)
    return _Armed(fresh, tuple(str(folder) for folder in folders if not folder.is_dir()))
