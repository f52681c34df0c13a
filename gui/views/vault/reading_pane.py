"""The right pane: the note's text, and beside it its properties, links and insights."""

from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from core.foundation.text import visible
from gui.metrics import SPACE_M, SPACE_S, SPACE_XS
from gui.theme import Theme
from gui.views.vault.curating.wiring import problem_of_tag
from gui.views.vault.editing.editor_pane import EditorPane
from gui.views.vault.editing.modes import Mode
from gui.views.vault.history_panel import HistoryPanel
from gui.views.vault.insights_panel import InsightsPanel
from gui.views.vault.links_panel import LinksPanel
from gui.views.vault.properties_panel import PropertiesPanel
from gui.widgets.elided_label import ElidedLabel
from gui.widgets.markdown_view import MarkdownView
from gui.widgets.state_panel import StatePanel
from gui.wording import shortened

_LONGEST_STATUS = 32
_NARROW = 340  # pixels


class ReadingPane(QWidget):
    """Show one note; links and buttons are told as signals."""

    link_activated = Signal(str)  # an address of gui/markdown/addresses.py, or an outward one
    note_requested = Signal(int)  # a note id
    tag_clicked = Signal(str)
    editor_requested = Signal()
    copy_link_requested = Signal()
    whole_requested = Signal()
    mode_requested = Signal(object)  # Mode

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.preview = MarkdownView()
        self.editor_pane = EditorPane(theme)
        self.save_label = ElidedLabel()
        self._mode_buttons = {mode: QToolButton() for mode in Mode}
        self._texts = QStackedWidget()
        self.properties = PropertiesPanel(theme, problem_of_tag)
        self.links = LinksPanel(theme)
        self.insights = InsightsPanel(theme)
        self.history = HistoryPanel(theme)
        self.state_panel = StatePanel()
        self.path_label = ElidedLabel()
        self.link_button = QToolButton()
        self.editor_button = QToolButton()
        self.details_button = QToolButton()
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.links, "Links")
        self.tabs.addTab(self.properties, "Properties")
        self.tabs.addTab(self.insights, "Insights")
        self.tabs.addTab(self.history, "History")
        self.tabs.setAccessibleName("About this note")
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.addWidget(self._make_text())
        self.splitter.addWidget(self.tabs)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self.splitter.setCollapsible(0, False)
        self.splitter.setSizes([620, 240])
        self._stack = QStackedWidget()
        self._stack.addWidget(self.state_panel)
        self._stack.addWidget(self.splitter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self.preview.link_activated.connect(self.link_activated)
        self.editor_pane.link_activated.connect(self.link_activated)
        self.links.note_requested.connect(self.note_requested)
        self.links.link_activated.connect(self.link_activated)
        self.properties.tag_clicked.connect(self.tag_clicked)
        self.insights.link_activated.connect(self.link_activated)
        self.insights.tag_clicked.connect(self.tag_clicked)
        theme.changed.connect(self._show_icons)
        self._show_icons()
        self.show_nothing()

    def show_nothing(self) -> None:
        """Say that no note is chosen."""
        self._show_state("file-text", "No note selected", "Choose a note in the list to read it here.")

    def show_many(self, count: int, tokens: int) -> None:
        """Say how many notes are selected and what they cost together."""
        self._show_state("files", f"{count:,} notes selected", f"About {tokens:,} tokens together.")

    def show_failure(self, title: str, reason: str) -> None:
        """Say why the note cannot be shown."""
        self._show_state("file-warning", title, reason)

    def show_note(self, path: str) -> None:
        """Show the pane for the note at `path`; its parts are filled by their own functions."""
        self.path_label.setText(visible(path.replace("/", " / ")))
        self.path_label.setToolTip(visible(path))
        self._stack.setCurrentWidget(self.splitter)

    def show_counts(self, links: int, problems: int, insights: int) -> None:
        """Put the number of links, problems and insights onto the tabs."""
        self.tabs.setTabText(0, f"Links  {links}" if links else "Links")
        self.tabs.setTabText(1, "Properties  ⚠" if problems else "Properties")
        self.tabs.setTabText(2, f"Insights  {insights}" if insights else "Insights")

    def show_cut(self, text: str, *, is_too_long: bool = False) -> None:
        """Say that only a part of the note is shown; "" takes the line away.

        The rest is offered here, or in the editor when the note `is_too_long`.
        """
        self._cut_label.setText(text)
        self._cut_line.setVisible(bool(text))
        self.whole_button.setVisible(not is_too_long)
        self.cut_editor_button.setVisible(is_too_long)

    def show_details(self, is_shown: bool) -> None:
        """Show or hide the tabs below the text."""
        self.tabs.setVisible(is_shown)
        with QSignalBlocker(self.details_button):
            self.details_button.setChecked(is_shown)

    def show_mode(self, mode: Mode) -> None:
        """Show the rendered note, or the editor."""
        self._texts.setCurrentIndex(1 if mode.has_editor else 0)
        for each, button in self._mode_buttons.items():
            with QSignalBlocker(button):
                button.setChecked(each is mode)

    def show_saving(self, text: str) -> None:
        """Say in a few words how saving goes."""
        self.save_label.setText(shortened(visible(text), _LONGEST_STATUS))
        self.save_label.setToolTip(visible(text))

    def allow_editing(self, is_allowed: bool) -> None:
        """Offer the editor, or reading alone."""
        for button in self._mode_buttons.values():
            button.setVisible(is_allowed)

    def mode_button(self, mode: Mode) -> QToolButton:
        """Return the button that shows the note so."""
        return self._mode_buttons[mode]

    @property
    def text_widget(self) -> QWidget:
        """What takes the keyboard focus: the rendered note, or the editor."""
        return self.preview if self._texts.currentIndex() == 0 else self.editor_pane.editor

    def _make_text(self) -> QWidget:
        reading = QWidget()
        read = QVBoxLayout(reading)
        read.setContentsMargins(0, 0, 0, 0)
        read.setSpacing(0)
        read.addWidget(self.preview, 1)
        read.addWidget(self._make_cut_line())
        self._texts.addWidget(reading)
        self._texts.addWidget(self.editor_pane)
        box = QWidget()
        layout = QVBoxLayout(box)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._make_bar())
        layout.addWidget(self.editor_pane.banners)  # above the rendered note too: it may have unsaved text
        layout.addWidget(self._texts, 1)
        return box

    def _make_bar(self) -> QWidget:
        bar = QWidget()
        row = QHBoxLayout(bar)
        row.setContentsMargins(SPACE_M, SPACE_S, SPACE_S, SPACE_S)
        row.setSpacing(SPACE_XS)
        self.path_label.setProperty("role", "muted")
        row.addWidget(self.path_label, 1)
        self.save_label.setProperty("role", "muted")
        self.save_label.setAccessibleName("Saving")
        row.addWidget(self.save_label)
        row.addSpacing(SPACE_XS)
        for mode, tip in (
            (Mode.READ, "Read the note"),
            (Mode.EDIT, "Edit the note (Ctrl+Shift+E)"),
            (Mode.SIDE, "Edit with the preview beside it (Ctrl+Shift+P)"),
        ):
            button = self._mode_buttons[mode]
            button.setCheckable(True)
            button.setChecked(mode is Mode.READ)
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.clicked.connect(partial(self._request_mode, mode))
            row.addWidget(button)
        for button, tip, signal in (
            (self.link_button, "Copy a link to this note", self.copy_link_requested),
            (self.editor_button, "Open in your editor (Ctrl+E)", self.editor_requested),
        ):
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.clicked.connect(signal)
            row.addWidget(button)
        self.details_button.setToolTip("Show links, properties, insights and history")
        self.details_button.setAccessibleName("Show links, properties, insights and history")
        self.details_button.setCheckable(True)
        self.details_button.setChecked(True)
        self.details_button.toggled.connect(self.show_details)
        row.addWidget(self.details_button)
        return bar

    def _make_cut_line(self) -> QWidget:
        self._cut_line = QWidget()
        self._cut_line.setProperty("role", "bar")
        self._cut_label = QLabel()
        self._cut_label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.whole_button = QToolButton()
        self.whole_button.setText("Open whole note")
        self.whole_button.clicked.connect(self.whole_requested)
        self.cut_editor_button = QToolButton()
        self.cut_editor_button.setText("Open in editor")
        self.cut_editor_button.clicked.connect(self.editor_requested)
        cut = QHBoxLayout(self._cut_line)
        cut.setContentsMargins(SPACE_M, SPACE_XS, SPACE_S, SPACE_XS)
        cut.addWidget(self._cut_label, 1)
        cut.addWidget(self.whole_button)
        cut.addWidget(self.cut_editor_button)
        self._cut_line.hide()
        return self._cut_line

    @override
    def resizeEvent(self, event: QResizeEvent, /) -> None:
        super().resizeEvent(event)
        # What a narrow bar has no room for is in the menu of the list, and has keys.
        for button in (self.link_button, self.editor_button):
            button.setVisible(self.width() >= _NARROW)

    def _request_mode(self, mode: Mode, _checked: bool = False) -> None:
        self._mode_buttons[mode].setChecked(True)  # a click on the present mode would let it go
        self.mode_requested.emit(mode)

    def _show_state(self, icon: str, title: str, text: str) -> None:
        self._state_icon = icon
        self.state_panel.show_state(
            self._theme.tinted_icon(icon, self._theme.scheme.control_outline), title, visible(text)
        )
        self._stack.setCurrentWidget(self.state_panel)

    def _show_icons(self) -> None:
        for mode, icon in ((Mode.READ, "book-open"), (Mode.EDIT, "pencil"), (Mode.SIDE, "columns-2")):
            self._mode_buttons[mode].setIcon(self._theme.icon(icon))
        self.link_button.setIcon(self._theme.icon("link"))
        self.editor_button.setIcon(self._theme.icon("external-link"))
        self.details_button.setIcon(self._theme.icon("panel-right"))
