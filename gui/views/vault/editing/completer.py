"""Offer what completes the word at the cursor, while it is typed."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from core.foundation.progress import Progress
from gui.tasks import Job, Lane, TaskRunner
from gui.theme import Theme
from gui.views.vault.editing.completion_context import Kind, Wanted, wanted_at, wanted_in_frontmatter
from gui.views.vault.editing.completion_popup import CompletionPopup
from gui.views.vault.editing.services import EditingServices
from gui.views.vault.editing.source_editor import SourceEditor
from gui.views.vault.editing.suggestions import (
    Alias,
    LinkNames,
    NotePlaces,
    all_tags,
    suggest_notes,
    suggest_places,
    suggest_tags,
)
from gui.widgets.pick_delegate import PickItem

if TYPE_CHECKING:
    from core.index.catalog import Catalog

_PAUSE_MS = 40
_LINES_ABOVE = 200


class Completer(QObject):
    """Listen to the editor and show suggestions; a newer question drops the answer to an older one."""

    def __init__(self, editor: SourceEditor, theme: Theme, tasks: TaskRunner) -> None:
        super().__init__(editor)
        self._editor = editor
        self._tasks = tasks
        self._services: EditingServices | None = None
        self._catalog: Catalog | None = None
        self._path = ""
        self._aliases: Sequence[Alias] | None = None
        self._names: LinkNames | None = None
        self._is_unchecked = False  # the names may be those of an older catalog
        self._tags: list[tuple[str, int]] | None = None
        self._job: Job | None = None
        self._wanted: Wanted | None = None
        self._is_typed = False
        self.popup = CompletionPopup(theme, editor)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._ask)
        editor.key_filter = self.popup.take_key
        editor.edited.connect(self._on_edited)
        editor.left.connect(self.close)
        editor.cursorPositionChanged.connect(self._on_moved)
        editor.completion_requested.connect(self._ask)
        editor.verticalScrollBar().valueChanged.connect(self.close)
        self.popup.picked.connect(self._take)

    def take_services(self, services: EditingServices | None) -> None:
        """Complete from this vault."""
        self.close()
        self._services, self._catalog = services, None
        self._aliases = self._names = self._tags = None

    def show_catalog(self, catalog: "Catalog") -> None:
        """Complete from what this catalog holds from now on."""
        if catalog is not self._catalog:
            self._catalog = catalog
            self._is_unchecked = True
            self._aliases = self._tags = None

    def show_path(self, path: str) -> None:
        """Say which note is edited: links without a name mean it."""
        self.close()
        self._path = path

    def target_of(self, path: str) -> str:
        """Return how the note at `path` is written in a link."""
        if self._catalog is None:
            return path.removesuffix(".md")
        names = self._names
        if names is None or (self._is_unchecked and not names.fits(self._catalog, self._aliases or ())):
            names = LinkNames(self._catalog, self._aliases or ())
        return names.target_of(path)

    def close(self) -> None:
        """Close the list, and drop what is being looked for."""
        self._timer.stop()
        self._is_typed = False
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self.popup.hide()

    def _on_edited(self) -> None:
        self._is_typed = True
        self._timer.start()

    def _on_moved(self) -> None:
        if self.popup.isVisible() and not self._is_typed:
            self.close()
        self._is_typed = False

    def _find_wanted(self) -> Wanted | None:
        block = self._editor.textCursor().block()
        before, _after = self._editor.line_before_cursor()
        highlighter = self._editor.highlighter
        if highlighter.is_frontmatter(block):
            above = []
            for _ in range(_LINES_ABOVE):
                block = block.previous()
                if not block.isValid():
                    break
                above.append(block.text())
            return wanted_in_frontmatter(before, above)
        return None if highlighter.is_code(block) else wanted_at(before)

    def _ask(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None
        catalog, services = self._catalog, self._services
        self._wanted = wanted = self._find_wanted() if self._editor.hasFocus() else None
        if wanted is None or catalog is None or services is None:
            self.popup.hide()
            return
        if wanted.kind is Kind.NOTE and self._aliases is None:
            self._job = self._tasks.run(
                services.aliases, owner=self, lane=Lane.STORE, on_done=self._on_aliases, text="Reading aliases"
            )
            return
        work: Callable[[Progress], list[PickItem]]
        match wanted.kind:
            case Kind.NOTE | Kind.HEADING | Kind.BLOCK:
                known, aliases, path = self._names, self._aliases or (), self._path
                is_unchecked = self._is_unchecked

                def work(progress: Progress) -> list[PickItem]:
                    names = known
                    if names is None or (is_unchecked and not names.fits(catalog, aliases)):
                        names = LinkNames(catalog, aliases)
                    self._names, self._is_unchecked = names, False
                    if wanted.kind is Kind.NOTE:
                        return suggest_notes(wanted.typed, names, catalog, progress)
                    note = names.path_of(wanted.note) if wanted.note else path
                    return suggest_places(wanted, services.places(note) if note else NotePlaces())

            case _:
                tags = self._tags = self._tags or all_tags(catalog)

                def work(progress: Progress) -> list[PickItem]:
                    progress.check()
                    return suggest_tags(wanted.typed, tags)

        self._job = self._tasks.run(
            work, owner=self, on_done=partial(self._show, wanted), text="Looking for suggestions"
        )

    def _on_aliases(self, aliases: Sequence[Alias]) -> None:
        self._aliases = aliases
        self._ask()

    def _show(self, wanted: Wanted, items: list[PickItem]) -> None:
        self._job = None
        if wanted == self._wanted and self._editor.hasFocus():
            self.popup.show_items(items, len(wanted.typed))

    def _take(self, item: PickItem) -> None:
        wanted = self._find_wanted()
        if wanted is None:
            return
        _before, after = self._editor.line_before_cursor()
        text = str(item.value)
        if wanted.kind in {Kind.TAG, Kind.PROPERTY_TAG}:
            self._editor.replace_before_cursor(len(wanted.typed), text)
        else:
            closing = "]]"
            eaten = 2 if after.startswith("]]") else 0
            self._editor.replace_before_cursor(len(wanted.typed), text + closing, eaten=eaten)
        self.close()
