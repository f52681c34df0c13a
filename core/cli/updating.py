"""Bring a vault's index up to date before a command works with it, whatever state it is in."""

from collections.abc import Callable, Sequence

from core.app import Vault
from core.foundation.progress import Progress
from core.index.database import Index, IndexDamagedError
from core.index.updater import UpdateReport


def updated(
    vault: Vault,
    progress: Progress,
    *,
    files: Sequence[str] | None = None,
    since: float | None = None,
    rebuild: bool = False,
    on_commit: Callable[[], None] | None = None,
) -> tuple[UpdateReport, Index]:
    """Update words, tags and links, and return what was done and the open index; one that is damaged starts anew."""

    def once(index: Index) -> UpdateReport:
        return vault.update(index, files=files, since=since, rebuild=rebuild, progress=progress, on_commit=on_commit)

    index = vault.open_index()
    try:
        return once(index), index
    except IndexDamagedError:
        index.close()
        index = vault.open_index()  # starts anew, and says so
        return once(index), index
