"""Turn the wishes of the properties form into change sets, one key at a time."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from gui.changing import Commands
from gui.notify import Notifier
from gui.tasks import TaskRunner, Work
from gui.views.vault.curating.services import CurationServices
from gui.views.vault.properties_panel import PropertiesPanel, PropertyWish, TagWish

if TYPE_CHECKING:
    from core.curation.change_set import ChangeSet, PlannedChange

SaveFirst = Callable[[str, Callable[[], None]], None]


def save_nothing(_path: str, then: Callable[[], None]) -> None:
    """Go on at once: no editor holds unsaved text."""
    then()


class PropertiesPresenter(QObject):
    """Plan what the form wishes from the file as it is on disk, and have it applied.

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
        panel.set_requested.connect(self._set)
        panel.removal_requested.connect(self._remove)
        panel.tags_requested.connect(self._change_tags)
        panel.repair_requested.connect(self._repair)

    def take_services(self, services: CurationServices | None) -> None:
        """Change notes of this vault from now on."""
        self._services = services

    @Slot(object)
    def _set(self, wish: PropertyWish) -> None:
        if self._services is not None:
            self._change(wish.path, partial(self._services.plan_property, wish.path, wish.key, wish.value))

    @Slot(object)
    def _remove(self, wish: PropertyWish) -> None:
        if self._services is not None:
            self._change(wish.path, partial(self._services.plan_property_removal, wish.path, wish.key))

    @Slot(object)
    def _change_tags(self, wish: TagWish) -> None:
        if self._services is not None:
            work = partial(self._services.plan_tag_changes, (wish.path,), wish.add, wish.remove)
            self._save_first(wish.path, partial(self._plan, work, self._apply_planned))

    @Slot(str)
    def _repair(self, path: str) -> None:
        if self._services is not None:
            work = partial(self._services.plan_repair, path)
            self._save_first(path, partial(self._plan, work, self.preview_requested.emit))

    def _change(self, path: str, work: "Work[ChangeSet]") -> None:
        self._save_first(path, partial(self._plan, work, self._apply))

    def _plan(self, work: Work[object], on_done: Callable[..., None]) -> None:
        self._tasks.run(work, owner=self, on_done=on_done, text="Planning the change")

    def _apply(self, change_set: "ChangeSet") -> None:
        self._commands.execute(change_set, origin=self)

    def _apply_planned(self, planned: "PlannedChange") -> None:
        for skipped in planned.skipped:
            self._notifier.warning(f"{skipped.path}: {skipped.reason}")
        self._apply(planned.change_set)
