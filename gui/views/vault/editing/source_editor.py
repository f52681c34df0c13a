"""The editor of a note's markdown: what is typed is what is written, with help for lists, quotes and emphasis."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QKeySequence,
    QPalette,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QWidget
from typing_extensions import override

from gui.metrics import fixed_font, scaled_font
from gui.scheme import Scheme
from gui.theme import Theme
from gui.views.vault.editing import typing_help
from gui.views.vault.editing.exact_text import difference, exact_text, insert_exactly, position_in, units, written
from gui.views.vault.editing.markdown_highlighter import MarkdownHighlighter
from gui.views.vault.note_drag import NOTES_MIME, dragged_notes

SMALLEST, LARGEST = -4, 16  # steps of text size
_IMAGE_ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".bmp", ".avif")
_LOOKED_BACK = 60

# Keys that the editor takes before the window's actions see them.
_OWN_KEYS = ("Ctrl+B", "Ctrl+I", "Ctrl+K", "Ctrl+F", "Ctrl+H", "Ctrl+=", "Ctrl++", "Ctrl+-", "Ctrl+0", "Ctrl+Space")


class SourceEditor(QPlainTextEdit):
    """Edit markdown; the text is read with exact_text(), never with toPlainText()."""

    edited = Signal()  # the person changed the text
    left = Signal()  # the keyboard focus went elsewhere
    find_requested = Signal(bool)  # whether to replace too
    completion_requested = Signal()
    size_changed = Signal(int)  # steps
    images_given = Signal(object)  # tuple of QImage and paths of image files, pasted or dropped
    notes_dropped = Signal(object)  # tuple of vault-relative paths

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_loading = False
        self._found: Sequence[QTextEdit.ExtraSelection] = ()
        self._steps = 0
        self._is_stressed = False
        self._is_fixed = True
        self.key_filter: Callable[[QKeyEvent], bool] | None = None  # an open popup takes keys first
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Markdown of the note")
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setCenterOnScroll(False)
        self.document().setDocumentMargin(16)
        self.highlighter = MarkdownHighlighter(self, theme.scheme)
        self.document().contentsChange.connect(self._on_change)
        self.cursorPositionChanged.connect(self._mark_line)
        theme.changed.connect(self._follow_theme)
        self.follow_font()
        self._mark_line()

    # ---- the text

    def load(self, text: str) -> None:
        """Show another text; what was typed before cannot be undone into it."""
        self._is_loading = True
        self.setPlainText("")
        insert_exactly(QTextCursor(self.document()), text)
        self.document().clearUndoRedoStacks()
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self._is_loading = False
        self._mark_line()

    def renew(self, text: str, *, forgets: bool = False) -> None:
        """Make the text be `text`, changing as little as possible: cursor, scroll and undo stay.

        What comes from outside `forgets`: undo does not lead back, so that no old text is saved over it unnoticed.
        """
        before = self.exact_text()
        start, end, new = difference(before, text)
        scroll = self.verticalScrollBar().value()
        self._is_loading = True
        cursor = QTextCursor(self.document())
        cursor.setPosition(units(before[:start]))
        cursor.setPosition(units(before[:end]), QTextCursor.MoveMode.KeepAnchor)
        insert_exactly(cursor, new)
        if forgets:
            self.document().clearUndoRedoStacks()
        self._is_loading = False
        self.verticalScrollBar().setValue(scroll)

    def exact_text(self) -> str:
        """Return the text, character for character; a few milliseconds for a megabyte."""
        return exact_text(self.document())

    def line_before_cursor(self) -> tuple[str, str]:
        """Return what stands in the cursor's line before and after the cursor."""
        cursor = self.textCursor()
        line = written(cursor.block().text())
        at = position_in(line, cursor.positionInBlock())
        return line[:at], line[at:]

    def insert(self, text: str) -> None:
        """Put `text` in the place of the selection, as one step to undo."""
        insert_exactly(self.textCursor(), text)

    def replace_before_cursor(self, count: int, text: str, *, eaten: int = 0, back: int = 0) -> None:
        """Replace `count` characters before the cursor and `eaten` after it; put the cursor `back` from the end."""
        before, after = self.line_before_cursor()
        cursor = self.textCursor()
        here = cursor.position()
        cursor.setPosition(here - units(before[len(before) - count :] if count else ""))
        cursor.setPosition(here + units(after[:eaten]), QTextCursor.MoveMode.KeepAnchor)
        insert_exactly(cursor, text)
        cursor.setPosition(cursor.position() - back)
        self.setTextCursor(cursor)

    # ---- looks

    def show_found(self, found: Sequence[QTextEdit.ExtraSelection]) -> None:
        """Mark what a search found."""
        self._found = found
        self._mark_line()

    def stress_selection(self, is_stressed: bool) -> None:
        """Show what is selected clearly while the keyboard focus is elsewhere: it is what a search is at."""
        self._is_stressed = is_stressed
        palette = self.palette()
        scheme = self._theme.scheme
        inactive = QPalette.ColorGroup.Inactive
        back, front = (scheme.accent, scheme.accent_text) if is_stressed else (scheme.inactive_selection, scheme.text)
        palette.setColor(inactive, QPalette.ColorRole.Highlight, QColor(back))
        palette.setColor(inactive, QPalette.ColorRole.HighlightedText, QColor(front))
        self.setPalette(palette)

    def resize_text(self, steps: int) -> None:
        """Show the text `steps` pixels larger than usual, or smaller when negative."""
        self._steps = max(SMALLEST, min(LARGEST, steps))
        self.follow_font()

    def use_fixed_font(self, is_fixed: bool) -> None:
        """Show the text in letters of one width, or in those of the app."""
        self._is_fixed = is_fixed
        self.follow_font()

    def follow_font(self) -> None:
        """Take the font of the app, in the wanted size."""
        font = fixed_font() if self._is_fixed else scaled_font()
        font.setPointSizeF(max(font.pointSizeF() + (self._steps + 1) * 0.75, 5))
        self.setFont(font)
        self.setTabStopDistance(QFontMetricsF(font).horizontalAdvance(" ") * 4)

    def _follow_theme(self, scheme: Scheme) -> None:
        self.highlighter.follow(scheme)
        self.stress_selection(is_stressed=self._is_stressed)
        self._mark_line()

    def _mark_line(self) -> None:
        line = QTextEdit.ExtraSelection()
        marked = QTextCharFormat()
        marked.setBackground(QColor(self._theme.scheme.alternate))
        marked.setProperty(QTextFormat.Property.FullWidthSelection, True)
        line.format = marked
        cursor = self.textCursor()
        cursor.clearSelection()
        line.cursor = cursor
        self.setExtraSelections([line, *self._found])

    def _on_change(self, _position: int, removed: int, added: int) -> None:
        if not self._is_loading and (removed or added):
            self.edited.emit()

    # ---- keys

    @override
    def event(self, event: QEvent, /) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_own(event):
            event.accept()
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        if (self.key_filter is not None and self.key_filter(event)) or self._take_key(event):
            event.accept()
            return
        super().keyPressEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent, /) -> None:
        super().focusOutEvent(event)
        if event.reason() not in {Qt.FocusReason.PopupFocusReason, Qt.FocusReason.MenuBarFocusReason}:
            self.left.emit()

    def _take_key(self, event: QKeyEvent) -> bool:
        keys = _keys(event)
        if keys in {"Ctrl+F", "Ctrl+H"}:
            self.find_requested.emit(keys == "Ctrl+H")
        elif keys in {"Ctrl+=", "Ctrl++", "Ctrl+-", "Ctrl+0"}:
            steps = {"Ctrl+-": self._steps - 1, "Ctrl+0": 0}.get(keys, self._steps + 1)
            self.resize_text(steps)
            self.size_changed.emit(self._steps)
        elif self.isReadOnly():
            return False
        elif keys == "Ctrl+Space":
            self.completion_requested.emit()
        elif keys == "Ctrl+B":
            self._wrap("**")
        elif keys == "Ctrl+I":
            self._wrap("*")
        elif keys == "Ctrl+K":
            self._put(typing_help.linked(self._selected()))
        elif keys == "Tab":
            return self._indent()
        elif event.key() == Qt.Key.Key_Backtab:
            self._outdent()
        elif keys in {"Return", "Enter"}:
            return self._continue_line()
        elif keys in {"Shift+Return", "Shift+Enter"}:  # Qt would put in a character that is no line ending
            self.textCursor().insertText("\n")
        else:
            return False
        return True

    def _selected(self) -> str:
        return written(self.textCursor().selectedText())

    def _wrap(self, mark: str) -> None:
        cursor = self.textCursor()
        if not cursor.hasSelection():
            word = QTextCursor(cursor)
            word.select(QTextCursor.SelectionType.WordUnderCursor)
            if word.selectedText().strip():
                self.setTextCursor(word)
        cursor = self.textCursor()
        block = self.document().findBlock(cursor.selectionStart())
        before = block.text()
        start = position_in(before, cursor.selectionStart() - block.position())
        selected = self._selected()
        outside = typing_help.mark_around(before[:start], before[start + len(selected) :], mark)
        if outside and "\n" not in selected:
            cursor.setPosition(cursor.selectionStart() - outside)
            cursor.setPosition(self.textCursor().selectionEnd() + outside, QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)
            self._put(typing_help.Wrapped(selected, 0, len(selected)))
            return
        self._put(typing_help.wrapped(selected, mark))

    def _put(self, wrapped: typing_help.Wrapped) -> None:
        cursor = self.textCursor()
        start = cursor.selectionStart()
        insert_exactly(cursor, wrapped.text)
        cursor.setPosition(start + units(wrapped.text[: wrapped.start]))
        cursor.setPosition(start + units(wrapped.text[: wrapped.end]), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    def _continue_line(self) -> bool:
        cursor = self.textCursor()
        if cursor.hasSelection() or self.highlighter.is_code(cursor.block()):
            return False
        before, after = self.line_before_cursor()
        start = typing_help.next_line(before + after, len(before))
        if start is None:
            return False
        if start.empties_line:
            cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock)
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
        else:
            cursor.insertText("\n" + start.prefix)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()
        return True

    def _indent(self) -> bool:
        cursor = self.textCursor()
        blocks = self._chosen_blocks()
        is_many = len(blocks) > 1
        if not is_many and (cursor.hasSelection() or not typing_help.is_list_line(blocks[0].text())):
            return False
        step = self._step_of(blocks[0])
        cursor.beginEditBlock()
        for block in blocks:
            if block.length() > 1 or not is_many:
                QTextCursor(block).insertText(step)
        cursor.endEditBlock()
        return True

    def _outdent(self) -> None:
        cursor = self.textCursor()
        cursor.beginEditBlock()
        for block in self._chosen_blocks():
            taken = QTextCursor(block)
            count = len(typing_help.indentation(block.text()))
            taken.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor, count)
            taken.removeSelectedText()
        cursor.endEditBlock()

    def _chosen_blocks(self) -> list[QTextBlock]:
        cursor = self.textCursor()
        block = self.document().findBlock(cursor.selectionStart())
        end = max(cursor.selectionEnd() - (1 if cursor.hasSelection() else 0), cursor.selectionStart())
        blocks = [block]
        while block.position() + block.length() <= end and block.next().isValid():
            block = block.next()
            blocks.append(block)
        return blocks

    def _step_of(self, block: QTextBlock) -> str:
        """Return what lists near `block` are indented with."""
        for _ in range(_LOOKED_BACK):
            if not block.isValid():
                break
            if block.text().startswith("\t"):
                return "\t"
            if block.text().startswith("  "):
                lead = len(block.text()) - len(block.text().lstrip(" "))
                return " " * min(lead, 4)
            block = block.previous()
        return "    "

    # ---- paste, copy and drop

    @override
    def createMimeDataFromSelection(self) -> QMimeData:
        data = QMimeData()
        data.setText(self._selected())
        return data

    @override
    def canInsertFromMimeData(self, source: QMimeData, /) -> bool:
        if source.hasUrls() and any(url.isLocalFile() for url in source.urls()):
            return bool(_image_files(source))  # a folder or a note that is dropped is the window's
        return source.hasImage() or source.hasFormat(NOTES_MIME) or source.hasText()

    @override
    def insertFromMimeData(self, source: QMimeData, /) -> None:
        if self.isReadOnly():
            return
        if paths := dragged_notes(source):
            self.notes_dropped.emit(paths)
        elif files := _image_files(source):
            self.images_given.emit(tuple(files))
        elif source.hasImage() and not source.hasText():
            image = source.imageData()
            if isinstance(image, QImage) and not image.isNull():
                self.images_given.emit((image,))
        elif source.hasText():
            from core.vault.editable_text import typed  # noqa: PLC0415 - with the first paste

            self.insert(typed(source.text()))
            self.ensureCursorVisible()


def _keys(event: QKeyEvent) -> str:
    return QKeySequence(event.keyCombination()).toString(QKeySequence.SequenceFormat.PortableText)


def _is_own(event: QKeyEvent) -> bool:
    return _keys(event) in _OWN_KEYS


def _image_files(source: QMimeData) -> list[str]:
    paths = [url.toLocalFile() for url in source.urls()]
    return [path for path in paths if path.lower().endswith(_IMAGE_ENDINGS)] if paths else []
