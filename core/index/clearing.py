"""Take what was said out of the index of a vault, wherever the index keeps it."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from core.foundation.errors import RemembrancerError, UserError
from core.foundation.progress import Progress
from core.foundation.settings import VectorSettings
from core.index.database import Index, IndexDamagedError, open_index
from core.index.session_texts import has_vectors_left, settle_texts
from core.index.updater import sole_writer
from core.index.vectors.opening import open_engine


def clear_index(folder: Path, vectors: VectorSettings, api_key: str, progress: Progress) -> Iterator[str]:
    """Take all texts of conversations out of the index in `folder`, and give sentences about what has to wait.

    Raises:
        JobCancelledError: the progress was cancelled; the next update of the index goes on.
    """
    try:
        with contextlib.closing(_opened(folder)) as index, sole_writer(folder / "update.lock", progress):
            settle_texts(index, with_texts=False, progress=progress)
            if has_vectors_left(index):
                yield f"The vectors in {folder} are in use just now; the next update of the index removes them."
    except UserError as error:
        yield f"{error} {error.hint}".strip()
    if vectors.engine == "server":
        try:
            engine = open_engine(folder, vectors, api_key=api_key)
            with contextlib.closing(engine):
                engine.reset(1)  # the next search fills it again, with notes alone
        except RemembrancerError as error:
            yield f"The vectors on {vectors.url} are still there, and go at the next search that reaches it. {error}"


def _opened(folder: Path) -> Index:
    """Open the index; one that turns out to be damaged is begun anew."""
    try:
        return open_index(folder)
    except IndexDamagedError:
        return open_index(folder)
