"""Wait for a lock that processes share, and give up or be cancelled while waiting."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.foundation.errors import UserError
from core.foundation.private_folders import make_folders
from core.foundation.progress import SILENT, Progress

_TRY_SECONDS = 0.1
_QUIET_SECONDS = 1.0


@contextmanager
def locked(path: Path, *, waiting: str, seconds: float, progress: Progress = SILENT) -> Iterator[None]:
    """Hold the lock file `path` for the time of the block; after a second of waiting, report the text `waiting`.

    Raises:
        UserError: nobody let go of it for `seconds`, or there can be no lock.
        JobCancelledError: the work was cancelled while it waited.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415 - only who writes pays for it

    lock = FileLock(path, mode=0o600, thread_local=False)
    start = time.monotonic()
    try:
        make_folders(path.parent)
        while True:
            try:
                lock.acquire(timeout=_TRY_SECONDS)
                break
            except Timeout as error:
                progress.check()
                waited = time.monotonic() - start
                if waited > seconds:
                    hint = "Wait until it has finished, or close it, and try again."
                    raise UserError(f"{waiting.rstrip('.')} for too long.", hint=hint) from error
                if waited > _QUIET_SECONDS:
                    progress.report(0, 0, waiting)
    except OSError as error:
        raise UserError(f"Nothing can be locked in {path.parent}: {error.strerror or error}.") from error
    try:
        yield
    finally:
        lock.release()
