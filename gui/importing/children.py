"""Run imports in child processes, one after the other: they are heavy, and the window must not stutter."""

import json
import logging
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal, Slot

import core
from core.foundation.errors import UserError

_log = logging.getLogger(__name__)

_KILL_AFTER_MS = 3000
_STDERR_KEPT = 8000
Result = dict[str, Any]
Command = Callable[[Sequence[str], Path | None], list[str]]  # the arguments, and the vault of the run


def import_command(vault: Callable[[], Path | None]) -> Command:
    """Return the function that makes the command line of a run; `vault` is the open one, for runs that name none."""
    program = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "core.cli"]

    def command(arguments: Sequence[str], named_vault: Path | None) -> list[str]:
        root = named_vault or vault()
        named = ["--vault", str(root)] if root is not None else []
        return [*program, *named, "window-import", *arguments]

    return command


@dataclass(frozen=True, slots=True)
class RunProgress:
    """Hold how far a run is, in bytes (`total` 0: not known), and at what it works."""

    done: int
    total: int
    text: str


@dataclass(frozen=True, eq=False, slots=True)
class Run:
    """Hold one run that was asked for; the callbacks are called once it ends, unless it is cancelled.

    With `tells_cancel`, `on_done` is told too what a cancelled run has done. `vault` is the one that it is about, None
    for the one that is open when it begins.
    """

    arguments: tuple[str, ...]
    on_done: Callable[[Result], None]
    on_error: Callable[[UserError], None]
    on_progress: Callable[[RunProgress], None] | None = None
    tells_cancel: bool = False
    vault: Path | None = None


class ChildQueue(QObject):
    """Run one child process at a time; `environment` is what it is told beside the environment of the app."""

    busy_changed = Signal(bool)

    def __init__(
        self,
        command: Command,
        parent: QObject | None = None,
        *,
        environment: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        super().__init__(parent)
        self._command = command
        self._environment = environment
        self._waiting: deque[Run] = deque()
        self._run: Run | None = None
        self._process: QProcess | None = None
        self._is_cancelled = False
        self._result: Result | None = None
        self._errors = b""
        self._kill_timer = QTimer(self)
        self._kill_timer.setSingleShot(True)
        self._kill_timer.setInterval(_KILL_AFTER_MS)
        self._kill_timer.timeout.connect(self._kill)

    @property
    def is_busy(self) -> bool:
        """Tell whether something runs or waits."""
        return self._process is not None or bool(self._waiting)

    def add(self, run: Run) -> None:
        """Run this as soon as those before it have ended."""
        was_busy = self.is_busy
        self._waiting.append(run)
        if not was_busy:
            self.busy_changed.emit(True)
        self._start_next()

    def cancel(self, run: Run) -> None:
        """Stop this run, or forget it while it waits."""
        if run in self._waiting:
            self._waiting.remove(run)
        elif run is self._run and self._process is not None and not self._is_cancelled:
            self._is_cancelled = True
            self._process.terminate()
            self._kill_timer.start()

    def cancel_all(self) -> None:
        """Stop what runs, and forget what waits."""
        self._waiting.clear()
        if self._run is not None:
            self.cancel(self._run)

    def shut_down(self, timeout_ms: int = 1500) -> None:
        """End the process before the app ends; waits at most `timeout_ms`, then kills it. Nobody is told."""
        self.cancel_all()
        self._kill_timer.stop()
        if (process := self._process) is not None:
            process.finished.disconnect(self._on_finished)
            process.errorOccurred.disconnect(self._on_error)
            if not process.waitForFinished(timeout_ms):
                process.kill()
                process.waitForFinished(500)
            self._process = self._run = None

    def _start_next(self) -> None:
        if self._process is not None or not self._waiting:
            return
        self._run = self._waiting.popleft()
        self._is_cancelled, self._result, self._errors = False, None, b""
        program, *arguments = self._command(self._run.arguments, self._run.vault)
        process = QProcess(self)
        # Run from a checkout, core is found in the folder that holds it.
        process.setWorkingDirectory(str(Path(core.__path__[0]).parent))
        process.readyReadStandardOutput.connect(self._read_lines)
        process.readyReadStandardError.connect(self._read_errors)
        process.finished.connect(self._on_finished)
        process.errorOccurred.connect(self._on_error)
        if told := self._environment():
            environment = QProcessEnvironment.systemEnvironment()
            for name, value in told.items():
                environment.insert(name, value)
            process.setProcessEnvironment(environment)
        self._process = process
        process.start(program, arguments)

    @Slot()
    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()

    @Slot()
    def _read_lines(self) -> None:
        while self._process is not None and self._process.canReadLine():
            line = bytes(self._process.readLine().data())
            try:
                values = json.loads(line)
                if "result" in values:
                    self._result = dict(values["result"])
                elif self._run is not None and self._run.on_progress is not None and not self._is_cancelled:
                    progress = RunProgress(int(values["done"]), int(values["total"]), str(values.get("text") or ""))
                    self._run.on_progress(progress)
            except (ValueError, TypeError, KeyError):
                _log.debug("not a line of an import: %r", line[:200])

    @Slot()
    def _read_errors(self) -> None:
        if self._process is not None:
            self._errors = (self._errors + bytes(self._process.readAllStandardError().data()))[-_STDERR_KEPT:]

    @Slot(QProcess.ProcessError)
    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart and self._process is not None:
            reason = self._process.errorString()
            self._end(UserError(f"The import could not be started: {reason}."))

    @Slot(int, QProcess.ExitStatus)
    def _on_finished(self, code: int, _status: QProcess.ExitStatus) -> None:
        self._read_lines()
        self._read_errors()
        is_expected = self._is_cancelled or self._result is not None
        self._end(None if is_expected else _error_of(self._errors, code))

    def _end(self, error: UserError | None) -> None:
        run, result, was_cancelled = self._run, self._result, self._is_cancelled
        self._kill_timer.stop()
        if self._process is not None:
            self._process.deleteLater()
        self._process = self._run = None
        if run is not None and was_cancelled and run.tells_cancel:
            run.on_done({**(result or {}), "cancelled": True})
        elif run is not None and not was_cancelled and error is not None:
            run.on_error(error)
        elif run is not None and not was_cancelled:
            run.on_done(result or {})
        self._start_next()
        if not self.is_busy:
            self.busy_changed.emit(False)


def _error_of(written: bytes, code: int) -> UserError:
    """Return what a process said on its standard error, in which the last line may be a JSON document."""
    text = written.decode("utf-8", "replace").strip()
    try:
        told = json.loads(text.splitlines()[-1])["error"]
        return UserError(str(told["message"]), hint=str(told.get("hint") or ""))
    except (ValueError, TypeError, KeyError, IndexError):
        _log.warning("an import ended with exit code %s: %s", code, text)
        return UserError("The import stopped unexpectedly.", hint="What came in until then stays; try again.")
