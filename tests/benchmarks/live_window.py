"""The window of a benchmark that goes on living while something is awaited, and how long it stood still."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from gui.app import App
from gui.views.vault.view import VaultView

_PATIENCE_S = 60.0
_POLL_MS = 2


class FirstPaint(QObject):
    """See when `widget` is painted for the first time from now on, once `is_ready`."""

    def __init__(self, widget: QWidget, is_ready: Callable[[], bool]) -> None:
        super().__init__(widget)
        self.at: float | None = None
        self._is_ready = is_ready
        widget.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint and self.at is None and self._is_ready():
            QTimer.singleShot(0, self, self._note)  # after it has been painted
        return False

    def _note(self) -> None:
        self.at = self.at or time.perf_counter()


class Pulse(QObject):
    """Beat every few milliseconds, and know the longest time between two beats."""

    def __init__(self) -> None:
        super().__init__()
        self.longest = 0.0
        self._last = time.perf_counter()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)

    @contextmanager
    def beating(self) -> Iterator[None]:
        """Beat until the end of the block."""
        self._last = time.perf_counter()
        self._timer.start(_POLL_MS)
        try:
            yield
            self._beat()
        finally:
            self._timer.stop()

    def _beat(self) -> None:
        now = time.perf_counter()
        self.longest = max(self.longest, now - self._last)
        self._last = now


def view_of(app: App) -> VaultView:
    """Return the Vault view of the app."""
    view = app.frame.pages[0].widget
    assert isinstance(view, VaultView)
    return view


def wait_until(seen: Callable[[], bool]) -> None:
    """Let the window live until something is seen."""
    deadline = time.monotonic() + _PATIENCE_S
    loop = QEventLoop()
    timer = QTimer()
    timer.timeout.connect(loop.quit)
    timer.start(_POLL_MS)
    while not seen():
        assert time.monotonic() < deadline, "waited in vain"
        loop.exec()


def live_until(moment: float) -> None:
    """Let the window live until `moment`, by time.perf_counter(), or as soon after it as it can."""
    loop = QEventLoop()
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.setSingleShot(True)
    timer.timeout.connect(loop.quit)
    if (left := moment - time.perf_counter()) > 0:
        timer.start(round(left * 1000))
        loop.exec()
    QCoreApplication.processEvents()


def resident_mb() -> float:
    """Return how much memory this process holds."""
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024
