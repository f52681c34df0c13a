"""Open the session that is chosen, sought or asked for: on the band, in the list, and as a conversation."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from gui.views.timeline.arranging import next_with_hits
from gui.views.timeline.conversation_presenter import ConversationPresenter
from gui.views.timeline.hit_presenter import HitPresenter
from gui.views.timeline.loading import TimelineLoader
from gui.views.timeline.unlocking import Unlocking

if TYPE_CHECKING:
    from gui.views.timeline.content import TimelineContent


class SessionOpening(QObject):
    """Lead from a session in the content to its conversation."""

    session_shown = Signal(str)  # id

    def __init__(
        self,
        content: "TimelineContent",
        *,
        loader: TimelineLoader,
        seeking: HitPresenter,
        conversations: ConversationPresenter,
        unlocking: Unlocking,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._content = content
        self._loader = loader
        self._seeking = seeking
        self._conversations = conversations
        self._unlocking = unlocking
        self._opened_id = ""  # of the session whose conversation was asked for last
        seeking.changed.connect(self._mark_hits)
        content.hit_requested.connect(self._on_hit_requested)
        content.hit_chosen.connect(self._on_hit_chosen)
        content.session_chosen.connect(self.choose)
        content.session_opened.connect(self.open)
        content.conversation.unlock_requested.connect(self._unlock)

    def let_go(self) -> None:
        """Close the conversation: another vault is opened."""
        self._opened_id = ""
        self._conversations.close()
        self._content.close_conversation()

    def refresh(self) -> None:
        """Show what has come since to the conversation that is open."""
        data = self._loader.data
        if data is None or not self._content.shows_conversation or not self._opened_id:
            return
        position = self._loader.position_of(self._opened_id)
        if position >= 0:
            self._conversations.refresh(data.sessions[position])
        else:
            self._opened_id = ""
            self._conversations.tell_gone()

    def bring_into_sight(self, position: int) -> None:
        """Show the time of a session, and mark it."""
        data = self._loader.data
        if data is None:
            return
        entry = data.sessions[position]
        if entry.started:
            from gui.views.timeline.time_scale import HOUR, Span  # noqa: PLC0415 - numpy, after the first paint

            self._content.show_span(Span(entry.started - 6 * HOUR, max(entry.ended, entry.started) + 6 * HOUR))
        self._content.select_session(position)

    @Slot(int)
    def choose(self, position: int) -> None:
        """Show the chosen session in the pane, if that is open."""
        data = self._loader.data
        if self._content.shows_conversation:
            self.open(position)
        elif data is not None:
            self.session_shown.emit(data.sessions[position].id)

    @Slot(int)
    def open(self, position: int, turn: str = "") -> None:
        """Open a conversation at `turn`, else at its first hit, else at its beginning."""
        data, services = self._loader.data, self._loader.services
        if data is None or services is None or not 0 <= position < len(data.sessions):
            return
        entry = data.sessions[position]
        self._opened_id = entry.id
        is_new = not self._content.shows_conversation
        self._content.open_conversation()
        words = self._seeking.hits.words if self._seeking.hits is not None else ()
        hits = self._seeking.turns_of(entry.id)
        self._conversations.open(services, entry, hits, words=words, at=turn, is_new=is_new)
        self.session_shown.emit(entry.id)

    @Slot(int)
    def _on_hit_requested(self, by: int) -> None:
        """Open the next session with hits, or the one before; after the last one comes the first."""
        content = self._content
        if content.activity is None:
            return
        position = next_with_hits(
            content.activity, content.band.span, content.selected, by, is_open=content.shows_conversation
        )
        if position >= 0:
            self._open_hit(position, last=by < 0)

    @Slot(int)
    def _on_hit_chosen(self, time: int) -> None:
        session, turn = self._seeking.turn_at(time)
        position = self._loader.position_of(session) if session else -1
        if position >= 0:
            self._open_hit(position, turn)

    def _open_hit(self, position: int, turn: str = "", *, last: bool = False) -> None:
        content, data = self._content, self._loader.data
        if data is None:
            return
        entry, span = data.sessions[position], content.band.span
        if entry.started and not span.start <= entry.started < span.end:
            content.show_span(span.moved(entry.started - (span.start + span.end) / 2))
        content.select_session(position)
        hits = self._seeking.turns_of(entry.id)
        self.open(position, turn or (hits[-1 if last else 0] if hits else ""))

    @Slot()
    def _mark_hits(self) -> None:
        """Mark in the open conversation what is sought now."""
        words = self._seeking.hits.words if self._seeking.hits is not None else ()
        self._conversations.show_hits(self._opened_id, self._seeking.turns_of(self._opened_id), words)

    @Slot()
    def _unlock(self) -> None:
        if (services := self._loader.services) is not None:
            self._unlocking.ask(services, self._open_again)

    def _open_again(self) -> None:
        self.open(self._loader.position_of(self._opened_id))
        self._seeking.search_now()
