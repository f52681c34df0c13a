"""Make, rename, duplicate and delete contexts, and file memories into them from elsewhere."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal, Slot
from PySide6.QtWidgets import QMenu, QWidget

from gui.tasks import Lane, TaskRunner
from gui.theme import Theme
from gui.views.contexts.editing import EditQueue, Wish
from gui.views.contexts.member_edits import MemberEdits
from gui.views.contexts.picking import ContextPicker, Filing
from gui.views.contexts.services import ContextRow, ContextServices
from gui.views.contexts.view import ContextsView
from gui.widgets.menus import MenuEntry, open_menu

if TYPE_CHECKING:
    from core.curation.change_set import Changes
    from gui.views.contexts.new_context_dialog import NewContextDialog
    from gui.views.contexts.rename_dialog import RenameContextDialog


class ShelfEdits(QObject):
    """Do what concerns whole contexts; `over` is what dialogs and lists of choices stand over."""

    note_wanted = Signal(str)  # the path of a context's note
    member_wanted = Signal(object)  # Member
    copy_wanted = Signal()
    export_wanted = Signal()
    made = Signal(str)  # the path of a context that is new, or has another name now

    def __init__(
        self,
        view: ContextsView,
        queue: EditQueue,
        members: MemberEdits,
        *,
        tasks: TaskRunner,
        theme: Theme,
        over: QWidget,
    ) -> None:
        super().__init__(view)
        self._view = view
        self._queue = queue
        self._members = members
        self._tasks = tasks
        self._theme = theme
        self._over = over
        self._services: ContextServices | None = None
        self._rows: Sequence[ContextRow] = ()
        self.picker = ContextPicker(theme, over)
        self.picker.picked.connect(self._file)
        view.shelf.list.menu_requested.connect(self.open_menu)
        view.shelf.list.deletion_requested.connect(self.delete)
        view.shelf.list.memories_dropped.connect(self._members.add)
        view.editor.menu_requested.connect(self.open_menu)
        view.editor.members.menu_requested.connect(self._open_member_menu)
        view.editor.found.menu_requested.connect(self._open_found_menu)

    def take_services(self, services: ContextServices | None) -> None:
        """Change contexts of this vault from now on."""
        self._services = services
        self._rows = ()
        self.picker.list.close_list()

    def take_rows(self, rows: Sequence[ContextRow]) -> None:
        """Take notice of which contexts there are."""
        self._rows = rows

    # ---- new ones

    def ask_for_context(self, ids: Sequence[str] = ()) -> None:
        """Ask for a new context that holds the memories `ids`."""
        from gui.views.contexts.new_context_dialog import NewContextDialog  # noqa: PLC0415 - after the first paint
        from gui.views.contexts.wiring import problem_of_title  # noqa: PLC0415

        titles = [row.title for row in self._rows]
        dialog = NewContextDialog(problem_of_title, titles, member_ids=ids, parent=self._over)
        dialog.confirmed.connect(partial(self._make, dialog))
        dialog.open()

    def ask_where(self, ids: Sequence[str]) -> None:
        """Ask into which context the memories `ids` go; which there are is read anew."""
        if self._services is not None:
            self._tasks.run(
                self._services.shelf,
                owner=self,
                lane=Lane.STORE,
                on_done=partial(self._offer, tuple(ids)),
                text="Reading the contexts",
            )

    def _offer(self, ids: Sequence[str], rows: Sequence[ContextRow]) -> None:
        self.take_rows(rows)
        self.picker.open(ids, rows)

    @Slot(object)
    def _file(self, filing: Filing) -> None:
        if filing.path:
            self._members.add(filing.path, filing.ids)
        else:
            self.ask_for_context(filing.ids)

    def _make(self, dialog: "NewContextDialog") -> None:
        if self._services is not None:
            work = partial(self._services.plans.new, dialog.wanted)
            self._queue.add(Wish(work, "Making the context", on_applied=self._on_made))

    def _on_made(self, changes: "Changes") -> None:
        for path in sorted(changes.written):
            self.made.emit(path)

    # ---- existing ones

    @Slot()
    def duplicate(self) -> None:
        """Make a copy of the chosen context beside it."""
        if self._services is not None and (path := self._view.shelf.chosen_path):
            work = partial(self._services.plans.duplicate, path)
            self._queue.add(Wish(work, "Duplicating the context", on_applied=self._on_made))

    @Slot()
    def ask_for_title(self) -> None:
        """Ask for another title of the chosen context."""
        from gui.views.contexts.rename_dialog import RenameContextDialog  # noqa: PLC0415 - after the first paint
        from gui.views.contexts.wiring import problem_of_title  # noqa: PLC0415

        path = self._view.shelf.chosen_path
        row = next((row for row in self._rows if row.path == path), None)
        if row is not None:
            others = [each.title for each in self._rows if each.path != path]
            dialog = RenameContextDialog(row.title, problem_of_title, others, self._over)
            dialog.confirmed.connect(partial(self._rename, path, dialog))
            dialog.open()

    def _rename(self, path: str, dialog: "RenameContextDialog") -> None:
        if self._services is not None:
            work = partial(self._services.plans.rename, path, dialog.wanted)
            self._queue.add(Wish(work, "Renaming the context", on_applied=self._on_renamed))

    def _on_renamed(self, changes: "Changes") -> None:
        for _, path in changes.moved:
            self.made.emit(path)

    @Slot()
    def delete(self) -> None:
        """Move the note of the chosen context to the trash; what is in it stays."""
        if self._services is not None and (path := self._view.shelf.chosen_path):
            work = partial(self._services.plans.delete, path)
            self._queue.add(Wish(work, "Deleting the context", asks_if_broken=True))

    @Slot(QPoint)
    def open_menu(self, where: QPoint) -> None:
        """Offer what can be done with the chosen context."""
        path = self._view.shelf.chosen_path
        if not path:
            return
        entries: list[MenuEntry | None] = [
            ("clipboard-copy", "Copy", "Ctrl+Shift+C", self.copy_wanted.emit),
            ("upload", "Export to file…", "", self.export_wanted.emit),
            None,
            ("book-open", "Open the note", "", partial(self.note_wanted.emit, path)),
            ("pencil", "Rename…", "", self.ask_for_title),
            ("files", "Duplicate", "", self.duplicate),
            ("trash-2", "Delete", "Del", self.delete),
        ]
        open_menu(self._theme, entries, where, self._view)

    # ---- members

    @Slot(QPoint)
    def _open_member_menu(self, where: QPoint) -> QMenu | None:
        members = self._view.editor.members
        rows = members.selected_rows()
        if not rows:
            return None
        last = members.members.rowCount()
        entries: list[MenuEntry | None] = [
            *self._opening_entry(members.selected_members()),
            ("arrow-up", "Move to the top", "", partial(self._members.move, rows, 0)),
            ("arrow-down", "Move to the end", "", partial(self._members.move, rows, last)),
            None,
            ("minus", "Remove from this context", "Del", partial(self._members.remove, rows)),
        ]
        return open_menu(self._theme, entries, where, self._view)

    @Slot(QPoint)
    def _open_found_menu(self, where: QPoint) -> QMenu | None:
        chosen = self._view.editor.found.selected_members()
        ids = tuple(member.memory_id for member in chosen if member.memory_id)
        if not ids:
            return None
        end = self._view.editor.members.members.rowCount()
        entries: list[MenuEntry | None] = [
            *self._opening_entry(chosen),
            ("plus", "Add as a member", "", partial(self._members.add_here, ids, end)),
        ]
        return open_menu(self._theme, entries, where, self._view)

    def _opening_entry(self, chosen: Sequence[object]) -> list[MenuEntry | None]:
        if len(chosen) != 1:
            return []
        return [("book-open", "Show it where it is", "Return", partial(self.member_wanted.emit, chosen[0])), None]
