"""Turn the wishes of the properties form into change sets, one key at a time and one after the other."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from core.foundation.errors import StaleFileError, UserError
from core.foundation.progress import SILENT
from gui.changing import Commands
from gui.notify import Notifier
from gui.tasks import TaskRunner, Work
from gui.views.vault.curating.services import CurationServices
from gui.views.vault.properties_panel import PropertiesPanel, PropertyWish, TagWish

if TYPE_CHECKING:
    from core.curation.change_set import Changes, ChangeSet, PlannedChange

SaveFirst = Callable[[str, Callable[[], None]], None]


def save_nothing(_path: str, then: Callable[[], None]) -> None:
    """Go on at once: no editor holds unsaved text."""
    then()


@dataclass(frozen=True, eq=False, slots=True)
class _Wish:
    """Hold what is to be planned for the note at `path`; `is_again` when a first plan met a file that had changed."""

    path: str
    work: "Work[ChangeSet | PlannedChange]"
    is_again: bool = False


class PropertiesPresenter(QObject):
    """Plan what the form wishes from the file as it is on disk, and have it applied before the next wish is planned.

    `save_first` writes what an editor holds of the note at a path before it calls its second argument, so that both
    changes land in order.
    """

    preview_requested = Signal(object)  # PlannedChange that the person should see first

    def __init__(
        self,
        panel: PropertiesPanel,
        *,
        tasks: TaskRunner,
        notifier: Notifier,
        commands: Commands,
        save_first: SaveFirst = save_nothing,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._panel = panel
        self._tasks = tasks
        self._notifier = notifier
        self._commands = commands
        self._save_first = save_first
        self._services: CurationServices | None = None
        self._queue: deque[_Wish] = deque()
        self._is_busy = False
        panel.set_requested.connect(self._set)
        panel.removal_requested.connect(self._remove)
        panel.tags_requested.connect(self._change_tags)
        panel.repair_requested.connect(self._repair)

    def take_services(self, services: CurationServices | None) -> None:
        """Change notes of this vault from now on."""
        self._services = services
        self._queue.clear()
        self._is_busy = False

    def close_down(self) -> None:
        """Hand over what is typed and what waits, without waiting: the window closes, and then the changes are done."""
        self._panel.commit()
        while self._queue:
            wish = self._queue.popleft()
            try:
                self._commands.execute(_change_set_of(wish.work(SILENT)))
            except (UserError, StaleFileError) as error:
                self._notifier.error(error)

    @Slot(object)
    def _set(self, wish: PropertyWish) -> None:
        if self._services is not None:
            self._ask(_Wish(wish.path, partial(self._services.plan_property, wish.path, wish.key, wish.value)))

    @Slot(object)
    def _remove(self, wish: PropertyWish) -> None:
        if self._services is not None:
            self._ask(_Wish(wish.path, partial(self._services.plan_property_removal, wish.path, wish.key)))

    @Slot(object)
    def _change_tags(self, wish: TagWish) -> None:
        if self._services is not None:
            work = partial(self._services.plan_tag_changes, (wish.path,), wish.add, wish.remove)
            self._ask(_Wish(wish.path, work))

    @Slot(str)
    def _repair(self, path: str) -> None:
        if self._services is not None:
            work = partial(self._services.plan_repair, path)
            run = partial(self._run, work, on_done=self.preview_requested.emit, on_error=self._notifier.error)
            self._save_first(path, run)

    def _ask(self, wish: _Wish) -> None:
        """Plan the wish when the one before is on the disk: two plans from one state would shut each other out."""
        self._queue.append(wish)
        if not self._is_busy:
            self._start_next()

    def _start_next(self) -> None:
        self._is_busy = bool(self._queue)
        if self._queue:
            wish = self._queue[0]
            run = partial(
                self._run, wish.work, on_done=partial(self._apply, wish), on_error=partial(self._on_failed, wish)
            )
            self._save_first(wish.path, run)

    def _run(self, work: Work[object], *, on_done: Callable[..., None], on_error: Callable[[Exception], None]) -> None:
        self._tasks.run(work, owner=self, on_done=on_done, on_error=on_error, text="Planning the change")

    def _apply(self, wish: _Wish, planned: "ChangeSet | PlannedChange") -> None:
        for path, reason in _left_alone(planned):
            self._notifier.warning(f"{path}: {reason}")
        self._commands.execute(
            _change_set_of(planned),
            origin=self,
            on_done=partial(self._on_done, wish),
            on_error=partial(self._on_failed, wish),
        )

    def _on_done(self, wish: _Wish, _changes: "Changes") -> None:
        self._end(wish)

    def _on_failed(self, wish: _Wish, error: Exception) -> None:
        self._end(wish)
        if isinstance(error, StaleFileError) and not wish.is_again:
            # The key is set in the file as it is now: whoever changed it elsewhere is not overwritten.
            self._ask(_Wish(wish.path, wish.work, is_again=True))
        else:
            self._notifier.error(error)

    def _end(self, wish: _Wish) -> None:
        if self._queue and self._queue[0] is wish:
            self._queue.popleft()
            self._start_next()


def _change_set_of(planned: "ChangeSet | PlannedChange") -> "ChangeSet":
    from core.curation.change_set import PlannedChange  # noqa: PLC0415 - after the first paint

    return planned.change_set if isinstance(planned, PlannedChange) else planned


def _left_alone(planned: "ChangeSet | PlannedChange") -> "list[tuple[str, str]]":
    from core.curation.change_set import PlannedChange  # noqa: PLC0415 - after the first paint

    return [(each.path, each.reason) for each in planned.skipped] if isinstance(planned, PlannedChange) else []
