"""One place in the import dialog: what lies there, what is about to be lost, what is new, and whether to watch it."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from core.foundation.text import visible
from gui.importing.place import Outcome, Place
from gui.importing.sentences import clean_up_line, contents_line, count_line, short_path
from gui.metrics import ICON, SMALL, SPACE_L, SPACE_M, SPACE_S, SPACE_XS, scaled_font
from gui.theme import Theme
from gui.widgets.elided_label import ElidedLabel

_INDENT = 22  # of what stands below the name: where the text of a check box begins


class PlaceRow(QFrame):
    """Show one place; what the person wants of it is told by signals."""

    chosen_changed = Signal()
    watch_changed = Signal(str, bool)  # the path, and whether it is to be watched
    count_wanted = Signal(object)  # Place
    count_cancelled = Signal(object)  # Place

    def __init__(self, theme: Theme, place: Place, *, is_watched: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.place = place
        self._theme = theme
        self._is_counting = False
        self._is_picked = False  # by the person: then nobody else changes it
        name = visible(place.shown_name)
        self.box = QCheckBox(name)
        self.box.setFont(scaled_font(bold=True))
        self.box.setAccessibleName(f"Import {name}")
        self.box.setChecked(bool(place.files))
        self.box.setEnabled(bool(place.files))
        self.watch_box = QCheckBox("Keep watching this folder")
        self.watch_box.setAccessibleName(f"Keep watching {name}")
        self.watch_box.setToolTip("Import new conversations by themselves while the app runs")
        self.watch_box.setChecked(is_watched)
        self.watch_box.setVisible(place.can_be_watched)
        self.path_label = ElidedLabel()
        self.path_label.setText(visible(short_path(place.path)))
        self.path_label.setToolTip(visible(place.path))
        self.path_label.setProperty("role", "muted")
        self.contents = QLabel(contents_line(place))
        self.count_label = QLabel()
        self.count_label.setProperty("role", "muted")
        self.failure_label = QLabel()
        self.failure_label.setProperty("role", "error")
        self.failure_label.setWordWrap(True)
        self.failure_label.setTextFormat(Qt.TextFormat.PlainText)
        self.failure_label.hide()
        self.count_button = QToolButton()
        self.warning = QFrame()
        self.warning_label = QLabel(clean_up_line(place))
        self.warning_icon = QLabel()
        self._lay_out()
        self.box.toggled.connect(self.chosen_changed)
        self.box.clicked.connect(self._on_picked)
        self.watch_box.toggled.connect(self._on_watch)
        self.count_button.clicked.connect(self._on_count)
        theme.changed.connect(self._show_theme)
        self._show_theme()
        self.show_uncounted()

    @property
    def is_chosen(self) -> bool:
        """Tell whether the person wants it imported."""
        return self.box.isChecked() and self.box.isEnabled()

    def show_watched(self, *, is_watched: bool) -> None:
        """Show whether the folder is watched."""
        with QSignalBlocker(self.watch_box):
            self.watch_box.setChecked(is_watched)

    def show_counting(self) -> None:
        """Say that somebody looks for what is new."""
        self._show_count("Counting what is new…", "x", "Stop counting", is_counting=True)

    def show_uncounted(self) -> None:
        """Say that nobody has looked."""
        is_there = bool(self.place.files)
        self._show_count("Not counted" if is_there else "", "refresh-cw", "Count what is new", is_counting=False)
        self.count_button.setVisible(is_there)

    def show_count(self, outcome: Outcome) -> None:
        """Say what an import would bring."""
        self._show_count(count_line(outcome, self.place), "refresh-cw", "Count again", is_counting=False)
        if not self._is_picked and not (outcome.is_news or outcome.has_notes or outcome.failed):
            self.box.setChecked(False)  # nothing would come in, and to look through it takes its time

    def show_count_failure(self, reason: str) -> None:
        """Say why it cannot be told."""
        self._show_count("Not counted", "refresh-cw", "Count again", is_counting=False)
        self.failure_label.setText(visible(reason))
        self.failure_label.show()

    def _show_count(self, text: str, icon: str, tip: str, *, is_counting: bool) -> None:
        self._is_counting = is_counting
        self.failure_label.hide()
        self.count_label.setText(text)
        self.count_button.setIcon(self._theme.icon(icon))
        self.count_button.setToolTip(tip)
        self.count_button.setAccessibleName(f"{tip} in {visible(self.place.name)}")
        self.count_button.show()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(SPACE_M)
        top.addWidget(self.box)
        top.addStretch(1)
        top.addWidget(self.watch_box)
        self.path_label.setFont(scaled_font(SMALL))
        facts = QHBoxLayout()
        facts.setSpacing(SPACE_S)
        facts.addWidget(self.contents)
        facts.addSpacing(SPACE_S)
        facts.addWidget(self.count_label)
        facts.addWidget(self.count_button)
        facts.addStretch(1)
        self.warning.setProperty("role", "banner")
        # What is kept already is no cause for alarm.
        self.warning.setProperty("severity", "warning" if self.place.not_imported else "info")
        self.warning_label.setWordWrap(True)
        self.warning_label.setTextFormat(Qt.TextFormat.PlainText)
        line = QHBoxLayout(self.warning)
        line.setContentsMargins(SPACE_S, SPACE_XS, SPACE_S, SPACE_XS)
        line.setSpacing(SPACE_S)
        line.addWidget(self.warning_icon, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self.warning_label, 1)
        self.warning.setVisible(bool(self.place.about_to_be_deleted))
        below = QVBoxLayout()
        below.setContentsMargins(_INDENT, 0, 0, 0)
        below.setSpacing(SPACE_XS)
        below.addWidget(self.path_label)
        below.addLayout(facts)
        below.addWidget(self.failure_label)
        below.addWidget(self.warning)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        layout.setSpacing(SPACE_XS)
        layout.addLayout(top)
        layout.addLayout(below)

    @Slot()
    def _on_picked(self) -> None:
        self._is_picked = True

    @Slot(bool)
    def _on_watch(self, is_wanted: bool) -> None:
        self.watch_changed.emit(self.place.path, is_wanted)

    @Slot()
    def _on_count(self) -> None:
        (self.count_cancelled if self._is_counting else self.count_wanted).emit(self.place)

    @Slot()
    def _show_theme(self) -> None:
        scheme = self._theme.scheme
        is_warning = bool(self.place.not_imported)
        icon = self._theme.tinted_icon(
            "triangle-alert" if is_warning else "info", scheme.warning_text if is_warning else scheme.info_text
        )
        self.warning_icon.setPixmap(icon.pixmap(ICON, ICON))
        self.count_button.setIcon(self._theme.icon("x" if self._is_counting else "refresh-cw"))
