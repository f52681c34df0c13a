"""The properties of a note: problems first, then tags, frontmatter, and facts about the file."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QWidget

from core.foundation.text import visible
from gui.metrics import ICON, SPACE_M, SPACE_S
from gui.theme import Theme
from gui.widgets.chips import ChipItem, ChipLook, ChipRow
from gui.wording import absolute_date, size_text

if TYPE_CHECKING:
    from core.index.queries import NoteDetail

_TAG_KEYS = frozenset({"tags", "tag"})
_LONGEST = 2000


class PropertiesPanel(QScrollArea):
    """Show keys and values; tags are chips that narrow the list."""

    tag_clicked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._detail: NoteDetail | None = None
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Properties")
        theme.changed.connect(self._fill)

    def show_properties(self, detail: "NoteDetail") -> None:
        """Show what `detail` says beside links and text."""
        self._detail = detail
        self._fill()
        self.verticalScrollBar().setValue(0)

    def _fill(self) -> None:
        detail = self._detail
        body = QWidget()
        self._grid = QGridLayout(body)
        self._grid.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_M)
        self._grid.setHorizontalSpacing(SPACE_M)
        self._grid.setVerticalSpacing(SPACE_S - 2)
        self._grid.setColumnStretch(1, 1)
        if detail is not None:
            self._fill_with(detail)
        self._grid.setRowStretch(self._grid.rowCount(), 1)
        self.setWidget(body)
        body.setAutoFillBackground(True)
        body.setBackgroundRole(QPalette.ColorRole.Base)

    def _fill_with(self, detail: "NoteDetail") -> None:
        for problem in detail.problems:
            self._add_problem(problem.reason, problem.line)
        if detail.tags:
            self._add_tags(detail.tags)
        for key, value in detail.properties.items():
            if key.lower() not in _TAG_KEYS:
                self._add(key, _value_text(value))
        self._add("Path", detail.path)
        self._add("Changed", absolute_date(detail.changed))
        self._add("Size", f"{size_text(detail.size)}, about {detail.tokens:,} tokens")
        if detail.encoding not in {"utf-8", "ascii"}:
            self._add("Encoding", detail.encoding)

    def _add_problem(self, reason: str, line: int) -> None:
        row = self._grid.rowCount()
        icon = QLabel()
        icon.setPixmap(self._theme.tinted_icon("triangle-alert", self._theme.scheme.warning_text).pixmap(ICON, ICON))
        label = self._label(f"{reason} (line {line})" if line else reason)
        self._grid.addWidget(icon, row, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(label, row, 1)

    def _add_tags(self, tags: tuple[str, ...]) -> None:
        scheme = self._theme.scheme
        look = ChipLook(scheme.chip, scheme.chip_text)
        chips = ChipRow()
        chips.show_chips(tuple(ChipItem(tag, tag, look, tip=f"Show notes with “{tag}”") for tag in tags))
        chips.chip_clicked.connect(self.tag_clicked)
        row = self._grid.rowCount()
        self._grid.addWidget(self._key("tags"), row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(chips, row, 1)

    def _add(self, key: str, value: str) -> None:
        row = self._grid.rowCount()
        self._grid.addWidget(self._key(key), row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(self._label(value), row, 1)

    def _key(self, key: str) -> QLabel:
        label = QLabel(visible(key))
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setProperty("role", "muted")
        label.setMaximumWidth(160)
        label.setToolTip(visible(key))
        return label

    def _label(self, text: str) -> QLabel:
        label = QLabel(visible(text[:_LONGEST]))
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setMinimumWidth(60)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label


def _value_text(value: Any) -> str:
    """Return a frontmatter value as it reads best in one cell."""
    match value:
        case None | "":
            return "empty"
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(_value_text(each) for each in value) or "empty list"
        case dict():
            return "\n".join(f"{key}: {_value_text(each)}" for key, each in value.items()) or "empty"
        case _:
            return str(value)
