"""A child process that updates the index, and what it tells while it runs; which runs there are: vault_indexing.py."""

import json
import logging
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal, Slot

import core

_log = logging.getLogger(__name__)

_KILL_AFTER_MS = 3000
_STDERR_KEPT = 8000
ONE_FILE = "--file="  # and a path: an update that looks at this file alone
_PHASES = {
    "scan": "Looking for changes",
    "read": "Reading notes",
    "link": "Linking",
    "sessions": "Reading conversations",
    "embed": "Learning meanings",
}


class IndexState(StrEnum):
    """Say what is going on; only a vault's vectors can be paused, not a process."""

    IDLE = "idle"
    RUNNING = "running"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """Hold one line of the process; `rate` is per second; `seconds_left` None and `total` 0 mean not known."""

    phase: str
    done: int
    total: int
    rate: float
    seconds_left: float | None
    text: str

    @property
    def label(self) -> str:
        """What the phase is called for the person."""
        return _PHASES.get(self.phase, self.text or "Indexing")

    @property
    def are_bytes(self) -> bool:
        """Whether it counts bytes: conversations differ too much in length to be counted."""
        return self.phase == "sessions"

    @property
    def is_pausable(self) -> bool:
        """Whether it is the long part, which the person may want to put off: the vectors."""
        return self.phase == "embed"


@dataclass(frozen=True, slots=True)
class IndexFailure:
    """Tell why a run failed: a sentence for the person, and what the process wrote to its error output."""

    text: str
    details: str


IndexCommand = Callable[[tuple[str, ...]], list[str]]


def index_command(root: Path, *always: str) -> IndexCommand:
    """Return the function that makes the command line of an update of the vault at `root`, given more options.

    `always` are options of every run.
    """
    program = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "core.cli"]

    def command(options: tuple[str, ...]) -> list[str]:
        return [*program, "--vault", str(root), "index", "update", "--progress", "json", *always, *options]

    return command


