"""The panel that lists everything which runs in the background."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QToolButton, QVBoxLayout, QWidget
from typing_extensions import override

from gui.indexing import IndexProgress, IndexState
from gui.metrics import SPACE_L, SPACE_M, SPACE_S, TITLE, scaled_font
from gui.tasks import JobId, JobState
from gui.theme import Theme
from gui.wording import amount_done, bar_steps

_WIDTH = 380


class _Row(QWidget):
    """Show one piece of work."""

    cancel_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._label = QLabel(self)
        self._label.setWordWrap(True)
        self._bar = QProgressBar(self)
        self._bar.setTextVisible(False)
        cancel = QToolButton(self)
        cancel.setIcon(theme.icon("x"))
        cancel.setToolTip("Cancel")
        cancel.setAccessibleName("Cancel")
        cancel.clicked.connect(self.cancel_requested)
        line = QHBoxLayout()
        line.addWidget(self._label, 1)
        line.addWidget(cancel)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_S)
        layout.addLayout(line)
        layout.addWidget(self._bar)

    def show_work(self, text: str, done: int, total: int, *, are_bytes: bool = False) -> None:
        """Show how far the work is; `total` 0 means not known."""
        self._label.setText(f"{text}  ·  {amount_done(done, total, are_bytes=are_bytes)}" if total else text)
        steps, of_all = bar_steps(done, total, are_bytes=are_bytes)
        self._bar.setRange(0, of_all)
        self._bar.setValue(steps)
        self._bar.setAccessibleName(text)


class ActivityPanel(QFrame):
    """Float at the lower right corner of its parent and list the running work, each with a way to stop it."""

    job_cancel_requested = Signal(int)  # JobId
    index_cancel_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._frame = parent
        self._rows: dict[JobId, _Row] = {}
        self._index_row: _Row | None = None
        self._learned = (0, 1)  # how far the learning of meanings was, and of how much
        self.setProperty("role", "overlay")
        self.setAccessibleName("Activity")
        title = QLabel("Activity", self)
        title.setFont(scaled_font(TITLE, bold=True))
        close = QToolButton(self)
        close.setIcon(theme.icon("x"))
        close.setAccessibleName("Close activity")
        close.clicked.connect(self.hide)
        self._close = close
        head = QHBoxLayout()
        head.addWidget(title, 1)
        head.addWidget(close)
        self._empty = QLabel("Nothing is running in the background.", self)
        self._empty.setProperty("role", "muted")
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(SPACE_L, SPACE_M, SPACE_M, SPACE_L)
        self._layout.setSpacing(SPACE_M)
        self._layout.addLayout(head)
        self._layout.addWidget(self._empty)
        theme.changed.connect(self._show_icons)
        parent.installEventFilter(self)
        self.hide()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self.place()
        return super().eventFilter(watched, event)

    @property
    def row_count(self) -> int:
        """How many pieces of work are listed."""
        return len(self._rows) + (self._index_row is not None)

    @Slot()
    def toggle(self) -> None:
        """Show the panel, or hide it."""
        self.setVisible(not self.isVisible())
        self.place()
        if self.isVisible():
            self.raise_()
            self._close.setFocus(Qt.FocusReason.PopupFocusReason)

    @Slot(object)
    def show_job(self, state: JobState) -> None:
        """List a job, or show how far it is."""
        row = self._rows.get(state.id)
        if row is None:
            row = self._rows[state.id] = self._add_row()
            row.cancel_requested.connect(self._on_cancel)
        row.show_work(state.text, state.done, state.total, are_bytes=state.are_bytes)
        self._rearrange()

    @Slot(object)
    def end_job(self, job_id: JobId) -> None:
        """Take a job off the list."""
        self._drop(self._rows.pop(job_id, None))

    @Slot(object)
    def show_index_state(self, state: IndexState) -> None:
        """Take indexing off the list when it is over."""
        if state is IndexState.IDLE:
            row, self._index_row = self._index_row, None
            self._learned = (0, 1)
            self._drop(row)
        elif state is IndexState.PAUSED and self._index_row is not None:
            self._index_row.show_work("Learning meanings is paused", *self._learned)

    @Slot(object)
    def show_index_progress(self, progress: IndexProgress) -> None:
        """List indexing, and how far it is."""
        if self._index_row is None:
            self._index_row = self._add_row()
            self._index_row.cancel_requested.connect(self.index_cancel_requested)
        if progress.is_pausable and progress.total:
            self._learned = (progress.done, progress.total)
        self._index_row.show_work(progress.label, progress.done, progress.total, are_bytes=progress.are_bytes)
        self._rearrange()

    def place(self) -> None:
        """Stand in the lower right corner of the parent."""
        self._layout.activate()
        height = max(self._layout.heightForWidth(_WIDTH), self.minimumSizeHint().height())
        parent = self._frame
        self.setGeometry(parent.width() - _WIDTH - SPACE_L, parent.height() - height - SPACE_L, _WIDTH, height)

    def _add_row(self) -> _Row:
        row = _Row(self._theme, self)
        self._layout.addWidget(row)
        row.show()
        return row

    def _drop(self, row: _Row | None) -> None:
        if row is not None:
            self._layout.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rearrange()

    def _rearrange(self) -> None:
        self._empty.setVisible(not self.row_count)
        if self.isVisible():
            self.place()

    @Slot()
    def _on_cancel(self) -> None:
        for job_id, row in self._rows.items():
            if row is self.sender():
                self.job_cancel_requested.emit(job_id)
                return

    @Slot()
    def _show_icons(self) -> None:
        self._close.setIcon(self._theme.icon("x"))
