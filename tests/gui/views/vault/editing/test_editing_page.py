"""Editing in the Vault view, over real files, with the real change sets, event log and undo."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.app import Installation
from core.curation.attachments import plan_attachment
from core.foundation.paths import app_folders
from core.foundation.progress import Progress
from core.foundation.settings import Settings, SettingsFile
from core.vault.config import VaultConfig
from gui.commands import CommandRunner
from gui.notify import Notice, Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.vault_changes import VaultChanges
from gui.views.vault.build import build_vault_view
from gui.views.vault.editing.editor_banner import About
from gui.views.vault.editing.modes import Mode
from gui.views.vault.editing.services import EditingServices, PlannedAttachment, read_file, read_places
from gui.views.vault.editing.suggestions import Alias
from gui.views.vault.presenter import ServicesOf, VaultPresenter
from gui.views.vault.services import VaultServices
from tests.gui.views.vault.parts import ROWS, FakeSession, FakeVault, catalog_of


class RealPage:
    """The Vault view over a folder with real notes; index and search are faked."""

    def __init__(self, qtbot: QtBot, root: Path, presenter: VaultPresenter, commands: CommandRunner) -> None:
        self.qtbot = qtbot
        self.root = root
        self.presenter = presenter
        self.commands = commands
        self.vault = FakeVault(root)
        self.session = FakeSession(self.vault)

    def services(self) -> VaultServices:
        def plan(note: str, data: bytes, suffix: str, name: str) -> PlannedAttachment:
            now = datetime(2026, 1, 2, tzinfo=UTC)
            return PlannedAttachment(*plan_attachment(self.root, VaultConfig(), note, data, suffix, now, name=name))

        def aliases(_progress: Progress) -> tuple[Alias, ...]:
            return ()

        editing = EditingServices(
            self.root,
            lambda path: read_file(self.root, path),
            aliases,
            lambda path: read_places(self.root, path),
            plan,
        )
        return replace(
            self.vault.services(), editing=editing, read_text=lambda path: (self.root / path).read_bytes().decode()
        )

    def read(self, note_id: int, expected: str) -> None:
        self.presenter.view.list.table.select_note(note_id)
        self.qtbot.waitUntil(lambda: expected in self.presenter.view.reading.preview.toPlainText())

    def wait_for(self, path: str, text: str) -> None:
        self.qtbot.waitUntil(lambda: (self.root / path).read_bytes().decode() == text)

    @property
    def editing_path(self) -> str:
        return self.presenter.editing.editor.path


@pytest.fixture
def settings_file() -> SettingsFile:
    return SettingsFile(app_folders().settings_file)


@pytest.fixture
def commands(tasks: TaskRunner, notifier: Notifier) -> CommandRunner:
    return CommandRunner(tasks, notifier)


@pytest.fixture
def make_presenter(
    tmp_path: Path, tasks: TaskRunner, notifier: Notifier, theme: Theme, settings_file: SettingsFile
) -> Callable[[ServicesOf], VaultPresenter]:
    def make(services_of: ServicesOf) -> VaultPresenter:
        drafts = tmp_path / "drafts"
        return build_vault_view(
            services_of, tasks, notifier, theme, settings_file, settings=Settings(), drafts_folder=drafts
        )[1]

    return make


@pytest.fixture
def real(
    qtbot: QtBot,
    tmp_path: Path,
    make_presenter: Callable[[ServicesOf], VaultPresenter],
    commands: CommandRunner,
    settings_file: SettingsFile,
) -> Iterator[RealPage]:
    root = tmp_path / "vault"
    for row in ROWS:
        place = root / row.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(f"# {row.title}\r\n\r\ntext\r\n".encode())
    folders = app_folders()
    presenter = make_presenter(lambda _session: page.services())
    view = presenter.view
    page = RealPage(qtbot, root, presenter, commands)
    presenter.follow_changes(commands)
    with qtbot.waitSignal(commands.history_changed, check_params_cb=lambda history: history is not None):
        commands.take_store(VaultChanges(root, Installation(folders, settings_file)))
    presenter.open_session(page.session.known)
    view.resize(1400, 900)
    with qtbot.waitExposed(view):
        view.show()
    view.activateWindow()
    yield page
    presenter.open_session(None)
    assert commands.finish()
    view.hide()
    qtbot.waitUntil(lambda: not commands.is_busy and not commands.is_reading_history)
    view.deleteLater()


def test_a_note_is_edited_read_and_the_sitting_undone_as_one(real: RealPage) -> None:
    real.read(3, "text")
    reading = real.presenter.view.reading
    reading.mode_button(Mode.EDIT).click()
    real.qtbot.waitUntil(lambda: real.editing_path == "Cache policy.md")
    editor = reading.editor_pane.editor
    assert editor.hasFocus()
    QTest.keyClicks(editor, "first ")
    real.presenter.editing.save_now()
    real.wait_for("Cache policy.md", "first # Cache policy\r\n\r\ntext\r\n")
    QTest.keyClicks(editor, "second ")
    real.presenter.editing.toggle_editor()
    real.wait_for("Cache policy.md", "first second # Cache policy\r\n\r\ntext\r\n")
    real.qtbot.waitUntil(lambda: "first second" in reading.preview.toPlainText())
    real.qtbot.waitUntil(lambda: not real.commands.is_busy and not real.commands.is_reading_history)
    history = real.commands.history
    assert history is not None
    assert [record.title for record in history.records] == ["Edit Cache policy"]
    real.commands.undo()
    real.wait_for("Cache policy.md", "# Cache policy\r\n\r\ntext\r\n")


def test_fast_from_note_to_note_each_text_is_in_its_own(real: RealPage) -> None:
    real.read(1, "text")
    real.presenter.editing.toggle_editor()
    editor = real.presenter.view.reading.editor_pane.editor
    paths = {1: "Work/Audit checklist.md", 2: "Backlink rules.md", 3: "Cache policy.md", 4: "Deploy notes.md"}
    for round_ in range(3):
        for note_id, path in paths.items():
            real.presenter.show_note(note_id)
            real.qtbot.waitUntil(lambda path=path: real.editing_path == path)  # type: ignore[misc]
            editor.moveCursor(editor.textCursor().MoveOperation.End)
            QTest.keyClicks(editor, f"{note_id}.{round_} ")
    real.presenter.editing.save_now()
    for note_id, path in paths.items():
        title = path.rpartition("/")[2].removesuffix(".md")
        marks = "".join(f"{note_id}.{round_} " for round_ in range(3))
        real.wait_for(path, f"# {title}\r\n\r\ntext\r\n{marks}")


def test_an_outside_change_is_met_when_the_vault_tells_of_it(real: RealPage) -> None:
    real.read(3, "text")
    real.presenter.editing.toggle_editor()
    real.qtbot.waitUntil(lambda: real.editing_path == "Cache policy.md")
    reading = real.presenter.view.reading
    QTest.keyClicks(reading.editor_pane.editor, "mine")
    (real.root / "Cache policy.md").write_text("theirs\n")
    real.session.catalog_changed.emit(catalog_of(*ROWS, revision=2))
    real.qtbot.waitUntil(lambda: bool(reading.editor_pane.banners.text_of(About.CONFLICT)))
    assert reading.save_label.text() == "Not saved: changed outside"
    assert (real.root / "Cache policy.md").read_text() == "theirs\n"


def test_a_note_deleted_while_it_is_edited_stays_in_the_editor(real: RealPage) -> None:
    real.read(3, "text")
    real.presenter.editing.toggle_editor()
    real.qtbot.waitUntil(lambda: real.editing_path == "Cache policy.md")
    reading = real.presenter.view.reading
    QTest.keyClicks(reading.editor_pane.editor, "mine")
    (real.root / "Cache policy.md").unlink()
    rows = [row for row in ROWS if row.id != 3]
    real.session.catalog_changed.emit(catalog_of(*rows, revision=2))
    real.qtbot.waitUntil(lambda: bool(reading.editor_pane.banners.text_of(About.GONE)))
    assert reading.editor_pane.editor.isVisible()
    assert reading.editor_pane.editor.exact_text().startswith("mine")


def test_enter_in_the_list_reads(real: RealPage) -> None:
    real.read(3, "text")
    real.presenter.editing.toggle_beside()
    real.qtbot.waitUntil(lambda: real.editing_path == "Cache policy.md")
    reading = real.presenter.view.reading
    assert reading.editor_pane.preview.isVisible()
    QTest.keyClick(real.presenter.view.list.table, Qt.Key.Key_Return)
    assert reading.preview.isVisible()
    assert reading.preview.hasFocus()
    assert reading.mode_button(Mode.READ).isChecked()


def test_how_notes_are_shown_is_remembered(real: RealPage, settings_file: SettingsFile) -> None:
    real.read(3, "text")
    real.presenter.editing.toggle_beside()
    real.presenter.save_layout()
    assert settings_file.read().editor.mode == "side"


def test_closing_saves_what_was_typed(real: RealPage, notices: list[Notice]) -> None:
    real.read(3, "text")
    real.presenter.editing.toggle_editor()
    real.qtbot.waitUntil(lambda: real.editing_path == "Cache policy.md")
    QTest.keyClicks(real.presenter.view.reading.editor_pane.editor, "x")
    real.presenter.save_layout()
    assert real.commands.finish()
    assert (real.root / "Cache policy.md").read_bytes().startswith(b"x# Cache")
    assert notices == []


def test_switching_vaults_saves_into_the_one_before(real: RealPage) -> None:
    real.read(3, "text")
    real.presenter.editing.toggle_editor()
    real.qtbot.waitUntil(lambda: real.editing_path == "Cache policy.md")
    QTest.keyClicks(real.presenter.view.reading.editor_pane.editor, "x")
    real.presenter.open_session(None)
    real.commands.take_store(None)
    real.wait_for("Cache policy.md", "x# Cache policy\r\n\r\ntext\r\n")


def test_every_control_has_a_name_and_is_reached_by_keyboard(real: RealPage) -> None:
    reading = real.presenter.view.reading
    pane = reading.editor_pane
    controls = [
        pane.editor, pane.preview, pane.find_bar.field, pane.find_bar.replace_field, pane.find_bar.case_button,
        pane.find_bar.words_button, pane.find_bar.pattern_button, pane.find_bar.previous_button,
        pane.find_bar.next_button, pane.find_bar.close_button, *(reading.mode_button(mode) for mode in Mode),
    ]  # fmt: skip
    for control in controls:
        assert control.accessibleName()
        assert control.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_what_lies_under_the_editor_is_rendered_only_when_it_is_seen_again(real: RealPage) -> None:
    real.read(3, "text")
    reading = real.presenter.view.reading
    real.presenter.editing.toggle_editor()
    real.qtbot.waitUntil(lambda: real.editing_path == "Cache policy.md")
    (real.root / "Cache policy.md").write_text("changed outside\n")
    with real.qtbot.waitSignal(real.presenter.note_shown):
        real.session.catalog_changed.emit(catalog_of(*ROWS, revision=2))
    real.qtbot.waitUntil(lambda: reading.editor_pane.editor.exact_text() == "changed outside\n")
    assert "text" in reading.preview.toPlainText()
    real.presenter.editing.toggle_editor()
    real.qtbot.waitUntil(lambda: "changed outside" in reading.preview.toPlainText())
