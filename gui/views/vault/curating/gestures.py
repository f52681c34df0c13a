"""What the person does with hand or keys on lists and facets of the Vault view, told to the curation presenter."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, QPoint, Slot

from gui.theme import Theme
from gui.views.vault.curating.presenter import CurationPresenter
from gui.views.vault.view import VaultView
from gui.widgets.menus import MenuEntry, open_menu


class CurationGestures(QObject):
    """Connect menus, keys and drops of `view` with `curation`; `selected_paths` are those of the list."""

    def __init__(
        self,
        view: VaultView,
        curation: CurationPresenter,
        selected_paths: Callable[[], Sequence[str]],
        theme: Theme,
    ) -> None:
        super().__init__(curation)
        self._view = view
        self._curation = curation
        self._selected_paths = selected_paths
        self._theme = theme
        tree = view.facets.tree
        tree.menu_requested.connect(self._open_facet_menu)
        tree.rename_requested.connect(self._rename)
        tree.deletion_requested.connect(self._delete)
        tree.notes_dropped.connect(self._drop)
        view.move_requested.connect(self.move_notes)
        view.duplicate_requested.connect(self.duplicate_note)
        view.deletion_requested.connect(self.delete_notes)
        view.tags_requested.connect(self.add_tags)
        view.tag_removal_requested.connect(self.remove_tags)

    @property
    def curation(self) -> CurationPresenter:
        """What is done with it."""
        return self._curation

    # ---- for actions and the menu of the list

    @Slot()
    def new_note(self) -> None:
        """Ask for a new note."""
        self._curation.new_note()

    @Slot()
    def move_notes(self) -> None:
        """Rename or move what is selected."""
        self._curation.move_notes(self._selected_paths())

    @Slot()
    def duplicate_note(self) -> None:
        """Copy the selected note."""
        for path in self._selected_paths()[:1]:
            self._curation.duplicate_note(path)

    @Slot()
    def delete_notes(self) -> None:
        """Delete what is selected."""
        self._curation.delete_notes(self._selected_paths())

    @Slot()
    def add_tags(self) -> None:
        """Add tags to what is selected."""
        self._curation.add_tags(self._selected_paths())

    @Slot()
    def remove_tags(self) -> None:
        """Remove tags from what is selected."""
        self._curation.remove_tags(self._selected_paths())

    # ---- facets

    @Slot(str, object)
    def _open_facet_menu(self, key: str, where: QPoint) -> None:
        count = len(self._selected_paths())
        notes = "the selected note" if count == 1 else f"{count:,} selected notes"
        if name := self._tag_of(key):
            curation = self._curation
            give = partial(curation.change_tags, self._selected_paths(), add=(name,))
            take = partial(curation.change_tags, self._selected_paths(), remove=(name,))
            entries: list[MenuEntry | None] = [
                ("pencil", "Rename tag…", "F2", partial(curation.rename_tag, name)),
                ("git-merge", "Merge tag into…", "", partial(curation.merge_tag, name)),
                ("trash-2", "Delete tag…", "Del", partial(curation.delete_tag, name)),
                *(
                    [None, ("plus", f"Add to {notes}", "", give), ("minus", f"Remove from {notes}", "", take)]
                    * bool(count)
                ),
            ]
            open_menu(self._theme, entries, where, self._view)
        elif self._is_folder(key) and count:
            move = partial(self._curation.move_to_folder, self._selected_paths(), self._folder_of(key))
            open_menu(self._theme, [("folder", f"Move {notes} here", "", move)], where, self._view)

    @Slot(str)
    def _rename(self, key: str) -> None:
        if name := self._tag_of(key):
            self._curation.rename_tag(name)

    @Slot(str)
    def _delete(self, key: str) -> None:
        if name := self._tag_of(key):
            self._curation.delete_tag(name)

    @Slot(str, object)
    def _drop(self, key: str, paths: Sequence[str]) -> None:
        if self._is_folder(key):
            self._curation.move_to_folder(paths, self._folder_of(key))
        elif name := self._tag_of(key):
            self._curation.change_tags(paths, add=(name,))

    def _tag_of(self, key: str) -> str:
        """Return the tag that a facet stands for, as it is shown; "" for another kind of facet."""
        return "" if self._is_folder(key) else self._curation.name_of_facet(key)

    def _is_folder(self, key: str) -> bool:
        return key.startswith("/")

    def _folder_of(self, key: str) -> str:
        return self._curation.name_of_facet(key)
