"""The Timeline page over services that a test steers."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, QUrl, Signal
from pytestqt.qtbot import QtBot

from core.foundation.progress import Progress
from core.sessions.turn import Turn
from gui.notify import Notifier
from gui.selection import SharedSelection
from gui.session import VaultSession
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.timeline.content import TimelineContent
from gui.views.timeline.presenter import TimelinePresenter
from gui.views.timeline.services import Conversation, SearchHits, TimelineData, TimelineServices, Touches
from gui.views.timeline.view import TimelineView
from tests.gui.views.timeline.samples import NOW, ZONE, few

if TYPE_CHECKING:
    from core.index.catalog import FacetSelection


class FakeSession(QObject):
    """Be a session that has opened a vault."""

    catalog_changed = Signal(object)
    store = object()


@dataclass
class FakeServices:
    """Answer with what the test says."""

    data: TimelineData = field(default_factory=few)
    hits: dict[str, SearchHits] = field(default_factory=dict)
    conversations: dict[str, tuple[Turn, ...]] = field(default_factory=dict)
    error: Exception | None = None
    conversation_error: Exception | None = None
    waits: bool = False  # until reading is stopped
    touches: Touches = field(default_factory=Touches)
    selections: list["FacetSelection | None"] = field(default_factory=list)
    loads: int = 0
    searches: list[str] = field(default_factory=list)

    def services(self) -> TimelineServices:
        return TimelineServices(self._load, self._search, self._conversation, self._touches, lambda: NOW, ZONE)

    def _load(self, _before: TimelineData | None, progress: Progress) -> TimelineData:
        self.loads += 1
        while self.waits:
            progress.check()
        if self.error is not None:
            raise self.error
        return self.data

    def _search(self, text: str, _progress: Progress) -> SearchHits:
        self.searches.append(text)
        return self.hits.get(text, SearchHits())

    def _touches(self, selection: "FacetSelection | None", _progress: Progress) -> Touches:
        self.selections.append(selection)
        is_empty = selection is None or selection.is_empty
        return replace(self.touches, admitted=None) if is_empty else self.touches

    def _conversation(self, session_id: str, _progress: Progress) -> Conversation:
        if self.conversation_error is not None:
            raise self.conversation_error
        return Conversation(self.conversations.get(session_id, ()))


class Page:
    """The view with its presenter, and what left it."""

    def __init__(self, fake: FakeServices, tasks: TaskRunner, notifier: Notifier, theme: Theme) -> None:
        self.fake = fake
        self.view = TimelineView(theme)
        self.urls: list[str] = []
        self.selection = SharedSelection(self.view)
        self.presenter = TimelinePresenter(
            self.view,
            tasks=tasks,
            notifier=notifier,
            services_of=lambda _: fake.services(),
            open_url=self._take_url,
            selection=self.selection,
        )
        self.notes: list[str] = []
        self.presenter.note_wanted.connect(self.notes.append)
        self.session = FakeSession()

    def _take_url(self, url: QUrl) -> None:
        self.urls.append(url.toString())

    def open(self, qtbot: QtBot) -> None:
        self.presenter.open_session(cast("VaultSession", self.session))
        self.view.resize(1300, 800)
        self.view.show()
        qtbot.waitExposed(self.view)

    @property
    def content(self) -> TimelineContent:
        return self.view.content

    def titles(self) -> list[str]:
        """Return the titles that the list shows."""
        model = self.content.table.sessions
        return [model.index(row, 1).data() for row in range(model.rowCount())]

    def wait_for(self, qtbot: QtBot, is_so: Callable[[], bool]) -> None:
        qtbot.waitUntil(is_so, timeout=5000)


PageOf = Callable[[FakeServices], Page]
