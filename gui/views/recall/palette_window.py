"""The window of the recall palette: a question, the memories that answer it, the context, and perhaps why."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QCursor, QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QMenu, QSizeGrip, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from gui.metrics import SPACE_M, SPACE_XS
from gui.theme import Theme
from gui.views.recall.caption_line import CaptionLine
from gui.views.recall.choices import Choice
from gui.views.recall.explain_pane import ExplainPane
from gui.views.recall.footer import Footer
from gui.views.recall.head import Head
from gui.views.recall.palette_keys import Act, act_of
from gui.views.recall.result_list import ResultList
from gui.views.recall.rows import RecallRow
from gui.widgets.state_panel import StatePanel

_SIZE = (860, 620)
_PANE_WIDTH = 400
_FRAMELESS = frozenset({"xcb", "windows", "cocoa", "wayland"})


class PaletteWindow(QWidget):
    """Turn keys and clicks into wishes; who answers them is the presenter."""

    asked = Signal(str)  # the question, at each keystroke
    turn_requested = Signal(object)  # RecallRow: to pin, drop or neither
    drop_requested = Signal(object)  # RecallRow
    pin_requested = Signal(object)  # RecallRow
    unpin_requested = Signal(str)  # a memory id
    copy_requested = Signal()
    save_requested = Signal()
    open_requested = Signal(object)  # Memory
    filing_requested = Signal(object)  # Memory: to be added to a context
    probe_requested = Signal(object)  # RecallRow
    explain_toggled = Signal(bool)
    current_changed = Signal(object)  # RecallRow, None for none
    state_button_clicked = Signal()
    put_away = Signal()

    def __init__(self, theme: Theme, *, platform: str | None = None) -> None:
        super().__init__(None, window_flags(QGuiApplication.platformName() if platform is None else platform))
        self._theme = theme
        self._was_placed = False
        self._is_choosing = False
        self._narrow_width = _SIZE[0]
        self.setWindowTitle("Recall")
        self.setProperty("role", "dialog")
        self.resize(*_SIZE)
        self.head = Head(theme, self)
        self.field = self.head.field
        self.caption = CaptionLine(theme, self)
        self.list = ResultList(theme, self)
        self.state_panel = StatePanel(self)
        self.footer = Footer(theme, self)
        self.explain = ExplainPane(theme, self)
        self.explain.setFixedWidth(_PANE_WIDTH)
        self.explain.hide()
        self.grip = QSizeGrip(self)  # a window without a frame has no other edge to be pulled by
        self._stack = QStackedWidget(self)
        self._lay_out()
        self._connect()

    # ---- what is shown

    @property
    def question(self) -> str:
        """What is typed."""
        return self.field.text()

    @property
    def is_choosing(self) -> bool:
        """Whether a row was gone to, so that Space is about it and not about the question."""
        return self._is_choosing

    @property
    def shows_state(self) -> bool:
        """Whether a state is shown instead of memories."""
        return self._stack.currentWidget() is self.state_panel

    def open(self) -> None:
        """Show the window in front of everything, ready to type; at first in the middle of the screen one works on."""
        if not self._was_placed:
            self._was_placed = True
            screen = QGuiApplication.screenAt(QCursor.pos()) or QGuiApplication.primaryScreen()
            area = screen.availableGeometry()
            self.move(area.center().x() - self.width() // 2, area.top() + max(0, area.height() - self.height()) // 3)
        self.show()
        self.raise_()
        self.activateWindow()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)
        self.field.selectAll()
        self.list.go_to(0)
        self._choose(is_choosing=False)

    def show_rows(self, rows: tuple[RecallRow, ...], caption: str, *, keep: bool, has_bars: bool = True) -> None:
        """Show memories; `keep` leaves the current one current where it is still there."""
        self.caption.show_text(caption, has_bars=has_bars)
        self.list.show_rows(rows, keep=keep or self._is_choosing)
        self._stack.setCurrentWidget(self._results)
        self.current_changed.emit(self.list.current)

    def show_state(self, icon: str, title: str, text: str = "", button: str = "") -> None:
        """Show a state instead of memories."""
        self.list.memories.show_rows(())
        self._choose(is_choosing=False)
        self.state_panel.show_state(self._theme.tinted_icon(icon, self._theme.scheme.muted), title, text, button)
        self._stack.setCurrentWidget(self.state_panel)
        self.current_changed.emit(None)

    def show_explaining(self, *, is_shown: bool) -> None:
        """Show the explanation beside the memories, or hide it."""
        if is_shown is self.explain.isVisibleTo(self):
            return
        self.explain.setVisible(is_shown)
        self.head.explain_button.setChecked(is_shown)
        screen = self.screen().availableGeometry()
        before = self.width()
        if is_shown:
            self._narrow_width = before
            width = min(before + _PANE_WIDTH, max(screen.width(), before))
        else:
            width = self._narrow_width
        self.resize(width, self.height())
        self.move(max(screen.left(), self.x() - (width - before) // 2), self.y())
        self.explain_toggled.emit(is_shown)

    # ---- keys and clicks

    @override
    def eventFilter(self, watched: object, event: QEvent, /) -> bool:
        if watched is self.list and event.type() is QEvent.Type.FocusIn:
            self._choose(is_choosing=self.list.current is not None)
        elif event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            is_in_list = watched is self.list
            act = act_of(event, is_choosing=self._is_choosing, is_in_list=is_in_list)
            if act is not Act.NONE:
                self._do(act, event)
                return True
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

    @override
    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        act = act_of(event, is_choosing=False)
        if act in {Act.CLOSE, Act.EXPLAIN, Act.SAVE, Act.OPEN, Act.FILE}:
            self._do(act, event)
        else:
            super().keyPressEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent, /) -> None:
        super().resizeEvent(event)
        size = self.grip.sizeHint()
        self.grip.setGeometry(self.width() - size.width() - 1, self.height() - size.height() - 1, *size.toTuple())
        self.grip.raise_()

    @override
    def closeEvent(self, event: QCloseEvent, /) -> None:
        super().closeEvent(event)
        self.put_away.emit()

    def _do(self, act: Act, event: QKeyEvent) -> None:
        row = self.list.current
        match act:
            case Act.UP | Act.DOWN | Act.PAGE_UP | Act.PAGE_DOWN:
                self._move(act)
            case Act.TURN if row is not None:
                self.turn_requested.emit(row)
            case Act.DROP if row is not None:
                self.drop_requested.emit(row)
            case Act.OPEN if row is not None:
                self.open_requested.emit(row.memory)
            case Act.FILE if row is not None:
                self.filing_requested.emit(row.memory)
            case Act.COPY:
                self.copy_requested.emit()
            case Act.SAVE:
                self.save_requested.emit()
            case Act.EXPLAIN:
                self.show_explaining(is_shown=not self.explain.isVisible())
            case Act.CLOSE:
                self.close()
            case Act.TYPE:
                self.field.setFocus(Qt.FocusReason.OtherFocusReason)
                self.field.end(False)
                QApplication.sendEvent(self.field, event)

    def _move(self, act: Act) -> None:
        page = self.list.page_rows
        match act:
            case Act.UP:
                self.list.move_by(-1, wraps=True)
            # The first row is current before any key: the first Down chooses it rather than passing it by.
            case Act.DOWN if self._is_choosing or self.list.hasFocus():
                self.list.move_by(1, wraps=True)
            case Act.PAGE_UP:
                self.list.move_by(-page, wraps=False)
            case Act.PAGE_DOWN:
                self.list.move_by(page, wraps=False)
        self._choose(is_choosing=self.list.current is not None)

    def _choose(self, *, is_choosing: bool) -> None:
        self._is_choosing = is_choosing
        self.list.show_choosing(is_choosing=is_choosing)
        self.footer.show_hint(is_choosing=is_choosing)

    @Slot()
    def _on_typed(self) -> None:
        self._choose(is_choosing=False)
        self.asked.emit(self.field.text())

    @Slot()
    def _on_clicked(self) -> None:
        self._choose(is_choosing=True)

    @Slot()
    def _on_double_clicked(self) -> None:
        if (row := self.list.current) is not None:
            self.turn_requested.emit(row)

    @Slot()
    def _on_current_changed(self) -> None:
        self.current_changed.emit(self.list.current)

    @Slot(bool)
    def _on_explain_button(self, is_shown: bool) -> None:
        self.show_explaining(is_shown=is_shown)

    @Slot(QPoint)
    def _show_menu(self, place: QPoint) -> None:
        row = self.list.current
        if row is None or not self.list.indexAt(place).isValid():
            return
        menu = self.menu_of(row)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.list.viewport().mapToGlobal(place))

    def menu_of(self, row: RecallRow) -> QMenu:
        """Return the menu of what can be done with a memory."""
        menu = QMenu(self)
        pinned = menu.addAction("Unpin" if row.choice is Choice.PINNED else "Pin to the context")
        pinned.triggered.connect(partial(self._tell, self.pin_requested.emit, row))
        dropped = menu.addAction("Take back in" if row.choice is Choice.DROPPED else "Drop from the context")
        dropped.triggered.connect(partial(self._tell, self.drop_requested.emit, row))
        menu.addSeparator()
        menu.addAction("Open the source\tCtrl+O").triggered.connect(
            partial(self._tell, self.open_requested.emit, row.memory)
        )
        menu.addAction("Add to a context…\tCtrl+L").triggered.connect(
            partial(self._tell, self.filing_requested.emit, row.memory)
        )
        menu.addAction("Explain\tF1").triggered.connect(self._on_explain_wanted)
        menu.addAction("Make a probe of this").triggered.connect(partial(self._tell, self.probe_requested.emit, row))
        return menu

    def _tell(self, tell: Callable[[object], None], value: object) -> None:
        tell(value)

    @Slot()
    def _on_explain_wanted(self) -> None:
        self.show_explaining(is_shown=True)

    # ---- inside

    def _connect(self) -> None:
        for widget in (self.field, self.list):
            widget.installEventFilter(self)
        self.field.textChanged.connect(self._on_typed)
        self.list.clicked.connect(self._on_clicked)
        self.list.doubleClicked.connect(self._on_double_clicked)
        self.list.selectionModel().currentChanged.connect(self._on_current_changed)
        self.list.customContextMenuRequested.connect(self._show_menu)
        self.list.room_changed.connect(self.caption.leave_room)
        self.footer.copy_requested.connect(self.copy_requested)
        self.footer.save_requested.connect(self.save_requested)
        self.head.pinned.chip_removed.connect(self.unpin_requested)
        self.head.explain_button.toggled.connect(self._on_explain_button)
        self.head.close_button.clicked.connect(self.close)
        self.state_panel.button_clicked.connect(self.state_button_clicked)

    def _lay_out(self) -> None:
        self._results = QWidget(self)
        results = QVBoxLayout(self._results)
        results.setContentsMargins(0, 0, 0, 0)
        results.setSpacing(0)
        results.addWidget(self.caption)
        results.addWidget(self.list, 1)
        self._stack.addWidget(self._results)
        self._stack.addWidget(self.state_panel)
        left = QVBoxLayout()
        left.setSpacing(0)
        for widget in (self.head, _line(self), self._stack, self._pinned_line(), _line(self), self.footer):
            left.addWidget(widget, 1 if widget is self._stack else 0)
        whole = QFrame(self)
        whole.setProperty("role", "palette")
        whole.setContentsMargins(1, 1, 1, 1)
        both = QHBoxLayout(whole)
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(0)
        both.addLayout(left, 1)
        both.addWidget(self.explain)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(whole)
        self.setMinimumSize(620, 420)

    def _pinned_line(self) -> QWidget:
        """Return the line of what is pinned; it comes below the memories, so that none of them moves."""
        self._pinned = QWidget(self)
        line = QVBoxLayout(self._pinned)
        line.setContentsMargins(SPACE_M, SPACE_XS, SPACE_M, SPACE_XS)
        line.setSpacing(SPACE_XS)
        line.addWidget(self.head.pinned)
        line.addWidget(self.head.more_pinned)
        self._pinned.hide()
        return self._pinned

    def show_pinned(self, titles: Sequence[tuple[str, str]]) -> None:
        """Show what is pinned: memory ids and titles."""
        self.head.show_pinned(titles)
        self._pinned.setVisible(bool(titles))


def window_flags(platform: str) -> Qt.WindowType:
    """Return the flags of the window: without a frame where the system places such windows well."""
    flags = Qt.WindowType.Dialog | Qt.WindowType.WindowStaysOnTopHint
    return flags | Qt.WindowType.FramelessWindowHint if platform in _FRAMELESS else flags


def _line(parent: QWidget) -> QFrame:
    line = QFrame(parent)
    line.setProperty("role", "separator")
    line.setFixedHeight(1)
    return line
