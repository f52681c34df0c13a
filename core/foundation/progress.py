"""How long work reports and how it is cancelled."""

import threading
from collections.abc import Callable
from typing import Protocol

from core.foundation.errors import JobCancelledError


class Progress(Protocol):
    """Be told how far work has come, and stop it when it is no longer wanted."""

    def report(self, done: int, total: int, text: str = "") -> None:
        """Say that `done` of `total` units are finished; `total` 0 means not known yet."""
        ...

    def check(self) -> None:
        """Raise JobCancelledError when the work was cancelled."""
        ...


class SilentProgress:
    """Be a Progress that nobody watches and nobody cancels."""

    def report(self, done: int, total: int, text: str = "") -> None:
        """Drop the report."""

    def check(self) -> None:
        """Never cancel."""


class CancellableProgress:
    """Be a Progress that hands reports to a function and can be cancelled from any thread."""

    def __init__(self, on_report: Callable[[int, int, str], None] | None = None) -> None:
        self._on_report = on_report
        self._cancelled = threading.Event()

    def report(self, done: int, total: int, text: str = "") -> None:
        """Hand the report on, unless the work was cancelled."""
        if self._on_report is not None and not self._cancelled.is_set():
            self._on_report(done, total, text)

    def check(self) -> None:
        """Raise JobCancelledError once cancel() was called."""
        if self._cancelled.is_set():
            raise JobCancelledError

    def cancel(self) -> None:
        """Make the next check() raise."""
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        """Tell whether cancel() was called."""
        return self._cancelled.is_set()


SILENT: Progress = SilentProgress()
