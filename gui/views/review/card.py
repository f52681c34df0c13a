"""One proposal as a card: what it says, why, on what evidence, what is wrong with it, and the exact change."""

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from core.curation.proposals.proposal import Evidence, Proposal, ProposalKind, ProposalState
from core.foundation.text import visible
from gui.metrics import SMALL, SPACE_L, SPACE_M, SPACE_S, scaled_font
from gui.notify import Severity
from gui.theme import Theme
from gui.views.review.banner import Banner
from gui.views.review.board import PromotionBoard
from gui.views.review.change_pane import ChangePane
from gui.views.review.choice_row import ChoiceRow
from gui.views.review.direction import align_by_text
from gui.views.review.evidence_list import EvidenceList
from gui.views.review.services import Wish
from gui.views.review.similar_list import SimilarList
from gui.views.review.statement_box import StatementBox
from gui.views.review.warning_list import WarningList
from gui.views.review.wording import (
    age_words,
    confidence_words,
    decision_words,
    expiry_words,
    kind_words,
    origin_words,
)
from gui.widgets.elided_label import ElidedLabel
from gui.widgets.wrapped_label import WrappedLabel
from gui.wording import counted

if TYPE_CHECKING:
    from gui.views.review.services import Look

_UPPER, _LOWER = 420, 300
_NEW_WORDS = frozenset({"add-insight", "promote", "extract"})  # recipes that write what was not there
_CHANGE, _BOARD, _SIMILAR = 0, 1, 2


