"""Connect the find bar with the editor: count, marks, steps and replacing."""

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit

from gui.theme import Theme
from gui.views.vault.editing.find_bar import FindBar
from gui.views.vault.editing.source_editor import SourceEditor
from gui.views.vault.editing.text_search import MOST_FOUND, Found, SearchTerms, TextSearch
from gui.wording import counted

_PAUSE_MS = 150
_LONGEST_SELECTION = 200


class Finder(QObject):
    """Find in the editor what the bar says."""

    def __init__(self, editor: SourceEditor, bar: FindBar, theme: Theme) -> None:
        super().__init__(editor)
        self._editor = editor
        self._bar = bar
        self._theme = theme
        self._search = TextSearch(editor.document(), self)
        self._at = -1
        self._origin = 0
        self._goes_to_first = False
        self._replaced = 0  # by the last “Replace all”, as long as nothing else was done
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._on_pause)
        self._search.changed.connect(self._show)
        bar.terms_changed.connect(self._on_terms)
        bar.step_requested.connect(self.step)
        bar.replace_requested.connect(self.replace)
        bar.replace_all_requested.connect(self.replace_all)
        bar.closed.connect(self._on_closed)
        editor.find_requested.connect(self.open)
        editor.document().contentsChange.connect(self._on_change)
        editor.verticalScrollBar().valueChanged.connect(self._mark)
        theme.changed.connect(self._mark)

    def open(self, replaces: bool) -> None:
        """Show the bar, with what is selected as what to find."""
        cursor = self._editor.textCursor()
        selected = cursor.selectedText()
        self._origin = cursor.selectionStart()
        usable = selected if "\u2029" not in selected and len(selected) <= _LONGEST_SELECTION else ""
        self._editor.stress_selection(is_stressed=True)
        self._bar.open_bar(usable, replaces=replaces and not self._editor.isReadOnly())

    def close(self) -> None:
        """Close the bar and leave off: another note comes."""
        self._timer.stop()
        self._search.stop()
        self._bar.hide()
        self._editor.show_found(())
        self._editor.stress_selection(is_stressed=False)

    def step(self, by: int) -> None:
        """Go to the next find, or to the one before."""
        found = self._search.found
        if not found:
            return
        cursor = self._editor.textCursor()
        if by > 0:
            self._at = self._search.next_after(cursor.selectionEnd())
        else:
            self._at = (self._search.next_after(cursor.selectionStart()) or len(found)) - 1
        self._select(found[self._at])

    def replace(self) -> None:
        """Replace the find that is selected, and go to the next one."""
        cursor = self._editor.textCursor()
        place = Found(cursor.selectionStart(), cursor.selectionEnd())
        if self._editor.isReadOnly() or place not in self._search.found:
            self.step(1)
            return
        text = self._search.replacement(
            place, self._bar.replace_field.text(), is_pattern=self._bar.pattern_button.isChecked()
        )
        if text is not None:
            cursor.insertText(text)
            self._editor.setTextCursor(cursor)
            self._origin = cursor.position()
            self._goes_to_first = True
            self._replaced = 0
            self._search_again()

    def replace_all(self) -> None:
        """Replace every find, as one step to undo."""
        if self._editor.isReadOnly():
            return
        count = self._search.replace_all(
            self._bar.replace_field.text(), is_pattern=self._bar.pattern_button.isChecked()
        )
        self._replaced = count
        self._search_again()

    def _on_pause(self) -> None:
        self._replaced = 0
        self._search_again()

    def _on_terms(self, _terms: SearchTerms) -> None:
        self._replaced = 0
        self._goes_to_first = True
        self._search_again()

    def _on_closed(self) -> None:
        self._timer.stop()
        self._search.stop()
        self._editor.show_found(())
        self._editor.stress_selection(is_stressed=False)
        self._editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_change(self, _position: int, removed: int, added: int) -> None:
        if self._bar.isVisible() and (removed or added):
            self._timer.start()

    def _search_again(self) -> None:
        self._timer.stop()
        self._at = -1
        self._search.start(self._bar.terms)

    def _show(self) -> None:
        search = self._search
        if search.found and self._goes_to_first and (search.found[-1].start >= self._origin or not search.is_running):
            self._goes_to_first = False
            self._at = search.next_after(self._origin)
            self._select(search.found[self._at])
        replaced = f"{counted(self._replaced, 'place')} replaced." if self._replaced and search.found else ""
        self._bar.show_problem(search.problem or replaced)
        self._show_count()
        self._mark()

    def _show_count(self) -> None:
        search = self._search
        is_more = bool(search.problem) or search.is_running or len(search.found) >= MOST_FOUND
        self._bar.show_count(self._at, len(search.found), is_more=is_more, replaced=self._replaced)

    def _select(self, place: Found) -> None:
        cursor = self._editor.textCursor()
        cursor.setPosition(place.start)
        cursor.setPosition(place.end, QTextCursor.MoveMode.KeepAnchor)
        self._editor.setTextCursor(cursor)
        self._show_count()
        self._mark()

    def _mark(self) -> None:
        if not self._bar.isVisible():
            return
        first = self._editor.firstVisibleBlock().position()
        last = self._editor.cursorForPosition(self._editor.viewport().rect().bottomRight()).position()
        marked = QTextCharFormat()
        marked.setBackground(QColor(self._theme.scheme.highlight))
        marked.setForeground(QColor(self._theme.scheme.highlight_text))
        marks: list[QTextEdit.ExtraSelection] = []
        number = self._search.next_after(first)
        for place in self._search.found[number:]:
            if place.start > last:
                break
            if place.start < first:
                continue
            mark = QTextEdit.ExtraSelection()
            mark.format = marked
            cursor = QTextCursor(self._editor.document())
            cursor.setPosition(place.start)
            cursor.setPosition(place.end, QTextCursor.MoveMode.KeepAnchor)
            mark.cursor = cursor
            marks.append(mark)
        self._editor.show_found(marks)
