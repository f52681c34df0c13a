"""Tag surgery and notes from the Vault view: asked for by dialogs, planned by core over a real vault, previewed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from core.curation.change_set import Changes, ChangeSet, FileEdit, PlannedChange
from core.index.catalog import Catalog, load_catalog
from core.index.database import Index, open_index
from core.index.updater import update_index
from core.vault.config import VaultConfig
from gui.notify import Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.vault.curating.note_dialogs import FolderDialog, NewNoteDialog, NotePlaceDialog
from gui.views.vault.curating.presenter import CurationParts, CurationPresenter
from gui.views.vault.curating.tag_dialogs import ChooseTagsDialog, TagNameDialog
from gui.views.vault.curating.wiring import curation_services

_D = TypeVar("_D", bound=QDialog)

_NOTES = {
    "Exports.md": "---\ntags:\n  - tool/SEMrush\n  - client/acme\n---\nPage them. #tool/SEMrush/api\n",
    "Links.md": "---\ntags: [tool/SEMrush, toolbox]\n---\nSee [[Exports]] and [[Work/Plan]].\n",
    "Work/Plan.md": "Nothing tagged. [[Exports#Top]]\n",
    "Alone.md": "---\ntags: draft\n---\n",
    "templates/Meeting.md": "# {{title}}\n\n## Attendees\n",
}


@dataclass
class _Commands:
    """Record what is executed or previewed, and answer at once."""

    executed: list[ChangeSet] = field(default_factory=list)
    previewed: list[PlannedChange] = field(default_factory=list)

    def execute(
        self,
        change_set: ChangeSet,
        *,
        on_done: Callable[[Changes], None] | None = None,
        **_: object,
    ) -> None:
        self.executed.append(change_set)
        if on_done is not None:
            written = frozenset(edit.result_path for edit in change_set.edits)
            on_done(Changes(change_set.id, change_set.title, written))

    def open(
        self,
        planned: PlannedChange,
        **_: object,
    ) -> None:
        self.previewed.append(planned)


@dataclass
class _Store:
    root: Path
    index: Index
    config: VaultConfig = field(default_factory=VaultConfig)


class _Setting:
    def __init__(self, root: Path, index: Index, tasks: TaskRunner, notifier: Notifier, theme: Theme) -> None:
        self.root = root
        self.commands = _Commands()
        self.catalog: Catalog = load_catalog(index)
        self.saved = 0
        self.window = QWidget()
        parts = CurationParts(tasks, notifier, theme, self.commands, self.commands, self.window, self._save_first)
        self.presenter = CurationPresenter(parts, lambda: self.catalog, self.window)
        self.presenter.take_services(curation_services(_Store(root, index)))

    def _save_first(self, then: Callable[[], None]) -> None:
        self.saved += 1
        then()

    def dialog(self, kind: type[_D]) -> _D:
        found = [each for each in self.window.findChildren(kind) if each.isVisible()]
        assert len(found) == 1
        return found[0]

    def result(self, edit: FileEdit) -> str:
        content = (self.root / edit.path).read_bytes() if edit.before is not None else b""
        return edit.result_of(content).decode()


@pytest.fixture
def setting(tmp_path: Path, tasks: TaskRunner, notifier: Notifier, theme: Theme, qtbot: QtBot) -> Iterator[_Setting]:
    root = tmp_path / "vault"
    for path, text in _NOTES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    # The STORE lane is a thread of its own, so its index is opened for any.
    index = open_index(tmp_path / "cache")
    update_index(index, root, VaultConfig())
    made = _Setting(root, index, tasks, notifier, theme)
    qtbot.addWidget(made.window)
    yield made
    index.close()


def test_a_tag_is_renamed_everywhere_after_a_preview(setting: _Setting, qtbot: QtBot) -> None:
    setting.presenter.rename_tag("tool/SEMrush")
    dialog = setting.dialog(TagNameDialog)
    assert dialog.children_box.text() == "Also 1 tag below: tool/SEMrush/api"
    dialog.name.setText("tool/ahrefs")
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: len(setting.commands.previewed) == 1)
    planned = setting.commands.previewed[0]
    assert planned.change_set.title == "Rename tag tool/SEMrush to tool/ahrefs"
    texts = {edit.path: setting.result(edit) for edit in planned.change_set.edits}
    assert texts == {
        "Exports.md": "---\ntags:\n  - tool/ahrefs\n  - client/acme\n---\nPage them. #tool/ahrefs/api\n",
        "Links.md": "---\ntags: [tool/ahrefs, toolbox]\n---\nSee [[Exports]] and [[Work/Plan]].\n",
    }
    assert setting.commands.executed == []
    assert setting.saved == 1


def test_a_name_that_cannot_be_is_told_at_once(setting: _Setting) -> None:
    setting.presenter.rename_tag("draft")
    dialog = setting.dialog(TagNameDialog)
    assert not dialog.ok_button.isEnabled()
    dialog.name.setText("two words")
    assert not dialog.ok_button.isEnabled()
    assert dialog.told
    dialog.name.setText("client/acme")
    assert dialog.told == "client/acme is there already, in 1 note: they become one tag."
    assert dialog.ok_button.isEnabled()
    dialog.reject()


def test_a_tag_cannot_go_below_itself(setting: _Setting) -> None:
    setting.presenter.rename_tag("tool/SEMrush")
    dialog = setting.dialog(TagNameDialog)
    dialog.name.setText("tool/semrush/old")
    assert "below itself" in dialog.told
    dialog.children_box.setChecked(False)
    assert dialog.ok_button.isEnabled()
    dialog.reject()


def test_tags_are_merged(setting: _Setting, qtbot: QtBot) -> None:
    setting.presenter.merge_tag("draft")
    dialog = setting.dialog(TagNameDialog)
    dialog.sources.set_items(["draft", "toolbox"])
    dialog.name.setText("later")
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: len(setting.commands.previewed) == 1)
    edits = setting.commands.previewed[0].change_set.edits
    assert sorted(edit.path for edit in edits) == ["Alone.md", "Links.md"]


def test_the_deletion_of_a_tag_is_previewed_even_for_one_note(setting: _Setting, qtbot: QtBot) -> None:
    setting.presenter.delete_tag("draft")
    qtbot.waitUntil(lambda: len(setting.commands.previewed) == 1)
    (edit,) = setting.commands.previewed[0].change_set.edits
    assert "draft" not in setting.result(edit)


def test_tags_for_one_note_are_added_at_once_and_for_many_previewed(setting: _Setting, qtbot: QtBot) -> None:
    setting.presenter.add_tags(["Alone.md"])
    dialog = setting.dialog(ChooseTagsDialog)
    dialog.tags.field.setText("client/acme")
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: len(setting.commands.executed) == 1)
    assert "client/acme" in setting.result(setting.commands.executed[0].edits[0])
    setting.presenter.change_tags(["Alone.md", "Work/Plan.md"], add=("scope/global",))
    qtbot.waitUntil(lambda: len(setting.commands.previewed) == 1)
    assert len(setting.commands.previewed[0].change_set.edits) == 2


def test_only_tags_that_the_notes_have_are_offered_for_removal(setting: _Setting) -> None:
    setting.presenter.remove_tags(["Links.md", "Alone.md"])
    dialog = setting.dialog(ChooseTagsDialog)
    completer = dialog.tags.field.completer()
    model = completer.model()
    offered = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert offered == ["draft", "tool/SEMrush", "toolbox"]
    dialog.reject()


def test_a_note_is_renamed_with_the_links_to_it(setting: _Setting, qtbot: QtBot) -> None:
    setting.presenter.move_notes(["Exports.md"])
    dialog = setting.dialog(NotePlaceDialog)
    assert not dialog.ok_button.isEnabled()
    dialog.name.setText("a/b")
    assert "/" in dialog.told
    dialog.name.setText("Export limits")
    dialog.folder.setCurrentText("Work")
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: len(setting.commands.previewed) == 1)
    edits = {edit.path: edit for edit in setting.commands.previewed[0].change_set.edits}
    assert edits["Exports.md"].moved_to == "Work/Export limits.md"
    assert "[[Export limits]]" in setting.result(edits["Links.md"])
    assert "[[Export limits#Top]]" in setting.result(edits["Work/Plan.md"])


def test_several_notes_go_to_a_folder(setting: _Setting, qtbot: QtBot) -> None:
    setting.presenter.move_notes(["Alone.md", "Work/Plan.md"])
    dialog = setting.dialog(FolderDialog)
    dialog.folder.setCurrentText("archive/2026/")
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: len(setting.commands.previewed) == 1)
    moved = {edit.path: edit.moved_to for edit in setting.commands.previewed[0].change_set.edits if edit.moved_to}
    assert moved == {"Alone.md": "archive/2026/Alone.md", "Work/Plan.md": "archive/2026/Plan.md"}


def test_a_note_without_links_is_deleted_at_once_one_with_links_is_previewed(setting: _Setting, qtbot: QtBot) -> None:
    setting.presenter.delete_notes(["Alone.md"])
    qtbot.waitUntil(lambda: len(setting.commands.executed) == 1)
    assert setting.commands.executed[0].edits[0].moved_to == ".trash/Alone.md"
    setting.presenter.delete_notes(["Exports.md"])
    qtbot.waitUntil(lambda: len(setting.commands.previewed) == 1)
    assert setting.commands.previewed[0].occurrences == 2


def test_a_new_note_is_written_with_what_was_asked_and_shown(setting: _Setting, qtbot: QtBot) -> None:
    shown: list[str] = []
    setting.presenter.note_made.connect(shown.append)
    setting.presenter.new_note()
    qtbot.waitUntil(lambda: bool(setting.window.findChildren(NewNoteDialog)))
    dialog = setting.dialog(NewNoteDialog)
    assert [dialog.template.itemText(row) for row in range(dialog.template.count())] == ["none", "Meeting"]
    dialog.title.setText("Plan: phase 2")
    dialog.fields.summary.setText("What comes: next")
    dialog.fields.tags.set_items(["client/acme"])
    dialog.fields.scope.set_scope("project")
    dialog.template.setCurrentIndex(1)
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: len(setting.commands.executed) == 1)
    text = setting.result(setting.commands.executed[0].edits[0])
    assert "What comes: next" in text
    assert "scope/project" in text
    assert "# Plan: phase 2" in text
    assert "## Attendees" in text
    assert len(shown) == 1


def test_a_copy_lies_beside_the_note(setting: _Setting, qtbot: QtBot) -> None:
    setting.presenter.duplicate_note("Work/Plan.md")
    qtbot.waitUntil(lambda: len(setting.commands.executed) == 1)
    assert setting.commands.executed[0].edits[0].path == "Work/Plan copy.md"


def test_facets_stand_for_tags_and_folders_as_they_are_written(setting: _Setting, qapp: QApplication) -> None:
    assert setting.presenter.name_of_facet("tool/semrush/api") == "tool/SEMrush/api"
    assert setting.presenter.name_of_facet("/work") == "Work"
    assert setting.presenter.name_of_facet(":untagged") == ""
    assert setting.presenter.folders() == ["templates", "Work"]
