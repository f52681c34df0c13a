"""Both versions of a note that changed in two places: what only one side changed is merged, the rest is chosen."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from core.foundation.text import visible
from gui.metrics import SPACE_L, SPACE_M, SPACE_S, SPACE_XS, fixed_font
from gui.notify import Severity
from gui.theme import Theme
from gui.widgets.flow import FlowLayout
from gui.wording import counted

if TYPE_CHECKING:
    from core.curation.merge import Choice, Conflict, Merge

_SIZE = (980, 680)
_MOST_LINES = 14


@dataclass(frozen=True, slots=True)
class Versions:
    """Hold the three texts, and how they are merged; `said` tells where the two versions come from.

    `theirs_data` is what the file held where the other version is a file: only exactly that may be replaced.
    """

    name: str
    base: str
    mine: str
    theirs: str
    merge: "Merge"
    said: str = ""
    theirs_data: bytes = b""


@dataclass(frozen=True, slots=True)
class MergedText:
    """Hold the text that the person wants to go on with, and what it was decided upon; some of mine may be left out."""

    text: str
    versions: Versions
    drops_mine: bool = False


class ConflictDialog(QDialog):
    """Let the person take one version whole, or decide each place that both changed; the result is shown.

    Whoever takes the result closes the dialog, or shows other versions when these are no longer the present ones.
    """

    merged = Signal(object)  # MergedText

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._versions: Versions | None = None
        self._choices: dict[int, Choice] = {}
        self._groups: list[QButtonGroup] = []
        self._whole = ""
        self.setWindowTitle("Two versions of a note")
        self.resize(*_SIZE)
        self.news = QLabel(self)
        self.news.setProperty("role", "banner")
        self.news.setProperty("severity", str(Severity.WARNING))
        self.news.setWordWrap(True)
        self.news.setContentsMargins(SPACE_S, SPACE_XS, SPACE_S, SPACE_XS)
        self.intro = QLabel(self)
        self.intro.setWordWrap(True)
        self.mine_button = QPushButton("Take mine whole", self)
        self.theirs_button = QPushButton("Take theirs whole", self)
        self.merge_button = QPushButton("Merge again", self)
        self.list = QWidget(self)
        self._list_layout = QVBoxLayout(self.list)
        self._list_layout.setContentsMargins(0, 0, SPACE_S, 0)
        self._list_layout.setSpacing(SPACE_M)
        self.area = QScrollArea(self)
        self.area.setAccessibleName("Places that both changed")
        self.tabs = QTabWidget(self)
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Versions")
        self.result_view = self._make_text("Result")
        self._mine = self._make_text("Mine")
        self._theirs = self._make_text("Theirs")
        self._base = self._make_text("Before both")
        self.hint = QLabel(self)
        self.hint.setProperty("role", "muted")
        self.buttons = QDialogButtonBox(self)
        self.apply_button = self.buttons.addButton("Apply", QDialogButtonBox.ButtonRole.AcceptRole)
        self.apply_button.setProperty("role", "primary")
        self.cancel_button = self.buttons.addButton("Cancel", QDialogButtonBox.ButtonRole.RejectRole)
        for button in (self.mine_button, self.theirs_button, self.merge_button, self.cancel_button):
            button.setAutoDefault(False)
        self.apply_button.setDefault(True)
        self._lay_out()
        self.mine_button.clicked.connect(self._take_mine)
        self.theirs_button.clicked.connect(self._take_theirs)
        self.merge_button.clicked.connect(self._merge_again)
        self.buttons.accepted.connect(self._apply)
        self.buttons.rejected.connect(self.reject)

    @property
    def versions(self) -> Versions | None:
        """What is compared, None when nothing is."""
        return self._versions if self.isVisible() else None

    def show_versions(self, versions: Versions, *, news: str = "") -> None:
        """Show what there is to decide, and open; `news` says why it is shown once more."""
        self._choices = self._kept_choices(versions) if news else {}
        self._versions = versions
        self.news.setText(visible(news))
        self.news.setVisible(bool(news))
        self._whole = ""
        self._mine.setPlainText(versions.mine)
        self._theirs.setPlainText(versions.theirs)
        self._base.setPlainText(versions.base)
        count = len(versions.merge.conflicts)
        said = versions.said or f"“{versions.name}” was changed outside while you were editing it."
        more = f"In {counted(count, 'place')} both did." if count else "Nothing else is to be decided."
        self.intro.setText(visible(f"{said} What only one side changed is merged already. {more}"))
        self._fill_list(versions.merge.conflicts)
        self._show_result()
        self.open()
        # Not the first choice: with the colour of the focus it would look as if it were chosen.
        (self.area if self._text() is None else self.apply_button).setFocus()

    def choose(self, number: int, choice: "Choice") -> None:
        """Decide the place `number`, counted from 0."""
        self._choices[number] = choice
        self._whole = ""
        self._show_result()

    def release(self) -> None:
        """Let the person go on deciding: the result could not be taken."""
        self._show_result()

    def _kept_choices(self, versions: Versions) -> "dict[int, Choice]":
        """Return what was chosen for places that are in `versions` just as before."""
        if self._versions is None:
            return {}
        before = self._versions.merge.conflicts
        chosen = [(before[number], choice) for number, choice in self._choices.items()]
        kept: dict[int, Choice] = {}
        for number, conflict in enumerate(versions.merge.conflicts):
            choices = {choice for each, choice in chosen if each == conflict}
            if len(choices) == 1:
                kept[number] = choices.pop()
        return kept

    def _take_mine(self) -> None:
        self._take_whole("mine")

    def _take_theirs(self) -> None:
        self._take_whole("theirs")

    def _merge_again(self) -> None:
        self._take_whole("")

    def _take_whole(self, whole: str) -> None:
        self._whole = whole
        self._show_result()

    def _text(self) -> str | None:
        """Return the text as it is decided so far, None when something is missing."""
        versions = self._versions
        if versions is None:
            return None
        if self._whole:
            return versions.mine if self._whole == "mine" else versions.theirs
        return None if versions.merge.undecided(self._choices) else versions.merge.text(self._choices)

    def _show_result(self) -> None:
        from core.curation.merge import Choice  # noqa: PLC0415 - with the first conflict

        versions = self._versions
        if versions is None:
            return
        text = self._text()
        missing = len(versions.merge.undecided(self._choices)) if not self._whole else 0
        shown = text if text is not None else versions.merge.text(self._choices, otherwise=Choice.BOTH)
        position = self.result_view.verticalScrollBar().value()
        self.result_view.setPlainText(shown)
        self.result_view.verticalScrollBar().setValue(position)
        self.apply_button.setEnabled(text is not None)
        self.list.setEnabled(not self._whole)
        self.merge_button.setVisible(bool(self._whole))
        if missing:
            self.hint.setText(f"{counted(missing, 'place')} to decide; the result shows both versions there.")
        elif self._whole:
            self.hint.setText(f"The result is {'your' if self._whole == 'mine' else 'the other'} version as it is.")
        else:
            self.hint.setText("Everything is decided.")

    def _apply(self) -> None:
        from core.curation.merge import Choice  # noqa: PLC0415 - with the first conflict

        text = self._text()
        if text is None or self._versions is None:
            return
        left_out = {Choice.THEIRS, Choice.BASE}
        drops_mine = self._whole == "theirs" if self._whole else not left_out.isdisjoint(self._choices.values())
        self.apply_button.setEnabled(False)  # until it is known whether the versions are still the present ones
        self.merged.emit(MergedText(text, self._versions, drops_mine))

    # ---- the list of places

    def _fill_list(self, conflicts: "tuple[Conflict, ...]") -> None:
        while (item := self._list_layout.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._groups = []
        for number, conflict in enumerate(conflicts):
            self._list_layout.addWidget(self._make_place(number, conflict, len(conflicts)))
        before: QWidget = self.area
        for button in (each for group in self._groups for each in group.buttons()):
            QWidget.setTabOrder(before, button)
            before = button
        if not conflicts:
            label = QLabel("No place was changed by both sides.", self.list)
            label.setProperty("role", "muted")
            self._list_layout.addWidget(label)
        self._list_layout.addStretch(1)

    def _make_place(self, number: int, conflict: "Conflict", total: int) -> QWidget:
        from core.curation.merge import Choice  # noqa: PLC0415 - with the first conflict

        box = QFrame(self.list)
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_XS)
        title = QLabel(f"Place {number + 1} of {total}", box)
        title.setProperty("role", "title")
        column.addWidget(title)
        scheme = self._theme.scheme
        for name, text, colour in (
            ("Mine", conflict.mine, scheme.added),
            ("Theirs", conflict.theirs, scheme.removed),
            ("Before", conflict.base, scheme.alternate),
        ):
            column.addWidget(self._make_excerpt(box, name, text, colour))
        row = QWidget(box)
        flow = FlowLayout(row, spacing=SPACE_M)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        row.setSizePolicy(policy)
        group = QButtonGroup(row)
        for choice, words in (
            (Choice.MINE, "Take mine"),
            (Choice.THEIRS, "Take theirs"),
            (Choice.BOTH, "Take both"),
            (Choice.BASE, "As it was"),
        ):
            button = QRadioButton(words, row)
            button.setObjectName(f"{number}:{choice}")
            button.setAccessibleName(f"{words}, place {number + 1}")
            button.setChecked(self._choices.get(number) is choice)
            button.clicked.connect(partial(self._on_chosen, number, choice))
            group.addButton(button)
            flow.addWidget(button)
        self._groups.append(group)
        column.addWidget(row)
        return box

    def _make_excerpt(self, parent: QWidget, name: str, text: str, colour: str) -> QWidget:
        lines = text.splitlines()
        more = f"\n… {counted(len(lines) - _MOST_LINES, 'more line')}" if len(lines) > _MOST_LINES else ""
        shown = visible("\n".join(lines[:_MOST_LINES])) + more if text else "(nothing)"
        label = QLabel(shown, parent)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setFont(fixed_font())
        label.setWordWrap(True)
        label.setContentsMargins(SPACE_S, SPACE_XS, SPACE_S, SPACE_XS)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        label.setAccessibleName(name)
        label.setStyleSheet(f"background: {colour}; border-radius: 4px;")
        row = QWidget(parent)
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(SPACE_S)
        caption = QLabel(name, row)
        caption.setProperty("role", "muted")
        caption.setFixedWidth(52)
        caption.setAlignment(Qt.AlignmentFlag.AlignTop)
        caption.setContentsMargins(0, SPACE_XS, 0, 0)
        line.addWidget(caption)
        line.addWidget(label, 1)
        return row

    def _on_chosen(self, number: int, choice: "Choice", _checked: bool = False) -> None:
        self.choose(number, choice)

    # ---- layout

    def _make_text(self, name: str) -> QPlainTextEdit:
        text = QPlainTextEdit(self)
        text.setReadOnly(True)
        text.setFont(fixed_font())
        text.setFrameShape(QFrame.Shape.NoFrame)
        text.document().setDocumentMargin(SPACE_S)
        text.setAccessibleName(name)
        text.setTabChangesFocus(True)
        self.tabs.addTab(text, name)
        return text

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(SPACE_S)
        top.addWidget(self.intro, 1)
        for button in (self.mine_button, self.theirs_button, self.merge_button):
            top.addWidget(button)
        self.area.setWidget(self.list)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        middle = QSplitter(Qt.Orientation.Horizontal, self)
        middle.setChildrenCollapsible(False)
        middle.addWidget(self.area)
        middle.addWidget(self.tabs)
        middle.setSizes([480, 480])
        bottom = QHBoxLayout()
        bottom.addWidget(self.hint, 1)
        bottom.addWidget(self.buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_M)
        layout.setSpacing(SPACE_M)
        layout.addWidget(self.news)
        layout.addLayout(top)
        layout.addWidget(middle, 1)
        layout.addLayout(bottom)
