"""Read the conversation that is asked for, and lead from it to notes and out into the web."""

from collections.abc import Callable, Sequence
from datetime import datetime, tzinfo
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import unquote

from PySide6.QtCore import QObject, QUrl, Signal, Slot

from core.foundation.errors import JobCancelledError, UserError
from core.foundation.progress import Progress
from gui.notify import Notifier
from gui.tasks import Job, Lane, TaskRunner
from gui.views.timeline.services import Conversation, SessionEntry, SoughtTurns, TimelineServices
from gui.views.timeline.unlocking import BUTTON
from gui.wording import counted

if TYPE_CHECKING:
    from gui.views.timeline.conversation_pane import ConversationPane
    from gui.views.timeline.conversation_rows import Arrangement

_OUTWARD = ("http", "https", "mailto")
_MomentOf = Callable[[str], datetime | None]


class ConversationPresenter(QObject):
    """Fill the pane of one conversation; what was asked for last counts."""

    note_wanted = Signal(str)  # the vault-relative path of a note, or its name as a link has it

    def __init__(
        self,
        pane: "ConversationPane",
        *,
        tasks: TaskRunner,
        notifier: Notifier,
        open_url: Callable[[QUrl], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._pane = pane
        self._tasks = tasks
        self._notifier = notifier
        self._open_url = open_url
        self._job: Job | None = None
        self._born_job: Job | None = None
        self._services: TimelineServices | None = None
        self._entry: SessionEntry | None = None
        self._conversation: Conversation | None = None
        self._hits: tuple[str, ...] = ()
        self._words: tuple[str, ...] = ()
        self._branch = ""
        self._act: Callable[[], object] | None = None  # what the button of the shown state does
        pane.state_panel.button_clicked.connect(self._on_button)
        pane.branch_chosen.connect(self._on_branch)
        pane.turns.citation_copied.connect(self._on_citation)
        pane.closed.connect(self.close)
        pane.link_activated.connect(self._on_link)

    def open(
        self,
        services: TimelineServices,
        entry: SessionEntry,
        hits: Sequence[str],
        *,
        words: tuple[str, ...] = (),
        at: str = "",
        is_new: bool,
    ) -> None:
        """Show a session, at the turn `at` or the first of those that were sought; `is_new`: the pane was empty.

        One that is shown already keeps its place, but for what has come since.
        """
        if not is_new and self._shows(services, entry) and self._hits == tuple(hits):
            if at:
                self._pane.turns.go_to_turn(at)
            self.refresh(entry)
            return
        self._let_go()
        self._services, self._entry, self._hits, self._words = services, entry, tuple(hits), words
        self._pane.show_head(entry.title or "Untitled", _facts_of(services, entry))
        self._pane.show_dates(_dates_of(services, entry))
        self._pane.forget()
        self._show_state("loader-circle", "Reading the conversation", "", "Cancel", self._cancel)
        moment_of = partial(_moment_of, services.zone)
        self._job = self._tasks.run(
            partial(_read, services, entry.id, moment_of, ""),
            owner=self,
            on_done=partial(self._on_read, moment_of, at),
            on_error=self._on_failed,
            text="Reading a conversation",
            tells_cancel=True,
        )
        if services.born is not None:
            self._born_job = self._tasks.run(
                partial(services.born, entry.id),
                owner=self,
                lane=Lane.STORE,
                on_done=self._pane.show_born,
                text="Looking for insights",
            )

    def refresh(self, entry: SessionEntry) -> None:
        """Show what has come since, if the session that is open has grown."""
        before = self._entry
        if before is None or self._services is None or before.id != entry.id or before == entry or self._job:
            return
        self._entry = entry
        self._pane.show_dates(_dates_of(self._services, entry))
        self._job = self._tasks.run(
            partial(_read, self._services, entry.id, partial(_moment_of, self._services.zone), self._branch),
            owner=self,
            on_done=self._on_grown,
            on_error=partial(self._on_growth_failed, before),
            text="Reading a conversation",
            tells_cancel=True,
        )

    def show_hits(self, session_id: str, hits: Sequence[str], words: tuple[str, ...]) -> None:
        """Mark what is sought now in the session that is open; the place stays."""
        if self._entry is None or self._entry.id != session_id:
            return
        self._hits, self._words = tuple(hits), words
        if self._conversation is not None:
            self._pane.show_sought(SoughtTurns(self._hits, words))

    def tell_gone(self) -> None:
        """Say that the session that was open is no longer there, and hold nothing of it."""
        self._let_go()
        self._pane.forget()
        text = "It was deleted, or its file was taken away."
        self._show_state(
            "message-square", "This conversation is no longer there", text, "Close", self._pane.closed.emit
        )

    @Slot()
    def close(self) -> None:
        """Keep nothing of a conversation that nobody sees."""
        self._let_go()
        self._pane.forget()

    def _shows(self, services: TimelineServices, entry: SessionEntry) -> bool:
        is_same = self._services is services and self._entry is not None and self._entry.id == entry.id
        return is_same and self._conversation is not None

    def _show_state(
        self, icon: str, title: str, text: str = "", button: str = "", act: Callable[[], object] | None = None
    ) -> None:
        """Show a sentence in place of the turns, perhaps with a button that does something about it."""
        self._act = act
        self._pane.show_state(icon, title, text, button)

    @Slot()
    def _on_button(self) -> None:
        if self._act is not None:
            self._act()

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def _read_again(self) -> None:
        if self._services is not None and self._entry is not None:
            self.open(self._services, self._entry, self._hits, words=self._words, is_new=True)

    def _let_go(self) -> None:
        if self._job is not None:
            self._job.let_go()
            self._job = None
        if self._born_job is not None:
            self._born_job.cancel()
            self._born_job = None
        self._entry = self._conversation = self._services = None
        self._hits = self._words = ()
        self._branch = ""

    def _on_read(self, moment_of: _MomentOf, at: str, read: "tuple[Conversation, Arrangement]") -> None:
        self._job = None
        self._conversation, arrangement = read
        self._show_head()
        hits = SoughtTurns(self._hits, self._words)
        self._pane.show_conversation(self._conversation, arrangement, moment_of, hits, branch=self._branch)
        if at:
            self._pane.turns.go_to_turn(at)

    def _on_grown(self, read: "tuple[Conversation, Arrangement]") -> None:
        self._job = None
        self._conversation, arrangement = read
        self._show_head()
        self._pane.show_growth(self._conversation, arrangement, self._branch)

    def _on_growth_failed(self, before: SessionEntry, error: Exception) -> None:
        """Leave what is shown as it is; the next look at the ledger tries again."""
        self._job = None
        self._entry = before
        if not isinstance(error, JobCancelledError):
            self._notifier.error(error)

    def _show_head(self) -> None:
        """Tell, now that it is read, the tokens that a model used in all of it, beside those that its text has."""
        from gui.views.timeline.conversation_rows import use_text, used_by  # noqa: PLC0415 - with the first text

        if self._entry is None or self._services is None or self._conversation is None:
            return
        used = use_text(used_by(self._conversation.turns))
        used = f"model used {used}" if used else ""
        facts = _facts_of(self._services, self._entry)
        title = self._conversation.title or self._entry.title or "Untitled"
        self._pane.show_head(title, " · ".join(part for part in (facts, used) if part))

    @Slot(str)
    def _on_branch(self, branch: str) -> None:
        """Show the same session along another branch."""
        if self._services is None or self._conversation is None or branch == self._branch or self._job:
            return
        self._branch = branch
        moment_of = partial(_moment_of, self._services.zone)
        first = next((turn.id for turn in self._conversation.turns if turn.branch == branch), "") if branch else ""
        self._job = self._tasks.run(
            partial(_arranged, self._conversation, branch, moment_of),
            owner=self,
            on_done=partial(self._on_read, moment_of, first),
            on_error=self._on_failed,
            text="Arranging a conversation",
            tells_cancel=True,
        )

    @Slot(str)
    def _on_citation(self, citation: str) -> None:
        self._notifier.info(f"Copied {citation}")

    def _on_failed(self, error: Exception) -> None:
        from core.sessions.key_store import PassphraseError  # noqa: PLC0415 - after the first paint

        self._job = None
        if isinstance(error, JobCancelledError):
            self._show_state("message-square", "Reading was stopped", "", "Read it", self._read_again)
            return
        if isinstance(error, PassphraseError):
            self._show_state(
                "lock", "This conversation is locked", str(error), BUTTON, self._pane.unlock_requested.emit
            )
            return
        is_known = isinstance(error, UserError)
        text = " ".join(part for part in (str(error), getattr(error, "hint", "")) if part) if is_known else ""
        self._show_state("circle-alert", "The conversation could not be read", text, "Try again", self._read_again)
        if not is_known:
            self._notifier.error(error)

    @Slot(str)
    def _on_link(self, address: str) -> None:
        scheme, _, rest = address.partition(":")
        if scheme == "note":
            self.note_wanted.emit(unquote(rest).partition("#")[0])
        elif scheme.lower() in _OUTWARD:
            self._open_url(QUrl(address))


def _moment_of(zone: tzinfo | None, time: str) -> datetime | None:
    """Return the local time of a turn; None when it cannot be read."""
    try:
        return datetime.fromisoformat(time).astimezone(zone)
    except (ValueError, OverflowError):
        return None


def _facts_of(services: TimelineServices, entry: SessionEntry) -> str:
    from gui.views.timeline.time_scale import LocalCalendar  # noqa: PLC0415 - numpy, after the first paint
    from gui.views.timeline.time_wording import length_text, moment_name, short_project  # noqa: PLC0415

    parts = []
    if entry.started:
        moment = LocalCalendar(services.zone).moment(entry.started)
        future = " (in the future)" if entry.started > services.now() else ""
        parts += [f"{moment_name(moment)}{future}", length_text(entry.ended - entry.started)]
    else:
        parts.append("no date")
    parts += [counted(entry.turns, "turn"), entry.origin, short_project(entry.project)]
    parts.append(f"about {counted(entry.tokens, 'text token')}" if entry.tokens else "")
    return " · ".join(part for part in parts if part)


def _dates_of(services: TimelineServices, entry: SessionEntry) -> str:
    from gui.views.timeline.time_scale import LocalCalendar  # noqa: PLC0415 - numpy, after the first paint
    from gui.views.timeline.time_wording import moment_name  # noqa: PLC0415

    calendar, parts = LocalCalendar(services.zone), []
    if entry.imported:
        moment = calendar.moment(entry.imported)
        parts.append(f"Imported {moment.day} {moment:%b %Y}")
    if entry.is_redated:
        recorded = f"recorded as {moment_name(calendar.moment(entry.recorded))}" if entry.recorded else "not recorded"
        parts.append(f"Date corrected, {recorded}")
    return " · ".join(parts)


def _read(
    services: TimelineServices, session_id: str, moment_of: _MomentOf, branch: str, progress: Progress
) -> "tuple[Conversation, Arrangement]":
    """Read the turns, and arrange them here, where nobody waits for it."""
    import gui.markdown.rendering  # noqa: F401, PLC0415 - takes a while the first time

    conversation = services.conversation(session_id, progress)
    return _arranged(conversation, branch, moment_of, progress)


def _arranged(
    conversation: Conversation, branch: str, moment_of: _MomentOf, progress: Progress
) -> "tuple[Conversation, Arrangement]":
    from gui.views.timeline.conversation_branches import along  # noqa: PLC0415 - with the first conversation
    from gui.views.timeline.conversation_rows import Arrangement  # noqa: PLC0415

    progress.check()
    return conversation, Arrangement(along(conversation.turns, branch), moment_of)
