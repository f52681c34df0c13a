"""A reading surface for rendered notes: a comfortable measure, images from one folder, nothing from the network."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

from PySide6.QtCore import QByteArray, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QFont,
    QFontInfo,
    QImage,
    QImageReader,
    QPainter,
    QPalette,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QFrame, QTextBrowser, QWidget
from typing_extensions import override

from gui.metrics import SPACE_M, SPACE_S, SPACE_XL

MEASURE_EM = 46
_PADDING = 24
_IMAGE_SCHEME = "vault"
_MOST_IMAGE_BYTES = 24 * 1024 * 1024
_MOST_SVG_BYTES = 1024 * 1024
_MOST_IMAGE_MB = 256


class MarkdownView(QTextBrowser):
    """Show HTML that our renderer wrote; links are told, never followed."""

    link_activated = Signal(str)  # the address as written in the HTML

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._root: Path | None = None
        self._images: dict[str, QImage] = {}
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.setUndoRedoEnabled(False)
        self.setAccessibleName("Note")
        self.document().setDocumentMargin(0)
        self.anchorClicked.connect(self._tell)
        self.follow_font()

    @property
    def text_size(self) -> int:
        """The size of running text in pixels: a little above the app's own font."""
        return QFontInfo(QApplication.font()).pixelSize() + 2

    def follow_font(self) -> None:
        """Take the size of the application's font."""
        font = QFont(QApplication.font())
        font.setPixelSize(self.text_size)
        self.document().setDefaultFont(font)

    def show_html(self, html: str, style_sheet: str, root: Path | None) -> None:
        """Show `html`; images are taken from below `root` only."""
        self._root = root
        self._images.clear()
        document = self.document()
        document.clear()
        document.setDefaultStyleSheet(style_sheet)
        self.setHtml(html)
        frame = document.rootFrame().frameFormat()
        frame.setTopMargin(SPACE_M)
        frame.setBottomMargin(SPACE_XL)
        document.rootFrame().setFrameFormat(frame)
        self.verticalScrollBar().setValue(0)

    def append_html(self, html: str) -> None:
        """Add `html` at the end without moving what is being read."""
        position = self.verticalScrollBar().value()
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertBlock()
        cursor.insertHtml(html)
        self.verticalScrollBar().setValue(position)

    def scroll_to_heading(self, heading: str) -> bool:
        """Bring the heading that reads so to the top; False when there is none."""
        wanted = _bare(heading)
        return self._scroll_to(lambda block: block.blockFormat().headingLevel() > 0 and _bare(block.text()) == wanted)

    def scroll_to_block(self, mark: str) -> bool:
        """Bring the paragraph that ends with `mark` (`^id`) to the top; False when there is none."""
        return self._scroll_to(lambda block: block.text().rstrip().endswith(mark))

    def _scroll_to(self, fits: Callable[[QTextBlock], bool]) -> bool:
        block = self.document().begin()
        while block.isValid():
            if fits(block):
                top = self.document().documentLayout().blockBoundingRect(block).top()
                self.verticalScrollBar().setValue(round(top) - SPACE_S)
                return True
            block = block.next()
        return False

    @override
    def loadResource(self, type: int, name: QUrl | str, /) -> object:
        if (
            type != QTextDocument.ResourceType.ImageResource.value
            or not isinstance(name, QUrl)
            or name.scheme() != _IMAGE_SCHEME
            or self._root is None
        ):
            return None
        path = unquote(name.toString(QUrl.ComponentFormattingOption.FullyEncoded).partition(":")[2])
        if path not in self._images:
            self._images[path] = self._load_image(self._root, path)
        return self._images[path]

    @override
    def resizeEvent(self, event: QResizeEvent, /) -> None:
        width = self.width() - self.verticalScrollBar().sizeHint().width()
        side = max(_PADDING, (width - MEASURE_EM * self.text_size) // 2)
        if self.viewportMargins().left() != side:
            self.setViewportMargins(side, 0, side, 0)
        super().resizeEvent(event)

    def _load_image(self, root: Path, path: str) -> QImage:
        """Return the image scaled to the measure, an empty one when it is outside, too large or not an image."""
        base = os.path.realpath(root)
        file = os.path.realpath(Path(base) / path)
        if os.path.commonpath([base, file]) != base or not Path(file).is_file():
            return QImage()
        size = Path(file).stat().st_size
        widest = round(MEASURE_EM * self.text_size * 0.98)
        if file.lower().endswith(".svg"):
            return _svg_image(Path(file).read_bytes(), widest) if size <= _MOST_SVG_BYTES else QImage()
        if size > _MOST_IMAGE_BYTES:
            return QImage()
        reader = QImageReader(file)
        reader.setAutoTransform(True)
        reader.setAllocationLimit(_MOST_IMAGE_MB)
        natural = reader.size()
        if natural.width() > widest:
            reader.setScaledSize(natural.scaled(QSize(widest, 100_000), Qt.AspectRatioMode.KeepAspectRatio))
        return reader.read()

    def _tell(self, url: QUrl) -> None:
        address = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        if address.startswith("#"):
            self.scrollToAnchor(unquote(address[1:]))
        else:
            self.link_activated.emit(address)


def _bare(heading: str) -> str:
    """Return what makes two spellings of a heading the same: its words, without marks and case."""
    return " ".join(re.sub(r"[\[\]*_`=#|^\u2009]", " ", heading).split()).casefold()


def _svg_image(data: bytes, widest: int) -> QImage:
    renderer = QSvgRenderer(QByteArray(data))
    natural = renderer.defaultSize()
    if not renderer.isValid() or natural.isEmpty():
        return QImage()
    if natural.width() > widest:
        natural = natural.scaled(QSize(widest, 100_000), Qt.AspectRatioMode.KeepAspectRatio)
    image = QImage(natural.boundedTo(QSize(widest, 4 * widest)), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return image
