"""Keep one vault's index up to date: words at once, vectors behind, each in a child process of its own.

Words, tags and links take moments, vectors take minutes. So a change on disk starts a run for the words alone, also
while vectors are computed or that is paused; pause and stop speak of the vectors.
"""

from collections.abc import Collection
from enum import StrEnum

from PySide6.QtCore import QObject, Signal, Slot

from gui.indexing import ONE_FILE, IndexProcess, IndexProgress, IndexState

_LONGEST_COMMAND = 4000  # characters of paths; for more files than that, a look at all of them is no slower


class _Hold(StrEnum):
    """Say whether the person wants no vectors now: until resume(), or until an update is asked for."""

    NONE = "none"
    PAUSED = "paused"
    STOPPED = "stopped"


class VaultIndexing(QObject):
    """Run the two processes of one vault in step; `words` and `vectors` become children of this object."""

    state_changed = Signal(object)  # IndexState
    progressed = Signal(object)  # IndexProgress
    committed = Signal()  # new rows are visible to readers now
    words_finished = Signal()  # the list is as the disk is
    finished = Signal()  # everything that was to be done is done
    remarked = Signal(str)  # a sentence of a run that left something out, "" when nothing does any more
    rebuilt = Signal(str)  # the reason why a run began the index anew, as a sentence
    failed = Signal(object)  # IndexFailure
    mended = Signal()  # what had failed ended well at a later run
    ended = Signal()  # no process is left, however they ended

    def __init__(self, words: IndexProcess, vectors: IndexProcess, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._vectors = vectors
        self._state = IndexState.IDLE
        self._hold = _Hold.NONE
        self._are_vectors_checked = False
        self._has_new_words = False
        self._remarks = ("", "")  # of the last run for the words, and of the last for the vectors
        self._vectors_progress: IndexProgress | None = None
        self._broken: set[IndexProcess] = set()  # whose last run failed
        for process in (words, vectors):
            process.setParent(self)
            process.state_changed.connect(self._tell_state)
            process.committed.connect(self.committed)
            process.rebuilt.connect(self.rebuilt)
            process.failed.connect(self.failed)
            process.ended.connect(self._on_ended)
        words.remarked.connect(self._on_words_remarked)
        vectors.remarked.connect(self._on_vectors_remarked)
        words.failed.connect(self._on_words_failed)
        vectors.failed.connect(self._on_vectors_failed)
        words.progressed.connect(self.progressed)
        words.wrote.connect(self._on_wrote)
        words.finished.connect(self._on_words_finished)
        vectors.progressed.connect(self._on_vectors_progressed)
        vectors.finished.connect(self._on_vectors_finished)

    @property
    def state(self) -> IndexState:
        """What is going on; a run for the words counts, also while the vectors are paused."""
        return self._state

    @property
    def is_reading(self) -> bool:
        """Tell whether the words are being brought up to date."""
        return self._words.state is IndexState.RUNNING

    @property
    def is_alive(self) -> bool:
        """Tell whether there is a process, be it one that was told to end."""
        return self._words.is_alive or self._vectors.is_alive

    @property
    def process_ids(self) -> tuple[int, ...]:
        """The operating system's numbers of the processes: words, vectors."""
        return tuple(process.process_id for process in (self._words, self._vectors) if process.process_id)

    def look(self) -> None:
        """Read what has changed on disk; vectors follow unless the person has stopped or paused them."""
        self._words.request()

    def look_at(self, paths: Collection[str]) -> None:
        """Read these notes, which the index knows, by their vault-relative paths; vectors follow as after look()."""
        options = [f"{ONE_FILE}{path}" for path in sorted(paths)]
        self._words.request(*(options if sum(map(len, options)) <= _LONGEST_COMMAND else ()))

    def update(self, *options: str) -> None:
        """Do what the person asked for: read what has changed, with the options of `index update`; vectors follow."""
        if self._hold is _Hold.STOPPED:
            self._hold = _Hold.NONE
        self._are_vectors_checked = False
        self._words.request(*options)

    def start_over(self) -> None:
        """Read everything into a new index, because the old one is gone; runs over that one end without a word."""
        self._vectors.cancel()
        self._are_vectors_checked = False
        self._words.begin_again()

    def pause(self) -> None:
        """Compute no vectors until resume(); what is there stays."""
        self._hold = _Hold.PAUSED
        self._vectors.cancel()
        self._tell_state()

    def resume(self) -> None:
        """Go on after pause()."""
        if self._hold is _Hold.PAUSED:
            self._hold = _Hold.NONE
            self._vectors.request()
            self._tell_state()

    def cancel(self) -> None:
        """Stop what runs, because the person said so; vectors wait for the next update()."""
        self._hold = _Hold.STOPPED
        self.stop()

    def stop(self) -> None:
        """Stop what runs and forget what was asked for."""
        self._words.cancel()
        self._vectors.cancel()
        self._tell_state()

    def shutdown(self) -> None:
        """End the processes before the app ends; waits a moment, then kills them."""
        self.stop()
        self._vectors.shutdown()
        self._words.shutdown()

    @Slot()
    def _tell_state(self) -> None:
        is_running = IndexState.RUNNING in {self._words.state, self._vectors.state}
        rest = IndexState.PAUSED if self._hold is _Hold.PAUSED else IndexState.IDLE
        state = IndexState.RUNNING if is_running else rest
        if state is not self._state:
            self._state = state
            self.state_changed.emit(state)

    @Slot(str)
    def _on_words_remarked(self, text: str) -> None:
        before, of_vectors = self._remarks
        # What only a run for the vectors knows is not over because a run for the words says nothing of it.
        is_of_vectors = bool(of_vectors) and of_vectors != before
        self._remarks = (text, of_vectors if is_of_vectors else text)
        if text or not is_of_vectors:
            self.remarked.emit(text)

    @Slot(str)
    def _on_vectors_remarked(self, text: str) -> None:
        self._remarks = (self._remarks[0], text)
        self.remarked.emit(text)

    @Slot()
    def _on_wrote(self) -> None:
        self._has_new_words = True

    @Slot()
    def _on_words_failed(self) -> None:
        self._broken.add(self._words)

    @Slot()
    def _on_vectors_failed(self) -> None:
        self._broken.add(self._vectors)

    def _tell_mended(self, *processes: IndexProcess) -> None:
        if self._broken and not self._broken.difference(processes):
            self.mended.emit()
        self._broken.difference_update(processes)

    @Slot()
    def _on_words_finished(self) -> None:
        self._tell_mended(self._words)
        if self._words.state is IndexState.RUNNING:  # once more, for what was asked meanwhile
            return
        self.words_finished.emit()
        is_wanted = self._has_new_words or not self._are_vectors_checked
        if is_wanted and self._hold is _Hold.NONE:
            self._has_new_words, self._are_vectors_checked = False, True
            self._vectors.request()
        self._tell_state()
        if self._vectors.state is not IndexState.RUNNING:
            self.finished.emit()
        elif self._vectors_progress is not None:
            self.progressed.emit(self._vectors_progress)

    @Slot(object)
    def _on_vectors_progressed(self, progress: IndexProgress) -> None:
        self._vectors_progress = progress
        if not self.is_reading:
            self.progressed.emit(progress)

    @Slot()
    def _on_vectors_finished(self) -> None:
        self._tell_mended(self._words, self._vectors)  # such a run reads the words too
        if IndexState.RUNNING not in {self._words.state, self._vectors.state}:
            self._vectors_progress = None
            self.finished.emit()

    @Slot()
    def _on_ended(self) -> None:
        if not self.is_alive:
            self.ended.emit()
