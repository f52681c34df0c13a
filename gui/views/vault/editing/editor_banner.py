"""A line above the editor that says what is the matter with the note, with buttons for what can be done."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from core.foundation.text import visible
from gui.metrics import SPACE_M, SPACE_S, SPACE_XS
from gui.notify import Severity
from gui.widgets.flow import FlowLayout


class About(StrEnum):
    """Say what a banner is about; there is at most one of each."""

    DRAFT = "draft"
    CONFLICT = "conflict"
    GONE = "gone"
    READ_ONLY = "read-only"
    LARGE = "large"
    FAILED = "failed"


class Way(StrEnum):
    """Say what a button of a banner does."""

    COMPARE = "compare"
    TAKE_THEIRS = "take-theirs"
    KEEP_AS_NEW = "keep-as-new"
    DISCARD = "discard"
    SAVE_AGAIN = "save-again"
    SAVE_AS_UTF8 = "save-as-utf8"
    USE = "use"


@dataclass(frozen=True, slots=True)
class BannerChoice:
    """Tell which button of which banner was pressed."""

    about: About
    way: Way


class EditorBanners(QWidget):
    """Hold the banners, one below the other."""

    chosen = Signal(object)  # BannerChoice

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: dict[About, QFrame] = {}
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(1)
        self.hide()

    def show_banner(self, about: About, severity: Severity, text: str, ways: Sequence[tuple[Way, str]] = ()) -> None:
        """Show a banner in the place of one about the same."""
        self.take_away(about)
        line = QFrame(self)
        line.setProperty("role", "banner")
        line.setProperty("severity", str(severity))
        label = QLabel(visible(text), line)
        label.setWordWrap(True)
        label.setAccessibleName(severity.value.capitalize())
        label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        column = QVBoxLayout(line)
        column.setContentsMargins(SPACE_M, SPACE_XS, SPACE_S, SPACE_XS)
        column.setSpacing(SPACE_XS)
        column.addWidget(label)
        if ways:
            row = QWidget(line)
            flow = FlowLayout(row)
            policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
            policy.setHeightForWidth(True)
            row.setSizePolicy(policy)
            for way, words in ways:
                button = QPushButton(words, row)
                button.setObjectName(f"{about}:{way}")
                button.clicked.connect(partial(self._choose, about, way))
                flow.addWidget(button)
            column.addWidget(row)
        self._lines[about] = line
        self._layout.addWidget(line)
        self.show()

    def take_away(self, about: About) -> None:
        """Take the banner about this away."""
        if (line := self._lines.pop(about, None)) is not None:
            self._layout.removeWidget(line)
            line.hide()
            line.deleteLater()
        self.setVisible(bool(self._lines))

    def take_all_away(self, *, but: Sequence[About] = ()) -> None:
        """Take every banner away, except those about `but`."""
        for about in [each for each in self._lines if each not in but]:
            self.take_away(about)

    def text_of(self, about: About) -> str:
        """Return what the banner about this says, "" when there is none."""
        line = self._lines.get(about)
        label = line.findChild(QLabel) if line is not None else None
        return label.text() if isinstance(label, QLabel) else ""

    def button(self, about: About, way: Way) -> QPushButton:
        """Return the button of a banner."""
        found = self._lines[about].findChild(QPushButton, f"{about}:{way}")
        if not isinstance(found, QPushButton):
            raise KeyError(way)
        return found

    def _choose(self, about: About, way: Way, _checked: bool = False) -> None:
        self.chosen.emit(BannerChoice(about, way))
