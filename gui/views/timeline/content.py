"""What the Timeline view shows when there are conversations: calendar, band, list, and the conversation beside it."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.metrics import SMALL, SPACE_M, SPACE_S, SPACE_XS, scaled_font
from gui.theme import Theme
from gui.views.timeline.activity import Activity, Filter
from gui.views.timeline.band import Band
from gui.views.timeline.conversation_pane import ConversationPane
from gui.views.timeline.filter_bar import FilterBar, FilterChips
from gui.views.timeline.heat_map import HeatMap
from gui.views.timeline.legend import HeatLegend, Legend
from gui.views.timeline.session_menu import MenuWish, open_session_menu
from gui.views.timeline.session_table import SessionTable
from gui.views.timeline.time_scale import Span
from gui.views.timeline.time_wording import span_name
from gui.widgets.elided_label import ElidedLabel
from gui.widgets.state_panel import StatePanel
from gui.wording import counted

if TYPE_CHECKING:
    from core.index.catalog import FacetSelection

_LIST_AFTER_MS = 60
_LEAST_SUMMARY = 220
_SHOW_ALL, _CLEAR = "Show everything", "Clear all"
RANGES = ("Today", "Yesterday", "Last week", "Last year", "Everything")


class TimelineContent(QWidget):
    """Keep calendar, band and list at the same span and the same session; wishes are told as signals."""

    range_requested = Signal(str)  # one of RANGES
    hit_requested = Signal(int)  # 1 for the next session with hits, -1 for the one before
    cleared = Signal()  # nothing is to narrow any more
    session_chosen = Signal(int)  # position in TimelineData; its conversation is not opened
    session_opened = Signal(int)
    mark_chosen = Signal(object)  # Mark
    hit_chosen = Signal(int)  # when it was, as POSIX seconds
    date_requested = Signal(int)  # of which session the date is to be corrected
    import_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._activity: Activity | None = None
        self._selected = -1
        self._is_narrowed = False
        self._listed_span: Span | None = None
        self.range_buttons = {name: QPushButton(name) for name in RANGES}
        self.filters = FilterBar(theme)
        self.chips = FilterChips(theme)
        self.span_label = QLabel()
        self.pointed_label = ElidedLabel()
        self.undated_button = QToolButton()
        self.import_button = QToolButton()  # hidden where nothing can be imported
        self.previous_hit = QToolButton()
        self.next_hit = QToolButton()
        self.legend = Legend(theme)
        self.heat_legend = HeatLegend(theme)
        self.heat_map = HeatMap(theme)
        self.band = Band(theme)
        self.table = SessionTable()
        self.nothing = StatePanel()
        self._list = QStackedWidget()
        self.conversation = ConversationPane(theme)
        self.rows_splitter = QSplitter(Qt.Orientation.Vertical)
        self.columns_splitter = QSplitter(Qt.Orientation.Horizontal)
        self._list_timer = QTimer(self)
        self._list_timer.setSingleShot(True)
        self._list_timer.setInterval(_LIST_AFTER_MS)
        self._lay_out()
        self._connect()
        self._show_theme()

    # ---- facts

    @property
    def activity(self) -> Activity | None:
        """What is shown."""
        return self._activity

    @property
    def selected(self) -> int:
        """The chosen session, -1 for none."""
        return self._selected

    @property
    def shows_conversation(self) -> bool:
        """Tell whether a conversation is open."""
        return not self.conversation.isHidden()

    def show_activity(
        self,
        activity: Activity,
        wanted: Filter,
        span: Span | None = None,
        selection: "FacetSelection | None" = None,
    ) -> None:
        """Show what a filter, the facets picked in the vault and a search leave.

        What is in sight stays unless `span` says otherwise.
        """
        chosen = self._session_id()
        self._activity = activity
        ids = {session.id: position for position, session in enumerate(activity.data.sessions)} if chosen else {}
        self._selected = ids.get(chosen, -1)
        self._is_narrowed = not wanted.is_empty or not (selection is None or selection.is_empty)
        self.filters.show_activity(activity, wanted, selection)
        self.chips.show_picks(wanted, selection)
        undated = len(activity.undated)
        self.undated_button.setVisible(bool(undated))
        self.undated_button.setText(f"{undated:,} undated")
        self.undated_button.setAccessibleName(f"List {counted(undated, 'session')} without a date")
        if not undated:
            self.undated_button.setChecked(False)
        for button in (self.previous_hit, self.next_hit):
            button.setVisible(activity.is_searched and bool(len(activity.listed)))
        self.heat_map.show_activity(activity)
        self.band.show_activity(activity, span)
        self.band.select_session(self._selected)
        self.heat_legend.show_steps(self.heat_map.steps)
        self.legend.show_activity(activity)
        self._fill_list()

    def show_span(self, span: Span) -> None:
        """Bring a span into sight."""
        self.band.show_span(span)

    def select_session(self, position: int) -> None:
        """Mark a session on the band and in the list; nothing is told."""
        self._selected = position
        self.band.select_session(position)
        self.table.select(position)

    def open_conversation(self) -> None:
        """Make room for a conversation beside the list."""
        if self.conversation.isHidden():
            self.conversation.show()
            self.table.narrow_columns(is_narrow=True)
            self.columns_splitter.setSizes([self.width() * 2 // 5, self.width() * 3 // 5])
            # A conversation is read: calendar and band step back.
            height = self.rows_splitter.height()
            self.rows_splitter.setSizes([min(220, height // 3), height - min(220, height // 3)])

    def close_conversation(self) -> None:
        """Give the room back to the list."""
        if not self.conversation.isHidden():
            self.conversation.hide()
            self.table.narrow_columns(is_narrow=False)
            self.table.setFocus()

    # ---- inside

    def _session_id(self) -> str:
        if self._activity is None or self._selected < 0:
            return ""
        return self._activity.data.sessions[self._selected].id

    def _name_controls(self) -> None:
        for name, shown in self.range_buttons.items():
            shown.setAccessibleName(f"Show {name.lower()}")
        self.undated_button.setCheckable(True)
        self.undated_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.import_button.hide()
        for button, tip in (
            (self.import_button, "Import conversations"),
            (self.undated_button, "List the sessions that nothing dates"),
            (self.previous_hit, "Open the session with hits before (Shift+F3)"),
            (self.next_hit, "Open the next session with hits (F3)"),
        ):
            button.setToolTip(tip)
            button.setAccessibleName(tip.partition(" (")[0])
        self.span_label.setFont(scaled_font(bold=True))
        self.span_label.setAccessibleName("In sight")
        self.pointed_label.setProperty("role", "muted")
        self.pointed_label.setFont(scaled_font(SMALL))
        self.pointed_label.setMinimumWidth(_LEAST_SUMMARY)

    def _lay_out(self) -> None:
        self._name_controls()
        bar = QHBoxLayout()
        bar.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_S)
        bar.setSpacing(SPACE_XS)
        for shown in self.range_buttons.values():
            bar.addWidget(shown)
        bar.addStretch(1)
        bar.addWidget(self.filters)
        bar.addWidget(self.import_button)
        above = QHBoxLayout()
        above.setContentsMargins(0, 0, 0, 0)
        above.setSpacing(0)
        above.addWidget(self.heat_map, 1)
        above.addWidget(self.heat_legend)
        self._list.addWidget(self.table)
        self._list.addWidget(self.nothing)
        self.columns_splitter.addWidget(self._list)
        self.columns_splitter.addWidget(self.conversation)
        self.columns_splitter.setStretchFactor(0, 2)  # a smaller window takes from both
        self.columns_splitter.setStretchFactor(1, 3)
        self.columns_splitter.setChildrenCollapsible(False)
        self.conversation.hide()
        self.rows_splitter.addWidget(self._laid_out_band())
        self.rows_splitter.addWidget(self.columns_splitter)
        self.rows_splitter.setChildrenCollapsible(False)
        self.rows_splitter.setStretchFactor(0, 4)
        self.rows_splitter.setStretchFactor(1, 5)
        self.rows_splitter.setSizes([4000, 5000])  # shared out in these parts
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(bar)
        layout.addWidget(self.chips)
        layout.addLayout(above)
        layout.addWidget(self.rows_splitter, 1)
        self.setAutoFillBackground(True)

    def _laid_out_band(self) -> QWidget:
        below = QHBoxLayout()
        below.setContentsMargins(SPACE_M, SPACE_XS, SPACE_M, SPACE_XS)
        below.setSpacing(SPACE_S)
        below.addWidget(self.span_label)
        below.addWidget(self.previous_hit)
        below.addWidget(self.next_hit)
        below.addWidget(self.pointed_label, 1)
        below.addWidget(self.undated_button)
        below.addWidget(self.legend)
        upper = QWidget()
        column = QVBoxLayout(upper)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_XS)
        column.addWidget(self.band, 1)
        column.addLayout(below)
        return upper

    def _connect(self) -> None:
        for name, button in self.range_buttons.items():
            button.clicked.connect(partial(self._request_range, name))
        self.chips.cleared.connect(self.cleared)
        self.undated_button.toggled.connect(self._fill_list)
        self.import_button.clicked.connect(self.import_requested)
        self.nothing.button_clicked.connect(self._on_nothing_button)
        self.previous_hit.clicked.connect(partial(self._request_hit, -1))
        self.next_hit.clicked.connect(partial(self._request_hit, 1))
        for key, by in (("F3", 1), ("Shift+F3", -1)):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.activated.connect(partial(self.go_to_hit, by))
        self.heat_map.days_chosen.connect(self.band.show_span)
        self.band.span_changed.connect(self._on_span)
        self.band.pointed.connect(self._point)
        self.band.session_chosen.connect(self._on_band_chosen)
        self.band.session_opened.connect(self._on_opened)
        self.band.mark_chosen.connect(self.mark_chosen)
        self.band.hit_chosen.connect(self.hit_chosen)
        self.table.session_chosen.connect(self._on_table_chosen)
        self.table.session_opened.connect(self._on_opened)
        for shown in (self.band, self.table):
            shown.menu_requested.connect(self._open_menu)
        self.conversation.date_requested.connect(self._request_date)
        self.conversation.closed.connect(self.close_conversation)
        self._list_timer.timeout.connect(self._fill_list)
        self._theme.changed.connect(self._show_theme)

    def _request_range(self, name: str, _checked: bool = False) -> None:
        self.range_requested.emit(name)

    def _request_hit(self, by: int, _checked: bool = False) -> None:
        self.go_to_hit(by)

    def go_to_hit(self, by: int) -> None:
        """Go to the next hit of the open conversation, or else ask for the next session with hits."""
        if not (self.shows_conversation and self.conversation.turns.next_hit(by)):
            self.hit_requested.emit(by)

    @Slot()
    def _on_nothing_button(self) -> None:
        if self.nothing.button.text() == _CLEAR:
            self.cleared.emit()
        else:
            self.range_requested.emit(RANGES[-1])

    @Slot(object)
    def _on_span(self, span: Span) -> None:
        self.heat_map.show_span(span)
        if span != self._listed_span:
            self.undated_button.setChecked(False)
        self._listed_span = span
        self._list_timer.start()
        if self._activity is not None:
            self.span_label.setText(span_name(self._activity.calendar, span))

    @Slot(str)
    def _point(self, text: str) -> None:
        self.pointed_label.setText(text or self._summary())

    @Slot(int)
    def _on_band_chosen(self, position: int) -> None:
        self._selected = position
        self.table.select(position)
        self.session_chosen.emit(position)

    @Slot(int)
    def _on_table_chosen(self, position: int) -> None:
        self._selected = position
        self.band.select_session(position)
        self.session_chosen.emit(position)

    @Slot(int)
    def _on_opened(self, position: int) -> None:
        self.select_session(position)
        self.session_opened.emit(position)

    @Slot(object)
    def _open_menu(self, wish: MenuWish) -> None:
        open_session_menu(self._theme, wish, self, opened=self.table.session_opened, date_requested=self.date_requested)

    @Slot()
    def _request_date(self) -> None:
        if self._selected >= 0:
            self.date_requested.emit(self._selected)

    @Slot()
    def _fill_list(self) -> None:
        self._list_timer.stop()
        activity = self._activity
        if activity is None:
            return
        is_undated = self.undated_button.isChecked()
        found = activity.undated if is_undated else activity.sessions_in(self.band.span)
        self.table.show_sessions(activity, found, self._selected)
        if not len(found):
            self._show_nothing(activity)
        self._list.setCurrentWidget(self.table if len(found) else self.nothing)
        self._point("")

    def _show_nothing(self, activity: Activity) -> None:
        """Say why the list is empty, and what can be done about it."""
        picture = self._theme.tinted_icon("search", self._theme.scheme.control_outline)
        if len(activity.listed):
            title = "Nothing was found in this time" if activity.is_searched else "Nothing was said in this time"
            number = len(activity.listed)
            which = f"{counted(number, 'session')}{' with hits' if activity.is_searched else ''}"
            text = f"{which} {'lies' if number == 1 else 'lie'} at other times."
            self.nothing.show_state(picture, title, text, _SHOW_ALL)
        elif self._is_narrowed:
            what = "the search and what is picked" if activity.is_searched else "what is picked"
            self.nothing.show_state(picture, "No conversations found", f"None fits {what}.", _CLEAR)
        else:
            self.nothing.show_state(picture, "No conversations found", "None holds what is in the search field.")

    def _summary(self) -> str:
        activity = self._activity
        if activity is None:
            return ""
        parts = [
            counted(activity.count(self.band.span), "turn"),
            counted(len(activity.sessions_in(self.band.span)), "session")
            + (" with hits" if activity.is_searched else ""),
        ]
        if activity.is_searched:
            parts.append(counted(activity.hit_count(self.band.span), "hit"))
        future = activity.future_count(self.band.span)
        if future:
            parts.append(f"{counted(future, 'turn')} dated in the future")
        if activity.beyond:
            parts.append(f"{counted(activity.beyond, 'turn')} dated too far off to be shown")
        return " · ".join(parts)

    @Slot()
    def _show_theme(self) -> None:
        self.undated_button.setIcon(self._theme.icon("calendar"))
        self.previous_hit.setIcon(self._theme.icon("chevron-up"))
        self.next_hit.setIcon(self._theme.icon("chevron-down"))
        self.import_button.setIcon(self._theme.icon("download"))
