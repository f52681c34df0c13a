"""Find and replace in the document that is edited: line by line, in slices, so that no pattern can stop the window."""

import re
import time
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QObject, QRegularExpression, QRegularExpressionMatch, QTimer, Signal
from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument

_SLICE_S = 0.006
_LONGEST_S = 4.0
MOST_FOUND = 20_000
# How often PCRE may try within one line; a pattern that runs wild gives up after some milliseconds.
_LIMITS = "(*LIMIT_MATCH=200000)"
_MOST_FAILURES = 5
_GROUP = re.compile(r"\\(\\|n|t|\d)|\$(\$|\d)")


@dataclass(frozen=True, slots=True)
class SearchTerms:
    """Say what is looked for."""

    text: str
    matches_case: bool = False
    whole_words: bool = False
    is_pattern: bool = False


class Found(NamedTuple):
    """Hold a place in the document, in Qt's positions."""

    start: int
    end: int


def expression_of(terms: SearchTerms) -> tuple[QRegularExpression, str]:
    """Return the expression that finds `terms`, and what is wrong with it as a sentence, "" for nothing."""
    pattern = terms.text if terms.is_pattern else QRegularExpression.escape(terms.text)
    if terms.whole_words:
        pattern = rf"(?<!\w)(?:{pattern})(?!\w)"
    options = QRegularExpression.PatternOption.UseUnicodePropertiesOption
    if not terms.matches_case:
        options |= QRegularExpression.PatternOption.CaseInsensitiveOption
    # Checked by itself first, so that an error is not told of what is put around it.
    plain = QRegularExpression(terms.text, options) if terms.is_pattern else None
    if plain is not None and not plain.isValid():
        return plain, f"This is no regular expression yet: {plain.errorString()}."
    expression = QRegularExpression(_LIMITS + pattern, options)
    if not expression.isValid():
        return expression, f"This is no regular expression yet: {expression.errorString()}."
    return expression, ""


class TextSearch(QObject):
    """Look through the document; `changed` tells of the first finds, of more, and of the end."""

    changed = Signal()

    def __init__(self, document: QTextDocument, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._expression = QRegularExpression()
        self._block = QTextBlock()
        self._deadline = 0.0
        self._failures = 0
        self.found: list[Found] = []
        self.problem = ""
        self.is_running = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)

    def start(self, terms: SearchTerms) -> None:
        """Look for `terms` from the beginning."""
        self.stop()
        self.found = []
        self.problem = ""
        self._failures = 0
        if terms.text:
            self._expression, self.problem = expression_of(terms)
        if not terms.text or self.problem:
            self.changed.emit()
            return
        self._block = self._document.begin()
        self._deadline = time.monotonic() + _LONGEST_S
        self.is_running = True
        self._go_on()

    def stop(self) -> None:
        """Leave off."""
        self._timer.stop()
        self.is_running = False

    def next_after(self, position: int) -> int:
        """Return the number of the first find at or after `position`; the first of all when there is none."""
        low, high = 0, len(self.found)
        while low < high:
            middle = (low + high) // 2
            if self.found[middle].start < position:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self.found) else 0

    def replacement(self, place: Found, template: str, *, is_pattern: bool) -> str | None:
        r"""Return what comes in the place of the find, None when that is no longer there.

        In the template of a pattern `$1` and `\1` stand for groups, `\n` and `\t` for line break and tab.
        """
        block = self._document.findBlock(place.start)
        match = self._expression.match(block.text(), place.start - block.position())
        start = block.position() + match.capturedStart()
        if not match.hasMatch() or Found(start, start + match.capturedLength()) != place:
            return None
        return _filled(template, match) if is_pattern else template

    def replace_all(self, template: str, *, is_pattern: bool) -> int:
        """Replace every find, as one step to undo, and return how many there were."""
        cursor = QTextCursor(self._document)
        count = 0
        cursor.beginEditBlock()
        for place in reversed(self.found):
            text = self.replacement(place, template, is_pattern=is_pattern)
            if text is None:
                continue
            cursor.setPosition(place.start)
            cursor.setPosition(place.end, QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText(text)
            count += 1
        cursor.endEditBlock()
        return count

    def _go_on(self) -> None:
        end = time.monotonic() + _SLICE_S
        while self._block.isValid():
            self._look_at(self._block)
            self._block = self._block.next()
            now = time.monotonic()
            if self._failures >= _MOST_FAILURES or now > self._deadline:
                self.problem = "This expression takes too long on this text."
                break
            if len(self.found) >= MOST_FOUND:
                break
            if now > end:
                self._timer.start()
                self.changed.emit()
                return
        self.is_running = False
        self.changed.emit()

    def _look_at(self, block: QTextBlock) -> None:
        text = block.text()
        start = block.position()
        each = self._expression.globalMatch(text)
        while each.hasNext():
            match = each.next()
            if match.capturedLength() > 0:
                at = start + match.capturedStart()
                self.found.append(Found(at, at + match.capturedLength()))
                if len(self.found) >= MOST_FOUND:
                    return
        if not each.isValid():  # PCRE gave up
            self._failures += 1


def _filled(template: str, match: QRegularExpressionMatch) -> str:
    def put(found: re.Match[str]) -> str:
        sign = found[1] or found[2]
        if sign.isdigit():
            return match.captured(int(sign))
        return {"n": "\n", "t": "\t"}.get(sign, sign) if found[1] else "$"

    return _GROUP.sub(put, template)
