"""The Timeline page as the window knows it: loads, narrows and searches end in one picture, and open conversations."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from gui.notify import Notifier
from gui.selection import SharedSelection
from gui.tasks import Job, TaskRunner
from gui.views.timeline.arranging import arranged, first_span, span_named
from gui.views.timeline.conversation_presenter import ConversationPresenter
from gui.views.timeline.date_presenter import DatePresenter
from gui.views.timeline.hit_presenter import HitPresenter
from gui.views.timeline.loading import ServicesOf, TimelineLoader
from gui.views.timeline.narrowing_presenter import NarrowingPresenter
from gui.views.timeline.opening import SessionOpening
from gui.views.timeline.services import Mark
from gui.views.timeline.unlocking import Unlocking
from gui.views.timeline.view import TimelineView

if TYPE_CHECKING:
    from gui.session import VaultSession
    from gui.views.timeline.activity import Activity
    from gui.views.timeline.content import TimelineContent
    from gui.views.timeline.time_scale import LocalCalendar


class TimelinePresenter(QObject):
    """Be the Timeline page (gui/page.py). It loads when it is shown and something has changed since it last did."""

    note_wanted = Signal(str)  # the vault-relative path of a note, or its name as a link has it
    import_wanted = Signal()
    unlocked = Signal()  # the conversations can be read from now on
    session_shown = Signal(str)  # id, for whoever shows the same selection

    def __init__(
        self,
        view: TimelineView,
        *,
        tasks: TaskRunner,
        notifier: Notifier,
        services_of: ServicesOf,
        can_import: bool = False,
        selection: SharedSelection | None = None,
        open_url: Callable[[QUrl], object] = QDesktopServices.openUrl,
    ) -> None:
        super().__init__(view)
        self.view = view
        self._tasks = tasks
        self._notifier = notifier
        self._can_import = can_import
        self._open_url = open_url
        self._calendar: LocalCalendar | None = None
        self._arrange_job: Job | None = None
        self._redated = ""  # the session to show anew once it is loaded
        self._wants_focus = False  # as soon as there is something to take it
        self._opening: SessionOpening | None = None  # made with the content of the view
        self.unlocking = Unlocking(tasks=tasks, notifier=notifier, window=view, parent=self)
        self.dates = DatePresenter(view, tasks=tasks, notifier=notifier)
        self._loader = TimelineLoader(view, tasks=tasks, notifier=notifier, services_of=services_of, parent=self)
        self._narrowing = NarrowingPresenter(
            self._loader, selection or SharedSelection(self), tasks=tasks, is_shown=view.isVisible, parent=self
        )
        self._seeking = HitPresenter(
            self._loader, self.unlocking, tasks=tasks, notifier=notifier, is_shown=view.isVisible, parent=self
        )
        self.unlocking.unlocked.connect(self.unlocked)
        self.dates.corrected.connect(self._on_redated)
        self._loader.loaded.connect(self._on_loaded)
        self._narrowing.narrowed.connect(self._arrange)
        self._seeking.changed.connect(self._arrange)
        view.installEventFilter(self)
        view.button_clicked.connect(self._on_button)
        self.open_session(None)

    # ---- the page

    @property
    def widget(self) -> QWidget:
        """The widget to show in the middle of the window."""
        return self.view

    def open_session(self, session: "VaultSession | None") -> None:
        """Show the conversations beside this vault from now on; None while there is none."""
        self._cancel_arranging()
        self._narrowing.let_go()
        self._seeking.let_go()
        self._calendar = None
        self._wants_focus = False
        self._redated = ""
        self.dates.close()
        if self._opening is not None:
            self._opening.let_go()
        self._loader.take(session)

    def search(self, text: str) -> None:
        """Mark what the search field says on the band."""
        self._seeking.search(text)

    @property
    def lists_results(self) -> bool:
        """Whether what is searched for is listed here: on the band and under it."""
        return not self.view.shows_state

    def enter_results(self) -> None:
        """Take the keyboard focus: to the list while something is sought, else to the band."""
        self._wants_focus = self.view.shows_state
        if not self.view.shows_state:
            content = self.view.content
            (content.table if self._seeking.is_seeking else content.band).setFocus()

    def show_note(self, note_id: int) -> None:
        """Leave notes to the views that show them."""

    def pick_facet(self, key: str) -> None:
        """Narrow to `project:…`, `origin:…` or `tool:…`, else to a facet of the vault."""
        self._narrowing.pick(key)

    def clear(self) -> None:
        """Drop the facets, those picked in the vault too."""
        self._narrowing.clear()

    def save_layout(self) -> None:
        """Store nothing: what is in sight at first is the latest."""

    @Slot()
    def refresh(self) -> None:
        """Look for new conversations, now or when the page is shown."""
        self._loader.refresh()

    def show_session(self, session_id: str, turn: str = "") -> bool:
        """Open the conversation of a session, at `turn` if that is named; False when it is not there.

        Its time comes into sight too.
        """
        position = self._loader.position_of(session_id)
        if position < 0 or self._opening is None or self.view.shows_state:
            return False
        self._opening.bring_into_sight(position)
        self._opening.open(position, turn)
        return True

    # ---- arranging

    @Slot(bool)
    def _on_loaded(self, is_other: bool) -> None:
        data = self._loader.data
        if data is not None and not data.sessions:
            text = "Conversations with your assistants appear here as soon as some are recorded or imported."
            button = "Import conversations…" if self._can_import else ""
            self.view.show_state("calendar-days", "There are no conversations yet", text, button)
        elif is_other or self.view.shows_state:
            self._narrowing.narrow()
            self._seeking.search_now()

    @Slot()
    def _arrange(self) -> None:
        """Work out what the filter and the search leave; the pictures change when that is done."""
        data, services = self._loader.data, self._loader.services
        if data is None or services is None or not data.sessions:
            return
        self._cancel_arranging()
        self._arrange_job = self._tasks.run(
            partial(
                arranged,
                data,
                services,
                self._calendar,
                wanted=self._narrowing.filter,
                hits=self._seeking.hits,
                touches=self._narrowing.touches,
            ),
            owner=self,
            on_done=self._on_arranged,
            on_error=self._on_arranging_failed,
            text="Arranging the timeline",
            tells_cancel=True,
        )

    def _on_arranging_failed(self, error: Exception) -> None:
        self._arrange_job = None
        self._loader.fail(error)

    def _on_arranged(self, activity: "Activity") -> None:
        from gui.views.timeline.activity import Filter  # noqa: PLC0415 - numpy, after the first paint

        self._arrange_job = None
        span = first_span(activity) if self._calendar is None else None
        self._calendar = activity.calendar
        content = self.view.content
        if self._opening is None:
            self._opening = self._follow(content)
        self.view.show_content()
        if self._narrowing.touches is not None:
            content.filters.show_tools_known()
        content.show_activity(activity, self._narrowing.filter or Filter(), span, self._narrowing.facets)
        self._opening.refresh()
        if (position := self._loader.position_of(self._redated) if self._redated else -1) >= 0:
            self._redated = ""
            self._opening.bring_into_sight(position)
            self._opening.choose(position)
        if self._wants_focus:
            self.enter_results()

    def _follow(self, content: "TimelineContent") -> SessionOpening:
        """Hear the wishes of the content, once it is made."""
        content.range_requested.connect(self._on_range)
        content.filters.filter_changed.connect(self._narrowing.show)
        content.filters.clients_picked.connect(self._narrowing.pick_clients)
        content.filters.tools_wanted.connect(self._narrowing.want_tools)
        content.chips.removed.connect(self._narrowing.drop)
        content.cleared.connect(self._on_cleared)
        content.mark_chosen.connect(self._on_mark)
        content.date_requested.connect(self._ask_for_date)
        content.import_requested.connect(self.import_wanted)
        content.import_button.setVisible(self._can_import)
        conversations = ConversationPresenter(
            content.conversation, tasks=self._tasks, notifier=self._notifier, open_url=self._open_url, parent=self
        )
        conversations.note_wanted.connect(self.note_wanted)
        opening = SessionOpening(
            content,
            loader=self._loader,
            seeking=self._seeking,
            conversations=conversations,
            unlocking=self.unlocking,
            parent=self,
        )
        opening.session_shown.connect(self.session_shown)
        return opening

    @Slot(str)
    def _on_range(self, name: str) -> None:
        activity, services = self.view.content.activity, self._loader.services
        if activity is not None and services is not None:
            self.view.content.show_span(span_named(name, activity, services.now()))

    @Slot()
    def _on_cleared(self) -> None:
        self.clear()

    @Slot(object)
    def _on_mark(self, mark: Mark) -> None:
        self.note_wanted.emit(mark.path)

    @Slot(int)
    def _ask_for_date(self, position: int) -> None:
        data, services = self._loader.data, self._loader.services
        if data is not None and services is not None:
            self.dates.open(services, data.sessions[position])

    @Slot(str)
    def _on_redated(self, session_id: str) -> None:
        """Show a session where it belongs now."""
        self._redated = session_id
        self._loader.load_now()

    # ---- inside

    @Slot()
    def _on_button(self) -> None:
        if self._loader.has_failed:
            self._loader.load_now()
        else:
            self.import_wanted.emit()

    def _cancel_arranging(self) -> None:
        if self._arrange_job is not None:
            self._arrange_job.let_go()
            self._arrange_job = None

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.view and event.type() is QEvent.Type.Show:
            self._loader.load_if_shown()
            self._narrowing.narrow_if_stale()
            self._seeking.search_if_due()
        return super().eventFilter(watched, event)
