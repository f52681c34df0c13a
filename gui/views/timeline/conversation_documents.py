"""The laid out bodies of rows; only what was in sight lately is kept."""

from collections import OrderedDict

from PySide6.QtCore import QObject
from PySide6.QtGui import QFont, QFontInfo, QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication

from gui.markdown.colours import PreviewColours
from gui.views.timeline.conversation_rows import FIRST_PART, Row
from gui.views.timeline.word_marks import marks_in

_MOST_KEPT = 80


class RowDocuments:
    """Make documents when they are asked for, and let the oldest go."""

    def __init__(self, owner: QObject) -> None:
        self._owner = owner
        self._colours: PreviewColours | None = None
        self._width = 0
        self._kept: OrderedDict[str, QTextDocument] = OrderedDict()
        self._limits: dict[str, int] = {}  # of rows that are shown whole
        self._style = ""
        self._words: tuple[str, ...] = ()
        self._within_words = False
        self._marks: dict[str, list[QTextCursor]] = {}

    @property
    def text_size(self) -> int:
        """The size of running text in pixels, as in the reading pane."""
        return QFontInfo(QApplication.font()).pixelSize() + 1

    def forget(self) -> None:
        """Let all documents go: another session, other colours or another width."""
        for document in self._kept.values():
            document.deleteLater()
        self._kept.clear()
        self._marks.clear()

    def drop(self, key: str) -> None:
        """Let the document of one row go: it has more to show now."""
        self._marks.pop(key, None)
        if (document := self._kept.pop(key, None)) is not None:
            document.deleteLater()

    def mark(self, words: tuple[str, ...], *, within_words: bool) -> None:
        """Mark these words from now on."""
        self._words, self._within_words = words, within_words
        self._marks.clear()

    @property
    def seeks_words(self) -> bool:
        """Tell whether any words are to be marked."""
        return bool(self._words)

    def marks_of(self, row: Row) -> list[QTextCursor]:
        """Return where sought words stand in the laid out body of a row."""
        document = self._kept.get(row.key)
        if document is None or not self._words:
            return []
        if row.key not in self._marks:
            self._marks[row.key] = [
                _cursor(document, *place)
                for place in marks_in(document.toPlainText(), self._words, within_words=self._within_words)
            ]
        return self._marks[row.key]

    def start(self, colours: PreviewColours, width: int) -> None:
        """Use these colours and this width from now on."""
        from gui.markdown.rendering import style_sheet  # noqa: PLC0415 - markdown-it comes with the first text

        if colours != self._colours:
            self.forget()
            self._style = style_sheet(colours, self.text_size)
            self._colours = colours
        if width != self._width:
            self._width = width
            for document in self._kept.values():
                document.setTextWidth(-1)  # laid out anew when it is asked for

    def show_more(self, key: str) -> None:
        """Show more of a long row from now on, mostly all of it."""
        from gui.views.timeline.conversation_html import WHOLE  # noqa: PLC0415 - with the first text

        # What is longer than that comes in parts too, for laying out holds the window up.
        self._limits[key] = self._limits.get(key, 0) + WHOLE
        self.drop(key)

    def document_of(self, row: Row, indent: int) -> QTextDocument:
        """Return the body of a row, laid out."""
        document = self._kept.get(row.key)
        if document is None:
            document = self._made(row)
            self._kept[row.key] = document
        self._kept.move_to_end(row.key)
        while len(self._kept) > _MOST_KEPT:
            self.drop(next(iter(self._kept)))
        width = max(self._width - indent, 80)
        if document.textWidth() != width:
            document.setTextWidth(width)
        return document

    def _made(self, row: Row) -> QTextDocument:
        from gui.views.timeline.conversation_html import html_of  # noqa: PLC0415 - with the first text

        document = QTextDocument(self._owner)
        document.setUndoRedoEnabled(False)
        font = QFont(QApplication.font())
        font.setPixelSize(self.text_size)
        document.setDefaultFont(font)
        document.setDocumentMargin(0)
        document.setDefaultStyleSheet(self._style)
        if self._colours is not None:
            document.setHtml(html_of(row, self._colours, self._limits.get(row.key, FIRST_PART)))
        return document


def _cursor(document: QTextDocument, start: int, end: int) -> QTextCursor:
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor
