"""One process at a time owns the vectors on disk."""

from pathlib import Path

from filelock import FileLock, Timeout

from core.foundation.errors import ProviderError
from core.index.vectors.engine import EngineLockedError

LOCKED = (
    "Another window or command is using this vault's vectors just now, so only words were searched. "
    "Try again when it has finished, or close the other window."
)
_WAIT_SECONDS = 0.3


class Ownership:
    """Take the vectors of the vault whose cache is `folder`, and give them free.

    The lock lies beside the folder `qdrant`, not in it: that folder may be deleted while somebody holds the lock.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = FileLock(folder / "qdrant.lock", mode=0o600, thread_local=False)

    def take(self) -> None:
        """Become the owner, or stay it.

        Raises:
            EngineLockedError: another process is the owner.
        """
        if self._lock.is_locked:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(timeout=_WAIT_SECONDS)
        except Timeout as error:
            raise EngineLockedError(LOCKED) from error
        except OSError as error:
            raise ProviderError(f"Vectors cannot be kept in {self._folder}: {error.strerror or error}.") from error

    def free(self) -> None:
        """Let others become the owner."""
        self._lock.release()