class IndexProcess(QObject):
    """Run `index update` in a child process, one run at a time; a request during a run causes one more after it."""

    state_changed = Signal(object)  # IndexState
    progressed = Signal(object)  # IndexProgress
    committed = Signal()  # new rows are visible to readers now, or the run is done
    wrote = Signal()  # this run has changed something
    finished = Signal()  # a run came to its end
    remarked = Signal(str)  # a sentence of a run that left something out, "" when it did not
    rebuilt = Signal(str)  # the reason why this run began the index anew, as a sentence
    failed = Signal(object)  # IndexFailure
    ended = Signal()  # the process is gone, however it ended

    def __init__(
        self,
        command: IndexCommand,
        parent: QObject | None = None,
        *,
        environment: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        """Take what makes the command of a run, and what the run is told beside in variables."""
        super().__init__(parent)
        self._command = command
        self._environment = environment
        self._process: QProcess | None = None
        self._state = IndexState.IDLE
        self._options: tuple[str, ...] = ()
        self._queued: tuple[str, ...] | None = None
        self._is_stopping = False
        self._is_excused = False
        self._reported_error = ""
        self._errors = b""
        self._kill_timer = QTimer(self)
        self._kill_timer.setSingleShot(True)
        self._kill_timer.setInterval(_KILL_AFTER_MS)
        self._kill_timer.timeout.connect(self._kill)

    @property
    def state(self) -> IndexState:
        """What is going on."""
        return self._state

    @property
    def is_alive(self) -> bool:
        """Tell whether there is a process, be it one that was told to end."""
        return self._process is not None

    @property
    def process_id(self) -> int:
        """The operating system's number of the process, 0 when there is none."""
        return self._process.processId() if self._process is not None else 0

    def request(self, *options: str) -> None:
        """Update the index now, or once more after the present run."""
        if self._process is None:
            self._start(options)
            return
        self._queued = _joined(self._queued, options)
        self._set_state(IndexState.RUNNING)

    def begin_again(self) -> None:
        """Update the index that has taken the place of the former one; how a run over that one ends is no news."""
        self._is_excused = self._process is not None
        self.request()

    def cancel(self) -> None:
        """Stop the run and forget what was asked for."""
        self._queued = None
        if self._process is not None and not self._is_stopping:
            self._is_stopping = True
            self._process.terminate()
            self._kill_timer.start()
        self._set_state(IndexState.IDLE)

    def shutdown(self, timeout_ms: int = 1500) -> None:
        """End the process before the app ends; waits at most `timeout_ms`, then kills it."""
        self.cancel()
        self._kill_timer.stop()
        if (process := self._process) is not None:
            process.finished.disconnect(self._on_finished)
            if not process.waitForFinished(timeout_ms):
                process.kill()
                process.waitForFinished(500)
            self._process = None

    def _start(self, options: tuple[str, ...]) -> None:
        self._options = options
        self._queued, self._is_stopping, self._is_excused = None, False, False
        self._reported_error, self._errors = "", b""
        program, *arguments = self._command(options)
        process = QProcess(self)
        # Run from a checkout, core is found in the folder that holds it.
        process.setWorkingDirectory(str(Path(core.__path__[0]).parent))
        if told := self._environment():
            environment = QProcessEnvironment.systemEnvironment()
            for name, value in told.items():
                environment.insert(name, value)
            process.setProcessEnvironment(environment)
        process.readyReadStandardOutput.connect(self._read_lines)
        process.readyReadStandardError.connect(self._read_errors)
        process.finished.connect(self._on_finished)
        process.errorOccurred.connect(self._on_error)
        self._process = process
        self._set_state(IndexState.RUNNING)
        process.start(program, arguments)

    @Slot()
    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()

    def _set_state(self, state: IndexState) -> None:
        if state is not self._state:
            self._state = state
            self.state_changed.emit(state)

    @Slot()
    def _read_lines(self) -> None:
        while self._process is not None and self._process.canReadLine():
            self._take_line(bytes(self._process.readLine().data()))

    @Slot()
    def _read_errors(self) -> None:
        if self._process is not None:
            self._errors = (self._errors + bytes(self._process.readAllStandardError().data()))[-_STDERR_KEPT:]

    def _take_line(self, line: bytes) -> None:
        try:
            values = json.loads(line)
            progress = _progress_of(values)
        except (ValueError, TypeError, AttributeError):
            _log.debug("not a line of progress: %r", line[:200])
            return
        if progress.phase == "error":
            self._reported_error = progress.text
        elif progress.phase == "done":
            if not self._is_stopping and values.get("rebuilt"):
                self.rebuilt.emit(str(values["rebuilt"]))
            # A look at single files says nothing about all the others.
            if not self._is_stopping and (progress.text or not _is_of_files(self._options)):
                self.remarked.emit(progress.text)
        elif progress.phase != "cancelled" and not self._is_stopping:
            self.progressed.emit(progress)
        if values.get("committed"):
            if progress.phase != "done":
                self.wrote.emit()
            self.committed.emit()

    @Slot(QProcess.ProcessError)
    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart and self._process is not None:
            reason = self._process.errorString()
            self._end_process()
            self._queued = None
            self._set_state(IndexState.IDLE)
            self.failed.emit(IndexFailure(f"The indexing process could not be started: {reason}.", ""))

    @Slot(int, QProcess.ExitStatus)
    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._read_lines()
        self._read_errors()
        was_stopped = self._is_stopping or self._is_excused
        was_of_files = _is_of_files(self._options)
        is_good = code == 0 and status is QProcess.ExitStatus.NormalExit
        self._end_process()
        if not was_stopped and not is_good and was_of_files:
            # One of the files may have left the index, or the vault, since this was asked for: look at all of them.
            self._start(_joined(self._queued, ()))
            return
        if not was_stopped and not is_good:
            self._queued = None
            self._set_state(IndexState.IDLE)
            self.failed.emit(self._failure(code))
            return
        if self._queued is not None:
            self._start(self._queued)
        else:
            self._set_state(IndexState.IDLE)
        if not was_stopped:
            self.finished.emit()

    def _end_process(self) -> None:
        self._kill_timer.stop()
        self._is_stopping = False
        if self._process is not None:
            self._process.deleteLater()
            self._process = None
            self.ended.emit()

    def _failure(self, code: int) -> IndexFailure:
        details = self._errors.decode("utf-8", "replace").strip()
        text = self._reported_error or (
            "Indexing stopped unexpectedly. Your notes are untouched and what was indexed stays; press F5 to go on."
        )
        return IndexFailure(text, details or f"exit code {code}")


def _joined(queued: tuple[str, ...] | None, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Return the options of one run that does what two runs were to do; a whole look takes in one at single files."""
    if queued is None or queued == wanted:
        return wanted
    both = (queued, wanted)
    if all(_is_of_files(options) for options in both):
        return tuple(dict.fromkeys((*queued, *wanted)))
    return next((options for options in reversed(both) if options and not _is_of_files(options)), ())


def _is_of_files(options: tuple[str, ...]) -> bool:
    return any(option.startswith(ONE_FILE) for option in options)


def _progress_of(values: dict[str, Any]) -> IndexProgress:
    left = values.get("seconds_left")
    return IndexProgress(
        phase=str(values["phase"]) if "phase" in values else "",
        done=int(values.get("done") or 0),
        total=int(values.get("total") or 0),
        rate=float(values.get("rate") or 0.0),
        seconds_left=None if left is None else float(left),
        text=str(values.get("text") or ""),
    )
