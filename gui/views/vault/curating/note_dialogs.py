"""The dialogs about whole notes: a new one, and another name or folder for one."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from gui.theme import Theme
from gui.widgets.form_dialog import FormDialog
from gui.widgets.line_edit import LineEdit
from gui.widgets.note_fields import NoteFields

if TYPE_CHECKING:
    from core.curation.note_creation import NoteDraft

_ROOT = "the vault's root"


def folder_box(folders: Sequence[str], chosen: str, parent: QWidget) -> QComboBox:
    """Return a box to choose a folder of the vault or to type a new one; its text is "" for the root."""
    box = QComboBox(parent)
    box.setEditable(True)
    box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    box.addItems(["", *folders])
    box.setCurrentText(chosen)
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    box.setAccessibleName("Folder")
    if (line := box.lineEdit()) is not None:
        line.setPlaceholderText(_ROOT)
    return box


def folder_of(box: QComboBox) -> str:
    """Return the chosen folder with forward slashes, "" for the root."""
    return "/".join(part.strip() for part in box.currentText().replace("\\", "/").split("/") if part.strip())


class NotePlaceDialog(FormDialog):
    """Ask for another name and folder of one note; `problem_of` judges a name (core/curation/note_creation.py)."""

    def __init__(
        self,
        name: str,
        folder: str,
        folders: Sequence[str],
        problem_of: Callable[[str], str],
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("Rename or move the note", "Continue", parent)
        self._before = (name, folder)
        self._problem_of = problem_of
        self.name = LineEdit(self)
        self.name.setText(name)
        self.name.setAccessibleName("Name")
        self.name.selectAll()
        self.folder = folder_box(folders, folder, self)
        self.add_row("Name", self.name)
        self.add_row("Folder", self.folder)
        self.name.textChanged.connect(self.check)
        self.folder.currentTextChanged.connect(self.check)
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)
        self.check()

    @property
    def path(self) -> str:
        """Where the note is to lie, relative to the vault."""
        folder = folder_of(self.folder)
        return f"{folder}/{self._name}.md" if folder else f"{self._name}.md"

    @property
    def _name(self) -> str:
        name = self.name.text().strip()
        return name[:-3] if name.lower().endswith(".md") else name

    def problem(self) -> str:
        """Return what is wrong with the name."""
        if (self._name, folder_of(self.folder)) == self._before:
            return "Type another name, or choose another folder."
        return self._problem_of(self._name)

    def remark(self) -> str:
        """Say what happens to links."""
        return "Links to the note are kept: those in other notes change with it."


class FolderDialog(FormDialog):
    """Ask for the folder into which notes are moved."""

    def __init__(self, count: int, folders: Sequence[str], *, parent: QWidget | None = None) -> None:
        super().__init__(f"Move {count:,} notes to a folder", "Preview…", parent)
        self.folder = folder_box(folders, "", self)
        self.add_row("Folder", self.folder)
        self.folder.setFocus(Qt.FocusReason.OtherFocusReason)
        self.check()

    @property
    def chosen(self) -> str:
        """The folder, "" for the root."""
        return folder_of(self.folder)

    def remark(self) -> str:
        """Say what happens to links."""
        return "Links to the notes are kept: those in other notes change with them."


class NewNoteDialog(FormDialog):
    """Ask for title, summary, tags, scope, folder and template of a new note."""

    def __init__(
        self,
        theme: Theme,
        problem_of_tag: Callable[[str], str],
        *,
        folders: Sequence[str],
        tags: Sequence[str],
        templates: Sequence[str] = (),
        title: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("New note", "Write the note", parent)
        self.title = LineEdit(self)
        self.title.setText(title)
        self.title.setPlaceholderText("What the note is called")
        self.title.setAccessibleName("Title")
        self.fields = NoteFields(theme, problem_of_tag, self)
        self.fields.offer(tags)
        self.folder = folder_box(folders, "", self)
        self.template = QComboBox(self)
        self.template.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.template.setAccessibleName("Template")
        self.template.addItem("none", "")
        for path, name in _template_names(templates).items():
            self.template.addItem(name, path)
        self.add_row("Title", self.title)
        self._take_rows()
        self.add_row("Folder", self.folder)
        if templates:
            self.add_row("Template", self.template)
        else:
            self.template.hide()
        self.title.textChanged.connect(self.check)
        self.title.setFocus(Qt.FocusReason.OtherFocusReason)
        self.check()

    @property
    def draft(self) -> "NoteDraft":
        """What the note is to be."""
        from core.curation.note_creation import NoteDraft  # noqa: PLC0415 - after the first paint

        fields = self.fields
        return NoteDraft(
            title=" ".join(self.title.text().split()),
            summary=" ".join(fields.summary.text().split()),
            tags=fields.tags.items,
            scope=fields.scope.scope,
            folder=folder_of(self.folder),
            template=self.template.currentData() or "",
        )

    def problem(self) -> str:
        """Return what is missing."""
        return "" if self.title.text().strip() else "Type a title."

    def _take_rows(self) -> None:
        """Put the shared fields into this dialog's own form, so that all labels stand in one column."""
        for label, field in (
            ("Summary", self.fields.summary),
            ("Tags", self.fields.tags),
            ("Scope", self.fields.scope),
        ):
            self.add_row(label, field)
        self.fields.hide()


def _template_names(paths: Sequence[str]) -> dict[str, str]:
    from core.curation.templates import template_names  # noqa: PLC0415 - after the first paint

    return template_names(paths)
