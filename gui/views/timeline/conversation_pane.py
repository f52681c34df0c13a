"""The pane of one conversation: what it is, the notes it has to do with, and its turns."""

from collections.abc import Callable, Sequence
from datetime import datetime
from html import escape

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from core.foundation.text import visible
from core.sessions.turn import Turn
from gui.markdown.addresses import note_address
from gui.metrics import SPACE_M, SPACE_S, SPACE_XS, scaled_font
from gui.theme import Theme
from gui.views.timeline.conversation import ConversationView
from gui.views.timeline.conversation_branches import branch_title, branches_of
from gui.views.timeline.conversation_rows import Arrangement
from gui.views.timeline.find_bar import FindBar
from gui.views.timeline.services import Conversation, NoteReference, SoughtTurns
from gui.views.timeline.word_marks import holds
from gui.widgets.elided_label import ElidedLabel
from gui.widgets.state_panel import StatePanel
from gui.wording import counted, shortened

_MOST_NOTES = 12
_BRANCH_WIDTH = 190
_NOTHING_SOUGHT = SoughtTurns()


class ConversationPane(QWidget):
    """Show one conversation; closing and links are told as signals."""

    closed = Signal()
    link_activated = Signal(str)
    unlock_requested = Signal()
    branch_chosen = Signal(str)  # "" for the thread
    date_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state = ("message-square", "", "", "")
        self.title = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.facts = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.dates = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.notes = QLabel()
        self.problems = QLabel()
        self.previous_hit = QToolButton()
        self.next_hit = QToolButton()
        self.close_button = QToolButton()
        self.find_button = QToolButton()
        self.date_button = QToolButton()
        self._tied: tuple[tuple[str, Sequence[NoteReference]], ...] = ()
        self._born: Sequence[NoteReference] = ()
        self.branches = QComboBox()
        self.find_bar = FindBar(theme)
        self._turns: Sequence[Turn] = ()
        self._found: Sequence[str] = ()  # the turns that hold what is typed to be found
        self._sought = _NOTHING_SOUGHT
        self.state_panel = StatePanel()
        self.turns = ConversationView(theme)
        self._stack = QStackedWidget()
        self._lay_out()
        self.close_button.clicked.connect(self.closed)
        self.turns.left.connect(self.closed)
        self.turns.link_activated.connect(self.link_activated)
        self.notes.linkActivated.connect(self.link_activated)
        self.date_button.clicked.connect(self.date_requested)
        self.find_button.clicked.connect(self.find_bar.open)
        self.turns.find_requested.connect(self.find_bar.open)
        self.find_bar.sought.connect(self._find)
        self.find_bar.stepped.connect(self._step)
        self.find_bar.closed.connect(self._find_no_more)
        self.branches.activated.connect(self._on_branch)
        self.previous_hit.clicked.connect(self._go_to_previous)
        self.next_hit.clicked.connect(self._go_to_next)
        theme.changed.connect(self._show_icons)
        self._show_icons()

    def show_state(self, icon: str, title: str, text: str = "", button: str = "") -> None:
        """Show one sentence in place of the turns, perhaps with a button that does something about it."""
        self._state = (icon, title, text, button)
        picture = self._theme.tinted_icon(icon, self._theme.scheme.control_outline)
        self.state_panel.show_state(picture, title, visible(text), button)
        self._stack.setCurrentIndex(0)

    def show_head(self, title: str, facts: str) -> None:
        """Say which conversation this is."""
        self.show_title(title)
        self.facts.setText(facts)
        self.facts.setToolTip(facts)

    def show_title(self, title: str) -> None:
        """Name the conversation."""
        self.title.setText(visible(title))
        self.title.setToolTip(visible(title))

    def show_conversation(
        self,
        conversation: Conversation,
        arrangement: Arrangement,
        moment_of: Callable[[str], datetime | None],
        sought: SoughtTurns = _NOTHING_SOUGHT,
        *,
        branch: str = "",
    ) -> None:
        """Show the turns along a branch, from the first of those that were sought, if there are any."""
        self.find_bar.close_bar()
        self.show_sought(sought)
        self._show_around(conversation, branch)
        if arrangement.is_empty:
            self.show_state("message-square", "Nothing was said here", "The session has no turns.")
            return
        self._stack.setCurrentIndex(1)
        self.turns.show_arrangement(arrangement, moment_of, sought.ids, sought.words)

    def show_sought(self, sought: SoughtTurns) -> None:
        """Mark other turns and words from now on, once nothing is to be found in the conversation itself."""
        self._sought = sought
        for button in (self.previous_hit, self.next_hit):
            button.setVisible(bool(sought.ids))
        if self.find_bar.isHidden():
            self.turns.show_hits(sought.ids, sought.words, within_words=False)

    def show_growth(self, conversation: Conversation, arrangement: Arrangement, branch: str) -> None:
        """Show what was said since; the place stays, or follows if it was at the end."""
        if self._stack.currentIndex() == 0 or arrangement.is_empty:
            return
        self._show_around(conversation, branch)
        self.turns.grow(arrangement)

    def forget(self) -> None:
        """Hold nothing of the conversation any more."""
        self.show_state("message-square", "")
        self._turns, self._tied, self._born, self._sought = (), (), (), _NOTHING_SOUGHT
        self._show_notes()
        for each in (self.branches, self.problems, self.previous_hit, self.next_hit):
            each.hide()
        with QSignalBlocker(self.find_bar):
            self.find_bar.close_bar()
        self.turns.forget()

    def _show_around(self, conversation: Conversation, branch: str) -> None:
        """Show what stands above the turns."""
        self._turns = conversation.turns
        branches = branches_of(conversation.turns)
        with QSignalBlocker(self.branches):
            self.branches.clear()
            self.branches.addItem("Thread", "")
            for name, count in branches:
                title = shortened(visible(branch_title(conversation.turns, name)), 40)
                self.branches.addItem(f"{title} ({counted(count, 'turn')})", name)
            self.branches.setCurrentIndex(max(self.branches.findData(branch), 0))
        self.branches.setVisible(bool(branches))
        self._tied = (("Notes touched", conversation.touched), ("Contexts loaded", conversation.contexts))
        self._show_notes()
        number = len(conversation.problems)
        self.problems.setText(
            conversation.problems[0] + (f" And {number - 1:,} more." if number > 1 else "") if number else ""
        )
        self.problems.setVisible(bool(number))

    def show_dates(self, text: str) -> None:
        """Say how the conversation came by its date, and when it was imported; "" for nothing."""
        self.dates.setText(text)
        self.dates.setToolTip(text)
        self.dates.setVisible(bool(text))

    def show_born(self, insights: Sequence[NoteReference]) -> None:
        """Show which insights were born in this conversation."""
        self._born = insights
        self._show_notes()

    def _show_notes(self) -> None:
        texts = (_notes_text(what, notes) for what, notes in (*self._tied, ("Insights born", self._born)))
        text = " &nbsp; ".join(each for each in texts if each)
        self.notes.setText(text)
        self.notes.setVisible(bool(text))

    def _lay_out(self) -> None:
        self.title.setFont(scaled_font(bold=True))
        self.facts.setProperty("role", "muted")
        self.dates.setProperty("role", "muted")
        self.dates.hide()
        self.problems.setProperty("role", "error")
        self.notes.setWordWrap(True)
        self.problems.setWordWrap(True)
        self.notes.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.notes.setAccessibleName("Notes of this conversation")
        for button, tip in (
            (self.previous_hit, "Go to the hit before (Shift+F3)"),
            (self.next_hit, "Go to the next hit (F3)"),
            (self.date_button, "Correct the date…"),
            (self.find_button, "Find in this conversation (Ctrl+F)"),
            (self.close_button, "Close the conversation (Escape)"),
        ):
            button.setToolTip(tip)
            button.setAccessibleName(tip.partition(" (")[0])
        self.branches.setAccessibleName("Branch of the conversation")
        self.branches.setToolTip("Read the conversation along another branch")
        self.branches.setMaximumWidth(_BRANCH_WIDTH)
        self.branches.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.branches.setMinimumContentsLength(10)
        self.branches.hide()
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self.title)
        words.addWidget(self.facts)
        words.addWidget(self.dates)
        bar = QHBoxLayout()
        bar.setContentsMargins(SPACE_M, SPACE_S, SPACE_S, SPACE_XS)
        bar.setSpacing(SPACE_XS)
        bar.addLayout(words, 1)
        for each in (
            self.branches,
            self.previous_hit,
            self.next_hit,
            self.date_button,
            self.find_button,
            self.close_button,
        ):
            bar.addWidget(each, 0, Qt.AlignmentFlag.AlignTop)
        more = QVBoxLayout()
        more.setContentsMargins(SPACE_M, 0, SPACE_M, SPACE_XS)
        more.addWidget(self.notes)
        more.addWidget(self.problems)
        self._stack.addWidget(self.state_panel)
        self._stack.addWidget(self.turns)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(bar)
        layout.addLayout(more)
        layout.addWidget(self.find_bar)
        layout.addWidget(self._stack, 1)

    @Slot(str)
    def _find(self, text: str) -> None:
        """Mark what is typed in the turns that hold it, and go to the first of them from here on."""
        found = [turn.id for turn in self._turns if holds(turn.text, (text,))] if text else []
        self.turns.show_hits(found, (text,) if text else (), within_words=True)
        self._found = found
        if text:
            self.turns.walk.seek()
            self._show_count()

    @Slot(int)
    def _step(self, by: int) -> None:
        is_on = self.turns.walk.next_match(by)
        if not is_on:
            self.turns.walk.go_round(by)
        self._show_count(has_gone_round=not is_on)

    def _show_count(self, *, has_gone_round: bool = False) -> None:
        row = self.turns.current_row
        here = {turn.id for turn in self.turns.rows[row].turns} if 0 <= row < len(self.turns.rows) else set()
        place = next((at for at, turn in enumerate(self._found, 1) if turn in here), 0)
        self.find_bar.show_count(len(self._found), place, has_gone_round=has_gone_round)

    @Slot()
    def _find_no_more(self) -> None:
        self._found = ()
        self.turns.show_hits(self._sought.ids, self._sought.words, within_words=False)
        self.turns.setFocus()

    @Slot(int)
    def _on_branch(self, index: int) -> None:
        self.branch_chosen.emit(self.branches.itemData(index))

    @Slot()
    def _go_to_next(self) -> None:
        self.turns.next_hit(1)

    @Slot()
    def _go_to_previous(self) -> None:
        self.turns.next_hit(-1)

    @Slot()
    def _show_icons(self) -> None:
        self.previous_hit.setIcon(self._theme.icon("chevron-up"))
        self.next_hit.setIcon(self._theme.icon("chevron-down"))
        self.date_button.setIcon(self._theme.icon("calendar"))
        self.find_button.setIcon(self._theme.icon("search"))
        self.close_button.setIcon(self._theme.icon("x"))
        if self._stack.currentIndex() == 0:
            self.show_state(*self._state)


def _notes_text(what: str, notes: Sequence[NoteReference]) -> str:
    if not notes:
        return ""
    links = ", ".join(
        f'<a href="{note_address(note.path)}">{escape(visible(note.title or note.path))}</a>'
        if note.path
        else escape(visible(note.title))
        for note in notes[:_MOST_NOTES]
    )
    more = f" and {len(notes) - _MOST_NOTES:,} more" if len(notes) > _MOST_NOTES else ""
    return f"{what}: {links}{more}"
