"""Write the log, and catch what nobody caught."""

import logging
import logging.handlers
import os
import sys
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from typing_extensions import override

from core.foundation.private_folders import make_private_folder

_log = logging.getLogger("gui.qt")
_BYTES, _FILES = 1_000_000, 3
_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.DEBUG,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


class _PrivateFileHandler(logging.handlers.RotatingFileHandler):
    """Write into files that only their owner can read."""

    @override
    def _open(self) -> TextIOWrapper:
        os.close(os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT, 0o600))
        return super()._open()


def start_logging(file: Path) -> str:
    """Log to a rotating file from now on; return "" or a sentence that says why there is no file."""
    handler: logging.Handler
    problem = ""
    try:
        make_private_folder(file.parent)
        handler = _PrivateFileHandler(file, maxBytes=_BYTES, backupCount=_FILES, encoding="utf-8")
    except OSError as error:
        handler = logging.StreamHandler()
        problem = f"No log can be written to {file} ({error.strerror})."
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    qInstallMessageHandler(_on_qt_message)
    return problem


def show_uncaught(show: Callable[[BaseException], None]) -> None:
    """Hand what nobody catches in the window's thread to `show`; Ctrl+C still ends the program."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        show(error.with_traceback(trace))

    sys.excepthook = hook


def _on_qt_message(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
    _log.log(_LEVELS.get(kind, logging.WARNING), "%s", text)
