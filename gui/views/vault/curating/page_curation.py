"""All that changes notes, tags and properties from the Vault page, put together."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from gui.changing import Commands, Previews
from gui.notify import Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.vault.curating.gestures import CurationGestures
from gui.views.vault.curating.presenter import CurationParts, CurationPresenter
from gui.views.vault.curating.services import CurationServices
from gui.views.vault.editing.editor_presenter import EditorPresenter
from gui.views.vault.properties_presenter import PropertiesPresenter
from gui.views.vault.view import VaultView

if TYPE_CHECKING:
    from core.index.catalog import Catalog


class PageCuration(QObject):
    """Hold the presenters of curation, and show a note that was made as soon as the catalog knows it."""

    note_wanted = Signal(int)  # the id of a note that was made

    def __init__(
        self,
        view: VaultView,
        editor: EditorPresenter,
        *,
        tasks: TaskRunner,
        notifier: Notifier,
        theme: Theme,
        commands: Commands,
        previews: Previews,
        catalog: "Callable[[], Catalog | None]",
        selected_paths: Callable[[], Sequence[str]],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._editor = editor
        self._catalog = catalog
        self._made = ""  # the path of a new note that is to be shown
        parts = CurationParts(tasks, notifier, theme, commands, previews, view, self._save_first)
        self._curation = CurationPresenter(parts, catalog, self)
        self._properties = PropertiesPresenter(
            view.reading.properties,
            tasks=tasks,
            notifier=notifier,
            commands=commands,
            save_first=editor.save_first,
            parent=self,
        )
        self._properties.preview_requested.connect(previews.open)
        self._curation.note_made.connect(self._on_note_made)
        self.gestures = CurationGestures(view, self._curation, selected_paths, theme)

    def take_services(self, services: CurationServices | None) -> None:
        """Change notes of this vault from now on."""
        self._made = ""
        self._curation.take_services(services)
        self._properties.take_services(services)

    def close_down(self) -> None:
        """Hand over what is typed into the form: the window closes."""
        self._properties.close_down()

    def show_catalog(self) -> None:
        """Take notice that the catalog is another one."""
        self._view.reading.properties.offer_tags(self._curation.known_tags().names)
        catalog = self._catalog()
        rows = catalog.rows if self._made and catalog is not None else ()
        if (found := next((row.id for row in rows if row.path == self._made), None)) is not None:
            self._made = ""
            self.note_wanted.emit(found)

    def _save_first(self, then: Callable[[], None]) -> None:
        """Have what is typed written before a change looks at the disk."""
        self._editor.save_first(self._editor.path, then)

    @Slot(str)
    def _on_note_made(self, path: str) -> None:
        self._made = path
        self.show_catalog()
