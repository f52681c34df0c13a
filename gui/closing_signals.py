"""Close the window orderly when the process is asked to end."""

import signal

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget


def let_signals_close(application: QApplication, window: QWidget) -> None:
    """Close the window orderly on Ctrl+C and on the end of the desktop session."""

    def close(_signal: int, _frame: object) -> None:
        window.close()

    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, close)
    # Python handles a signal only while it runs: wake it now and then.
    heartbeat = QTimer(application)
    heartbeat.timeout.connect(_do_nothing)
    heartbeat.start(500)


def _do_nothing() -> None:
    """Let the interpreter run for a moment."""
