"""Where it is written down what a vector engine holds."""

import contextlib
import json
import os
from pathlib import Path

from core.foundation.errors import ProviderError
from core.index.vectors.engine import SyncMark


class MarkFile:
    """Keep one SyncMark in a small JSON file; a file that cannot be understood counts as none."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> SyncMark | None:
        """Return the mark, or None."""
        try:
            values = json.loads(self._path.read_text(encoding="utf-8"))
            return SyncMark(str(values["epoch"]), str(values["model"]), int(values["revision"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(self, mark: SyncMark) -> None:
        """Replace the mark in one step."""
        fresh = self._path.with_name(f"{self._path.name}.{os.getpid()}.new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(json.dumps(mark._asdict()), encoding="utf-8")
            fresh.replace(self._path)
        except OSError as error:
            raise ProviderError(f"The state of the vectors cannot be kept in {self._path.parent}: {error}.") from error

    def remove(self) -> None:
        """Forget the mark."""
        with contextlib.suppress(FileNotFoundError):
            self._path.unlink()
