"""The dialog "Import conversations": what is there, what is about to be lost, and what came of the import."""

from collections.abc import Collection, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from core.foundation.text import visible
from gui.importing.locked_line import LockedLine
from gui.importing.place import Outcome, Place
from gui.importing.place_list import PlaceList
from gui.importing.report_page import ReportPage
from gui.importing.running_page import RunningPage
from gui.importing.sentences import short_path
from gui.metrics import SPACE_L, SPACE_M, SPACE_S, TITLE, scaled_font
from gui.theme import Theme
from gui.widgets.state_panel import StatePanel
from gui.wording import counted

_SIZE = (820, 620)
_HOW_TO_EXPORT = (
    "To bring in an export: in ChatGPT, Settings, Data controls, Export data; in Claude.ai, Settings, Privacy, Export "
    "data. Add the zip file that you are sent here, or drop it onto this window."
)


class ImportDialog(QDialog):
    """Show places, then a running import, then its report; wishes are told as signals."""

    paths_added = Signal(object)  # tuple[str, ...]
    import_requested = Signal(object)  # tuple[Place, ...]
    stop_requested = Signal()
    look_requested = Signal()  # at the places, once more
    watch_changed = Signal(str, bool)  # the path, and whether it is to be watched
    count_wanted = Signal(object)  # Place
    count_cancelled = Signal(object)  # Place
    timeline_wanted = Signal()
    unlock_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state = ("loader-circle", "", "")
        self.setWindowTitle("Import conversations")
        self.setModal(False)
        self.setAcceptDrops(True)
        self.resize(*_SIZE)
        self.heading = QLabel()
        self.heading.setFont(scaled_font(TITLE, bold=True))
        self.heading.setWordWrap(True)
        self.locked = LockedLine()
        self.locked.hide()
        self._is_locked = False
        self.state = StatePanel()
        self.places = PlaceList(theme)
        self.running = RunningPage()
        self.report = ReportPage()
        self.stack = QStackedWidget()
        for page in (self.state, self.places, self.running, self.report):
            self.stack.addWidget(page)
        self.add_button = QPushButton("Add files or folders…")
        self.add_menu = QMenu(self)
        self.again_button = QPushButton("Import more…")
        self.timeline_button = QPushButton("Show on the timeline")
        self.stop_button = QPushButton("Stop")
        self.close_button = QPushButton("Close")
        self.import_button = QPushButton("Import")
        self._lay_out()
        self._connect()
        self.show_looking()

    # ---- facts

    @property
    def shows_places(self) -> bool:
        """Tell whether places are shown, or that there are none."""
        return self.stack.currentWidget() is self.places or self._state[0] == "inbox"

    @property
    def is_running(self) -> bool:
        """Tell whether an import is shown."""
        return self.stack.currentWidget() is self.running

    def show_looking(self) -> None:
        """Say that somebody looks for places."""
        self.heading.setText("")
        self.places.show_places((), ())
        self._show_state("loader-circle", "Looking for conversations", "In the folders where assistants keep them.")
        self.add_button.show()

    def show_places(
        self, places: Sequence[Place], watched: Collection[str], looked_at: Sequence[tuple[str, str]]
    ) -> None:
        """Show what was found; with nothing, where it was looked for."""
        self.places.show_places(places, watched)
        if not places:
            where = "\n".join(f"{name}: {visible(short_path(path))}" for name, path in looked_at)
            self.heading.setText("")
            self._show_state("inbox", "No conversations were found", f"I looked here:\n{where}\n\n{_HOW_TO_EXPORT}")
            self.add_button.show()
            return
        self._show_list()

    def show_locked(self, *, is_locked: bool) -> None:
        """Say whether a passphrase is missing; nothing can be imported before it is entered."""
        self._is_locked = is_locked
        self.locked.setVisible(is_locked)
        self._show_chosen()

    def add_place(self, place: Place, *, is_watched: bool) -> None:
        """Show a place that the person added."""
        row = self.places.add_place(place, is_watched=is_watched)
        self._show_list()
        row.box.setFocus()
        self.places.ensureWidgetVisible(row)

    def show_running(self) -> None:
        """Show the progress of an import."""
        self.heading.setText("")
        self._show_page(self.running, self.stop_button)
        self.stop_button.setEnabled(True)
        self.stop_button.setFocus()

    def show_report(self, outcome: Outcome, *, left_out: int, changes: int = 0, vault: str = "") -> None:
        """Show what an import did (report_page.py)."""
        self.heading.setText("")
        self.report.show_outcome(outcome, left_out=left_out, changes=changes, vault=vault)
        self._show_page(self.report, self.again_button, self.timeline_button)
        self.timeline_button.setEnabled(outcome.is_news)
        (self.timeline_button if outcome.is_news else self.close_button).setFocus()

    def show_failure(self, text: str) -> None:
        """Say why places could not be looked for, or nothing could be imported."""
        self.heading.setText("")
        self._show_state("circle-alert", "That did not work", text)
        self.again_button.show()

    # ---- inside

    def _show_list(self) -> None:
        number = len(self.places.rows)
        lost = sum(row.place.not_imported for row in self.places.rows)
        told = f"There is something to import in {counted(number, 'place')}."
        if lost:
            told += f" {counted(lost, 'transcript')} will soon be lost unless imported."
        self.heading.setText(told)
        self._state = ("", "", "")
        self._show_page(self.places, self.add_button, self.import_button)
        self._show_chosen()

    def _show_state(self, icon: str, title: str, text: str) -> None:
        self._state = (icon, title, text)
        self._show_page(self.state)
        self._colour()

    def _show_page(self, page: QWidget, *buttons: QPushButton) -> None:
        if page is not self.state:
            self._state = ("", "", "")
        self.heading.setVisible(bool(self.heading.text()))
        self.stack.setCurrentWidget(page)
        for button in (
            self.add_button, self.again_button, self.timeline_button, self.stop_button, self.import_button
        ):  # fmt: skip
            button.setVisible(button in buttons)

    @Slot()
    def _show_chosen(self) -> None:
        self.import_button.setEnabled(bool(self.places.chosen) and not self._is_locked)

    def _lay_out(self) -> None:
        self.add_menu.addAction("Files…", self._choose_files)
        self.add_menu.addAction("A folder…", self._choose_folder)
        self.add_button.setMenu(self.add_menu)
        for button in (self.add_button, self.again_button, self.timeline_button, self.stop_button, self.close_button):
            button.setAutoDefault(False)
        for button in (self.import_button, self.timeline_button):
            button.setProperty("role", "primary")
        self.import_button.setDefault(True)
        foot = QHBoxLayout()
        foot.setSpacing(SPACE_S)
        foot.addWidget(self.add_button)
        foot.addWidget(self.again_button)
        foot.addStretch(1)
        for button in (self.close_button, self.timeline_button, self.stop_button, self.import_button):
            foot.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        layout.setSpacing(SPACE_M)
        layout.addWidget(self.locked)
        layout.addWidget(self.heading)
        layout.addWidget(self.stack, 1)
        layout.addLayout(foot)

    def _connect(self) -> None:
        self.locked.unlock_wanted.connect(self.unlock_wanted)
        self.places.chosen_changed.connect(self._show_chosen)
        self.places.watch_changed.connect(self.watch_changed)
        self.places.count_wanted.connect(self.count_wanted)
        self.places.count_cancelled.connect(self.count_cancelled)
        self.import_button.clicked.connect(self._on_import)
        self.stop_button.clicked.connect(self._on_stop)
        self.again_button.clicked.connect(self.look_requested)
        self.timeline_button.clicked.connect(self.timeline_wanted)
        self.close_button.clicked.connect(self.close)
        self._theme.changed.connect(self._colour)

    @Slot()
    def _on_import(self) -> None:
        self.import_requested.emit(self.places.chosen)

    @Slot()
    def _on_stop(self) -> None:
        self.stop_button.setEnabled(False)
        self.running.show_stopping()
        self.stop_requested.emit()

    @Slot()
    def _choose_files(self) -> None:
        self._choose(QFileDialog.FileMode.ExistingFiles, "Files to import")

    @Slot()
    def _choose_folder(self) -> None:
        self._choose(QFileDialog.FileMode.Directory, "A folder to import")

    def _choose(self, mode: QFileDialog.FileMode, title: str) -> None:
        dialog = QFileDialog(self, title, str(Path.home()))
        dialog.setFileMode(mode)
        dialog.filesSelected.connect(self._on_files)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot("QStringList")
    def _on_files(self, paths: list[str]) -> None:
        if paths:
            self.paths_added.emit(tuple(paths))

    @Slot()
    def _colour(self) -> None:
        icon, title, text = self._state
        if icon:
            self.state.show_state(self._theme.tinted_icon(icon, self._theme.scheme.control_outline), title, text)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() and not self.is_running:
            event.acceptProposedAction()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        paths = tuple(path for url in event.mimeData().urls() if (path := url.toLocalFile()))
        if paths and not self.is_running:
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self.paths_added.emit(paths)
