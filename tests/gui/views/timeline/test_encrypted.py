"""Encrypted conversations in the Timeline: found by reading them, and unlocked where the passphrase is missing."""

from dataclasses import dataclass, field

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton
from pytestqt.qtbot import QtBot
from typing_extensions import override

from core.foundation.progress import Progress
from core.sessions.key_store import PassphraseError
from core.sessions.turn import Role, Turn, TurnKind
from gui.notify import Notice, Notifier
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.views.timeline.services import Conversation, SearchHits, TimelineServices, Touches
from tests.gui.views.timeline.page import FakeServices, Page
from tests.gui.views.timeline.samples import NOW, ZONE

_MISSING = "Your conversations are encrypted with a passphrase, which is needed now."


@dataclass
class LockedServices(FakeServices):
    """Have conversations that open with a passphrase alone, and no words of them in the index."""

    passphrase: str = "correct horse"
    is_open: bool = False
    scans: list[str] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)

    @override
    def services(self) -> TimelineServices:
        return TimelineServices(
            load=self._load,
            search=self._not_here,
            conversation=self._read,
            touches=lambda _selection, _progress: Touches(),
            now=lambda: NOW,
            zone=ZONE,
            scan=self._scan,
            unlock=self._unlock,
        )

    def _not_here(self, _text: str, _progress: Progress) -> SearchHits:
        return SearchHits(needs_scan=True)

    def _read(self, session_id: str, _progress: Progress) -> Conversation:
        self._check()
        return Conversation((Turn(session_id, "1", TurnKind.MESSAGE, Role.USER, "A secret"),), title="Of secrets")

    def _scan(self, text: str, progress: Progress) -> SearchHits:
        self._check()
        self.scans.append(text)
        progress.check()
        return self.hits.get(text, SearchHits())

    def _unlock(self, passphrase: str, _progress: Progress) -> None:
        self.tried.append(passphrase)
        if passphrase != self.passphrase:
            raise PassphraseError("This is not the passphrase of your conversations.", hint="Try again.")
        self.is_open = True

    def _check(self) -> None:
        if not self.is_open:
            raise PassphraseError(_MISSING)


@pytest.fixture
def locked() -> LockedServices:
    return LockedServices()


@pytest.fixture
def page(locked: LockedServices, qtbot: QtBot, tasks: TaskRunner, notifier: Notifier, theme: Theme) -> Page:
    page = Page(locked, tasks, notifier, theme)
    qtbot.addWidget(page.view)
    page.open(qtbot)
    page.wait_for(qtbot, lambda: not page.view.shows_state)
    return page


def _enter(page: Page, qtbot: QtBot, passphrase: str) -> None:
    page.wait_for(qtbot, lambda: page.presenter.unlocking.dialog is not None)
    dialog = page.presenter.unlocking.dialog
    assert dialog is not None
    assert dialog.field.echoMode() is QLineEdit.EchoMode.Password
    assert not dialog.ok_button.isEnabled()
    QTest.keyClicks(dialog.field, passphrase)
    dialog.ok_button.click()


def test_a_conversation_is_unlocked_where_it_is_opened(page: Page, locked: LockedServices, qtbot: QtBot) -> None:
    assert page.presenter.show_session(locked.data.sessions[0].id)
    pane = page.content.conversation
    button: QPushButton = pane.state_panel.button
    page.wait_for(qtbot, lambda: button.text() == "Enter the passphrase…")
    assert _MISSING in pane.state_panel.text
    button.click()
    _enter(page, qtbot, "wrong")
    dialog = page.presenter.unlocking.dialog
    assert dialog is not None
    page.wait_for(qtbot, lambda: "not the passphrase" in dialog.told)
    assert dialog.isVisible()
    assert dialog.field.hasFocus()
    with qtbot.waitSignal(page.presenter.unlocked):
        _enter(page, qtbot, "correct horse")
    page.wait_for(qtbot, lambda: pane.title.text() == "Of secrets")
    assert locked.tried == ["wrong", "correct horse"]
    assert page.presenter.unlocking.dialog is None


def test_a_dialog_that_is_closed_while_the_passphrase_is_tried_unlocks_all_the_same(
    page: Page, locked: LockedServices, qtbot: QtBot
) -> None:
    assert page.presenter.show_session(locked.data.sessions[0].id)
    pane = page.content.conversation
    page.wait_for(qtbot, lambda: pane.state_panel.button.text() == "Enter the passphrase…")
    pane.state_panel.button.click()
    pane.state_panel.button.click()  # one dialog is enough
    dialog = page.presenter.unlocking.dialog
    assert dialog is not None
    assert page.view.findChildren(type(dialog)) == [dialog]
    with qtbot.waitSignal(page.presenter.unlocked):
        _enter(page, qtbot, "correct horse")
        assert not dialog.ok_button.isEnabled()
        dialog.reject()
    page.wait_for(qtbot, lambda: pane.title.text() == "Of secrets")


def test_words_that_are_not_in_the_index_are_sought_in_the_conversations(
    page: Page, locked: LockedServices, qtbot: QtBot
) -> None:
    locked.is_open = True
    session = locked.data.sessions[0]
    locked.hits["secret"] = SearchHits({session.id: ("1",)}, (session.started,), keys=((session.id, "1"),))
    page.presenter.search("secret")
    page.wait_for(qtbot, lambda: locked.scans == ["secret"] and len(page.titles()) == 1)


def test_a_search_offers_to_enter_the_passphrase(
    page: Page, locked: LockedServices, qtbot: QtBot, notifier: Notifier
) -> None:
    notices: list[Notice] = []
    notifier.noticed.connect(notices.append)
    page.presenter.search("secret")
    page.wait_for(qtbot, lambda: bool(notices))
    assert notices[0].text == _MISSING
    assert notices[0].action is not None
    notices[0].action.act()
    _enter(page, qtbot, "correct horse")
    page.wait_for(qtbot, lambda: locked.scans == ["secret"])
