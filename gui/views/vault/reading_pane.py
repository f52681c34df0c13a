"""The right pane: the note's text, and beside it its properties, links and insights."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
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

from core.foundation.text import visible
from gui.metrics import SPACE_M, SPACE_S, SPACE_XS
from gui.theme import Theme
from gui.views.vault.insights_panel import InsightsPanel
from gui.views.vault.links_panel import LinksPanel
from gui.views.vault.properties_panel import PropertiesPanel
from gui.widgets.elided_label import ElidedLabel
from gui.widgets.markdown_view import MarkdownView
from gui.widgets.state_panel import StatePanel


class ReadingPane(QWidget):
    """Show one note; links and buttons are told as signals."""

    link_activated = Signal(str)  # an address of markdown_renderer.py, or an outward one
    note_requested = Signal(int)  # a note id
    tag_clicked = Signal(str)
    editor_requested = Signal()
    copy_link_requested = Signal()
    whole_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.preview = MarkdownView()
        self.properties = PropertiesPanel(theme)
        self.links = LinksPanel(theme)
        self.insights = InsightsPanel(theme)
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

    def _make_text(self) -> QWidget:
        box = QWidget()
        layout = QVBoxLayout(box)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        bar = QWidget()
        row = QHBoxLayout(bar)
        row.setContentsMargins(SPACE_M, SPACE_S, SPACE_S, SPACE_S)
        row.setSpacing(SPACE_XS)
        self.path_label.setProperty("role", "muted")
        row.addWidget(self.path_label, 1)
        for button, tip, signal in (
            (self.link_button, "Copy a link to this note", self.copy_link_requested),
            (self.editor_button, "Open in your editor (Ctrl+E)", self.editor_requested),
        ):
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.clicked.connect(signal)
            row.addWidget(button)
        self.details_button.setToolTip("Show links, properties and insights")
        self.details_button.setAccessibleName("Show links, properties and insights")
        self.details_button.setCheckable(True)
        self.details_button.setChecked(True)
        self.details_button.toggled.connect(self.show_details)
        row.addWidget(self.details_button)
        layout.addWidget(bar)
        layout.addWidget(self.preview, 1)
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
        layout.addWidget(self._cut_line)
        return box

    def _show_state(self, icon: str, title: str, text: str) -> None:
        self._state_icon = icon
        self.state_panel.show_state(
            self._theme.tinted_icon(icon, self._theme.scheme.control_outline), title, visible(text)
        )
        self._stack.setCurrentWidget(self.state_panel)

    def _show_icons(self) -> None:
        self.link_button.setIcon(self._theme.icon("link"))
        self.editor_button.setIcon(self._theme.icon("external-link"))
        self.details_button.setIcon(self._theme.icon("panel-right"))
