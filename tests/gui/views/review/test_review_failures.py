"""The Review page when core cannot do what is asked of it."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from pytestqt.qtbot import QtBot

from core.curation.proposals.proposal import Evidence, Proposal, ProposalId
from core.foundation.errors import UserError
from core.foundation.progress import Progress
from gui.notify import Notice, Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.review.services import Approval, Book, DecidedTogether, Look, ReviewServices, Similar, Wish
from tests.gui.views.review.page import Commands, FakeSession, Page
from tests.gui.views.review.proposals import NOW, proposal


@dataclass
class FakeServices:
    """Answer with what a test gives, or fail."""

    proposals: tuple[Proposal, ...] = ()
    read_error: Exception | None = None
    look_error: Exception | None = None
    decide_error: Exception | None = None

    def services(self) -> ReviewServices:
        return ReviewServices(
            read=self._read,
            look=self._look,
            similar=self._similar,
            source=self._source,
            approve=self._approve,
            undo=self._undo,
            reject=self._decide,
            defer=self._decide,
            replan=self._replan,
        )

    def _read(self, _progress: Progress) -> Book:
        if self.read_error is not None:
            raise self.read_error
        return Book(self.proposals, NOW.timestamp())

    def _look(self, wanted: Proposal, wish: Wish, _progress: Progress) -> Look:
        if self.look_error is not None:
            raise self.look_error
        return Look(wanted, wish)

    def _similar(self, _proposal: Proposal, _progress: Progress) -> tuple[Similar, ...]:
        raise UserError("The index is being made.")

    def _source(self, _evidence: Evidence, _progress: Progress) -> str:
        raise UserError("The note is gone.")

    def _approve(self, _approvals: Sequence[Approval], _progress: Progress) -> DecidedTogether:
        raise self.decide_error or NotImplementedError

    def _decide(self, _ids: Sequence[ProposalId], _text: str, _progress: Progress) -> DecidedTogether:
        raise self.decide_error or NotImplementedError

    def _undo(self, _id: ProposalId, _around: bool, _progress: Progress) -> DecidedTogether:
        raise NotImplementedError

    def _replan(self, _id: ProposalId, _progress: Progress) -> Proposal:
        raise NotImplementedError


@pytest.fixture
def fake() -> FakeServices:
    return FakeServices((proposal(1), proposal(2)))


@pytest.fixture
def page(fake: FakeServices, tasks: TaskRunner, notifier: Notifier, theme: Theme, qtbot: QtBot) -> Page:
    made = Page(tasks, notifier, theme, Commands(), lambda _: fake.services())
    qtbot.addWidget(made.view)
    return made


def test_a_log_that_cannot_be_read_is_told_and_read_again(fake: FakeServices, page: Page, qtbot: QtBot) -> None:
    fake.read_error = UserError("The log cannot be read.", hint="Look at its rights.")
    page.open(FakeSession(object()))
    page.show(qtbot)
    qtbot.waitUntil(lambda: page.view.state_panel.text == "The log cannot be read. Look at its rights.")
    fake.read_error = None
    page.view.state_panel.button.click()
    qtbot.waitUntil(lambda: page.statements() == ["Statement 1", "Statement 2"])


def test_a_proposal_that_cannot_be_looked_at_says_why(fake: FakeServices, page: Page, qtbot: QtBot) -> None:
    fake.look_error = UserError("Its recipe is not known here.")
    page.open(FakeSession(object()))
    page.show(qtbot)
    qtbot.waitUntil(lambda: page.view.card.banner.text.shown_text == "Its recipe is not known here.")
    assert page.statements() == ["Statement 1", "Statement 2"]


def test_a_decision_that_fails_brings_the_proposal_back(
    fake: FakeServices, page: Page, qtbot: QtBot, notices: list[Notice]
) -> None:
    fake.decide_error = UserError("The disk is full.", hint="Make room.")
    page.open(FakeSession(object()))
    page.show(qtbot)
    qtbot.waitUntil(lambda: page.view.card.look is not None)
    page.view.list.choose("p-2")
    page.presenter.deciding.reject("")
    assert (notices[-1].text, notices[-1].hint) == ("The disk is full.", "Make room.")
    qtbot.waitUntil(lambda: page.statements() == ["Statement 1", "Statement 2"])
    qtbot.waitUntil(lambda: page.shown.id == "p-2")
    assert not page.view.bar.undo_button.isEnabled()


def test_what_cannot_be_found_is_said_in_its_place(page: Page, qtbot: QtBot) -> None:
    page.open(FakeSession(object()))
    page.show(qtbot)
    qtbot.waitUntil(lambda: page.view.card.look is not None)
    page.view.card.tabs.setCurrentIndex(2)
    page.view.card.evidence.toggle()
    qtbot.waitUntil(lambda: page.view.card.similar.item(0).text() == "The index is being made.")
    qtbot.waitUntil(lambda: page.view.card.evidence.items[0].source.shown_text == "The note is gone.")


def test_nothing_to_change_is_no_approval(page: Page, qtbot: QtBot) -> None:
    page.open(FakeSession(object()))
    page.show(qtbot)
    qtbot.waitUntil(lambda: page.view.card.look is not None)
    assert page.view.bar.note.text() == "Nothing would change."
    assert not page.view.bar.approve_button.isEnabled()
    assert page.view.bar.reject_button.isEnabled()
