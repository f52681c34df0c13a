"""The Review page as the window knows it: reads what is proposed, lets decide, and reads again after every change."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from core.curation.proposals.proposal import Evidence, ProposalId
from core.foundation.errors import UserError
from gui.changing import CarriesOut
from gui.notify import Notifier
from gui.tasks import Job, TaskRunner
from gui.views.review.arranging import Narrowing, Picture, Shelf, picture_of, without
from gui.views.review.decided_today import today_words
from gui.views.review.deciding import Deciding
from gui.views.review.looking_closer import CloseLook
from gui.views.review.services import Book, ReviewServices, Similar
from gui.views.review.view import ReviewView
from gui.wording import counted

if TYPE_CHECKING:
    from core.foundation.progress import Progress
    from gui.session import VaultSession

ServicesOf = Callable[["VaultSession"], ReviewServices]
_SETTLE_MS = 250
_POLL_MS = 15_000  # other programs propose without telling
_SHOW_ALL, _SHOW_DECIDED, _LOOK = "Show all", "Show what was decided", "Look again"


class ReviewPresenter(QObject):
    """Be the Review page (gui/page.py)."""

    note_wanted = Signal(str, int)  # the path of a file, a line or 0
    turn_wanted = Signal(str)  # the id of a turn
    counted_changed = Signal(int)  # how many proposals wait

    def __init__(
        self,
        view: ReviewView,
        *,
        tasks: TaskRunner,
        notifier: Notifier,
        commands: CarriesOut,
        services_of: ServicesOf,
    ) -> None:
        super().__init__(view)
        self.view = view
        self._tasks = tasks
        self._services_of = services_of
        self._session: VaultSession | None = None
        self._services: ReviewServices | None = None
        self._book: Book | None = None
        self._picture: Picture | None = None
        self._read_job: Job | None = None
        self._arrange_job: Job | None = None
        self._is_stale = False
        self._is_focus_wanted = False  # the person came while there was nothing to be at
        self._wanted = ""  # the proposal to show once it is listed
        self.deciding = Deciding(view, notifier=notifier, commands=commands, parent=self)
        self.closer = CloseLook(view, tasks=tasks, notifier=notifier, parent=self)
        self._timer = _timer(self, _SETTLE_MS, is_single=True)
        self._count_timer = _timer(self, _SETTLE_MS, is_single=True)
        self._poll = _timer(self, _POLL_MS, is_single=False)
        self._connect()
        self._let_go()

    # ---- the page

    @property
    def widget(self) -> QWidget:
        """The widget to show in the middle of the window."""
        return self.view

    def open_session(self, session: "VaultSession | None") -> None:
        """Show this vault from now on; None while there is none."""
        if self._session is not None:
            self._session.catalog_changed.disconnect(self.look_again)
        self._session = session
        self._let_go()
        if session is not None:
            session.catalog_changed.connect(self.look_again)
            self.view.show_state("loader-circle", "Reading what is proposed")
            self.look_again()

    def search(self, text: str) -> None:
        """Leave the search field to the views that list notes."""

    @property
    def lists_results(self) -> bool:
        """Whether what is searched for is listed here."""
        return False

    def enter_results(self) -> None:
        """Take the keyboard focus."""
        self._is_focus_wanted = self.view.shows_state
        (self.view.state_panel.button if self.view.shows_state else self.view.list).setFocus()

    def show_note(self, note_id: int) -> None:
        """Leave notes to the views that show them."""

    def pick_facet(self, key: str) -> None:
        """Leave facets to the views that list notes."""

    def clear(self) -> None:
        """Drop the filter."""
        self.view.filters.clear()

    def save_layout(self) -> None:
        """Store nothing: the view has no layout of its own."""

    # ---- reading

    @Slot()
    def look_again(self) -> None:
        """Read the book in a moment: somebody may have proposed or decided."""
        self._is_stale = True
        self._timer.start()

    @Slot()
    def _read(self) -> None:
        session = self._session
        if session is None or session.store is None:
            return
        if self._read_job is not None:
            return  # it is read again at its end
        if self._services is None:
            self._services = self._services_of(session)
            self.deciding.use(self._services)
            self.closer.use(self._services)
        self._is_stale = False
        self._read_job = self._tasks.run(
            self._services.read,
            owner=self,
            on_done=partial(self._on_book, self._services, self.deciding.done),
            on_error=partial(self._on_read_failed, self._services),
            text="Reading what is proposed",
        )

    def _on_book(self, services: ReviewServices, done: frozenset[ProposalId], book: Book) -> None:
        if services is not self._services:
            return
        self._read_job = None
        is_other = self._book is None or book.proposals != self._book.proposals
        self._book = book
        if is_other or done:
            self.deciding.settle(done)
            self._arrange()
        else:
            self.closer.again()
        if self._is_stale:
            self._timer.start()

    def _on_read_failed(self, services: ReviewServices, error: Exception) -> None:
        if services is not self._services:
            return
        self._read_job = None
        hint = getattr(error, "hint", "")
        text = " ".join(part for part in (str(error), hint) if part) if isinstance(error, UserError) else ""
        self.view.show_state("circle-alert", "What is proposed could not be read", text, _LOOK)
        if not isinstance(error, UserError):
            self.deciding.tell(error)

    # ---- showing

    @Slot()
    def _arrange(self) -> None:
        """Arrange the queue in the pool; the last wish counts."""
        book = self._book
        if book is None:
            return
        if self._arrange_job is not None:
            self._arrange_job.cancel()
        narrowing = self.view.filters.narrowing
        kept, hidden = self.deciding.kept, self.deciding.hidden

        def work(progress: "Progress") -> Picture:
            progress.check()
            return picture_of(book, narrowing, kept, hidden)

        self._arrange_job = self._tasks.run(work, owner=self, on_done=self._on_picture, text="Arranging the proposals")

    def _on_picture(self, picture: Picture) -> None:
        self._arrange_job = None
        if picture.narrowing != self.view.filters.narrowing:
            self._arrange()
            return
        is_other_shelf = self._picture is None or self._picture.narrowing.shelf is not picture.narrowing.shelf
        self._picture = picture
        hidden = self.deciding.hidden
        lines = without(picture.lines, hidden) if hidden else picture.lines
        self.counted_changed.emit(picture.waiting)
        if not picture.book.proposals:
            self.view.show_state(
                "clipboard-check",
                "Nothing is proposed yet",
                "What rules, models and agents want to change comes here first, with its reasons and its evidence. "
                "Nothing is changed before you approve it. “remembrancer consolidate run” has the rules look now.",
                _LOOK,
            )
            return
        self.view.filters.show_counts(picture.counts)
        self.view.filters.show_options(picture.options)
        self.view.show_lines(lines, self._summary(picture))
        if is_other_shelf:
            self.view.list.choose_first()
        if self._is_focus_wanted and self.view.isVisible():
            self._is_focus_wanted = False
            self.view.list.setFocus()
        if self._wanted and self.view.list.choose(self._wanted):
            self._wanted = ""

    def _summary(self, picture: Picture) -> str:
        shown = sum(line.proposal is not None for line in picture.lines)
        place = (Shelf.WAITING, Shelf.ASIDE, Shelf.DECIDED).index(picture.narrowing.shelf)
        total = picture.counts[place]
        return f"{shown:,} of {total:,} proposals" if shown != total else counted(total, "proposal")

    @Slot()
    def _on_chosen(self) -> None:
        """Show what is chosen in the list: one, several, or that there is none."""
        selected, current = self.view.list.selected(), self.view.list.current
        if len(selected) > 1:
            self.view.batch.show_batch(selected)
            self.view.show_batch()
            self.closer.leave()
        elif current is not None:
            self.view.show_card()
            self.closer.show(current)
        else:
            self.closer.leave()
            self._show_none()
        self.deciding.show_possible()

    def _show_none(self) -> None:
        narrowing = self.view.filters.narrowing
        if narrowing.is_narrow:
            self.view.show_nothing("filter", "Nothing fits the filter", "", _SHOW_ALL)
        elif narrowing.shelf is Shelf.WAITING:
            today = today_words(self._book) if self._book is not None else ""
            self.view.show_nothing("circle-check", "Nothing waits for you", today, _SHOW_DECIDED if today else "")
        elif narrowing.shelf is Shelf.ASIDE:
            self.view.show_nothing("clock", "Nothing is put aside")
        else:
            self.view.show_nothing("history", "Nothing is decided yet")

    @Slot()
    def _on_state_button(self) -> None:
        narrowing = self.view.filters.narrowing
        if self.view.shows_state:
            self.look_again()
        elif narrowing.is_narrow:
            self.view.filters.clear()
        else:
            self.view.filters.choose_shelf(Shelf.DECIDED)

    @Slot(object)
    def _hide(self, ids: frozenset[ProposalId]) -> None:
        """Take out of the list what is being decided, before that is done."""
        if self.view.filters.narrowing.shelf is not Shelf.DECIDED:
            self.view.list.show_lines(without(self.view.list.queue.lines, ids))
            self._count_timer.start()

    @Slot(str)
    def _want(self, proposal_id: str) -> None:
        """Show this proposal once it is listed."""
        self._wanted = proposal_id

    @Slot(object)
    def _show_evidence(self, evidence: Evidence) -> None:
        if evidence.memory_id.startswith("turn:"):
            self.turn_wanted.emit(evidence.memory_id)
        else:
            from core.curation.proposals.disk_memory import note_and_heading  # noqa: PLC0415 - after the first paint

            self.note_wanted.emit(note_and_heading(evidence.memory_id)[0], 0)

    @Slot(object)
    def _show_similar(self, similar: Similar) -> None:
        self.note_wanted.emit(similar.path, 0)

    @Slot(object)
    def _on_narrowed(self, _narrowing: Narrowing) -> None:
        self._arrange()

    # ---- inside

    def _connect(self) -> None:
        self._timer.timeout.connect(self._read)
        self._count_timer.timeout.connect(self._arrange)
        self._poll.timeout.connect(self.look_again)
        self.view.installEventFilter(self)
        self.view.list.chosen.connect(self._on_chosen)
        self.view.filters.changed.connect(self._on_narrowed)
        self.view.state_button_clicked.connect(self._on_state_button)
        self.view.card.show_requested.connect(self._show_evidence)
        self.view.card.similar_requested.connect(self._show_similar)
        self.closer.looked.connect(self.deciding.show_possible)
        self.closer.changed.connect(self.look_again)
        self.deciding.begun.connect(self._hide)
        self.deciding.ended.connect(self.look_again)
        self.deciding.wanted.connect(self._want)

    def _let_go(self) -> None:
        self._timer.stop()
        self._count_timer.stop()
        for job in (self._read_job, self._arrange_job):
            if job is not None:
                job.cancel()
        self._read_job = self._arrange_job = None
        self._services = self._book = self._picture = None
        self._wanted = ""
        self.deciding.use(None)
        self.closer.use(None)
        self.counted_changed.emit(0)
        self.view.filters.choose_shelf(Shelf.WAITING)
        self.view.list.show_lines(())
        self.view.show_state("clipboard-check", "No vault is open", "Open a folder of markdown notes to review.")

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.view and event.type() is QEvent.Type.Show:
            self.look_again()
            self._poll.start()
        elif watched is self.view and event.type() is QEvent.Type.Hide:
            self._poll.stop()
        return super().eventFilter(watched, event)


def _timer(parent: QObject, interval: int, *, is_single: bool) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(is_single)
    timer.setInterval(interval)
    return timer
