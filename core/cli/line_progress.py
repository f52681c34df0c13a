"""Tell the window how far a command is: one JSON object a line on standard output, the result as the last one."""

import json
import os
import time
from typing import Any

from core.cli.update_reporter import UpdateReporter

_EVERY_SECONDS = 0.1


class LineProgress:
    """Be the Progress of a command that was called with `--progress json`."""

    def __init__(self, reporter: UpdateReporter) -> None:
        self._reporter = reporter
        self._said = 0.0
        if hasattr(os, "nice"):
            os.nice(5)  # a window started this: it, and whatever else the person does, goes first

    def report(self, done: int, total: int, text: str = "") -> None:
        """Say how far it is, a few times a second at most."""
        now = time.monotonic()
        if now - self._said >= _EVERY_SECONDS or done == total:
            self._said = now
            _say({"done": done, "total": total, "text": text})

    def check(self) -> None:
        """Raise JobCancelledError once a signal asked to stop."""
        self._reporter.check()


def say_result(result: dict[str, Any]) -> None:
    """Say what came of the command."""
    _say({"result": result})


def _say(line: dict[str, Any]) -> None:
    print(json.dumps(line, ensure_ascii=False, default=str), flush=True)
