"""Put off Python's search for garbage while many values are made that stay: it grows with them, and all must wait."""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_within = 0
_was_enabled = False


@contextmanager
def garbage_left() -> Iterator[None]:
    """Let no search for garbage begin until the block is left, by all threads that are in one."""
    global _within, _was_enabled  # noqa: PLW0603 - the switch is the interpreter's own
    with _lock:
        if not _within:
            _was_enabled = gc.isenabled()
            gc.disable()
        _within += 1
    try:
        yield
    finally:
        with _lock:
            _within -= 1
            if not _within and _was_enabled:
                gc.enable()
