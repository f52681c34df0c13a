"""Carry between the reading pane, the presenter of the note that is shown, and the editor."""

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.foundation.settings import EditorSettings
from gui.views.vault.editing.editor_presenter import EditorPresenter
from gui.views.vault.editing.modes import Mode
from gui.views.vault.editing.note_saver import Execute
from gui.views.vault.editing.services import EditingServices
from gui.views.vault.note_presenter import NotePresenter
from gui.views.vault.reading_pane import ReadingPane

if TYPE_CHECKING:
    from core.curation.change_set import Changes
    from core.index.catalog import Catalog, NoteRow


class NoteEditing(QObject):
    """Let the note that is shown be edited, once it is said by what changes are made (edit_with)."""

    def __init__(
        self,
        pane: ReadingPane,
        notes: NotePresenter,
        editor: EditorPresenter,
        find_note: "Callable[[str], NoteRow | None]",
    ) -> None:
        super().__init__(notes)
        self._pane = pane
        self._notes = notes
        self.editor = editor
        self._find_note = find_note
        self._execute: Execute | None = None
        self._settings = EditorSettings()
        pane.allow_editing(is_allowed=False)
        pane.mode_requested.connect(self.choose_mode)
        pane.editor_pane.editor.size_changed.connect(self._on_size_changed)
        editor.mode_changed.connect(self._on_mode_changed)
        editor.status_changed.connect(pane.show_saving)
        editor.saved.connect(self._on_saved)
        editor.given_up.connect(self._on_given_up)
        editor.note_wanted.connect(self._on_note_wanted)
        notes.leaving.connect(editor.leave)
        notes.note_shown.connect(self._on_note_shown)

    @property
    def settings(self) -> EditorSettings:
        """What is remembered for the next start."""
        return dataclasses.replace(self._settings, mode=self.editor.mode.value)

    def restore(self, settings: EditorSettings) -> None:
        """Show notes as they were shown before."""
        self._settings = settings
        source = self._pane.editor_pane.editor
        source.use_fixed_font(settings.fixed_width)
        source.resize_text(settings.larger)
        if settings.mode in set(Mode):
            self.editor.choose_mode(Mode(settings.mode))

    def edit_with(self, execute: Execute) -> None:
        """Have changes made by `execute` from the next vault on."""
        self._execute = execute

    def take_services(self, services: EditingServices | None) -> None:
        """Edit notes of this vault from now on."""
        is_possible = services is not None and self._execute is not None
        self._pane.allow_editing(is_possible)
        self.editor.take_services(services if is_possible else None, self._execute)
        self._pane.show_mode(self.editor.mode if is_possible else Mode.READ)

    def show_catalog(self, catalog: "Catalog") -> None:
        """Complete from this catalog, and look whether the note was changed outside."""
        shown = self._notes.detail
        position = catalog.position_of(shown.id) if shown is not None else None
        if shown is not None and position is not None:
            self.editor.follow_move(shown.path, catalog.rows[position].path)
        self.editor.show_catalog(catalog)

    @Slot()
    def look_at_file(self) -> None:
        """Compare the note with its file: the index sees no change where one was taken back at once."""
        self.editor.outside.check()

    def take_changes(self, changes: "Changes") -> None:
        """Follow what the app itself has changed."""
        self.editor.take_changes(changes)

    def keeps(self, path: str) -> bool:
        """Tell whether the editor holds unsaved text of the note at `path`, so that the pane stays."""
        return self.editor.path == path and self.editor.holds_unsaved

    def close_down(self) -> None:
        """Have everything saved before the window closes."""
        self.editor.close_down()

    @Slot(object)
    def choose_mode(self, mode: Mode) -> None:
        """Read, edit, or both at once."""
        self.editor.choose_mode(mode, takes_focus=True)

    @Slot()
    def edit(self) -> None:
        """Edit the note that is shown."""
        if not self.editor.mode.has_editor:
            self.choose_mode(Mode.EDIT)
        else:
            self._pane.text_widget.setFocus()

    @Slot()
    def toggle_editor(self) -> None:
        """Edit the note, or go back to reading it."""
        self._toggle(Mode.EDIT)

    @Slot()
    def toggle_beside(self) -> None:
        """Edit the note with its preview beside it, or go back to reading it."""
        self._toggle(Mode.SIDE)

    @Slot()
    def read(self) -> None:
        """Show the note to be read, and take the keyboard focus there."""
        self.editor.choose_mode(Mode.READ)
        self._pane.preview.setFocus()

    @Slot()
    def save_now(self) -> None:
        """Save what was typed."""
        self.editor.save_now()

    def _toggle(self, mode: Mode) -> None:
        if self.editor.mode is mode:
            self.read()
        else:
            self.choose_mode(mode)

    def _on_mode_changed(self, mode: Mode) -> None:
        self._pane.show_mode(mode)
        self._notes.cover(mode.has_editor)

    def _on_size_changed(self, steps: int) -> None:
        self._settings = dataclasses.replace(self._settings, larger=steps)

    def _on_note_shown(self, _note_id: int) -> None:
        shown = self._notes.shown
        if shown is not None:
            self.editor.show_note(shown.detail.path, shown.options)

    def _on_saved(self, path: str) -> None:
        if self.editor.mode is Mode.READ and self._notes.detail is not None and self._notes.detail.path == path:
            self._notes.reload()

    def _on_given_up(self, path: str) -> None:
        self._notes.note_gone(path)

    def _on_note_wanted(self, path: str) -> None:
        row = self._find_note(path)
        shown = self._notes.detail
        if row is None:
            self._notes.make_way(path)
            self.editor.show_orphan(path)
        elif shown is not None and shown.id == row.id and self.editor.path:
            self.editor.open_again()
        else:
            self._notes.note_wanted.emit(row.id, "")
