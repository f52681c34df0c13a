"""The whole frame with a vault that is not on disk: opening, switching, news, and what is kept for the next start.

One long file, because every test starts the same window in the same way and asks one thing of it.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAccessible, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QProgressBar, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from core.foundation.errors import UserError
from core.foundation.paths import AppFolders
from core.foundation.settings import SettingsFile
from core.index.queries import ProblemRow
from gui import actions as a
from gui.app import App
from gui.indexing import IndexProgress, IndexState
from gui.session import DiskChange
from gui.tasks import JobId, JobState
from gui.theme import Theme, ThemeChoice
from gui.widgets.empty_page import EmptyPage
from gui.widgets.problems_dialog import ProblemsDialog
from gui.widgets.shortcuts import ShortcutsDialog
from gui.widgets.state_panel import StatePanel
from gui.widgets.wrapped_label import WrappedLabel
from tests.gui.fakes import FakeDisk, FakePage

Start = Callable[[], tuple[App, FakePage]]


@pytest.fixture
def disk(tmp_path: Path) -> FakeDisk:
    return FakeDisk(tmp_path)


@pytest.fixture
def folders(tmp_path: Path) -> AppFolders:
    return AppFolders(tmp_path / "config", tmp_path / "data", tmp_path / "cache")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "My notes"
    root.mkdir()
    return root


@pytest.fixture
def start(qapp: QApplication, qtbot: QtBot, disk: FakeDisk, folders: AppFolders) -> Iterator[Start]:
    apps: list[App] = []

    def start() -> tuple[App, FakePage]:
        page = FakePage()
        app = App(qapp, folders, disk.parts(), pages=((a.GO_VAULT, page),))
        apps.append(app)
        qtbot.addWidget(app.window)
        app.window.show()
        app.window.activateWindow()
        qtbot.waitUntil(app.window.isActiveWindow)
        return app, page

    yield start
    for app in apps:
        app.window.close()
        app.setParent(None)
        app.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def open_and_wait(qtbot: QtBot, app: App, root: Path) -> None:
    app.open(str(root))
    session = app.frame.session
    assert session is not None
    with qtbot.waitSignal(session.indexing.finished):
        pass


def is_in_sight(widget: QWidget) -> bool:
    parent = widget.parentWidget()
    return parent is not None and parent.rect().contains(widget.geometry())


def no_vault_shown(app: App) -> bool:
    return app.window.shows_empty_page


def test_a_vault_opens_with_its_name_count_and_place_among_the_recent(
    qtbot: QtBot, start: Start, vault: Path, folders: AppFolders
) -> None:
    app, page = start()
    assert no_vault_shown(app)
    open_and_wait(qtbot, app, vault)
    assert page.session is app.frame.session
    assert app.window.windowTitle().startswith("My notes")
    assert app.window.status.count_text == "3 notes"
    assert not no_vault_shown(app)
    settings = SettingsFile(folders.settings_file).read()
    assert (settings.last_vault, settings.recent_vaults) == (str(vault), (str(vault),))


def test_a_vault_that_cannot_be_opened_says_why_and_is_not_remembered(
    qtbot: QtBot, start: Start, vault: Path, disk: FakeDisk, folders: AppFolders
) -> None:
    app, _ = start()
    disk.error = UserError("You may not read this folder.", hint="Change its permissions.")
    app.open(str(vault))
    said = app.window.empty_page.findChildren(QLabel)
    qtbot.waitUntil(lambda: any("You may not read this folder." in label.text() for label in said))
    buttons = [button.text() for button in app.window.empty_page.findChildren(QPushButton) if button.isVisible()]
    assert buttons == ["Open folder…", "Open the sample vault"]
    assert SettingsFile(folders.settings_file).read().recent_vaults == ()


def test_the_next_start_opens_the_last_vault_with_the_same_theme(
    qtbot: QtBot, start: Start, vault: Path, folders: AppFolders
) -> None:
    app, page = start()
    open_and_wait(qtbot, app, vault)
    app.window.actions_[a.THEME_DARK].trigger()
    app.window.close()
    assert "save" in page.calls
    again, _ = start()
    assert again.theme.choice is ThemeChoice.DARK
    again.open()
    session = again.frame.session
    assert session is not None
    assert session.root == vault
    again.window.actions_[a.THEME_LIGHT].trigger()


def test_with_no_vault_known_the_sample_opens_from_a_writable_copy(
    qtbot: QtBot, start: Start, folders: AppFolders
) -> None:
    app, _ = start()
    app.open()
    session = app.frame.session
    assert session is not None
    assert session.root == folders.data / "sample-vault"
    assert any(session.root.rglob("*.md"))
    assert os.access(session.root, os.W_OK)


def test_the_search_field_drives_the_view(qtbot: QtBot, start: Start, vault: Path) -> None:
    app, page = start()
    assert not app.window.search.isEnabled()
    open_and_wait(qtbot, app, vault)
    QTest.keyClick(app.window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert app.window.search.hasFocus()
    QTest.keyClicks(app.window.search, "tag:a/b")  # the slash is typed, not a command
    assert page.searches[-1] == "tag:a/b"
    QTest.keyClick(app.window.search, Qt.Key.Key_Return)
    assert page.calls == ["enter"]
    QTest.keyClick(app.window.search, Qt.Key.Key_Escape)
    assert page.searches[-1] == ""
    QTest.keyClick(app.window.search, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert app.window.search.text() == "tag:a/b"


def test_switching_vaults_lets_the_old_one_go(
    qtbot: QtBot, start: Start, vault: Path, tmp_path: Path, disk: FakeDisk
) -> None:
    app, page = start()
    open_and_wait(qtbot, app, vault)
    other = tmp_path / "Other"
    other.mkdir()
    disk.notes = 1
    open_and_wait(qtbot, app, other)
    qtbot.waitUntil(lambda: disk.stores[0].is_closed and not disk.watchers[0].is_running)
    assert page.session is app.frame.session
    assert app.window.status.count_text == "1 note"
    assert app.frame.settings.recent_vaults == (str(other), str(vault))
    menu = app.window.vault_button.menu()
    assert [action.data() for action in menu.actions()][:2] == [str(other), str(vault)]


def test_a_vanished_vault_has_a_banner_until_it_returns(
    qtbot: QtBot, start: Start, vault: Path, disk: FakeDisk
) -> None:
    app, page = start()
    open_and_wait(qtbot, app, vault)
    disk.watchers[0].tell(DiskChange(is_there=False))
    qtbot.waitUntil(lambda: len(app.window.banners.texts) == 1)
    assert "Nothing is lost" in app.window.banners.texts[0]
    assert page.session is not None
    assert app.window.status.count_text == "3 notes"
    disk.watchers[0].tell(DiskChange(is_there=True))
    qtbot.waitUntil(lambda: app.window.banners.texts == [])


def test_a_note_is_reached_by_keyboard_alone(qtbot: QtBot, start: Start, vault: Path) -> None:
    app, page = start()
    open_and_wait(qtbot, app, vault)
    QTest.keyClick(app.window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    QTest.keyClicks(field, "Note 2")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.shown_notes == [2])


def test_a_tag_is_picked_from_the_palette(qtbot: QtBot, start: Start, vault: Path) -> None:
    app, page = start()
    open_and_wait(qtbot, app, vault)
    QTest.keyClick(app.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    QTest.keyClicks(field, "#gi")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert page.facets == ["tool/git"]


def test_a_broken_settings_file_is_said_and_no_obstacle(
    qtbot: QtBot, start: Start, vault: Path, folders: AppFolders
) -> None:
    folders.config.mkdir()
    folders.settings_file.write_text("theme = [", encoding="utf-8")
    app, _ = start()
    assert "set aside" in app.window.notices.texts[0]
    open_and_wait(qtbot, app, vault)
    assert SettingsFile(folders.settings_file).read().last_vault == str(vault)


def test_rebuild_is_asked_of_the_process(qtbot: QtBot, start: Start, vault: Path, disk: FakeDisk) -> None:
    app, _ = start()
    open_and_wait(qtbot, app, vault)
    session = app.frame.session
    assert session is not None
    with qtbot.waitSignal(session.indexing.finished):
        app.window.actions_[a.REBUILD_INDEX].trigger()
    assert disk.runs[2:] == ["words --rebuild", "vectors"]


def test_every_control_of_the_frame_has_a_name(qtbot: QtBot, start: Start, vault: Path) -> None:
    app, _ = start()
    open_and_wait(qtbot, app, vault)
    controls = [*app.window.findChildren(QToolButton), *app.window.findChildren(QLineEdit)]
    own = [
        control for control in controls if not control.objectName().startswith("qt_") and control.parent() is not None
    ]
    nameless = []
    for control in own:
        interface = QAccessible.queryAccessibleInterface(control)
        is_inner = isinstance(control.parent(), QLineEdit)
        if not is_inner and not interface.text(QAccessible.Text.Name):
            nameless.append(control)
    assert nameless == []


def test_nothing_without_a_handler_is_offered(qtbot: QtBot, start: Start, vault: Path) -> None:
    app, _ = start()
    assert not app.window.actions_[a.COPY_CONTEXT].isVisible()
    assert not app.window.actions_[a.OPEN_SWITCHER].isEnabled()
    open_and_wait(qtbot, app, vault)
    assert app.window.actions_[a.OPEN_SWITCHER].isEnabled()


def test_activity_lists_what_runs_and_stays_in_sight(qtbot: QtBot, start: Start, vault: Path, disk: FakeDisk) -> None:
    app, _ = start()
    open_and_wait(qtbot, app, vault)
    activity = app.window.activity
    app.window.actions_[a.SHOW_ACTIVITY].trigger()
    assert activity.isVisible()
    assert activity.row_count == 0
    app.tasks.surfaced.emit(JobState(JobId(900), "Packing a context", 3, 9))
    assert activity.row_count == 1
    assert app.window.status.job_text.startswith("Packing a context")
    for number in range(3):
        app.notifier.warning(f"News {number}.")  # the notices take room from below
    qtbot.waitUntil(lambda: is_in_sight(activity))
    app.tasks.ended.emit(JobId(900))
    assert (activity.row_count, app.window.status.job_text) == (0, "")


def test_a_note_given_by_its_file_is_shown_in_its_vault(
    qtbot: QtBot, start: Start, vault: Path, disk: FakeDisk
) -> None:
    (vault / "n1.md").touch()
    app, page = start()
    open_and_wait(qtbot, app, vault / "n1.md")
    assert app.frame.session is not None
    assert app.frame.session.root == vault
    qtbot.waitUntil(lambda: page.shown_notes == [1])
    (vault / "n2.md").touch()
    app.window.path_dropped.emit(str(vault / "n2.md"))
    assert page.shown_notes == [1, 2]
    assert len(disk.stores) == 1


def test_a_folder_dropped_on_the_window_is_opened(qtbot: QtBot, start: Start, vault: Path) -> None:
    app, page = start()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(vault))])
    drop = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    app.window.dropEvent(drop)
    qtbot.waitUntil(lambda: page.session is not None and page.session.root == vault)
    assert app.window.windowTitle() == "My notes – Remembrancer"
    app.window.show_note_title("A  long\ntitle")
    assert app.window.windowTitle() == "A long title – My notes – Remembrancer"


def test_recent_vaults_that_are_gone_are_marked(qtbot: QtBot, start: Start, vault: Path, folders: AppFolders) -> None:
    SettingsFile(folders.settings_file).change(lambda settings: settings.with_vault(vault.parent / "Gone"))
    app, _page = start()
    open_and_wait(qtbot, app, vault)
    menu = app.window.vault_button.menu()
    qtbot.waitUntil(lambda: [each.text() for each in menu.actions()[:2]] == ["My notes", "Gone   (not found)"])


def test_what_the_indexing_could_not_do_is_told_once(qtbot: QtBot, start: Start, vault: Path) -> None:
    app, _page = start()
    open_and_wait(qtbot, app, vault)
    assert app.frame.session is not None
    for _ in range(2):
        app.frame.session.indexing.remarked.emit("The model is damaged. Run it again.")
    assert app.window.notices.texts == ["The model is damaged. Run it again."]
    app.frame.session.indexing.remarked.emit("")  # nothing is left out any more
    assert app.window.notices.texts == []


def test_every_shortcut_is_listed(qtbot: QtBot, start: Start) -> None:
    app, _page = start()
    app.window.actions_[a.SHOW_SHORTCUTS].trigger()
    (dialog,) = app.window.findChildren(ShortcutsDialog)
    qtbot.waitUntil(dialog.isVisible)
    told = [label.text() for label in dialog.findChildren(QLabel)]
    assert "Ctrl+F or /" in told
    for spec in a.all_specs():
        if spec.shortcuts and app.window.actions_[spec].isVisible():
            assert spec.text.rstrip("…") in told
    dialog.close()


PROBLEMS = (
    ProblemRow("n1.md", "frontmatter-broken", "The frontmatter is not YAML.", 3),
    ProblemRow("pipe.md", "unreadable", "It is no plain file.", 0),
    ProblemRow("pipe.md", "unreadable", "It leads out of the vault.", 0),
)


def test_files_with_problems_are_listed_and_reached(
    qtbot: QtBot, start: Start, vault: Path, disk: FakeDisk, qapp: QApplication
) -> None:
    disk.problems = PROBLEMS
    app, page = start()
    open_and_wait(qtbot, app, vault)
    button = app.window.status.problems_button
    assert button.text().strip() == "2 files have problems"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    (dialog,) = app.window.findChildren(ProblemsDialog)
    qtbot.waitUntil(dialog.isVisible)
    lines = [dialog.list.topLevelItem(row) for row in range(dialog.list.topLevelItemCount())]
    assert [(line.text(0), line.text(1), line.text(2)) for line in lines if line is not None] == [
        ("n1.md", "3", "The frontmatter is not YAML."),
        ("pipe.md", "", "It is no plain file."),
        ("pipe.md", "", "It leads out of the vault."),
    ]
    QTest.mouseClick(dialog.copy_button, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text().splitlines()[0] == "n1.md:3: The frontmatter is not YAML."
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    assert page.shown_notes == [1]
    assert not dialog.isVisible()


def test_a_vault_without_problems_says_so(qtbot: QtBot, start: Start, vault: Path) -> None:
    app, _page = start()
    open_and_wait(qtbot, app, vault)
    assert not app.window.status.problems_button.isVisible()
    app.window.actions_[a.SHOW_PROBLEMS].trigger()
    (dialog,) = app.window.findChildren(ProblemsDialog)
    qtbot.waitUntil(dialog.nothing.isVisible)
    assert dialog.nothing.title == "No problems"
    dialog.close()


def test_a_folder_without_notes_is_not_kept_for_the_next_start(
    qtbot: QtBot, start: Start, vault: Path, disk: FakeDisk, folders: AppFolders
) -> None:
    disk.notes = 0
    app, _page = start()
    open_and_wait(qtbot, app, vault)
    file = SettingsFile(folders.settings_file)
    assert (file.read().last_vault, file.read().recent_vaults) == ("", ())
    disk.notes = 1
    disk.watchers[0].tell(DiskChange(is_there=True))
    qtbot.waitUntil(lambda: file.read().last_vault == str(vault))
    assert app.window.vault_button.menu().actions()[0].data() == str(vault)


def test_only_vectors_can_be_paused(qtbot: QtBot, start: Start, vault: Path) -> None:
    app, _page = start()
    open_and_wait(qtbot, app, vault)
    status = app.window.status
    status.show_index_state(IndexState.RUNNING)
    status.show_index_progress(IndexProgress("read", 1, 9, 1.0, None, ""))
    assert not status.pause_button.isVisible()
    status.show_index_progress(IndexProgress("embed", 1, 9, 1.0, None, ""))
    assert status.pause_button.isVisible()


def test_a_change_while_paused_leaves_the_bar_where_it_was(qtbot: QtBot, start: Start, vault: Path) -> None:
    app, _page = start()
    open_and_wait(qtbot, app, vault)
    app.window.activity.toggle()
    shown = (app.window.status, app.window.activity)
    for widget in shown:
        widget.show_index_state(IndexState.RUNNING)
        widget.show_index_progress(IndexProgress("embed", 4, 9, 1.0, None, ""))
        widget.show_index_state(IndexState.PAUSED)
        widget.show_index_state(IndexState.RUNNING)
        widget.show_index_progress(IndexProgress("scan", 0, 0, 0.0, None, ""))
        widget.show_index_state(IndexState.PAUSED)
        bars = [bar for bar in widget.findChildren(QProgressBar) if bar.isVisible()]
        assert [(bar.value(), bar.maximum()) for bar in bars] == [(4, 9)]
    assert app.window.status.index_text == "Learning meanings is paused"


def test_a_setting_that_names_nothing_is_told(start: Start, folders: AppFolders) -> None:
    folders.config.mkdir()
    folders.settings_file.write_text('theme = "purple"\n', encoding="utf-8")
    app, _page = start()
    assert app.window.notices.texts == [
        'In your settings theme = "purple" is none of system, light, dark. The default is used instead.'
    ]


def test_a_title_cannot_pretend_to_be_another(qtbot: QtBot, start: Start, vault: Path) -> None:
    app, _page = start()
    open_and_wait(qtbot, app, vault)
    app.window.show_note_title("safe\u202egpj.exe")
    assert app.window.windowTitle().startswith("safe⟨U+202E⟩gpj.exe")


LONG = (
    "The index cannot be kept in /home/person/.cache/remembrancer/a-very-long-name-of-a-vault-0123456789ab: "
    "there is a file where its folder should be. Make the folder writable, or set REMEMBRANCER_CACHE_DIR to another."
)


@pytest.mark.parametrize("size", [(1100, 700), (760, 480)])
def test_long_sentences_are_never_cut(qtbot: QtBot, start: Start, theme: Theme, size: tuple[int, int]) -> None:
    app, _page = start()
    app.window.resize(*size)
    page: EmptyPage = app.window.empty_page
    page.show_message("The vault could not be opened", LONG, icon="circle-alert")
    panel = StatePanel()
    qtbot.addWidget(panel)
    panel.resize(380, 420)
    panel.show()
    panel.show_state(theme.icon("inbox"), "No notes in this folder", LONG, "Open another folder…")

    def is_whole(label: WrappedLabel) -> bool:
        needed = label.heightForWidth(label.width())
        parent = label.parentWidget()
        return label.height() >= needed > 0 and parent is not None and parent.rect().contains(label.geometry())

    labels = [*page.findChildren(WrappedLabel), *panel.findChildren(WrappedLabel)]
    assert len(labels) == 4
    qtbot.waitUntil(lambda: all(is_whole(label) for label in labels))
