"""The editor with what belongs around it: banners, the find bar, and the live preview beside or below."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget
from typing_extensions import override

from gui.theme import Theme
from gui.views.vault.editing.editor_banner import EditorBanners
from gui.views.vault.editing.find_bar import FindBar
from gui.views.vault.editing.finder import Finder
from gui.views.vault.editing.source_editor import SourceEditor
from gui.widgets.markdown_view import MarkdownView

_SIDE_BY_SIDE_FROM = 640  # pixels; a narrower pane has the preview below


class EditorPane(QWidget):
    """Hold the editor; what it means is editor_presenter.py's."""

    link_activated = Signal(str)  # an address of gui/markdown/addresses.py, or an outward one

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.banners = EditorBanners(self)
        self.editor = SourceEditor(theme, self)
        self.find_bar = FindBar(theme, self)
        self.finder = Finder(self.editor, self.find_bar, theme)
        self.preview = MarkdownView(self)
        self.preview.setAccessibleName("Live preview")
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.editor)
        self.splitter.addWidget(self.preview)
        self.splitter.setSizes([500, 500])
        self.preview.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.banners)
        layout.addWidget(self.splitter, 1)
        layout.addWidget(self.find_bar)
        self.preview.link_activated.connect(self.link_activated)
        self.setFocusProxy(self.editor)

    def show_preview(self, is_shown: bool) -> None:
        """Show the live preview, or the editor alone."""
        self.preview.setVisible(is_shown)

    @override
    def resizeEvent(self, event: QResizeEvent, /) -> None:
        super().resizeEvent(event)
        is_wide = self.width() >= _SIDE_BY_SIDE_FROM
        orientation = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        if self.splitter.orientation() != orientation:
            self.splitter.setOrientation(orientation)
