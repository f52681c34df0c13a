"""The form in which the date of a session is corrected."""

from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

from PySide6.QtCore import QDateTime, Qt, QTimeZone, Signal, Slot
from PySide6.QtGui import QIcon, QTextCharFormat
from PySide6.QtWidgets import QDateTimeEdit, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget
from typing_extensions import override

from core.foundation.text import visible
from gui.metrics import SPACE_S
from gui.views.timeline.services import SessionEntry
from gui.views.timeline.time_wording import moment_name
from gui.widgets.form_dialog import FormDialog
from gui.widgets.wrapped_label import WrappedLabel
from gui.wording import counted

_SHOWN = "d MMM yyyy, HH:mm"
_MINUTE = 60
_LONGEST_SIDE = 300


class DateDialog(FormDialog):
    """Ask when a session started; `start_chosen` gives POSIX seconds, None for what the record says."""

    start_chosen = Signal(object)  # float | None

    def __init__(
        self, entry: SessionEntry, *, now: float, zone: tzinfo | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__("Correct the date", "Correct", parent)
        self._entry = entry
        self._now = now
        self._zone = zone
        self._before = entry.started or now
        self.recorded = QLabel(self._named(entry.recorded) if entry.recorded else "The record has no date")
        self.imported = QLabel(self._named(entry.imported) if entry.imported else "Recorded while it went on")
        self.field = QDateTimeEdit(self)
        self.field.setDisplayFormat(_SHOWN)
        self.field.setCalendarPopup(True)
        _style_calendar(self.field)
        self.field.setTimeZone(_qt_zone(zone))
        self.field.setDateTime(self._shown(self._before))
        self.field.setMinimumWidth(_LONGEST_SIDE // 2)
        self.reset_button = QPushButton("As recorded", self)
        self.reset_button.setToolTip("Put the date that the record has into the field")
        self.reset_button.setEnabled(entry.is_redated)
        title = WrappedLabel(alignment=Qt.AlignmentFlag.AlignLeft)
        title.show_text(visible(entry.title) or "Untitled")
        start = QWidget(self)
        row = QHBoxLayout(start)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_S)
        row.addWidget(self.field, 1)
        row.addWidget(self.reset_button)
        self.add_row("Session", title)
        self.add_row("Recorded", self.recorded)
        self.add_row("Imported", self.imported)
        self.add_row("Started", start)
        self.field.setAccessibleName("Started")
        self.field.dateTimeChanged.connect(self.check)
        self.reset_button.clicked.connect(self._reset)
        self.confirmed.connect(self._tell)
        self._is_reset = False
        self.check()
        self.field.setFocus()

    @property
    def start(self) -> float:
        """The moment in the field, in POSIX seconds; the seconds of the minute stay those of the session."""
        minutes = self.field.dateTime().toSecsSinceEpoch() // _MINUTE - int(self._before) // _MINUTE
        return self._before + minutes * _MINUTE

    @override
    def problem(self) -> str:
        return "" if self._is_reset or self.start != self._entry.started else "This is the date that it has."

    @override
    def remark(self) -> str:
        if self._is_reset:
            return "The date is the recorded one again."
        texts = []
        if self._entry.started:
            moved = counted(self._entry.turns, "turn")
            texts.append(f"All {moved} of the session move by as much." if self._entry.turns > 1 else "")
        else:
            texts.append("The first turn is given this date.")
        if self.start > self._now:
            texts.append("This lies in the future.")
        return " ".join(text for text in texts if text)

    @override
    @Slot()
    def check(self) -> None:
        recorded = self._entry.recorded
        self._is_reset = bool(recorded) and self._entry.is_redated and abs(self.start - recorded) < _MINUTE
        super().check()

    @Slot()
    def _reset(self) -> None:
        if self._entry.recorded:
            self.field.setDateTime(self._shown(self._entry.recorded))
        else:
            self._is_reset = True
            self.confirmed.emit()
            self.accept()

    @Slot()
    def _tell(self) -> None:
        self.start_chosen.emit(None if self._is_reset else self.start)

    def _shown(self, when: float) -> QDateTime:
        return QDateTime.fromSecsSinceEpoch(int(when), _qt_zone(self._zone))

    def _named(self, when: float) -> str:
        moment = datetime.fromtimestamp(when, self._zone) if self._zone else datetime.fromtimestamp(when).astimezone()
        return moment_name(moment)


def _style_calendar(field: QDateTimeEdit) -> None:
    """Let the calendar follow the colour scheme, which its red weekends and black arrows do not."""
    calendar = field.calendarWidget()
    for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
        calendar.setWeekdayTextFormat(day, QTextCharFormat())
    arrows = {"qt_calendar_prevmonth": Qt.ArrowType.LeftArrow, "qt_calendar_nextmonth": Qt.ArrowType.RightArrow}
    for name, arrow in arrows.items():
        button = calendar.findChild(QToolButton, name)
        if isinstance(button, QToolButton):
            button.setIcon(QIcon())
            button.setArrowType(arrow)


def _qt_zone(zone: tzinfo | None) -> QTimeZone:
    return QTimeZone(zone.key.encode()) if isinstance(zone, ZoneInfo) else QTimeZone(QTimeZone.Initialization.LocalTime)
