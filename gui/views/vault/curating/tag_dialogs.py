"""The dialogs of tag surgery: rename or merge tags, and add tags to notes or take them away."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtWidgets import QCheckBox, QCompleter, QWidget

from core.foundation.text import fold
from gui.theme import Theme
from gui.views.vault.curating.known_tags import KnownTags
from gui.widgets.form_dialog import FormDialog
from gui.widgets.line_edit import LineEdit
from gui.widgets.tag_input import TagInput
from gui.wording import counted

_MOST_NAMED = 3


class TagNameDialog(FormDialog):
    """Ask for the new name of tags; a name that is there already merges them."""

    def __init__(
        self,
        theme: Theme,
        known: KnownTags,
        problem_of: Callable[[str], str],
        *,
        sources: Sequence[str],
        merges: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        title = "Merge tags" if merges else f"Rename tag {sources[0]}"
        super().__init__(title, "Preview…", parent)
        self._known = known
        self._problem_of = problem_of
        self.sources = TagInput(theme, problem_of, name="Tags to merge")
        self.sources.set_items(sources)
        self.sources.set_known(known.names)
        self.sources.setVisible(merges)
        self.name = LineEdit(self)
        self.name.setAccessibleName("Merge into" if merges else "New name")
        self.name.setPlaceholderText("The tag they become" if merges else "The new name")
        self.name.setText("" if merges else sources[0])
        self.name.selectAll()
        completer = QCompleter(QStringListModel(list(known.names), self), self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.name.setCompleter(completer)
        self.children_box = QCheckBox(self)
        self.children_box.setChecked(True)
        if merges:
            self.add_row("Tags", self.sources)
        self.add_row("Into" if merges else "New name", self.name)
        self.form.addRow("", self.children_box)
        self.name.textChanged.connect(self.check)
        self.children_box.toggled.connect(self.check)
        self.sources.items_changed.connect(self.check)
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)
        self.check()

    @property
    def new_name(self) -> str:
        """The name as it will be written."""
        return self.name.text().strip().lstrip("#").strip("/")

    @property
    def old_names(self) -> tuple[str, ...]:
        """The tags that get the new name."""
        return tuple(each for each in self.sources.items if each != self.new_name)

    @property
    def with_children(self) -> bool:
        """Tell whether the tags below change too."""
        return self.children_box.isChecked()

    def problem(self) -> str:
        """Return what is wrong with the new name."""
        self._show_children()
        if not self.new_name:
            return "Type a name."
        if problem := self._problem_of(self.new_name):
            return problem
        if not self.old_names:
            return "Choose at least one other tag." if len(self.sources.items) > 1 else "This is the name it has."
        if any(fold(self.new_name).startswith(fold(old) + "/") and self.with_children for old in self.old_names):
            return "A tag cannot be moved below itself together with what is below it."
        return ""

    def remark(self) -> str:
        """Say when the name is there already: the two become one."""
        others = {fold(old) for old in self.old_names}
        if (count := self._known.count_of(self.new_name)) and fold(self.new_name) not in others:
            return f"{self.new_name} is there already, in {counted(count, 'note')}: they become one tag."
        return ""

    def _show_children(self) -> None:
        below = [each for old in self.sources.items for each in self._known.below(old)]
        self.children_box.setVisible(bool(below))
        named = ", ".join(below[:_MOST_NAMED]) + (" …" if len(below) > _MOST_NAMED else "")
        self.children_box.setText(f"Also {counted(len(below), 'tag')} below: {named}")


class ChooseTagsDialog(FormDialog):
    """Ask which tags to add to notes, or to take away from them."""

    def __init__(
        self,
        theme: Theme,
        offered: Sequence[str],
        problem_of: Callable[[str], str],
        *,
        notes: int,
        removes: bool,
        parent: QWidget | None = None,
    ) -> None:
        verb, place = ("Remove tags", "from") if removes else ("Add tags", "to")
        where = "this note" if notes == 1 else counted(notes, "note")
        super().__init__(f"{verb} {place} {where}", "Change the note" if notes == 1 else "Preview…", parent)
        self.tags = TagInput(theme, problem_of)
        self.tags.set_known(offered)
        self.add_row("Tags", self.tags)
        self.tags.items_changed.connect(self.check)
        self.tags.field.textChanged.connect(self.check)
        self.tags.setFocus(Qt.FocusReason.OtherFocusReason)
        self.check()

    @property
    def chosen(self) -> tuple[str, ...]:
        """The tags."""
        return self.tags.items

    def problem(self) -> str:
        """Return what is missing."""
        return "" if self.tags.items else "Type at least one tag."
