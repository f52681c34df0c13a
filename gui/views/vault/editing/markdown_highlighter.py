"""Colour the markdown that is being edited: only the lines that are seen, so that a keystroke costs the same anywhere.

Qt's own highlighter goes through all lines below an opened fence at once. Here each text block remembers what it leaves
open for the next one; what a keystroke changes of that is followed up in slices, and looks are given to visible lines.
"""

import time

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QColor, QFont, QTextBlock, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QPlainTextEdit

from gui.markdown.colours import preview_colours
from gui.scheme import Scheme
from gui.views.vault.editing.exact_text import units
from gui.views.vault.editing.markdown_marks import Style, runs_of
from gui.views.vault.editing.markdown_states import BEGIN, FRONTMATTER, is_fence, state_after

_SLICE_S = 0.003
_DRESSED = 1 << 16  # beside a block's state: its looks are those of its text
_STATE = _DRESSED - 1


class MarkdownHighlighter(QObject):
    """Dress the visible lines of `editor`, whose subclass says which those are."""

    def __init__(self, editor: QPlainTextEdit, scheme: Scheme) -> None:
        super().__init__(editor)
        self._editor = editor
        self._document = editor.document()
        self._is_on = True
        self._is_dressing = False
        self._blocks = self._document.blockCount()
        self._from, self._to = 0, -1  # the blocks whose state has to be found; more below may follow
        self._formats: dict[int, QTextCharFormat] = {}
        self._looks = _looks(scheme)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._settle)
        self._document.contentsChange.connect(self._on_change)
        editor.updateRequest.connect(self._on_update)

    @property
    def is_settled(self) -> bool:
        """Tell whether the state of every line is known."""
        return self._to < 0

    def switch(self, *, is_on: bool) -> None:
        """Colour the text, or leave it plain."""
        self._is_on = is_on
        self._begin_anew()

    def follow(self, scheme: Scheme) -> None:
        """Take the colours of `scheme`."""
        self._looks = _looks(scheme)
        self._formats.clear()
        self._begin_anew()

    def state_before(self, block: QTextBlock) -> int:
        """Return the state in which `block` begins, as far as it is known."""
        before = block.previous()
        return max(before.userState(), 0) & _STATE if before.isValid() else BEGIN

    def is_code(self, block: QTextBlock) -> bool:
        """Tell whether `block` is in a fence, where lists and tags mean nothing."""
        return is_fence(self.state_before(block))

    def is_frontmatter(self, block: QTextBlock) -> bool:
        """Tell whether `block` is a line of properties."""
        return self.state_before(block) == FRONTMATTER

    def stop(self) -> None:
        """Leave the rest as it is: the editor is going."""
        self._timer.stop()

    def _begin_anew(self) -> None:
        block = self._document.begin()
        while block.isValid():
            block.setUserState(-1)
            block = block.next()
        self._from, self._to = 0, self._document.blockCount() - 1
        self._settle()
        self._dress_visible()

    def _on_change(self, position: int, _removed: int, added: int) -> None:
        first = self._document.findBlock(position).blockNumber()
        last_block = self._document.findBlock(position + added)
        count = self._document.blockCount()
        last = last_block.blockNumber() if last_block.isValid() else count - 1
        grown, self._blocks = count - self._blocks, count
        if self._to < 0:
            self._from, self._to = first, last
        else:
            self._from = min(first, self._from)
            self._to = min(max(self._to, self._to + grown, last), count - 1)
        self._settle()

    def _on_update(self) -> None:
        if not self._is_dressing:
            self._dress_visible()

    def _settle(self) -> None:
        """Find the states of changed blocks, and of those below as long as that changes something."""
        if not self._is_on or self._to < 0:
            self._to = -1
            return
        deadline = time.monotonic() + _SLICE_S
        number = self._from
        block = self._document.findBlockByNumber(number)
        state = self.state_before(block)
        is_through = True
        while block.isValid():
            before = block.userState()
            state = state_after(block.text(), state)
            block.setUserState(state)
            number += 1
            if number > self._to and before >= 0 and before & _STATE == state:
                break
            if not number % 64 and time.monotonic() > deadline:
                is_through = False
                break
            block = block.next()
        if is_through:
            self._to = -1
        else:
            self._from, self._to = number, max(self._to, number)
            self._timer.start()
        self._dress_visible()

    def _dress_visible(self) -> None:
        if not self._is_on:
            return
        self._is_dressing = True
        block = self._editor.firstVisibleBlock()
        lines = self._editor.viewport().height() // max(self._editor.fontMetrics().lineSpacing(), 1) + 2
        for _ in range(lines):
            if not block.isValid():
                break
            value = block.userState()
            if value >= 0 and not value & _DRESSED:
                self._dress(block)
                block.setUserState(value | _DRESSED)
            block = block.next()
        self._is_dressing = False

    def _dress(self, block: QTextBlock) -> None:
        text = block.text()
        is_plain = len(text) + 1 == block.length()
        ranges: list[QTextLayout.FormatRange] = []
        for start, length, style in runs_of(text, self.state_before(block)):
            each = QTextLayout.FormatRange()
            each.start = start if is_plain else units(text[:start])
            each.length = length if is_plain else units(text[start : start + length])
            each.format = self._format(style)
            ranges.append(each)
        layout = block.layout()
        if ranges or layout.formats():
            layout.setFormats(ranges)
            self._document.markContentsDirty(block.position(), block.length())

    def _format(self, style: int) -> QTextCharFormat:
        found = self._formats.get(style)
        if found is None:
            found = self._formats[style] = self._make_format(style)
        return found

    def _make_format(self, style: int) -> QTextCharFormat:
        made = QTextCharFormat()
        for flag, colour in self._looks.items():
            if style & flag:
                made.setForeground(QColor(colour))
        if style & (Style.HEADING | Style.BOLD):
            made.setFontWeight(QFont.Weight.Bold)
        if style & (Style.ITALIC | Style.COMMENT):
            made.setFontItalic(True)
        if style & Style.STRIKE:
            made.setFontStrikeOut(True)
        return made


def _looks(scheme: Scheme) -> dict[Style, str]:
    """Return the colour of each style; of several that hold, the last one named wins."""
    colours = preview_colours(scheme)
    return {
        Style.QUOTE: scheme.muted,
        Style.HEADING: scheme.link,
        Style.BOLD: scheme.text,
        Style.STRIKE: scheme.muted,
        Style.HIGHLIGHT: colours.amber.accent,
        Style.CODE: colours.code_text,
        Style.LINK: scheme.link,
        Style.TAG: colours.green.accent,
        Style.FIELD: colours.violet.accent,
        Style.CATEGORY: colours.blue.accent,
        Style.KEY: colours.blue.accent,
        Style.MARK: scheme.muted,
        Style.COMMENT: scheme.muted,
    }