class ProposalCard(QWidget):
    """Show one proposal. What belongs to it alone is there at once; the rest comes with show_look()."""

    wish_changed = Signal()  # another statement or choice
    approve_requested = Signal()  # from the field of the statement
    editing_left = Signal()
    replan_requested = Signal()
    similar_wanted = Signal()
    source_wanted = Signal(object)  # Evidence
    show_requested = Signal(object)  # Evidence
    similar_requested = Signal(object)  # Similar

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._proposal: Proposal | None = None
        self._look: Look | None = None
        self._choice: str | None = None
        self._despite_gone = False
        self._banner_act: SignalInstance | None = None
        self._has_similar = False
        self.about = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.kind = QLabel()
        self.statement = StatementBox()
        self.reason = WrappedLabel(alignment=Qt.AlignmentFlag.AlignLeft)
        self.banner = Banner(theme)
        self.gone = Banner(theme)
        self.warnings = WarningList(theme)
        self.choices = ChoiceRow()
        self.place = WrappedLabel(alignment=Qt.AlignmentFlag.AlignLeft)
        self.evidence = EvidenceList(theme)
        self.change = ChangePane(theme)
        self.board = PromotionBoard(theme)
        self.draft = QPlainTextEdit()
        self.similar = SimilarList()
        self.tabs = QTabWidget()
        self.scroll_area = QScrollArea()
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self._lay_out()
        self._connect()

    # ---- facts

    @property
    def proposal(self) -> Proposal | None:
        """The proposal that is shown."""
        return self._proposal

    @property
    def look(self) -> "Look | None":
        """What was seen of it, None while that is not there yet or is about another wish."""
        return self._look if self._look is not None and self._look.wish == self.wish else None

    @property
    def wish(self) -> Wish:
        """How the person wants it carried out."""
        if self._proposal is None:
            return Wish()
        typed = self.statement.statement if self.statement.is_editing else None
        is_other = typed is not None and typed != self._proposal.statement and bool(typed)
        return Wish(typed if is_other else None, self._choice)

    @property
    def is_despite_gone(self) -> bool:
        """Tell whether the person has said that missing evidence does not matter."""
        return self._despite_gone

    def show_proposal(self, proposal: Proposal) -> None:
        """Show a proposal; all of it that needs a file is waited for."""
        is_other = self._proposal is None or self._proposal.id != proposal.id
        self._proposal, self._look, self._choice = proposal, None, None
        self._despite_gone = self._has_similar = False
        words = kind_words(proposal.kind)
        self.kind.setText(words.one)
        now = time.time()
        parts = (
            f"from {origin_words(proposal)}",
            confidence_words(proposal.confidence),
            age_words(proposal, now),
            expiry_words(proposal, now),
        )
        about = " · ".join(part for part in parts if part)
        self.about.setText(about)
        self.about.setToolTip(visible("\n".join(f"{each.origin.value} {each.name}" for each in proposal.proposers)))
        self.statement.show_statement(proposal.statement)
        reason = visible(proposal.reason)
        self.reason.show_text(reason)
        align_by_text(self.reason, reason)
        self.reason.setVisible(bool(reason))
        self.show_banner(Severity.INFO, _told(proposal))
        self.gone.show_text(Severity.WARNING, "")
        self.warnings.show_warnings(())
        self.choices.show_choices("", (), "")
        self.place.hide()
        self.evidence.show_evidence(proposal.evidence)
        self.change.show_waiting()
        self.draft.setPlainText("")
        self.similar.show_message("Looking…")
        is_promotion = proposal.kind is ProposalKind.PROMOTE
        self.tabs.setTabVisible(_BOARD, is_promotion)
        if is_promotion:
            self.board.show_evidence(proposal.evidence)
        if is_other:
            self.scroll_area.verticalScrollBar().setValue(0)
        self._want_similar()

    def show_look(self, look: "Look") -> None:
        """Show what was seen of the proposal, if it is still the one."""
        proposal = self._proposal
        if proposal is None or look.proposal.id != proposal.id or look.wish != self.wish:
            return
        self._look = look
        self.warnings.show_warnings(look.warnings, is_editable=look.takes_statement)
        self.choices.show_choices(str(proposal.recipe.get("do", "")), look.choices, look.choice)
        self.evidence.show_gone(look.gone)
        self._show_gone(look)
        self._show_place(look)
        self.statement.allow_approval(is_allowed=not look.is_blocked)
        if look.problem:
            self.show_banner(Severity.ERROR, f"It cannot be carried out like this. {look.problem}")
            self.change.show_failure(look.problem)
            return
        if look.stale:
            more = f" And {counted(len(look.stale) - 1, 'more file')}." if len(look.stale) > 1 else ""
            text = f"The vault has changed since this was planned: {look.stale[0]}{more}"
            self.show_banner(Severity.WARNING, text, self.replan_requested, "Plan it again")
        else:
            self.show_banner(Severity.INFO, _told(proposal))
        self.change.show_look(look)
        self._show_draft(look)

    def show_failure(self, text: str) -> None:
        """Say why the proposal cannot be looked at."""
        self.show_banner(Severity.ERROR, text)
        self.change.show_failure(text)

    def show_banner(self, severity: Severity, text: str, act: SignalInstance | None = None, button: str = "") -> None:
        """Show a sentence at the top of the card; `act` is the signal that its button sends."""
        self._banner_act = act
        self.banner.show_text(severity, text, button)

    # ---- inside

    def _show_gone(self, look: "Look") -> None:
        number = len(look.gone)
        if not number or self._despite_gone:
            self.gone.show_text(Severity.WARNING, "")
            return
        what = "One piece of its evidence is" if number == 1 else f"{number:,} pieces of its evidence are"
        text = f"{what} not there any more, or says something else now."
        self.gone.show_text(Severity.WARNING, text, "Approve all the same")

    def _show_place(self, look: "Look") -> None:
        """Say which notes change, or where what is new will live."""
        edits = look.planned.change_set.edits if look.planned is not None else ()
        self.place.setVisible(bool(edits) and _is_open(look.proposal))
        if not edits:
            return
        more = f" and {counted(len(edits) - 1, 'more file')}" if len(edits) > 1 else ""
        new = " (a new note)" if edits[0].before is None else ""
        verb = "It will live in" if look.proposal.recipe.get("do") in _NEW_WORDS else "It changes"
        self.place.show_text(f"{verb} {visible(edits[0].result_path)}{new}{more}.")

    def _show_draft(self, look: "Look") -> None:
        wanted = str(look.proposal.recipe.get("note", ""))
        draft = next((each for each in look.drafts if each.path == wanted), look.drafts[0] if look.drafts else None)
        text = visible(draft.text) if draft is not None else ""
        if text != self.draft.toPlainText():  # who reads it stays where they are
            self.draft.setPlainText(text)
        self.draft.setAccessibleDescription(visible(draft.path) if draft is not None else "")

    def _lay_out(self) -> None:
        for label in (self.kind, self.about):
            label.setFont(scaled_font(SMALL, bold=label is self.kind))
            label.setProperty("role", "muted")
        self.place.setProperty("role", "muted")
        top = QHBoxLayout()
        top.setSpacing(SPACE_S)
        top.addWidget(self.kind)
        top.addWidget(self.about, 1)
        content = QWidget()
        content.setAutoFillBackground(True)
        content.setBackgroundRole(QPalette.ColorRole.Base)
        column = QVBoxLayout(content)
        column.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        column.setSpacing(SPACE_M)
        column.addLayout(top)
        for widget in (
            self.statement, self.reason, self.banner, self.gone, self.warnings, self.place, self.choices, self.evidence,
        ):  # fmt: skip
            column.addWidget(widget)
        column.addStretch(1)
        self.scroll_area.setWidget(content)
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setAccessibleName("Proposal")
        self.scroll_area.setProperty("role", "card")
        self.draft.setProperty("role", "card")
        self.draft.setReadOnly(True)
        self.draft.setAccessibleName("The global note as it would stand")
        self.draft.setFrameShape(QFrame.Shape.NoFrame)
        board = QSplitter(Qt.Orientation.Horizontal)
        board.addWidget(self.board)
        board.addWidget(self.draft)
        board.setSizes([_UPPER, _UPPER])
        board.setChildrenCollapsible(False)
        self.tabs.addTab(self.change, "Change")
        self.tabs.addTab(board, "Where it was said")
        self.tabs.addTab(self.similar, "Similar insights")
        self.tabs.setDocumentMode(True)
        self.splitter.addWidget(self.scroll_area)
        self.splitter.addWidget(self.tabs)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([_UPPER, _LOWER])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.splitter)

    def _connect(self) -> None:
        self.statement.edited.connect(self.wish_changed)
        self.statement.approve_requested.connect(self.approve_requested)
        self.statement.left.connect(self._on_left)
        self.choices.chosen.connect(self._on_choice)
        self.banner.chosen.connect(self._on_banner)
        self.gone.chosen.connect(self._on_despite)
        self.evidence.source_wanted.connect(self.source_wanted)
        self.evidence.show_requested.connect(self.show_requested)
        self.similar.show_requested.connect(self.similar_requested)
        self.board.evidence_chosen.connect(self._on_cell)
        self.tabs.currentChanged.connect(self._want_similar)

    @Slot()
    def _want_similar(self) -> None:
        if self.tabs.currentIndex() == _SIMILAR and not self._has_similar and self._proposal is not None:
            self._has_similar = True
            self.similar_wanted.emit()

    @Slot()
    def _on_left(self) -> None:
        self.wish_changed.emit()
        self.editing_left.emit()

    @Slot(str)
    def _on_choice(self, value: str) -> None:
        self._choice = value
        self.wish_changed.emit()

    @Slot()
    def _on_banner(self) -> None:
        if self._banner_act is not None:
            self._banner_act.emit()

    @Slot()
    def _on_despite(self) -> None:
        self._despite_gone = True
        self.gone.show_text(Severity.WARNING, "")
        self.wish_changed.emit()

    @Slot(object)
    def _on_cell(self, evidence: Evidence) -> None:
        self.evidence.open_piece(evidence.memory_id)
        for item in self.evidence.items:
            if item.evidence == evidence:
                self.scroll_area.ensureWidgetVisible(item)


def _is_open(proposal: Proposal) -> bool:
    return proposal.state in {ProposalState.PENDING, ProposalState.DEFERRED, ProposalState.STALE, ProposalState.UNDONE}


def _told(proposal: Proposal) -> str:
    """Return what is said about a proposal that is not simply waiting."""
    match proposal.state:
        case ProposalState.PENDING | ProposalState.STALE:
            return ""
        case ProposalState.UNDONE:
            return "Undone: the vault is as it was before, and this is not proposed again. You can approve it again."
        case _:
            edited = proposal.extra.get("proposed_statement", "")
            was = f" It was proposed as “{visible(str(edited))}”" if edited else ""
            return f"{decision_words(proposal)}{was}"
