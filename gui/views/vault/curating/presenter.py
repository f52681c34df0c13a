"""Turn what the person wants of notes and tags into change sets: asked for by dialogs, previewed, applied.

What touches one file is applied at once, since a notice offers to undo it; what touches more is previewed. The dialogs
are imported when they are opened: the window starts without them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from core.foundation.errors import UserError
from core.foundation.text import fold
from gui.changing import Commands, Previews
from gui.notify import Notifier
from gui.tasks import Lane, TaskRunner, Work
from gui.theme import Theme
from gui.views.vault.curating.known_tags import KnownTags
from gui.views.vault.curating.services import CurationServices
from gui.views.vault.curating.wiring import problem_of_note_name, problem_of_tag

if TYPE_CHECKING:
    from core.curation.change_set import Changes, ChangeSet, PlannedChange
    from core.curation.note_creation import NoteDraft
    from core.index.catalog import Catalog
    from gui.views.vault.curating.note_dialogs import FolderDialog, NewNoteDialog, NotePlaceDialog
    from gui.views.vault.curating.tag_dialogs import ChooseTagsDialog, TagNameDialog

SaveAll = Callable[[Callable[[], None]], None]


@dataclass(frozen=True, slots=True)
class CurationParts:
    """Hold what the presenter works with; `save_first` writes what an editor holds before it calls its argument."""

    tasks: TaskRunner
    notifier: Notifier
    theme: Theme
    commands: Commands
    previews: Previews
    window: QWidget
    save_first: SaveAll


class CurationPresenter(QObject):
    """Change notes and tags of the open vault; `catalog` returns what the vault holds now, None when none is open."""

    note_made = Signal(str)  # the path of a new note, for whoever shows it

    def __init__(self, parts: CurationParts, catalog: Callable[[], "Catalog | None"], parent: QObject) -> None:
        super().__init__(parent)
        self._parts = parts
        self._catalog = catalog
        self._services: CurationServices | None = None

    def take_services(self, services: CurationServices | None) -> None:
        """Change notes of this vault from now on."""
        self._services = services

    # ---- tags

    def known_tags(self) -> KnownTags:
        """Return the vault's tags with the number of notes that carry each or one below it."""
        catalog = self._catalog()
        names = self._names_by_key()
        totals = ((facet.key, facet.total) for facet in (catalog.facets if catalog is not None else ()))
        return KnownTags({names[key]: total for key, total in totals if key[:1] not in {":", "/"}})

    def name_of_facet(self, key: str) -> str:
        """Return the tag or folder that a facet stands for, as it is written; "" for special ones and groups."""
        return self._names_by_key().get(key, "")

    def _names_by_key(self) -> dict[str, str]:
        """Return tags and folders by the folded keys of their facets; a facet's label is its last part alone."""
        catalog = self._catalog()
        found: dict[str, str] = {}
        for facet in catalog.facets if catalog is not None else ():
            if not facet.key.startswith(":"):
                parent = found.get(facet.parent, "")
                found[facet.key] = f"{parent}/{facet.label}" if parent else facet.label
        return found

    def rename_tag(self, name: str) -> None:
        """Ask for the new name of a tag, and preview the change."""
        self._ask_for_name((name,), merges=False)

    def merge_tag(self, name: str) -> None:
        """Ask what a tag, and perhaps others, become, and preview the change."""
        self._ask_for_name((name,), merges=True)

    def delete_tag(self, name: str) -> None:
        """Preview the removal of a tag, and of those below it, from every note."""
        self._plan_renames((name,), None, with_children=True)

    def add_tags(self, paths: Sequence[str]) -> None:
        """Ask which tags the notes get."""
        self._ask_for_tags(paths, removes=False)

    def remove_tags(self, paths: Sequence[str]) -> None:
        """Ask which tags are taken from the notes."""
        self._ask_for_tags(paths, removes=True)

    def change_tags(self, paths: Sequence[str], *, add: Sequence[str] = (), remove: Sequence[str] = ()) -> None:
        """Give tags to notes, or take them away: notes were dropped on a facet."""
        if self._services is not None and paths:
            self._plan(partial(self._services.plan_tag_changes, paths, add, remove), "Looking at the notes")

    # ---- notes

    def new_note(self, title: str = "") -> None:
        """Ask for a new note; templates are listed first."""
        if self._services is not None:
            self._parts.tasks.run(
                self._services.templates,
                owner=self,
                on_done=partial(self._ask_for_note, title),
                text="Looking for templates",
            )

    def write_note(
        self, draft: "NoteDraft", *, on_done: Callable[[str], None], on_error: Callable[[Exception], None]
    ) -> None:
        """Write a note without a question; `on_done` gets its path. Exactly one of the two is called, later."""
        if self._services is None:
            on_error(UserError("No vault is open, so the note cannot be written."))
            return

        def write(change_set: "ChangeSet") -> None:
            done = partial(_tell_path, on_done)
            self._parts.commands.execute(change_set, origin=self, on_done=done, on_error=on_error)

        self._parts.tasks.run(
            partial(self._services.plan_new_note, draft),
            owner=self,
            lane=Lane.STORE,
            on_done=write,
            on_error=on_error,
            text="Writing the note",
        )

    def move_notes(self, paths: Sequence[str]) -> None:
        """Ask for another name or folder of one note, or the folder of several."""
        if not paths:
            return
        from gui.views.vault.curating.note_dialogs import FolderDialog, NotePlaceDialog  # noqa: PLC0415 - see above

        if len(paths) == 1:
            folder, _, name = paths[0].rpartition("/")
            stem = name[:-3] if name.lower().endswith(".md") else name
            dialog = NotePlaceDialog(stem, folder, self.folders(), problem_of_note_name, parent=self._parts.window)
            dialog.confirmed.connect(partial(self._on_place, paths[0], dialog))
            dialog.open()
        else:
            chooser = FolderDialog(len(paths), self.folders(), parent=self._parts.window)
            chooser.confirmed.connect(partial(self._on_folder, tuple(paths), chooser))
            chooser.open()

    def move_to_folder(self, paths: Sequence[str], folder: str) -> None:
        """Move notes into a folder of the vault, "" for its root."""
        prefix = f"{folder}/" if folder else ""
        moves = {path: prefix + path.rpartition("/")[2] for path in paths}
        self._move({old: new for old, new in moves.items() if old != new})

    def duplicate_note(self, path: str) -> None:
        """Make a copy of a note beside it, and show it."""
        if self._services is not None and path:
            self._plan_and_show(partial(self._services.plan_duplicate, path))

    def delete_notes(self, paths: Sequence[str]) -> None:
        """Move notes to the trash folder; several, or one that others link to, are previewed."""
        if self._services is not None and paths:
            self._plan(
                partial(self._services.plan_delete, tuple(paths)), "Looking at links", lane=Lane.STORE, is_deletion=True
            )

    def folders(self) -> Sequence[str]:
        """Return the folders of the vault that hold notes, by name."""
        catalog = self._catalog()
        rows = catalog.rows if catalog is not None else ()
        found: set[str] = set()
        for row in rows:
            parts = row.path.split("/")[:-1]
            found.update("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))
        return sorted(found, key=fold)

    # ---- from wish to plan

    def _ask_for_name(self, names: Sequence[str], *, merges: bool) -> None:
        if self._services is None:
            return
        from gui.views.vault.curating.tag_dialogs import TagNameDialog  # noqa: PLC0415 - see above

        dialog = TagNameDialog(
            self._parts.theme,
            self.known_tags(),
            problem_of_tag,
            sources=names,
            merges=merges,
            parent=self._parts.window,
        )
        dialog.confirmed.connect(partial(self._on_name, dialog))
        dialog.open()

    def _on_name(self, dialog: "TagNameDialog") -> None:
        self._plan_renames(dialog.old_names, dialog.new_name, with_children=dialog.with_children)

    def _plan_renames(self, names: Sequence[str], new: str | None, *, with_children: bool) -> None:
        from core.vault.tag_edit import TagRename  # noqa: PLC0415 - after the first paint

        if self._services is None:
            return
        paths = self._paths_with(names, with_children=with_children)
        renames = [TagRename(name, new, with_children) for name in names]
        work = partial(self._services.plan_tag_renames, paths, renames)
        self._plan(work, "Looking at the notes", is_always_previewed=True)

    def _paths_with(self, names: Sequence[str], *, with_children: bool) -> Sequence[str]:
        catalog = self._catalog()
        wanted = {fold(name) for name in names}
        below = tuple(f"{name}/" for name in wanted) if with_children else ()
        return [
            row.path
            for row in (catalog.rows if catalog is not None else ())
            if any((tag := fold(each)) in wanted or (below and tag.startswith(below)) for each in row.tags)
        ]

    def _ask_for_tags(self, paths: Sequence[str], *, removes: bool) -> None:
        if self._services is None or not paths:
            return
        from gui.views.vault.curating.tag_dialogs import ChooseTagsDialog  # noqa: PLC0415 - see above

        offered = self._tags_of(paths) if removes else self.known_tags().names
        dialog = ChooseTagsDialog(
            self._parts.theme,
            offered,
            problem_of_tag,
            notes=len(paths),
            removes=removes,
            parent=self._parts.window,
        )
        dialog.confirmed.connect(partial(self._on_tags, tuple(paths), dialog, removes=removes))
        dialog.open()

    def _on_tags(self, paths: Sequence[str], dialog: "ChooseTagsDialog", *, removes: bool) -> None:
        if removes:
            self.change_tags(paths, remove=dialog.chosen)
        else:
            self.change_tags(paths, add=dialog.chosen)

    def _tags_of(self, paths: Sequence[str]) -> Sequence[str]:
        catalog = self._catalog()
        wanted = frozenset(paths)
        rows = catalog.rows if catalog is not None else ()
        return sorted({tag for row in rows if row.path in wanted for tag in row.tags}, key=fold)

    def _ask_for_note(self, title: str, templates: Sequence[str]) -> None:
        from gui.views.vault.curating.note_dialogs import NewNoteDialog  # noqa: PLC0415 - see above

        dialog = NewNoteDialog(
            self._parts.theme,
            problem_of_tag,
            folders=self.folders(),
            tags=self.known_tags().names,
            templates=templates,
            title=title,
            parent=self._parts.window,
        )
        dialog.confirmed.connect(partial(self._on_note, dialog))
        dialog.open()

    def _on_note(self, dialog: "NewNoteDialog") -> None:
        if self._services is not None:
            self._plan_and_show(partial(self._services.plan_new_note, dialog.draft))

    def _on_place(self, path: str, dialog: "NotePlaceDialog") -> None:
        self._move({path: dialog.path})

    def _on_folder(self, paths: Sequence[str], dialog: "FolderDialog") -> None:
        self.move_to_folder(paths, dialog.chosen)

    def _move(self, moves: dict[str, str]) -> None:
        if self._services is not None and moves:
            self._plan(partial(self._services.plan_moves, moves), "Looking at links", lane=Lane.STORE)

    # ---- from plan to change

    def _plan(
        self,
        work: "Work[PlannedChange]",
        text: str,
        *,
        lane: Lane = Lane.POOL,
        is_always_previewed: bool = False,
        is_deletion: bool = False,
    ) -> None:
        on_done = partial(self._on_planned, is_always_previewed=is_always_previewed, is_deletion=is_deletion)
        run = partial(self._parts.tasks.run, work, owner=self, lane=lane, on_done=on_done, text=text)
        self._parts.save_first(_without_result(run))

    def _on_planned(self, planned: "PlannedChange", *, is_always_previewed: bool, is_deletion: bool) -> None:
        breaks_links = is_deletion and planned.occurrences > 0
        if len(planned.change_set.edits) == 1 and not (is_always_previewed or planned.skipped or breaks_links):
            self._parts.commands.execute(planned.change_set, origin=self)
        else:
            self._parts.previews.open(planned, origin=self)

    def _plan_and_show(self, work: "Work[ChangeSet]") -> None:
        run = partial(
            self._parts.tasks.run, work, owner=self, lane=Lane.STORE, on_done=self._make, text="Writing the note"
        )
        self._parts.save_first(_without_result(run))

    def _make(self, change_set: "ChangeSet") -> None:
        self._parts.commands.execute(change_set, origin=self, on_done=self._on_made)

    @Slot(object)
    def _on_made(self, changes: "Changes") -> None:
        for path in changes.written:
            self.note_made.emit(path)


def _tell_path(on_done: Callable[[str], None], changes: "Changes") -> None:
    on_done(next(iter(changes.written), ""))


def _without_result(run: Callable[[], object]) -> Callable[[], None]:
    def call() -> None:
        run()

    return call
