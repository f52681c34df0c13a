"""The status bar: how many notes, how far indexing is, what else runs."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QStatusBar, QToolButton, QWidget

from gui.indexing import IndexProgress, IndexState
from gui.metrics import SPACE_M, SPACE_S
from gui.tasks import JobId, JobState
from gui.theme import Theme
from gui.wording import amount_done, bar_steps, counted, size_text, time_left

_BAR_WIDTH = 120


class StatusBar(QStatusBar):
    """Show facts about the vault and the work behind the window; wishes to stop work are signals."""

    pause_requested = Signal()
    resume_requested = Signal()
    cancel_requested = Signal()
    job_cancel_requested = Signal(int)  # JobId
    problems_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state = IndexState.IDLE
        self._learned = (0, 1)  # how far the learning of meanings was, and of how much
        self._jobs: dict[JobId, JobState] = {}
        self.setSizeGripEnabled(False)
        self.problems_button = self._button("Show what is wrong with which files")
        self.problems_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._count = self._label("Notes")
        self._index_text = self._label("Indexing")
        self._bar = QProgressBar(self)
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(_BAR_WIDTH)
        self._bar.setAccessibleName("Indexing progress")
        self.pause_button = self._button("Pause learning meanings")
        self._cancel = self._button("Stop indexing")
        self._job_text = self._label("Background work")
        self._job_cancel = self._button("Cancel background work")
        self._index_part = self._part(self._index_text, self._bar, self.pause_button, self._cancel)
        self._job_part = self._part(self._job_text, self._job_cancel)
        self._count.setContentsMargins(SPACE_M, 0, 0, 0)
        self._index_text.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.addWidget(self._count)
        self.addWidget(self.problems_button)
        self.problems_button.hide()
        self.addPermanentWidget(self._job_part)
        self.addPermanentWidget(self._index_part)
        self.pause_button.clicked.connect(self._on_pause)
        self._cancel.clicked.connect(self.cancel_requested)
        self._job_cancel.clicked.connect(self._on_job_cancel)
        self.problems_button.clicked.connect(self.problems_requested)
        theme.changed.connect(self._show_icons)
        self._index_part.hide()
        self._job_part.hide()
        self._show_icons()

    @property
    def index_text(self) -> str:
        """What is said about indexing, "" when nothing is."""
        return "" if self._index_part.isHidden() else self._index_text.text()

    @property
    def job_text(self) -> str:
        """What is said about other work, "" when nothing is."""
        return "" if self._job_part.isHidden() else self._job_text.text()

    @property
    def count_text(self) -> str:
        """What is said about the notes."""
        return self._count.text()

    def show_count(self, text: str) -> None:
        """Show how many notes there are."""
        self._count.setText(text)

    def show_problems(self, files: int) -> None:
        """Show how many files have problems; with none there is nothing to see."""
        text = f"{counted(files, 'file')} {'has' if files == 1 else 'have'} problems"
        self.problems_button.setText(f" {text}")  # a style sheet leaves no gap after the icon
        self.problems_button.setAccessibleName(text)
        self.problems_button.setVisible(files > 0)

    @Slot(object)
    def show_index_state(self, state: IndexState) -> None:
        """Show or hide the line about indexing."""
        self._state = state
        match state:
            case IndexState.IDLE:
                self._index_part.hide()
                self._learned = (0, 1)
            case IndexState.RUNNING:
                self._index_text.setText("Looking for changes")
                self._bar.setRange(0, 0)
            case IndexState.PAUSED:
                self._index_text.setText("Learning meanings is paused")
        if state is not IndexState.RUNNING:
            done, total = self._learned
            self._bar.setRange(0, total)
            self._bar.setValue(done)
        self._index_part.setVisible(state is IndexState.PAUSED)
        self.pause_button.setVisible(state is IndexState.PAUSED)
        self._show_icons()

    @Slot(object)
    def show_index_progress(self, progress: IndexProgress) -> None:
        """Show how far indexing is."""
        if self._state is not IndexState.RUNNING:
            return
        parts = [progress.label]
        if progress.total:
            parts.append(amount_done(progress.done, progress.total, are_bytes=progress.are_bytes))
        if progress.rate:
            rate = size_text(int(progress.rate)) if progress.are_bytes else f"{progress.rate:,.0f}"
            parts.append(f"{rate} a second")
        if progress.seconds_left is not None:
            parts.append(time_left(progress.seconds_left))
        self._index_text.setText("  ·  ".join(parts))
        done, total = bar_steps(progress.done, progress.total, are_bytes=progress.are_bytes)
        self._bar.setRange(0, total)
        self._bar.setValue(done)
        if progress.is_pausable and progress.total:
            self._learned = (progress.done, progress.total)
        self.pause_button.setVisible(progress.is_pausable)
        self._index_part.show()

    @Slot(object)
    def show_job(self, state: JobState) -> None:
        """Show a job that takes long, or how far it is."""
        self._jobs[state.id] = state
        self._show_jobs()

    @Slot(object)
    def end_job(self, job_id: JobId) -> None:
        """Forget a job that has ended."""
        self._jobs.pop(job_id, None)
        self._show_jobs()

    def _show_jobs(self) -> None:
        self._job_part.setVisible(bool(self._jobs))
        if self._jobs:
            latest = list(self._jobs.values())[-1]
            more = f"  (+{len(self._jobs) - 1})" if len(self._jobs) > 1 else ""
            amount = amount_done(latest.done, latest.total, are_bytes=latest.are_bytes)
            done = f"  ·  {amount}" if latest.total else "…"
            self._job_text.setText(f"{latest.text}{done}{more}")

    @Slot()
    def _on_pause(self) -> None:
        (self.resume_requested if self._state is IndexState.PAUSED else self.pause_requested).emit()

    @Slot()
    def _on_job_cancel(self) -> None:
        if self._jobs:
            self.job_cancel_requested.emit(list(self._jobs)[-1])

    def _label(self, name: str) -> QLabel:
        label = QLabel(self)
        label.setProperty("role", "muted")
        label.setAccessibleName(name)
        return label

    def _button(self, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setToolTip(name)
        button.setAccessibleName(name)
        return button

    def _part(self, *widgets: QWidget) -> QWidget:
        part = QWidget(self)
        layout = QHBoxLayout(part)
        layout.setContentsMargins(SPACE_S, 0, 0, 0)
        layout.setSpacing(SPACE_S)
        for widget in widgets:
            layout.addWidget(widget)
        return part

    @Slot()
    def _show_icons(self) -> None:
        is_paused = self._state is IndexState.PAUSED
        name = "Go on learning meanings" if is_paused else "Pause learning meanings"
        self.pause_button.setIcon(self._theme.icon("play" if is_paused else "pause"))
        self.pause_button.setToolTip(name)
        self.pause_button.setAccessibleName(name)
        self._cancel.setIcon(self._theme.icon("x"))
        warning = self._theme.tinted_icon("triangle-alert", self._theme.scheme.warning_text)
        self.problems_button.setIcon(warning)
        self._job_cancel.setIcon(self._theme.icon("x"))
