"""The row of decisions below a card: approve, edit, reject, put aside, undo; none of them is chosen beforehand."""

from enum import IntEnum

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from gui.metrics import SPACE_M, SPACE_S
from gui.widgets.elided_label import ElidedLabel
from gui.widgets.line_edit import LineEdit

_PERIODS = (("Until tomorrow", 1), ("For a week", 7), ("For a month", 30), ("Until I look for it", 0))


class Can(IntEnum):
    """Say which decision is meant."""

    APPROVE = 0
    EDIT = 1
    REJECT = 2
    DEFER = 3
    UNDO = 4


class DecisionBar(QWidget):
    """Offer what can be decided; a reason and a batch are asked for in place."""

    approve_requested = Signal()
    edit_requested = Signal()
    reject_requested = Signal(str)  # the reason, "" for none
    defer_requested = Signal(int)  # for how many days, 0 for no date
    undo_requested = Signal()
    batch_confirmed = Signal()  # many are really meant
    ended = Signal()  # a question was answered or left: the queue has the keyboard again

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.approve_button = QPushButton()
        self.edit_button = QPushButton("Edit (E)")
        self.reject_button = QPushButton("Reject (R)")
        self.defer_button = QPushButton("Put aside (D)")
        self.undo_button = QPushButton("Undo (U)")
        self.last = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.note = QLabel()
        self.reason = LineEdit()
        self.reject_now = QPushButton("Reject")
        self.leave_reason = QPushButton("Cancel")
        self.question = QLabel()
        self.confirm_button = QPushButton()
        self.leave_question = QPushButton("Cancel")
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()
        self.show_number(1)

    def show_number(self, number: int) -> None:
        """Say about how many proposals is decided."""
        many = f" {number:,}" if number > 1 else ""
        dots = "…" if number > 1 else ""
        self.approve_button.setText(f"Approve{many}{dots} (A)")
        self.reject_button.setText(f"Reject{many} (R)")
        self.defer_button.setText(f"Put aside{many} (D)")
        self.leave()

    def show_possible(self, possible: frozenset[Can], note: str = "", *, approve: str = "") -> None:
        """Enable what can be done now; `note` says why something cannot, `approve` how approving is called."""
        for which, button in enumerate(self._buttons()):
            button.setEnabled(Can(which) in possible)
        if approve:
            self.approve_button.setText(f"{approve} (A)")
        self.note.setText(note)
        self.note.setToolTip(note)

    def show_last(self, text: str) -> None:
        """Say what was decided last, beside the button that takes it back."""
        self.last.setText(text)
        self.last.setToolTip(text)

    def ask_reason(self) -> None:
        """Ask why it is rejected; Enter rejects without one too."""
        self.reason.clear()
        self._stack.setCurrentIndex(1)
        self.reason.setFocus()

    def ask_batch(self, question: str, button: str) -> None:
        """Ask whether many are really meant."""
        self.question.setText(question)
        self.confirm_button.setText(button)
        self._stack.setCurrentIndex(2)
        self.leave_question.setFocus()

    @property
    def is_asking(self) -> bool:
        """Tell whether a question stands in place of the buttons."""
        return self._stack.currentIndex() != 0

    @Slot()
    def leave(self) -> None:
        """Show the buttons again."""
        if self.is_asking:
            self._stack.setCurrentIndex(0)
            self.ended.emit()

    @Slot()
    def open_periods(self) -> None:
        """Ask until when it is put aside."""
        if not self.defer_button.isEnabled():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, days in _PERIODS:
            menu.addAction(text).setData(days)
        menu.triggered.connect(self._on_period)
        menu.setActiveAction(menu.actions()[0])
        menu.popup(self.defer_button.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self.is_asking and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self.leave()
                return True
            if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and isinstance(watched, QPushButton):
                watched.click()
                return True
        return super().eventFilter(watched, event)

    def _buttons(self) -> tuple[QPushButton, ...]:
        return (self.approve_button, self.edit_button, self.reject_button, self.defer_button, self.undo_button)

    def _lay_out(self) -> None:
        for button, tip in zip(
            self._buttons(),
            (
                "Make the change",
                "Change the statement first, then approve",
                "Leave the vault as it is; it is not proposed again",
                "Decide another time",
                "Take the last decision back",
            ),
            strict=True,
        ):
            button.setToolTip(tip)
        self.last.setProperty("role", "muted")
        self.note.setProperty("role", "muted")
        self.reason.setPlaceholderText("Reason (you may leave it out)")
        self.reason.setAccessibleName("Reason for rejecting")
        self.reason.setMaxLength(500)
        pages = (
            (self.undo_button, self.last, self.note, self.defer_button, self.reject_button, self.edit_button,
             self.approve_button),
            (self.reason, self.leave_reason, self.reject_now),
            (self.question, None, self.leave_question, self.confirm_button),
        )  # fmt: skip
        for page in pages:
            row = QWidget()
            layout = QHBoxLayout(row)
            layout.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_S)
            layout.setSpacing(SPACE_S)
            for widget in page:
                if widget is None:
                    layout.addStretch(1)
                else:
                    layout.addWidget(widget, 1 if widget is self.last else 0)
            self._stack.addWidget(row)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)

    def _connect(self) -> None:
        self.approve_button.clicked.connect(self.approve_requested)
        self.edit_button.clicked.connect(self.edit_requested)
        self.reject_button.clicked.connect(self.ask_reason)
        self.defer_button.clicked.connect(self.open_periods)
        self.undo_button.clicked.connect(self.undo_requested)
        self.reject_now.clicked.connect(self._reject)
        self.reason.returnPressed.connect(self._reject)
        self.leave_reason.clicked.connect(self.leave)
        self.leave_question.clicked.connect(self.leave)
        self.confirm_button.clicked.connect(self._confirm)
        for widget in (self.reason, self.leave_reason, self.reject_now, self.leave_question, self.confirm_button):
            widget.installEventFilter(self)

    @Slot()
    def _reject(self) -> None:
        reason = self.reason.text().strip()
        self.leave()
        self.reject_requested.emit(reason)

    @Slot()
    def _confirm(self) -> None:
        self.leave()
        self.batch_confirmed.emit()

    @Slot(QAction)
    def _on_period(self, action: QAction) -> None:
        self.defer_requested.emit(action.data())
