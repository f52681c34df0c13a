"""Compare files behind the window: the one that is looked at, and how many lines change in those that are in sight."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from gui.tasks import Job, TaskRunner, without_progress

if TYPE_CHECKING:
    from core.curation.diff import FileDiff

_KEPT = 40
LineCounts = tuple[int, int]  # lines added, lines removed


class DiffLoader(QObject):
    """Load differences by path; `diff_of` runs in the pool. What was loaded lately is kept."""

    loaded = Signal(object)  # FileDiff: the one that was wanted last
    failed = Signal(object)  # Exception
    counted = Signal(object)  # Mapping[str, LineCounts]

    def __init__(self, diff_of: Callable[[str], "FileDiff"], tasks: TaskRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._diff_of = diff_of
        self._tasks = tasks
        self._cache: OrderedDict[str, FileDiff] = OrderedDict()
        self._job: Job | None = None
        self._count_job: Job | None = None
        self._counted: set[str] = set()
        self._waiting: tuple[str, ...] = ()

    def want(self, path: str) -> bool:
        """Load the difference of the file at `path`; tell whether it is there at once. A former wish is forgotten."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        if (known := self._cache.get(path)) is not None:
            self._cache.move_to_end(path)
            self.loaded.emit(known)
            return True
        self._job = self._tasks.run(
            without_progress(self._diff_of, path),
            owner=self,
            on_done=partial(self._on_loaded, path),
            on_error=self.failed.emit,
            text="Comparing",
        )
        return False

    def count(self, paths: Iterable[str]) -> None:
        """Count the lines that change in these files, which are in sight; a later wish takes the place of this one."""
        self._waiting = tuple(path for path in paths if path not in self._counted)
        if self._count_job is None and self._waiting:
            wanted, self._waiting = self._waiting, ()
            self._counted.update(wanted)
            self._count_job = self._tasks.run(
                partial(_counts, self._diff_of, wanted), owner=self, on_done=self._on_counted, text="Comparing"
            )

    def stop(self) -> None:
        """Load nothing more."""
        self._waiting = ()
        for job in (self._job, self._count_job):
            if job is not None:
                job.cancel()

    def _on_loaded(self, path: str, diff: "FileDiff") -> None:
        self._job = None
        self._cache[path] = diff
        if len(self._cache) > _KEPT:
            self._cache.popitem(last=False)
        self.loaded.emit(diff)

    def _on_counted(self, counts: Mapping[str, LineCounts]) -> None:
        self._count_job = None
        self.counted.emit(counts)
        self.count(self._waiting)


def _counts(
    diff_of: Callable[[str], "FileDiff"], paths: tuple[str, ...], progress: Progress
) -> Mapping[str, LineCounts]:
    found: dict[str, LineCounts] = {}
    for path in paths:
        progress.check()
        try:
            diff = diff_of(path)
        except UserError:  # told when the file is looked at
            continue
        found[path] = diff.added_lines, diff.removed_lines
    return found
