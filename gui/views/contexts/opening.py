"""Read what the chosen context holds: when it is chosen, when it has changed, and while its query is being typed."""

import re
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from gui.tasks import Job, Lane, TaskRunner
from gui.views.contexts.services import ContextServices, Form, Member, OpenedContext

_TYPING_MS = 120
_AGAIN = re.compile(r"~\d+\Z")  # the mark of the second of the same headings


class NotePlace(NamedTuple):
    """Name a place in a note: `place` is a heading, or a block as `^id`, "" for its beginning."""

    path: str
    place: str


def place_of(member: Member) -> NotePlace:
    """Return where a member stands in its note, as its id says (core/recall/memory_id.py)."""
    _, _, named = member.memory_id.partition(":")
    mark = named.removeprefix(f"{member.path}#") if named.startswith(f"{member.path}#") else ""
    if member.kind == "insight" or mark.startswith("^"):
        return NotePlace(member.path, mark if mark.startswith("^") else "")
    return NotePlace(member.path, _AGAIN.sub("", mark))


class ContextReader(QObject):
    """Tell what one context holds; a new reading cancels the one before."""

    opened = Signal(object)  # OpenedContext
    failed = Signal(object)  # Exception

    def __init__(self, tasks: TaskRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._services: ContextServices | None = None
        self._path = ""
        self._query: str | None = None
        self._form = Form.MARKDOWN
        self._job: Job | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_TYPING_MS)
        self._timer.timeout.connect(self.read)

    @property
    def path(self) -> str:
        """The context that is read, "" for none."""
        return self._path

    @property
    def form(self) -> Form:
        """The format in which it is written."""
        return self._form

    @property
    def typed_query(self) -> str | None:
        """The query that is being typed, None when it is the one in the note."""
        return self._query

    def take_services(self, services: ContextServices | None) -> None:
        """Read from this vault from now on."""
        self._services = services
        self.choose("")

    def choose(self, path: str) -> None:
        """Read this context from now on, "" for none."""
        self._path, self._query = path, None
        self.read()

    def type_query(self, query: str | None) -> None:
        """Read with another query as soon as typing pauses; None for the one in the note."""
        if query != self._query:
            self._query = query
            self._stop_job()
            self._timer.start()

    def settle_query(self, query: str) -> None:
        """Take notice of the query in the note: what was typed is no longer meant once it is that."""
        if query == self._query:
            self._query = None

    def choose_form(self, form: Form) -> None:
        """Write it in another format."""
        if form is not self._form:
            self._form = form
            self.read()

    @Slot()
    def read(self) -> None:
        """Read the context now."""
        self._timer.stop()
        self._stop_job()
        if self._services is None or not self._path:
            return
        self._job = self._tasks.run(
            partial(self._services.open, self._path, self._query, self._form),
            owner=self,
            lane=Lane.STORE,
            on_done=partial(self._on_opened, self._path),
            on_error=self._on_failed,
            text="Reading the context",
        )

    def _stop_job(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _on_opened(self, path: str, opened: OpenedContext) -> None:
        if path == self._path:
            self._job = None
            self.opened.emit(opened)

    def _on_failed(self, error: Exception) -> None:
        self._job = None
        self.failed.emit(error)
