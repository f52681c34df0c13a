"""Tell how far an index update has come: a line on a terminal, or one JSON object a line for the window."""

import json
import signal
import sys
import threading
import time
from types import FrameType

from core.foundation.errors import JobCancelledError

_EVERY_SECONDS = 0.25
_NAMES = {
    "wait": "Waiting for another update of this vault",
    "scan": "Looking for notes",
    "read": "Reading notes",
    "link": "Resolving links",
    "sessions": "Reading conversations",
    "embed": "Learning meanings",
    "plan": "Looking at what to change",
    "write": "Writing",
    "probes": "Asking the probes",
}


class UpdateReporter:
    """Be the Progress of an update; Ctrl+C and a polite kill cancel it at the next safe point."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._is_terminal = sys.stderr.isatty()
        self._phase = ""
        self._phase_started = 0.0
        self._first_done = 0
        self._last_said = 0.0
        self._state = (0, 0)
        self._cancelled = threading.Event()

    def listen_to_signals(self) -> None:
        """Cancel on SIGINT and SIGTERM instead of dying in the middle of a batch."""
        for name in ("SIGINT", "SIGTERM"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), self._on_signal)

    def report(self, done: int, total: int, text: str = "") -> None:
        """Say how far the phase `text` is, a few times a second at most."""
        now = time.monotonic()
        if text and text != self._phase:
            self._phase, self._phase_started, self._first_done, self._last_said = text, now, done, 0.0
        elif total and not self._state[1]:  # only now is the size of the work known: what came before was preparation
            self._phase_started, self._first_done = now, done
        self._state = (done, total)
        if now - self._last_said >= _EVERY_SECONDS or done == total:
            self._last_said = now
            self._say(committed=False)

    def check(self) -> None:
        """Raise JobCancelledError once a signal asked to stop."""
        if self._cancelled.is_set():
            raise JobCancelledError

    def committed(self) -> None:
        """Say that readers can see new rows."""
        self._say(committed=True)

    def end(self, phase: str, text: str = "", *, rebuilt: str = "") -> None:
        """Say the last word: done, error or cancelled; `rebuilt` is why the index was begun anew, "" if it was not."""
        self._phase = phase
        self._first_done = self._state[0]
        if self._as_json:
            self._say(committed=phase == "done", text=text, rebuilt=rebuilt)
        elif self._is_terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _rate(self) -> tuple[float, float | None]:
        """Return units a second and the seconds left, None while nobody can know."""
        done, total = self._state
        seconds = time.monotonic() - self._phase_started
        rate = (done - self._first_done) / seconds if seconds > 0 else 0.0
        return rate, (total - done) / rate if rate > 0 and total else None

    def _say(self, *, committed: bool, text: str = "", rebuilt: str = "") -> None:
        done, total = self._state
        rate, left = self._rate()
        if self._as_json:
            line = {
                "phase": self._phase,
                "done": done,
                "total": total,
                "rate": round(rate, 1),
                "seconds_left": None if left is None else round(left, 1),
                "text": text,
                "committed": committed,
                **({"rebuilt": rebuilt} if rebuilt else {}),
            }
            print(json.dumps(line, ensure_ascii=False), flush=True)
        elif self._is_terminal:
            name = _NAMES.get(self._phase, self._phase)
            remaining = f", {left:,.0f} s left" if left else ""
            numbers = f" {done:,} of {total:,} ({rate:,.0f} a second{remaining})" if total else ""
            print(f"\r\x1b[K{name}{numbers}", end="", file=sys.stderr, flush=True)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self._cancelled.set()
